//! The rows of the record: entries and games, as texts and numbers.

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// The kind of an entry that holds the complete state of the clock.
pub const STATE: &str = "state";

/// An entry that is to be appended: an input of the clock and its consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRow {
    /// The number of the entry. Numbers are consecutive over all games. Entries can be missing only
    /// right before an entry of the kind `state`.
    pub number: u64,
    /// The number of the game. It must be the latest game of the record.
    pub game: u64,
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    pub boot: String,
    /// When the input happened: CLOCK_MONOTONIC of the boot `boot`, in nanoseconds.
    pub at_ns: u64,
    /// The instant of the input on CLOCK_MONOTONIC_RAW, in nanoseconds.
    pub raw_ns: u64,
    /// The instant of the input on CLOCK_REALTIME, in nanoseconds since 1970; `None` if the wall
    /// clock had not been set.
    pub wall_ns: Option<i64>,
    /// The kind of the entry: one word, such as `press` or `command`.
    pub kind: String,
    /// The input, as JSON.
    pub input: String,
    /// The changes that the input caused, as a JSON array.
    pub events: String,
    /// Who gave which command and why, as JSON; `None` if the input is not a command.
    pub command: Option<String>,
    /// The state after the entry, as JSON.
    pub state: String,
}

impl NewRow {
    /// Whether the entry holds the complete state of the clock. Entries before it can be missing,
    /// because such an entry does not depend on them.
    pub fn is_state(&self) -> bool {
        self.kind == STATE
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
    /// The word in the table of games.
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
    /// The digest of this entry and of the `chain` of the entry before it.
    pub chain: Digest,
}

/// One game, as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the game.
    pub game: u64,
    /// The number of the first entry of the game.
    pub first_entry: u64,
    /// How many entries the game has.
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
}
