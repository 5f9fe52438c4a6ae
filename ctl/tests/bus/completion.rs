//! The candidates for an unfinished command line, and what bash, zsh and fish make of them.

mod shells;

use std::{
    fs,
    time::{Duration, Instant},
};

use clock_dbus::State;
use serde_json::{Value, json};

use crate::{
    fake::{Answer, Fake, game},
    private_bus::PrivateBus,
    program::{Ran, clockctl, finish, run, wait_until},
    rules::claimed,
};

/// What `clockctl` answers to the shell's question for these words. A run never fails and has no
/// message.
fn answer(bus: &PrivateBus, words: &[&str]) -> String {
    let mut command = clockctl();
    command.env("DBUS_SYSTEM_BUS_ADDRESS", bus.address()).arg("__complete").args(words);
    let Ran { out, err, exit } = finish(command);
    assert_eq!((err.as_str(), exit), ("", 0), "{words:?}");
    out
}

/// The candidates without their descriptions.
fn words(bus: &PrivateBus, given: &[&str]) -> Vec<String> {
    let answer = answer(bus, given);
    let candidates = answer.lines().skip(1).map(|line| line.split('\t').next().unwrap());
    candidates.map(str::to_owned).collect()
}

/// A service whose second game, of Anna and Bo, is adjourned.
fn with_adjourned_game(bus: &PrivateBus, state: State) -> Fake {
    let fake = Fake::start(bus, state);
    let mut script = fake.script.lock().unwrap();
    let game = &mut script.record.games[0];
    let mut adjourned: Value = serde_json::from_str(game).unwrap();
    adjourned["adjourned"] = json!(true);
    (adjourned["white"], adjourned["black"]) = (json!("Anna"), json!("Bo"));
    *game = adjourned.to_string();
    drop(script);
    fake
}

#[test]
fn candidates_come_from_the_command_line_itself() {
    let bus = PrivateBus::start();
    let answer = answer(&bus, &["st"]);
    assert_eq!(answer, "words\nstatus\tShow the state of the clock\nstart\tStart White's clock\n");
    assert_eq!(words(&bus, &["export", "--format", ""]), ["json", "pgn", "csv"]);
    assert_eq!(words(&bus, &["export", "--format=p"]), ["--format=pgn"]);
    assert_eq!(words(&bus, &["add", "w"]), ["white"]);
    assert_eq!(words(&bus, &["penalize", "white", "o"]).len(), 3);
    assert_eq!(words(&bus, &["result", "1"]), ["1-0", "1/2-1/2"]);
    // Nothing is known of a time or a name.
    assert_eq!(words(&bus, &["add", "white", ""]), [""; 0]);
    assert_eq!(words(&bus, &["new", "--white", ""]), [""; 0]);
    let options = words(&bus, &["export", "--format", "pgn", "--"]);
    assert!(options.contains(&"--output".to_owned()) && options.contains(&"--json".to_owned()));
    assert!(!options.contains(&"--format".to_owned()), "it was given: {options:?}");
}

#[test]
fn candidates_come_from_the_clock() {
    let bus = PrivateBus::start();
    let fake = with_adjourned_game(&bus, claimed());
    assert_eq!(words(&bus, &["resume-adjourned", ""]), ["2"]);
    let games = answer(&bus, &["export", ""]);
    assert!(games.starts_with("files\n3\t") && games.contains("\n2\tAnna - Bo, "), "{games}");
    // What the profile allows now, and not every word of the language.
    assert_eq!(words(&bus, &["rule", ""]), ["reject", "postpone", "drawn"]);
    assert_eq!(words(&bus, &["set-rules", ""]), ["county", "fide-2023"]);
    assert_eq!(words(&bus, &["new", "--rules=c"]), ["--rules=county"]);
    fake.change(|state| (state.white.moves, state.black.moves) = (2, 1));
    assert_eq!(words(&bus, &["rewind", ""]), ["W2", "B1", "W1"]);
    // The option names another bus, on which there is no service.
    let other = PrivateBus::start();
    assert_eq!(words(&bus, &["--bus", &other.address(), "rule", ""]), [""; 0]);
    assert_eq!(words(&other, &["--bus", &bus.address(), "rewind", "B"]), ["B1"]);
}

#[test]
fn controls_and_rules_are_those_of_every_clock_where_no_service_answers() {
    let bus = PrivateBus::start();
    for verb in ["set-rules", "import"] {
        let line: &[&str] =
            if verb == "import" { &[verb, "x", "--rules", "fide-2"] } else { &[verb, "fide-2"] };
        assert_eq!(words(&bus, line), ["fide-2023"], "{verb}");
    }
    assert!(answer(&bus, &["new", "fide-s"]).starts_with("files\nfide-standard\t"));
    // A clock on another machine is not asked.
    let _fake = Fake::start(&bus, game());
    assert!(words(&bus, &["-H", "clock-12", "set-rules", "c"]).is_empty());
}

#[test]
fn boards_come_from_the_hall_file() {
    let bus = PrivateBus::start();
    let file = bus.folder().join("hall.toml");
    let text = "[[board]]\nboard = '1'\nhost = 'c-1'\nwhite = 'Anna'\nblack = 'Bo'\n\
                [[board]]\nboard = 'A2'\nhost = 'c-2'\n";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(
        answer(&bus, &["--hall", file, "--boards", ""]),
        "words\n1\tAnna - Bo\nA2\t\nall\tevery board\n"
    );
    assert_eq!(words(&bus, &["--hall", file, "--boards", "1,A"]), ["1,A2"]);
    assert_eq!(words(&bus, &["--hall", "/no/such/file", "--boards", ""]), [""; 0]);
    assert_eq!(answer(&bus, &["--hall", ""]), "files\n");
}

#[test]
fn a_clock_or_a_bus_that_does_not_answer_delays_nobody() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    fake.answer(Answer::Silence(true));
    // A command waits for 5 s.
    let limit = Duration::from_secs(3);
    let begun = Instant::now();
    assert_eq!(words(&bus, &["rule", ""]), [""; 0]);
    assert!(begun.elapsed() < limit);
    bus.stop();
    let begun = Instant::now();
    assert_eq!(words(&bus, &["export", ""]), [""; 0]);
    assert!(begun.elapsed() < limit);
    let mut gone = PrivateBus::start();
    gone.end();
    assert_eq!(words(&gone, &["resume-adjourned", ""]), [""; 0]);
}

/// The bus can start the service on demand: a call to it does, and a question of a shell does not.
#[test]
fn a_completion_starts_no_service() {
    let services = tempfile::tempdir().unwrap();
    let started = services.path().join("started");
    let text = format!(
        "[D-BUS Service]\nName=org.chessclock.Clock1\nExec=/usr/bin/touch {}\n",
        started.display()
    );
    fs::write(services.path().join("org.chessclock.Clock1.service"), text).unwrap();
    let bus = PrivateBus::with_policy(&format!(
        "</policy><servicedir>{}</servicedir><policy context=\"mandatory\">",
        services.path().display()
    ));
    for line in [["rule", ""], ["export", ""], ["set-rules", ""], ["rewind", ""], ["new", ""]] {
        answer(&bus, &line);
    }
    assert!(!started.exists());
    let _ = run(&bus, &["status"]);
    wait_until("the bus starts the service for a call", || started.exists());
}

#[test]
fn what_a_terminal_could_obey_is_no_candidate() {
    let bus = PrivateBus::start();
    // The first game of the record has such a name, and a board of a hall cannot have one.
    let _fake = Fake::start(&bus, game());
    let games = answer(&bus, &["export", ""]);
    assert!(!games.contains('\u{1b}') && games.lines().count() == 3, "{games}");
}
