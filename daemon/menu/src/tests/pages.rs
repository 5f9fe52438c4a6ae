//! The pages of the menu, as data: the tests of this crate walk them in virtual time, and those in
//! `tests/tests/bus` with the real programs.

use Begin::{Agreeing, Coded, Over, Standing};

/// The game with which a walk begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// An arbiter's game that has a result.
    Over,
    /// An arbiter's game of 40/90, G/30 in which the call button stopped the clocks, under a profile
    /// that hides nothing.
    Standing,
    /// The same in a game of 3+2 without an arbiter.
    Agreeing,
    /// The same in an arbiter's game of 3+2, with an arbiter's code.
    Coded,
}

pub type PageCase = (Begin, &'static [&'static str], &'static str);

/// Every page: where the walk begins, the lines that lead there, and its title.
pub const PAGES: &[PageCase] = &[
    (Over, &[], "Menu"),
    (Over, &["New game"], "New game"),
    (Over, &["New game", "We two"], "Time control"),
    (Over, &["New game", "With an"], "Time control"),
    (Over, &["New game", "We two", "All"], "Time control"),
    (Over, &["New game", "We two", "All", "Blitz"], "Blitz"),
    (Over, &["New game", "We two", "Our own"], "Our own"),
    (Over, &["New game", "We two", "Our own", "Own 1"], "Own 1"),
    (Over, &["New game", "We two", "Our own", "Own 1", "Time"], "Time"),
    (Over, &["New game", "We two", "25+10"], "Is this right?"),
    (Over, &["Again, same"], "Is this right?"),
    (Over, &["Again, sides"], "Is this right?"),
    (Over, &["Result"], "Result"),
    (Over, &["Result", "0-1"], "0-1 Black wins"),
    (Over, &["White's"], "White's button"),
    (Over, &["White's", "Exchanged"], "White's button"),
    (Over, &["Sound"], "Sound"),
    (Over, &["Brightness"], "Brightness"),
    (Over, &["Language"], "Language"),
    (Over, &["About"], "About this clock"),
    (Standing, &[], "Game: clocks stand"),
    (Standing, &["What awaits"], "What awaits an answer"),
    (Standing, &["What awaits", "Clocks"], "Clocks stopped: reason?"),
    (Standing, &["What awaits", "Clocks", "The reason"], "The reason was valid"),
    (Standing, &["Result", "½"], "½-½ drawn"),
    (Standing, &["Correct"], "Correct the clock"),
    (Standing, &["Correct", "Black's moves"], "Black's moves"),
    (Standing, &["Correct", "On move", "Show"], "Before and after"),
    (Standing, &["Take back"], "Take back last press"),
    (Standing, &["Penalties"], "Who is penalized?"),
    (Standing, &["Penalties", "Black"], "Penalty for Black"),
    (Standing, &["Penalties", "Black", "Warning"], "Warning"),
    (Standing, &["Penalties", "Black", "Time for"], "Time for opponent"),
    (Standing, &["Penalties", "Black", "Time for", "0:02"], "Time of the penalty"),
    (Standing, &["Resume"], "Resume"),
    (Standing, &["Resume", "White's"], "White's clock runs"),
    (Standing, &["New game", "We two", "3+2"], "Is this right?"),
    (Agreeing, &["What awaits", "Clocks"], "Clocks stopped: reason?"),
    (Agreeing, &["Result", "1-0", "Yes"], "Both agree?"),
    (Agreeing, &["New game", "We two", "3+2", "Accept"], "Both agree?"),
    (Coded, &["Correct"], "Arbiter's code"),
    (Standing, &["Take back", "Yes"], "Both agree?"),
    (Standing, &["New game", "We two", "3+2", "Accept"], "Both agree?"),
];
