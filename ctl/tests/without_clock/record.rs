//! A game of the record as PGN and CSV. Both texts are compared with stored files, and python-chess
//! reads the PGN.

use crate::program::{clockctl, run_with_input};
use clock_dbus::Phase;
use clockctl::record::Record;
use clockctl::record::csv::csv;
use clockctl::record::file::{RecordFile, read};
use clockctl::record::pgn::pgn;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record")
}

fn game() -> RecordFile {
    read(&fs::read(folder().join("game.json")).unwrap()).unwrap()
}

/// Compares `text` with the file `name`. If UPDATE_GOLDEN is set, writes `text` to the file first.
fn golden(name: &str, text: &str) {
    let path = folder().join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "{name}; UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn the_whole_game_as_pgn() {
    golden("game.pgn", &pgn(&game().record, 0));
}

#[test]
fn the_whole_game_as_csv() {
    golden("game.csv", &csv(&game().record));
}

/// The games that python-chess reads in PGN texts: `tests/record/read_pgn.py` prints them as JSON.
fn python_chess(texts: &[String]) -> Vec<Value> {
    let printed = crate::python::run("record/read_pgn.py", &[], &texts.join("\n"));
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn python_chess_reads_the_pgn_without_an_error() {
    let games = python_chess(&[pgn(&game().record, 0)]);
    assert_eq!(games.len(), 1);
    let read = &games[0];
    assert_eq!(read["errors"], json!([]));
    let headers = &read["headers"];
    // PGN escapes quotation marks and backslashes; python-chess leaves them as they are written.
    assert_eq!(headers["White"], r#"Vera \"The Rook\" Menchik"#);
    assert_eq!(headers["Black"], r"Graf, Sonja \\");
    assert_eq!(headers["Date"], "????.??.??");
    assert_eq!(headers["Result"], "1-0");
    assert_eq!(headers["Termination"], "time forfeit");
    assert_eq!(headers["TimeControl"], "300+3");
    // Every move has its side, its number, what the clock showed and how long it took, in seconds.
    let moves = read["moves"].as_array().unwrap();
    let found = |number: u64, side: &str| {
        let of = |ply: &&Value| ply["number"] == number && ply["side"] == side;
        moves.iter().find(of).unwrap_or_else(|| panic!("no move {number} of {side}"))
    };
    assert_eq!(moves.len(), 9);
    assert!(moves.iter().all(|ply| ply["null"] == true));
    let last = game();
    let state = &last.last().state;
    assert_eq!((state.white.moves, state.black.moves), (5, 4));
    assert_eq!(
        (&found(1, "white")["clk"], &found(1, "white")["emt"]),
        (&json!(298.8), &json!(4.3))
    );
    assert_eq!(
        (&found(2, "black")["clk"], &found(2, "black")["emt"]),
        (&json!(300.5), &json!(2.0))
    );
    // Black's move 3 took 4 s until its first press, which was taken back, and then 9 s more.
    assert_eq!(
        (&found(3, "black")["clk"], &found(3, "black")["emt"]),
        (&json!(290.5), &json!(13.0))
    );
    // Each comment stands after the move after which the event happened. A reason cannot add a
    // `[%clk]`.
    let one_line =
        |text: &Value| text.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let comment = |number, side| one_line(&found(number, side)["comment"]);
    let stop = comment(2, "black");
    assert!(stop.contains("a queen is missing ) (%clk 0:00:01) ("), "{stop}");
    assert!(stop.contains("White 0:04:54.6 → 0:05:10.0, because: =wrongly set"), "{stop}");
    assert!(comment(3, "white").contains("Penalty for Black"), "{}", comment(3, "white"));
    assert!(comment(4, "white").contains("The power was cut"), "{}", comment(4, "white"));
    let end = comment(5, "white");
    for said in [
        "was restarted",
        "3 entries before this one were lost",
        "buttons were disconnected",
        "Black's flag fell first",
    ] {
        assert!(end.contains(said), "{said}: {end}");
    }
    assert!(end.ends_with("Ruling: lost, result 1-0, because: flag seen by both"), "{end}");
    let before = one_line(&read["comment"]);
    assert!(before.contains("does not know the moves"), "{before}");
    assert!(before.contains("Taken over from game 12 of the clock 0123456789abcdef"), "{before}");
}

#[test]
fn the_date_is_that_of_the_zone() {
    let mut record = game().record;
    record.game.imported_from = None;
    // The game was set up two hours before White's clock was started.
    record.game.started_wall_ns = Some(1_795_383_000_000_000_000);
    let start =
        record.entries.iter_mut().find(|entry| entry.state.phase == Phase::Running).unwrap();
    start.wall_ns = Some(1_795_390_200_000_000_000);
    let text = pgn(&record, 3600);
    for tag in [r#"[Date "2026.11.23"]"#, r#"[UTCDate "2026.11.22"]"#, r#"[UTCTime "23:30:00"]"#] {
        assert!(text.contains(tag), "{tag}: {text}");
    }
    // Nobody knows here when a game began that was taken over, or that has not begun.
    let mut ready = record.clone();
    ready.entries.truncate(1);
    for record in [ready, Record { game: game().record.game, ..record }] {
        let text = pgn(&record, 3600);
        assert!(!text.contains("[UTC"), "{text}");
    }
}

#[test]
fn python_chess_reads_games_of_every_shape() {
    let whole = game().record;
    // A `Record` can end after any entry. Some of those below have no move, one move of White, or a
    // power cut at the end.
    let mut records: Vec<Record> = (1..=whole.entries.len())
        .map(|length| Record { entries: whole.entries[..length].to_vec(), ..whole.clone() })
        .collect();
    // A correction can set the counters to values that no game reaches.
    for (white, black) in [(0, 3), (7, 2), (5000, 4_000_000_000)] {
        let mut odd = whole.clone();
        let last = odd.entries.last_mut().unwrap();
        (last.state.white.moves, last.state.black.moves) = (white, black);
        last.state.result = "0-0".to_owned();
        records.push(odd);
    }
    let texts: Vec<String> = records.iter().map(|record| pgn(record, 0)).collect();
    let games = python_chess(&texts);
    assert_eq!(games.len(), records.len());
    for ((read, record), text) in games.iter().zip(&records).zip(&texts) {
        assert_eq!(read["errors"], json!([]), "{text}");
        let state = &record.entries.last().unwrap().state;
        let [white, black] = [state.white.moves, state.black.moves].map(|moves| moves.min(1000));
        // PGN contains every move up to the last one, also moves about which nothing is known, so
        // that the numbers are those of the scoresheet.
        let plies = if white > black { 2 * white - 1 } else { 2 * black };
        assert_eq!(
            read["moves"].as_array().unwrap().len(),
            usize::try_from(plies).unwrap(),
            "{text}"
        );
        if state.result == "0-0" {
            assert_eq!(read["headers"]["Result"], "*");
            assert!(read["comment"].as_str().unwrap().contains("Result 0-0"), "{text}");
        }
    }
}

/// `report` and `export` of a file say what `import` says of it: in every format the game is written,
/// the message follows, and the exit code is 8.
#[test]
fn a_file_that_was_altered_or_has_no_sum_is_never_taken_for_genuine() {
    let game = fs::read_to_string(folder().join("game.json")).unwrap();
    let replaced = |from: &str, to: &str| {
        assert!(game.contains(from), "{from}");
        game.replacen(from, to, 1)
    };
    let sum = game.rsplit_once(",\n\"sum\"").unwrap().0;
    let altered = "the file does not match its sum: the control, the rules, the players, the result or \
                   the state was changed after it was exported";
    let files = [
        (game.clone(), None),
        (replaced("Graf, Sonja", "Graf, Olga"), Some(altered)),
        (
            format!("{sum}}}\n"),
            Some("the file has no sum: no sum covers the control, the rules, the players"),
        ),
        (
            replaced("\"remaining_ns\":310000000000", "\"remaining_ns\":910000000000"),
            Some("entry 48 does not match its sum: the file was changed after it was exported"),
        ),
    ];
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("x.json");
    for (text, doubt) in files {
        fs::write(&path, text).unwrap();
        for format in
            ["report text", "report csv", "report html", "export json", "export pgn", "export csv"]
        {
            let (verb, format) = format.split_once(' ').unwrap();
            let mut command = clockctl();
            command.args([verb, "--format", format, "--from"]).arg(&path);
            let output = run_with_input(command, b"");
            let (out, err) = (output.stdout, String::from_utf8(output.stderr).unwrap());
            assert!(!out.is_empty(), "{verb} {format}: {err}");
            match doubt {
                None => assert_eq!((output.status.code(), &*err), (Some(0), ""), "{verb} {format}"),
                Some(doubt) => {
                    assert_eq!(output.status.code(), Some(8), "{verb} {format}: {err}");
                    assert!(err.contains(doubt), "{verb} {format}: {err}");
                }
            }
        }
        // A part on an earlier clock is in doubt for the same reasons.
        let mut command = clockctl();
        command.args(["report", "--from"]).arg(&path).arg("--earlier").arg(&path);
        let err = String::from_utf8(run_with_input(command, b"").stderr).unwrap();
        assert!(err.contains(doubt.unwrap_or("no game here was taken over from it")), "{err}");
    }
}
