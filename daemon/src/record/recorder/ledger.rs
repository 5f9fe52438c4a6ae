//! Turns the entries of the clock loop into rows of the record, without I/O.

use super::describe::{self, CommandJson, json};
use super::notes::Notes;
use super::open_game::{GameJson, OpenGame};
use super::replay::{
    self, Replay, ReplayError, StoredInput, UnusableRecord, is_new, replay_stored,
};
use crate::game::{CommandNote, Ended, EntryLine, Game, GameText, Identity, view_at};
use clock_dbus::RecordedState;
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Instant};
use clockd_rt::clock::ClockReadings;
use clockd_rt::{Cause, Entry, VersionedClock, sets_game};

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

impl Recorded {
    /// The information on the game that the row says; `None` if it says none.
    pub fn info(&self) -> Option<&str> {
        let of_change = || self.row.game.as_ref()?.info.as_deref();
        self.begins.as_ref().map(|begins| &*begins.info).or_else(of_change)
    }
}

/// A game that begins on record.
#[derive(Debug)]
pub struct Begin {
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
    /// The notes whose entries have not been read yet.
    pub notes: Notes,
    /// The number of the latest request whose command has set up a game or changed its rules, its
    /// time control or its names; 0 if there was none.
    game_request: u64,
    boot: String,
    pub(super) machine: String,
    /// The names and texts of the next game that begins without a note, and whether they are those
    /// of a configuration; `None` if they are not known.
    pub(super) next: Option<(GameText, bool)>,
    /// Whether the next entry begins a new game, although it is not a command that sets one up.
    pub(super) begins: bool,
    /// The identity of the game on the clock, as an earlier process has kept it. Entries of games
    /// before it can still have to be recorded. `None` if none was kept, or once it is decided
    /// whether the game of the ledger is that game.
    pub(super) kept: Option<Identity>,
}

impl Ledger {
    /// A ledger without earlier entries.
    pub fn new(boot: String, machine: String) -> Ledger {
        Ledger { boot, machine, ..Ledger::default() }
    }

    /// Takes over the latest game on record, and replays its inputs.
    ///
    /// # Errors
    ///
    /// The information on the game cannot be used, or an input cannot be used and no state follows
    /// it. After such an error the next entry must be a state of the clock, which can belong to the
    /// same game.
    pub fn load(&mut self, game: &Game, inputs: &[StoredInput]) -> Result<(), UnusableRecord> {
        self.last_game = game.game;
        let entry = game.first_entry;
        let text = |source| UnusableRecord::Text { entry, source };
        let info: GameJson = serde_json::from_str(&game.info).map_err(text)?;
        let clock = info.clock.as_deref().cloned();
        self.game = Some(OpenGame {
            number: game.game,
            first_entry: game.first_entry,
            input_bytes: inputs.iter().map(|stored| stored.input.len()).sum(),
            info,
            ended: game.ended == Some(Ended::Result),
            is_rewritten: false,
            adjourned: game.adjourned,
        });
        let (replay, unusable) = replay_stored(clock, inputs);
        self.replay = replay;
        unusable.map_or(Ok(()), Err)
    }

    /// Sets the identity of the game on the clock, as an earlier process has kept it. If this game
    /// is not on record, its names and texts are recorded with its next entry.
    pub fn go_on_with(&mut self, kept: Identity) {
        self.kept = Some(kept);
    }

    /// Forgets the record: the next entry begins a game in another record. The names and texts of
    /// the next game that begins without a note stay.
    pub fn forget(&mut self) {
        *self = Ledger {
            boot: std::mem::take(&mut self.boot),
            machine: std::mem::take(&mut self.machine),
            next: self.next.take(),
            kept: self.kept.take(),
            notes: std::mem::take(&mut self.notes),
            game_request: self.game_request,
            begins: true,
            ..Ledger::default()
        };
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
            self.next = Some((game.info.text, game.info.is_configured));
            self.begins = true;
        }
        self.record_state(lost, clocks)
    }

    /// Makes a row of the present state of the clock, with the number of the latest entry. `lost`
    /// is how many of the entries before that state are not on record. Returns `None` if no state
    /// is known yet.
    pub fn record_state(&mut self, lost: u64, clocks: &ClockReadings) -> Option<Recorded> {
        let clock = Box::new(self.replay.clock()?.clone());
        let number = clock.entry();
        self.replay = Replay::default();
        if let Some(game) = &mut self.game {
            game.is_rewritten = true;
        }
        // The state of a clock to which nothing has happened begins a game, which is the same game.
        let of_game = self.game.as_ref().map(|game| &game.info);
        let same = of_game.map(|info| (info.text.clone(), info.is_configured));
        self.next = same.or(self.next.take());
        let recorded = self.record(number, &Entry::State { clock, lost }, clocks).ok();
        self.next = None;
        recorded
    }

    /// Drops the texts of the control file and the rule file of the present game, and of the next
    /// game that begins without a command, because the record refuses them. The state of the clock
    /// still contains the time control and the rules.
    pub fn forget_file_texts(&mut self) {
        let of_game = self.game.as_mut().map(|game| &mut game.info.text);
        let of_next = self.next.as_mut().map(|(text, _)| text);
        for text in of_game.into_iter().chain(of_next) {
            text.control_text.clear();
            text.rules_text.clear();
        }
    }

    /// The clock after the latest entry.
    pub fn clock(&self) -> Option<&VersionedClock> {
        self.replay.clock()
    }

    /// The number of the latest entry.
    pub fn last(&self) -> u64 {
        self.replay.last()
    }

    /// The number of the latest game; 0 if there is none.
    pub fn last_game(&self) -> u64 {
        self.last_game
    }

    /// Sets the number after which the next game is numbered.
    pub fn set_last_game(&mut self, number: u64) {
        self.last_game = number;
    }

    /// The number of the first entry of the present game; `None` if there is no game.
    pub fn first_entry(&self) -> Option<u64> {
        self.game.as_ref().map(|game| game.first_entry)
    }

    /// The information on the present game.
    pub fn game(&self) -> Option<&GameJson> {
        self.game.as_ref().map(|game| &game.info)
    }

    /// The number of the latest request whose command has set up a game or changed its rules or its
    /// time control; 0 if there was none.
    pub fn game_request(&self) -> u64 {
        self.game_request
    }

    /// Replays an entry and makes its row.
    pub fn record(
        &mut self,
        number: u64,
        entry: &Entry,
        clocks: &ClockReadings,
    ) -> Result<Recorded, ReplayError> {
        let set_up = self.latest_set_up(number);
        let begins_new = is_new(entry) && !self.is_same_as(entry);
        let replayed = self.replay.apply(number, entry)?;
        if let Entry::Input { before: Some(sum), .. } = entry
            && sum.comparable().is_some()
        {
            // The checksum in this entry is that of the clock before the input, and `apply` has
            // found that the clock on record has the same checksum. So the game of the ledger is
            // the game on the clock, and need not be compared with the kept identity.
            self.take_kept(number);
        }
        let set_up = self.take_set_up(set_up, number);
        self.begins |= begins_new || set_up.is_some();
        let request = replay::request(entry);
        let note = request.and_then(|request| self.notes.take(request.id));
        let mut begins = None;
        let done = replayed.updates.iter().any(|update| matches!(update.cause, Cause::Command(..)));
        if let Some(request) = replayed.updates.iter().find_map(sets_game) {
            self.game_request = request;
        }
        match request {
            Some(request) if done && sets_up(&request.command) => {
                let is_kept = self.kept.as_ref().is_some_and(|it| it.first_entry == Some(number));
                let text = match note.as_ref() {
                    Some(CommandNote::Given { game: Some(text), .. }) => Some((**text).clone()),
                    // The note was lost, and the names of the game before do not belong to this game.
                    _ => (!is_kept).then(|| self.text_of_clock()),
                };
                self.begins = true;
                begins = Some(self.begin(number, text.map(|text| (text, false))));
            }
            _ => match &mut self.game {
                Some(game) if !self.begins && !game.is_full(number) => {
                    if request.is_some_and(|request| done && changes_text(&request.command)) {
                        game.take_text(note.as_ref());
                    }
                }
                _ => begins = Some(self.begin(number, set_up.map(|text| (text, true)))),
            },
        }
        let command =
            request.map(|request| CommandJson::new(&request.command, note.as_ref(), &replayed));
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

fn sets_up(command: &GameCommand) -> bool {
    matches!(
        command,
        GameCommand::New(_)
            | GameCommand::NewExchanged(_)
            | GameCommand::Import { .. }
            | GameCommand::Clock(Command::New { .. })
    )
}

/// Whether the command gives the present game other names or texts.
fn changes_text(command: &GameCommand) -> bool {
    matches!(
        command,
        GameCommand::SetRules(_) | GameCommand::ChangeTimeControl { .. } | GameCommand::SetNames
    )
}
