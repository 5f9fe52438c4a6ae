//! One command for many clocks: real services on buses of their own, reached directly and through a
//! real `sshd`.

mod again;
mod live;
mod pairings;
mod round;
mod ssh;

use crate::python;
use clock_tests::{Bench, Program, eventually};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const FIVE_AND_TWO_MINUTES: u64 = 420_000_000_000;

/// A clock service with its bus. The service is stopped before the bus.
struct Clock {
    clockd: Program,
    _bus: Program,
    bench: Bench,
}

impl Clock {
    fn start() -> Clock {
        let bench = Bench::in_memory().unwrap();
        let bus = bench.bus().unwrap();
        let clockd = start(&bench);
        Clock { clockd, _bus: bus, bench }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        self.clockd.signal(signal).unwrap();
    }

    /// Changes an entry of a game on record, as damage does.
    fn damage(&self, game: i64) {
        let file = record(&self.bench).join(format!("{game:06}.jsonl"));
        let damaged = fs::read_to_string(&file).unwrap().replacen("\"raw_ns\":", "\"raw_nt\":", 1);
        fs::write(&file, damaged).unwrap();
    }

    fn white_nsec(&self) -> u64 {
        self.bench.status().unwrap()["white"]["remaining_ns"].as_u64().unwrap()
    }
}

fn record(bench: &Bench) -> PathBuf {
    bench.folder().join("games")
}

fn start(bench: &Bench) -> Program {
    bench.clockd(&["--record", record(bench).to_str().unwrap()]).unwrap()
}

/// Clocks with the boards 1 to `count`, and a folder with their hall file.
struct Hall {
    folder: tempfile::TempDir,
    clocks: Vec<Clock>,
}

impl Hall {
    fn start(count: usize) -> Hall {
        let folder = tempfile::tempdir().unwrap();
        let clocks: Vec<Clock> = (0..count).map(|_| Clock::start()).collect();
        let mut text = "event = \"Open\"\nround = \"3\"\n".to_owned();
        for (index, clock) in clocks.iter().enumerate() {
            let (board, bus) = (index + 1, clock.bench.address());
            text += &format!("[[board]]\nboard = \"{board}\"\nbus = \"{bus}\"\n");
            text += &format!("white = \"O'Kelly {board}\"\n");
        }
        fs::write(folder.path().join("hall.toml"), text).unwrap();
        Hall { folder, clocks }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        command(self.folder.path(), arguments)
    }

    /// Runs `clockctl --hall hall.toml` with the arguments.
    fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(&[&["--hall", "hall.toml"], arguments].concat()))
    }
}

/// `clockctl` in the folder.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(clock_tests::program("clockctl"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env_remove("DBUS_SYSTEM_BUS_ADDRESS");
    command
}

/// What a run printed, and its exit code.
#[derive(Debug)]
struct Ran {
    out: String,
    err: String,
    exit: i32,
}

fn ran(mut command: Command) -> Ran {
    let Output { status, stdout, stderr } = command.output().unwrap();
    Ran {
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
        exit: status.code().unwrap(),
    }
}

#[test]
fn ten_clocks_are_set_up_started_and_corrected_with_one_command_each() {
    let hall = Hall::start(10);
    let new = hall.run(&["new", "5+0"]);
    assert_eq!((new.exit, new.out.lines().count()), (0, 10), "{new:?}");
    for (index, clock) in hall.clocks.iter().enumerate() {
        let state = clock.bench.status().unwrap();
        let board = (index + 1).to_string();
        assert_eq!(state["board"], *board);
        assert_eq!((&state["event"], &state["round"]), (&"Open".into(), &"3".into()));
        assert_eq!(state["white"]["player"], *format!("O'Kelly {board}"));
    }

    // Board 1 answers last, and its line is the first one all the same.
    hall.clocks[0].signal(rustix::process::Signal::STOP);
    let started = std::thread::scope(|scope| {
        let start = scope.spawn(|| hall.run(&["start"]));
        eventually("the other clocks run", || {
            let runs = |clock: &Clock| clock.bench.status().ok().map(|it| it["phase"] == "running");
            hall.clocks[1..].iter().all(|clock| runs(clock) == Some(true)).then_some(())
        });
        hall.clocks[0].signal(rustix::process::Signal::CONT);
        start.join().unwrap()
    });
    assert_eq!(started.exit, 0, "{started:?}");
    let lines: Vec<&str> = started.out.lines().collect();
    let boards: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(boards, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    assert!(
        lines[9].starts_with("10  The game is started, White's clock runs from W "),
        "{lines:?}"
    );

    // A command about a game wants the boards to be named.
    let add = hall.run(&["add", "white", "2m"]);
    assert_eq!((add.exit, add.out.as_str()), (2, ""));
    assert!(add.err.contains("the hall has 10 boards: say which ones"), "{add:?}");

    let paused = hall.run(&["--boards", "2,4-5", "pause", "--by", "black"]);
    assert_eq!((paused.exit, paused.out.lines().count()), (0, 3), "{paused:?}");
    let table = hall.run(&["status"]);
    let first: Vec<&str> = table.out.lines().skip(1).map(|line| &line[..2]).collect();
    let order = ["2 ", "4 ", "5 ", "1 ", "3 ", "6 ", "7 ", "8 ", "9 ", "10"];
    assert_eq!(first, order, "{}", table.out);
    assert!(table.out.contains("called by Black") && table.out.contains("O'Kelly 7"), "{table:?}");

    // A refusal of some boards does not keep the others.
    let add = hall.run(&["--boards", "4-7", "add", "white", "2m", "--json"]);
    let of_boards = add.out.lines().map(|line| ("board-line", line.to_owned()));
    python::check_lines(python::CLOCKCTL, &of_boards.collect::<Vec<_>>());
    assert_eq!((add.exit, add.out.lines().count()), (5, 4), "{add:?}");
    for line in add.out.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let board: usize = line["board"].as_str().unwrap().parse().unwrap();
        let exit = if board <= 5 { 0 } else { 5 };
        assert_eq!(line["exit"], exit, "{line}");
        assert_eq!(line["answer"]["error"]["exit"].as_u64(), (exit == 5).then_some(5), "{line}");
    }
    assert!(add.err.contains("failed on 2 of 4 boards\n  6, 7: cannot add time"), "{add:?}");
    // The command that works now is for both.
    let pause = "(stop the clocks first: clockctl --hall hall.toml --boards 6,7 pause)\n";
    assert!(add.err.contains(pause), "{add:?}");
    assert!(hall.clocks[3].white_nsec() > 400_000_000_000);

    let one = hall.run(&["--boards", "4", "status", "--exit-code"]);
    assert!(one.exit != 0 && one.out.contains("board     4"), "{one:?}");
}

#[test]
fn new_names_what_a_board_has_from_before_and_what_not() {
    let hall = Hall::start(3);
    let path = hall.folder.path().join("hall.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("round = \"3\"\n", "")).unwrap();
    fs::write(hall.folder.path().join("round.csv"), "board,white,black\n1,A,B\n2,C,D\n3,E,F\n")
        .unwrap();
    let words = ["new", "G/4", "--rules", "fide-2023", "--round", "3", "--pairings", "round.csv"];
    let new = hall.run(&[&words[..], &["--yes"]].concat());
    assert_eq!(new.exit, 0, "{new:?}");
    assert!(!new.out.contains("not given") && !new.out.contains("not as before"), "{}", new.out);
    // Board 2 gets another control.
    let again = hall.run(&["--boards", "2", "new", "3+2", "--white", "C"]);
    let lines: Vec<&str> = again.out.lines().collect();
    let expected = [
        "2: not given, and so as before: rules",
        "2: not as before, give again if wanted: --black, --round",
    ];
    assert_eq!(lines[1..], expected, "{again:?}");
    let state = hall.clocks[1].bench.status().unwrap();
    assert_eq!((&state["black"]["player"], &state["round"]), (&"".into(), &Value::Null));
    // Boards with the same options have one line.
    let again = hall.run(&["new", "3+2", "--white", "X", "--black", "Y", "--rules", ""]);
    let lines: Vec<&str> = again.out.lines().collect();
    assert_eq!(lines[3..], ["1, 3: not as before, give again if wanted: --round"], "{again:?}");
}

#[test]
fn a_board_without_an_answer_has_the_reason_in_the_table() {
    let mut hall = Hall::start(3);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    hall.clocks[1].clockd.kill().unwrap();
    hall.clocks[2].signal(rustix::process::Signal::STOP);
    let table = hall.run(&["--deadline", "2", "status"]);
    hall.clocks[2].signal(rustix::process::Signal::CONT);
    assert_eq!(table.exit, 9, "{table:?}");
    let row = |number: usize| {
        let cells = table.out.lines().nth(number).unwrap().split("  ").map(str::trim);
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    // The row is short, and the whole reason stands below the table.
    assert_eq!(row(1), ["2", "no answer", "no clock service"], "{}", table.out);
    assert_eq!(row(2), ["3", "no answer", "no answer in time"], "{}", table.out);
    let service = "no clock service on this bus: is clockd running? (systemctl status clockd)";
    let below = format!("failed on 2 of 3 boards\n  2: {service}\n  3: no answer within 2 s\n");
    assert!(table.err.contains(&below), "{}", table.err);
    let widest = table.out.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest < 100, "{}", table.out);
}

#[test]
fn a_dry_run_on_many_clocks_has_a_line_for_each_and_is_not_named_again() {
    let hall = Hall::start(3);
    let before: Vec<Value> =
        hall.clocks.iter().map(|clock| clock.bench.status().unwrap()).collect();
    let new = hall.run(&["--dry-run", "new", "5+0"]);
    assert_eq!(new.exit, 0, "{new:?}");
    let ready = "; ready: White 0:05:00.0 (on move), Black 0:05:00.0";
    for (line, board) in new.out.lines().zip(1..=3) {
        let says = format!("{board}  dry run: A new game is set up: ");
        assert!(line.starts_with(&says) && line.ends_with(ready), "{new:?}");
    }
    assert_eq!(new.out.lines().count(), 3);
    let json = hall.run(&["-n", "--json", "--boards", "2", "add", "white", "2m"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["dry_run"], true, "{json}");
    for (clock, before) in hall.clocks.iter().zip(&before) {
        let after = clock.bench.status().unwrap();
        assert_eq!(
            (&after["control"], &after["revision"]),
            (&before["control"], &before["revision"])
        );
    }

    // It is named again only if it was no dry run.
    assert_eq!(hall.run(&["--boards", "1", "start"]).exit, 0);
    let started = hall.run(&["start"]);
    let again = "the command again, for 1 only:\n  clockctl --boards 1 --hall hall.toml start\n";
    assert!(started.exit == 5 && started.err.ends_with(again), "{started:?}");
    let tried = hall.run(&["--boards", "all", "-n", "add", "white", "2m"]);
    assert_eq!((tried.exit, tried.out.lines().count()), (5, 0), "{tried:?}");
    assert!(tried.err.contains("failed on 3 of 3 boards\n  1, 2, 3: cannot add time"), "{tried:?}");
    assert!(!tried.err.contains("again"), "{tried:?}");
}

#[test]
fn what_needs_one_clock_is_refused_for_many() {
    let hall = Hall::start(0);
    let two = "[[board]]\nboard='1'\nhost='a'\n[[board]]\nboard='2'\nhost='b'\n";
    fs::write(hall.folder.path().join("hall.toml"), two).unwrap();
    for (arguments, said) in [
        (&["rule"][..], "a ruling must be given"),
        (&["log", "--follow"], "for one clock"),
        (&["status", "--exit-code"], "for one clock"),
        (&["pause", "--announce", "lunch"], "pause takes no --announce"),
        (&["import", "game.json"], "for one clock"),
        (&["start", "--if-revision", "3"], "give each board its own, such as --boards 3@212"),
        (&["--boards", "1-2@3", "start"], "a revision is that of one clock"),
        (&["--boards", "7", "start"], "the hall has no board"),
    ] {
        let ran = hall.run(arguments);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(said), "{arguments:?}: {ran:?}");
    }
}
