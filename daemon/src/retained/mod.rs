//! Memory that outlives the process: what the clock loop decided survives `kill -9`.
//!
//! It is a memfd that the service manager keeps (`notify::keep_fd`) and gives to the next process.
//! The clock loop writes each entry into a ring, and its latest state into a snapshot. The recorder
//! releases an entry after it has been committed to the record. So after a restart the snapshot and
//! the entries behind it are the state, and the entries that are left are those that may miss in
//! the record.
//!
//! ```text
//! header      magic, layout, version, format, boot id, alive stamp
//! snapshot    two slots of 16 KiB
//! entries     a ring of 256 KiB: clock loop → recorder
//! commands    a ring of 256 KiB: main thread → recorder
//! ```
//!
//! Everything that is read from memory of an earlier process is checked first: any content is read
//! without a panic, and what is damaged is reported as damaged.

mod kept_fds;
mod memory;
mod open;
mod ring;
mod snapshot;
#[cfg(test)]
mod tests;
mod wake;
mod words;

pub use open::{Origin, open, parse_boot_id};
pub use ring::{Damaged, Frame, RingReader, RingWriter};
#[cfg(test)]
pub use snapshot::SNAPSHOT_BYTES;
pub use snapshot::{Included, Snapshot, SnapshotWriter};
pub use wake::{Waker, Wakeups};

use clock_engine::Instant;
use memory::{Area, Memory, Ordering};
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// The words of the header, and their number.
const MAGIC_WORD: usize = 0;
const LAYOUT_WORD: usize = 1;
const VERSION_WORD: usize = 2;
const FORMAT_WORD: usize = 3;
const BOOT_WORDS: [usize; 2] = [4, 5];
/// In a cache line of its own, since the watchdog's thread writes it.
const ALIVE_WORD: usize = 8;
const HEADER: Range<usize> = 0..16;

const SNAPSHOT: Range<usize> = HEADER.end..HEADER.end + snapshot::WORDS;
const ENTRIES: Range<usize> = SNAPSHOT.end..SNAPSHOT.end + 256 * 1024 / words::BYTES;
const COMMANDS: Range<usize> = ENTRIES.end..ENTRIES.end + COMMANDS_BYTES / words::BYTES;
const WORDS: usize = COMMANDS.end;

/// The size of the ring of the commands, with its own numbers.
pub const COMMANDS_BYTES: usize = 256 * 1024;

const MAGIC: u64 = u64::from_le_bytes(*b"clockmem");
/// Changes with every change of the layout above or within its parts.
const LAYOUT: u64 = 1;

/// The kernel's boot id.
pub type BootId = [u8; 16];

/// Why memory of an earlier process is not used.
#[derive(Debug, thiserror::Error)]
pub enum NotUsable {
    #[error("it has {bytes} bytes instead of {}", WORDS * words::BYTES)]
    Size { bytes: i64 },
    #[error("its size could change, so clockd did not make it")]
    NotSealed,
    #[error("it is not memory of clockd")]
    Magic,
    #[error("its layout is {found}, and this clockd's is {LAYOUT}")]
    Layout { found: u64 },
    #[error("another version of clockd wrote it")]
    Version,
    #[error("its format is {found:#x}, and this clockd's is {expected:#x}")]
    Format { found: u64, expected: u64 },
    #[error("it was written before the machine was restarted")]
    OtherBoot,
    #[error("it cannot be mapped: {0}")]
    Io(#[from] io::Error),
}

/// The memory before it is in use.
pub struct RetainedMemory {
    fd: OwnedFd,
    memory: Arc<Memory>,
}

/// The frames that an earlier process left in a ring, oldest first.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LeftFrames {
    /// Each with its number.
    pub frames: Vec<(u64, Vec<u8>)>,
    /// Whether frames behind these may be lost, because the ring is damaged.
    pub damaged: bool,
}

/// The ends of the memory's parts, each for the thread that uses it.
pub struct Parts {
    /// Clock loop and recorder.
    pub entries: (RingWriter, RingReader),
    /// Main thread and recorder.
    pub commands: (RingWriter, RingReader),
    /// Clock loop and recorder.
    pub snapshot: (SnapshotWriter, Included),
    /// The thread that feeds the watchdog.
    pub alive: AliveStamp,
    /// Writers and reader of both rings.
    pub wakeups: (Waker, Wakeups),
}

impl RetainedMemory {
    /// New, empty memory. `format` stands for the form of everything that is put into frames and
    /// snapshots; it must change whenever this form changes.
    pub fn create(boot_id: BootId, format: u64) -> io::Result<RetainedMemory> {
        let (fd, memory) = Memory::create(WORDS)?;
        let retained = RetainedMemory { fd, memory: Arc::new(memory) };
        let header = retained.area(HEADER);
        for (word, value) in identity(boot_id, format) {
            header[word].store(value, Ordering::Relaxed);
        }
        header[MAGIC_WORD].store(MAGIC, Ordering::Release);
        Ok(retained)
    }

    /// The memory of an earlier process of the same version in the same boot.
    pub fn adopt(fd: OwnedFd, boot_id: BootId, format: u64) -> Result<RetainedMemory, NotUsable> {
        let memory = Arc::new(Memory::open(&fd, WORDS)?);
        let retained = RetainedMemory { fd, memory };
        let header = retained.area(HEADER);
        let word = |index: usize| header[index].load(Ordering::Acquire);
        if word(MAGIC_WORD) != MAGIC {
            return Err(NotUsable::Magic);
        }
        for (index, expected) in identity(boot_id, format) {
            let found = word(index);
            if found != expected {
                return Err(match index {
                    LAYOUT_WORD => NotUsable::Layout { found },
                    VERSION_WORD => NotUsable::Version,
                    FORMAT_WORD => NotUsable::Format { found, expected },
                    _ => NotUsable::OtherBoot,
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

    /// The entries that were not released. The reader of [`Parts::entries`] finds them again.
    pub fn left_entries(&self) -> LeftFrames {
        left_frames(self.area(ENTRIES))
    }

    /// The commands that were not released. The reader of [`Parts::commands`] finds them again.
    pub fn left_commands(&self) -> LeftFrames {
        left_frames(self.area(COMMANDS))
    }

    /// When the clock loop of an earlier process was last seen alive.
    pub fn last_alive(&self) -> Option<Instant> {
        let stamp = self.area(HEADER)[ALIVE_WORD].load(Ordering::Acquire);
        (stamp != 0).then(|| Instant::from_nanos(stamp))
    }

    /// Takes the memory into use.
    pub fn split(self) -> io::Result<Parts> {
        Ok(Parts {
            entries: ring::ring(self.area(ENTRIES)),
            commands: ring::ring(self.area(COMMANDS)),
            snapshot: SnapshotWriter::new(self.area(SNAPSHOT)),
            alive: AliveStamp(self.area(HEADER)),
            wakeups: wake::wakeups()?,
        })
    }
}

/// The memfd, for [`kept_fds::keep_fd`]. The memory itself does not need it any longer.
impl AsFd for RetainedMemory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// The header's words after the magic, with their values. All of them must agree.
fn identity(boot_id: BootId, format: u64) -> [(usize, u64); 5] {
    let [boot_low, boot_high] = BOOT_WORDS;
    let version = u64::from(crc32fast::hash(env!("CARGO_PKG_VERSION").as_bytes()));
    let mut boot = words::from_bytes(&boot_id);
    let mut boot_word = || boot.next().expect("a boot id has two words");
    [
        (LAYOUT_WORD, LAYOUT),
        (VERSION_WORD, version),
        (FORMAT_WORD, format),
        (boot_low, boot_word()),
        (boot_high, boot_word()),
    ]
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

/// Until when the clock loop has been alive.
pub struct AliveStamp(Area);

impl AliveStamp {
    /// The loop is alive at this instant, and has read all that had arrived.
    pub fn set(&self, now: Instant) {
        self.0[ALIVE_WORD].store(now.as_nanos(), Ordering::Release);
    }
}
