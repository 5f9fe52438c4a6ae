//! Pairings of a Tournament Report File (FIDE Handbook, TRF16 and TRF26): lines of fixed columns,
//! one for each player. A round that is paired has an opponent and a colour, and no result yet.
//!
//! The file has no numbers of boards. They follow from the order in which the pairings of a Swiss
//! tournament are published (FIDE Handbook C.04.2): by the score of the higher player of the pair,
//! then by the sum of both scores, then by the number of the higher player.

use std::collections::BTreeMap;

use super::round::{Pairing, Pairings};

/// The place of the first round in a player's line, in characters, and the width of each round.
const FIRST_ROUND: usize = 91;
const ROUND_WIDTH: usize = 10;
/// The most rounds that are looked for.
const ROUNDS: usize = 99;

/// A player with the rounds so far.
struct Player {
    name: String,
    rounds: Vec<Option<Round>>,
}

/// One round of a player.
#[derive(Clone, Copy)]
struct Round {
    /// `None` for a bye.
    opponent: Option<u32>,
    is_white: bool,
    /// The points of the round, in half points; `None` if there is no result yet.
    half_points: Option<u32>,
}

/// Reads the games of `round`; of the latest paired round if it is `None`.
pub(super) fn parse(text: &str, round: Option<&str>) -> Result<Pairings, String> {
    let mut players = BTreeMap::new();
    let mut event = None;
    for (index, line) in text.lines().enumerate() {
        let wrong = |why: String| format!("line {}: {why}", index + 1);
        if let Some(name) = line.strip_prefix("012 ") {
            event = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        } else if line.starts_with("001 ") {
            let (number, player) = player(line).map_err(wrong)?;
            if players.insert(number, player).is_some() {
                return Err(wrong(format!("player {number} is there twice")));
            }
        }
    }
    let round = wanted(&players, round)?;
    let games = games(&players, round)?;
    Ok(Pairings { event, round: Some(round.to_string()), games })
}

/// The number of the round that is asked for, from 1.
fn wanted(players: &BTreeMap<u32, Player>, round: Option<&str>) -> Result<usize, String> {
    let is_paired = |round: &usize| {
        let of_round = players.values().filter_map(|player| player.round(*round));
        of_round.into_iter().any(|played| played.opponent.is_some())
    };
    let latest = (1..=ROUNDS).rev().find(is_paired).ok_or("it has no paired round")?;
    let Some(text) = round else { return Ok(latest) };
    text.parse()
        .ok()
        .filter(is_paired)
        .ok_or_else(|| format!("round {text} is not paired; the latest that is, is round {latest}"))
}

/// The games of the round in the order of their boards.
fn games(players: &BTreeMap<u32, Player>, round: usize) -> Result<Vec<Pairing>, String> {
    let mut sorted = Vec::new();
    for (number, player) in players {
        let Some(Round { opponent: Some(opponent), is_white, .. }) = player.round(round) else {
            continue;
        };
        let theirs = players.get(&opponent).and_then(|other| other.round(round));
        if !theirs
            .is_some_and(|other| other.opponent == Some(*number) && other.is_white != is_white)
        {
            return Err(format!(
                "round {round}: player {number} plays against player {opponent}, whose line does \
                 not have this game with the other colour"
            ));
        }
        let other = &players[&opponent];
        if is_white {
            let (mine, others) = (player.points_before(round), other.points_before(round));
            // The higher player has the higher score or, with equal scores, the lower number.
            let higher = if (mine, opponent) > (others, *number) { *number } else { opponent };
            let order = (u32::MAX - mine.max(others), u32::MAX - (mine + others), higher);
            sorted.push((order, player.name.clone(), other.name.clone()));
        }
    }
    sorted.sort_unstable();
    let pairing = |(index, (_, white, black)): (usize, (_, String, String))| Pairing {
        board: (index + 1).to_string(),
        white,
        black,
    };
    Ok(sorted.into_iter().enumerate().map(pairing).collect())
}

impl Player {
    fn round(&self, round: usize) -> Option<Round> {
        self.rounds.get(round.checked_sub(1)?).copied().flatten()
    }

    /// The half points of all rounds before this one.
    fn points_before(&self, round: usize) -> u32 {
        let before = self.rounds.iter().take(round.saturating_sub(1)).flatten();
        before.filter_map(|played| played.half_points).sum()
    }
}

/// Reads the line of a player: the number and the player.
fn player(line: &str) -> Result<(u32, Player), String> {
    let letters: Vec<char> = line.chars().collect();
    let number = columns(&letters, 4, 8);
    let number = number.parse().map_err(|_| {
        format!("columns 5 to 8: expected the number of a player, found {number:?}")
    })?;
    let name = full_name(&columns(&letters, 14, 47));
    if name.is_empty() {
        return Err("columns 15 to 47: expected the name of a player".to_owned());
    }
    let mut rounds = Vec::new();
    for index in 0..ROUNDS {
        let start = FIRST_ROUND + index * ROUND_WIDTH;
        if start >= letters.len() {
            break;
        }
        rounds.push(played(&letters, start)?);
    }
    Ok((number, Player { name, rounds }))
}

/// A round: four columns for the opponent, a space, the colour, a space, the result.
fn played(letters: &[char], start: usize) -> Result<Option<Round>, String> {
    let at = |offset: usize| letters.get(start + offset).copied().unwrap_or(' ');
    let opponent = columns(letters, start, start + 4);
    let (colour, result) = (at(5), at(7));
    if opponent.is_empty() && colour == ' ' && result == ' ' {
        return Ok(None);
    }
    let wrong = |what: String| format!("columns {} to {}: {what}", start + 1, start + 8);
    // The number 0 stands for no opponent.
    let opponent = match opponent.as_str() {
        "" => None,
        text => {
            let number = text.parse::<u32>();
            let number =
                number.map_err(|_| wrong(format!("{text:?} is not the number of a player")))?;
            Some(number).filter(|number| *number != 0)
        }
    };
    let is_white = match colour.to_ascii_lowercase() {
        'w' => true,
        'b' => false,
        _ if opponent.is_none() => false,
        other => return Err(wrong(format!("expected the colour w or b, found {other:?}"))),
    };
    let half_points = match result.to_ascii_uppercase() {
        ' ' => None,
        '1' | '+' | 'W' | 'F' | 'U' => Some(2),
        '=' | 'D' | 'H' => Some(1),
        '0' | '-' | 'L' | 'Z' => Some(0),
        other => {
            return Err(wrong(format!(
                "expected one of the results 1 = 0 + - W D L F H Z U, found {other:?}"
            )));
        }
    };
    Ok(Some(Round { opponent, is_white, half_points }))
}

/// The text in these columns, without the spaces around it.
fn columns(letters: &[char], start: usize, end: usize) -> String {
    let text: String = letters.iter().skip(start).take(end - start).collect();
    text.trim().to_owned()
}

/// `Mirzoev,Azer` as `Mirzoev, Azer`.
fn full_name(name: &str) -> String {
    let parts: Vec<&str> = name.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::Pairings;

    /// A player's line with these rounds.
    fn line(number: u32, name: &str, rounds: &[&str]) -> String {
        let head =
            format!("001 {number:>4} m    {name:<33} 2400 ESP     2212072 1981/01/01  0.0    1");
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

    #[test]
    fn boards_are_in_the_order_in_which_pairings_are_published() {
        // The scores are 1: 1, 2: ½, 3: 1, 4: 0, 5: ½, 6: ½.
        let text = tournament(["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"]);
        let pairings = Pairings::parse(&text, None).unwrap();
        assert_eq!(pairings.event.as_deref(), Some("The Open"));
        assert_eq!(pairings.round.as_deref(), Some("2"));
        let shown: Vec<String> = pairings
            .games
            .iter()
            .map(|game| format!("{} {}-{}", game.board, game.white, game.black))
            .collect();
        assert_eq!(shown, ["1 C-Mirzoev, Azer", "2 Öz, B-F", "3 D-E"]);
    }

    #[test]
    fn an_earlier_round_is_taken_if_it_is_asked_for() {
        let text = tournament(["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"]);
        let pairings = Pairings::parse(&text, Some("1")).unwrap();
        let shown: Vec<_> = pairings.games.iter().map(|game| game.white.as_str()).collect();
        assert_eq!(shown, ["Mirzoev, Azer", "E"]);
        let why = Pairings::parse(&text, Some("3")).unwrap_err();
        assert_eq!(why, "round 3 is not paired; the latest that is, is round 2");
    }

    #[test]
    fn a_wrong_file_is_refused_with_its_line() {
        let paired = ["   3 b", "   6 w", "   1 w", "   5 w", "   4 b", "   2 b"];
        let text = tournament(paired);
        for (from, to, said) in [
            ("001    1", "001   x1", "line 3: columns 5 to 8: expected the number of a player"),
            ("001    2", "001    1", "line 4: player 1 is there twice"),
            ("Mirzoev,Azer", "            ", "line 3: columns 15 to 47"),
            ("   4 w 1", "   4 w ?", "line 3: columns 92 to 99: expected one of the results"),
            ("   4 w 1", "   4 x 1", "line 3: columns 92 to 99: expected the colour w or b"),
            ("   4 w 1", " abc w 1", "line 3: columns 92 to 99: \"abc\" is not the number"),
            ("   3 b", "   3 w", "round 2: player 1 plays against player 3"),
            ("   3 b", "  99 b", "round 2: player 1 plays against player 99"),
        ] {
            let why = Pairings::parse(&text.replacen(from, to, 1), None).unwrap_err();
            assert!(why.contains(said), "{to}: {why}");
        }
    }
}
