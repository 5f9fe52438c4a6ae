//! Looks at the write-ahead log before SQLite does.
//!
//! SQLite takes a log up to its last whole transaction and silently ignores the rest. That is right
//! after a power cut, which leaves at most the last transaction unfinished: the one before it was
//! synced before the last began. If something in the middle is broken instead, committed entries
//! would disappear without a word. This module tells the two apart.
//!
//! It relies on the log being emptied whenever a transaction failed and whenever the record is
//! opened (`Connected::reset_log`), so that the log holds no frames of abandoned transactions.
//!
//! Format: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
const MAGIC: u32 = 0x377f_0682;
const VERSION: u32 = 3_007_000;

/// What a write-ahead log holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Log {
    /// Nothing, or no file.
    Empty,
    /// Whole transactions only.
    Whole,
    /// Whole transactions and then a part of one, as a power cut leaves it.
    Unfinished,
    /// Something that no power cut leaves, and what.
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
    let Some(header) = (length == HEADER).then(|| Header::parse(&header)).flatten() else {
        // The header is synced before the first transaction is written. A log of which nothing but
        // zeros reached the disk had no transaction.
        let zeros = header.iter().all(|byte| *byte == 0) && is_all_zero(&mut log)?;
        return Ok(if zeros || length < HEADER {
            Log::Unfinished
        } else {
            Log::Damaged("the header of the write-ahead log is not valid".into())
        });
    };
    inspect_frames(log, &header)
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

/// What was found in the frames so far.
#[derive(Default)]
struct Frames {
    count: usize,
    /// The checksum that the frame before carries, or the header's.
    sum_before: [u32; 2],
    /// The first frame that is not valid.
    first_broken: Option<usize>,
    /// After the first broken frame there was the last frame of a whole transaction.
    commit_after_broken: bool,
    /// There are frames of this log after the last whole transaction.
    unfinished: bool,
}

impl Frames {
    /// Takes the next frame. Returns the first broken frame if this one shows that the broken one
    /// was part of a transaction that had been synced.
    fn next_is_damage(&mut self, header: &Header, frame: &[u8]) -> Option<usize> {
        self.count += 1;
        let (head, page) = frame.split_at(FRAME_HEADER);
        let sum = [word(head, 16), word(head, 20)];
        let ends_transaction = word(head, 4) != 0;
        let of_this_log = head[8..16] == header.salts;
        // Compared with the checksum that the frame before carries, so that each frame is judged by
        // itself, also after a broken one.
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
        }
        let whole = self.first_broken.is_none() && ends_transaction;
        if whole {
            self.unfinished = false;
        } else if of_this_log || differing_bits(&head[8..16], &header.salts) <= 2 {
            // Salts that differ in one or two bits only were damaged. Those of an older log, which
            // can follow if the file was not truncated, are random numbers.
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
    /// `None` if SQLite would take the log for empty, or would not read it.
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

    /// SQLite's checksum: two sums over pairs of 32-bit words, in the byte order of the magic number.
    fn add(&self, sum: &mut [u32; 2], bytes: &[u8]) {
        for pair in bytes.chunks_exact(8) {
            for (half, other) in [(0, 1), (1, 0)] {
                let at = half * 4;
                let quad = [pair[at], pair[at + 1], pair[at + 2], pair[at + 3]];
                let word = if self.big_endian {
                    u32::from_be_bytes(quad)
                } else {
                    u32::from_le_bytes(quad)
                };
                sum[half] = sum[half].wrapping_add(word).wrapping_add(sum[other]);
            }
        }
    }
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

fn is_all_zero(log: &mut impl Read) -> io::Result<bool> {
    let mut bytes = [0; 4096];
    loop {
        let length = read_up_to(log, &mut bytes)?;
        if bytes[..length].iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        if length < bytes.len() {
            return Ok(true);
        }
    }
}
