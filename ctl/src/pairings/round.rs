//! The games of a round.

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
    pub games: Vec<Pairing>,
}

/// One game of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the table, such as `12` or `A3`.
    pub board: String,
    pub white: String,
    pub black: String,
}

impl Pairings {
    /// Refuses what no clock accepts.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.games.is_empty() {
            return Err("it has no game".to_owned());
        }
        if self.games.len() > GAMES_LIMIT {
            return Err(format!("it has {} games; at most {GAMES_LIMIT}", self.games.len()));
        }
        for (index, game) in self.games.iter().enumerate() {
            let board = &game.board;
            for name in [board, &game.white, &game.black] {
                check_name(name).map_err(|why| format!("board {board:?}: {why}"))?;
            }
            for other in &self.games[..index] {
                if other.board == *board {
                    return Err(format!("board {board:?} is named twice"));
                }
            }
        }
        Ok(())
    }
}

fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        Err("a name is missing".to_owned())
    } else if name.len() > NAME_LIMIT {
        Err(format!("the name {name:?} is longer than {NAME_LIMIT} bytes"))
    } else if name.chars().any(char::is_control) {
        Err(format!("the name {name:?} has a control character"))
    } else {
        Ok(())
    }
}
