//! A round: set-up from pairings, one file of all games, and the arbiter's report.

use super::{Hall, Ran};
use clock_tests::eventually;
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

impl Hall {
    /// The players that each clock shows, such as `Anand - Carlsen`.
    pub(super) fn players(&self) -> Vec<String> {
        let of = |clock: &super::Clock| {
            let state = clock.bench.status().unwrap();
            let name = |side: &str| state[side]["player"].as_str().unwrap().to_owned();
            format!("{} - {}", name("white"), name("black"))
        };
        self.clocks.iter().map(of).collect()
    }
}

#[test]
fn a_round_is_set_up_from_its_pairings_and_comes_back_as_one_file() {
    let hall = Hall::start(3);
    let folder = hall.folder.path();
    // A separator and titles as chess-results.com has them. Board 3 has no game, board 4 no clock.
    write(
        folder,
        "round4.csv",
        "Bo.;No.;Name;Rtg;Result;Name;Rtg;No.\n\
         1;5;O'Kelly, A.;2400;;=Öz;2300;9\n2;1;C;;;D;;2\n4;7;E;;;F;;8\n",
    );
    let new = ["new", "5+3", "--pairings", "round4.csv", "--round", "4"];

    // Without an answer nothing is set up.
    let asked = hall.run(&new);
    assert_eq!(asked.exit, 2, "{asked:?}");
    assert!(asked.err.contains("no terminal to ask on: add --yes"), "{asked:?}");
    assert!(hall.players().iter().all(|players| players == " - "), "{:?}", hall.players());

    let set_up = hall.run(&[&new[..], &["--yes"]].concat());
    assert_eq!(set_up.exit, 0, "{set_up:?}");
    for line in ["1      O'Kelly, A.  =Öz    ready", "no clock for board: 4", "no game on board: 3"]
    {
        assert!(set_up.out.lines().any(|found| found == line), "{line}: {}", set_up.out);
    }
    assert_eq!(hall.players(), ["O'Kelly, A. - =Öz", "C - D", " - "]);
    for clock in &hall.clocks[..2] {
        let state = clock.bench.status().unwrap();
        assert_eq!((&state["round"], &state["event"]), (&"4".into(), &"Open".into()));
    }

    // A game is never given up without --force, and the other boards are set up all the same.
    assert_eq!(hall.run(&["--boards", "1", "start"]).exit, 0);
    write(folder, "round5.csv", "board,white,black\n1,A,B\n2,D,\"C, Jr\"\n");
    let next = hall.run(&["new", "5+3", "--pairings", "round5.csv", "--yes"]);
    assert_eq!(next.exit, 5, "{next:?}");
    let running = "1      A      B      running: O'Kelly, A. - =Öz; the game is left alone (--force \
                   gives it up)";
    assert!(next.out.lines().any(|line| line == running), "{}", next.out);
    assert!(next.out.lines().any(|line| line == "2      D      C, Jr  ready: C - D"), "{next:?}");
    assert_eq!(hall.players(), ["O'Kelly, A. - =Öz", "D - C, Jr", " - "]);

    assert_eq!(hall.run(&["--boards", "1", "pause"]).exit, 0);
    assert_eq!(hall.run(&["--boards", "1", "add", "white", "2m", "--reason", "<late>"]).exit, 0);
    assert_eq!(hall.run(&["--boards", "1", "result", "1-0"]).exit, 0);
    games_are_in_one_file(&hall);
    the_report_has_the_correction(&hall);
}

fn games_are_in_one_file(hall: &Hall) {
    let path = hall.folder.path().join("round.pgn");
    let export = ["export", "--format", "pgn", "-o", "round.pgn"];
    let written = hall.run(&export);
    assert_eq!((written.exit, written.out.as_str()), (0, "3 games: written to round.pgn\n"));
    let text = std::fs::read_to_string(&path).unwrap();
    let tags = |name: &str| {
        let start = format!("[{name} \"");
        let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
        lines.map(|line| line.trim_end_matches("\"]").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tags("White"), ["O'Kelly, A.", "D", "?"], "{text}");
    assert_eq!(tags("Board"), ["1", "2"], "{text}");
    assert_eq!(tags("Round"), ["4", "3", "?"], "{text}");
    assert_eq!(tags("Result"), ["1-0", "*", "*"], "{text}");
    // The name says the format, and an option that contradicts it is refused.
    let named = hall.run(&["export", "-o", "named.pgn"]);
    assert_eq!((named.exit, named.out.as_str()), (0, "3 games: written to named.pgn\n"));
    assert_eq!(std::fs::read_to_string(hall.folder.path().join("named.pgn")).unwrap(), text);
    for words in [
        &["report", "--format", "csv", "-o", "x.html"][..],
        &["--boards", "1", "report", "--format", "csv", "-o", "x.html"],
        &["export", "--format", "pgn", "-o", "x.csv"],
        &["--boards", "1", "export", "--format", "pgn", "-o", "x.json"],
    ] {
        let ran = hall.run(words);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains(" contradicts the name x."), "{ran:?}");
    }
    // Each game begins after an empty line.
    assert_eq!(text.matches("\n\n[Event ").count(), 2, "{text}");

    // The file is not overwritten, and no clock is asked in vain.
    let again = hall.run(&export);
    assert_eq!(again.exit, 1, "{again:?}");
    let way_out = "round.pgn: it exists already; give another name, or remove it first";
    assert!(again.err.contains(way_out), "{again:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let json = hall.run(&["export", "--format", "json"]);
    assert_eq!(json.exit, 2, "{json:?}");

    // A board that does not answer is missing in the file, and is named.
    hall.clocks[1].signal(rustix::process::Signal::STOP);
    let without: Ran =
        hall.run(&["--deadline", "2", "export", "--format", "pgn", "-o", "without.pgn"]);
    hall.clocks[1].signal(rustix::process::Signal::CONT);
    assert_eq!((without.exit, without.out.as_str()), (6, "2 games: written to without.pgn\n"));
    assert!(without.err.contains("failed on 1 of 3 boards\n  2: no answer"), "{without:?}");

    // It is named also if a result is left out.
    let other = "board,white,black,result\n1,\"O'Kelly, A.\",=Öz,0-1\n2,D,\"C, Jr\",\n";
    write(hall.folder.path(), "other.csv", other);
    hall.clocks[1].signal(rustix::process::Signal::STOP);
    let left_out = hall.run(&["--deadline", "2", "export", "--into", "other.csv", "-o", "x.csv"]);
    hall.clocks[1].signal(rustix::process::Signal::CONT);
    assert_eq!(left_out.exit, 9, "{left_out:?}");
    for said in ["failed on 1 of 3 boards\n  2: no answer", "left out, because the file has"] {
        assert!(left_out.err.contains(said), "{said}: {left_out:?}");
    }

    // If no board answers, no file is left that would be in the way of the next try.
    hall.clocks[1].signal(rustix::process::Signal::STOP);
    for words in [
        &["--deadline", "2", "--boards", "2", "report", "-o", "none.html"][..],
        &["--deadline", "2", "--boards", "2", "export", "-o", "none.pgn"],
    ] {
        let none = hall.run(words);
        assert_eq!((none.exit, none.out.as_str()), (6, ""), "{none:?}");
    }
    hall.clocks[1].signal(rustix::process::Signal::CONT);
    for name in ["none.html", "none.pgn"] {
        assert!(!hall.folder.path().join(name).exists(), "{name}");
    }
}

fn the_report_has_the_correction(hall: &Hall) {
    let report = hall.run(&["report"]);
    assert_eq!(report.exit, 0, "{report:?}");
    assert!(report.out.starts_with("1  O'Kelly, A. - =Öz  1-0\n"), "{}", report.out);
    let corrections = report.out.lines().filter(|line| line.contains("  correction  "));
    assert_eq!(corrections.count(), 1, "{}", report.out);
    assert!(report.out.contains("): <late>)") || report.out.contains(": <late>)"), "{report:?}");
    assert!(report.out.ends_with("2  D - C, Jr  no result\n3  no result\n"), "{}", report.out);

    let page = hall.run(&["report", "-o", "round.html"]);
    assert_eq!((page.exit, page.out.as_str()), (0, "3 games: written to round.html\n"));
    let text = std::fs::read_to_string(hall.folder.path().join("round.html")).unwrap();
    assert!(text.contains("&lt;late&gt;") && text.contains("Nothing to report"), "{text}");

    let table = hall.run(&["--boards", "1", "report", "--format", "csv"]);
    assert_eq!(table.exit, 0, "{table:?}");
    assert!(table.out.contains(",'=Öz,1-0,") && table.out.contains(",correction,"), "{table:?}");
}

#[test]
fn the_part_of_a_game_on_a_replaced_clock_is_put_before_the_rest() {
    let hall = Hall::start(2);
    let run = |words: &[&str]| {
        let ran = hall.run(words);
        assert_eq!(ran.exit, 0, "{words:?}: {ran:?}");
        ran.out
    };
    run(&["new", "5+0", "--rules", "fide-2023"]);
    run(&["start"]);
    hall.clocks[0].bench.buttons().unwrap().press("white").unwrap();
    eventually_moves(&hall.clocks[0], 1);
    run(&["--boards", "1", "pause"]);
    run(&["--boards", "1", "incident", "black", "defect", "--reason", "dark"]);
    run(&["--boards", "1", "export", "-o", "old.json"]);
    run(&["--boards", "2", "pause"]);
    run(&["--boards", "2", "export", "-o", "other.json"]);
    let spare = super::Clock::start();
    super::live::edit(&hall, &hall.clocks[0].bench.address(), &spare.bench.address());
    run(&["--boards", "1", "import", "old.json", "--yes"]);
    let status = run(&["--boards", "1", "status"]);
    assert!(status.ends_with("from      game 2 of another record on this machine\n"), "{status}");
    run(&["--boards", "1", "resume"]);
    spare.bench.buttons().unwrap().press("black").unwrap();
    eventually("Black's move counts", || {
        (spare.bench.status().ok()?["black"]["moves"] == 1).then_some(())
    });
    run(&["--boards", "1", "result", "1-0", "mate"]);

    let without = run(&["report"]);
    assert!(!without.contains("defect") && without.contains("game 2 of"), "{without}");
    let with = run(&["report", "--earlier", "old.json"]);
    assert!(with.contains("  incident  ") && with.contains("dark"), "{with}");
    assert!(with.find("dark").unwrap() < with.find("game 2 of").unwrap(), "{with}");
    let pgn = |words: &[&str]| run(&[&["export", "--format", "pgn"][..], words].concat());
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let without = one_line(&pgn(&[]));
    assert!(without.contains("1. -- {no press on record"), "{without}");
    let joined = pgn(&["--earlier", "old.json"]);
    let moves = one_line(&joined);
    assert!(moves.contains("1. -- {[%clk 0:0") && moves.contains("1... -- {[%clk 0:0"), "{joined}");
    // One board alone, and from files without a clock.
    let one = ["--boards", "1", "export", "--format", "pgn", "--earlier", "old.json"];
    let one = run(&one);
    assert!(joined.starts_with(&one), "{one}");
    run(&["--boards", "1", "export", "-o", "new.json"]);
    for verb in [&["export", "--format", "pgn"][..], &["report"]] {
        let files = [verb, &["--from", "new.json", "--earlier", "old.json"]].concat();
        let ran = super::ran(super::command(hall.folder.path(), &files));
        assert_eq!(ran.exit, 0, "{ran:?}");
        assert!(ran.out == one || ran.out.contains("dark"), "{ran:?}");
    }

    // A file of another game is not left out without a word.
    for verb in [&["report"][..], &["export", "--format", "pgn"]] {
        let wrong = hall.run(&[verb, &["--earlier", "other.json", "-o", "x"]].concat());
        assert_eq!((wrong.exit, wrong.out.as_str()), (2, ""), "{wrong:?}");
        assert!(wrong.err.contains("other.json: no game here was taken over from it"), "{wrong:?}");
    }
    assert!(!hall.folder.path().join("x").exists());
    // One that was changed is used, with a warning.
    let text = std::fs::read_to_string(hall.folder.path().join("old.json")).unwrap();
    write(hall.folder.path(), "old.json", &text.replacen("\"dark\"", "\"bright\"", 1));
    let changed = hall.run(&["report", "--earlier", "old.json"]);
    assert_eq!((changed.exit, changed.out.contains("bright")), (8, true), "{changed:?}");
    assert!(
        changed.err.contains("does not match its sum: the file was changed after it was exported"),
        "{changed:?}"
    );
}

#[test]
fn the_part_of_a_game_before_its_adjournment_is_put_before_the_rest() {
    let hall = Hall::start(2);
    let run = |words: &[&str]| {
        let ran = hall.run(words);
        assert_eq!(ran.exit, 0, "{words:?}: {ran:?}");
        ran.out
    };
    run(&["new", "40/120, G/60", "--rules", "fide-2023"]);
    run(&["start"]);
    hall.clocks[0].bench.buttons().unwrap().press("white").unwrap();
    eventually_moves(&hall.clocks[0], 1);
    let on_first = |words: &[&str]| run(&[&["--boards", "1"], words].concat());
    on_first(&["pause"]);
    on_first(&["incident", "black", "other", "--reason", "a phone"]);
    // The game is adjourned twice, each time with another game in between, so it has three parts.
    let parts = [("black", "23"), ("white", "24")].map(|(side, sealed)| {
        let state = hall.clocks[0].bench.status().unwrap();
        let number = state["game_number"].as_i64().unwrap();
        on_first(&["adjourn", side, sealed]);
        on_first(&["new", "5+3", "--rules", ""]);
        on_first(&["resume-adjourned", &number.to_string()]);
        number
    });
    let report = run(&["report"]);
    assert_eq!(report.matches("a phone").count(), 1, "{report}");
    let pgn = run(&["export", "--format", "pgn"]);
    let moves = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(moves.matches("1. -- {[%clk ").count(), 1, "{pgn}");
    let one = on_first(&["export", "--format", "pgn"]);
    assert!(pgn.starts_with(&one), "{pgn}\n{one}");
    assert!(report.starts_with(&on_first(&["report"])), "{report}");

    // A part that is on record and cannot be read is not left out without a word.
    hall.clocks[0].damage(parts[0]);
    let report = hall.run(&["report"]);
    assert_ne!(report.exit, 0, "{report:?}");
    assert!(
        report.err.contains(&format!("1: cannot export the game: cannot read game {}", parts[0])),
        "{report:?}"
    );
    assert!(report.out.contains("Kelly 2"), "{report:?}");
    let one = hall.run(&["--boards", "1", "report"]);
    assert_eq!((one.exit, one.out.as_str()), (5, ""), "{one:?}");
    assert!(one.err.contains(&format!("cannot read game {}", parts[0])), "{one:?}");
}

fn eventually_moves(clock: &super::Clock, moves: u64) {
    eventually("White's move counts", || {
        (clock.bench.status().ok()?["white"]["moves"] == moves).then_some(())
    });
}

#[test]
fn pairings_that_fit_no_board_are_refused() {
    let hall = Hall::start(1);
    let folder = hall.folder.path();
    for (text, said) in [
        (
            "board,white\n1,A\n",
            "pairings:1:1: expected a line with the heads board, white and black",
        ),
        (
            "board,white,black\n1,A,B\n1,C,D\n",
            "pairings:3:1: board \"1\" is named twice: here and in line 2",
        ),
        (
            "board,white,black\n8,A,B\n9,C,D\n",
            "none of its boards (8, 9) is a board of the hall (1)",
        ),
        ("board,white,black\n1,A,\u{1b}[31m\n", "control character"),
    ] {
        write(folder, "pairings", text);
        let ran = hall.run(&["new", "5+3", "--pairings", "pairings", "--yes"]);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains(said), "{ran:?}");
    }
    write(folder, "pairings", "board,white,black\n8,A,B\n9,C,D\n");
    let ran = hall.run(&["--boards", "1", "new", "5+3", "--pairings", "pairings", "--yes"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert!(
        ran.err.contains("none of its boards (8, 9) is one of the chosen boards (1)"),
        "{ran:?}"
    );
    // One host is a hall, too.
    let words = ["-H", "nowhere", "new", "5+3", "--pairings", "pairings", "--yes"];
    let host = super::ran(super::command(folder, &words));
    assert_eq!(host.exit, 2, "{host:?}");
    assert!(
        host.err.contains("none of its boards (8, 9) is one of the chosen boards (nowhere)"),
        "{host:?}"
    );
    std::fs::write(folder.join("pairings"), b"\xff\xfeb").unwrap();
    let ran = hall.run(&["new", "5+3", "--pairings", "pairings", "--yes"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert!(ran.err.contains("pairings:1:1: it begins with the mark of UTF-16"), "{ran:?}");
    // In the folder of the hall file that file is meant, and elsewhere none is.
    let beside = super::ran(super::command(folder, &["new", "5+3", "--pairings", "pairings"]));
    assert_eq!((beside.exit, &beside.err), (2, &ran.err), "{beside:?}");
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let words = ["new", "5+3", "--pairings", "../pairings"];
    let alone = super::ran(super::command(&elsewhere, &words));
    assert_eq!(alone.exit, 2, "{alone:?}");
    assert!(alone.err.contains("--pairings needs the boards of a hall"), "{alone:?}");
    let named = ["new", "5+3", "--pairings", "pairings", "--white", "A"];
    let named = hall.run(&named);
    assert_eq!(named.exit, 2, "{named:?}");
    assert!(named.err.contains("leave out --white and --black"), "{named:?}");
    assert_eq!(hall.players(), [" - "]);
}
