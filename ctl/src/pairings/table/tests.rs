use super::super::Pairings;

fn games(text: &str, round: Option<&str>) -> Vec<String> {
    let pairings = Pairings::parse(text, round).unwrap();
    let shown = |game: &super::Pairing| format!("{}: {} - {}", game.board, game.white, game.black);
    pairings.games.iter().map(shown).collect()
}

fn error(text: &str, round: Option<&str>) -> String {
    Pairings::parse(text, round).unwrap_err().to_string()
}

#[test]
fn columns_are_found_by_their_heads_with_any_separator() {
    let expected = ["1: O'Kelly, A. - \"Bob\" Ray", "A2: Ω - Öz"];
    for text in [
        "board,white,black\n1,\"O'Kelly, A.\",\"\"\"Bob\"\" Ray\"\nA2,Ω,Öz\n",
        "\u{feff}Black;White;Board\r\n\"\"\"Bob\"\" Ray\";O'Kelly, A.;1\r\nÖz;Ω;A2\r\n",
        "sep=;\r\nBoard;White;Black\r\n1;O'Kelly, A.;\"\"\"Bob\"\" Ray\"\r\nA2;Ω;Öz\r\n",
        "sep=|\rBoard|White|Black\r1|O'Kelly, A.|\"\"\"Bob\"\" Ray\"\rA2|Ω|Öz\r",
        "Bo.\tNo.\tName\tRtg\tResult\tName\tRtg\tNo.\n\
         1\t5\tO'Kelly, A.\t2400\t\t\"\"\"Bob\"\" Ray\"\t2300\t9\nA2\t1\tΩ\t\t\tÖz\t\t2\n",
    ] {
        assert_eq!(games(text, None), expected, "{text}");
    }
}

#[test]
fn lines_before_the_heads_are_skipped_and_name_the_round() {
    let text = "From the Tournament-Database of Chess-Results https://chess-results.com,,,,\n\
                Open of the Town, Group A,,,,\n,,,,\nLast update 13.02.2026 18:17:32,,,,\n\
                Round 4 on 2026/02/13 at 10:00,,,,\n\
                Bo.,No.,Name,Result,Name\n1,4,Ray A ,,Fox B\n2,2,Elm C ,,Oak D \n\n\
                You find all details under https://chess-results.com,,,,\n";
    assert_eq!(games(text, None), ["1: Ray A - Fox B", "2: Elm C - Oak D"]);
    assert_eq!(Pairings::parse(text, None).unwrap().round.as_deref(), Some("4"));
    assert_eq!(error(text, Some("5")), "1:1: it has no round 5; the latest is 4");
    // All rounds in one file, each with its own line and heads.
    let all = text.replace("Round 4 on", "Round 10 on") + &text.replace("Ray A", "Elm E");
    assert_eq!(games(&all, None), ["1: Ray A - Fox B", "2: Elm C - Oak D"]);
    assert_eq!(games(&all, Some("4"))[0], "1: Elm E - Fox B");
}

#[test]
fn a_player_without_an_opponent_gets_no_clock() {
    let text = "Br.;Nr.;Name;Elo;Punkte;Ergebnis;Punkte;Name;Elo;Nr.\n\
                1;4;Ray A;1926;3; - ;3;Fox B;2020;1\n3;6;Elm C;1788;1;1;;spielfrei\n\
                4;7;Oak D;1700;0;0;;nicht ausgelost\n5;8;Ash E;1700;0;;;bye\n6;9;Box F;;0;;;;;\n\
                7;;BYE;;;;;Yew G;;10\n8;9;Fir H;;0;;;not paired\n9;;;;;;;;;\n;11;Bye, John;;;;;bye;;\n";
    let pairings = Pairings::parse(text, None).unwrap();
    assert_eq!(games(text, None), ["1: Ray A - Fox B"]);
    let byes = ["Elm C", "Oak D", "Ash E", "Box F", "Yew G", "Fir H", "Bye, John"];
    assert_eq!(pairings.byes, byes);
    assert!(!pairings.is_played());
}

#[test]
fn results_say_whether_the_round_is_played() {
    let text = "board,white,black,result\n1,A,B,1-0\n2,C,D,\n3,E,F,+--\n4,G,bye,1\n";
    let pairings = Pairings::parse(text, None).unwrap();
    assert_eq!(
        (pairings.games.len(), pairings.forfeited.len(), pairings.is_played()),
        (2, 1, false)
    );
    let played = text.replace("C,D,", "C,D,1/2-1/2");
    assert!(Pairings::parse(&played, None).unwrap().is_played());
}

#[test]
fn of_several_rounds_the_wanted_one_or_the_latest_is_taken() {
    let text = "round,board,white,black\n9,1,A,B\n10,1,C,D\n";
    assert_eq!(games(text, None), ["1: C - D"]);
    assert_eq!(games(text, Some("9")), ["1: A - B"]);
    assert_eq!(error(text, Some("3")), "1:1: it has no round 3; the latest is 10");
    let named = Pairings::parse("board,white,black\n1,A,B\n", Some("3")).unwrap();
    assert_eq!(named.round.as_deref(), Some("3"));
    // The number counts, and not the order of the letters or of the lines.
    let text = "round,board,white,black\nRound 10,1,C,D\nRound 9,1,A,B\nRound 2,1,E,F\n";
    assert_eq!(games(text, None), ["1: C - D"]);
    assert_eq!(Pairings::parse(text, None).unwrap().round.as_deref(), Some("10"));
    assert_eq!(games(text, Some("2")), ["1: E - F"]);
}

#[test]
fn a_wrong_table_is_refused_with_its_line_and_column() {
    for (text, said) in [
        ("board,white\n1,A\n", "1:1: expected a line with the heads board, white and black"),
        ("Open\n\nBo.;Nr.;Spieler\n1;2;A\n", "3:1: expected a line with the heads"),
        ("board,name\n1,A\n", "1:1: expected a line"),
        ("board,white,black\n1,A,B\n\n2,\"C\n", "4:3: the quotation mark is not closed"),
        ("x\nwhite;black;board\nA;B;1\nC;D;\n", "4:5: this game has no board"),
        (
            "white,black,board\nA,B,1\nC,D,1\n",
            "3:5: board \"1\" is named twice: here and in line 2",
        ),
        ("board,white,black\n1,A,\u{1b}[31m\n", "2:1: board \"1\": the name \"\\u{1b}[31m\""),
    ] {
        let why = error(text, None);
        assert!(why.starts_with(said), "{text:?}: {why}");
        assert!(!why.contains("CSV error") && !why.contains("byte"), "{why}");
    }
}

#[test]
fn a_game_with_more_cells_than_heads_is_refused() {
    let text = "board,white,black\n1,Ray A,Fox B,,\n2,Smith, John,Doe, Jane\n";
    let why = error(text, None);
    assert!(why.starts_with("3:15: this game has 5 cells, and the line with the heads 3"), "{why}");
    assert!(why.contains("quotation marks"), "{why}");
}

#[test]
fn a_line_for_a_game_that_is_not_played_yet_is_no_double_forfeit() {
    for open in ["---", "- : -", " - ", ""] {
        let text = format!("board;white;black;result\n1;Ray A;Fox B;{open}\n");
        assert_eq!(games(&text, None), ["1: Ray A - Fox B"], "{open}");
    }
    let text = "board;white;black;result\n1;Ray A;Fox B;- - -\n";
    assert_eq!(Pairings::parse(text, None).unwrap().forfeited.len(), 1);
}
