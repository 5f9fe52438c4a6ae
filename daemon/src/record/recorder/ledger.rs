//! Turns the entries of the clock loop into rows of the record, without I/O.

use super::describe::{self, CommandJson, StateJson, json};
use super::notes::Notes;
use super::open_game::{GameJson, OpenGame};
use super::replay::{
    self, Replay, ReplayError, StoredInput, UnusableRecord, is_new, replay_stored,
};
use crate::game::{CommandNote, Ended, Game, GameText, Identity, NewRow, view_at};
use crate::record::store::GameChange;
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Instant};
use clockd_rt::clock::ClockReadings;
use clockd_rt::{Cause, Entry, VersionedClock, sets_game};

/// The row of one entry, and the changes in the table of games that are written together with it.
#[derive(Debug)]
pub struct Recorded {
    /// The row.
    pub row: NewRow,
    /// The changes in the table of games.
    pub changes: Vec<GameChange>,
}

impl Recorded {
    /// Whether a game begins with this row.
    pub fn begins_game(&self) -> bool {
        self.changes.iter().any(|change| matches!(change, GameChange::Begin { .. }))
    }
}

/// Makes a row of the record from each entry, and keeps what it needs of the earlier entries to
/// make the next row.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    replay: Replay,
    game: Option<OpenGame>,
    /// The number of the latest game; 0 before the first.
    last_game: u64,
    /// The notes on commands whose entries have not been read yet.
    pub notes: Notes,
    /// The number of the latest request whose command has set up a game or changed its rules, its
    /// time control or its names; 0 if there was none.
    game_request: u64,
    boot: String,
    machine: String,
    /// The names and texts of the configuration.
    configured: GameText,
    /// The names and texts of the next game that begins without a command, and whether they are
    /// those of the configuration.
    next: (GameText, bool),
    /// Whether the next entry begins a new game, although it is not a command that sets one up.
    begins: bool,
    /// The identity of the game on the clock, as an earlier process has kept it. `None` if none was
    /// kept, or once it is decided whether the game of the ledger is that game.
    kept: Option<Identity>,
}

impl Ledger {
    /// A ledger without earlier entries.
    pub fn new(boot: String, machine: String, configured: GameText) -> Ledger {
        let next = (configured.clone(), true);
        Ledger { boot, machine, configured, next, ..Ledger::default() }
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
            ended: game.ended,
            adjourned: game.adjourned,
        });
        let (replay, unusable) = replay_stored(clock, inputs);
        self.replay = replay;
        unusable.map_or(Ok(()), Err)
    }

    /// Makes the next entry begin a new game. The next entry must be the state of a new clock. The
    /// game gets the names and texts of the configuration.
    pub fn begin_next(&mut self) {
        self.begins = true;
        self.next = (self.configured.clone(), true);
    }

    /// Sets the identity of the game on the clock, as an earlier process has kept it. If this game
    /// is not on record, its names and texts are recorded with its next entry.
    pub fn go_on_with(&mut self, kept: Identity) {
        self.next = (kept.text.clone(), kept.is_configured);
        self.kept = Some(kept);
    }

    /// Makes the state `clock`, which is the next entry, begin a new game if the latest game on
    /// record is not the game that an earlier process has kept. `lost` is how many entries before
    /// that state are not on record. Returns whether it begins a new game. This is decided once, at
    /// the first state that belongs to the kept game. For the states before and after that one, the
    /// result is `false`.
    pub fn leaves_other_game(&mut self, clock: &VersionedClock, lost: u64) -> bool {
        let begins = self.kept.as_ref().and_then(|kept| kept.first_entry);
        if begins.is_some_and(|first| first > clock.entry()) {
            // The kept game begins with a later entry, so this state belongs to an earlier game.
            return false;
        }
        let is_other = self.is_other_game(clock, lost);
        self.kept = None;
        self.begins |= is_other;
        is_other
    }

    /// Whether the latest game on record is certainly not that of `clock`, which is the next entry.
    fn is_other_game(&self, clock: &VersionedClock, lost: u64) -> bool {
        let (Some(kept), Some(game)) = (&self.kept, &self.game) else { return false };
        if let Some(on_record) = self.clock() {
            if kept.first_entry.is_some_and(|first| first > on_record.entry()) {
                return true;
            }
            // If exactly one entry was lost, the state has the number of that entry. So the numbers
            // show that nothing is missing only if `lost` is not 1.
            if lost != 1 && on_record.entry() + 1 == clock.entry() {
                // No entry is between the two clocks, so their games must be equal. The rest of the
                // clocks is not compared: it changes with the configured kind of switch, and such a
                // change is not an entry.
                return on_record.game() != clock.game();
            }
        }
        game.is_other_than(kept, &self.machine)
    }

    /// Forgets the record: the next entry begins a game in another record. The names and texts of
    /// the next game that begins without a command stay.
    pub fn forget(&mut self) {
        *self = Ledger {
            boot: std::mem::take(&mut self.boot),
            machine: std::mem::take(&mut self.machine),
            configured: std::mem::take(&mut self.configured),
            next: std::mem::take(&mut self.next),
            notes: std::mem::take(&mut self.notes),
            game_request: self.game_request,
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
            self.next = (game.info.text, game.info.is_configured);
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
        self.record(number, &Entry::State { clock, lost }, clocks).ok()
    }

    /// Drops the texts of the control file and the rule file of the present game, and of the next
    /// game that begins without a command, because the record refuses them. The state of the clock
    /// still contains the time control and the rules.
    pub fn forget_file_texts(&mut self) {
        let of_game = self.game.as_mut().map(|game| &mut game.info.text);
        for text in of_game.into_iter().chain([&mut self.next.0]) {
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
        let replayed = self.replay.apply(number, entry)?;
        if let Entry::Input { before: Some(sum), .. } = entry
            && sum.comparable().is_some()
        {
            // The checksum in this entry is that of the clock before the input, and `apply` has
            // found that the clock on record has the same checksum. So the game of the ledger is
            // the game on the clock, and need not be compared with the kept identity.
            self.kept = None;
        }
        self.begins |= is_new(entry);
        let request = replay::request(entry);
        let note = request.and_then(|request| self.notes.take(request.id));
        let mut changes = Vec::new();
        let done = replayed.updates.iter().any(|update| matches!(update.cause, Cause::Command(_)));
        if let Some(request) = replayed.updates.iter().find_map(sets_game) {
            self.game_request = request;
        }
        match request {
            Some(request) if done && sets_up(&request.command) => {
                self.begin(number, note.as_ref(), &mut changes);
            }
            _ => match &mut self.game {
                Some(game) if !self.begins && !game.is_full(number) => {
                    if request.is_some_and(|request| done && changes_text(&request.command)) {
                        game.take_text(note.as_ref());
                    }
                }
                _ => self.begin(number, None, &mut changes),
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
        if let Some(game) = &mut self.game {
            game.input_bytes += input.len();
            game.follow(&replayed, &mut changes);
        }
        let (raw_ns, wall_ns) = clocks.raw_and_wall_at(at_ns);
        let row = NewRow {
            number,
            game: self.last_game,
            boot: self.boot.clone(),
            at_ns,
            raw_ns,
            wall_ns,
            kind: replay::kind(entry).to_owned(),
            input,
            events: json(&describe::events(entry, &replayed.updates)),
            command: command.map(|command| json(&command)),
            state: json(&StateJson::new(&view, replayed.after.revision)),
        };
        Ok(Recorded { row, changes })
    }

    fn begin(
        &mut self,
        first_entry: u64,
        note: Option<&CommandNote>,
        changes: &mut Vec<GameChange>,
    ) {
        if let Some(OpenGame { number, ended: None, .. }) = self.game {
            changes.push(GameChange::Ended { game: number, ended: Some(Ended::Replaced) });
        }
        self.kept = None;
        let before = self.game.take().map(|game| game.info.text);
        let is_next = std::mem::take(&mut self.begins) || note.is_none() && before.is_none();
        let (text, is_configured) = match note {
            Some(CommandNote::Given { game: Some(text), .. }) => ((**text).clone(), false),
            // The note was lost, or this game continues a game with `MAX_GAME_ENTRIES` entries. The
            // game keeps the names and texts of the game before it.
            _ if !is_next => (before.unwrap_or_default(), false),
            _ => self.next.clone(),
        };
        if let Some(from) = &text.imported_from
            && from.machine == self.machine
            && from.game <= self.last_game
        {
            changes.push(GameChange::TakenUp { game: from.game, chain: from.chain.clone() });
        }
        let (machine, result) = (self.machine.clone(), String::new());
        let clock = self.replay.clock().cloned().map(Box::new);
        let info = GameJson { machine, text, result, is_configured, clock };
        self.last_game += 1;
        changes.push(GameChange::Begin { game: self.last_game, first_entry, info: json(&info) });
        self.game = Some(OpenGame {
            number: self.last_game,
            first_entry,
            input_bytes: 0,
            info,
            ended: None,
            adjourned: false,
        });
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
        GameCommand::ChangeProfile(_)
            | GameCommand::ChangeControl { .. }
            | GameCommand::ChangeNames
    )
}
