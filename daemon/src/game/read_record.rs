//! The interface through which the record is read, and what it reads: entries and games. A long read is made in pages, so that something
//! more urgent can be read between two of them.

use super::info::GameText;
use super::turns::Turns;
use clock_engine::{EarlierClock, rules};
pub use clock_record::EntryLine;
use clock_record::{Digest, RecordError, Summary};
use std::error::Error;

/// Why the record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The storage has failed, or the record is damaged.
    #[error(transparent)]
    Storage(Box<dyn Error + Send + Sync>),
    /// The contents of the record are not in the form that this version writes.
    #[error("the record cannot be read: {0}")]
    Malformed(String),
    /// The entries of a game cannot be replayed.
    #[error("the record cannot be replayed: {0}")]
    Replay(String),
    /// The caller does not wait for the answer any more, so the read was ended between two pages.
    #[error("the caller does not wait for the answer any more")]
    GivenUp,
}

/// The largest number of entries on one page.
pub const PAGE: usize = 200;

/// What is done between two pages of a long read.
pub trait BetweenPages {
    /// Is called before each page. It may use `record` for other reads.
    ///
    /// # Errors
    ///
    /// [`ReadError::GivenUp`] if nobody waits for the answer any more. The read then ends.
    fn before_page(&mut self, record: &mut dyn ReadRecord) -> Result<(), ReadError>;
}

/// Reads the record. An argument `game` is the number of a game; 0 stands for the latest one.
pub trait ReadRecord: Send + 'static {
    /// Returns up to `count` games, the newest first. If `before` is not 0, only games with a lower
    /// number than `before` are returned.
    fn games(&mut self, before: u64, count: usize) -> Result<Vec<Game>, ReadError>;
    /// Returns a game, or `None` if it is not on record.
    fn game(&mut self, game: u64) -> Result<Option<Game>, ReadError>;
    /// Returns up to `count` entries of a game, from the entry `first` on. The result is empty if
    /// there are none.
    fn entries(&mut self, game: u64, first: u64, count: usize) -> Result<Vec<Row>, ReadError>;
    /// Returns the clock of the latest game as it was right after the entry with the number
    /// `entry`, or `None` if that game has no such entry.
    fn clock_after(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<EarlierClock>, ReadError>;
    /// Returns a game as it was right after its entry with the number `entry`, or after its last
    /// entry if `entry` is 0. Returns `None` if there is no such game or no such entry.
    fn game_after(
        &mut self,
        game: u64,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<rules::Game>, ReadError>;
    /// Returns the turns of the latest game up to the entry with the number `entry`, or up to its
    /// last entry if that is earlier. Returns `None` if there is no game.
    fn turns(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<Turns>, ReadError>;
}

/// The entries of a game, from its first one on. Only one page of them is in memory at a time.
///
/// The iteration also ends at an error, which [`Entries::end`] returns.
pub struct Entries<'a> {
    record: &'a mut dyn ReadRecord,
    between: &'a mut dyn BetweenPages,
    game: u64,
    /// The number of the first entry of the next page.
    next: u64,
    page: std::vec::IntoIter<Row>,
    failed: Option<ReadError>,
}

impl<'a> Entries<'a> {
    /// The entries of this game.
    pub fn of(
        record: &'a mut dyn ReadRecord,
        between: &'a mut dyn BetweenPages,
        game: &Game,
    ) -> Entries<'a> {
        let (page, failed) = (Vec::new().into_iter(), None);
        Entries { record, between, game: game.game, next: game.first_entry, page, failed }
    }

    /// Must be called after the iteration.
    ///
    /// # Errors
    ///
    /// The error at which the iteration has ended.
    pub fn end(self) -> Result<(), ReadError> {
        self.failed.map_or(Ok(()), Err)
    }

    fn read_page(&mut self) -> Result<Vec<Row>, ReadError> {
        self.between.before_page(self.record)?;
        self.record.entries(self.game, self.next, PAGE)
    }
}

impl Iterator for Entries<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.page.len() == 0 && self.failed.is_none() {
            match self.read_page() {
                Ok(rows) => self.page = rows.into_iter(),
                Err(error) => self.failed = Some(error),
            }
        }
        let row = self.page.next()?;
        self.next = row.row.number + 1;
        Some(row)
    }
}

/// How a game ended in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The game has a result.
    Result,
    /// Another game was begun before the game had a result.
    Replaced,
}

impl Ended {
    /// The word in the interface `History`.
    pub fn as_str(self) -> &'static str {
        match self {
            Ended::Result => "result",
            Ended::Replaced => "replaced",
        }
    }
}

/// One entry, as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the game.
    pub game: u64,
    /// What was appended.
    pub row: EntryLine,
    /// The digest of this entry and of the `chain` of the entry before it.
    pub chain: Digest,
}

/// One game, as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the game.
    pub game: u64,
    /// The identity of the game.
    pub id: u64,
    /// The number of the first entry of the game.
    pub first_entry: u64,
    /// How many numbers its entries take, from the first to the last one.
    pub entries: u64,
    /// The wall time of the first entry; `None` if it is not known.
    pub started_wall_ns: Option<i64>,
    /// The names, the texts, the result of the game, and the clock right after its first entry, as
    /// JSON.
    pub info: String,
    /// How the game ended; `None` if it has not ended.
    pub ended: Option<Ended>,
    /// Whether the game is adjourned.
    pub adjourned: bool,
    /// The `chain` of the last entry before this game; 32 zero bytes for the first game.
    pub chain_before: Digest,
    /// Why not all of its file can be read; `None` if all of it can. The values above are then those before
    /// the damage.
    pub damage: Option<String>,
}

impl Game {
    /// The game of this file, of which a part may be damaged. `latest` is the number of the latest game on
    /// record.
    pub fn of(summary: Summary, damage: Option<&RecordError>, latest: u64) -> Game {
        let summary_is_empty = summary.entries == 0;
        let Summary { game, last_entry, started_wall_ns, ended, adjourned, .. } = summary;
        let ended = match (ended, game.number < latest) {
            (true, _) => Some(Ended::Result),
            (false, true) => Some(Ended::Replaced),
            (false, false) => None,
        };
        Game {
            game: game.number,
            id: game.id,
            first_entry: game.first_entry.max(1),
            entries: (last_entry + 1).saturating_sub(game.first_entry.max(1)),
            started_wall_ns,
            info: if summary_is_empty { without_info() } else { game.info },
            ended,
            adjourned,
            chain_before: game.before,
            damage: damage.map(ToString::to_string),
        }
    }
}

/// The information on a game of which nothing can be read.
fn without_info() -> String {
    let mut info = serde_json::to_value(GameText::default()).unwrap_or_default();
    for key in ["machine", "result"] {
        info[key] = "".into();
    }
    info.to_string()
}
