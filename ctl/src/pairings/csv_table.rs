//! Pairings as a table: a first line with the titles of the columns, then one line for each game.
//! The separator is a comma, a semicolon or a tab.

use csv::{ReaderBuilder, StringRecord};

use super::round::{Pairing, Pairings};

/// The titles of each column, in small letters. The last ones are those of the lists of pairings
/// that chess-results.com and Swiss-Manager write.
const BOARD: &[&str] = &["board", "table", "bo.", "bo"];
const WHITE: &[&str] = &["white", "white player"];
const BLACK: &[&str] = &["black", "black player"];
const ROUND: &[&str] = &["round", "rd.", "rd"];
/// The title of both players' columns in those lists: White's comes first.
const NAME: &str = "name";

/// The places of the columns.
struct Columns {
    board: usize,
    white: usize,
    black: usize,
    round: Option<usize>,
}

/// Reads the games of `round`; of the latest round in the table if it is `None`.
pub(super) fn parse(text: &str, round: Option<&str>) -> Result<Pairings, String> {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator(text))
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let titles = reader.headers().map_err(|error| error.to_string())?.clone();
    let columns = Columns::of(&titles)?;
    let mut games = Vec::new();
    for line in reader.records() {
        let line = line.map_err(|error| error.to_string())?;
        let cell = |column: usize| line.get(column).unwrap_or_default().to_owned();
        let pairing = Pairing {
            board: cell(columns.board),
            white: cell(columns.white),
            black: cell(columns.black),
        };
        let number = line.position().map_or(0, csv::Position::line);
        if pairing.board.is_empty() {
            return Err(format!("line {number}: it has no board"));
        }
        games.push((columns.round.map(cell), pairing));
    }
    of_round(games, round)
}

/// The character that separates most of the titles.
fn separator(text: &str) -> u8 {
    let titles = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| titles.bytes().filter(|byte| byte == separator).count();
    // Of equal counts the last one is taken: a title has a comma less often than a semicolon.
    [b',', b'\t', b';'].into_iter().max_by_key(count).unwrap_or(b',')
}

impl Columns {
    fn of(titles: &StringRecord) -> Result<Columns, String> {
        let titles: Vec<String> = titles.iter().map(str::to_lowercase).collect();
        let find = |names: &[&str]| titles.iter().position(|title| names.contains(&title.as_str()));
        let first_name = titles.iter().position(|title| title == NAME);
        let last_name = titles.iter().rposition(|title| title == NAME);
        let two_names = first_name != last_name;
        let board = find(BOARD);
        let white = find(WHITE).or(first_name.filter(|_| two_names));
        let black = find(BLACK).or(last_name.filter(|_| two_names));
        match (board, white, black) {
            (Some(board), Some(white), Some(black)) => {
                Ok(Columns { board, white, black, round: find(ROUND) })
            }
            _ => Err(format!(
                "line 1: expected the columns board, white and black, and found {}",
                if titles.is_empty() { "nothing".to_owned() } else { titles.join(", ") }
            )),
        }
    }
}

/// The games of the round that is asked for.
fn of_round(
    games: Vec<(Option<String>, Pairing)>,
    round: Option<&str>,
) -> Result<Pairings, String> {
    let number = |round: &String| round.parse::<u32>().unwrap_or(0);
    let rounds = games.iter().filter_map(|(round, _)| round.as_ref());
    let latest = rounds.max_by_key(|round| number(round)).cloned();
    let wanted = match (round, &latest) {
        (Some(round), Some(_)) => Some(round.to_owned()),
        _ => latest.clone(),
    };
    let had_games = !games.is_empty();
    let games: Vec<Pairing> = games
        .into_iter()
        .filter(|(of, _)| wanted.is_none() || *of == wanted)
        .map(|(_, game)| game)
        .collect();
    match (&wanted, latest) {
        (Some(wanted), Some(latest)) if games.is_empty() && had_games => {
            Err(format!("it has no round {wanted}; the latest is {latest}"))
        }
        _ => Ok(Pairings { event: None, round: wanted.or(round.map(str::to_owned)), games }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pairings;

    fn games(text: &str, round: Option<&str>) -> Vec<String> {
        let pairings = Pairings::parse(text, round).unwrap();
        let shown =
            |game: &super::Pairing| format!("{}: {} - {}", game.board, game.white, game.black);
        pairings.games.iter().map(shown).collect()
    }

    #[test]
    fn columns_are_found_by_their_titles_with_any_separator() {
        let expected = ["1: O'Kelly, A. - \"Bob\" Ray", "A2: Ω - Öz"];
        for text in [
            "board,white,black\n1,\"O'Kelly, A.\",\"\"\"Bob\"\" Ray\"\nA2,Ω,Öz\n",
            "\u{feff}Black;White;Board\r\n\"\"\"Bob\"\" Ray\";O'Kelly, A.;1\r\nÖz;Ω;A2\r\n",
            "Bo.\tNo.\tName\tRtg\tResult\tName\tRtg\tNo.\n\
             1\t5\tO'Kelly, A.\t2400\t\t\"\"\"Bob\"\" Ray\"\t2300\t9\nA2\t1\tΩ\t\t\tÖz\t\t2\n",
        ] {
            assert_eq!(games(text, None), expected, "{text}");
        }
    }

    #[test]
    fn of_several_rounds_the_wanted_one_or_the_latest_is_taken() {
        let text = "round,board,white,black\n9,1,A,B\n10,1,C,D\n";
        assert_eq!(games(text, None), ["1: C - D"]);
        assert_eq!(games(text, Some("9")), ["1: A - B"]);
        let why = Pairings::parse(text, Some("3")).unwrap_err();
        assert_eq!(why, "it has no round 3; the latest is 10");
        let named = Pairings::parse("board,white,black\n1,A,B\n", Some("3")).unwrap();
        assert_eq!(named.round.as_deref(), Some("3"));
    }

    #[test]
    fn a_wrong_table_is_refused_with_its_line() {
        for (text, said) in [
            ("board,white\n1,A\n", "line 1: expected the columns board, white and black"),
            ("board,name\n1,A\n", "line 1"),
            ("board,white,black\n1,A,B\n,C,D\n", "line 3: it has no board"),
        ] {
            let why = Pairings::parse(text, None).unwrap_err();
            assert!(why.contains(said), "{text:?}: {why}");
        }
    }
}
