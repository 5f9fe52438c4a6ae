//! The pages of the menu, as data: the tests of this crate walk them in virtual time, and those in
//! `tests/tests/bus` with the real programs.

use Begin::{Agreeing, Coded, OursFlag, OursOver, OursReady, Over, Standing};

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
    /// A game without an arbiter that is set up.
    OursReady,
    /// The same after White's flag has fallen.
    OursFlag,
    /// The same after both players have entered that White has lost.
    OursOver,
}

/// A step of a [`PageCase`] that is not the choice of a line: a press of the button that is wired as
/// White's.
pub const WHITE: &str = "(White)";
/// A press of the button that is wired as Black's.
pub const BLACK: &str = "(Black)";
/// The call button, held.
pub const HOLD: &str = "(hold)";

pub type PageCase = (Begin, &'static [&'static str], &'static str);

/// Every page: where the walk begins, the lines and presses that lead there, and its title.
/// `reachable.rs` tests that none is missing.
pub const PAGES: &[PageCase] = &[
    (Over, &[], "Menu"),
    (Over, &["More"], "More"),
    (Over, &["New game"], "New game"),
    (Over, &["New game", "We two"], "Time control"),
    (Over, &["New game", "With an"], "Time control"),
    (Over, &["Time control"], "Time control"),
    (Over, &["Time control", "All"], "Time control"),
    (Over, &["Time control", "All", "Blitz"], "Blitz"),
    (Over, &["Time control", "Our own"], "Time control"),
    (Over, &["Time control", "Our own", "0[0]5", "00[5]", "005+[0]", "005+0[3]"], "Our own"),
    (Over, &["Time control", "25+10"], "Is this right?"),
    (Over, &["Again"], "Is this right?"),
    (Over, &["Sides"], "Is this right?"),
    (Over, &["Result"], "Result"),
    (Over, &["Result", "0-1"], "Both agree?"),
    (Over, &["White's"], "White's button"),
    (Over, &["Brightness"], "Brightness"),
    (Over, &["Language"], "Language"),
    (Over, &["About"], "About this clock"),
    (Standing, &[], "Game: clocks stand"),
    (Standing, &["More"], "More"),
    (Standing, &["What awaits"], "What awaits an answer"),
    (Standing, &["What awaits", "Clocks"], "Clocks stopped: reason?"),
    (Standing, &["What awaits", "Clocks", "The reason"], "Both agree?"),
    (Standing, &["Correct"], "Correct the clock"),
    (Standing, &["Correct", "Black's moves"], "Black's moves"),
    (Standing, &["Correct", "On move"], "Correct the clock"),
    (Standing, &["Correct", "On move", "Show"], "Both agree?"),
    (Standing, &["Take back"], "Both agree?"),
    (Standing, &["Penalties"], "Who is penalized?"),
    (Standing, &["Penalties", "Black"], "Penalty for Black"),
    (Standing, &["Penalties", "Black", "Warning"], "Both agree?"),
    (Standing, &["Penalties", "Black", "Time for"], "Both agree?"),
    (Standing, &["Go on"], "Go on"),
    (Standing, &["Go on", "White's"], "Both agree?"),
    (Standing, &["New game", "We two", "3+2"], "Is this right?"),
    (Standing, &["New game", "We two", "3+2", "Accept"], "Both agree?"),
    (Agreeing, &[], "Game: clocks stand"),
    (Agreeing, &["More"], "More"),
    (Agreeing, &["Correct", BLACK], "Correct the clock"),
    (Agreeing, &["Correct", BLACK, HOLD], "Both agree?"),
    (Agreeing, &["Correct", BLACK, HOLD, BLACK], "Both agree?"),
    (Agreeing, &["Result", "1-0"], "Both agree?"),
    (Agreeing, &["Result", "1-0", WHITE], "Both agree?"),
    (Agreeing, &["New game", "We two", "3+2", "Accept"], "Both agree?"),
    (Coded, &["Correct"], "Arbiter's code"),
    (Coded, &["Correct", WHITE], "Arbiter's code"),
    (OursReady, &[], "A press starts White's clock"),
    (OursReady, &["More"], "More"),
    (OursReady, &["Time control"], "Time control"),
    (OursReady, &["Time control", "All", "Blitz", "G/10"], "Is this right?"),
    (OursFlag, &[], "White: the flag fell"),
    (OursFlag, &["More"], "More"),
    (OursFlag, &["0-1"], "Both agree?"),
    (OursFlag, &["0-1", BLACK], "Both agree?"),
    (OursOver, &[], "A press starts White's clock"),
    (OursOver, &["More"], "More"),
    (OursOver, &["Result"], "Result"),
    (OursOver, &["Result", "No"], "Both agree?"),
];
