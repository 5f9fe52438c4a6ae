//! Replays the entries on a copy of the clock. This shows what each entry changed, and whether the
//! record leads to the state that the clock has.

use crate::game::{Row, Turns};
use clock_engine::rules::Game;
use clock_engine::{EarlierClock, Instant, TurnEvent, UnknownTurns};
use clockd_rt::{Cause, Checksum, Entry, Input, Request, Update, VersionedClock};

/// A clock to which the entries of the record are given in their order.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    clock: Option<VersionedClock>,
}

/// What an entry changed.
#[derive(Debug)]
pub struct Replayed {
    /// The state of the clock before the replayed entry; `None` if there was no clock yet.
    pub before: Option<Update>,
    /// The changes in their order.
    pub updates: Vec<Update>,
    /// The clock right after the entry.
    pub after: Update,
}

/// An entry on record, reduced to what a replay needs.
#[derive(Clone, Debug)]
pub struct StoredInput {
    /// The number of the entry.
    pub number: u64,
    /// The JSON of the [`Entry`].
    pub input: String,
}

/// Why a game on record cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum UnusableRecord {
    /// A text in the record is not in the form that this version writes.
    #[error("entry {entry}: {source}")]
    Text {
        /// The entry.
        entry: u64,
        /// What is wrong with the text.
        source: serde_json::Error,
    },
    /// The entries cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Replayed {
    /// Whether the entry is a command that was carried out.
    pub fn is_done(&self) -> bool {
        self.updates.iter().any(|update| matches!(update.cause, Cause::Command(..)))
    }

    /// Whether the entry is a command that was refused.
    pub fn is_refused(&self) -> bool {
        self.updates.iter().any(|update| matches!(update.answer, Some((_, Err(_)))))
    }
}

/// Why an entry cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is no state to start from.
    #[error("entry {number} is not preceded by a state of the clock")]
    NoState {
        /// The entry.
        number: u64,
    },
    /// An entry is missing, or comes twice.
    #[error("entry {number} follows entry {last}")]
    Gap {
        /// The entry.
        number: u64,
        /// The number of the entry before.
        last: u64,
    },
    /// The entry belongs to another game than the one before it, and does not begin that game.
    #[error("entry {number} is of a game whose beginning is missing")]
    OtherGame {
        /// The entry.
        number: u64,
    },
    /// The clock that wrote the entry had another state than the replay. This is found only if this
    /// version encodes the state as the version that wrote the entry did.
    #[error("entry {number} was written by a clock whose state differs from that of the record")]
    Mismatch {
        /// The entry.
        number: u64,
    },
}

impl Replay {
    /// A replay that continues from this clock.
    pub fn of(clock: Option<VersionedClock>) -> Replay {
        Replay { clock }
    }

    /// The clock after the latest entry; `None` before the first state.
    pub fn clock(&self) -> Option<&VersionedClock> {
        self.clock.as_ref()
    }

    /// The number of the latest entry; 0 before the first.
    pub fn last(&self) -> u64 {
        self.clock.as_ref().map_or(0, VersionedClock::entry)
    }

    /// Replays the entry with this number.
    ///
    /// # Errors
    ///
    /// The entry cannot follow the latest replayed entry: there is no state to start from, an entry
    /// is missing or comes twice, or the clock that wrote the entry had another state. After an
    /// error the replay is unchanged.
    pub fn apply(&mut self, number: u64, entry: &Entry) -> Result<Replayed, ReplayError> {
        let before = self.clock.as_ref().map(|clock| clock.update(Cause::Started, clock.last()));
        match entry {
            Entry::State { clock, .. } => {
                if number <= self.last() {
                    return Err(ReplayError::Gap { number, last: self.last() });
                }
                let after = clock.update(Cause::Started, clock.last());
                self.clock = Some((**clock).clone());
                Ok(Replayed { before, updates: Vec::new(), after })
            }
            Entry::Input { input, before: sum } => {
                let clock = self.clock.as_mut().ok_or(ReplayError::NoState { number })?;
                let last = clock.entry();
                if number != last + 1 {
                    return Err(ReplayError::Gap { number, last });
                }
                let sum = sum.and_then(Checksum::comparable);
                if sum.is_some_and(|sum| checksum(clock) != Some(sum)) {
                    return Err(ReplayError::Mismatch { number });
                }
                let mut updates = Vec::new();
                clock.handle(input, &mut |update: Update| updates.push(update));
                let after = clock.update(Cause::Started, clock.last());
                Ok(Replayed { before, updates, after })
            }
        }
    }
}

/// Replays the entries of a game on record. `clock` is the clock right after the first of `inputs`.
/// Also returns the first error that occurred after the latest state, if there was one.
pub fn replay_stored(
    clock: Option<VersionedClock>,
    inputs: &[StoredInput],
) -> (Replay, Option<UnusableRecord>) {
    let mut replay = Replay::of(clock);
    let mut unusable = None;
    for stored in inputs.iter().skip(1) {
        let number = stored.number;
        let text = |source| UnusableRecord::Text { entry: number, source };
        let entry = serde_json::from_str(&stored.input).map_err(text);
        let applied = entry.and_then(|entry| {
            // A state replaces the clock, so a replay can continue here after an error.
            let is_state = matches!(entry, Entry::State { .. });
            replay.apply(number, &entry)?;
            Ok(is_state)
        });
        match applied {
            Ok(true) => unusable = None,
            Ok(false) => {}
            Err(error) => {
                replay = Replay::default();
                unusable.get_or_insert(error);
            }
        }
    }
    (replay, unusable)
}

/// Returns the clock as it was right after the entry with the number `entry`, with its instants on
/// CLOCK_MONOTONIC of this boot. The time between that entry and a later power cut is not charged.
///
/// `clock` is the clock right after the first entry of the game, and `rows` are all rows of the
/// game. Returns `None` if there is no such entry, or if the entries cannot be replayed.
pub fn clock_after(
    clock: VersionedClock,
    rows: &mut dyn Iterator<Item = Row>,
    entry: u64,
) -> Option<EarlierClock> {
    let mut replay = Replay::of(Some(clock));
    let mut found: Option<EarlierClock> = None;
    for (index, Row { row, .. }) in rows.enumerate() {
        // `clock` already includes the first entry, so that entry is not replayed.
        if index > 0 {
            let given = serde_json::from_str(&row.input).ok()?;
            replay.apply(row.number, &given).ok()?;
            // The instants of the clock are moved to the new boot. The time up to the power cut is
            // not charged.
            if let (Some(clock), Entry::Input { input: Input::PowerCut { stopped, at, .. }, .. }) =
                (&mut found, &given)
            {
                clock.handle_power_cut(*stopped, *at);
            }
        }
        if row.number == entry {
            found = replay.clock().map(|clock| EarlierClock::from(clock.game()));
        }
    }
    found
}

/// Returns the game as it was right after its entry with the number `entry`. Its instants are on
/// CLOCK_MONOTONIC of the boot of that entry. If a clock runs, it is charged up to the instant of
/// the entry.
///
/// `clock` is the clock right after the first entry of the game, and `rows` are its rows from the
/// first one on. Returns `None` if there is no such entry, or if the entries since the latest state
/// before it cannot be replayed.
pub fn game_after(
    clock: VersionedClock,
    rows: &mut dyn Iterator<Item = Row>,
    entry: u64,
) -> Option<Game> {
    let mut replay = Replay::of(Some(clock));
    let row = rows.enumerate().find_map(|(index, Row { row, .. })| {
        // `clock` already includes the first entry, so that entry is not replayed.
        if index > 0 {
            let given = serde_json::from_str(&row.input).ok();
            let applied = given.and_then(|given| replay.apply(row.number, &given).ok());
            if applied.is_none() {
                // A state replaces the clock, so the replay can begin anew with the next state.
                replay = Replay::default();
            }
        }
        (row.number == entry).then_some(row)
    })?;
    let mut game = *replay.clock()?.game();
    let at = Instant::from_nanos(row.at_ns);
    if at > game.last() {
        game.handle_timeout(at).ok()?;
    }
    Some(game)
}

/// The turns of a game up to its entry with the number `entry`, or up to its last one if that is
/// earlier.
///
/// `clock` is the clock right after the first entry of the game, and `rows` are its rows from the
/// first one on. Returns `None` if there is no row, or if the last of them cannot be replayed.
pub fn turns(
    clock: VersionedClock,
    rows: &mut dyn Iterator<Item = Row>,
    entry: u64,
) -> Option<Turns> {
    let first: Entry = serde_json::from_str(&rows.next()?.row.input).ok()?;
    let game = *clock.game();
    let mut turns = Turns::begin(game, begin_events(&first, &game));
    let mut replay = Replay::of(Some(clock));
    for Row { row, .. } in rows.take_while(|row| row.row.number <= entry) {
        let given: Option<Entry> = serde_json::from_str(&row.input).ok();
        let replayed = given.as_ref().and_then(|given| replay.apply(row.number, given).ok());
        let (Some(given), Some(replayed)) = (given, replayed) else {
            // A state replaces the clock, so the replay can begin anew with the next state.
            replay = Replay::default();
            continue;
        };
        let after = replay.clock()?.game();
        match given {
            Entry::State { .. } => turns.add_gap(after),
            Entry::Input { input, .. } => {
                let until = match input {
                    Input::PowerCut { stopped, .. } => stopped,
                    _ => after.last(),
                };
                let command = match &input {
                    Input::Request(request) if !replayed.is_refused() => Some(&request.command),
                    _ => None,
                };
                turns.add(command, after, until);
            }
        }
    }
    replay.clock().map(|_| turns)
}

/// The events of the first entry of a game.
fn begin_events(first: &Entry, game: &Game) -> Vec<TurnEvent> {
    match (first, request(first)) {
        (Entry::State { clock, .. }, _) if clock.is_new() => vec![TurnEvent::Begun],
        (_, Some(Request { command, .. })) => {
            game.turn_events(Some(command), game, game.last()).into_iter().collect()
        }
        _ => vec![TurnEvent::Unknown(UnknownTurns::Lost)],
    }
}

/// The checksum of a clock's state. The clock loop computes the same checksum over each snapshot
/// that it stores.
pub fn checksum(clock: &VersionedClock) -> Option<u32> {
    let mut buffer = [0; clockd_rt::MAX_ENTRY];
    let written = postcard::to_slice(clock, &mut buffer).ok()?;
    Some(crc32fast::hash(written))
}

/// The word in the record for the kind of an entry.
pub fn kind(entry: &Entry) -> &'static str {
    let Entry::Input { input, .. } = entry else { return "state" };
    match input {
        Input::Press(clockd_core::Button::Call, _) => "call",
        Input::Press(..) => "press",
        Input::Hold(..) => "hold",
        Input::HeldTogether { .. } => "held-together",
        Input::Request(_) => "command",
        Input::BoardGone(..) => "board-gone",
        Input::BoardBack { .. } => "board-back",
        Input::Time(_) => "time",
        Input::Restarted { .. } => "restarted",
        Input::PowerCut { .. } => "power-cut",
        Input::RockerFound { .. } => "rocker",
        Input::WrongCode(_) => "wrong-code",
    }
}

/// The command of an entry; `None` if the entry is no command.
pub fn request(entry: &Entry) -> Option<&Request> {
    match entry {
        Entry::Input { input: Input::Request(request), .. } => Some(request),
        _ => None,
    }
}

/// Whether this is the state of a clock to which nothing has happened yet. Such a state begins a
/// new game even if the process that set up the clock was killed before it could open the record.
pub fn is_new(entry: &Entry) -> bool {
    matches!(entry, Entry::State { clock, .. } if clock.is_new())
}
