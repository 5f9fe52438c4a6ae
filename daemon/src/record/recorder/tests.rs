//! Tests of the recorder, with a record in a temporary folder and a clock in virtual time.

use super::writer::Recorder;
use super::*;
use crate::game::{
    CommandNote, EntryNote, Game as StoredGame, GameText, NotedGame, ReadRecord as _, Row,
    random_id, sets_up,
};
use crate::record::{REPLAY, RecordReader};
use clock_engine::rules::{Game, GameCommand, Session};
use clock_engine::{Command, Control, EarlierClock, Instant, Method, Phase, Side, Span};
use clock_record::{Checkpoint, Games};
use clockd_core::Button;
use clockd_rt::retained::{Origin, RetainedMemory};
use clockd_rt::{
    Entry, EntryLog, FORMAT, Health, Input, Note, Request, Restart, Since, Update, VersionedClock,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tempfile::TempDir;

mod announced;
mod damaged_memory;
mod earlier_states;
mod formats;
mod gone;
mod kept;
mod late_opening;
mod losses;
mod refused;
mod renamed;
mod several_games;
mod size;

const SECOND: u64 = 1_000_000_000;

/// A clock, its recorder, and the retained memory through which the recorder gets the entries.
struct Rig {
    recorder: Box<Recorder>,
    entries: EntryLog,
    health: Arc<Health>,
    clock: VersionedClock,
    now: u64,
    /// The identity of the game on the clock.
    game: u64,
}

fn control() -> Control {
    Control::single(Span::from_secs(300), Method::Increment(Span::from_secs(2)))
}

fn set_up(path: Option<&Path>, boot: &str) -> (Started, Arc<Health>) {
    let memory = RetainedMemory::create([0; 16], FORMAT).unwrap();
    set_up_with(path, boot, memory, Origin::New)
}

fn set_up_with(
    path: Option<&Path>,
    boot: &str,
    memory: RetainedMemory,
    origin: Origin,
) -> (Started, Arc<Health>) {
    let health = Arc::new(Health::default());
    let settings = Settings {
        path: path.map(Path::to_owned),
        keep_games: 10,
        checkpoint: Duration::from_secs(5),
    };
    let (boot, machine) = (boot.to_owned(), "machine".to_owned());
    let setup = Setup { settings, health: Arc::clone(&health), boot, machine };
    (start::start_with(setup, memory, origin).unwrap(), health)
}

/// Makes a new clock whose record is at `path`. If `path` is `None`, no record is kept.
fn rig(path: Option<&Path>, boot: &str) -> Rig {
    begin(set_up(path, boot))
}

/// Begins a new clock with what `set_up` returned.
fn begin(started: (Started, Arc<Health>)) -> Rig {
    begin_named(started, GameText { control: "5+2".to_owned(), ..GameText::default() })
}

/// As `begin`, with these names of the configuration.
fn begin_named((started, health): (Started, Arc<Health>), configured: GameText) -> Rig {
    let at = Instant::from_nanos(SECOND);
    let setup = clock_engine::rules::Setup {
        control: control(),
        profile: None,
        session: Session::Unknown,
        force: false,
    };
    let mut clock = VersionedClock::new(Game::new(&setup, at).unwrap(), None, false);
    let Started { mut recorder, mut entries, last_entry, .. } = started;
    let game = random_id();
    recorder.begin_game(game, last_entry);
    clock.set_entry(last_entry + 1);
    entries.set_game(game);
    entries.state(&clock, &EntryNote::SetUp(Box::new(configured)).encode(game).bytes);
    entries.keep(&clock);
    Rig { recorder, entries, health, clock, now: 2 * SECOND, game }
}

impl Rig {
    fn input(&mut self, input: Input) {
        self.noted_input(input, &Note::default());
        self.entries.keep(&self.clock);
    }

    /// Adds an input with a note, as the clock loop does.
    fn noted_input(&mut self, input: Input, note: &Note) {
        self.entries.input(&self.clock, &input, &note.bytes);
        let mut begins = false;
        self.clock.handle(&input, &mut |update: Update| begins |= clockd_rt::begins_game(&update));
        if begins {
            self.game = note.game;
            self.entries.set_game(note.game);
        }
    }

    fn at(&mut self) -> Instant {
        self.now += SECOND;
        Instant::from_nanos(self.now)
    }

    fn press(&mut self, side: Side) {
        let at = self.at();
        self.input(Input::Press(Button::Player(side), at));
    }

    fn command(&mut self, id: u64, command: impl Into<GameCommand>) {
        let input = self.request(id, command);
        self.input(input);
    }

    fn request(&mut self, id: u64, command: impl Into<GameCommand>) -> Input {
        let (at, command) = (self.at(), command.into());
        let revision = self.clock.update(clockd_rt::Cause::Started, at).revision;
        Input::Request(Request { id, at, revision, command })
    }

    fn start_and_press(&mut self, presses: u32) {
        self.command(1, Command::Start);
        for number in 0..presses {
            self.press(if number % 2 == 0 { Side::White } else { Side::Black });
        }
    }

    /// A command together with its note. A game that it begins has the number of the request as its
    /// identity.
    fn noted_command(&mut self, request: u64, text: GameText, command: impl Into<GameCommand>) {
        let command = command.into();
        let begins = sets_up(&command);
        let id = if begins { request } else { self.game };
        let game = Some(Box::new(NotedGame { id, text }));
        let note = EntryNote::Command(CommandNote { game, ..note("new", Some(1000)) });
        let input = self.request(request, command);
        self.noted_input(input, &note.encode(if begins { id } else { 0 }));
        self.entries.keep(&self.clock);
    }

    fn pass(&mut self) {
        self.recorder.pass(std::time::Instant::now());
    }

    /// The number of the latest entry that is on record.
    fn latest(&self) -> u64 {
        self.recorder.reports.committed.borrow().latest()
    }

    fn lost(&self) -> u64 {
        self.health.lost_entries.load(Ordering::Relaxed)
    }

    /// The latest game on record.
    fn stored(&self) -> Stored {
        stored(self.recorder.settings.path.as_ref().unwrap())
    }

    /// The latest game on record, and the kinds of its entries.
    fn on_record(&mut self) -> (Stored, Vec<String>) {
        let stored = self.stored();
        let kinds = stored.rows.iter().map(|row| row.row.kind.clone()).collect();
        (stored, kinds)
    }
}

/// A game on record.
struct Stored {
    game: StoredGame,
    rows: Vec<Row>,
    checkpoint: Option<Checkpoint>,
}

/// The latest game in this folder.
fn stored(path: &Path) -> Stored {
    let mut reader = reader(path);
    let game = reader.game(0).unwrap().expect("a game is on record");
    let mut rows: Vec<Row> = Vec::new();
    loop {
        let next = rows.last().map_or(0, |row| row.row.number + 1);
        match reader.entries(game.game, next, 200).unwrap() {
            page if page.is_empty() => break,
            page => rows.extend(page),
        }
    }
    Stored { game, rows, checkpoint: Checkpoint::read(path) }
}

fn reader(path: &Path) -> RecordReader {
    RecordReader::new(path.to_owned(), REPLAY)
}

/// The games in this folder, the newest first.
fn games_on_record(path: &Path) -> Vec<StoredGame> {
    reader(path).games(0, 20).unwrap()
}

/// The note of a command.
fn note(verb: &str, uid: Option<u32>) -> CommandNote {
    CommandNote {
        verb: verb.to_owned(),
        uid,
        sender: ":1.7".to_owned(),
        capacity: "arbiter".to_owned(),
        reason: "round 3".to_owned(),
        ..CommandNote::default()
    }
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    (folder, path)
}

#[test]
fn a_game_that_is_read_back_has_the_state_of_the_clock_exactly() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(7);
    rig.command(2, Command::Pause { by: clock_engine::Caller::Arbiter });
    // A refused command is on record, too.
    rig.command(3, Command::Start);
    rig.pass();
    let clock = rig.clock.clone();
    assert_eq!(rig.latest(), clock.entry());
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-1");
    let kept = started.kept.expect("a game is on record");
    assert_eq!(*kept.clock, clock);
    assert!(kept.is_recorded && kept.is_configured);
    assert!(
        matches!(kept.since, Since::Restart(since) if since == clock.last()),
        "{:?}",
        kept.since
    );
    assert_eq!(kept.text.control, "5+2");
}

#[test]
fn after_a_power_cut_a_running_clock_stands_with_the_time_of_the_last_press() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(3);
    rig.pass();
    let last = rig.clock.last();
    let shown = rig.clock.game().view(last);
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-2");
    let kept = started.kept.expect("a game is on record");
    let Since::PowerCut(stopped) = kept.since else { panic!("{:?}", kept.since) };
    assert_eq!(stopped, last);
    let at = Instant::from_nanos(9 * SECOND);
    let mut clock = *kept.clock;
    let mut causes = Vec::new();
    let input = Input::PowerCut { stopped, at, closed: Some([false; 2]) };
    clock.handle(&input, &mut |update: Update| causes.push(update.cause));
    assert_eq!(causes, [clockd_rt::Cause::Restarted]);
    let update = clock.update(clockd_rt::Cause::Started, at);
    assert_eq!(update.view.phase, Phase::Paused);
    assert_eq!(update.restart, Some(Restart::PowerCut { was_running: true }));
    for side in Side::BOTH {
        assert_eq!(update.view.sides[side].remaining, shown.sides[side].remaining);
        assert_eq!(update.view.sides[side].moves, shown.sides[side].moves);
    }
}

#[test]
fn a_checkpoint_is_stored_while_a_clock_runs_and_counts_after_a_power_cut() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(1);
    let now = std::time::Instant::now();
    assert_eq!(rig.recorder.pass(now), Some(Duration::from_secs(5)));
    rig.recorder.pass(now + Duration::from_secs(5));
    let stored = rig.stored();
    let checkpoint = stored.checkpoint.expect("a checkpoint");
    assert_eq!((checkpoint.boot.as_str(), checkpoint.entry), ("boot-1", rig.clock.entry()));
    rig.command(2, Command::Pause { by: clock_engine::Caller::Arbiter });
    assert_eq!(rig.recorder.pass(now + Duration::from_secs(6)), None, "nothing is due in a pause");
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-2");
    let kept = started.kept.unwrap();
    // The instant of the checkpoint is on the real clock, which is far ahead of the virtual one. So
    // the checkpoint is later than every entry.
    assert!(matches!(kept.since, Since::PowerCut(at) if at.as_nanos() == checkpoint.at_ns));
    drop(started.recorder);
    // The last two entries are gone: the checkpoint is of a turn that is not on record.
    let file = path.join("000001.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    std::fs::write(&file, lines[..lines.len() - 2].concat()).unwrap();
    let (started, _) = set_up(Some(&path), "boot-2");
    let Since::PowerCut(at) = started.kept.unwrap().since else { panic!("no power cut") };
    assert!(at.as_nanos() < checkpoint.at_ns);
}

#[test]
fn while_the_storage_fails_the_clock_goes_on_and_everything_is_recorded_later() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let path = missing.join("games");
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(5);
    rig.pass();
    assert!(rig.health.storage_failed.load(Ordering::Relaxed));
    let reason = rig.recorder.reports.status.error().expect("a reason");
    assert!(reason.contains("games"), "{reason}");
    assert_eq!(rig.latest(), 0);
    std::fs::create_dir(&missing).unwrap();
    rig.press(Side::Black);
    rig.recorder.pass(std::time::Instant::now() + Duration::from_secs(2));
    assert!(!rig.health.storage_failed.load(Ordering::Relaxed));
    assert_eq!(rig.recorder.reports.status.error(), None);
    assert_eq!(rig.latest(), rig.clock.entry());
    let clock = rig.clock.clone();
    let stored = rig.stored();
    let kinds: Vec<_> = stored.rows.iter().map(|row| row.row.kind.as_str()).collect();
    assert_eq!(kinds, ["state", "command", "press", "press", "press", "press", "press", "press"]);
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-1");
    assert_eq!(*started.kept.unwrap().clock, clock);
}

#[test]
fn while_the_storage_fails_the_thread_sleeps_also_when_a_checkpoint_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("games");
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(1);
    let now = std::time::Instant::now();
    for seconds in [2, 7, 8, 20] {
        let wait = rig.recorder.pass(now + Duration::from_secs(seconds));
        assert_eq!(wait, Some(Duration::from_secs(1)), "after {seconds} s");
    }
}

#[test]
fn a_game_that_this_version_cannot_replay_stays_on_record_and_another_is_begun() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(2);
    rig.pass();
    let last = rig.clock.entry();
    // Another version of the program could have appended an input that this version does not know.
    let mut rows = rig.stored().rows;
    let mut row = rows.pop().unwrap().row;
    (row.number, row.input) = (last + 1, r#"{"unknown":{}}"#.to_owned());
    rig.recorder.games.as_mut().unwrap().append(&[row]).unwrap();
    drop(rig);
    let (started, health) = set_up(Some(&path), "boot-2");
    assert!(started.kept.is_none());
    assert_eq!(started.last_entry, last + 1);
    assert!(health.record_mismatch.load(Ordering::Relaxed));
    assert!(!health.record_moved_aside.load(Ordering::Relaxed));
    drop(started);
    let mut rig = self::rig(Some(&path), "boot-2");
    rig.start_and_press(1);
    rig.pass();
    assert_eq!(rig.latest(), rig.clock.entry());
    let games = games_on_record(&path);
    let ends: Vec<_> = games.iter().map(|game| (game.game, game.ended)).collect();
    assert_eq!(ends, [(2, None), (1, Some(crate::game::Ended::Replaced))]);
}

#[test]
fn entries_without_room_are_counted_and_the_state_after_them_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let path = missing.join("games");
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(20_000);
    let lost = rig.health.lost_entries.load(Ordering::Relaxed);
    assert!(lost > 0, "the memory was not full");
    let (last, command) = (rig.clock.entry(), rig.clock.entry() + 1);
    rig.command(2, Command::Pause { by: clock_engine::Caller::Arbiter });
    let lost = lost + 1;
    std::fs::create_dir(&missing).unwrap();
    let mut now = std::time::Instant::now();
    while rig.latest() + lost < rig.clock.entry() {
        let before = rig.latest();
        now += Duration::from_secs(2);
        rig.recorder.pass(now);
        assert!(rig.latest() > before, "nothing was written");
    }
    rig.press(Side::White);
    rig.recorder.pass(now + Duration::from_secs(2));
    assert_eq!(rig.lost(), lost);
    let on_record = rig.recorder.reports.committed.borrow().clone();
    assert!(on_record.includes(command), "what the command did is on record");
    assert!(!on_record.has(command) && !on_record.has(last), "their entries were lost");
    assert!(on_record.has(command + 1));
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-1");
    assert_eq!(*started.kept.unwrap().clock, clock);
}

#[test]
fn the_state_after_lost_entries_is_recorded_without_another_press() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let path = missing.join("games");
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(20_000);
    assert!(rig.health.lost_entries.load(Ordering::Relaxed) > 0, "the memory was not full");
    std::fs::create_dir(&missing).unwrap();
    let mut now = std::time::Instant::now();
    for _ in 0..1_000 {
        now += Duration::from_secs(2);
        rig.recorder.pass(now);
        // In the service, the recorder has notified the clock loop, which then makes this call.
        rig.entries.keep(&rig.clock);
    }
    assert_eq!(rig.latest(), rig.clock.entry());
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-1");
    assert_eq!(*started.kept.unwrap().clock, clock);
}

#[test]
fn a_damaged_game_is_kept_under_another_name_and_another_one_is_begun() {
    let (_folder, path) = folder();
    let mut first = rig(Some(&path), "boot-1");
    first.start_and_press(3);
    first.pass();
    drop(first);
    let file = path.join("000001.jsonl");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes.iter_mut().skip(middle).for_each(|byte| *byte ^= 0x55);
    std::fs::write(&file, &bytes).unwrap();
    let mut second = rig(Some(&path), "boot-1");
    assert!(second.health.record_moved_aside.load(Ordering::Relaxed));
    second.start_and_press(2);
    second.pass();
    assert_eq!(second.latest(), second.clock.entry());
    assert_eq!(std::fs::read(path.join("000001.jsonl.damaged-1")).unwrap(), bytes);
    assert_eq!(second.stored().game.game, 2);
}

#[test]
fn a_row_has_who_gave_a_command_and_what_came_of_it() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    let mut noted = |request, command: Command, note| {
        let input = rig.request(request, command);
        rig.noted_input(input, &EntryNote::Command(note).encode(0));
        rig.entries.keep(&rig.clock);
    };
    noted(1, Command::Start, note("start", Some(1000)));
    let capacity = "White's captain".to_owned();
    let pause = CommandNote { capacity, ..note("pause", Some(1001)) };
    noted(2, Command::Pause { by: clock_engine::Caller::Arbiter }, pause);
    // The bus has not said who the caller is.
    noted(3, Command::Resume { side: None }, note("resume", None));
    rig.pass();
    let rows = rig.stored().rows;
    let commands: Vec<_> = rows.iter().filter_map(|row| row.row.command.as_deref()).collect();
    let [start, pause, resume] = commands[..] else { panic!("{commands:?}") };
    for word in [r#""uid":1000"#, "round 3", "The game is started", r#""refused":null"#] {
        assert!(start.contains(word), "{word}: {start}");
    }
    assert!(pause.contains(r#""uid":1001"#) && pause.contains("White's captain"), "{pause}");
    assert!(resume.contains(r#""uid":null"#), "{resume}");
}

#[test]
fn without_a_record_nothing_is_committed_and_the_memory_never_fills() {
    let mut rig = rig(None, "boot-1");
    rig.command(1, Command::Start);
    for number in 0..30_000 {
        rig.press(if number % 2 == 0 { Side::White } else { Side::Black });
        if number % 1_000 == 0 {
            rig.pass();
        }
    }
    assert_eq!(rig.health.lost_entries.load(Ordering::Relaxed), 0);
    assert_eq!(rig.latest(), 0);
}

#[test]
fn a_new_game_of_the_arbiter_is_a_game_of_its_own_with_its_names() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(2);
    let text =
        GameText { control: "3+2".to_owned(), white: "Vera".to_owned(), ..GameText::default() };
    rig.noted_command(9, text.clone(), Command::New { control: control(), force: true });
    rig.pass();
    let mut reader = reader(&path);
    let games = reader.games(0, 10).unwrap();
    let ended: Vec<_> = games.iter().map(|game| game.ended.map(|ended| ended.as_str())).collect();
    assert_eq!(ended, [None, Some("replaced")]);
    drop(reader);
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-2");
    let kept = started.kept.unwrap();
    assert_eq!((*kept.clock, kept.text), (clock, text));
    assert!(!kept.is_configured);
}

#[test]
fn an_entry_that_does_not_fit_is_noticed_and_the_state_is_recorded_anew() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(2);
    rig.pass();
    // The number of the latest entry jumps by 5, so the next entry does not follow the record.
    rig.clock.set_entry(rig.clock.entry() + 5);
    rig.press(Side::White);
    rig.pass();
    assert!(rig.health.record_mismatch.load(Ordering::Relaxed));
    assert!(rig.health.state_wanted.load(Ordering::Relaxed));
    rig.press(Side::Black);
    rig.pass();
    assert_eq!(rig.latest(), rig.clock.entry());
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-1");
    assert_eq!(*started.kept.unwrap().clock, clock);
}

/// The state of a new clock needs less than half of `MAX_ENTRY`, and its JSON less than a quarter
/// of `MAX_CLOCK_JSON`. The rest is room for larger states.
#[test]
fn every_entry_finds_room() {
    let (_folder, path) = folder();
    let rig = rig(Some(&path), "boot-1");
    let mut buffer = vec![0; clockd_rt::MAX_ENTRY];
    let state = Entry::write_state(&rig.clock, u64::MAX, &mut buffer).expect("room").len();
    assert!(state * 2 < clockd_rt::MAX_ENTRY, "{state} bytes");
    let json = serde_json::to_string(&rig.clock).unwrap().len();
    assert!(json * 4 < ledger::MAX_CLOCK_JSON, "{json} bytes");
    drop(Games::open(&path, &mut |_| ()).err().expect("it is locked"));
}
