//! Turns the entries of the clock loop into rows of the record, without I/O.

use super::describe::{self, CommandJson, json};
use super::intake::NotedEntry;
use super::replay::{
    self, Replay, ReplayError, Replayed, StoredInput, UnusableRecord, replay_stored,
};
use crate::game::{
    Ended, EntryLine, EntryNote, Game, GameText, Identity, NotedGame, random_id, sets_up, view_at,
};
use clock_controls::FILE_LIMIT;
use clock_dbus::{ImportedFrom, RecordedState};
use clock_engine::text::ControlFile;
use clock_engine::{Instant, Outcome, Phase};
use clock_record::{Change, ESCAPE, EXPORT_LIMIT, INPUTS_LIMIT, LINES_LIMIT, TEXT_LIMIT};
use clockd_rt::clock::ClockReadings;
use clockd_rt::{Entry, VersionedClock};
use serde::{Deserialize, Serialize};

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

    /// Takes over the latest game on record, and replays its inputs. `bytes` is the sum of the
    /// [`EntryLine::exported_bytes`] of its entries. If this game continues an earlier game on record,
    /// that earlier game is returned.
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
        bytes: usize,
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
            bytes,
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
        let change = self.game.as_mut().and_then(|game| game.follow(&replayed));
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
        if let Some(game) = &mut self.game {
            game.bytes += row.exported_bytes();
        }
        Ok(Recorded { game: self.last_game, begins, row })
    }
}

/// If a game has more entries than this, it is continued in the record as another game with the
/// same names. A real game has some hundreds of entries; only a program that sends commands without
/// end reaches this limit.
pub const MAX_GAME_ENTRIES: u64 = 20_000;
/// A game is also continued as another game if its entries have reached this number of bytes in an exported
/// file. For example, a press has about 1,050 bytes, and a command that changes the time control about 5,000.
pub const MAX_GAME_BYTES: usize = 23 << 20;
const _: () = assert!(
    2 * MAX_GAME_ENTRIES <= LINES_LIMIT as u64 && MAX_GAME_BYTES + TEXT_LIMIT <= INPUTS_LIMIT,
    "the record could not be opened again"
);
/// The largest number of bytes that the four JSON texts of one entry (input, events, state and command) can
/// have in an exported file.
const LARGEST_ENTRY: usize = (3 + ESCAPE) * TEXT_LIMIT;
/// The number of bytes that are reserved in an exported file for the whole state of the clock, and for the
/// punctuation between the entries.
const STATE_AND_REST: usize = 64 * 1024;
const _: () = assert!(
    MAX_GAME_BYTES + LARGEST_ENTRY + MAX_GAME_JSON + STATE_AND_REST <= EXPORT_LIMIT,
    "the game could not be exported"
);

/// Room for the names of a game, and for the reference to the game from which it was imported. Each
/// text has 255 bytes at most.
const NAMES: usize = 4 * 1024;
/// Room for the whole clock as JSON. A test checks that a new clock needs less than a quarter of
/// it.
pub const MAX_CLOCK_JSON: usize = 128 * 1024;
/// The longest [`GameJson`], with a control file and a rule file of the largest size.
const MAX_GAME_JSON: usize = (ControlFile::LIMIT + FILE_LIMIT + NAMES) * ESCAPE + MAX_CLOCK_JSON;
const _: () =
    assert!(MAX_GAME_JSON <= TEXT_LIMIT, "the record refuses the longest texts of a game");

/// The information on a game that the record stores, as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameJson {
    /// The machine (`/etc/machine-id`).
    pub machine: String,
    /// The names of the game, and the texts of its files.
    #[serde(flatten)]
    pub text: GameText,
    /// The result, or empty.
    pub result: String,
    /// Whether the game was set up from the configuration, and no command has given it names or
    /// texts.
    pub is_configured: bool,
    /// The whole clock right after the first entry of the game.
    pub clock: Option<Box<VersionedClock>>,
}

/// The game to which the next entry belongs.
#[derive(Clone, Debug)]
pub struct OpenGame {
    /// The identity.
    pub id: u64,
    pub first_entry: u64,
    /// The sum of the [`EntryLine::exported_bytes`] of its entries.
    pub bytes: usize,
    pub info: GameJson,
    /// Whether the game has a result.
    pub ended: bool,
    pub adjourned: bool,
    /// Whether the names and texts are others than those on record.
    pub has_other_text: bool,
}

impl OpenGame {
    /// Whether the game has [`MAX_GAME_ENTRIES`] before the entry `number`, or [`MAX_GAME_BYTES`].
    /// A larger game would need too much memory when it is replayed, and `clockctl` could not export it.
    pub fn is_full(&self, number: u64) -> bool {
        number.saturating_sub(self.first_entry) >= MAX_GAME_ENTRIES || self.bytes >= MAX_GAME_BYTES
    }

    /// Sets the names and texts.
    pub fn set_text(&mut self, text: GameText, is_configured: bool) {
        (self.info.text, self.info.is_configured) = (text, is_configured);
        self.has_other_text = true;
    }

    /// What the entry changed of the game: whether it has a result and whether it is adjourned, the result,
    /// and the names and texts that `set-rules`, `change-time-control` or `set-names` gave. `None` if
    /// nothing.
    pub fn follow(&mut self, replayed: &Replayed) -> Option<Change> {
        let view = &replayed.after.view;
        let (ended, adjourned) = (view.phase == Phase::Over, view.adjourned.is_some());
        let result = view.outcome.map_or("", Outcome::as_str);
        let has_info = std::mem::take(&mut self.has_other_text) || self.info.result != result;
        result.clone_into(&mut self.info.result);
        let change = Change {
            info: has_info.then(|| json(&self.info)),
            ended: (self.ended != ended).then_some(ended),
            adjourned: (self.adjourned != adjourned).then_some(adjourned),
        };
        (self.ended, self.adjourned) = (ended, adjourned);
        Some(change).filter(|change| *change != Change::default())
    }
}

impl Ledger {
    /// The names and texts of the game with this identity, and whether they are those of the configuration.
    /// If they are not known, they are those of the time control and the rules.
    pub(super) fn known_text(&self, id: u64) -> (GameText, bool) {
        let of_game = self.game.as_ref().filter(|game| game.id == id);
        let of_game = of_game.map(|game| (&game.info.text, game.info.is_configured));
        let of_kept = self.kept.as_ref().filter(|(kept, _)| *kept == id);
        let of_kept = of_kept.map(|(_, kept)| (&kept.text, kept.is_configured));
        let known = of_game.or(of_kept).filter(|(text, _)| **text != GameText::default());
        known.map_or_else(|| (self.text_of_clock(), false), |(text, is)| (text.clone(), is))
    }

    /// The names and texts of the game of this state, if they differ from those on record. Commands that
    /// gave them can be among the entries that were lost before the state.
    pub(super) fn text_of_state(&self, noted: &NotedEntry) -> Option<(GameText, bool)> {
        let game = self.game.as_ref()?;
        let (_, kept) = self.kept.as_ref().filter(|(id, _)| *id == game.id)?;
        let is_state = matches!(noted.entry, Entry::State { .. });
        if !is_state || kept.text == GameText::default() {
            return None;
        }
        let (mut text, on_record) = (kept.text.clone(), &game.info.text);
        // The memory leaves out the text of a file for which it has no room.
        if text.control_text.is_empty() && text.control == on_record.control {
            text.control_text.clone_from(&on_record.control_text);
        }
        if text.rules_text.is_empty() && text.rules == on_record.rules {
            text.rules_text.clone_from(&on_record.rules_text);
        }
        (text != *on_record).then_some((text, kept.is_configured))
    }

    /// What the clock itself says of its game: the time control and the rules.
    pub(super) fn text_of_clock(&self) -> GameText {
        let clock = self.replay.clock();
        clock
            .map(|clock| GameText::of_clock((clock.control(), clock.game().profile())))
            .unwrap_or_default()
    }

    /// If a game with these texts continues an earlier game on record, that earlier game.
    pub(super) fn taken_up(&self, text: &GameText) -> Option<TakenUp> {
        let is_on_record =
            |from: &&ImportedFrom| from.machine == self.machine && from.game <= self.last_game;
        let from = text.imported_from.as_ref().filter(is_on_record);
        from.map(|from| TakenUp { game: from.game, chain: from.chain.clone() })
    }

    /// Begins a game with the identity `id` and with the entry `first_entry`.
    pub(super) fn begin(
        &mut self,
        id: u64,
        first_entry: u64,
        (text, is_configured): (GameText, bool),
    ) -> Begin {
        let takes_up = self.taken_up(&text);
        let (machine, result) = (self.machine.clone(), String::new());
        let clock = self.replay.clock().cloned().map(Box::new);
        let info = GameJson { machine, text, result, is_configured, clock };
        let begins = Begin { id, info: json(&info), takes_up };
        self.last_game += 1;
        self.game = Some(OpenGame {
            id,
            first_entry,
            bytes: 0,
            info,
            ended: false,
            adjourned: false,
            has_other_text: false,
        });
        begins
    }
}
