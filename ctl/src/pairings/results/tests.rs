use super::super::{Encoding, PairingFile, Score};
use super::GameResult;

fn game(board: &str, white: &str, black: &str, score: Option<Score>) -> GameResult {
    let round = "2".to_owned();
    GameResult { board: board.into(), white: white.into(), black: black.into(), round, score }
}

/// A player's line after one round, with the points of that round.
fn line(number: u32, name: &str, points: &str, rounds: &str) -> String {
    format!(
        "001 {number:>4} m    {name:<33} 2400 ESP     2212072 1981/01/01 {points:>4}    {number}  {rounds}"
    )
}

fn tournament(end: &str) -> String {
    [
        "012 Öffen".to_owned(),
        line(1, "Ray,A", "1.0", "   3 w 1     2 b"),
        line(2, "Fox,B", "0.5", "   4 b =     1 w  "),
        line(3, "Elm,C", "0.0", "   1 b 0     4 w Z"),
        line(4, "Oak,D", "7.5", "   2 w =     3 b Z"),
        line(5, "Ash,E", "1.0", "0000 - U  0000 - H"),
        "XXR 5".to_owned(),
        String::new(),
    ]
    .join(end)
}

#[test]
fn a_trf_gets_the_results_and_stays_otherwise_byte_for_byte() {
    let games = [
        game("1", "Fox, B", "Ray, A", Some(Score::White)),
        game("02", "Elm, C", "Oak, D", Some(Score::ForfeitBlack)),
    ];
    for end in ["\r", "\n", "\r\n"] {
        for encoding in [
            Encoding::Utf8,
            Encoding::Windows1252,
            Encoding::Utf16LittleEndian,
            Encoding::Utf16BigEndian,
        ] {
            let mark = if matches!(encoding, Encoding::Utf8 | Encoding::Windows1252) {
                ""
            } else {
                "\u{feff}"
            };
            let text = format!("{mark}{}", tournament(end));
            let file = PairingFile::decode(encoding.encode(&text)).unwrap();
            assert!(!file.pairings(None).unwrap().is_played());
            let filled = file.with_results(&games).unwrap();
            assert_eq!((filled.written, filled.round.as_deref()), (2, Some("2")));
            // The points of number 4 are not those of its result: they are left.
            let note = "the points of these players in the file are not those of their results, \
                        and are left as they are: 4";
            assert_eq!(filled.notes, [note]);
            let expected = text
                .replace("1.0    1     3 w 1     2 b", "1.0    1     3 w 1     2 b 0")
                .replace("0.5    2     4 b =     1 w  ", "1.5    2     4 b =     1 w 1")
                .replace("4 w Z", "4 w -")
                .replace("3 b Z", "3 b +");
            assert_eq!(filled.bytes, encoding.encode(&expected), "{end:?} {encoding:?}");
            // The file reads with all results in.
            let again = PairingFile::decode(filled.bytes).unwrap();
            assert!(again.pairings(None).unwrap().is_played());
            let twice = again.with_results(&games).unwrap();
            assert_eq!((twice.written, twice.notes.len()), (0, 0));
            assert_eq!(twice.bytes, encoding.encode(&expected));
        }
    }
}

#[test]
fn every_result_has_its_letters() {
    for (result, is_forfeit, white, black) in [
        ("1-0", false, '1', '0'),
        ("0-1", false, '0', '1'),
        ("1/2-1/2", false, '=', '='),
        ("0-0", false, '0', '0'),
        ("1/2-0", false, '=', '0'),
        ("1-0", true, '+', '-'),
        ("0-1", true, '-', '+'),
        ("0-0", true, '-', '-'),
    ] {
        let score = Score::of_record(result, is_forfeit);
        let file = PairingFile::decode(tournament("\n").into_bytes()).unwrap();
        let filled = file.with_results(&[game("1", "Fox, B", "Ray, A", score)]).unwrap();
        let text = String::from_utf8(filled.bytes).unwrap();
        assert!(text.contains(&format!("     2 b {black}")), "{text}");
        assert!(text.contains(&format!("     1 w {white}")), "{text}");
    }
    assert_eq!(Score::of_record("", false), None);
}

#[test]
fn the_scoring_system_of_the_file_gives_the_points() {
    let text = "162  W 3.0    D 1.0    L 0.0\n".to_owned()
        + &tournament("\n").replace("1.0    1", "3.0    1").replace("0.5    2", "1.0    2");
    let file = PairingFile::decode(text.into_bytes()).unwrap();
    let filled = file.with_results(&[game("1", "Fox, B", "Ray, A", Some(Score::White))]).unwrap();
    let text = String::from_utf8(filled.bytes).unwrap();
    assert!(text.contains(" 3.0    1     3 w 1     2 b 0\n"), "{text}");
    assert!(text.contains(" 4.0    2     4 b =     1 w 1\n"), "{text}");
}

#[test]
fn a_table_gets_the_results_in_its_own_form() {
    let won = || game("1", "A", "B", Some(Score::White));
    let drawn = || game("2", "C", "D", Some(Score::Draw));
    let forfeit = || game("3", "E", "F", Some(Score::ForfeitBlack));
    for (table, expected) in [
        (
            "board,white,black,result\n1,A,B,\n2,C,D\n3,E,F,*\n",
            "board,white,black,result\n1,A,B,1-0\n2,C,D,1/2-1/2\n3,E,F,- - +\n",
        ),
        (
            "Runde 2\r\nBr.;Name;Erg.;Name\r\n1;A; - ;B\r\n2;C; - ;D\r\n3;\"E\"; - ;F\r\n4;G;;spielfrei\r\n",
            "Runde 2\r\nBr.;Name;Erg.;Name\r\n1;A;1 - 0;B\r\n2;C;½ - ½;D\r\n3;\"E\";- - +;F\r\n4;G;;spielfrei\r\n",
        ),
    ] {
        let file = PairingFile::decode(table.as_bytes().to_vec()).unwrap();
        let filled = file.with_results(&[won(), drawn(), forfeit()]).unwrap();
        assert_eq!(String::from_utf8(filled.bytes.clone()).unwrap(), expected);
        assert_eq!((filled.written, filled.notes.len()), (3, 0));
        assert!(PairingFile::decode(filled.bytes).unwrap().pairings(None).unwrap().is_played());
    }
    let without = PairingFile::decode(b"board,white,black\n1,A,B\n".to_vec()).unwrap();
    let why = without.with_results(&[won()]).unwrap_err().to_string();
    assert!(why.contains("no column for the results: add one with the head result"), "{why}");
}

/// A clock that was replaced in the game still has the game.
#[test]
fn two_clocks_of_one_board_give_one_result_or_none() {
    let file = PairingFile::decode(b"board,white,black,result\n7,A,B\n8,C,D,\n".to_vec()).unwrap();
    let of = |board: &str, score| game(board, "A", "B", Some(score));
    let eighth = game("8", "C", "D", Some(Score::Draw));
    let filled = |other: Score| {
        file.with_results(&[of("7", Score::White), eighth.clone(), of("07", other)]).unwrap()
    };
    let same = filled(Score::White);
    assert_eq!((same.written, same.contradicted, same.notes.len()), (2, 0, 0));
    assert_eq!(same.bytes, b"board,white,black,result\n7,A,B,1-0\n8,C,D,1/2-1/2\n");
    let different = filled(Score::Black);
    assert_eq!((different.written, different.contradicted), (1, 1));
    assert_eq!(different.notes, ["board 7: its clocks have different results: 1-0, 0-1"]);
    assert_eq!(different.bytes, b"board,white,black,result\n7,A,B\n8,C,D,1/2-1/2\n");
}

#[test]
fn what_does_not_fit_is_left_out_and_named() {
    let table = "board,white,black,result\n1,A,B,0-1\n2,C,D,\n3,E,F,\n4,G,H,\n5,I,J,\n6,K,L,1-0\n";
    let file = PairingFile::decode(table.as_bytes().to_vec()).unwrap();
    let filled = file
        .with_results(&[
            game("1", "A", "B", Some(Score::White)),
            game("2", "C", "X", Some(Score::White)),
            game("3", "E", "F", None),
            GameResult { round: "1".into(), ..game("4", "G", "H", Some(Score::Draw)) },
            game("9", "Y", "Z", Some(Score::Draw)),
            game("6", "K", "L", Some(Score::White)),
        ])
        .unwrap();
    assert_eq!((filled.written, filled.contradicted), (0, 2));
    assert_eq!(filled.bytes, table.as_bytes());
    let expected = [
        "board 1: the clock has 1-0, and the file has 0-1 already",
        "board 2: the clock has C - X, and the file C - D",
        "board 4: its game is one of round 1",
        "board 9: the file does not have it in this round",
        "not over: 3",
        "no clock has the game of board: 4, 5",
    ];
    assert_eq!(filled.notes, expected);
}
