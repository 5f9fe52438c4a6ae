use super::*;

const BOOT: BootId = *b"0123456789abcdef";
const FORMAT: u64 = 7;

fn memory() -> RetainedMemory {
    RetainedMemory::create(BOOT, FORMAT).unwrap()
}

/// What the next process gets.
fn after_a_restart(memory: &RetainedMemory) -> RetainedMemory {
    RetainedMemory::adopt(memory.fd.try_clone().unwrap(), BOOT, FORMAT).unwrap()
}

#[test]
fn what_was_written_is_there_after_a_restart() {
    let first = memory();
    let later = after_a_restart(&first);
    assert_eq!((later.snapshot(), later.last_alive()), (None, None));
    let mut parts = first.split().unwrap();
    parts.entries.0.push(1, b"one").unwrap();
    parts.entries.0.push(2, b"two, which is longer than a word").unwrap();
    parts.commands.0.push(9, b"").unwrap();
    assert_eq!(parts.snapshot.1.entry(), 0);
    parts.snapshot.0.buffer()[..5].copy_from_slice(b"state");
    parts.snapshot.0.commit(5, 2);
    assert_eq!(parts.snapshot.1.entry(), 2);
    parts.alive.set(Instant::from_nanos(77));
    let frames = vec![(1, b"one".to_vec()), (2, b"two, which is longer than a word".to_vec())];
    assert_eq!(later.left_entries(), LeftFrames { frames, damaged: false });
    assert_eq!(later.left_commands(), LeftFrames { frames: vec![(9, vec![])], damaged: false });
    assert_eq!(later.snapshot(), Some(Snapshot { entry: 2, bytes: b"state".to_vec() }));
    assert_eq!(later.last_alive(), Some(Instant::from_nanos(77)));
}
