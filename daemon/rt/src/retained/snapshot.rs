//! Snapshots of the clock, or of the names and texts of the game, in two slots that are written in turn.
//!
//! A later process reads the slots, and so does this process, with a [`SnapshotReader`]. A process
//! that is killed while it writes one slot leaves the latest complete snapshot in the other slot. A
//! slot that is written while it is read counts as empty: the sequence number changes, and the
//! checksum does not match.

use super::memory::{Area, AtomicU64, Ordering, fence};
use super::ring::{BYTES, from_bytes, pack, to_bytes, unpack};

/// The largest size of a snapshot, in bytes.
pub const SNAPSHOT_BYTES: usize = 16 * 1024;

/// The indexes of the words of a slot. The bytes of the snapshot begin at `DATA`. The word at
/// `SEQUENCE` contains 0 while the slot is written.
const SEQUENCE: usize = 0;
const LENGTH: usize = 1;
const ENTRY: usize = 2;
const GAME: usize = 3;
const DATA: usize = 8;
/// The number of words of a slot.
const SLOT: usize = DATA + SNAPSHOT_BYTES / BYTES;
/// The index of the word with the number of the last entry that the latest snapshot includes. The
/// thread that releases entries reads this word, because only entries that a snapshot includes may
/// be released.
const INCLUDED: usize = 2 * SLOT;
/// The index of the word with the complement of the sequence number of the latest snapshot that was
/// written completely. In an area to which no snapshot was written, it is the complement of 0. So
/// words that were overwritten with zeros differ from an area without a snapshot.
const LATEST: usize = INCLUDED + 1;
/// The number of words in the area: two slots, and 8 words of which the first one is at `INCLUDED`.
pub(super) const WORDS: usize = INCLUDED + DATA;

/// A snapshot, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of the last entry that the snapshot includes.
    pub entry: u64,
    /// The identity of the game.
    pub game: u64,
    /// The encoded clock, or the names and texts of the game.
    pub bytes: Vec<u8>,
}

/// Writes snapshots. It allocates nothing, takes no lock and makes no system call.
pub struct SnapshotWriter {
    area: Area,
    /// The sequence number of the latest snapshot. Its lowest bit is the number of its slot.
    sequence: u64,
    /// [`Snapshot::game`] of the next snapshot.
    game: u64,
    buffer: Box<[u8]>,
}

/// Tells which entries the latest snapshot includes.
///
/// An entry must not be released before a snapshot includes it. Otherwise, if the process is killed
/// after the release and before the next snapshot, neither the snapshot nor the ring contains the
/// entry.
pub struct Included(Area);

impl Included {
    /// The number of the last entry that the latest snapshot includes; 0 if there is none.
    pub fn entry(&self) -> u64 {
        self.0[INCLUDED].load(Ordering::Acquire)
    }
}

/// Reads the latest snapshot while its writer goes on writing. It never delays the writer.
pub struct SnapshotReader(Area);

impl SnapshotReader {
    pub(super) fn new(area: Area) -> SnapshotReader {
        SnapshotReader(area)
    }

    /// The latest snapshot, or the one before it if the latest one was overwritten during this
    /// call. `None` if both were overwritten, or if there is none.
    pub fn latest(&self) -> Option<Snapshot> {
        latest(&self.0).map(|(_, snapshot)| snapshot)
    }
}

/// The number of the last entry that the latest snapshot includes, as its writer stored it.
pub(super) fn included(area: &[AtomicU64]) -> u64 {
    area[INCLUDED].load(Ordering::Acquire)
}

/// Makes an area of zeros an area without a snapshot.
pub(super) fn make_empty(area: &[AtomicU64]) {
    area[LATEST].store(!0, Ordering::Release);
}

impl SnapshotWriter {
    pub(super) fn new(area: Area) -> (SnapshotWriter, Included) {
        let (sequence, included, game) = latest(&area)
            .map_or((0, 0, 0), |(sequence, latest)| (sequence, latest.entry, latest.game));
        area[INCLUDED].store(included, Ordering::Release);
        area[LATEST].store(!sequence, Ordering::Release);
        let writer = SnapshotWriter::at(area.clone(), sequence, game);
        (writer, Included(area))
    }

    fn at(area: Area, sequence: u64, game: u64) -> SnapshotWriter {
        // The buffer is not filled with zeros: for zeros, the allocator would leave the pages to be
        // mapped at their first use.
        let buffer = vec![0xFF; SNAPSHOT_BYTES].into_boxed_slice();
        SnapshotWriter { area, sequence, game, buffer }
    }

    /// Sets [`Snapshot::game`] of the snapshots from now on.
    pub fn set_game(&mut self, game: u64) {
        self.game = game;
    }

    /// The buffer into which the caller encodes the next snapshot before
    /// [`SnapshotWriter::commit`].
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    /// Makes the first `length` bytes of the buffer the latest snapshot, which includes all entries
    /// up to the number `entry`. If `length` is larger than the buffer, nothing changes.
    pub fn commit(&mut self, length: usize, entry: u64) {
        let next = self.sequence + 1;
        let Some(bytes) = self.buffer.get(..length) else { return };
        let Some(header) = pack(length, checksum(next, entry, self.game, bytes)) else { return };
        let slot = slot(&self.area, next);
        slot[SEQUENCE].store(0, Ordering::Relaxed);
        // The fence orders the store of 0, which makes the slot invalid, before the other stores to
        // the slot.
        fence(Ordering::Release);
        slot[LENGTH].store(header, Ordering::Relaxed);
        slot[ENTRY].store(entry, Ordering::Relaxed);
        slot[GAME].store(self.game, Ordering::Relaxed);
        for (word, value) in slot[DATA..].iter().zip(from_bytes(bytes)) {
            word.store(value, Ordering::Relaxed);
        }
        slot[SEQUENCE].store(next, Ordering::Release);
        self.area[INCLUDED].store(entry, Ordering::Release);
        self.area[LATEST].store(!next, Ordering::Release);
        self.sequence = next;
    }
}

/// The slot of the snapshot with this sequence number.
fn slot(area: &[AtomicU64], sequence: u64) -> &[AtomicU64] {
    let (even, odd) = area[..INCLUDED].split_at(SLOT);
    if sequence.is_multiple_of(2) { even } else { odd }
}

/// The words of both slots.
#[cfg(any(test, feature = "damage"))]
pub(super) fn slots(area: &[AtomicU64]) -> &[AtomicU64] {
    &area[..INCLUDED]
}

/// The index of the word `SEQUENCE` of the slot into which the snapshot with the number `sequence`
/// is written.
#[cfg(any(test, feature = "damage"))]
pub(super) fn sequence_word(sequence: u64) -> usize {
    if sequence.is_multiple_of(2) { SEQUENCE } else { SLOT + SEQUENCE }
}

/// The index of the first word of the bytes of the latest snapshot.
#[cfg(feature = "damage")]
pub(super) fn latest_word(area: &[AtomicU64]) -> usize {
    let (sequence, _) = latest(area).expect("a snapshot");
    sequence_word(sequence) + DATA
}

fn checksum(sequence: u64, entry: u64, game: u64, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&sequence.to_le_bytes());
    hasher.update(&entry.to_le_bytes());
    hasher.update(&game.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

/// The valid snapshot with the highest sequence number, together with this number. `None` if no
/// slot contains a valid snapshot.
pub(super) fn latest(area: &[AtomicU64]) -> Option<(u64, Snapshot)> {
    let found = [read(area, 0), read(area, 1)];
    found.into_iter().flatten().max_by_key(|(sequence, _)| *sequence)
}

/// Whether the latest snapshot that was written completely is not there.
pub(super) fn is_latest_missing(area: &[AtomicU64]) -> bool {
    let written = !area[LATEST].load(Ordering::Acquire);
    latest(area).map_or(0, |(sequence, _)| sequence) < written
}

/// Whether a slot was written completely and is not valid now. A slot that a killed process had not
/// written completely is not damaged.
pub(super) fn is_damaged(area: &[AtomicU64]) -> bool {
    if is_latest_missing(area) {
        return true;
    }
    let is_complete = |parity| slot(area, parity)[SEQUENCE].load(Ordering::Acquire) != 0;
    (0..2).any(|parity| is_complete(parity) && read(area, parity).is_none())
}

fn read(area: &[AtomicU64], parity: u64) -> Option<(u64, Snapshot)> {
    let slot = slot(area, parity);
    let word = |index: usize| slot[index].load(Ordering::Acquire);
    let (sequence, entry, game) = (word(SEQUENCE), word(ENTRY), word(GAME));
    // A sequence number in the upper half of `u64` can only come from damage. It is refused, so
    // that the later snapshots always have higher numbers.
    if sequence == 0 || sequence % 2 != parity || sequence > u64::MAX / 2 {
        return None;
    }
    let (length, crc) = unpack(word(LENGTH));
    if length > SNAPSHOT_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    to_bytes(slot[DATA..].iter().map(|word| word.load(Ordering::Relaxed)), length, &mut bytes);
    // The fence orders this load after the loads above. So if one of them has read a word of a later
    // snapshot, this one reads 0 or a later number.
    fence(Ordering::Acquire);
    if slot[SEQUENCE].load(Ordering::Relaxed) != sequence {
        return None;
    }
    (crc == checksum(sequence, entry, game, &bytes))
        .then_some((sequence, Snapshot { entry, game, bytes }))
}
