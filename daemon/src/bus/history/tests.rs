//! Tests that read the record over a real bus.

mod course;

use super::*;
use crate::bus::shared_state::Record;
use crate::bus::tests::{Fixture, fixture_with};
use crate::game::{EntryLine, FakeRecord, Game, Row};
use crate::record::{RecordReader, Replay};
use clock_dbus::{ARBITER_SERVICE, ClockProxy, HistoryProxy, Who};
use clock_engine::{Clock, Control, EarlierClock, Instant, Method, Span};
use clock_record::Games;
use queue::{OF_ALL, OF_ARBITERS};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant as Moment;
use tempfile::TempDir;
use tokio::task::JoinSet;

/// An entry after which the press counters of White and Black show these numbers.
fn row(number: u64, (white, black): (u32, u32)) -> EntryLine {
    let side = |moves: u32| {
        json!({
            "remaining_ns": u64::MAX, "delay_ns": 0, "moves": moves, "period": 1, "flag_ns": null,
            "out_of_time": false, "overrun_ns": 0, "overtime_periods": null, "overtime_moves": null,
        })
    };
    let state = json!({
        "revision": number, "at_ns": 5_000_000_007_u64, "phase": "running", "on_move": "white",
        "running": "white", "first_flag": "", "result": "", "white": side(white),
        "black": side(black),
    });
    EntryLine {
        number,
        boot: "b\"oot".to_owned(),
        at_ns: 5_000_000_007,
        raw_ns: 5_000_000_009,
        wall_ns: number.is_multiple_of(2).then_some(-5),
        kind: "press".to_owned(),
        // An answer must keep the order of these keys and the space after the comma.
        input: r#"{"press":{"side":"white", "at":5}}"#.to_owned(),
        events: r#"[{"kind":"press"}]"#.to_owned(),
        command: number.is_multiple_of(3).then(|| r#"{"verb":"set","uid":null}"#.to_owned()),
        state: state.to_string(),
        game: None,
    }
}

fn begin(games: &mut Games, game: u64, rows: &[EntryLine]) {
    let info = json!({
        "machine": "this-machine", "white": "Anna", "control_text": "name = 'x'\n",
        "result": if game == 1 { "1-0" } else { "" }, "is_configured": true, "clock": [game],
    });
    games.begin(game, 7, &info.to_string(), rows).unwrap();
}

fn open(path: &Path) -> Games {
    Games::open(path, &mut |_| ()).unwrap().games
}

/// The press counters after each entry of game 2, whose first entry is 4. White's second press is
/// taken back and made again.
const COUNTERS: [(u32, u32); 6] = [(0, 0), (1, 0), (2, 0), (1, 0), (2, 0), (2, 1)];

/// A record with two games. The first game has the entries 1 to 3.
fn two_games(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("games");
    let mut games = open(&path);
    let first: Vec<_> = (1..=3).map(|number| row(number, (0, 0))).collect();
    begin(&mut games, 1, &first);
    let second: Vec<_> =
        (4..).zip(COUNTERS).map(|(number, counters)| row(number, counters)).collect();
    begin(&mut games, 2, &second);
    path
}

/// Takes the place of `record::replay`. The clock that it returns shows as many seconds as the
/// number of the entry.
fn replayed(
    game: &Game,
    rows: &mut dyn Iterator<Item = Row>,
    entry: u64,
) -> Result<EarlierClock, String> {
    assert_eq!(rows.count() as u64, game.entries, "all entries of the game are given");
    if entry == 6 {
        return Err("entry 6 gives another state".to_owned());
    }
    Ok(clock_of(entry))
}

/// The game with the clock of [`replayed`].
fn replayed_game(
    game: &Game,
    rows: &mut dyn Iterator<Item = Row>,
    entry: u64,
) -> Result<rules::Game, String> {
    replayed(game, rows, entry)?;
    let control = Control::single(Span::from_secs(entry), Method::None);
    let session = rules::Session::Unknown;
    let setup = rules::Setup { control, profile: None, session, force: false };
    rules::Game::new(&setup, Instant::ZERO).map_err(|error| error.to_string())
}

fn clock_of(entry: u64) -> EarlierClock {
    let control = Control::single(Span::from_secs(entry), Method::None);
    EarlierClock::from(&Clock::new(control, Instant::ZERO))
}

fn record(reader: impl ReadRecord) -> Record {
    let history = History::start(reader).unwrap();
    Record { history, ..Record::none() }
}

async fn fixture(path: PathBuf) -> Fixture {
    fixture_with(record(RecordReader::new(
        path,
        Replay {
            clock: replayed,
            game: replayed_game,
            turns: |_, _, _| Err("not in these tests".to_owned()),
        },
    )))
    .await
}

async fn history(fixture: &Fixture) -> HistoryProxy<'static> {
    HistoryProxy::new(&fixture.client().await).await.unwrap()
}

fn parsed(objects: &[String]) -> Vec<Value> {
    objects.iter().map(|object| serde_json::from_str(object).unwrap()).collect()
}

#[tokio::test]
async fn games_are_listed_newest_first_and_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture(two_games(&folder)).await;
    let history = history(&fixture).await;
    let games = parsed(&history.list_games(0, 100).await.unwrap());
    let zero = "0".repeat(64);
    let expected = json!({
        "game": 1, "first_entry": 1, "entries": 3, "started_wall_ns": null, "white": "Anna",
        "control_text": "name = 'x'\n", "result": "1-0", "ended": "replaced", "adjourned": false,
        "chain_before": zero, "machine": "this-machine",
    });
    assert_eq!(games[1], expected);
    assert_eq!((&games[0]["game"], &games[0]["entries"]), (&json!(2), &json!(6)));
    assert_eq!(games[0]["result"], "");
    // The chain of the second game continues from the last entry of the first game.
    let last = parsed(&history.read_entries(1, 3, 1).await.unwrap());
    assert_eq!(games[0]["chain_before"], last[0]["chain"]);
    assert_eq!(parsed(&history.list_games(2, 100).await.unwrap()), games[1..]);
    assert_eq!(parsed(&history.list_games(0, 1).await.unwrap()), games[..1]);
    assert!(history.list_games(1, 100).await.unwrap().is_empty());
    let whole: Value = serde_json::from_str(&history.get_game(0).await.unwrap()).unwrap();
    assert_eq!((&whole["game"], &whole["clock"]), (&json!(2), &json!([2])));
    let first: Value = serde_json::from_str(&history.get_game(1).await.unwrap()).unwrap();
    assert_eq!(first["clock"], json!([1]));
}

#[tokio::test]
async fn entries_are_returned_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture(two_games(&folder)).await;
    let history = history(&fixture).await;
    let texts = history.read_entries(0, 0, 200).await.unwrap();
    let entries = parsed(&texts);
    let numbers: Vec<_> = entries.iter().map(|entry| entry["entry"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [4, 5, 6, 7, 8, 9]);
    let row = row(6, COUNTERS[2]);
    let (input, state) = (&row.input, &row.state);
    let start = r#"{"entry":6,"game":2,"boot":"b\"oot","at_ns":5000000007,"raw_ns":5000000009,"wall_ns":-5,"kind":"press","#;
    let middle = format!(
        r#""input":{input},"events":[{{"kind":"press"}}],"command":{{"verb":"set","uid":null}},"state":{state},"chain":""#
    );
    assert!(texts[2].starts_with(&format!("{start}{middle}")), "{}", texts[2]);
    assert_eq!((&entries[1]["command"], &entries[1]["wall_ns"]), (&Value::Null, &Value::Null));
    // An answer can begin at any entry: this one has two entries, from entry 6 on.
    assert_eq!(history.read_entries(2, 6, 2).await.unwrap(), texts[2..4]);
    assert!(history.read_entries(2, 10, 200).await.unwrap().is_empty());
    assert_eq!(history.read_entries(1, 0, 200).await.unwrap().len(), 3);
}

/// The record counts at least the bytes of an entry in an exported file, with a comma, a line feed and escapes.
#[test]
fn an_exported_entry_is_no_longer_than_the_record_counts() {
    let reason = format!("{{\"reason\":\"{}\"}}", "\u{7f}".repeat(500));
    for command in [None, Some(reason)] {
        let row = EntryLine {
            boot: "01234567-89ab-cdef-0123-456789abcdef".to_owned(),
            at_ns: u64::MAX,
            raw_ns: u64::MAX,
            wall_ns: Some(i64::MIN),
            kind: "press-before-flag".to_owned(),
            command,
            ..row(u64::MAX, (u32::MAX, u32::MAX))
        };
        let most = row.exported_bytes();
        let entry = json::entry(&Row { game: u64::MAX, row, chain: [0; 32] });
        assert!(entry.replace('\u{7f}', "\\u007f").len() + 2 <= most, "{entry}");
    }
}

#[tokio::test]
async fn an_answer_has_at_most_96_kib_and_at_least_one_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let sizes = [30_000, 30_000, 30_000, 30_000, 150_000, 1];
    let rows: Vec<_> = (1..)
        .zip(sizes)
        .map(|(number, size)| EntryLine {
            events: format!("[\"{}\"]", "x".repeat(size)),
            ..row(number, (0, 0))
        })
        .collect();
    begin(&mut open(&path), 1, &rows);
    let fixture = fixture(path).await;
    let history = history(&fixture).await;
    let mut pages = Vec::new();
    let mut first = 0;
    loop {
        let page = history.read_entries(0, first, 200).await.unwrap();
        let Some(last) = parsed(&page).pop() else { break };
        first = last["entry"].as_u64().unwrap() + 1;
        pages.push(page.len());
        let bytes: usize = page.iter().map(String::len).sum();
        assert!(bytes <= 96 * 1024 || page.len() == 1, "{bytes}");
    }
    assert_eq!(pages, [3, 1, 1, 1]);
}

#[tokio::test]
async fn a_move_is_found_where_the_game_still_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture(two_games(&folder)).await;
    let history = history(&fixture).await;
    for (side, number, entry) in
        [(Who::White, 0, 4), (Who::White, 1, 5), (Who::White, 2, 8), (Who::Black, 1, 9)]
    {
        for game in [0, 2] {
            assert_eq!(history.find_move(game, side, number).await.unwrap(), entry, "{number}");
        }
    }
    let missing = history.find_move(0, Who::Black, 2).await;
    let Err(Error::NotFound(message)) = missing else { panic!("{missing:?}") };
    assert!(message.contains("of black") && message.contains("it shows 1 now"), "{message}");
    // A move that was taken back is not found by its number, and the entry is the way to it.
    assert!(message.contains("clockctl rewind --entry"), "{message}");
}

#[tokio::test]
async fn a_move_that_a_correction_skipped_is_not_said_to_be_above_the_counter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let rows: Vec<_> =
        (1..).zip([(0, 0), (1, 0), (9, 0)]).map(|(number, shown)| row(number, shown)).collect();
    begin(&mut open(&path), 1, &rows);
    let fixture = fixture(path).await;
    let missing = history(&fixture).await.find_move(0, Who::White, 5).await;
    let Err(Error::NotFound(message)) = missing else { panic!("{missing:?}") };
    assert!(
        message.contains("shows 9 now, and it did not show 5")
            && message.contains("or a rewind skipped it"),
        "{message}"
    );
}

#[tokio::test]
async fn what_is_not_on_record_is_not_found_and_a_wrong_count_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture(two_games(&folder)).await;
    let history = history(&fixture).await;
    for game in [3, u64::MAX] {
        let answers = [
            history.get_game(game).await.map(|_| ()),
            history.read_entries(game, 0, 1).await.map(|_| ()),
            history.find_move(game, Who::White, 0).await.map(|_| ()),
        ];
        for answer in answers {
            assert!(matches!(answer, Err(Error::NotFound(_))), "{answer:?}");
        }
    }
    for count in [0, 101, u32::MAX] {
        let refused = history.list_games(0, count).await;
        let Err(Error::InvalidArgument(message)) = refused else { panic!("{refused:?}") };
        assert_eq!(message, format!("count = {count}; expected 1 to 100"));
    }
    for count in [0, 201] {
        let refused = history.read_entries(0, 0, count).await;
        assert!(matches!(refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    }
    let nobody = history.find_move(0, Who::Nobody, 0).await;
    assert!(matches!(nobody, Err(Error::InvalidArgument(_))), "{nobody:?}");
}

#[tokio::test]
async fn a_record_that_cannot_be_read_says_why_and_is_read_once_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let fixture = fixture(path.clone()).await;
    let history = history(&fixture).await;
    let absent = history.list_games(0, 1).await;
    assert!(matches!(&absent, Err(Error::NoRecord(why)) if why.contains("games")), "{absent:?}");
    std::fs::write(&path, "x".repeat(100_000)).unwrap();
    let foreign = history.read_entries(0, 0, 1).await;
    assert!(matches!(foreign, Err(Error::NoRecord(_))), "{foreign:?}");
    std::fs::remove_file(&path).unwrap();
    two_games(&folder);
    assert_eq!(history.list_games(0, 100).await.unwrap().len(), 2);

    let none = fixture_with(Record::none()).await;
    let none = HistoryProxy::new(&none.client().await).await.unwrap().list_games(0, 1).await;
    assert!(matches!(&none, Err(Error::NoRecord(why)) if why == "no record is kept"), "{none:?}");
}

#[tokio::test]
async fn of_a_damaged_game_what_stands_before_the_damage_is_listed_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = two_games(&folder);
    let file = path.join("000001.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen(r#""number":3"#, r#""number":9"#, 1)).unwrap();
    let fixture = fixture(path).await;
    let history = history(&fixture).await;
    let games = parsed(&history.list_games(0, 10).await.unwrap());
    assert_eq!((&games[0]["game"], &games[0]["damaged"]), (&json!(2), &Value::Null));
    assert_eq!((&games[1]["entries"], &games[1]["white"]), (&json!(2), &json!("Anna")));
    let damage = games[1]["damaged"].as_str().unwrap();
    assert!(damage.contains("000001.jsonl, line 4"), "{damage}");
    assert_eq!(parsed(&history.read_entries(1, 1, 1).await.unwrap())[0]["entry"], 1);
    for error in [
        history.get_game(1).await.map(drop).unwrap_err(),
        history.read_entries(1, 1, 3).await.map(drop).unwrap_err(),
    ] {
        assert!(matches!(&error, Error::NoRecord(why) if why.contains("line 4")), "{error:?}");
    }
}

#[tokio::test]
async fn the_clock_after_an_entry_is_that_of_the_present_game() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture(two_games(&folder)).await;
    let history = &fixture.shared.history;
    assert_eq!(history.clock_after(5).await.unwrap(), clock_of(5));
    for entry in [0, 3, 10, u64::MAX] {
        let missing = history.clock_after(entry).await;
        assert!(matches!(missing, Err(Error::NotFound(_))), "{entry}: {missing:?}");
    }
    let failed = history.clock_after(6).await;
    let Err(Error::NoRecord(why)) = failed else { panic!("{failed:?}") };
    assert!(why.ends_with("entry 6 gives another state"), "{why}");
}

#[tokio::test]
async fn the_state_after_an_entry_is_that_of_any_game() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixture(two_games(&folder)).await;
    let history = history(&fixture).await;
    let main = |state: String| {
        let state: Value = serde_json::from_str(&state).unwrap();
        state["clock"]["values"]["sides"]["white"]["main"].as_u64().unwrap() / 1_000_000_000
    };
    for (game, entry, seconds) in [(1, 2, 2), (1, 0, 3), (2, 0, 9), (0, 5, 5)] {
        assert_eq!(main(history.read_state(game, entry).await.unwrap()), seconds);
    }
    for (game, entry) in [(3, 0), (1, 4), (2, 3), (u64::MAX, u64::MAX)] {
        let missing = history.read_state(game, entry).await;
        assert!(matches!(missing, Err(Error::NotFound(_))), "{game} {entry}: {missing:?}");
    }
    let failed = history.read_state(2, 6).await;
    assert!(matches!(failed, Err(Error::NoRecord(_))), "{failed:?}");
}

/// A record that reports each read to the test, and answers the read only when the test allows it.
fn slow(turns: mpsc::Receiver<()>, read: mpsc::Sender<u64>) -> FakeRecord {
    let games = move |before: u64| {
        read.send(before).unwrap();
        turns.recv().unwrap();
        Vec::new()
    };
    FakeRecord { games: Box::new(games), ..FakeRecord::default() }
}

#[tokio::test]
async fn a_storage_that_hangs_keeps_nobody_from_reading_the_state_and_further_reads_are_busy() {
    let ((turn, turns), (read, _reads)) = (mpsc::channel(), mpsc::channel());
    let fixture = fixture_with(record(slow(turns, read))).await;
    let clock = ClockProxy::new(&fixture.client().await).await.unwrap();
    let mut reads = Vec::new();
    // At most eight calls of one program are in progress, so the reads have several connections.
    for _ in 0..15 {
        let history = history(&fixture).await;
        for _ in 0..2 {
            let history = history.clone();
            reads.push(tokio::spawn(async move { history.list_games(0, 1).await }));
        }
    }
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let start = Moment::now();
        clock.get_state().await.unwrap();
        slowest = slowest.max(start.elapsed());
    }
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    println!("slowest of 20 readings of the state while the storage hangs: {slowest:?}");
    for _ in 0..=OF_ALL {
        turn.send(()).unwrap();
    }
    let (mut answered, mut busy) = (0, 0);
    for read in reads {
        match read.await.unwrap() {
            Ok(games) => answered += usize::from(games.is_empty()),
            Err(Error::Busy(_)) => busy += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    // The thread works on one read, and four of this user wait. The reads that arrive before the bus
    // has given the user's id have four places of their own.
    assert!((OF_USER..=OF_ALL + 1).contains(&answered), "{answered}");
    assert_eq!(answered + busy, 30);
}

/// The next read of [`slow`].
async fn next(reads: &mpsc::Receiver<u64>) -> u64 {
    let start = Moment::now();
    loop {
        if let Ok(before) = reads.try_recv() {
            return before;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "nothing is read");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn what_is_read_over_the_name_of_the_arbiters_comes_before_what_everyone_reads() {
    let ((turn, turns), (read, reads)) = (mpsc::channel(), mpsc::channel());
    let fixture = fixture_with(record(slow(turns, read))).await;
    // The first call of everyone is being read, and the others wait or are refused.
    let mut of_all = Vec::new();
    for _ in 0..6 {
        let history = history(&fixture).await;
        for _ in 0..2 {
            let history = history.clone();
            of_all.push(tokio::spawn(async move { history.list_games(1, 1).await }));
        }
    }
    assert_eq!(next(&reads).await, 1);
    // When one read of the arbiters is refused, all places are taken. At most eight calls of one
    // program are in progress, so the reads have several connections.
    let mut of_arbiters = JoinSet::new();
    for _ in 0..=OF_ARBITERS / 4 {
        let client = fixture.client().await;
        let history = HistoryProxy::builder(&client).destination(ARBITER_SERVICE).build();
        let history = history.await.unwrap();
        for _ in 0..4 {
            let history = history.clone();
            of_arbiters.spawn(async move { history.list_games(2, 1).await });
        }
    }
    for _ in 0..4 {
        let refused = of_arbiters.join_next().await.unwrap().unwrap();
        assert!(matches!(refused, Err(Error::Busy(_))), "{refused:?}");
    }
    turn.send(()).unwrap();
    for _ in 0..OF_ARBITERS {
        assert_eq!(next(&reads).await, 2, "the reads of the arbiters are the next ones");
        turn.send(()).unwrap();
    }
    while let Some(read) = of_arbiters.join_next().await {
        assert_eq!(read.unwrap().unwrap(), Vec::<String>::new());
    }
    (0..of_all.len()).for_each(|_| turn.send(()).unwrap());
    let mut busy = 0;
    for read in of_all {
        busy += usize::from(matches!(read.await.unwrap(), Err(Error::Busy(_))));
    }
    assert!(busy > 0);
}

#[tokio::test]
async fn a_read_of_a_storage_that_hangs_ends_after_3_s() {
    let ((_turn, turns), (read, _reads)) = (mpsc::channel(), mpsc::channel());
    let fixture = fixture_with(record(slow(turns, read))).await;
    let start = Moment::now();
    let failed = history(&fixture).await.list_games(0, 1).await;
    assert!(matches!(&failed, Err(Error::NoRecord(why)) if why.contains("3 s")), "{failed:?}");
    assert!(start.elapsed() >= READ_TIMEOUT);
}
