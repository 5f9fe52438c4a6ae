//! Checks the write-ahead log before SQLite reads it.
//!
//! SQLite reads a log up to its last complete transaction and silently ignores the rest. After a
//! power cut this is correct: at most the last transaction is unfinished, because each transaction
//! is synced before the next one begins. But if a frame in the middle is damaged, SQLite would
//! silently ignore committed entries. This module distinguishes the two cases.
//!
//! It relies on `Connected::log_needs_reset`: the log is emptied before the first transaction after
//! every opening and after every failed transaction. So no transaction follows frames of an
//! abandoned one.
//!
//! Format: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The log is emptied after an append that makes it longer than this (1 MiB, about 250 pages).
pub const LOG_LIMIT: u64 = 1 << 20;
/// Appends fail if the log is longer than this and a reader keeps it from being emptied.
pub const LOG_HARD_LIMIT: u64 = 16 << 20;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
const MAGIC: u32 = 0x377f_0682;
const VERSION: u32 = 3_007_000;
/// The size of the record's pages.
const PAGE_SIZE: u32 = 4096;
/// A number of pages that no record reaches. So many pages would be 64 GiB.
const MOST_PAGES: u32 = 1 << 24;

/// What a write-ahead log holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Log {
    /// The log is empty, or there is no file.
    Empty,
    /// The log holds only complete transactions.
    Whole,
    /// The log holds complete transactions and then a part of one, as a power cut leaves it.
    Unfinished,
    /// The log has damage that no power cut causes. The text says what is damaged.
    Damaged(String),
}

/// Reads the log at `path`.
pub fn inspect(path: &Path) -> io::Result<Log> {
    match File::open(path) {
        Ok(file) => inspect_log(BufReader::new(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Log::Empty),
        Err(error) => Err(error),
    }
}

fn inspect_log(mut log: impl Read) -> io::Result<Log> {
    let mut header = [0; HEADER];
    let length = read_up_to(&mut log, &mut header)?;
    if length == 0 {
        return Ok(Log::Empty);
    }
    match (length == HEADER).then(|| Header::parse(&header)).flatten() {
        Some(header) => inspect_frames(log, &header),
        // The constant parts of the header are right except for at most two bits, so the header was
        // once written completely and was damaged later. If more bits are wrong, the power may have
        // been cut before the first sync of the header, which can leave any bytes in its place.
        None if length == HEADER && looks_like_header(&header) => {
            Ok(Log::Damaged("the header of the write-ahead log is damaged".into()))
        }
        // SQLite syncs the header before it writes the first frame, and the log is emptied by
        // truncating it. So if frames follow, the header was once written completely.
        None if frames_follow(&mut log)? => {
            Ok(Log::Damaged("the header of the write-ahead log is gone, but frames follow".into()))
        }
        None => Ok(Log::Unfinished),
    }
}

/// Whether two frames of the same log follow one another. The checksum of the second frame is
/// computed from the one in the first frame, so the header is not needed.
fn frames_follow(mut log: impl Read) -> io::Result<bool> {
    let size = usize::try_from(PAGE_SIZE).map_err(io::Error::other)?;
    let (mut before, mut frame) = (vec![0; FRAME_HEADER + size], vec![0; FRAME_HEADER + size]);
    let mut is_first = true;
    while read_up_to(&mut log, &mut frame)? == frame.len() {
        let (head, page) = frame.split_at(FRAME_HEADER);
        let follows = |big_endian| {
            let mut sum = [word(&before, 16), word(&before, 20)];
            add(big_endian, &mut sum, &head[..8]);
            add(big_endian, &mut sum, page);
            sum == [word(head, 16), word(head, 20)]
        };
        let same_log = !is_first && head[8..16] == before[8..16];
        // Bytes that are all zero would pass the comparison, because their checksum is zero. But
        // the first word of a frame is the number of its page, which is never 0.
        if same_log && word(head, 0) != 0 && (follows(true) || follows(false)) {
            return Ok(true);
        }
        std::mem::swap(&mut before, &mut frame);
        is_first = false;
    }
    Ok(false)
}

fn inspect_frames(mut log: impl Read, header: &Header) -> io::Result<Log> {
    let mut bytes = vec![0; FRAME_HEADER + header.page_size];
    let mut frames = Frames { sum_before: header.sum, ..Frames::default() };
    loop {
        let length = read_up_to(&mut log, &mut bytes)?;
        if length < bytes.len() {
            frames.unfinished |= length > 0;
            return Ok(if frames.unfinished { Log::Unfinished } else { Log::Whole });
        }
        if let Some(first) = frames.next_is_damage(header, &bytes) {
            return Ok(Log::Damaged(format!(
                "frame {first} of the write-ahead log is broken, but later transactions are there"
            )));
        }
    }
}

/// What the frames that were read up to now show.
#[derive(Default)]
struct Frames {
    count: usize,
    /// The checksum in the previous frame, or in the header before the first frame.
    sum_before: [u32; 2],
    /// The number of the first frame that is not valid.
    first_broken: Option<usize>,
    /// Whether the first broken frame, or a valid frame after it, is the last of its transaction.
    commit_after_broken: bool,
    /// Whether there are frames of this log after the last complete transaction.
    unfinished: bool,
}

impl Frames {
    /// Checks the next frame. Returns the number of the first broken frame if the next frame shows
    /// that the broken one belongs to a transaction that had been synced.
    fn next_is_damage(&mut self, header: &Header, frame: &[u8]) -> Option<usize> {
        self.count += 1;
        let (head, page) = frame.split_at(FRAME_HEADER);
        let sum = [word(head, 16), word(head, 20)];
        let ends_transaction = word(head, 4) != 0;
        let of_this_log = head[8..16] == header.salts;
        // Salts that differ in at most two bits count as damaged salts of this log. Frames of an
        // older log can follow if the file was not truncated. At least one of their two salts is
        // another random number, so their salts differ in more bits.
        let near = differing_bits(&head[8..16], &header.salts) <= 2;
        // The checksum is computed from the checksum in the previous frame, even if that frame is
        // broken. So each frame is judged by itself.
        let mut expected = self.sum_before;
        header.add(&mut expected, &head[..8]);
        header.add(&mut expected, page);
        let valid = of_this_log && expected == sum;
        self.sum_before = sum;
        if let Some(first) = self.first_broken {
            if self.commit_after_broken && of_this_log {
                return Some(first);
            }
            self.commit_after_broken |= valid && ends_transaction;
        } else if !valid {
            self.first_broken = Some(self.count);
            // In the last frame of a transaction, this word is the length of the database in pages;
            // otherwise it is 0. An unfinished write can leave any number there, so a number that
            // is too large does not count.
            self.commit_after_broken = near && (1..MOST_PAGES).contains(&word(head, 4));
        }
        let whole = self.first_broken.is_none() && ends_transaction;
        if whole {
            self.unfinished = false;
        } else if near {
            self.unfinished = true;
        }
        None
    }
}

struct Header {
    big_endian: bool,
    page_size: usize,
    salts: [u8; 8],
    sum: [u32; 2],
}

impl Header {
    /// Returns `None` if SQLite would take the log for empty or could not read it.
    fn parse(bytes: &[u8; HEADER]) -> Option<Header> {
        let magic = word(bytes, 0);
        let page_size = usize::try_from(word(bytes, 8)).ok()?;
        let mut salts = [0; 8];
        salts.copy_from_slice(&bytes[16..24]);
        let sum = [word(bytes, 24), word(bytes, 28)];
        let header = Header { big_endian: magic & 1 == 1, page_size, salts, sum };
        let mut expected = [0, 0];
        header.add(&mut expected, &bytes[..24]);
        let valid = magic & !1 == MAGIC
            && word(bytes, 4) == VERSION
            && page_size.is_power_of_two()
            && (512..=65_536).contains(&page_size)
            && expected == sum;
        valid.then_some(header)
    }

    /// Adds these bytes to the checksum, in the byte order of this log.
    fn add(&self, sum: &mut [u32; 2], bytes: &[u8]) {
        add(self.big_endian, sum, bytes);
    }
}

/// SQLite's checksum: two sums over pairs of 32-bit words, in the byte order of the magic number.
fn add(big_endian: bool, sum: &mut [u32; 2], bytes: &[u8]) {
    for pair in bytes.chunks_exact(8) {
        for (half, other) in [(0, 1), (1, 0)] {
            let at = half * 4;
            let quad = [pair[at], pair[at + 1], pair[at + 2], pair[at + 3]];
            let word = if big_endian { u32::from_be_bytes(quad) } else { u32::from_le_bytes(quad) };
            sum[half] = sum[half].wrapping_add(word).wrapping_add(sum[other]);
        }
    }
}

/// Whether the magic number, the version and the page size together differ in at most two bits from
/// those of the record's logs. The bit of the magic number for the byte order does not count.
fn looks_like_header(bytes: &[u8; HEADER]) -> bool {
    let constant = [MAGIC, VERSION, PAGE_SIZE].map(u32::to_be_bytes).concat();
    let order = u32::from(bytes[3] & 1 == 1);
    differing_bits(&bytes[..12], &constant) - order <= 2
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn differing_bits(left: &[u8], right: &[u8]) -> u32 {
    left.iter().zip(right).map(|(left, right)| (left ^ right).count_ones()).sum()
}

fn read_up_to(log: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match log.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(length) => filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
