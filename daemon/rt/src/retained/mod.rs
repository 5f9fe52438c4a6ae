//! Memory that outlives the process, so that what the clock loop decided survives `kill -9`.
//!
//! It is a memfd that systemd keeps ([`keep_fd`](crate::passed_fds::keep_fd)) and gives to the next
//! process. These threads write into it:
//!
//! - The clock loop writes each entry into a ring, and its latest state into a snapshot.
//! - The main thread writes the names and texts of the game on the clock.
//! - The thread that feeds the watchdog writes the alive stamp: the latest instant up to which the
//!   clock loop is known to have decided everything that had arrived.
//!
//! The main thread reads the latest snapshot, too, when it needs a copy of the clock.
//!
//! The recorder releases an entry after it has been committed to the record and a snapshot includes
//! it. So after a restart, the snapshot together with the entries after it gives the state, and the
//! entries that are left in the ring are those that may be missing from the record.
//!
//! ```text
//! header      magic, layout, version, format, boot id, alive stamp
//! snapshot    two slots of 16 KiB
//! identity    two slots of 16 KiB
//! entries     a ring of 384 KiB: clock loop → recorder
//! ```
//!
//! Everything that is read from the memory of an earlier process is checked. No content causes a
//! panic, and damage is reported.

mod memory;
mod ring;
mod snapshot;
#[cfg(test)]
mod tests;
mod wake;

pub use memory::{Origin, adopt_or_create, open, parse_boot_id};
pub use ring::{Damaged, Frame, RingReader, RingWriter};
#[cfg(test)]
pub use snapshot::SNAPSHOT_BYTES;
pub use snapshot::{Included, Snapshot, SnapshotReader, SnapshotWriter};
pub use wake::{Waker, Wakeups};

use clock_engine::Instant;
use memory::{Area, Memory, Ordering};
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// The indexes of the words of the header. `HEADER` is the range of all its words.
const MAGIC_WORD: usize = 0;
const LAYOUT_WORD: usize = 1;
const VERSION_WORD: usize = 2;
const FORMAT_WORD: usize = 3;
const BOOT_WORDS: [usize; 2] = [4, 5];
/// The word with the alive stamp. It is in a separate cache line, so that the watchdog's thread,
/// which writes it, does not slow down the threads that use the words around it.
const ALIVE_WORD: usize = 8;
/// How many bits of the word at `ALIVE_WORD` are the checksum of its other bits.
const ALIVE_CHECK_BITS: u32 = 16;
const HEADER: Range<usize> = 0..16;

const SNAPSHOT: Range<usize> = HEADER.end..HEADER.end + snapshot::WORDS;
const IDENTITY: Range<usize> = SNAPSHOT.end..SNAPSHOT.end + snapshot::WORDS;
const ENTRIES: Range<usize> = IDENTITY.end..IDENTITY.end + ENTRIES_BYTES / ring::BYTES;
const WORDS: usize = ENTRIES.end;

/// The size of the ring of entries in bytes, including the words before its frames.
pub const ENTRIES_BYTES: usize = 384 * 1024;

const MAGIC: u64 = u64::from_le_bytes(*b"clockmem");
/// The version of the layout. It must change with every change of the areas above or of the words
/// within them.
const LAYOUT: u64 = 4;

/// The largest number of different bits in the version that is taken for damage of the memory. If
/// more bits differ, the memory was written by another version.
const FEW_BITS: u32 = 4;

/// The kernel's boot id.
pub type BootId = [u8; 16];

/// Why memory of an earlier process is not used.
#[derive(Debug, thiserror::Error)]
pub enum NotUsable {
    /// It has another size.
    #[error("it has {bytes} bytes instead of {}", WORDS * ring::BYTES)]
    Size {
        /// Its size.
        bytes: i64,
    },
    /// Its size is not sealed.
    #[error("its size could change, so clockd did not make it")]
    NotSealed,
    /// It has another magic number.
    #[error("it is not memory of clockd")]
    Magic,
    /// The version of clockd is the same, and the layout is another one.
    #[error("its layout is {found}, and this clockd's is {LAYOUT}")]
    Layout {
        /// The version of its layout.
        found: u64,
    },
    /// Another version of clockd wrote it.
    #[error("another version of clockd wrote it")]
    Version,
    /// A few bits of the version differ, or the boot id does. Memory does not outlive the boot in
    /// which it was written, so another boot id is damage.
    #[error("its header is damaged")]
    Header,
    /// The version of clockd is the same, and the format is another one.
    #[error("its format is {found:#x}, and this clockd's is {expected:#x}")]
    Format {
        /// The version of its encoding.
        found: u64,
        /// The version of this clockd's encoding.
        expected: u64,
    },
    /// The kernel refused to map it.
    #[error("it cannot be mapped: {0}")]
    Io(#[from] io::Error),
}

impl NotUsable {
    /// Whether the memory may hold a game that this process would have to continue. It cannot hold
    /// such a game if another version of clockd wrote the memory.
    pub fn is_damage(&self) -> bool {
        match self {
            NotUsable::Size { .. } | NotUsable::Version => false,
            NotUsable::NotSealed
            | NotUsable::Magic
            | NotUsable::Layout { .. }
            | NotUsable::Format { .. }
            | NotUsable::Header
            | NotUsable::Io(_) => true,
        }
    }
}

/// The memory before [`RetainedMemory::split`] takes it into use.
pub struct RetainedMemory {
    fd: OwnedFd,
    memory: Arc<Memory>,
}

/// The frames that an earlier process left in a ring, oldest first.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LeftFrames {
    /// The number and the bytes of each frame.
    pub frames: Vec<(u64, Vec<u8>)>,
    /// Whether frames after those in `frames` may be lost, because the ring is damaged.
    pub damaged: bool,
}

/// The writing ends and the reading ends of the parts of the memory, for the threads that use them.
pub struct Parts {
    /// The ring of entries. The clock loop writes, the recorder reads.
    pub entries: (RingWriter, RingReader),
    /// The clock loop writes snapshots. The recorder reads which entries are included.
    pub snapshot: (SnapshotWriter, Included),
    /// The main thread reads the latest snapshot that the clock loop has completed.
    pub snapshots: SnapshotReader,
    /// The names and texts of the game on the clock. The main thread writes them, the recorder reads them.
    pub identity: (SnapshotWriter, SnapshotReader),
    /// The alive stamp. The thread that feeds the watchdog writes it.
    pub alive: AliveStamp,
    /// The writer of the ring wakes the recorder.
    pub wakeups: (Waker, Wakeups),
}

impl RetainedMemory {
    /// Makes new, empty memory. `format` is the version of the encoding of all frames and
    /// snapshots. It must change whenever this encoding changes.
    pub fn create(boot_id: BootId, format: u64) -> io::Result<RetainedMemory> {
        let (fd, memory) = Memory::create(WORDS)?;
        memory.touch(0..WORDS);
        let retained = RetainedMemory { fd, memory: Arc::new(memory) };
        let header = retained.area(HEADER);
        for (word, value) in identity(boot_id, format) {
            header[word].store(value, Ordering::Relaxed);
        }
        for words in [SNAPSHOT, IDENTITY] {
            snapshot::make_empty(&retained.area(words));
        }
        header[MAGIC_WORD].store(MAGIC, Ordering::Release);
        Ok(retained)
    }

    /// Takes over the memory of an earlier process. It must be of the same version of clockd, the
    /// same layout, the same format and the same boot.
    pub fn adopt(fd: OwnedFd, boot_id: BootId, format: u64) -> Result<RetainedMemory, NotUsable> {
        let memory = Memory::open(&fd, WORDS)?;
        memory.touch(0..WORDS);
        let retained = RetainedMemory { fd, memory: Arc::new(memory) };
        let header = retained.area(HEADER);
        let word = |index: usize| header[index].load(Ordering::Acquire);
        if word(MAGIC_WORD) != MAGIC {
            return Err(NotUsable::Magic);
        }
        let identity = identity(boot_id, format);
        let [_, (_, version), ..] = identity;
        if is_of_another_version(word(VERSION_WORD), version) {
            return Err(NotUsable::Version);
        }
        for (index, expected) in identity {
            let found = word(index);
            if found != expected {
                return Err(match index {
                    LAYOUT_WORD => NotUsable::Layout { found },
                    FORMAT_WORD => NotUsable::Format { found, expected },
                    _ => NotUsable::Header,
                });
            }
        }
        Ok(retained)
    }

    fn area(&self, words: Range<usize>) -> Area {
        Area::new(&self.memory, words)
    }

    /// The latest snapshot of an earlier process.
    pub fn snapshot(&self) -> Option<Snapshot> {
        snapshot::latest(&self.area(SNAPSHOT)).map(|(_, snapshot)| snapshot)
    }

    /// Whether the latest snapshot of an earlier process is damaged, for example because the words of
    /// all snapshots were overwritten with zeros.
    pub fn snapshot_is_damaged(&self) -> bool {
        snapshot::is_latest_missing(&self.area(SNAPSHOT))
    }

    /// The number of the last entry that the latest snapshot included when it was written; 0 if
    /// none was written. If [`RetainedMemory::snapshot`] includes fewer entries, the latest
    /// snapshot is damaged.
    pub fn included(&self) -> u64 {
        snapshot::included(&self.area(SNAPSHOT))
    }

    /// The names and texts of the game on the clock of an earlier process. If they and the clock's
    /// snapshot belong to the same game, both have the same [`Snapshot::game`].
    pub fn identity(&self) -> Option<Snapshot> {
        snapshot::latest(&self.area(IDENTITY)).map(|(_, identity)| identity)
    }

    /// Whether what [`RetainedMemory::identity`] reads is damaged, even if only in part.
    pub fn identity_is_damaged(&self) -> bool {
        snapshot::is_damaged(&self.area(IDENTITY))
    }

    /// The entries that were not released. They stay in the ring, so the reader of
    /// [`Parts::entries`] reads them again.
    pub fn left_entries(&self) -> LeftFrames {
        left_frames(self.area(ENTRIES))
    }

    /// The instant up to which the clock loop of an earlier process was last known to have decided
    /// everything that had arrived; `None` if no instant was stored.
    ///
    /// # Errors
    ///
    /// The alive stamp is damaged.
    pub fn last_alive(&self) -> Result<Option<Instant>, Damaged> {
        let word = self.area(HEADER)[ALIVE_WORD].load(Ordering::Acquire);
        let micros = word >> ALIVE_CHECK_BITS;
        match word {
            0 => Ok(None),
            _ if word == alive_word(micros) => Ok(Some(Instant::from_nanos(micros * 1_000))),
            _ => Err(Damaged),
        }
    }

    /// Calls `copy` for each word of the header, from the magic number to the boot id, and changes
    /// the lowest bit of that word in the memory that `copy` returns. Gives each memory to `check`.
    #[cfg(feature = "damage")]
    pub fn with_damaged_headers(copy: impl Fn() -> RetainedMemory, mut check: impl FnMut(OwnedFd)) {
        for word in MAGIC_WORD..=BOOT_WORDS[1] {
            let memory = copy();
            memory.area(HEADER)[word].fetch_xor(1, Ordering::Relaxed);
            check(memory.fd);
        }
    }

    /// Changes one bit of the latest snapshot, of the latest identity, of the oldest entry or of
    /// the alive stamp.
    #[cfg(feature = "damage")]
    pub fn damage(&self, part: &str) {
        let area = self.area(0..WORDS);
        let word = match part {
            "snapshot" => SNAPSHOT.start + snapshot::latest_word(&self.area(SNAPSHOT)),
            "identity" => IDENTITY.start + snapshot::latest_word(&self.area(IDENTITY)),
            "entries" => ENTRIES.start + ring::oldest_word(&self.area(ENTRIES)),
            _ => HEADER.start + ALIVE_WORD,
        };
        area[word].fetch_xor(1 << 20, Ordering::Relaxed);
    }

    /// Overwrites the snapshots or the identity with zeros: both slots, and also the words after them
    /// if `is_whole` is set.
    #[cfg(any(test, feature = "damage"))]
    pub fn erase(&self, part: &str, is_whole: bool) {
        let area = self.area(if part == "snapshot" { SNAPSHOT } else { IDENTITY });
        let words = if is_whole { &area[..] } else { snapshot::slots(&area) };
        words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Takes the memory into use: makes the writing ends and the reading ends of its parts.
    pub fn split(self) -> io::Result<Parts> {
        Ok(Parts {
            entries: ring::ring(self.area(ENTRIES)),
            snapshot: SnapshotWriter::new(self.area(SNAPSHOT)),
            snapshots: SnapshotReader::new(self.area(SNAPSHOT)),
            identity: (
                SnapshotWriter::new(self.area(IDENTITY)).0,
                SnapshotReader::new(self.area(IDENTITY)),
            ),
            alive: AliveStamp(self.area(HEADER)),
            wakeups: wake::wakeups()?,
        })
    }
}

/// Borrows the memfd, for `passed_fds::keep_fd`. The mapping remains when the memfd is closed.
impl AsFd for RetainedMemory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// The indexes and the expected values of the words that must agree before memory is adopted, in
/// addition to the magic.
fn identity(boot_id: BootId, format: u64) -> [(usize, u64); 5] {
    let [boot_low, boot_high] = BOOT_WORDS;
    // The version word has the layout and the format, too, so that an upgrade that changes only
    // these is not taken for damage of their words.
    let version = format!("{} {LAYOUT} {format}", env!("CARGO_PKG_VERSION"));
    let version = u64::from(crc32fast::hash(version.as_bytes()));
    let mut boot = ring::from_bytes(&boot_id);
    let mut boot_word = || boot.next().expect("a boot id has two words");
    [
        (LAYOUT_WORD, LAYOUT),
        (VERSION_WORD, version),
        (FORMAT_WORD, format),
        (boot_low, boot_word()),
        (boot_high, boot_word()),
    ]
}

/// Whether the version word `found` was written by another version,
/// and not by damage of the memory. A version is a checksum of 32 bits. So a word with other bits
/// is damaged, and so is 0, and a word that differs in [`FEW_BITS`] or fewer.
fn is_of_another_version(found: u64, expected: u64) -> bool {
    let is_version = u32::try_from(found).is_ok_and(|version| version != 0);
    is_version && (found ^ expected).count_ones() > FEW_BITS
}

fn left_frames(area: Area) -> LeftFrames {
    let mut left = LeftFrames::default();
    let mut reader = RingReader::new(area);
    while let Some(next) = reader.next() {
        match next {
            Ok(Frame { number, bytes }) => left.frames.push((number, bytes.to_vec())),
            Err(Damaged) => left.damaged = true,
        }
    }
    left
}

/// The alive stamp in microseconds, with a checksum. The stamp has 48 bits, which are enough for 8
/// years. Both are in one word, so that a process that is killed never leaves one without the
/// other.
fn alive_word(micros: u64) -> u64 {
    let check = u64::from(crc32fast::hash(&micros.to_le_bytes()));
    micros << ALIVE_CHECK_BITS | check & ((1 << ALIVE_CHECK_BITS) - 1)
}

/// Writes the alive stamp.
pub struct AliveStamp(Area);

impl AliveStamp {
    /// Records that the loop was alive and had decided everything up to `now`, which is rounded
    /// down to microseconds.
    pub fn set(&self, now: Instant) {
        self.0[ALIVE_WORD].store(alive_word(now.as_nanos() / 1_000), Ordering::Release);
    }
}
