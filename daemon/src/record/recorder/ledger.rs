//! Turns the entries of the clock loop into rows of the record, without I/O.

use super::describe::{self, CommandJson, json};
use super::noted_entry::NotedEntry;
use super::open_game::{GameJson, OpenGame};
use super::replay::{self, Replay, ReplayError, StoredInput, UnusableRecord, replay_stored};
use crate::game::{
    Ended, EntryLine, EntryNote, Game, Identity, NotedGame, random_id, sets_up, view_at,
};
use clock_dbus::RecordedState;
use clock_engine::Instant;
use clockd_rt::clock::ClockReadings;
use clockd_rt::{Entry, VersionedClock};

/// The row of one entry, and the game that begins with it.
#[derive(Debug)]
pub struct Recorded {
    /// The number of the game.
    pub game: u64,
    /// The game that begins with this row; `None` if the row belongs to the game before.
    pub begins: Option<Begin>,
    /// The row.
    pub row: EntryLine,
}

/// A game that begins on record.
#[derive(Debug)]
pub struct Begin {
    /// The identity.
    pub id: u64,
    /// The information on the game, as JSON.
    pub info: String,
    /// The adjourned game that it continues, which is then no longer adjourned.
    pub takes_up: Option<TakenUp>,
}

/// An adjourned game of this record that another game continues.
#[derive(Clone, Debug)]
pub struct TakenUp {
    /// Its number.
    pub game: u64,
    /// The chain of its last entry, in hexadecimal digits. If the game on record has another one, it is
    /// another game.
    pub chain: String,
}

/// Makes a row of the record from each entry, and keeps what it needs of the earlier entries to
/// make the next row.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub(super) replay: Replay,
    pub(super) game: Option<OpenGame>,
    /// The number of the latest game; 0 before the first.
    pub(super) last_game: u64,
    boot: String,
    pub(super) machine: String,
    /// The identity of the game to which the latest entry belongs.
    pub(super) id: u64,
    /// A game by its identity, with its names and texts: the one that an earlier process had on the clock,
    /// or the one that goes on in another file.
    pub(super) kept: Option<(u64, Identity)>,
}

impl Ledger {
    /// A ledger without earlier entries.
    pub fn new(boot: String, machine: String) -> Ledger {
        Ledger { boot, machine, ..Ledger::default() }
    }

    /// Takes over the latest game on record, and replays its inputs. If this game
    /// continues an earlier game on record, that earlier game is returned.
    ///
    /// # Errors
    ///
    /// The information on the game cannot be used, or an input cannot be used and no state follows
    /// it. After such an error the next entry must be a state of the clock, which can belong to the
    /// same game.
    pub fn load(
        &mut self,
        game: &Game,
        inputs: &[StoredInput],
    ) -> Result<Option<TakenUp>, UnusableRecord> {
        (self.last_game, self.id) = (game.game, game.id);
        let entry = game.first_entry;
        let text = |source| UnusableRecord::Text { entry, source };
        let info: GameJson = serde_json::from_str(&game.info).map_err(text)?;
        let clock = info.clock.as_deref().cloned();
        let takes_up = self.taken_up(&info.text);
        self.game = Some(OpenGame {
            id: game.id,
            first_entry: game.first_entry,
            input_bytes: inputs.iter().map(|stored| stored.input.len()).sum(),
            info,
            ended: game.ended == Some(Ended::Result),
            adjourned: game.adjourned,
            has_other_text: false,
        });
        let (replay, unusable) = replay_stored(clock, inputs);
        self.replay = replay;
        unusable.map_or(Ok(takes_up), Err)
    }

    /// Sets the names and texts of the game with the identity `id`, which an earlier process had on the
    /// clock.
    pub fn go_on_with(&mut self, id: u64, kept: Identity) {
        self.kept = Some((id, kept));
    }

    /// Begins another game with the present state of the clock, in a record whose latest game is
    /// `latest_game`. `lost` is how many of the entries before that state are not on record.
    /// Returns `None` if no state is known yet.
    pub fn begin_again(
        &mut self,
        latest_game: u64,
        lost: u64,
        clocks: &ClockReadings,
    ) -> Option<Recorded> {
        self.last_game = latest_game;
        if self.replay.clock().is_some()
            && let Some(game) = self.game.take()
        {
            let GameJson { text, is_configured, .. } = game.info;
            self.kept = Some((game.id, Identity { text, is_configured, ..Identity::default() }));
        }
        let clock = Box::new(self.replay.clock()?.clone());
        let number = clock.entry();
        self.replay = Replay::default();
        let state = NotedEntry::new(self.id, Entry::State { clock, lost });
        self.record(number, &state, clocks).ok()
    }

    /// The clock after the latest entry.
    pub fn clock(&self) -> Option<&VersionedClock> {
        self.replay.clock()
    }

    /// The number of the latest entry.
    pub fn last(&self) -> u64 {
        self.replay.last()
    }

    /// Sets the number after which the next game is numbered.
    pub fn set_last_game(&mut self, number: u64) {
        self.last_game = number;
    }

    /// The number of the latest entry before the present game; 0 if there is no game.
    pub fn entries_before(&self) -> u64 {
        self.first_entry().map_or(0, |first| first.saturating_sub(1))
    }

    /// The number of the first entry of the present game; `None` if there is no game.
    pub fn first_entry(&self) -> Option<u64> {
        self.game.as_ref().map(|game| game.first_entry)
    }

    /// The information on the present game.
    pub fn game(&self) -> Option<&GameJson> {
        self.game.as_ref().map(|game| &game.info)
    }

    /// The identity of the game to which the latest entry belongs.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Whether this entry belongs to another game than the one before it and does not begin that game.
    pub fn misses_begin(&self, noted: &NotedEntry) -> bool {
        let is_other = self.game.as_ref().is_some_and(|game| game.id != noted.game);
        is_other && !noted.is_set_up()
    }

    /// Replays an entry and makes its row.
    pub fn record(
        &mut self,
        number: u64,
        noted: &NotedEntry,
        clocks: &ClockReadings,
    ) -> Result<Recorded, ReplayError> {
        let entry = &noted.entry;
        if matches!(entry, Entry::Input { .. }) && self.misses_begin(noted) {
            return Err(ReplayError::OtherGame { number });
        }
        let replayed = self.replay.apply(number, entry)?;
        let request = replay::request(entry);
        let done = replayed.is_done();
        let given = noted.given().filter(|_| done);
        if let (Some((text, is_configured)), Some(game)) =
            (self.text_of_state(noted), &mut self.game)
        {
            game.set_text(text, is_configured);
        }
        let is_full = |game: &OpenGame| game.id != noted.game || game.is_full(number);
        let begins = if request.is_some_and(|request| done && sets_up(&request.command)) {
            let given = given.cloned();
            let NotedGame { id, text } =
                given.unwrap_or_else(|| NotedGame { id: random_id(), text: self.text_of_clock() });
            Some(self.begin(id, number, (text, false)))
        } else if self.game.as_ref().is_none_or(is_full) {
            let text = match &noted.note {
                Some(EntryNote::SetUp(text)) => ((**text).clone(), true),
                _ => self.known_text(noted.game),
            };
            Some(self.begin(noted.game, number, text))
        } else {
            if let (Some(game), Some(given)) = (&mut self.game, given) {
                // After a restart, the game goes on with what the command gave, not with the
                // configuration.
                game.set_text(given.text.clone(), false);
            }
            None
        };
        self.id = self.game.as_ref().map_or(noted.game, |game| game.id);
        let command =
            request.map(|request| CommandJson::new(&request.command, noted.command(), &replayed));
        let at_ns = match entry {
            Entry::Input { input, .. } => input.at().as_nanos(),
            Entry::State { clock, .. } => clock.last().as_nanos(),
        };
        // If the entry changed nothing, `after.view` is of an earlier instant. A running clock
        // shows less time at the instant of the entry, so the view is computed for that instant.
        let view = view_at(&replayed.after.view, Instant::from_nanos(at_ns));
        let input = json(entry);
        let change = self.game.as_mut().and_then(|game| {
            game.input_bytes += input.len();
            game.follow(&replayed)
        });
        let (raw_ns, wall_ns) = clocks.raw_and_wall_at(at_ns);
        let row = EntryLine {
            number,
            boot: self.boot.clone(),
            at_ns,
            raw_ns,
            wall_ns,
            kind: replay::kind(entry).to_owned(),
            input,
            events: json(&describe::events(entry, &replayed.updates)),
            command: command.map(|command| json(&command)),
            state: json(&RecordedState::new(&view, replayed.after.revision)),
            game: change,
        };
        Ok(Recorded { game: self.last_game, begins, row })
    }
}
