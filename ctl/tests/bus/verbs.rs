//! Verbs that succeed: the calls that each makes, and what it prints.

use std::fs;

use clock_dbus::{Fault, FaultCode, PausedBy, Phase, State, Who};
use serde_json::Value;

use crate::{
    fake::{Answer, DONE, Fake, SECOND, game},
    private_bus::PrivateBus,
    program::{Ran, run},
};

pub fn paused() -> State {
    State { phase: Phase::Paused, running: Who::Nobody, ..game() }
}

pub fn good(ran: &Ran) -> &str {
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{ran:?}");
    &ran.out
}

/// What is printed below the sentence that says what a command did.
pub fn said(ran: &Ran) -> &str {
    let (done, rest) = good(ran).split_once('\n').unwrap();
    assert_eq!(done, DONE, "{ran:?}");
    rest
}

pub fn json(ran: &Ran) -> Value {
    let out = good(ran);
    assert_eq!(out.matches('\n').count(), 1, "one line: {out:?}");
    serde_json::from_str(out).unwrap()
}

#[test]
fn status_shows_the_clock_as_of_now() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 6 * SECOND);
    let ran = run(&bus, &["status"]);
    let expected = "\
running: White's clock

              time      delay  period  moves  player
> White  1:29:57.3  0:00:00.0     1/2     12  Anna
  Black  1:30:00.0  0:00:05.0     1/2     12  Bo

control   classical
revision  7
";
    assert_eq!(good(&ran), expected);
    assert_eq!(fake.calls(), ["get-state", "get-timebase", "list-games 0 1"]);
}

#[test]
fn status_json_is_one_line_with_the_state_as_of_now() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 6 * SECOND);
    let state = serde_json::to_string(&game().at(106 * SECOND)).unwrap();
    let state = state.strip_suffix('}').unwrap();
    assert!(state.contains(r#""white":{"remaining_ns":5397250000000,"limit_ns":null,"#), "{state}");
    let expected = format!("{state},\"imported_from\":null}}\n");
    // A global option may stand before or after the verb.
    assert_eq!(good(&run(&bus, &["--json", "status"])), expected);
    assert_eq!(good(&run(&bus, &["status", "--json"])), expected);
}

#[test]
fn status_says_what_is_wrong_and_why_the_clock_is_paused() {
    let bus = PrivateBus::start();
    let text = "the buttons are not connected: check the cable";
    let faults = vec![Fault::new(FaultCode::BoardGone, text)];
    let state =
        State { paused_by: PausedBy::BoardGone, arbiter_called_by: Who::Black, faults, ..paused() };
    let _fake = Fake::start(&bus, state);
    let ran = run(&bus, &["status"]);
    let out = good(&ran);
    let expected = "\
paused because the buttons were disconnected: White is on move
arbiter   called by Black
fault: the buttons are not connected: check the cable

              time";
    assert!(out.starts_with(expected), "{out}");
    let object = json(&run(&bus, &["status", "--json"]));
    assert_eq!(object["paused_by"], "board-gone");
    assert_eq!(object["faults"], serde_json::json!([{"code": "board-gone", "text": text}]));
}

#[test]
fn start_starts_with_the_revision_and_the_reason() {
    let bus = PrivateBus::start();
    let ready = State { phase: Phase::Ready, running: Who::Nobody, ..game() };
    let fake = Fake::start(&bus, ready);
    let ran = run(&bus, &["start", "--reason", "round 1"]);
    assert_eq!(said(&ran), "running: White 1:29:58.3 (on move), Black 1:30:00.0\n");
    assert_eq!(fake.calls()[..2], ["get-state", r#"start 7 "round 1""#]);
}

#[test]
fn a_command_can_name_the_revision_that_the_arbiter_saw() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 6 * SECOND);
    good(&run(&bus, &["pause", "-q", "--if-revision", "7"]));
    assert_eq!(fake.calls(), ["get-state", r#"pause Arbiter 7 """#]);
}

#[test]
fn pause_stops_the_clocks_with_its_second_call() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 6 * SECOND);
    let ran = run(&bus, &["pause", "-q"]);
    assert_eq!(good(&ran), "");
    assert_eq!(fake.calls(), ["get-state", r#"pause Arbiter 7 """#]);
}

#[test]
fn pause_prints_the_times_and_names_the_caller() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 6 * SECOND);
    let ran = run(&bus, &["pause", "--by", "black"]);
    assert_eq!(said(&ran), "paused: White 1:29:57.3 (on move), Black 1:30:00.0\n");
    assert_eq!(fake.calls()[1], r#"pause Black 7 """#);
    assert!(good(&run(&bus, &["status"])).contains("arbiter   called by Black\n"));
}

#[test]
fn commands_answer_with_the_status_object() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let object = json(&run(&bus, &["--json", "pause"]));
    assert_eq!((&object["phase"], &object["revision"]), (&"paused".into(), &8.into()));
    assert_eq!(json(&run(&bus, &["--json", "resume"]))["running"], "white");
    let object = json(&run(&bus, &["--json", "result", "1/2-1/2"]));
    assert_eq!((&object["phase"], &object["result"]), (&"over".into(), &"1/2-1/2".into()));
    let object = json(&run(&bus, &["--json", "set", "--white-time", "1ns"]));
    assert_eq!(object["white"]["remaining_ns"], 1);
    assert_eq!(json(&run(&bus, &["--json", "new", "--control", "blitz"]))["control"], "blitz");
}

#[test]
fn resume_takes_the_side_on_move_or_the_one_named() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    good(&run(&bus, &["resume"]));
    let ran = run(&bus, &["resume", "--side", "black"]);
    assert_eq!(said(&ran), "running: White 1:29:58.3, Black 1:30:00.0 (on move)\n");
    let calls = fake.calls();
    assert!(calls.contains(&r#"resume Nobody 7 """#.to_owned()), "{calls:?}");
    assert!(calls.contains(&r#"resume Black 8 """#.to_owned()), "{calls:?}");
}

#[test]
fn result_is_entered() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["result", "0-1", "--reason", "resigned"]);
    assert_eq!(said(&ran), "over 0-1: White 1:29:58.3, Black 1:30:00.0\n");
    assert_eq!(fake.calls()[1], r#"result 0-1 7 "resigned""#);
}

#[test]
fn set_gives_the_whole_correction_and_echoes_both_readings() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let args = ["set", "--white-time", "0:31:00.000000001", "--black-moves", "11"];
    let ran = run(&bus, &[&args[..], &["--on-move", "black"]].concat());
    let expected = "\
                     White  moves  period    Black  moves  period  on move
before          1:29:58.3     12     1/2  1:30:00.0     12     1/2  White
after   0:31:00.1     12     1/2  1:30:00.0     11     1/2  Black
";
    assert_eq!(squeezed(said(&ran)), squeezed(expected));
    let call = "set Corrections { white_time_nsec: Some(1860000000001), black_time_nsec: None, \
                white_moves: None, black_moves: Some(11), white_period: None, black_period: None, \
                white_overtime_periods: None, white_overtime_moves: None, \
                black_overtime_periods: None, black_overtime_moves: None, \
                on_move: Some(Black) } 7 \"\"";
    assert_eq!(fake.calls()[1], call);
}

#[test]
fn set_says_that_a_counter_alone_changes_no_period() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, paused());
    let note = "Black's counter is 40 but Black is still in period 1: period 2 and its time come \
                with Black's next press; to change the period too, add --black-period 2\n";
    let said = run(&bus, &["set", "--white-time", "0:31:00", "--black-moves", "40"]);
    assert!(good(&said).ends_with(note), "{said:?}");
    for args in [
        &["set", "--black-moves", "39"][..],
        &["set", "--black-moves", "40", "--black-period", "1"],
        &["set", "--white-time", "0:31:00"],
    ] {
        let said = run(&bus, args);
        assert!(!good(&said).contains("still in period"), "{said:?}");
    }
    assert_eq!(good(&run(&bus, &["set", "-q", "--black-moves", "40"])), "");
    assert_eq!(json(&run(&bus, &["set", "--json", "--black-moves", "40"]))["black"]["moves"], 40);
}

#[test]
fn set_carries_what_is_left_of_an_overtime() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let white = ["set", "--white-period", "2", "--white-overtime-periods", "3"];
    good(&run(&bus, &[&white[..], &["--white-overtime-moves", "1"]].concat()));
    good(&run(&bus, &["set", "--black-overtime-periods", "2", "--black-overtime-moves", "5"]));
    let calls: Vec<String> = fake.calls().into_iter().filter(|c| c.starts_with("set")).collect();
    for (call, part) in calls.iter().zip([
        "white_period: Some(2), black_period: None, white_overtime_periods: Some(3), \
         white_overtime_moves: Some(1), black_overtime_periods: None, black_overtime_moves: None",
        "white_overtime_moves: None, black_overtime_periods: Some(2), black_overtime_moves: Some(5)",
    ]) {
        assert!(call.contains(part), "{call}");
    }
    assert_eq!(calls.len(), 2);
    let ran = run(&bus, &["set", "--white-overtime-periods", "0"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
}

#[test]
fn new_over_a_game_under_way_is_refused_and_can_be_forced() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.answer(Answer::Refuse(
        clock_dbus::Error::GameUnderWay,
        "a game is under way and would be lost: paused, White 12 moves and 1:29:58",
    ));
    let ran = run(&bus, &["new"]);
    assert_eq!((ran.exit, ran.out.as_str()), (5, ""), "{ran:?}");
    assert!(
        ran.err
            .contains("cannot set up a new game: refused: a game is under way and would be lost")
            && ran.err.contains("White 12 moves and 1:29:58")
            && ran.err.ends_with(
                "(clockctl result RESULT REASON ends it, clockctl new --force gives it up)\n"
            ),
        "{ran:?}"
    );
    fake.answer(Answer::Obey);
    good(&run(&bus, &["new", "--force"]));
    let calls = fake.calls();
    assert!(calls.iter().any(|call| call.contains("force: Some(true), rules: None")), "{calls:?}");
}

#[test]
fn pause_announces_a_text_after_the_clocks_stand() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    good(&run(&bus, &["pause", "--announce", "lunch until 14:00", "--reason", "schedule"]));
    let status = run(&bus, &["status"]);
    assert!(good(&status).contains("\nannounce  lunch until 14:00\n"), "{status:?}");
    assert_eq!(json(&run(&bus, &["status", "--json"]))["announcement"], "lunch until 14:00");
    good(&run(&bus, &["announce", ""]));
    assert!(json(&run(&bus, &["status", "--json"]))["announcement"].is_null());
    // A text that the service would refuse does not stop the clocks.
    let ran = run(&bus, &["pause", "--announce", "lunch\nuntil 14:00"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    let is_command = |call: &String| !call.starts_with("get-") && !call.starts_with("list-games");
    let calls: Vec<String> = fake.calls().into_iter().filter(is_command).collect();
    let expected = [
        "pause Arbiter 7 \"schedule\"",
        "announce \"lunch until 14:00\" 8 \"schedule\"",
        "announce \"\" 9 \"\"",
    ];
    assert_eq!(calls, expected);
}

fn squeezed(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.collect()
}

#[test]
fn add_gives_and_takes_and_echoes_both_readings() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["add", "white", "2m", "--reason", "noise"]);
    let expected = "\
                     White  moves  period    Black  moves  period  on move
before          1:29:58.3     12     1/2  1:30:00.0     12     1/2  White
after           1:31:58.3     12     1/2  1:30:00.0     12     1/2  White
";
    assert_eq!(squeezed(said(&ran)), squeezed(expected));
    // A negative time needs no `--` before it, wherever the options stand on the command line.
    for args in [
        &["add", "black", "-30s", "-q"][..],
        &["add", "-q", "black", "-30s"],
        &["add", "black", "-q", "-30s"],
        &["-q", "add", "black", "--", "-30s"],
        &["add", "black", "+0:00:30", "-q"],
    ] {
        assert_eq!(good(&run(&bus, args)), "", "{args:?}");
    }
    assert_eq!(json(&run(&bus, &["add", "--json", "white", "1ns"]))["revision"], 14);
    let calls: Vec<String> = fake.calls().into_iter().filter(|c| c.starts_with("add")).collect();
    let expected = [
        "add White 120000000000 7 \"noise\"",
        "add Black -30000000000 8 \"\"",
        "add Black -30000000000 9 \"\"",
        "add Black -30000000000 10 \"\"",
        "add Black -30000000000 11 \"\"",
        "add Black 30000000000 12 \"\"",
        "add White 1 13 \"\"",
    ];
    assert_eq!(calls, expected);
}

#[test]
fn undo_press_echoes_both_readings() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["undo-press", "--reason", "bumped"]);
    let expected = "\
                     White  moves  period    Black  moves  period  on move
before          1:29:58.3     12     1/2  1:30:00.0     12     1/2  White
after           1:29:58.3     12     1/2  1:30:00.0     11     1/2  Black
paused: White 1:29:58.3, Black 1:30:00.0 (on move)
";
    assert_eq!(squeezed(said(&ran)), squeezed(expected));
    assert_eq!(good(&run(&bus, &["undo-press", "-q"])), "");
    assert_eq!(json(&run(&bus, &["undo-press", "--json"]))["black"]["moves"], 9);
    assert!(fake.calls().contains(&"undo-press 7 \"bumped\"".to_owned()), "{:?}", fake.calls());
}

#[test]
fn names_are_corrected() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    let ran =
        run(&bus, &["set-names", "--white", "Ánna \u{1b}[31m", "--black", "", "--board", "7"]);
    assert!(said(&ran).starts_with("running: "), "{ran:?}");
    let object = json(&run(&bus, &["set-names", "--json", "--white", "Anna"]));
    assert_eq!((&object["white"]["player"], &object["revision"]), (&"Anna".into(), &9.into()));
    assert_eq!(good(&run(&bus, &["set-names", "-q", "--round", "3"])), "");
    let calls: Vec<String> = fake.calls().into_iter().filter(|c| c.starts_with("set-n")).collect();
    let last = "set-names Names { white_player: None, black_player: None, board: None, \
                round: Some(\"3\"), event: None } 9 \"\"";
    assert_eq!((calls.len(), calls[2].as_str()), (3, last));
}

#[test]
fn a_result_is_taken_back() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    assert!(good(&run(&bus, &["result", "1-0"])).contains("1-0"));
    let ran = run(&bus, &["reopen", "--reason", "wrong board"]);
    let said = good(&ran);
    assert!(said.contains("paused") && !said.contains("1-0"), "{said}");
    assert!(fake.calls().iter().any(|call| call.starts_with("reopen ")), "{:?}", fake.calls());
    assert!(fake.calls().iter().any(|call| call.ends_with("\"wrong board\"")));
}

#[test]
fn new_takes_a_name_or_a_file() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let file = bus.folder().join("club evening.toml");
    fs::write(&file, "name = \"x\"\n").unwrap();
    good(&run(&bus, &["new", "--control", file.to_str().unwrap(), "--white", "Ćira"]));
    good(&run(&bus, &["new", "--control", "blitz", "--black", ""]));
    good(&run(&bus, &["new"]));
    let calls: Vec<String> = fake.calls().into_iter().filter(|c| c.starts_with("new")).collect();
    let expected = [
        "new NewGame { time_control: Some(\"club evening\"), \
         time_control_file: Some(\"name = \\\"x\\\"\\n\"), white_player: Some(\"Ćira\"), \
         black_player: None, board: None, round: None, event: None, force: None, rules: None, start_at_realtime_nsec: None, \
         captain_plays: None, present_arbiter: None } 7 \"\"",
        "new NewGame { time_control: Some(\"blitz\"), time_control_file: None, \
         white_player: None, black_player: Some(\"\"), board: None, round: None, event: None, force: None, rules: None, start_at_realtime_nsec: None, \
         captain_plays: None, present_arbiter: None } 8 \"\"",
        "new NewGame { time_control: None, time_control_file: None, white_player: None, \
         black_player: None, board: None, round: None, event: None, force: None, rules: None, start_at_realtime_nsec: None, \
         captain_plays: None, present_arbiter: None } 9 \"\"",
    ];
    assert_eq!(calls, expected);
}

#[test]
fn new_warns_of_a_name_that_the_face_cannot_show() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, paused());
    let warning = |side: &str| {
        format!(
            "the face shows '{side}' and not this name: give it in Latin letters, as on FIDE's list\n"
        )
    };
    for (white, black, warned) in [
        ("Людмила Руденко", "Ćira", vec![]),
        ("丁立人", "Efim", vec!["White"]),
        ("Vera", "יהודה", vec!["Black"]),
        ("الله", "विश्वनाथन", vec!["White", "Black"]),
    ] {
        let ran = run(&bus, &["new", "--white", white, "--black", black]);
        let shown: Vec<&str> = ["White", "Black"]
            .into_iter()
            .filter(|side| good(&ran).contains(&warning(side)))
            .collect();
        assert_eq!(shown, warned, "{ran:?}");
    }
}

#[test]
fn new_sends_the_control_file_of_a_notation_and_says_how_it_was_read() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = run(&bus, &["new", "--control", "g/60D5"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let echo = "clockctl: `G/60 d5` means all moves in 1:00:00, 5 s delay a move from move 1\n";
    assert_eq!(ran.err, echo);
    assert_eq!(good(&run(&bus, &["new", "-q", "--control", "pgn:*180"])), "");
    let ran = run(&bus, &["new", "--control", "40/90"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert!(
        ran.err.contains("cannot set up a new game: the time control 40/90: no time"),
        "{ran:?}"
    );
    let calls: Vec<String> = fake.calls().into_iter().filter(|c| c.starts_with("new")).collect();
    let expected = [
        "new NewGame { time_control: Some(\"G/60 d5\"), time_control_file: Some(\"name = \\\"G/60 \
         d5\\\"\\n\\n[[period]]\\ntime = \\\"1:00:00\\\"\\ndelay = \\\"0:00:05\\\"\\n\"), white_player: None, \
         black_player: None, board: None, round: None, event: None, force: None, rules: None, start_at_realtime_nsec: None, \
         captain_plays: None, present_arbiter: None } 7 \"\"",
        "new NewGame { time_control: Some(\"pgn:*180\"), time_control_file: Some(\"name = \
         \\\"pgn:*180\\\"\\n\\n[[period]]\\ntime = \\\"0:03:00\\\"\\nhourglass = true\\n\"), white_player: \
         None, black_player: None, board: None, round: None, event: None, force: None, rules: None, start_at_realtime_nsec: None, \
         captain_plays: None, present_arbiter: None } 8 \"\"",
    ];
    assert_eq!(calls, expected);
}

/// `31:00:00` is 31 hours, and an arbiter who types it means 31 minutes.
#[test]
fn a_time_far_above_what_the_control_gives_wants_force() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let sent = |fake: &Fake| {
        let calls = fake.calls().into_iter();
        calls.filter(|call| call.starts_with("set ") || call.starts_with("add ")).count()
    };
    for words in [
        &["set", "white", "31:00:00"][..],
        &["set", "--white-time", "99h"],
        &["set", "--black-time", "4:00:01"],
        &["add", "black", "31:00:00"],
    ] {
        let ran = run(&bus, words);
        assert_eq!(ran.exit, 2, "{words:?}: {ran:?}");
        // 40 moves in 1:30:00, then 0:30:00: twice two hours.
        assert!(ran.err.contains("up to 4:00:00 is set without --force"), "{ran:?}");
    }
    assert_eq!(sent(&fake), 0);
    good(&run(&bus, &["set", "white", "31:00:00", "--force"]));
    good(&run(&bus, &["set", "--black-time", "4h"]));
    good(&run(&bus, &["add", "black", "31:00:00", "--force"]));
    good(&run(&bus, &["add", "white", "-30s"]));
    assert_eq!(sent(&fake), 4);
}
