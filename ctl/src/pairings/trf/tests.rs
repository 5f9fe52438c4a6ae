use super::super::Pairings;

/// A player's line with these rounds.
fn line(number: u32, name: &str, rounds: &[&str]) -> String {
    let head = format!("001 {number:>4} m    {name:<33} 2400 ESP     2212072 1981/01/01  0.0    1");
    let rounds: String = rounds.iter().map(|round| format!("{round:<10}")).collect();
    format!("{head:<91}{}\n", rounds.trim_end())
}

/// Six players after one round. Number 6 had a bye with half a point.
fn tournament(second: [&str; 6]) -> String {
    let first = ["   4 w 1", "   5 b =", "0000 - F", "   1 b 0", "   2 w =", "0000 - H"];
    let names = ["Mirzoev,Azer", "Öz,B", "C", "D", "E", "F"];
    let lines = (0..6)
        .zip(1_u32..)
        .map(|(index, number)| line(number, names[index], &[first[index], second[index]]));
    format!("012 The Open\r\n132 {:87}26/01/01  26/01/02\n{}", "", lines.collect::<String>())
}

/// The boards, such as `1 A-B`.
fn shown(text: &str, round: Option<&str>) -> Vec<String> {
    let pairings = Pairings::parse(text, round).unwrap();
    let shown = |game: &super::Pairing| format!("{} {}-{}", game.board, game.white, game.black);
    pairings.games.iter().map(shown).collect()
}

#[test]
fn boards_are_in_the_order_in_which_pairings_are_published() {
    // The scores are 1: 1, 2: ½, 3: 1, 4: 0, 5: ½, 6: ½.
    let text = tournament(["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"]);
    let pairings = Pairings::parse(&text, None).unwrap();
    assert_eq!(pairings.event.as_deref(), Some("The Open"));
    assert_eq!(pairings.round.as_deref(), Some("2"));
    assert!(!pairings.is_played() && pairings.byes.is_empty());
    assert_eq!(shown(&text, None), ["1 C-Mirzoev, Azer", "2 Öz, B-F", "3 D-E"]);
}

#[test]
fn an_earlier_round_is_taken_if_it_is_asked_for() {
    let text = tournament(["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"]);
    assert_eq!(shown(&text, Some("1")), ["1 Mirzoev, Azer-D", "2 E-Öz, B"]);
    let first = Pairings::parse(&text, Some("1")).unwrap();
    assert!(first.is_played());
    assert_eq!(first.byes, ["C", "F"]);
    let why = Pairings::parse(&text, Some("3")).unwrap_err();
    assert_eq!(why.to_string(), "1:1: round 3 is not paired; the latest that is, is round 2");
}

#[test]
fn every_line_end_is_read_the_same() {
    let text = tournament(["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"]);
    let lines: Vec<&str> = text.lines().collect();
    let expected = Pairings::parse(&text, None).unwrap();
    for end in ["\r", "\n", "\r\n"] {
        assert_eq!(Pairings::parse(&lines.join(end), None).as_ref(), Ok(&expected), "{end:?}");
        let wrong = lines.join(end).replacen("   3 b", " abc b", 1);
        let why = Pairings::parse(&wrong, None).unwrap_err().to_string();
        assert_eq!(why, "3:102: \"abc\" is not the number of a player", "{end:?}");
    }
}

#[test]
fn a_game_that_was_not_played_has_no_colour_and_no_clock() {
    // As `example_trf16.trf` of the Python package TRF has no-shows: the opponent and no colour.
    let text = tournament(["   3 - -", "   6 w 1", "   1 - +", "0000 - Z", "   4 - -", "   2 b 0"]);
    assert_eq!(shown(&text, None), ["1 Öz, B-F"]);
    // The other player has a bye by now, or nothing.
    assert_eq!(Pairings::parse(&text, None).unwrap().byes, ["D"]);
    // A forfeited game with colours had a board, and the others keep theirs.
    let text = tournament(["   3 b -", "   6 w", "   1 w +", "   5 w", "   4 b", "   2 b"]);
    assert_eq!(shown(&text, None), ["2 Öz, B-F", "3 D-E"]);
    let forfeited = Pairings::parse(&text, None).unwrap().forfeited;
    assert_eq!((forfeited.len(), &*forfeited[0].board, &*forfeited[0].white), (1, "1", "C"));
    // lichess.org has `Z` for the games of a round that is being played.
    let text = tournament(["   3 b Z", "   6 w Z", "   1 w Z", "   5 w Z", "   4 b Z", "   2 b Z"]);
    assert_eq!(shown(&text, None).len(), 3);
    assert!(!Pairings::parse(&text, None).unwrap().is_played());
}

#[test]
fn the_scoring_system_of_the_file_counts() {
    // Scores with 3, 1, 0 before round 3: 5 has 4, 3 and 4 have 3, 1 and 2 have 2.
    let rounds = [
        ["   2 w =", "   6 b =", "   2 b"],
        ["   1 b =", "   5 w =", "   1 w"],
        ["   5 w 1", "   4 w 0", "   4 b"],
        ["   6 b 0", "   3 b 1", "   3 w"],
        ["   3 b 0", "   2 b =", "   6 w"],
        ["   4 w 1", "   1 w =", "   5 b"],
    ];
    let players: String = (1..)
        .zip(rounds)
        .map(|(number, rounds)| line(number, &format!("P{number}"), &rounds))
        .collect();
    for (scoring, expected) in [
        ("", ["1 P5-P6", "2 P2-P1", "3 P4-P3"]),
        ("162  W 3.0    D 1.0    L 0.0\n", ["1 P5-P6", "2 P4-P3", "3 P2-P1"]),
        ("BBW  3.0\rBBD  1.0\r", ["1 P5-P6", "2 P4-P3", "3 P2-P1"]),
        ("XXS W=3 D=1\n", ["1 P5-P6", "2 P4-P3", "3 P2-P1"]),
    ] {
        let text = format!("{scoring}{players}");
        assert_eq!(shown(&text, None), expected, "{scoring}");
    }
}

/// A team of a TRF26 with its players.
fn team(number: u32, players: &str) -> String {
    format!(
        "310 {number:>3} {:<32} {:<5} {:>6} {:>6} {:>6} {:>3} {players}\n",
        "Team", "T", 0, "0.0", "0.0", number
    )
}

/// Four teams of two players. In round 1 team 4 has beaten team 1, and team 2 and 3 have drawn.
fn teams(second: [&str; 8]) -> String {
    let first = [
        "   7 w 0", "   8 b 0", "   5 w 1", "   6 b 0", "   3 b 0", "   4 w 1", "   1 b 1",
        "   2 w 1",
    ];
    let players = (1..9).zip(first.iter().zip(second)).map(|(number, (first, second))| {
        line(number, &format!("T{}B{}", number.div_ceil(2), 2 - number % 2), &[first, second])
    });
    let teams = [(1, "   1    2"), (2, "   3    4"), (3, "   5    6"), (4, "   7    8")];
    let teams: String = teams.map(|(number, players)| team(number, players)).concat();
    format!("192 FIDE_TEAM_MP_GP\n{teams}{}", players.collect::<String>())
}

#[test]
fn team_events_go_match_by_match_with_board_1_first() {
    let second = ["   5 w", "   6 b", "   7 b", "   8 w", "   1 b", "   2 w", "   3 w", "   4 b"];
    let text = teams(second);
    let expected = ["1 T4B1-T2B1", "2 T2B2-T4B2", "3 T1B1-T3B1", "4 T3B2-T1B2"];
    assert_eq!(shown(&text, None), expected);
    // As older files have the teams: by name, without a number.
    let old = text.lines().filter(|line| !line.starts_with("310") && !line.starts_with("192"));
    let old: String = old.map(|line| format!("{line}\n")).collect();
    let old = ["   1    2", "   3    4", "   5    6", "   7    8"]
        .map(|players| format!("013 {:<32}{players}\n", "Team"))
        .concat()
        + &old;
    assert_eq!(shown(&old, None), expected);
    // A file may have the teams in both forms, in any order.
    let both = old.lines().filter(|line| line.starts_with("013")).map(|line| format!("{line}\n"));
    assert_eq!(shown(&(both.collect::<String>() + &text), None), expected);
    // Without the records the boards do not follow.
    let none = text.lines().filter(|line| !line.starts_with("310")).map(|line| format!("{line}\n"));
    let why = Pairings::parse(&none.collect::<String>(), None).unwrap_err().to_string();
    assert!(
        why.contains("do not follow from the file (FIDE_TEAM_MP_GP): give a table (CSV)"),
        "{why}"
    );
}

#[test]
fn a_line_up_of_a_team_event_says_the_boards() {
    // Team 4 plays in the other order: its second player meets the first of team 2.
    let second = ["   5 w", "   6 b", "   8 b", "   7 w", "   1 b", "   2 w", "   4 b", "   3 w"];
    let why = Pairings::parse(&teams(second), None).unwrap_err().to_string();
    assert!(why.contains("boards in the match of the teams 2 and 4 does not follow"), "{why}");
    let text = teams(second) + "300   2   4   2    8    7\n";
    let expected = ["1 T4B2-T2B1", "2 T2B2-T4B1", "3 T1B1-T3B1", "4 T3B2-T1B2"];
    assert_eq!(shown(&text, None), expected);
    // A team that leaves board 1 empty: its other player is on board 2.
    let second =
        ["   5 w", "   6 b", "0000 - -", "   8 w", "   1 b", "   2 w", "0000 - +", "   4 b"];
    assert_eq!(shown(&teams(second), None), ["2 T2B2-T4B2", "3 T1B1-T3B1", "4 T3B2-T1B2"]);
    // A match has as many boards as the file has colours for (352), and reserves have none.
    let text = teams(second) + "352 WBW\n" + &line(9, "Reserve", &["0000 - -", "0000 - -"]);
    let text = text.replace("   3    4\n", "   3    9    4\n");
    assert_eq!(shown(&text, None), ["2 T2B2-T4B2", "4 T1B1-T3B1", "5 T3B2-T1B2"]);
}

#[test]
fn a_team_record_that_is_wrong_is_refused_with_its_place() {
    let second = ["   5 w", "   6 b", "   7 b", "   8 w", "   1 b", "   2 w", "   3 w", "   4 b"];
    for (from, to, said) in [
        ("   1    2\n", "   1    x\n", "2:72: from column 72: expected a number, found \"x\""),
        ("   3    4\n", "   1    4\n", "1:1: player 1 is in team 1 and in team 2"),
        ("   3    4\n", "   3\n", "1:1: player 4 is in no team"),
        ("310   2", "310   1", "3:5: team 1 is there twice"),
    ] {
        let text = teams(second);
        assert!(text.contains(from), "{from}");
        let why = Pairings::parse(&text.replacen(from, to, 1), None).unwrap_err().to_string();
        assert!(why.starts_with(said), "{why}");
    }
}

#[test]
fn a_round_robin_is_in_the_order_of_its_schedule() {
    // Round 2 of the Berger table of six: 6-4, 5-3, 1-2. By scores it would begin with 1-2.
    let round_robin = |second: [&str; 6]| {
        let first = ["   6 w 1", "   5 w 1", "   4 w 0", "   3 b 1", "   2 b 0", "   1 b 0"];
        let lines = (1..).zip(first.iter().zip(second));
        let lines: String = lines
            .map(|(number, (first, second))| line(number, &format!("P{number}"), &[first, second]))
            .collect();
        format!("092 Individual: Round-Robin\n{lines}")
    };
    let table = round_robin(["   2 w", "   1 b", "   5 b", "   6 b", "   3 w", "   4 w"]);
    assert_eq!(shown(&table, None), ["1 P6-P4", "2 P5-P3", "3 P1-P2"]);
    let swiss = table.replace("Round-Robin", "Swiss-System");
    assert_eq!(shown(&swiss, None), ["1 P1-P2", "2 P6-P4", "3 P5-P3"]);
    let coded = table.replace("092 Individual: Round-Robin", "192 FIDE_ROUNDROBIN");
    assert_eq!(shown(&coded, None), ["1 P6-P4", "2 P5-P3", "3 P1-P2"]);
    let other = round_robin(["   3 w", "   4 b", "   1 b", "   2 w", "   6 b", "   5 w"]);
    let why = Pairings::parse(&other, None).unwrap_err().to_string();
    assert!(
        why.contains("does not follow the Berger tables") && why.contains("give a table (CSV)"),
        "{why}"
    );
}

#[test]
fn a_wrong_file_is_refused_with_its_line_and_column() {
    let paired = ["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"];
    let text = tournament(paired);
    for (from, to, said) in [
        ("001    1", "001   x1", "3:5: columns 5 to 8: expected the number of a player"),
        ("001    2", "001    1", "4:5: player 1 is there twice: here and in line 3"),
        ("Mirzoev,Azer", "            ", "3:15: columns 15 to 47"),
        ("   4 w 1", "   4 w ?", "3:99: expected one of the results"),
        ("   4 w 1", "   4 x 1", "3:97: expected the colour w or b, found 'x'"),
        ("   4 w 1", "   4   1", "3:97: expected the colour w or b, found ' '"),
        ("   4 w 1", " abc w 1", "3:92: \"abc\" is not the number"),
        ("   3 b", "   3 w", "3:102: round 2: player 1 plays against player 3"),
        ("   3 b", "  99 b", "3:102: round 2: player 1 plays against player 99"),
        ("   3 b", "   3 - -", "3:102: round 2: player 1 plays against player 3"),
    ] {
        let why = Pairings::parse(&text.replacen(from, to, 1), None).unwrap_err().to_string();
        assert!(why.starts_with(said), "{to}: {why}");
    }
}
