mod any_content;
mod rings;

use super::ring::Full;
use super::*;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use std::time::Duration;

const BOOT: BootId = *b"0123456789abcdef";
const FORMAT: u64 = 7;

fn memory() -> RetainedMemory {
    RetainedMemory::create(BOOT, FORMAT).unwrap()
}

/// The memory as the next process takes it over.
fn after_a_restart(fd: &OwnedFd) -> RetainedMemory {
    RetainedMemory::adopt(fd.try_clone().unwrap(), BOOT, FORMAT).unwrap()
}

#[test]
fn what_was_written_is_there_after_a_restart() {
    let first = memory();
    let later = after_a_restart(&first.fd);
    assert_eq!((later.snapshot(), later.last_alive()), (None, Ok(None)));
    let mut parts = first.split().unwrap();
    parts.entries.0.push(1, b"one").unwrap();
    parts.entries.0.push(2, b"two, which is longer than a word").unwrap();
    write_snapshot(&mut parts.snapshot.0, b"state", 2);
    parts.alive.set(Instant::from_nanos(77_999));
    let frames = vec![(1, b"one".to_vec()), (2, b"two, which is longer than a word".to_vec())];
    assert_eq!(later.left_entries(), LeftFrames { frames, damaged: false });
    assert_eq!(later.snapshot(), Some(Snapshot { entry: 2, game: 0, bytes: b"state".to_vec() }));
    assert_eq!(later.last_alive(), Ok(Some(Instant::from_nanos(77_000))));
    for bit in 0..64 {
        let word = &later.area(HEADER)[ALIVE_WORD];
        word.fetch_xor(1 << bit, Ordering::Relaxed);
        assert_eq!(later.last_alive(), Err(Damaged), "bit {bit}");
        word.fetch_xor(1 << bit, Ordering::Relaxed);
    }
    // The next process reads the frames again, and releases one of them.
    let mut parts = later.split().unwrap();
    assert_eq!(parts.snapshot.1.entry(), 2);
    assert_eq!(parts.entries.1.next(), Some(Ok(Frame { number: 1, bytes: b"one" })));
    parts.entries.1.release_through(1);
    parts.entries.0.push(3, b"three").unwrap();
    let two = parts.entries.1.next().unwrap().unwrap();
    assert_eq!(two.number, 2);
    assert_eq!(parts.entries.1.next(), Some(Ok(Frame { number: 3, bytes: b"three" })));
    assert_eq!(parts.entries.1.next(), None);
}

fn write_snapshot(writer: &mut SnapshotWriter, bytes: &[u8], entry: u64) {
    writer.buffer()[..bytes.len()].copy_from_slice(bytes);
    writer.commit(bytes.len(), entry);
}

#[test]
fn memory_that_this_clockd_did_not_write_is_refused_with_the_reason() {
    let refused = |fd: &OwnedFd, boot, format| {
        let refused = RetainedMemory::adopt(fd.try_clone().unwrap(), boot, format);
        refused.err().unwrap().to_string()
    };
    let good = memory();
    assert_eq!(refused(&good.fd, BOOT, 8), "another version of clockd wrote it");
    assert_eq!(refused(&good.fd, *b"fedcba9876543210", FORMAT), "its header is damaged");
    let version = good.area(HEADER)[VERSION_WORD].fetch_xor(0xFF << 32, Ordering::Relaxed);
    assert_eq!(refused(&good.fd, BOOT, FORMAT), "its header is damaged");
    good.area(HEADER)[VERSION_WORD].store(version, Ordering::Relaxed);
    for (word, reason) in [
        (VERSION_WORD, "its header is damaged"),
        (LAYOUT_WORD, "its layout is 0, and this clockd's is 4"),
        (MAGIC_WORD, "it is not memory of clockd"),
    ] {
        good.area(HEADER)[word].store(0, Ordering::Relaxed);
        assert_eq!(refused(&good.fd, BOOT, FORMAT), reason);
    }
    // Files that clockd did not make.
    let size = u64::try_from(WORDS * ring::BYTES).unwrap();
    let other = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    let reason = refused(&other, BOOT, FORMAT);
    assert_eq!(reason, format!("it has 0 bytes instead of {size}"));
    ftruncate(&other, size).unwrap();
    let reason = refused(&other, BOOT, FORMAT);
    assert_eq!(reason, "its size could change, so clockd did not make it");
    fcntl_add_seals(&other, SealFlags::SHRINK | SealFlags::WRITE).unwrap();
    let reason = refused(&other, BOOT, FORMAT);
    assert!(reason.starts_with("it cannot be mapped: "), "{reason}");
    let (pipe, _writer) = rustix::pipe::pipe().unwrap();
    assert!(refused(&pipe, BOOT, FORMAT).starts_with("it has 0 bytes"));
}

#[test]
fn the_memory_is_small_and_its_size_is_fixed() {
    let memory = memory();
    const { assert!(WORDS * ring::BYTES <= 640 * 1024) };
    for size in [0, 4096, u64::try_from(WORDS * ring::BYTES).unwrap() + 4096] {
        assert!(ftruncate(&memory.fd, size).is_err());
    }
}

/// How much of the mapping that starts at this address is resident in memory, in bytes.
fn resident(start: usize) -> usize {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let from = maps.find(&format!("{start:08x}-")).unwrap();
    let line = maps[from..].lines().find_map(|line| line.strip_prefix("Rss:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}

#[test]
fn what_the_loop_writes_is_mapped_before_it_is_used() {
    let memory = memory();
    let all = WORDS * ring::BYTES;
    assert!(resident(memory.area(HEADER).as_ptr().addr()) >= all);
    let later = after_a_restart(&memory.fd);
    assert!(resident(later.area(HEADER).as_ptr().addr()) >= all);
}

#[test]
fn writing_allocates_nothing() {
    let mut parts = memory().split().unwrap();
    let before = crate::counting::calls();
    for number in 1..=100 {
        parts.entries.0.push(number, &[7; 200]).unwrap();
        write_snapshot(&mut parts.snapshot.0, &[8; 900], number);
        parts.alive.set(Instant::from_nanos(number));
        parts.wakeups.0.wake();
    }
    while parts.entries.0.push_parts(101, [&[9; 1000], &[9; 5000]]).is_ok() {}
    assert_eq!(crate::counting::calls(), before);
}

#[test]
fn an_incomplete_snapshot_leaves_the_one_before_it() {
    let memory = memory();
    let later = after_a_restart(&memory.fd);
    let snapshot = later.area(SNAPSHOT);
    let mut writer = memory.split().unwrap().snapshot.0;
    for entry in 1..=5_u64 {
        write_snapshot(&mut writer, &entry.to_le_bytes(), entry);
        assert_eq!(later.snapshot().unwrap().entry, entry);
        write_snapshot(&mut writer, b"longer than the snapshots before and after it", 100 + entry);
        // Changes each word of both slots in turn. After each change, one of the two snapshots is
        // still valid.
        for word in snapshot.iter().take(snapshot::WORDS) {
            let value = word.load(Ordering::Relaxed);
            word.store(value ^ 1 << 9, Ordering::Relaxed);
            let found = later.snapshot().unwrap();
            assert!(found.entry == 100 + entry || found.entry == entry, "{found:?}");
            let length = if found.entry == entry { 8 } else { 45 };
            assert_eq!(found.bytes.len(), length);
            word.store(value, Ordering::Relaxed);
        }
        // The slot looks as if the process had been killed after the first store of `commit`.
        let sequence = &snapshot[snapshot::sequence_word(2 * entry)];
        assert_eq!(sequence.swap(0, Ordering::Relaxed), 2 * entry);
        assert_eq!(later.snapshot().unwrap().entry, entry);
    }
    // A snapshot of the largest size is kept, and a larger one is ignored.
    writer.buffer().fill(3);
    writer.commit(SNAPSHOT_BYTES, 7);
    assert_eq!(later.snapshot().unwrap().bytes, [3; SNAPSHOT_BYTES]);
    writer.commit(SNAPSHOT_BYTES + 1, 8);
    assert_eq!(later.snapshot().unwrap().entry, 7);
}

#[test]
fn snapshots_of_zeros_are_damaged_and_those_that_were_never_written_are_not() {
    for writes in 0..3_u64 {
        for is_whole in [false, true] {
            let memory = memory();
            let later = after_a_restart(&memory.fd);
            let damaged = || (later.snapshot_is_damaged(), later.identity_is_damaged());
            assert_eq!(damaged(), (false, false), "no process has written to the memory");
            let mut parts = memory.split().unwrap();
            for number in 1..=writes {
                write_snapshot(&mut parts.snapshot.0, b"clock", number);
                write_snapshot(&mut parts.identity.0, b"names", 0);
            }
            assert_eq!(damaged(), (false, false), "{writes}");
            later.erase("identity", is_whole);
            // If nothing was written, both slots are zeros.
            let is_noticed = writes > 0 || is_whole;
            assert_eq!(damaged(), (false, is_noticed), "{writes} {is_whole}");
            later.erase("snapshot", is_whole);
            assert_eq!(damaged(), (is_noticed, is_noticed), "{writes} {is_whole}");
            // The next process writes again, so the process after it finds no damage.
            let mut parts = after_a_restart(&later.fd).split().unwrap();
            assert_eq!(damaged(), (false, false), "{writes} {is_whole}");
            write_snapshot(&mut parts.identity.0, b"names", 0);
            // The slot looks as if the process had been killed while it wrote the next identity.
            let identity = later.area(IDENTITY);
            identity[snapshot::sequence_word(2)].store(0, Ordering::Relaxed);
            assert_eq!(damaged(), (false, false), "{writes} {is_whole}");
        }
    }
}

#[test]
fn a_snapshot_that_is_read_while_the_writer_runs_is_whole() {
    // Each byte of a snapshot, and its length, follow from its number.
    let content = |entry: u64| {
        let length = 1_000 + usize::try_from(entry % 7).unwrap() * 1_000;
        vec![u8::try_from(entry % 251).unwrap(); length]
    };
    let parts = memory().split().unwrap();
    let ((mut writer, included), reader) = (parts.snapshot, parts.snapshots);
    assert_eq!(reader.latest(), None);
    let last = 20_000;
    let writing = std::thread::spawn(move || {
        (1..=last).for_each(|entry| write_snapshot(&mut writer, &content(entry), entry));
    });
    let (mut read, mut overtaken, mut before) = (0_u64, 0_u64, 0);
    while before < last {
        let at_least = included.entry();
        let Some(Snapshot { entry, bytes, .. }) = reader.latest() else {
            overtaken += 1;
            continue;
        };
        assert!(bytes == content(entry), "{entry}");
        // The slot of the latest snapshot can be overwritten after the other slot was read. So the
        // read can miss the latest snapshot, but only by one.
        assert!(entry + 1 >= at_least.max(before), "{entry} {at_least} {before}");
        (read, before) = (read + 1, before.max(entry));
    }
    writing.join().unwrap();
    println!("{read} read, {overtaken} times both slots were overwritten during the read");
    assert_eq!(reader.latest().unwrap().entry, last);
}

#[test]
fn the_reader_is_woken_once_for_any_number_of_frames() {
    let (waker, wakeups) = memory().split().unwrap().wakeups;
    let at_once = Some(Duration::ZERO);
    assert!(!wakeups.wait(at_once).unwrap());
    waker.wake();
    waker.clone().wake();
    assert!(wakeups.wait(None).unwrap());
    assert!(!wakeups.wait(at_once).unwrap());
    let waiting = std::thread::spawn(move || wakeups.wait(None).unwrap());
    waker.wake();
    assert!(waiting.join().unwrap());
}
