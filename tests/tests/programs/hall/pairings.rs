//! Files of pairings as pairing programs write them, and the results that go back into them.

use super::{Hall, Ran};

/// A player of a TRF with the points and the rounds.
fn player(number: u32, title: &str, name: &str, points: &str, rounds: &str) -> String {
    let (rating, fide) = (2400 + number, 2_200_000 + number);
    format!(
        "001 {number:>4} m{title:>3} {name:<33} {rating:>4} ESP {fide:>11} 1981/01/01 {points:>4} \
         {number:>4}  {rounds}"
    )
}

/// Round 2 of seven players is paired. The lines end with CR, as FIDE's text wants.
fn tournament() -> String {
    [
        "012 City Open".to_owned(),
        player(1, "g", "Anderssen,Adolf", "1.0", "   4 w 1     2 b"),
        player(2, "", "Burn,Amos", "1.0", "   5 b 1     1 w"),
        player(3, "", "Cochrane,John", "1.0", "   6 w 1     4 b"),
        player(4, "", "Dubois,Serafino", "0.0", "   1 b 0     3 w"),
        player(5, "", "Englisch,Berthold", "0.0", "   2 w 0     6 b"),
        player(6, "", "Falkbeer,Ernst", "0.0", "   3 b 0     5 w"),
        player(7, "", "Grob,Henri", "2.0", "0000 - U  0000 - U"),
        String::new(),
    ]
    .join("\r")
}

impl Hall {
    fn done(&self, words: &[&str]) -> String {
        let ran: Ran = self.run(words);
        assert_eq!(ran.exit, 0, "{words:?}: {ran:?}");
        ran.out
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

#[test]
fn the_results_of_a_round_go_back_into_its_file() {
    let hall = Hall::start(3);
    let path = hall.folder.path().join("round2.trf");
    std::fs::write(&path, tournament()).unwrap();
    let set_up = hall.done(&["new", "5+3", "--pairings", "round2.trf", "--yes"]);
    assert!(set_up.starts_with("round 2 of round2.trf: 3 games\n"), "{set_up}");
    assert!(set_up.lines().any(|line| line == "bye: Grob, Henri"), "{set_up}");
    let players = ["Burn, Amos - Anderssen, Adolf", "Dubois, Serafino - Cochrane, John"];
    assert_eq!(hall.players()[..2], players);

    hall.done(&["start"]);
    hall.done(&["pause"]);
    hall.done(&["--boards", "1", "result", "1-0", "mate"]);
    hall.done(&["--boards", "2", "result", "1/2-1/2", "agreement"]);
    let export = ["export", "-o", "results.trf", "--into", "round2.trf"];
    let said = hall.done(&export);
    assert_eq!(said, "2 results of round 2: written to results.trf\nnot over: 3\n");
    let expected = tournament()
        .replace("4 w 1     2 b", "4 w 1     2 b 0")
        .replace(" 1.0    2     5 b 1     1 w", " 2.0    2     5 b 1     1 w 1")
        .replace(" 1.0    3     6 w 1     4 b", " 1.5    3     6 w 1     4 b =")
        .replace(" 0.0    4     1 b 0     3 w", " 0.5    4     1 b 0     3 w =");
    assert_eq!(hall.text("results.trf"), expected);
    // The file of before is as it was, and nothing is overwritten.
    assert_eq!(hall.text("round2.trf"), tournament());
    let again = hall.run(&export);
    assert_eq!(again.exit, 1, "{again:?}");
    assert!(again.err.contains("results.trf: it exists already"), "{again:?}");

    // The last board is forfeited. Named twice, the file itself gets its result.
    hall.done(&["--boards", "3", "result", "0-1", "forfeit"]);
    let said = hall.done(&["export", "-o", "results.trf", "--into", "results.trf"]);
    assert_eq!(said, "1 result of round 2: written to results.trf\n");
    let expected = expected
        .replace("2 w 0     6 b", "2 w 0     6 b +")
        .replace("3 b 0     5 w", "3 b 0     5 w -")
        .replace(" 0.0    5     2 w", " 1.0    5     2 w");
    assert_eq!(hall.text("results.trf"), expected);
    let none = hall.done(&["export", "-o", "results.trf", "--into", "results.trf"]);
    assert_eq!(none, "no new result of round 2: no file was written\n");

    a_round_with_all_results_must_be_named(&hall);
    the_pgn_has_the_ratings(&hall);
    let table = hall.done(&["export", "-o", "results.csv"]);
    assert_eq!(table, "3 results of 3 boards: written to results.csv\n");
    assert_eq!(hall.text("results.csv"), "board;result\n1;1-0\n2;1/2-1/2\n3;- - +\n");
}

fn a_round_with_all_results_must_be_named(hall: &Hall) {
    for words in [&["--yes"][..], &["-n"]] {
        let refused = hall.run(&[&["new", "5+3", "--pairings", "results.trf"], words].concat());
        assert_eq!((refused.exit, refused.out.as_str()), (2, ""), "{refused:?}");
        let why = "results.trf: all games of round 2 have results already: give the file in which \
                   the next round is paired, or --round 2 to set this one up again";
        assert!(refused.err.contains(why), "{refused:?}");
    }
    let named = hall.run(&["-n", "new", "5+3", "--pairings", "results.trf", "--round", "2"]);
    let header = "round 2 of results.trf: 2 games, 2 of them with results already\n";
    assert!(named.out.starts_with(header), "{named:?}");
    let forfeited = "board 3 is forfeited: Falkbeer, Ernst - Englisch, Berthold\n";
    assert!(named.out.contains(forfeited), "{named:?}");
}

fn the_pgn_has_the_ratings(hall: &Hall) {
    hall.done(&["export", "-o", "round2.pgn", "--pairings", "round2.trf"]);
    let text = hall.text("round2.pgn");
    let first: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    for tag in [
        "[WhiteElo \"2402\"]",
        "[WhiteFideId \"2200002\"]",
        "[BlackTitle \"GM\"]",
        "[BlackElo \"2401\"]",
        "[BlackFideId \"2200001\"]",
    ] {
        assert!(first.contains(&tag), "{tag}: {first:?}");
    }
    assert!(!first.iter().any(|line| line.starts_with("[WhiteTitle")), "{first:?}");
    // One clock does it too, and only for PGN.
    let one =
        hall.done(&["--boards", "1", "export", "--format", "pgn", "--pairings", "round2.trf"]);
    assert!(text.starts_with(&one), "{one}");
    for words in [
        &["export", "-o", "x.csv", "--pairings", "round2.trf"][..],
        &["--boards", "1", "export", "--pairings", "round2.trf"],
    ] {
        let refused = hall.run(words);
        assert_eq!(refused.exit, 2, "{refused:?}");
        assert!(refused.err.contains("--pairings is for PGN"), "{refused:?}");
    }
}

#[test]
fn no_clock_is_set_up_against_a_bye() {
    let hall = Hall::start(3);
    let folder = hall.folder.path();
    // A list of chess-results.com as it is downloaded, in Windows-1252.
    let list = b"Von der Turnierdatenbank Chess-Results\r\nStadt-Open\r\n\r\nRunde 3\r\n\
                 Br.;Nr.;Name;Elo;Ergebnis;Name;Elo;Nr.\r\n\
                 1;4;J\xf6rg A;1926; - ;Fox B;2020;1\r\n2;6;Israel Dan;1788;;bye;;\r\n\
                 3;7;Oak C;1700;;nicht ausgelost;;\r\n";
    std::fs::write(folder.join("list.csv"), list).unwrap();
    let set_up = hall.done(&["new", "5+3", "--pairings", "list.csv", "--yes"]);
    for line in [
        "list.csv: it is not UTF-8 and was read as Windows-1252: look at the names",
        "round 3 of list.csv: 1 game",
        "bye: Israel Dan; Oak C",
        "no game on board: 2, 3",
    ] {
        assert!(set_up.lines().any(|found| found == line), "{line}: {set_up}");
    }
    assert_eq!(hall.players(), ["Jörg A - Fox B", " - ", " - "]);
    let games = hall.done(&["export", "--format", "pgn"]);
    assert!(!games.contains("Israel") && !games.contains("bye"), "{games}");

    // The result goes back in the encoding of the list. The boards without a game are left out.
    hall.done(&["--boards", "1", "start"]);
    hall.done(&["--boards", "1", "pause"]);
    hall.done(&["--boards", "1", "result", "0-1", "resignation"]);
    let said = hall.done(&["--boards", "1", "export", "-o", "out.csv", "--into", "list.csv"]);
    assert_eq!(said, "1 result of round 3: written to out.csv\n");
    let written = std::fs::read(folder.join("out.csv")).unwrap();
    let cell = list.windows(3).position(|part| part == b" - ").unwrap();
    let expected = [&list[..cell], b"0 - 1", &list[cell + 3..]].concat();
    assert_eq!(written, expected);

    // The list has another result meanwhile, so that of the clock is left out.
    std::fs::write(folder.join("list.csv"), [&list[..cell], b"1 - 0", &list[cell + 3..]].concat())
        .unwrap();
    let other = hall.run(&["--boards", "1", "export", "-o", "new.csv", "--into", "list.csv"]);
    assert_eq!(other.exit, 1, "{other:?}");
    assert!(
        other.out.contains("board 1: the clock has 0-1, and the file has 1-0 already"),
        "{other:?}"
    );
    assert!(
        other.err.contains("left out, because the file has something else: 1 of the results"),
        "{other:?}"
    );
    assert!(!folder.join("new.csv").exists());

    let alone = super::ran(super::command(folder, &["export", "-o", "x", "--into", "list.csv"]));
    assert_eq!(alone.exit, 2, "{alone:?}");
    assert!(alone.err.contains("--into needs the boards of a hall"), "{alone:?}");
}
