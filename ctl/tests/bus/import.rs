//! Tests of `clockctl import`.

use std::fs;

use clock_dbus::{Error, SideState, State};
use clockctl::record::file::MAX_BYTES;

use crate::fake::history::GAME;
use crate::fake::{Answer, Fake};
use crate::private_bus::PrivateBus;
use crate::program::Ran;
use crate::record::run;
use crate::terminal::Terminal;
use crate::verbs::{good, json, paused};

fn file(bus: &PrivateBus, text: &[u8]) -> String {
    let path = bus.folder().join("other.json");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn idle() -> State {
    State { white: SideState { player: String::new(), ..paused().white }, ..paused() }
}

fn imports(fake: &Fake) -> Vec<String> {
    fake.calls().into_iter().filter(|call| call.starts_with("import")).collect()
}

#[test]
fn an_import_shows_everything_and_sends_it_in_one_call() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    let ran = run(&bus, &["import", &path, "--yes", "--reason", "the display is dark"]);
    let out = good(&ran);
    let expected = "\
game 3 of the clock fedcba9876543210fedcba9876543210, up to entry 70 (2026-11-22 20:02:27)
the record is as that clock wrote it: all sums match

control   blitz-5-3: all moves in 0:05:00, 3 s a move from move 1
rules     fide-2023
White     Vera \"The Rook\" Menchik
Black     Graf, Sonja \\

              time  moves  period
  White  0:06:05.0      5       1
> Black  0:00:00.0      4       1

the last entries there
";
    let shown: Vec<&str> = out.lines().collect();
    for (line, expected) in
        shown.iter().zip(expected.lines()).filter(|(line, _)| !line.starts_with("game"))
    {
        assert_eq!(*line, expected, "{out}");
    }
    assert!(shown[0].starts_with(
        "game 3 of the clock fedcba9876543210fedcba9876543210, up to entry 70 (2026-11-22 "
    ));
    for note in [
        "    70  2026-11-22 20:",
        "the result there, 1-0, is not taken over\n",
        "the state there\n  phase ruling\n  Black's flag has fallen, as the first one\n",
        "\n  open: flag Black\n  White has not arrived\n  Black has not arrived\n  Black's illegal moves: 1\n",
        "not taken over: which button is White's (here: clockctl set-buttons), and a press",
        "the clocks stand until you resume\n",
        "each value can be changed, such as --white-time 0:12:41 (clockctl import --help)\n",
        "compare both clocks and the scoresheets; then: clockctl resume\n",
    ] {
        assert!(out.contains(note), "{note}: {out}");
    }
    let calls = imports(&fake);
    assert_eq!(calls.len(), 1);
    for part in [
        "begun: Some(true)",
        "machine: \"fedcba9876543210fedcba9876543210\", game: 3",
        "time_control: Some(\"blitz-5-3\")",
        "state: Some(\"{\\\"clock\\\":{\\\"last\\\":404000000000,",
        "white_time_nsec: None",
        "on_move: None",
        "force: None",
        r#"7 "the display is dark""#,
    ] {
        assert!(calls[0].contains(part), "{part}: {}", calls[0]);
    }
    let object =
        json(&Ran { err: String::new(), ..run(&bus, &["import", &path, "--yes", "--json"]) });
    assert_eq!((&object["phase"], &object["recorded"]), (&"paused".into(), &true.into()));
    let quiet = run(&bus, &["import", &path, "--yes", "-q"]);
    assert_eq!(good(&quiet), "");
}

#[test]
fn each_value_can_be_changed() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    let ran = run(
        &bus,
        &[
            "import",
            &path,
            "--yes",
            "--force",
            "--white",
            "W",
            "--black",
            "B",
            "--rules",
            "county",
            "--control",
            "3+2",
            "--white-time",
            "31m",
            "--black-time",
            "30m",
            "--white-moves",
            "20",
            "--black-moves",
            "19",
            "--white-period",
            "1",
            "--black-period",
            "1",
            "--on-move",
            "white",
            "--white-overtime-periods",
            "2",
            "--black-overtime-moves",
            "4",
            "-q",
        ],
    );
    assert_eq!((ran.exit, ran.out.as_str()), (0, ""), "{ran:?}");
    let call = imports(&fake).remove(0);
    for part in [
        "force: Some(true)",
        "white_player: Some(\"W\")",
        "black_player: Some(\"B\")",
        "rules: Some(\"county\")",
        "time_control: Some(\"3+2\")",
        "white_time_nsec: Some(1860000000000)",
        "black_time_nsec: Some(1800000000000)",
        "white_moves: Some(20)",
        "black_moves: Some(19)",
        "on_move: Some(White)",
        "white_overtime_periods: Some(2)",
        "black_overtime_moves: Some(4)",
    ] {
        assert!(call.contains(part), "{part}: {call}");
    }
}

/// The game of `GAME` in a file that an older version wrote.
const OLDER: &str = include_str!("../record/older.json");

#[test]
fn what_an_older_file_does_not_have_is_listed_and_somebody_has_to_agree() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, OLDER.as_bytes());
    let ran = run(&bus, &["import", &path, "--yes"]);
    assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(
        ran.err.contains("the file has no sum") && ran.err.contains("without --yes"),
        "{ran:?}"
    );
    let mut terminal = Terminal::start_with_rows(&bus, &["import", &path, "--force"], 60);
    for line in [
        "WARNING: the file has no sum: no sum covers",
        "NOT IN THE FILE, and as at the start of a game: flags and which fell first",
        "Black's flag had fallen there, as the first one; here it falls when Black's clock runs",
        "[y/N]",
    ] {
        terminal.wait_for(line);
    }
    terminal.type_keys("y\r");
    assert_eq!(terminal.end("then: clockctl resume"), 0);
    let calls = imports(&fake);
    for part in ["state: None", "white_time_nsec: Some(365000000000)", "on_move: Some(Black)"] {
        assert!(calls[0].contains(part), "{part}: {}", calls[0]);
    }
}

#[test]
fn the_readings_alone_are_taken_over_on_demand() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    let ran = run(&bus, &["import", &path, "--yes", "--readings-only", "--force"]);
    let out = good(&ran);
    assert!(out.contains("LEFT OUT, and as at the start of a game: flags"), "{out}");
    assert!(!out.contains("the state there"), "{out}");
    let calls = imports(&fake);
    for part in ["state: None", "black_time_nsec: Some(0)", "black_moves: Some(4)"] {
        assert!(calls[0].contains(part), "{part}: {}", calls[0]);
    }
}

/// A flag that fell on the other clock is in the whole state. Without that state it would fall here.
#[test]
fn a_time_of_0_and_many_moves_want_force() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    // The sum of an entry covers its state, so the file is asked about on a terminal.
    let mut changed = GAME.to_owned();
    let entry = changed.rfind("{\"entry\":").unwrap();
    let last = changed.split_off(entry);
    changed += &last.replacen("\"moves\":5,\"period\"", "\"moves\":1000,\"period\"", 1).replacen(
        "\"moves\":5,\"moves_without",
        "\"moves\":1000,\"moves_without",
        1,
    );
    let many = bus.folder().join("many.json");
    fs::write(&many, changed).unwrap();
    let many = many.to_str().unwrap();
    let black = "with a time of 0 Black's flag falls at once; --force allows it";
    let table: [(&[&str], &str); 5] = [
        (&[&path, "--readings-only"], black),
        (&[&path, "--black-time", "0s"], black),
        (&[&path, "--white-time", "0s"], "with a time of 0 White's flag falls at once"),
        (&[&path, "--black-moves", "1000"], "1000 moves of Black are more than 999; --force"),
        (&[&path, "--control", "5+3", "--readings-only"], black),
    ];
    for (given, words) in table {
        let arguments = [&["import"], given, &["--yes"]].concat();
        let ran = run(&bus, &arguments);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{given:?}: {ran:?}");
        assert!(ran.err.contains(words), "{given:?}: {ran:?}");
        assert_eq!(imports(&fake).len(), 0);
    }
    let terminal = Terminal::start_with_rows(&bus, &["import", many], 60);
    assert_eq!(terminal.end("1000 moves of White are more than 999; --force allows them"), 2);
    let mut terminal = Terminal::start_with_rows(&bus, &["import", many, "--force"], 60);
    terminal.wait_for("[y/N]");
    terminal.type_keys("n\r");
    assert_eq!(terminal.end("nothing was changed"), 1);
    let time = &["--black-time", "12m"][..];
    for accepted in
        [&[][..], time, &[&["--readings-only"], time].concat(), &["--force", "--black-time", "0s"]]
    {
        let ran = run(&bus, &[&["import", &path, "--yes", "-q"], accepted].concat());
        assert_eq!(ran.exit, 0, "{accepted:?}: {ran:?}");
    }
    assert_eq!(imports(&fake).len(), 4);
    // On a clock that counts up, 0 is the time used.
    let up = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/controls/up-count.toml");
    let up = &["--readings-only", "--control", up];
    assert_eq!(run(&bus, &[&["import", &path, "--yes", "-q"][..], up].concat()).exit, 0);
}

/// Checks the message for each of the changes of the state below, and that nothing is sent.
#[test]
fn a_wrong_state_is_refused_with_what_is_wrong() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    for (from, to, words) in [
        (
            "\"delay_left\":0",
            "\"delay_left\":-1",
            "the state of the game: `delay_left` is `-1`; expected a whole number of 0 or more",
        ),
        (
            "\"first_flag\":\"black\",\"last_move\"",
            "\"first_flag\":\"white\",\"last_move\"",
            "fell first",
        ),
        ("\"final_flag\":392500000000", "\"final_flag\":null", "fell first"),
        ("\"adjourned\":null,\"session", "\"adjourned\":\"black\",\"session", "adjourned"),
        (
            "\"main\":365000000000",
            "\"main\":366000000000",
            "white's remaining_ns: 366000000000 in the state, 365000000000 in the last entry",
        ),
    ] {
        let changed = GAME.replacen(from, to, 1);
        assert_ne!(changed, GAME, "{from}");
        let path = file(&bus, changed.as_bytes());
        let ran = run(&bus, &["import", &path, "--yes"]);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains(words) && ran.err.contains("--readings-only"), "{words}: {ran:?}");
    }
    let older = GAME.replacen("\"illegal_moves\":1,", "", 1);
    let path = file(&bus, older.as_bytes());
    let mut terminal = Terminal::start_with_rows(&bus, &["import", &path], 60);
    terminal.wait_for("the file does not match its sum");
    // The file is of a version without announcements and countdowns.
    terminal.wait_for(
        "NOT IN THE FILE, and as at the start of a game: facts.announcement, facts.countdown_since, facts.sides.black.illegal_moves",
    );
    terminal.wait_for("[y/N]");
    terminal.type_keys("n\r");
    assert_eq!(terminal.end("nothing was changed"), 1);
    assert_eq!(imports(&fake).len(), 0);
}

/// An increment, a player or a result that was changed is found (the chain of the entries does not
/// cover them).
#[test]
fn a_changed_control_player_or_result_is_found() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    for (from, to) in [
        ("increment = \\\"0:00:03\\\"", "increment = \\\"0:00:30\\\""),
        ("Menchik", "Menchick"),
        ("\"result\":\"1-0\",\"ended\"", "\"result\":\"0-1\",\"ended\""),
    ] {
        let changed = GAME.replacen(from, to, 1);
        assert_ne!(changed, GAME, "{from}");
        let path = file(&bus, changed.as_bytes());
        let ran = run(&bus, &["import", &path, "--yes"]);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("does not match its sum"), "{from}: {ran:?}");
    }
    assert_eq!(imports(&fake).len(), 0);
}

#[test]
fn nothing_is_imported_unless_somebody_agrees() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    let ran = run(&bus, &["import", &path]);
    assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(
        ran.err.contains("there is no terminal to ask on") && ran.err.contains("add --yes"),
        "{ran:?}"
    );
    for (answer, agreed) in [("n\r", false), ("\r", false), ("yes please\r", false), ("Y\r", true)]
    {
        let mut terminal = Terminal::start_with_rows(&bus, &["import", &path], 60);
        terminal.wait_for("Set this game up on this clock? [y/N]");
        terminal.type_keys(answer);
        let words = if agreed { "then: clockctl resume" } else { "nothing was changed" };
        assert_eq!(terminal.end(words), u32::from(!agreed), "{answer:?}");
        assert_eq!(imports(&fake).len(), usize::from(agreed), "{answer:?}");
    }
}

#[test]
fn a_changed_file_needs_somebody_who_looks_at_it() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let changed =
        GAME.replacen("\"remaining_ns\":365000000000", "\"remaining_ns\":995000000000", 1);
    assert_ne!(changed, GAME);
    let path = file(&bus, changed.as_bytes());
    let ran = run(&bus, &["import", &path, "--yes"]);
    assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(
        ran.err.contains("does not match its sum") && ran.err.contains("without --yes"),
        "{ran:?}"
    );
    let mut terminal = Terminal::start_with_rows(&bus, &["import", &path], 60);
    terminal.wait_for("WARNING: entry ");
    terminal.wait_for("[y/N]");
    terminal.type_keys("n\r");
    assert_eq!(terminal.end("nothing was changed"), 1);
    assert_eq!(imports(&fake).len(), 0);
}

/// Checks the message for each of the wrong files below, and that nothing is sent.
#[test]
fn a_wrong_file_is_refused_with_the_place() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let long = vec![b' '; MAX_BYTES + 1];
    let version = GAME.replacen("\"chess_clock_record\":1", "\"chess_clock_record\":2", 1);
    let typed = GAME.replacen("\"moves\":0", "\"moves\":\"\u{1b}[2Jx\"", 1);
    for (text, words) in [
        (&b""[..], "it is no JSON object; expected a file of clockctl export --format json"),
        (b"\xff\xfe{\0", "line 1, column 1: it is not UTF-8 text"),
        (b"{}", "it has no key chess_clock_record"),
        (
            version.as_bytes(),
            "its version (chess_clock_record) is 2; this clockctl reads version 1",
        ),
        (typed.as_bytes(), "line 4, column "),
        (&GAME.as_bytes()[..5000], "the text ends too early"),
        (&long, "it has more than 40 MiB"),
    ] {
        let path = file(&bus, text);
        for verb in [&["import", &path, "--yes"][..], &["export", "--from", &path]] {
            let ran = run(&bus, verb);
            assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{words}: {ran:?}");
            assert!(
                ran.err.contains("other.json: ") && ran.err.contains(words),
                "{words}: {ran:?}"
            );
            assert_eq!(ran.err.matches(|c: char| c.is_control()).count(), 1, "{ran:?}");
        }
    }
    let ran = run(&bus, &["import", "/no/such/file", "--yes"]);
    assert!(ran.exit == 2 && ran.err.contains("/no/such/file: there is no such file"), "{ran:?}");
    let ran = run(&bus, &["import", bus.folder().to_str().unwrap(), "--yes"]);
    assert!(ran.exit == 2 && ran.err.contains("not a regular file"), "{ran:?}");
    assert_eq!(fake.calls().len(), 0);
}

#[test]
fn a_refusal_of_the_clock_is_shown() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    fake.answer(Answer::Refuse(Error::GameUnderWay, "a game is under way"));
    let ran = run(&bus, &["import", &path, "--yes", "-q"]);
    assert_eq!(ran.exit, 5, "{ran:?}");
    assert!(ran.err.contains("a game is under way") && ran.err.contains("--force"), "{ran:?}");
    fake.answer(Answer::Refuse(Error::InvalidRules, "no rule profile `fide-2023`"));
    let ran = run(&bus, &["import", &path, "--yes", "-q"]);
    assert!(ran.exit == 5 && ran.err.contains("no rule profile"), "{ran:?}");
}

/// The rule profile decides which answers are allowed. The clock refuses `set-rules` for the same
/// reason.
#[test]
fn other_rules_are_refused_while_something_awaits_an_answer() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let path = file(&bus, GAME.as_bytes());
    let other = ["import", &path, "--yes", "--rules", "handbook-county"];
    let ran = run(&bus, &other);
    assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("import the game under fide-2023"), "{ran:?}");
    assert_eq!(imports(&fake).len(), 0);
    let without_rules = &["--readings-only", "--force", "--rules", ""];
    for accepted in [&["--rules", "fide-2023"][..], without_rules] {
        let ran = run(&bus, &[&["import", &path, "--yes", "-q"][..], accepted].concat());
        assert_eq!(ran.exit, 0, "{accepted:?}: {ran:?}");
    }
    assert_eq!(imports(&fake).len(), 2);
}

/// These rules must be announced before the start of the game. So a game that has begun is not imported
/// under them, unless it began under them.
#[test]
fn s2_iii_2_1_rules_that_were_not_announced_are_not_switched_on_by_an_import() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, idle());
    let under_none = GAME.replace("\"rules\":\"fide-2023\"", "\"rules\":\"\"");
    let path = file(&bus, GAME.as_bytes());
    for options in [&["--rules", "guidelines-iii"][..], &["--rules", "guidelines-iii-unsupervised"]]
    {
        for more in [&[][..], &["--readings-only", "--force"]] {
            let ran = run(&bus, &[&["import", &path, "--yes"][..], options, more].concat());
            assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
            let said = "the game began under fide-2023";
            let clause = "import the game under fide-2023 (FIDE Guidelines III.2.1)";
            assert!(ran.err.contains(said) && ran.err.contains(clause), "{ran:?}");
        }
    }
    assert_ne!(under_none, GAME);
    let path = file(&bus, under_none.as_bytes());
    let ran = run(&bus, &["import", &path, "--yes", "--rules", "guidelines-iii"]);
    assert!(ran.exit == 2 && ran.err.contains("the game began without rules"), "{ran:?}");
    assert_eq!(imports(&fake).len(), 0);
}

#[test]
fn the_state_is_shown_with_points_arrivals_confirmations_and_attachments() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, idle());
    let mut changed = GAME.to_owned();
    for (from, to) in [
        ("\"half_points_off\":0", "\"half_points_off\":1"),
        ("\"half_points_given\":0", "\"half_points_given\":3"),
        ("\"force_incident\":false", "\"force_incident\":true"),
        ("\"confirmed_correction\":false", "\"confirmed_correction\":true"),
        ("\"default_waived\":false", "\"default_waived\":true"),
        ("\"kinds\":[false", "\"kinds\":[true"),
        ("\"white\":[false,false,false,false]", "\"white\":[true,false,false,false]"),
    ] {
        let now = changed.replacen(from, to, 1);
        assert_ne!(now, changed, "{from}");
        changed = now;
    }
    let path = file(&bus, changed.as_bytes());
    let mut terminal = Terminal::start_with_rows(&bus, &["import", &path], 80);
    let shown = terminal.wait_for("[y/N]");
    for line in [
        "undue force of White is noted, and no warning was given for it",
        "points off for White: 0.5",
        "points of penalties for White: 1.5",
        "White came late, and does not lose by default",
        "White has confirmed a correction",
        "White has not arrived",
        "attached: position, verified by White (the text is in the record there)",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    terminal.type_keys("n\r");
    assert_eq!(terminal.end("nothing was changed"), 1);
}
