//! The rows of the record: entries and games, as texts and numbers.

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// The kind of an entry that holds the whole clock.
pub const STATE: &str = "state";

/// One entry that is to be appended: an input of the clock and what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRow {
    /// The number of the entry. Numbers are consecutive for ever, over all games. Only before an
    /// entry of the kind `state` can some be missing, which were lost.
    pub number: u64,
    /// The game, which must be the latest.
    pub game: u64,
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    pub boot: String,
    /// When the input happened: CLOCK_MONOTONIC of that boot, in nanoseconds.
    pub at_ns: u64,
    /// The same instant on CLOCK_MONOTONIC_RAW.
    pub raw_ns: u64,
    /// The same instant on the wall clock, if there is one.
    pub wall_ns: Option<i64>,
    /// One word, such as `press` or `command`.
    pub kind: String,
    /// The input, as JSON.
    pub input: String,
    /// What happened because of it, as a JSON array.
    pub events: String,
    /// Who gave which command and why, as JSON.
    pub command: Option<String>,
    /// The state after it, as JSON.
    pub state: String,
}

impl NewRow {
    /// Whether it holds the whole clock. Entries before it can be missing, because it does not
    /// depend on them.
    pub fn is_state(&self) -> bool {
        self.kind == STATE
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With a result.
    Result,
    /// Another game was begun.
    Replaced,
}

impl Ended {
    /// The word in the table of the games.
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
    /// What was appended.
    pub row: NewRow,
    /// The digest that ties it to the entry before.
    pub chain: Digest,
}

/// One game, as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number.
    pub game: u64,
    /// Its first entry.
    pub first_entry: u64,
    /// How many entries it has.
    pub entries: u64,
    /// The wall time of its first entry, if there was one.
    pub started_wall_ns: Option<i64>,
    /// Its information, as JSON.
    pub info: String,
    /// How it ended.
    pub ended: Option<Ended>,
    /// Whether it is adjourned.
    pub adjourned: bool,
    /// The chain before its first entry.
    pub chain_before: Digest,
}
