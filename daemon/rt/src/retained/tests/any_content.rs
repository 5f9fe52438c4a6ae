//! Tests that memory with any content is read without a panic or an endless loop, and can be used
//! again afterwards.

use super::*;
use edge_player::Rng;
use rustix::io::{pread, pwrite};

const CASES: u64 = 10_000;

/// The bytes of memory with some frames and snapshots, as clockd would leave it.
fn image() -> Vec<u8> {
    let memory = memory();
    let fd = memory.fd.try_clone().unwrap();
    let mut parts = memory.split().unwrap();
    // The writer passes the end of the ring at least once.
    for number in 1..=2_000 {
        let bytes = [u8::try_from(number % 256).unwrap(); 333];
        parts.entries.0.push(number, &bytes).unwrap();
        if number < 1_960 {
            parts.entries.1.next().unwrap().unwrap();
            parts.entries.1.release_through(number);
        }
        write_snapshot(&mut parts.snapshot.0, &bytes, number);
    }
    parts.alive.set(Instant::from_nanos(1));
    let mut image = vec![0; WORDS * ring::BYTES];
    assert_eq!(pread(&fd, &mut image, 0).unwrap(), image.len());
    image
}

/// Changes one word, most often one that decides how other words are read.
fn change(memory: &RetainedMemory, rng: &mut Rng) {
    let area = memory.area(0..WORDS);
    let start = match rng.between(0, 7) {
        0 => HEADER.start,
        1..=4 => ENTRIES.start,
        5 => SNAPSHOT.start,
        // Frames that have not been released.
        6 => {
            ENTRIES.start
                + 16
                + usize::try_from(area[ENTRIES.start + 8].load(Ordering::Relaxed)).unwrap_or(0)
                    % 30_000
        }
        _ => usize::try_from(rng.between(0, 55_000)).unwrap(),
    };
    let word = &area[start + usize::try_from(rng.between(0, 20)).unwrap()];
    let value = match rng.between(0, 5) {
        0 | 1 => word.load(Ordering::Relaxed) ^ 1 << rng.between(0, 63),
        2 => rng.draw(),
        3 => rng.between(0, 40_000),
        4 => u64::MAX - rng.between(0, 3),
        _ => word.load(Ordering::Relaxed).wrapping_add(rng.between(0, 64)).wrapping_sub(32),
    };
    word.store(value, Ordering::Relaxed);
}

/// Reads a ring until it is empty, which must take a limited number of reads, and then uses it
/// again. Returns whether a damaged frame was found.
fn use_again((writer, reader): &mut (RingWriter, RingReader)) -> bool {
    let (mut reads, mut damaged) = (0, false);
    while let Some(next) = reader.next() {
        damaged |= next.is_err();
        reads += 1;
        assert!(reads <= WORDS, "more frames than words");
    }
    reader.release_through(u64::MAX);
    writer.push(5_000, b"after the damage").unwrap();
    assert_eq!(reader.next(), Some(Ok(Frame { number: 5_000, bytes: b"after the damage" })));
    assert_eq!(reader.next(), None);
    damaged
}

#[test]
fn memory_with_changed_bits_is_read_without_a_panic_and_can_be_used_again() {
    let image = image();
    let editor = memory();
    let fd = editor.fd.try_clone().unwrap();
    let (mut refused, mut damaged, mut older_snapshots) = (0, 0, 0);
    for case in 0..CASES {
        assert_eq!(pwrite(&fd, &image, 0).unwrap(), image.len());
        let mut rng = Rng::of_trace(1, case);
        for _ in 0..rng.between(1, 12) {
            change(&editor, &mut rng);
        }
        let Ok(memory) = RetainedMemory::adopt(fd.try_clone().unwrap(), BOOT, FORMAT) else {
            refused += 1;
            continue;
        };
        let _ = memory.last_alive();
        if let Some(snapshot) = memory.snapshot() {
            let expected = [u8::try_from(snapshot.entry % 256).unwrap(); 333];
            assert_eq!(snapshot.bytes, expected, "a damaged snapshot counts as valid");
            older_snapshots += u64::from(snapshot.entry == 1_999);
        }
        let left = memory.left_entries();
        for (number, bytes) in &left.frames {
            assert_eq!(
                *bytes,
                [u8::try_from(number % 256).unwrap(); 333],
                "a damaged frame counts"
            );
        }
        let mut parts = memory.split().unwrap();
        parts.snapshot.1.entry();
        write_snapshot(&mut parts.snapshot.0, b"later", 6_000);
        assert_eq!(editor.snapshot().unwrap().entry, 6_000);
        damaged += u64::from(use_again(&mut parts.entries));
    }
    // Checks that refused memory, damaged frames and older snapshots have each occurred often.
    let counts = (refused, damaged, older_snapshots);
    assert!(refused > 500 && damaged > 300 && older_snapshots > 200, "{counts:?}");
}

#[test]
fn memory_of_random_words_is_read_without_a_panic() {
    let memory = memory();
    let fd = memory.fd.try_clone().unwrap();
    for case in 0..50 {
        let mut rng = Rng::of_trace(2, case);
        let mut random: Vec<u8> = (0..WORDS).flat_map(|_| rng.draw().to_le_bytes()).collect();
        let header = HEADER.end * ring::BYTES;
        pread(&fd, &mut random[..header], 0).unwrap();
        pwrite(&fd, &random, 0).unwrap();
        let memory = after_a_restart(&fd);
        assert_eq!(memory.snapshot(), None);
        assert_eq!(memory.left_entries(), LeftFrames { frames: vec![], damaged: true });
        let mut parts = memory.split().unwrap();
        use_again(&mut parts.entries);
    }
}
