//! The games of a round.

use std::{collections::BTreeMap, ops::Range};

use clock_engine::text::{FileError, Place};

/// The longest name of a player, of an event or of a board, as the clock accepts it, in bytes.
const NAME_LIMIT: usize = 200;
/// The most games of a round.
const GAMES_LIMIT: usize = 5000;

/// The pairings of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairings {
    /// The name of the event, if the file has it.
    pub event: Option<String>,
    /// The round, if the file or the caller names it.
    pub round: Option<String>,
    /// The games that need a clock.
    pub games: Vec<Pairing>,
    /// The games that nobody plays, because a player did not come.
    pub forfeited: Vec<Pairing>,
    /// The players who have no opponent in this round.
    pub byes: Vec<String>,
}

/// One game of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the table, such as `12` or `A3`.
    pub board: String,
    pub white: String,
    pub black: String,
    /// The result that the file has already.
    pub score: Option<Score>,
    /// Where the file has the game.
    pub(super) place: Place,
    pub(super) slot: Slot,
}

/// Where the result of a game goes in the text of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The table has no column for it.
    None,
    /// The cell of a table. A row that is too short gets this many separators first.
    Cell { at: Range<usize>, separators: usize },
    /// The lines of these two players in a TRF.
    Players { white: u32, black: u32 },
}

/// The result of a game as files of pairings have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    White,
    Black,
    Draw,
    /// 0-0 of a game that was played.
    Nobody,
    /// Half a point for White, none for Black.
    HalfWhite,
    HalfBlack,
    /// The points of a game that was not played.
    ForfeitWhite,
    ForfeitBlack,
    ForfeitBoth,
    /// One that only the pairing program understands.
    Other,
}

impl Score {
    /// The result that a clock's record has, such as `1-0`. `is_forfeit` is whether the game was not
    /// played.
    pub fn of_record(result: &str, is_forfeit: bool) -> Option<Score> {
        Some(match (result, is_forfeit) {
            ("1-0", false) => Score::White,
            ("0-1", false) => Score::Black,
            ("0-0", false) => Score::Nobody,
            ("1/2-1/2", _) => Score::Draw,
            ("1/2-0", _) => Score::HalfWhite,
            ("0-1/2", _) => Score::HalfBlack,
            ("1-0", true) => Score::ForfeitWhite,
            ("0-1", true) => Score::ForfeitBlack,
            ("0-0", true) => Score::ForfeitBoth,
            _ => return None,
        })
    }

    /// The result in the form of a table: `1-0`, and `+ - -` for a win without a game.
    pub fn text(self) -> &'static str {
        match self {
            Score::White => "1-0",
            Score::Black => "0-1",
            Score::Draw => "1/2-1/2",
            Score::Nobody => "0-0",
            Score::HalfWhite => "1/2-0",
            Score::HalfBlack => "0-1/2",
            Score::ForfeitWhite => "+ - -",
            Score::ForfeitBlack => "- - +",
            Score::ForfeitBoth => "- - -",
            Score::Other => "?",
        }
    }

    /// The result that a cell of a table has; `None` if the game has none yet.
    pub(super) fn of_cell(cell: &str) -> Option<Score> {
        // A game that nobody has played yet. A double forfeit is written with spaces: `- - -`.
        if matches!(cell.trim(), "---" | "- : -" | "-:-") {
            return None;
        }
        let text: String = cell.chars().filter(|c| !c.is_whitespace()).collect();
        let text = text.replace('½', "1/2").replace("0.5", "1/2").replace("0,5", "1/2");
        let text = text.replace("1.0", "1").replace("0.0", "0");
        let text = text.replace([':', '–', '−'], "-").to_lowercase();
        Some(match text.as_str() {
            "1-0" => Score::White,
            "0-1" => Score::Black,
            "1/2-1/2" | "1/2" | "=" | "=-=" => Score::Draw,
            "0-0" => Score::Nobody,
            "1/2-0" => Score::HalfWhite,
            "0-1/2" => Score::HalfBlack,
            "+--" | "+-" | "+/-" | "1-0f" | "1f-0f" | "+-0" => Score::ForfeitWhite,
            "--+" | "-+" | "-/+" | "0-1f" | "0f-1f" | "0-+" => Score::ForfeitBlack,
            "---" | "-/-" | "0-0f" | "0f-0f" => Score::ForfeitBoth,
            // Other words, such as `Pending` and `In Progress`, are no result.
            text if is_other_result(text) => Score::Other,
            _ => return None,
        })
    }

    /// Whether nobody plays this game.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Score::ForfeitWhite | Score::ForfeitBlack | Score::ForfeitBoth)
    }
}

/// Whether a cell has a result that is in none of the known forms, such as `WHITE_WIN`.
fn is_other_result(text: &str) -> bool {
    let words = ["win", "won", "loss", "lost", "draw", "remis", "forfeit", "bye"];
    text.contains(|c: char| c.is_ascii_digit()) || words.iter().any(|word| text.contains(word))
}

impl Pairing {
    /// A game without a result.
    pub fn new(board: &str, white: &str, black: &str) -> Pairing {
        Pairing {
            board: board.to_owned(),
            white: white.to_owned(),
            black: black.to_owned(),
            score: None,
            place: Place::START,
            slot: Slot::None,
        }
    }

    /// Whether this is the game of the board: `7` and `07` are the same.
    pub fn is_on(&self, board: &str) -> bool {
        let number = |name: &str| name.parse::<u32>().ok();
        self.board == board || number(board).is_some_and(|it| number(&self.board) == Some(it))
    }
}

impl Pairings {
    /// Whether the file has the results of all games already.
    pub fn is_played(&self) -> bool {
        self.games.iter().all(|game| game.score.is_some())
    }

    /// Refuses what no clock accepts.
    pub(super) fn check(&self) -> Result<(), FileError> {
        if self.games.is_empty() && self.forfeited.is_empty() && self.byes.is_empty() {
            return Err(without_place("it has no game".to_owned()));
        }
        if self.games.len() > GAMES_LIMIT {
            let message = format!("it has {} games; at most {GAMES_LIMIT}", self.games.len());
            return Err(without_place(message));
        }
        let mut boards: BTreeMap<&str, Place> = BTreeMap::new();
        for game in self.games.iter().chain(&self.forfeited) {
            let wrong = |message| FileError { place: game.place, message };
            let board = &game.board;
            for name in [board, &game.white, &game.black] {
                check_name(name).map_err(|why| wrong(format!("board {board:?}: {why}")))?;
            }
            if let Some(other) = boards.insert(board, game.place) {
                let line = other.line;
                let why = format!("board {board:?} is named twice: here and in line {line}");
                return Err(wrong(why));
            }
        }
        Ok(())
    }
}

/// An error of the file as a whole.
pub(super) fn without_place(message: String) -> FileError {
    FileError { place: Place::START, message }
}

fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        Err("a name is missing".to_owned())
    } else if name.len() > NAME_LIMIT {
        let begin: String = name.chars().take(30).collect();
        Err(format!("the name {begin:?}… is longer than {NAME_LIMIT} bytes"))
    } else if name.chars().any(char::is_control) {
        Err(format!("the name {name:?} has a control character"))
    } else {
        Ok(())
    }
}

/// The number in the name of a round: `10` in `10` and in `R10`. Other names have none.
pub fn round_number(name: &str) -> Option<u32> {
    let digits = name.trim().trim_matches(|c: char| !c.is_ascii_digit());
    digits.parse().ok()
}

/// Whether both name the same round: `7`, `07` and `Round 7` do.
pub fn is_same_round(one: &str, other: &str) -> bool {
    one == other || round_number(one).is_some_and(|one| round_number(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::{Score, is_same_round};

    #[test]
    fn results_are_read_as_tables_write_them() {
        for (cell, score) in [
            ("", None),
            (" - ", None),
            ("*", None),
            (":", None),
            ("1 - 0", Some(Score::White)),
            ("0:1", Some(Score::Black)),
            ("½ - ½", Some(Score::Draw)),
            ("0.5-0.5", Some(Score::Draw)),
            ("+ - -", Some(Score::ForfeitWhite)),
            ("- - +", Some(Score::ForfeitBlack)),
            ("- - -", Some(Score::ForfeitBoth)),
            ("0 - 0", Some(Score::Nobody)),
            ("1.0-0.0", Some(Score::White)),
            ("Pending", None),
            ("In Progress", None),
            ("—", None),
            ("1-0F", Some(Score::ForfeitWhite)),
            ("WHITE_WIN", Some(Score::Other)),
        ] {
            assert_eq!(Score::of_cell(cell), score, "{cell:?}");
        }
        for score in ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"] {
            for is_forfeit in [false, true] {
                let of = Score::of_record(score, is_forfeit).unwrap();
                assert_eq!(Score::of_cell(of.text()), Some(of));
            }
        }
    }

    #[test]
    fn a_round_is_known_by_its_number() {
        assert!(is_same_round("7", "Round 7") && is_same_round("07", "7"));
        assert!(!is_same_round("7", "17") && is_same_round("Final", "Final"));
        assert!(!is_same_round("Final", "Semi"));
    }
}
