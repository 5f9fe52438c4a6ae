//! Tests that frames come out of a ring as they were written, and that damage is found.

use super::super::ring::ring;
use super::*;
use edge_player::Rng;
use std::collections::VecDeque;

/// A ring of 64 words: 16 words before the data, and 48 for frames.
fn small_ring() -> (RetainedMemory, RingWriter, RingReader) {
    let memory = memory();
    let (writer, reader) = ring(memory.area(HEADER.end..HEADER.end + 64));
    (memory, writer, reader)
}

#[test]
fn frames_come_out_whole_and_in_order_however_often_the_ring_goes_round() {
    let (_memory, mut writer, mut reader) = small_ring();
    let (mut rng, mut refused) = (Rng::new(1), 0);
    // The frames that were pushed and not released, and how many of them were read.
    let (mut left, mut read) = (VecDeque::new(), 0);
    for number in 1..20_000 {
        let bytes = vec![
            u8::try_from(number % 251).unwrap();
            usize::try_from(rng.between(0, 130)).unwrap()
        ];
        let words = |bytes: &Vec<u8>| 2 + bytes.len().div_ceil(8);
        let used: usize = left.iter().map(|(_, bytes)| words(bytes)).sum();
        // The first part ends at a word.
        let words_of_first = rng.between(0, (bytes.len() / 8).try_into().unwrap());
        let (first, second) = bytes.split_at(8 * usize::try_from(words_of_first).unwrap());
        let pushed = writer.push_parts(number, [first, second]);
        assert_eq!(pushed.is_ok(), used + words(&bytes) <= 48);
        match pushed {
            Ok(()) => left.push_back((number, bytes)),
            Err(Full) => refused += 1,
        }
        if rng.one_in(2) && read < left.len() {
            let (number, bytes) = &left[read];
            assert_eq!(reader.next(), Some(Ok(Frame { number: *number, bytes })));
            read += 1;
        } else if read == left.len() {
            assert_eq!(reader.next(), None);
        }
        if rng.one_in(3) && read > 0 {
            let released = usize::try_from(rng.between(1, read.try_into().unwrap())).unwrap();
            reader.release_through(left[released - 1].0);
            left.drain(..released);
            read -= released;
        }
    }
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn frames_that_were_not_read_are_not_released() {
    let (_memory, mut writer, mut reader) = small_ring();
    for number in 1..=4 {
        writer.push(number, &[0; 80]).unwrap();
    }
    assert_eq!(writer.push(5, &[]), Err(Full));
    assert_eq!(reader.next().unwrap().unwrap().number, 1);
    reader.release_through(4);
    writer.push(6, &[0; 80]).unwrap();
    assert_eq!(writer.push(7, &[]), Err(Full));
    for number in [2, 3, 4, 6] {
        assert_eq!(reader.next().unwrap().unwrap().number, number);
    }
    // A frame with 49 words has no room even in the empty ring; one with 48 words has.
    reader.release_through(6);
    assert_eq!(writer.push(8, &[0; 8 * 47]), Err(Full));
    writer.push(9, &[0; 8 * 46]).unwrap();
}

#[test]
fn a_frame_with_any_changed_bit_is_damaged_and_the_ring_goes_on_after_it() {
    for bit in 0..64 * 5 {
        let (memory, mut writer, mut reader) = small_ring();
        writer.push(1, b"a frame").unwrap();
        writer.push(2, b"with another one").unwrap();
        // The frames begin after the 16 words of the ring. The first frame has three words, and the
        // second has four. So the changed bit is in the second frame or in the word after it.
        let word = &memory.area(HEADER.end + 16..HEADER.end + 64)[3 + bit / 64];
        word.store(word.load(Ordering::Relaxed) ^ 1 << (bit % 64), Ordering::Relaxed);
        assert_eq!(reader.next(), Some(Ok(Frame { number: 1, bytes: b"a frame" })));
        let is_padding = bit >= 64 * 4;
        assert_eq!(reader.next() == Some(Err(Damaged)), !is_padding, "bit {bit}");
        writer.push(3, b"the next one").unwrap();
        assert_eq!(reader.next(), Some(Ok(Frame { number: 3, bytes: b"the next one" })));
        reader.release_through(3);
        // The whole ring is free again, so a frame of the largest possible size has room.
        writer.push(4, &[0; 8 * 46]).unwrap();
    }
}

#[test]
fn damage_at_the_end_is_released_too() {
    let (memory, mut writer, mut reader) = small_ring();
    writer.push(1, &[1; 8 * 46]).unwrap();
    memory.area(HEADER.end + 16..HEADER.end + 64)[5].store(0, Ordering::Relaxed);
    assert_eq!(reader.next(), Some(Err(Damaged)));
    assert_eq!(reader.next(), None);
    assert_eq!(writer.push(2, &[]), Err(Full));
    reader.release_through(0);
    writer.push(3, &[1; 8 * 46]).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().number, 3);
}
