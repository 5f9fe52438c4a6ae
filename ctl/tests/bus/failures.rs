//! Every exit code of a failure, with its message on standard error and in JSON.

use std::{fs, process::Stdio};

use clock_dbus::Error;
use serde_json::{Value, json};

use crate::{
    fake::{Answer, Fake},
    private_bus::PrivateBus,
    program::{Ran, clockctl, finish, run},
};

const COMMANDS: [&[&str]; 9] = [
    &["start"],
    &["pause"],
    // White's clock runs, so this is no command that needs none.
    &["resume", "--side", "black"],
    &["new"],
    &["set", "--white-time", "31m"],
    &["add", "white", "-30s"],
    &["undo-press"],
    &["result", "1-0"],
    &["reopen"],
];

/// Runs `clockctl` with `args`. Checks the exit code, a message with `words` on standard error, and
/// that standard output is empty. With `--json`, standard output must have the message as an object
/// with this `code`.
fn fails(bus: &PrivateBus, args: &[&str], exit: i32, code: &str, words: &str) {
    let ran = run(bus, args);
    assert_eq!((ran.exit, ran.out.as_str()), (exit, ""), "{args:?}: {ran:?}");
    assert!(ran.err.starts_with("clockctl: ") && ran.err.contains(words), "{args:?}: {ran:?}");
    let ran = run(bus, &[args, &["--json"]].concat());
    assert_eq!(ran.exit, exit, "{args:?}: {ran:?}");
    error_object(&ran, exit, code);
}

fn error_object(ran: &Ran, exit: i32, code: &str) {
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    let message = object["error"]["message"].as_str().unwrap();
    assert!(!message.is_empty() && ran.err.contains(message.lines().next().unwrap()), "{ran:?}");
    let expected = json!({"error": {"code": code, "message": message, "exit": exit}});
    assert_eq!(object, expected);
}

#[test]
fn without_a_service_every_verb_exits_3() {
    let bus = PrivateBus::start();
    for args in COMMANDS.iter().chain([&["status"][..]].iter()) {
        let words = "there is no clock on this machine: name one with -H HOST or --hall FILE";
        fails(&bus, args, 3, "no-service", words);
    }
}

#[test]
fn a_service_that_leaves_in_the_middle_leaves_the_command_in_doubt() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.answer(Answer::Leave);
    let ran = run(&bus, &["pause"]);
    assert_eq!(ran.exit, 3, "{ran:?}");
    assert!(ran.err.contains("whether it was done is not known"), "{ran:?}");
}

#[test]
fn a_command_that_the_policy_denies_exits_4() {
    let deny = r#"<deny send_interface="org.chessclock.Clock1.Arbiter"/>"#;
    let bus = PrivateBus::with_policy(deny);
    let fake = Fake::with_game(&bus, 0);
    for args in COMMANDS {
        fails(&bus, args, 4, "denied", "denied: the bus lets only the group \"arbiter\"");
    }
    assert_eq!(run(&bus, &["status"]).exit, 0);
    let reads = |call: &String| call.starts_with("get-") || call.starts_with("list-games");
    assert!(fake.calls().iter().all(reads));
}

#[test]
fn every_refusal_exits_5_with_its_code() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    type ErrorAndCode = (fn(String) -> Error, &'static str);
    let table: [ErrorAndCode; 9] = [
        (Error::StaleRevision, "stale-revision"),
        (Error::NotPaused, "not-paused"),
        (Error::NotReady, "not-ready"),
        (Error::NotRunning, "not-running"),
        (Error::GameOver, "game-over"),
        (Error::BoardGone, "board-gone"),
        (Error::RefusedByRules, "refused-by-rules"),
        (Error::InvalidControl, "invalid-control"),
        (Error::InvalidArgument, "invalid-argument"),
    ];
    for ((error, code), args) in table.into_iter().zip(COMMANDS.iter().cycle()) {
        fake.answer(Answer::Refuse(error, "what was given, what is accepted"));
        fails(&bus, args, 5, code, "refused: what was given, what is accepted");
    }
}

#[test]
fn a_refusal_of_many_lines_is_one_line_on_standard_error() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.answer(Answer::Refuse(Error::InvalidControl, "line 3:\n  tiem = 1\n  ^\x1b[31m here"));
    let ran = run(&bus, &["new"]);
    let expected = "clockctl: cannot set up a new game: refused: line 3: tiem = 1 ^ [31m here (clockctl time-control list)\n";
    assert_eq!(ran.err, expected);
}

#[test]
fn a_clock_that_does_not_answer_its_service_exits_6() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.answer(Answer::Refuse(Error::TimedOut, "the loop is silent"));
    fails(&bus, &["pause"], 6, "timed-out", "asked again: it has not been done so far");
}

#[test]
fn a_service_that_does_not_answer_exits_6() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.answer(Answer::Silence(false));
    let ran = run(&bus, &["pause", "--json"]);
    assert_eq!(ran.exit, 6, "{ran:?}");
    error_object(&ran, 6, "timeout");
    let said = "tried to pause the clocks, got no answer, and asked again: it has not been done so far (the \
                clock still has the revision 7, sequence 20)";
    assert!(ran.err.contains(said), "{ran:?}");
}

#[test]
fn a_command_whose_answer_is_lost_is_found_by_asking_again() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.answer(Answer::ObeySilently);
    let ran = run(&bus, &["pause"]);
    assert_eq!((ran.exit, ran.out.as_str()), (6, ""), "{ran:?}");
    let said = "asked again: the clock has changed, so it was probably done (revision 8, before 7): paused: \
                White 1:29:58.3 (on move), Black 1:30:00.0; clockctl log has it";
    assert!(ran.err.contains(said), "{ran:?}");
    assert_eq!(fake.calls(), ["get-state", r#"pause Arbiter 7 """#, "get-state"]);
}

#[test]
fn a_service_that_does_not_even_show_its_state_exits_6() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    fake.answer(Answer::Silence(true));
    let ran = run(&bus, &["status"]);
    assert_eq!((ran.exit, ran.out.as_str()), (6, ""), "{ran:?}");
    assert!(ran.err.contains("no answer within 5 s"), "{ran:?}");
}

#[test]
fn a_stopped_bus_exits_6() {
    let bus = PrivateBus::start();
    bus.stop();
    let ran = run(&bus, &["status", "--json"]);
    assert_eq!(ran.exit, 6, "{ran:?}");
    error_object(&ran, 6, "bus-silent");
}

#[test]
fn a_missing_bus_exits_7() {
    let mut bus = PrivateBus::start();
    bus.end();
    for args in COMMANDS.iter().chain([&["status"][..], &["watch"]].iter()) {
        fails(&bus, args, 7, "no-bus", "there is no such file");
    }
}

#[test]
fn the_system_bus_is_the_default() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let mut command = clockctl();
    command.env("DBUS_SYSTEM_BUS_ADDRESS", bus.address()).args(["status", "-q"]);
    assert_eq!(finish(command), Ran { out: String::new(), err: String::new(), exit: 0 });
}

#[test]
fn wrong_usage_exits_2_before_the_bus_is_asked() {
    let mut bus = PrivateBus::start();
    bus.end();
    let table: [(&[&str], &str); 66] = [
        (&["set"], "nothing to set: give at least one of --white-time"),
        (&["set", "--white-time", "0:31"], "`0:31` can be 0:31:00 or 0:00:31; write one"),
        (&["set", "--white-time", "-5s"], "`-5s` is negative; expected a duration"),
        (&["set", "--white-time="], "`` is no duration; expected h:mm:ss"),
        (&["set", "--black-time", "99999999h"], "longer than the 1000:00:00 a clock takes"),
        (&["set", "--white-moves", "-1"], "expected a whole number from 0 to 4294967295"),
        (&["set", "--black-period", "0"], "expected a whole number from 1 to 4294967295"),
        (&["set", "--on-move", "green"], "[possible values: white, black]"),
        (&["set-names"], "nothing to correct: give at least one of --white, --black, --board"),
        (&["rename", "white"], "'rename'; the verb is set-names (see"),
        (&["add", "white"], "<T>"),
        (&["add", "2m", "white"], "[possible values: white, black]"),
        (&["add", "white", "0:31"], "`0:31` can be 0:31:00 or 0:00:31; write one"),
        (&["add", "white", "--5s"], "one sign at most"),
        (&["add", "white", "0s"], "nothing to add"),
        (&["result", "1:0"], "1/2-1/2"),
        (&["result"], "<RESULT>"),
        (&["pause", "--by", "me"], "[possible values: white, black, arbiter]"),
        (&["resume", "--side", "arbiter"], "[possible values: white, black]"),
        (&["press", "white"], "unrecognized subcommand"),
        (&["restore", "41"], "expected W41 or B41 for the move, --entry 41 for the entry"),
        (&["stauts"], "'stauts'; perhaps status? (see clockctl --help)"),
        (&["pasue"], "'pasue'; clockctl --help lists the verbs (see"),
        (&["undo"], "'undo'; the verb is undo-press (see"),
        (&["xyzzy"], "'xyzzy'; clockctl --help lists the verbs (see"),
        (&["status", "-n"], "--dry-run is for verbs that give the clock a command"),
        (&["--dry-run"], "--dry-run is for verbs that give the clock a command"),
        (&["result", "white"], "1-0 if White has won, 0-1 if Black has won"),
        (&["set", "white"], "<T>"),
        (&["set", "white", "31:00"], "`31:00` can be 31:00:00 or 0:31:00; write one of these"),
        (
            &["set", "--black-time", "0s"],
            "with a time of 0 Black's flag falls at once; --force allows it",
        ),
        (&["set", "white", "0s"], "--force allows it"),
        (&["set", "--white-moves", "1000000"], "1000000 moves of White are more than 999; --force"),
        (&["set", "white", "31m", "--white-time", "30m"], "the time of white is given twice"),
        (&["new", "3+2", "--control", "5+3"], "cannot be used with"),
        (&["new", "40/2, SD/1"], "write `40/2h, SD/1h` or `40/2m, SD/1m`"),
        (&["decision", "made"], "'decision'; the verb is rule (see"),
        (
            &["continue"],
            "'continue'; the verb is resume, and resume-adjourned for an adjourned game (see",
        ),
        (&["attach"], "'attach'; the verb is record-attachment (see"),
        (&["confirm", "white"], "'confirm'; the verb is record-confirmation (see"),
        (
            &["control", "list"],
            "'control'; the verb is time-control, and change-time-control changes",
        ),
        (&["pause", "--revision", "3"], "found; the option is --if-revision (see clockctl pause"),
        (
            &["claim", "draw", "--ground", "fifty"],
            "'--ground' found; the ground is given without an option, as in: clockctl claim draw",
        ),
        (
            &["claim", "draw", "--by", "white"],
            "<GROUND>; GROUND is one of cannot-win, no-effort, repetition, fifty-moves (see clockctl claim",
        ),
        (
            &["resume", "black"],
            "'black' found; the side is an option, as in: clockctl resume --side black (see",
        ),
        (
            &["resign", "black"],
            "'resign'; the verb is result; if White resigns: clockctl result 0-1",
        ),
        (&["late", "black"], "the ruling on a lateness: clockctl rule forfeit --side black"),
        (
            &["subtract", "white", "30s"],
            "the verb is add with a minus sign, as in: clockctl add white -30s",
        ),
        (&["show"], "'show'; the verb is status (see"),
        (&["history"], "'history'; the verb is log (see"),
        (&["set-time", "white", "31m"], "the verb is set, as in: clockctl set white 31m"),
        (
            &["claim", "repetition", "--by", "white"],
            "clockctl claim draw repetition --by white (see",
        ),
        (
            &["claim", "xyzzy"],
            "claim takes one of flag, draw, increment (see clockctl claim --help)",
        ),
        (&["log", "-n", "3"], "-n is --dry-run; the last entries are: clockctl log --last 3"),
        (&["watch", "-f"], "watch follows the clock without an option"),
        (&["new", "--tc", "3+2"], "'--tc' found; the option is --control (see"),
        (&["set", "white", "+2m"], "to give time: clockctl add white 2m"),
        (&["set", "control", "60+30"], "clockctl change-time-control 60+30"),
        (&["add", "5m", "white"], "the side comes first, as in: clockctl add white 2m"),
        (&["add", "white", "2"], "1500000001ns (see clockctl add --help)"),
        (&["new", "--yes"], "without --pairings new asks nothing"),
        (
            &["--boards", "3", "pause"],
            "--boards needs the boards of a hall, and no hall file is named",
        ),
        (&["-H", "clock-1", "pause", "--bus", "unix:path=/a"], "--host cannot be used with --bus"),
        (&["--hall", "h.toml", "pause", "-H", "clock-1"], "--host cannot be used with --hall"),
        (&["status", "--bus", "nowhere"], "--bus"),
        (&["new", "--control", "./nowhere"], "the control file ./nowhere: there is no such file"),
    ];
    for (args, words) in table {
        // This does not use run(), which adds `--bus`: some of `args` have a `--bus` of their own,
        // and clap would reject the second one first.
        let mut command = clockctl();
        command.args(args);
        let ran = finish(command);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{args:?}: {ran:?}");
        assert!(ran.err.starts_with("clockctl: ") && ran.err.contains(words), "{args:?}: {ran:?}");
        let mut command = clockctl();
        command.args(args).arg("--json");
        let ran = finish(command);
        assert_eq!(ran.exit, 2, "{args:?}: {ran:?}");
        let guessed = args[0] == "result" && ran.err.contains("similar");
        assert!(!guessed, "a similar result is another result: {ran:?}");
        error_object(&ran, 2, "usage");
    }
}

#[test]
fn a_control_file_must_be_readable_text_of_a_sensible_size() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let path = |name: &str| bus.folder().join(name).to_str().unwrap().to_owned();
    fs::write(path("large.toml"), vec![b' '; 64 * 1024 + 1]).unwrap();
    fs::write(path("latin.toml"), [0xe9]).unwrap();
    fails(&bus, &["new", "--control", &path("large.toml")], 2, "usage", "larger than 64 KiB");
    fails(
        &bus,
        &["new", "--control", &path("latin.toml")],
        2,
        "usage",
        "latin.toml:1:1: not UTF-8",
    );
    fails(&bus, &["new", "--control", &path("")], 2, "usage", "not a regular file");
    fails(&bus, &["new", "--control", "absent.toml"], 2, "usage", "there is no such file");
}

#[test]
fn help_and_version_are_no_failures() {
    for args in [&["--help"][..], &["set", "--help"], &["--version"]] {
        let mut command = clockctl();
        command.args(args);
        let ran = finish(command);
        assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{args:?}");
        assert!(!ran.out.is_empty());
    }
}

#[test]
fn without_a_verb_and_without_a_clock_the_help_is_named() {
    let bus = PrivateBus::start();
    let ran = run(&bus, &[]);
    assert_eq!((ran.exit, ran.out.as_str()), (3, ""));
    let expected = "systemctl status clockd says why\nclockctl --help lists the verbs\n";
    assert!(ran.err.ends_with(expected), "{ran:?}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let bus = PrivateBus::start();
    let _fake = Fake::with_game(&bus, 0);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = clockctl()
        .args(["--bus", &bus.address(), "status"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// The fake has no object of the dry runs, like a service of an earlier version.
#[test]
fn a_dry_run_never_becomes_a_command_of_a_service_that_knows_none() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, crate::fake::game());
    for args in COMMANDS {
        let ran = run(&bus, &[&["--dry-run"], args].concat());
        assert_eq!((ran.exit, ran.out.as_str()), (7, ""), "{args:?}: {ran:?}");
        assert!(ran.err.contains("the clock's clockd is older than clockctl: "), "{ran:?}");
    }
    assert_eq!(fake.calls(), Vec::<String>::new());
}
