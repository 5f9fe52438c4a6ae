//! A game with a press every few 100 µs, and the time that Black's clock must show.

use crate::{Bench, Buttons};
use anyhow::Result;

/// A debounce so short that presses can follow each other every 100 µs: the text of a
/// configuration.
pub const FAST_DEBOUNCE: &str =
    "[debounce]\nsettle = '10us'\nlongest_bounce = '10us'\nrelease = '10us'\n";

/// The time of a side in `blitz-3-2` before its first move, and what each move adds, in
/// nanoseconds.
const TIME: u64 = 182_000_000_000;
const INCREMENT: u64 = 2_000_000_000;

/// A game of `blitz-3-2` under way: White's clock runs.
pub struct FastGame {
    buttons: Buttons,
    /// How many moves Black has made; White has made as many.
    pub moves: u64,
    /// The stamp of the last press, which was Black's.
    pub last: u64,
    charged: u64,
}

impl FastGame {
    /// Starts the game on the clock of this bench, which must have [`FAST_DEBOUNCE`] and the
    /// control `blitz-3-2`.
    pub fn start(bench: &Bench) -> Result<FastGame> {
        let mut buttons = bench.buttons()?;
        let last = buttons.tap("black")?;
        Ok(FastGame { buttons, moves: 0, last, charged: 0 })
    }

    /// Both players press once.
    pub fn play_move(&mut self) -> Result<()> {
        let white = self.buttons.tap("white")?;
        self.last = self.buttons.tap("black")?;
        self.charged += self.last - white;
        self.moves += 1;
        Ok(())
    }

    /// What Black's clock must show after the last press, to the nanosecond.
    pub fn black_left(&self) -> u64 {
        TIME + self.moves * INCREMENT - self.charged
    }
}
