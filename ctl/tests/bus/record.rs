//! Tests of `clockctl log`, `export` and `rewind`, and of `new` after an adjourned game.

use std::fs;

use clock_dbus::{Error, Fault, FaultCode, Phase, State, Who};
use clockctl::record::file::MAX_BYTES;
use serde_json::Value;

use crate::fake::history::{GAME, Record};
use crate::fake::{Answer, Fake};
use crate::private_bus::PrivateBus;
use crate::program::{Ran, Watching, clockctl, finish, on_bus};
use crate::terminal::Terminal;
use crate::verbs::{good, json, paused};

/// Runs `clockctl` in the zone UTC.
pub fn run(bus: &PrivateBus, args: &[&str]) -> Ran {
    let mut command = on_bus(bus, args);
    command.env("TZ", "UTC");
    finish(command)
}

fn golden(name: &str) -> String {
    let path = format!("{}/tests/record/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_log_has_a_line_for_each_entry() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let out = good(&run(&bus, &["log"])).to_owned();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(format!("{}/tests/record/game.log", env!("CARGO_MANIFEST_DIR")), &out).unwrap();
    }
    assert_eq!(out, golden("game.log"));
    // The entries were read in pages, each of which begins after the last entry of the page before.
    let calls = fake.calls();
    assert_eq!(calls[..3], ["list-games 0 1", "read-entries 3 0 200", "read-entries 3 47 200"]);
    assert_eq!(calls.last().unwrap(), "read-entries 3 71 200");
}

#[test]
fn flags_and_refused_commands_have_a_colour() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, paused());
    let coloured = good(&run(&bus, &["log", "--color", "always"])).to_owned();
    let mut colours = std::collections::BTreeSet::new();
    for (line, plain) in coloured.lines().zip(golden("game.log").lines()) {
        let is_flag = plain.contains("flag fell");
        let expected = match plain.contains("  Refused: ") {
            true => Some("33"),
            false => is_flag.then_some("1;31"),
        };
        let painted = expected.map(|colour| format!("\u{1b}[{colour}m{plain}\u{1b}[0m"));
        assert_eq!(line, painted.unwrap_or_else(|| plain.to_owned()));
        colours.extend(expected);
    }
    assert_eq!(colours.len(), 2, "{coloured}");
}

#[test]
fn the_last_entries_are_read_alone() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let all = golden("game.log");
    let last: Vec<&str> = all.lines().rev().take(3).collect();
    let expected: String = last.iter().rev().map(|line| format!("{line}\n")).collect();
    assert_eq!(good(&run(&bus, &["log", "--last", "3"])), expected);
    assert_eq!(fake.calls()[1], "read-entries 3 68 200");
    // Entry 62 is missing now. So the numbers of the last entries cannot be computed from the
    // number of the first one and the count of entries.
    fake.script.lock().unwrap().record.entries.retain(|entry| Record::entry_number(entry) != 62);
    assert_eq!(good(&run(&bus, &["log", "3", "--last", "3"])), expected);
    assert_eq!(good(&run(&bus, &["log", "--last", "1000"])).lines().count(), 30);
}

#[test]
fn the_log_as_json_is_the_record_without_dangerous_characters() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let out = good(&run(&bus, &["log", "--json", "-q"])).to_owned();
    assert_eq!(out, "");
    {
        let record = &mut fake.script.lock().unwrap().record;
        record.entries[0] = record.entries[0].replace("round 1", "r");
        let first = &record.entries[1];
        record.entries[1] = first.replace("round 1", "\u{202e}round\u{9b} 1");
    }
    let out = good(&run(&bus, &["log", "--json"])).to_owned();
    let entries = fake.script.lock().unwrap().record.entries.clone();
    assert_eq!(out.lines().count(), entries.len());
    assert!(out.contains(r"\u202eround\u009b 1") && !out.contains(['\u{202e}', '\u{9b}']), "{out}");
    for (line, entry) in out.lines().zip(&entries) {
        let [line, entry]: [Value; 2] =
            [line, entry].map(|text| serde_json::from_str(text).unwrap());
        assert_eq!(line, entry);
    }
    let text = good(&run(&bus, &["log"])).to_owned();
    assert!(text.contains(": round 1]"), "{text}");
}

#[test]
fn the_games_are_listed_with_the_latest_last() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let expected = "\
game  set up               entries  control    White                   Black         end
   2  2026-11-22 19:30:00       31  blitz-5-3  A [31m B                Graf, Sonja \\  replaced by the next game
   3  not known                 31  blitz-5-3  Vera \"The Rook\" Menchik  Graf, Sonja \\  1-0
";
    let out = good(&run(&bus, &["log", "--games"])).to_owned();
    let squeezed = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    assert_eq!(squeezed(&out), squeezed(expected), "{out}");
    assert_eq!(fake.calls(), ["list-games 0 100", "list-games 2 100"]);
    let out = good(&run(&bus, &["log", "--games", "--json"])).to_owned();
    let games: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&games[0]["game"], &games[1]["game"]), (&2.into(), &3.into()));
    assert!(!out.contains('\u{202e}'), "{out}");
}

#[test]
fn an_adjourned_game_is_listed_with_the_command_that_takes_it_up_again() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let change = |index: usize, from: &str, to: &str| {
        let game = &mut fake.script.lock().unwrap().record.games[index];
        let changed = game.replacen(from, to, 1);
        assert_ne!(*game, changed, "{from}");
        *game = changed;
    };
    change(0, "\"adjourned\":false", "\"adjourned\":true");
    let out = good(&run(&bus, &["log", "--games"])).to_owned();
    assert!(out.contains("  adjourned; clockctl resume-adjourned 2\n"), "{out}");
    change(1, "\"adjourned\":false", "\"adjourned\":true");
    let out = good(&run(&bus, &["log", "--games"])).to_owned();
    assert!(out.ends_with("  adjourned; clockctl resume-adjourned\n"), "{out}");
    change(0, "\"adjourned\":true", "\"adjourned\":false");
    change(
        1,
        "\"machine\":\"0123456789abcdef0123456789abcdef\",\"game\":12",
        "\"machine\":\"fedcba9876543210fedcba9876543210\",\"game\":2",
    );
    let out = good(&run(&bus, &["log", "--games"])).to_owned();
    assert!(out.contains("  continued as game 3\n"), "{out}");
    let state = State { adjourned: Who::White, game_number: Some(3), ..paused() };
    let stays = "the adjourned game 3 stays on record: clockctl resume-adjourned 3\n";
    let lost = "the adjourned game is lost: it was not on record\n";
    drop(fake);
    // The service carries out `New` without --force only if the adjourned game is on record.
    for (adjourned, arguments, expected) in [
        (false, &["new"][..], stays),
        (false, &["new", "--force"], lost),
        (true, &["new", "--force"], stays),
    ] {
        let fake = Fake::start(&bus, state.clone());
        if adjourned {
            let game = &mut fake.script.lock().unwrap().record.games[1];
            *game = game.replacen("\"adjourned\":false", "\"adjourned\":true", 1);
        }
        let out = good(&run(&bus, arguments)).to_owned();
        assert!(out.ends_with(expected), "{arguments:?}: {out}");
    }
    // If the record cannot be read, the text neither says that the game is lost nor that it is not.
    let unread = "whether the adjourned game is on record could not be read: ";
    let not_kept = Fault::new(FaultCode::NoRecord, "no record is kept");
    for (state, refusal, expected) in [
        (state.clone(), Some("too many reads wait"), unread),
        (State { game_number: None, ..state.clone() }, None, unread),
        (State { game_number: None, faults: vec![not_kept], ..state }, None, lost),
    ] {
        let fake = Fake::start(&bus, state);
        fake.script.lock().unwrap().record.refusal = refusal;
        let out = good(&run(&bus, &["new", "--force"])).to_owned();
        let last = out.lines().last().unwrap();
        assert!(last.starts_with(expected.trim_end()) && !last.contains("--force"), "{out}");
        assert_eq!(last.contains("lost"), expected == lost, "{out}");
    }
}

#[test]
fn status_names_the_game_from_which_this_one_was_taken_over() {
    let bus = PrivateBus::start();
    let unknown = Fake::start(&bus, paused());
    assert!(!good(&run(&bus, &["status"])).contains("\nfrom "));
    assert_eq!(json(&run(&bus, &["status", "--json"]))["imported_from"], Value::Null);
    drop(unknown);
    let fake = Fake::start(&bus, State { game_number: Some(3), ..paused() });
    let out = good(&run(&bus, &["status"])).to_owned();
    let other = "from      game 12 of the clock 0123456789abcdef0123456789abcdef\n";
    assert!(out.ends_with(other), "{out}");
    let shown = json(&run(&bus, &["status", "--json"]));
    assert_eq!(shown["imported_from"]["game"], 12);
    {
        let game = &mut fake.script.lock().unwrap().record.games[1];
        *game = game.replacen(
            "0123456789abcdef0123456789abcdef",
            "fedcba9876543210fedcba9876543210",
            1,
        );
    }
    let out = good(&run(&bus, &["status"])).to_owned();
    assert!(out.ends_with("from      game 12 of another record on this machine\n"), "{out}");
    // Without an answer of the record, the state is shown all the same.
    fake.answer(Answer::Refuse(Error::NoRecord, "the disk is gone"));
    assert!(!good(&run(&bus, &["status"])).contains("\nfrom "));
}

#[test]
fn new_says_which_captain_and_which_arbiter_are_not_in_the_new_game() {
    let bus = PrivateBus::start();
    let start = |captain: &str, arbiter: &str| {
        let fake = Fake::start(&bus, State { game_number: Some(3), ..paused() });
        {
            let game = &mut fake.script.lock().unwrap().record.games[1];
            let keys = format!("\"captain_plays\":{captain:?},\"present_arbiter\":{arbiter:?}");
            *game = game.replacen("\"captain_plays\":\"\",\"present_arbiter\":\"\"", &keys, 1);
            assert!(game.contains(&keys));
        }
        fake
    };
    for (arguments, expected, keys) in [
        (
            &["new", "--white", "A", "--black", "B"][..],
            "not as before, give again if wanted:\n  --captain-plays black\n  --present-arbiter 'Ann O'\\''Lee'\n",
            &["captain-plays", "present-arbiter"][..],
        ),
        (
            &["new", "--white", "A", "--black", "B", "--captain-plays", "white"],
            "not as before, give again if wanted:\n  --present-arbiter 'Ann O'\\''Lee'\n",
            &["present-arbiter"],
        ),
        (
            &[
                "new",
                "--white",
                "A",
                "--black",
                "B",
                "--captain-plays",
                "white",
                "--present-arbiter",
                "Bo",
            ],
            "",
            &[],
        ),
    ] {
        let fake = start("black", "Ann O'Lee");
        let out = good(&run(&bus, arguments)).to_owned();
        assert!(out.ends_with(expected), "{arguments:?}: {out}");
        assert_eq!(out.contains("not as before"), !expected.is_empty(), "{out}");
        drop(fake);
        let fake = start("black", "Ann O'Lee");
        let shown = json(&run(&bus, &[arguments, &["--json"][..]].concat()));
        assert_eq!(shown["dropped"], serde_json::json!(keys), "{arguments:?}");
        drop(fake);
    }
    let _fake = start("", "");
    assert!(!good(&run(&bus, &["new", "--white", "A", "--black", "B"])).contains("not as before"));
}

#[test]
fn a_log_that_is_followed_shows_new_entries_and_the_next_game() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let all = Record::of_the_file().entries;
    {
        let record = &mut fake.script.lock().unwrap().record;
        record.entries.truncate(29);
        record.games[1] = record.games[1].replacen("\"entries\":31", "\"entries\":29", 1);
    }
    let following = Watching::start_verb(&bus, "log", &["--last", "1", "--follow"]);
    assert!(following.line().trim_start().starts_with("68 "));
    fake.script.lock().unwrap().record.entries = all.clone();
    assert!(following.line().trim_start().starts_with("69 "));
    assert!(following.line().trim_start().starts_with("70 "));
    {
        let record = &mut fake.script.lock().unwrap().record;
        let next = record.games[1].replacen("\"game\":3", "\"game\":4", 1);
        record.games.push(next);
        let entry = all[0].replacen("\"entry\":40", "\"entry\":71", 1);
        record.entries = vec![entry.replacen("\"game\":3", "\"game\":4", 1)];
    }
    assert!(following.line().contains("A new game is set up"));
}

#[test]
fn an_export_is_the_file_that_was_exported_before() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["export"]);
    assert_eq!(good(&ran), GAME);
    assert_eq!(fake.calls().last().unwrap(), "read-state 3 70");
    for (format, file) in [("pgn", "game.pgn"), ("csv", "game.csv")] {
        assert_eq!(good(&run(&bus, &["export", "--format", format])), golden(file), "{format}");
        // `--from` reads the same game from the file, without a clock.
        let path = format!("{}/tests/record/game.json", env!("CARGO_MANIFEST_DIR"));
        let mut command = clockctl();
        command.args(["export", "--from", &path, "--format", format]).env("TZ", "UTC");
        assert_eq!(good(&finish(command)), golden(file), "{format}");
    }
    let object = json(&run(&bus, &["export", "3", "--format", "pgn", "--json"]));
    assert_eq!(object["text"], golden("game.pgn"));
    assert_eq!(
        (&object["game"], &object["entries"], &object["intact"]),
        (&3.into(), &31.into(), &true.into())
    );
}

#[test]
fn an_export_to_a_file_overwrites_none() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, paused());
    let path = bus.folder().join("game.json");
    let name = path.to_str().unwrap();
    let ran = run(&bus, &["export", "-o", name]);
    assert_eq!(good(&ran), format!("game 3, 31 entries: written to {name}\n"));
    assert_eq!(fs::read_to_string(&path).unwrap(), GAME);
    let ran = run(&bus, &["export", "-o", name, "--format", "json"]);
    assert_eq!((ran.exit, ran.out.as_str()), (1, ""), "{ran:?}");
    assert!(ran.err.contains("game.json: it exists already"), "{ran:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), GAME);
    let other = bus.folder().join("game.csv");
    let object = json(&run(&bus, &["export", "-o", other.to_str().unwrap(), "--json"]));
    assert_eq!((&object["format"], &object["text"]), (&"csv".into(), &Value::Null));
    assert_eq!(fs::read_to_string(&other).unwrap(), golden("game.csv"));
}

/// The service begins another game at 23 MiB.
#[test]
fn the_longest_game_is_exported_and_its_file_is_read() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.script.lock().unwrap().record.entries[3].push_str(&" ".repeat(23 << 20));
    let path = bus.folder().join("game.json");
    let path = path.to_str().unwrap();
    good(&run(&bus, &["export", "-o", path]));
    assert!(fs::metadata(path).unwrap().len() > 23 << 20);
    let csv = run(&bus, &["export", "--from", path, "--format", "csv"]);
    assert_eq!(good(&csv), golden("game.csv"));
}

/// The first 4 entries have half of the limit, and the next 4 have as much. The rest is not read.
#[test]
fn a_game_that_is_too_long_is_not_read_to_its_end_and_no_file_is_written() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    {
        let record = &mut fake.script.lock().unwrap().record;
        record.page = 4;
        for entry in &mut record.entries[..8] {
            entry.push_str(&" ".repeat(MAX_BYTES / 8));
        }
    }
    let path = bus.folder().join("game.json");
    let ran = run(&bus, &["export", "-o", path.to_str().unwrap()]);
    assert_eq!((ran.exit, ran.out.as_str()), (7, ""), "{ran:?}");
    assert!(
        ran.err.contains("game 3 has more than 40 MiB, the most that a file may have"),
        "{ran:?}"
    );
    assert_eq!(fake.calls().last().unwrap(), "read-entries 3 44 200");
    assert!(!path.exists());
}

#[test]
fn a_record_that_was_changed_is_exported_and_the_exit_code_says_so() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    {
        let entry = &mut fake.script.lock().unwrap().record.entries[10];
        *entry = entry.replacen("\"moves\":2", "\"moves\":3", 1);
    }
    let ran = run(&bus, &["export"]);
    assert_eq!(ran.exit, 8, "{ran:?}");
    assert!(ran.out.ends_with("\"}\n"), "{ran:?}");
    assert!(ran.err.contains("entry 50 does not match its sum"), "{ran:?}");
    let ran = run(&bus, &["export", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.exit, &object["intact"]), (8, &Value::Bool(false)));
}

#[test]
fn a_file_without_the_whole_state_says_so_and_one_that_was_changed_too() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.script.lock().unwrap().record.state = None;
    let ran = run(&bus, &["export"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.out.contains("\n\"state\":null,\n\"sum\":\""), "{ran:?}");
    assert!(ran.err.starts_with("the file is without the whole state of the game: "), "{ran:?}");
    let path = bus.folder().join("changed.json");
    fs::write(&path, GAME.replacen("Sonja", "Sonia", 1)).unwrap();
    let ran = run(&bus, &["export", "--from", path.to_str().unwrap(), "--format", "csv"]);
    assert_eq!(ran.exit, 8, "{ran:?}");
    assert!(ran.err.contains("the file does not match its sum"), "{ran:?}");
}

#[test]
fn a_game_or_a_record_that_is_not_there_is_named() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    for verb in ["log", "export"] {
        let ran = run(&bus, &[verb, "7"]);
        assert_eq!((ran.exit, ran.out.as_str()), (5, ""), "{ran:?}");
        assert!(
            ran.err.ends_with("the record has no game 7 (clockctl log --games lists them)\n"),
            "{ran:?}"
        );
        let ran = run(&bus, &[verb, "18446744073709551615"]);
        assert_eq!(ran.exit, 5, "{ran:?}");
    }
    fake.script.lock().unwrap().record.games.clear();
    let ran = run(&bus, &["export", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.exit, &object["error"]["code"]), (5, &"not-found".into()), "{ran:?}");
    fake.answer(Answer::Refuse(Error::NoRecord, "there is no record"));
    for args in [&["log"][..], &["log", "--games"], &["export"]] {
        let ran = run(&bus, args);
        assert_eq!(ran.exit, 5, "{ran:?}");
        assert!(ran.err.contains("refused: there is no record"), "{ran:?}");
    }
}

#[test]
fn a_record_that_does_not_go_on_is_not_read_for_ever() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.script.lock().unwrap().record.entries.reverse();
    for args in [&["log"][..], &["export"]] {
        let ran = run(&bus, args);
        assert_eq!(ran.exit, 7, "{ran:?}");
        assert!(ran.err.contains("the record is not in order"), "{ran:?}");
    }
    fake.script.lock().unwrap().record.entries = vec!["{\"entry\":1}".to_owned()];
    let ran = run(&bus, &["log"]);
    assert!(ran.exit == 7 && ran.err.contains("missing key"), "{ran:?}");
}

#[test]
fn rewind_shows_both_readings_and_where_they_come_from() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["rewind", "--to", "W3", "--reason", "the board was moved"]);
    let out = good(&ran);
    assert!(
        out.contains("before") && out.contains("1:29:58.3") && out.contains("after   0:05:05.0"),
        "{out}"
    );
    assert!(out.contains("entry 51 was made at 2026-11-22 19:30:"), "{out}");
    assert!(out.ends_with("paused: White 0:05:05.0, Black 1:30:00.0 (on move)\n"), "{out}");
    let calls = fake.calls();
    let expected = [
        "get-state",
        "find-move 0 white 3",
        "list-games 0 1",
        "read-entries 3 51 1",
        r#"rewind 51 7 "the board was moved""#,
    ];
    assert_eq!(calls[..5], expected);
    let object = json(&run(&bus, &["rewind", "--entry", "45", "--json"]));
    assert_eq!((&object["white"]["moves"], &object["recorded"]), (&3.into(), &true.into()));
    assert!(fake.calls().iter().any(|call| call.starts_with("rewind 45 ")));
}

#[test]
fn rewind_says_what_has_to_come_first() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    let refused = |args: &[&str], exit: i32, words: &str| {
        let ran = run(&bus, &[&["rewind"], args].concat());
        assert_eq!((ran.exit, ran.out.as_str()), (exit, ""), "{ran:?}");
        assert!(ran.err.contains(words), "{ran:?}");
        assert!(!fake.calls().iter().any(|call| call.starts_with("rewind")), "{ran:?}");
    };
    refused(&["--to", "W3"], 5, "White's clock runs (stop the clocks first: clockctl pause)");
    fake.change(|state| (state.phase, state.running) = (Phase::Over, Who::Nobody));
    refused(&["--to", "W3"], 5, "a result stands (first: clockctl reopen)");
    fake.change(|state| state.phase = Phase::Paused);
    refused(&["--to", "W99"], 5, "the counter of white never was 99");
    refused(&["--entry", "99"], 5, "game 3 has no entry 99 (clockctl log)");
    refused(&["--to", "3"], 2, "expected W3 or B3 for the move, --entry 3 for the entry");
    refused(&["--to", "X3"], 2, "expected a side and a move, such as W23 or B7");
    refused(&["--entry", "0"], 2, "expected a whole number of 1 or more");
    refused(&[], 2, "--to");
    refused(&["--to", "W3", "--entry", "4"], 2, "cannot be used with");
}

#[test]
fn a_name_with_the_ending_of_a_file_is_the_output() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let in_folder = |words: &[&str]| {
        let mut command = on_bus(&bus, &[&["export"], words].concat());
        command.current_dir(bus.folder());
        finish(command)
    };
    let game = serde_json::from_str::<Value>(GAME).unwrap()["game"]["game"].to_string();
    for (words, file, begins) in [
        (&["a.json"][..], "a.json", "{"),
        (&["b.PGN"], "b.PGN", "[Event"),
        (&[&game, "c.csv"], "c.csv", "entry,"),
        (&["d.json", &game], "d.json", "{"),
    ] {
        let ran = in_folder(words);
        assert_eq!(ran.exit, 0, "{words:?}: {ran:?}");
        let text = fs::read_to_string(bus.folder().join(file)).unwrap();
        assert!(text.starts_with(begins), "{file}: {}", &text[..40]);
    }
    for (words, why) in [
        (&["a.json", "-o", "b.json"][..], "one file at a time"),
        (&["7", "8"], "one game at a time"),
        (&["seven"], "expected the number of a game, or a file with a name such as game.pgn"),
        (&["e.pgn", "--format", "csv"], "contradicts the name e.pgn"),
    ] {
        let ran = in_folder(words);
        assert!(ran.exit == 2 && ran.err.contains(why), "{words:?}: {ran:?}");
    }
}

#[test]
fn a_terminal_is_not_filled_with_the_whole_record() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let screen = Terminal::start(&bus, &["export"]);
    screen.wait_for("clockctl export --format pgn");
    assert_eq!(screen.end("clockctl export game.json"), 2);
    let screen =
        Terminal::start_with_variables(&bus, &["export", "--format", "pgn"], &[("PAGER", "cat")]);
    assert_eq!(screen.end("[Event"), 0);
}
