//! `watch` on many clocks, and the question before a round is set up, on a terminal.

use super::Hall;
use clock_tests::{Face, eventually, write_executable};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

impl Hall {
    /// Runs `clockctl --hall hall.toml` with the arguments in a terminal of this width.
    fn terminal(&self, arguments: &[&str], columns: u16) -> Face {
        let program = clock_tests::program("clockctl").display().to_string();
        let file = self.folder.path().join("hall.toml").display().to_string();
        let words = [&["--hall", &*file], arguments].concat();
        Face::start(&program, &words, columns, 16)
    }
}

/// The row of the screen in which this board is, counted from the top.
fn row(face: &Face, board: &str) -> Option<usize> {
    face.text().lines().position(|line| line.starts_with(board))
}

#[test]
fn the_live_table_shows_all_clocks_and_gives_no_command() {
    let hall = Hall::start(3);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    let mut face = hall.terminal(&["watch", "--bell"], 110);
    face.shows("Open · round 3 · 3 boards");
    face.shows("O'Kelly 3");
    assert!(face.alternate());

    // A running time runs, also without any message of its clock.
    assert_eq!(hall.run(&["--boards", "1", "start"]).exit, 0);
    // On a busy machine seconds can pass before it is looked at.
    face.shows("▶ 0:04:");
    let shown = face.text();
    eventually("the time runs", || (face.text() != shown).then_some(()));

    // The table takes no commands. If somebody types one here, no clock gets it.
    face.keys("2\radd white 2m\r");
    assert_eq!(hall.run(&["--boards", "1", "pause", "--by", "black"]).exit, 0);
    assert_eq!(hall.run(&["--boards", "3", "start"]).exit, 0);
    assert_eq!(hall.run(&["--boards", "3", "pause", "--by", "white"]).exit, 0);
    face.shows("called by White");
    eventually("board 2 is the last one", || (row(&face, "2 ")? > row(&face, "3 ")?).then_some(()));
    face.shows("move · / filter · q leave");
    assert_eq!(hall.clocks[1].white_nsec(), 300_000_000_000);

    // A filter shows some boards only.
    face.keys("/1");
    eventually("only board 1", || {
        (row(&face, "1 ").is_some() && row(&face, "2 ").is_none()).then_some(())
    });
    face.keys("\u{1b}");
    face.shows("O'Kelly 2");
    face.keys("q");
    assert_eq!(face.wait(), 0);
    eventually("the terminal is as before", || (!face.alternate()).then_some(()));
}

#[test]
fn a_clock_that_comes_back_is_followed_again() {
    let mut hall = Hall::start(2);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    let face = hall.terminal(&["watch"], 60);
    face.shows("2 boards");
    eventually("both are followed", || {
        (face.text().matches("0:05:00.0").count() == 4).then_some(())
    });
    hall.clocks[0].signal(rustix::process::Signal::KILL);
    face.shows("no answer");
    face.shows("1 with a fault");
    hall.clocks[0].clockd = super::start(&hall.clocks[0].bench);
    eventually("it is followed again", || (!face.text().contains("no answer")).then_some(()));
}

/// Replaces a text of the hall file, as an editor does.
pub fn edit(hall: &Hall, from: &str, to: &str) {
    let path = hall.folder.path().join("hall.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_clock_that_is_replaced_in_the_hall_file_is_followed() {
    let hall = Hall::start(2);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    let spare = super::Clock::start();
    assert_eq!(spare.bench.ctl(&["new", "7+0"]).unwrap().status.code(), Some(0));
    let mut face = hall.terminal(&["watch"], 180);
    eventually("both are followed", || {
        (face.text().matches("0:05:00.0").count() == 4).then_some(())
    });
    let mut lines = hall.command(&["--hall", "hall.toml", "watch", "--json"]);
    let mut lines = lines.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(lines.stdout.take().unwrap()).lines();
    let mut said = BufReader::new(lines.stderr.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&printed.next().unwrap().unwrap()).unwrap();
    assert_eq!([next(), next()].map(|line| line["answer"]["phase"].clone()), ["ready", "ready"]);

    // A file that cannot be read changes nothing, and is named with the line.
    edit(&hall, "[[board]]\nboard = \"1\"", "[[board]]\nboard = 1.5");
    face.shows("hall.toml:4:9: ");
    face.shows("`board` is `1.5`; expected a number such as 12, or text such as \"A3\"");
    face.shows("; the boards stay as they were");
    assert!(said.next().unwrap().unwrap().starts_with("clockctl: hall.toml:4:9: "));
    assert_eq!(face.text().matches("0:05:00.0").count(), 4, "{}", face.text());
    edit(&hall, "board = 1.5\n", "board = \"1\"\n");
    face.shows("was read again: the boards are as before");
    said.next().unwrap().unwrap();

    let (before, after) = (hall.clocks[0].bench.address(), spare.bench.address());
    edit(&hall, &before, &after);
    face.shows("was read again: board 1 is on unix:path=");
    face.shows("0:07:00.0");
    let line = next();
    assert_eq!((&line["board"], &line["clock"]), (&"1".into(), &after.as_str().into()));
    assert_eq!(line["answer"]["white"]["remaining_ns"], 420_000_000_000_u64);
    assert!(said.next().unwrap().unwrap().contains("hall.toml was read again: board 1 is on"));

    // A command for the board goes to the new clock, and nobody follows the old one.
    assert_eq!(hall.run(&["--boards", "1", "start"]).exit, 0);
    face.shows("▶ 0:06:");
    assert_eq!(spare.bench.status().unwrap()["phase"], "running");
    assert_eq!(hall.clocks[0].bench.status().unwrap()["phase"], "ready");
    assert_eq!(next()["answer"]["phase"], "running");
    face.keys("q");
    assert_eq!(face.wait(), 0);
    lines.kill().unwrap();
    lines.wait().unwrap();
}

#[test]
fn lines_of_many_clocks_have_their_board() {
    let hall = Hall::start(2);
    assert_eq!(hall.run(&["new", "5+0"]).exit, 0);
    let mut watch = hall.command(&["--hall", "hall.toml", "watch", "--json"]);
    let mut watch = watch.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let mut boards = [next(), next()].map(|line| line["board"].as_str().unwrap().to_owned());
    boards.sort_unstable();
    assert_eq!(boards, ["1", "2"]);
    assert_eq!(hall.run(&["--boards", "2", "start"]).exit, 0);
    let line = next();
    assert_eq!((&line["board"], &line["answer"]["cause"]), (&"2".into(), &"start".into()));
    assert_eq!(line["answer"]["phase"], "running");
    // A reader that has gone ends it.
    drop(lines);
    assert_eq!(hall.run(&["--boards", "2", "pause"]).exit, 0);
    assert_eq!(hall.run(&["--boards", "1", "start"]).exit, 0);
    assert_eq!(watch.wait().unwrap().code(), Some(0));

    let both = hall.terminal(&["watch", "--heartbeat", "3"], 80);
    both.shows("--heartbeat and --delay are for lines");
}

#[test]
fn a_round_is_set_up_after_one_question() {
    let hall = Hall::start(2);
    let folder = hall.folder.path();
    let path = folder.join("round.csv");
    std::fs::write(&path, "board,white,black\n1,A,B\n2,C,D\n").unwrap();
    let path = path.display().to_string();
    let new = ["new", "5+3", "--round", "4", "--pairings", &path];
    let ask = "Set up round 4, these 2 boards, with 5+3? [y/N]:";

    let mut face = hall.terminal(&new, 100);
    face.shows(ask);
    face.keys("\r");
    face.shows("clockctl: nothing was set up");
    assert_eq!(face.wait(), 1);
    assert_eq!(hall.clocks[0].bench.status().unwrap()["white"]["player"], "");

    let mut face = hall.terminal(&new, 100);
    face.shows(ask);
    face.keys("y\r");
    assert_eq!(face.wait(), 0);
    assert_eq!(hall.clocks[1].bench.status().unwrap()["black"]["player"], "D");
}

/// `--force` holds for the game of board 2, which was shown, and not for that of board 1, which was not.
#[test]
fn a_game_that_begins_after_the_question_is_not_given_up() {
    let hall = Hall::start(2);
    let path = hall.folder.path().join("round.csv");
    std::fs::write(&path, "board,white,black\n1,A,B\n2,C,D\n").unwrap();
    assert_eq!(hall.run(&["--boards", "2", "start"]).exit, 0);
    let new = ["new", "5+3", "--force", "--pairings", &path.display().to_string()];
    let mut face = hall.terminal(&new, 100);
    face.shows("these 2 boards, with 5+3? [y/N]:");
    assert_eq!(hall.run(&["--boards", "1", "start"]).exit, 0);
    face.keys("y\r");
    assert_eq!(face.wait(), 5);
    face.shows("1: cannot set up a new game: refused: the clock has changed since");
    assert_eq!(hall.players(), [" - ", "C - D"]);
    assert_eq!(hall.clocks[0].bench.status().unwrap()["phase"], "running");
}

/// Board 1 answers only after the question, so nobody has seen that a game is under way on it.
#[test]
fn a_game_on_a_board_that_did_not_answer_at_the_question_is_not_given_up() {
    let hall = Hall::start(2);
    let path = hall.folder.path().join("round.csv");
    std::fs::write(&path, "board,white,black\n1,A,B\n2,C,D\n").unwrap();
    assert_eq!(hall.run(&["start"]).exit, 0);
    let folder = hall.clocks[0].bench.folder();
    let (socket, away) = (folder.join("bus"), folder.join("away"));
    std::fs::rename(&socket, &away).unwrap();
    let new = ["new", "5+3", "--force", "--pairings", &path.display().to_string()];
    let mut face = hall.terminal(&new, 100);
    face.shows("these 2 boards, with 5+3? [y/N]:");
    face.shows("no answer");
    std::fs::rename(&away, &socket).unwrap();
    face.keys("y\r");
    assert_eq!(face.wait(), 1);
    face.shows("it gave no answer at the question, so nobody has seen its game");
    assert_eq!(hall.players(), [" - ", "C - D"]);
    assert_eq!(hall.clocks[0].bench.status().unwrap()["phase"], "running");
}

/// Forty questions for a password would appear at the same time.
#[test]
fn on_a_terminal_ssh_asks_nothing_for_one_host_of_many() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("given");
    let ssh = folder.path().join("ssh");
    write_executable(&ssh, &format!("#!/bin/sh\necho \"$@\" >>{}\nexit 255\n", given.display()));
    let program = clock_tests::program("clockctl").display().to_string();
    let ssh = format!("CLOCKCTL_SSH={}", ssh.display());
    for (hosts, asked) in [("c1", [true].as_slice()), ("c1,c2", &[false, false])] {
        std::fs::write(&given, "").unwrap();
        let mut face = Face::start("env", &[&*ssh, &program, "-H", hosts, "status"], 80, 16);
        assert_ne!(face.wait(), 0);
        let lines = std::fs::read_to_string(&given).unwrap();
        let may_ask: Vec<bool> =
            lines.lines().map(|line| !line.contains("BatchMode=yes")).collect();
        assert_eq!(may_ask, asked, "{hosts}: {lines}");
    }
}
