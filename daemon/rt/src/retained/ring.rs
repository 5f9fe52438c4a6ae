//! A ring of frames with one writer and one reader. A frame stays in the ring until the reader
//! releases it, even if the process is killed in the meantime.
//!
//! The head is the position up to which the writer has written; the tail is the position up to
//! which the reader has released. Both count words and only grow; a position modulo the size of the
//! ring is a place in it. The writer stores the head (Release) after all words of a frame. So a
//! reader that sees a head also sees all frames before it, and a process that is killed while it
//! writes a frame leaves a head that is not beyond the start of this frame. The checksum of each
//! frame is a second protection. It includes the position of the frame, so that an old frame at the
//! same place is never taken for a new one.

use super::memory::{Area, AtomicU64, Ordering};
use std::collections::VecDeque;

/// The index of the word with the head. The writer's word, `HEAD`, and the reader's word, `TAIL`, are in
/// different cache lines, so that the two threads do not slow each other down.
const HEAD: usize = 0;
const TAIL: usize = 8;
const DATA: usize = 16;

/// The number of words of a frame before its bytes: one with its length and its checksum, and one
/// with its number.
const FRAME_HEADER: usize = 2;
/// The highest possible position. A writer would reach it only after 290 years at 1 GB/s, so a
/// higher position in the memory is damage.
const MAX_POSITION: u64 = 1 << 60;

/// The ring has no room for the frame. Nothing of the frame was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The words at the reader's position are no valid frame. Everything up to the head is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// The contents of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The number that the writer gave the frame.
    pub number: u64,
    /// The bytes of the frame.
    pub bytes: &'a [u8],
}

/// The writing end. It allocates nothing, takes no lock and makes no system call.
pub struct RingWriter {
    area: Area,
    head: u64,
}

/// The reading end.
pub struct RingReader {
    area: Area,
    /// The position up to which frames have been read.
    position: u64,
    bytes: Vec<u8>,
    /// The numbers of the frames that were read and not released, each with the position of its
    /// end.
    unreleased: VecDeque<(u64, u64)>,
}

/// Both ends of the ring in this area. Frames that an earlier process left in the ring are read
/// first. If the stored head and tail are impossible, the ring is emptied.
pub fn ring(area: Area) -> (RingWriter, RingReader) {
    if positions(&area).is_none() {
        area[HEAD].store(0, Ordering::Relaxed);
        area[TAIL].store(0, Ordering::Relaxed);
    }
    let head = area[HEAD].load(Ordering::Relaxed);
    (RingWriter { area: area.clone(), head }, RingReader::new(area))
}

/// How many words of the area hold frames.
fn capacity(area: &[AtomicU64]) -> u64 {
    length(area.len() - DATA)
}

fn length(words: usize) -> u64 {
    u64::try_from(words).expect("lengths have 64 bits at most")
}

/// The tail and the head; `None` if they are impossible.
fn positions(area: &[AtomicU64]) -> Option<(u64, u64)> {
    let (tail, head) = (area[TAIL].load(Ordering::Relaxed), area[HEAD].load(Ordering::Acquire));
    let used = head.checked_sub(tail)?;
    (head <= MAX_POSITION && used <= capacity(area)).then_some((tail, head))
}

/// All words for frames, each once, beginning with the word at `position`. After the last word of
/// the ring comes the first.
fn words_from(area: &[AtomicU64], position: u64) -> impl Iterator<Item = &AtomicU64> {
    let start = usize::try_from(position % capacity(area)).expect("it is below the capacity");
    let (before, from) = area[DATA..].split_at(start);
    from.iter().chain(before)
}

/// The index of the first word of the bytes of the oldest frame.
#[cfg(feature = "damage")]
pub fn oldest_word(area: &[AtomicU64]) -> usize {
    let tail = area[TAIL].load(Ordering::Relaxed) % capacity(area);
    DATA + FRAME_HEADER + usize::try_from(tail).expect("it is below the capacity")
}

fn checksum(position: u64, number: u64, parts: [&[u8]; 2]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&position.to_le_bytes());
    hasher.update(&number.to_le_bytes());
    parts.iter().for_each(|bytes| hasher.update(bytes));
    hasher.finalize()
}

impl RingWriter {
    /// Adds a frame. The numbers of successive frames must increase. A frame that is longer than
    /// the ring is always refused.
    pub fn push(&mut self, number: u64, bytes: &[u8]) -> Result<(), Full> {
        self.push_parts(number, [&[], bytes])
    }

    /// Adds a frame whose bytes are those of both parts. The length of the first part must be a multiple
    /// of 8.
    pub fn push_parts(&mut self, number: u64, parts: [&[u8]; 2]) -> Result<(), Full> {
        let area = &*self.area;
        let [first, second] = parts;
        debug_assert!(first.len().is_multiple_of(BYTES), "the second part begins with a word");
        let bytes = first.len() + second.len();
        let needed = length(FRAME_HEADER + bytes.div_ceil(BYTES));
        // Loads with Acquire, so the reader has finished reading what it released.
        let tail = area[TAIL].load(Ordering::Acquire);
        let used = self.head.saturating_sub(tail);
        let header = pack(bytes, checksum(self.head, number, parts));
        let (true, Some(header)) = (used.saturating_add(needed) <= capacity(area), header) else {
            return Err(Full);
        };
        let words = from_bytes(first).chain(from_bytes(second));
        let values = [header, number].into_iter().chain(words);
        for (word, value) in words_from(area, self.head).zip(values) {
            word.store(value, Ordering::Relaxed);
        }
        self.head += needed;
        area[HEAD].store(self.head, Ordering::Release);
        Ok(())
    }
}

impl RingReader {
    /// Reads the ring from the oldest frame that was not released.
    pub(super) fn new(area: Area) -> RingReader {
        let position = area[TAIL].load(Ordering::Relaxed);
        RingReader { area, position, bytes: Vec::new(), unreleased: VecDeque::new() }
    }

    /// The next frame; `None` if the writer has added no further frame yet. The frame stays in the
    /// ring until it is released.
    #[allow(
        clippy::should_implement_trait,
        reason = "a frame borrows the reader's buffer, so the reader is no `Iterator`"
    )]
    pub fn next(&mut self) -> Option<Result<Frame<'_>, Damaged>> {
        let head = self.area[HEAD].load(Ordering::Acquire);
        if head == self.position {
            return None;
        }
        match self.read(head) {
            Some((number, end)) => {
                self.position = end;
                self.unreleased.push_back((number, end));
                Some(Ok(Frame { number, bytes: &self.bytes }))
            }
            None => {
                self.position = head;
                Some(Err(Damaged))
            }
        }
    }

    /// Reads the frame at `self.position` into `self.bytes`. Returns the number of the frame and
    /// the position of its end; `None` if there is no valid frame.
    fn read(&mut self, head: u64) -> Option<(u64, u64)> {
        let area = &*self.area;
        let available = head.checked_sub(self.position)?;
        if available > capacity(area) || head > MAX_POSITION {
            return None;
        }
        let mut words = words_from(area, self.position).map(|word| word.load(Ordering::Relaxed));
        let ((len, crc), number) = (unpack(words.next()?), words.next()?);
        let needed = length(len.div_ceil(BYTES).checked_add(FRAME_HEADER)?);
        if needed > available {
            return None;
        }
        to_bytes(words, len, &mut self.bytes);
        (crc == checksum(self.position, number, [&[], &self.bytes]))
            .then_some((number, self.position + needed))
    }

    /// Makes room: releases all frames up to this number that have been read.
    pub fn release_through(&mut self, number: u64) {
        let mut released = None;
        while let Some(&(_, end)) = self.unreleased.front().filter(|(frame, _)| *frame <= number) {
            released = Some(end);
            self.unreleased.pop_front();
        }
        // Damaged words that were skipped after the last frame are released, too.
        if self.unreleased.is_empty() {
            released = Some(self.position);
        }
        if let Some(tail) = released {
            self.area[TAIL].store(tail, Ordering::Release);
        }
    }
}

/// The bytes of one word.
pub const BYTES: usize = 8;

/// The words that hold these bytes.
pub fn from_bytes(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(BYTES).map(|chunk| {
        let mut word = [0; BYTES];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

/// Replaces the contents of `bytes` by the first `length` bytes of these words. There must be
/// enough words for `length`.
pub fn to_bytes(words: impl Iterator<Item = u64>, length: usize, bytes: &mut Vec<u8>) {
    bytes.clear();
    for word in words.take(length.div_ceil(BYTES)) {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.truncate(length);
}

/// Puts a length and a checksum into one word; `None` if the length exceeds 32 bits.
pub fn pack(length: usize, crc: u32) -> Option<u64> {
    Some(u64::from(u32::try_from(length).ok()?) | u64::from(crc) << 32)
}

/// The length and the checksum that [`pack`] put into this word.
pub fn unpack(word: u64) -> (usize, u32) {
    let half =
        |word: u64| u32::try_from(word & u64::from(u32::MAX)).expect("only 32 bits are left");
    (usize::try_from(half(word)).unwrap_or(usize::MAX), half(word >> 32))
}
