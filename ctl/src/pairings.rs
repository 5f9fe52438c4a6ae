//! The pairings of a round, as a pairing program writes them: a table (CSV) or a Tournament Report
//! File of FIDE (TRF). The results of the round go back into a copy of the file.

mod cells;
mod file;
mod heads;
mod results;
mod round;
mod table;
mod trf;

pub use file::{Encoding, PairingFile, Player};
pub use results::{Filled, GameResult};
pub use round::{Pairing, Pairings, Score, is_same_round, round_number};

#[cfg(test)]
mod tests;
