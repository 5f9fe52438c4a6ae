//! Turns the entries of the clock loop into rows of the record, without I/O.

use super::describe::{self, StateJson};
use super::replay::{self, Replay, ReplayError, Replayed};
use crate::clock::ClockReadings;
use crate::game::{CommandNote, Ended, Game, GameText, Identity, NewRow, refusal, report, view_at};
use crate::record::store::{GameChange, MAX_TEXT};
use crate::rt::{Cause, Entry, Update, VersionedClock, name_of_command, sets_game};
use clock_controls::FILE_LIMIT;
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Instant, Outcome, Phase};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// If a game has more entries than this, it is continued in the record as another game with the
/// same names. A real game has some hundreds of entries; only a program that sends commands without
/// end reaches this limit.
pub const MAX_GAME_ENTRIES: u64 = 20_000;

/// JSON writes a control character of one byte as six bytes, such as `\u0001`.
const JSON_ESCAPE: usize = 6;
/// Room for the names of a game, and for the reference to the game from which it was imported. Each
/// text has 255 bytes at most.
const NAMES: usize = 4 * 1024;
/// Room for the whole clock as JSON. A test checks that a new clock needs less than a quarter of
/// it.
pub const MAX_CLOCK_JSON: usize = 128 * 1024;
/// The size of the largest [`GameJson`] in bytes, with a control file and a rule file of the
/// largest size.
const MAX_GAME_JSON: usize = (2 * FILE_LIMIT + NAMES) * JSON_ESCAPE + MAX_CLOCK_JSON;
const _: () = assert!(MAX_GAME_JSON <= MAX_TEXT, "the record refuses the longest texts of a game");

/// The information on a game that the record stores, as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameJson {
    /// The machine (`/etc/machine-id`).
    pub machine: String,
    /// The names of the game, and the texts of its control file and rule file.
    #[serde(flatten)]
    pub text: GameText,
    /// The result, or empty.
    pub result: String,
    /// Whether the game was set up from the configuration, and not by a command.
    pub is_configured: bool,
    /// The whole clock right after the first entry of the game.
    pub clock: Option<Box<VersionedClock>>,
}

/// The game to which the next entry belongs.
#[derive(Clone, Debug)]
struct OpenGame {
    number: u64,
    first_entry: u64,
    info: GameJson,
    ended: Option<Ended>,
    adjourned: bool,
}

/// An entry on record, reduced to what a replay needs.
#[derive(Clone, Debug)]
pub struct StoredInput {
    /// The number of the entry.
    pub number: u64,
    /// The boot in which the entry was made.
    pub boot: String,
    /// The instant of the input or state: CLOCK_MONOTONIC of that boot, in nanoseconds.
    pub at_ns: u64,
    /// The JSON of the [`Entry`].
    pub input: String,
}

impl From<NewRow> for StoredInput {
    fn from(row: NewRow) -> StoredInput {
        let NewRow { number, boot, at_ns, input, .. } = row;
        StoredInput { number, boot, at_ns, input }
    }
}

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
    notes: BTreeMap<u64, CommandNote>,
    /// The number of the latest request whose command has set up a game or changed its rules or its
    /// time control; 0 if there was none.
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
        let mut replay = Replay::of(info.clock.as_deref().cloned());
        self.game = Some(OpenGame {
            number: game.game,
            first_entry: game.first_entry,
            info,
            ended: game.ended,
            adjourned: game.adjourned,
        });
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
    /// record is not the game that an earlier process has kept. Returns whether it begins a new
    /// game for this reason. After the first call, this always returns `false`.
    pub fn leaves_other_game(&mut self, clock: &VersionedClock) -> bool {
        let is_other = self.is_other_game(clock);
        self.kept = None;
        self.begins |= is_other;
        is_other
    }

    /// Whether the latest game on record is certainly not that of `clock`, which is the next entry.
    fn is_other_game(&self, clock: &VersionedClock) -> bool {
        let (Some(kept), Some(game)) = (&self.kept, &self.game) else { return false };
        if let Some(on_record) = self.clock()
            && on_record.entry() + 1 == clock.entry()
        {
            // No entry is between the two clocks, so their games must be equal. The other fields of
            // the clocks are not compared: they also change when the configured kind of switch is
            // changed, and such a change makes no entry.
            return on_record.game() != clock.game();
        }
        let machines = [&game.info.machine, &self.machine];
        let is_known = kept.text != GameText::default();
        kept.number.is_some_and(|number| number != game.number)
            // A machine without a stored id has another id after each start. If the number of the
            // game is known, it decides without the id.
            || kept.number.is_none()
                && machines[0] != machines[1]
                && !machines.iter().any(|machine| machine.is_empty())
            || is_known && !kept.is_of_game(&game.info.text)
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

    /// Keeps a note until the entry of its command is read. If `note` says who the caller is, it
    /// completes the earlier note of that command. If `note` says that the command was not sent,
    /// the earlier note is removed.
    pub fn note(&mut self, note: CommandNote) {
        match note {
            CommandNote::Given { request, .. } => {
                self.notes.insert(request, note);
            }
            CommandNote::Caller { request, uid: known, capacity: of } => {
                if let Some(CommandNote::Given { uid, caller_pending, capacity, .. }) =
                    self.notes.get_mut(&request)
                {
                    (*uid, *caller_pending, *capacity) = (known, false, of);
                }
            }
            CommandNote::Withdrawn { request } => {
                self.notes.remove(&request);
            }
        }
    }

    /// Whether this entry is a command whose caller is not known yet.
    pub fn awaits_caller(&self, entry: &Entry) -> bool {
        let note = replay::request(entry).and_then(|request| self.notes.get(&request.id));
        matches!(note, Some(CommandNote::Given { caller_pending: true, .. }))
    }

    /// The number of the latest request whose command has set up a game or changed its rules or its
    /// time control; 0 if there was none.
    pub fn game_request(&self) -> u64 {
        self.game_request
    }

    /// Whether no note waits for the entry of its command.
    pub fn has_no_notes(&self) -> bool {
        self.notes.is_empty()
    }

    /// Replays an entry and makes its row.
    pub fn record(
        &mut self,
        number: u64,
        entry: &Entry,
        clocks: &ClockReadings,
    ) -> Result<Recorded, ReplayError> {
        let replayed = self.replay.apply(number, entry)?;
        if let Entry::Input { before: Some(_), .. } = entry {
            // The checksum in this entry is that of the clock before the input. `apply` has found
            // that the clock on record has the same checksum. So the game of the ledger is the game
            // on the clock.
            self.kept = None;
        }
        self.begins |= is_new(entry);
        let note = replay::request(entry).and_then(|request| self.take_note(request.id));
        let mut changes = Vec::new();
        let done = replayed.updates.iter().any(|update| matches!(update.cause, Cause::Command(_)));
        if let Some(request) = replayed.updates.iter().find_map(sets_game) {
            self.game_request = request;
        }
        match replay::request(entry) {
            Some(request) if done && sets_up(&request.command) => {
                self.begin(number, note.as_ref(), &mut changes);
            }
            _ if self.game.is_none() || self.begins || self.is_full(number) => {
                self.begin(number, None, &mut changes);
            }
            Some(request) if done && changes_text(&request.command) => {
                self.take_text(note.as_ref());
            }
            _ => {}
        }
        let command = replay::request(entry)
            .map(|request| Self::command(&request.command, note.as_ref(), &replayed));
        let at_ns = match entry {
            Entry::Input { input, .. } => input.at().as_nanos(),
            Entry::State { clock, .. } => clock.last().as_nanos(),
        };
        // If the entry changed nothing, `after.view` is of an earlier instant. A running clock
        // shows less time at the instant of the entry.
        let view = view_at(&replayed.after.view, Instant::from_nanos(at_ns));
        self.follow(&replayed, &mut changes);
        let (raw_ns, wall_ns) = clocks.raw_and_wall_at(at_ns);
        let row = NewRow {
            number,
            game: self.last_game,
            boot: self.boot.clone(),
            at_ns,
            raw_ns,
            wall_ns,
            kind: replay::kind(entry).to_owned(),
            input: json(entry),
            events: json(&describe::events(entry, &replayed.updates)),
            command: command.map(|command| json(&command)),
            state: json(&StateJson::new(&view, replayed.after.revision)),
        };
        Ok(Recorded { row, changes })
    }

    /// Whether the game has [`MAX_GAME_ENTRIES`] before the entry `number`. Replaying a longer game
    /// would need too much memory.
    fn is_full(&self, number: u64) -> bool {
        let first = self.game.as_ref().map_or(number, |game| game.first_entry);
        number.saturating_sub(first) >= MAX_GAME_ENTRIES
    }

    /// Takes the note of this command. Drops the notes of earlier requests, because the entries of
    /// their commands were lost.
    fn take_note(&mut self, request: u64) -> Option<CommandNote> {
        let note = self.notes.remove(&request);
        self.notes = self.notes.split_off(&request);
        note
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
            info,
            ended: None,
            adjourned: false,
        });
    }

    fn take_text(&mut self, note: Option<&CommandNote>) {
        if let (Some(game), Some(CommandNote::Given { game: Some(text), .. })) =
            (&mut self.game, note)
        {
            game.info.text = (**text).clone();
            // After a restart, the game goes on with the names and texts that the command gave, not
            // with those of the configuration.
            game.info.is_configured = false;
        }
    }

    /// Adds the changes in the table of games: the end of the game, whether it is adjourned, its
    /// result, and the names and texts that `set-rules` or `change-time-control` gave.
    fn follow(&mut self, replayed: &Replayed, changes: &mut Vec<GameChange>) {
        let Some(game) = &mut self.game else { return };
        let number = game.number;
        let over = replayed.after.view.phase == Phase::Over;
        let ended = over.then_some(Ended::Result);
        if game.ended != ended {
            game.ended = ended;
            changes.push(GameChange::Ended { game: number, ended });
        }
        let adjourned = replayed.after.adjourned.is_some();
        if game.adjourned != adjourned {
            game.adjourned = adjourned;
            changes.push(GameChange::Adjourned { game: number, adjourned });
        }
        let gives_text = |update: &Update| sets_game(update).is_some();
        let result = replayed.after.view.outcome.map_or("", Outcome::as_str);
        if game.info.result != result || replayed.updates.iter().any(gives_text) {
            result.clone_into(&mut game.info.result);
            changes.push(GameChange::Info { game: number, info: json(&game.info) });
        }
    }

    fn command(
        command: &GameCommand,
        note: Option<&CommandNote>,
        replayed: &Replayed,
    ) -> CommandJson {
        let mut json =
            CommandJson { verb: name_of_command(command).to_owned(), ..CommandJson::default() };
        if let Some(CommandNote::Given { verb, uid, sender, capacity, reason, text, .. }) = note {
            json.verb.clone_from(verb);
            json.uid = *uid;
            json.sender.clone_from(sender);
            json.capacity.clone_from(capacity);
            json.reason.clone_from(reason);
            json.text.clone_from(text);
        }
        let answer = replayed.updates.iter().find_map(|update| Some((update, update.answer?.1)));
        match answer {
            Some((update, Ok(()))) => {
                let before = replayed.before.as_ref().unwrap_or(update);
                let before = view_at(&before.view, update.at);
                json.report = report(command, &json.text, &before, &update.view);
            }
            Some((_, Err(refusal))) => json.refused = Some(refusal::on_record(refusal)),
            None => {}
        }
        json
    }
}

/// A command as the record stores it: who gave it, why, and with which result.
#[derive(Debug, Default, Serialize)]
struct CommandJson {
    verb: String,
    uid: Option<u32>,
    sender: String,
    capacity: String,
    reason: String,
    text: String,
    report: String,
    refused: Option<String>,
}

/// Whether this is the state of a clock to which nothing has happened yet. Such a state begins a
/// new game even if the process that set up the clock was killed before it could open the record.
fn is_new(entry: &Entry) -> bool {
    matches!(entry, Entry::State { clock, .. } if clock.is_new())
}

fn sets_up(command: &GameCommand) -> bool {
    matches!(
        command,
        GameCommand::New(_) | GameCommand::Import { .. } | GameCommand::Clock(Command::New { .. })
    )
}

/// Whether the command gives the present game other names or texts.
fn changes_text(command: &GameCommand) -> bool {
    matches!(command, GameCommand::ChangeProfile(_) | GameCommand::ChangeControl { .. })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and arrays can be written as JSON")
}
