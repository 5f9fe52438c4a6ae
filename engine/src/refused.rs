//! Why the clock refuses.

use crate::{Instant, MAX_GIVEN, Phase, Span};
use core::fmt;

/// A refusal: nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The stamp is earlier than what was handled before.
    Earlier {
        /// The stamp given.
        given: Instant,
        /// The latest instant handled.
        last: Instant,
    },
    /// Only before the start of the game.
    NotReady(Phase),
    /// Only while a clock runs.
    NotRunning(Phase),
    /// Only while the clocks stand, and for a resume only while the game is paused.
    NotPaused(Phase),
    /// The result stands.
    GameOver,
    /// Only once there is a result.
    NotOver(Phase),
    /// White begins (FIDE 1.2): before the start the side on move cannot be set.
    WhiteBegins,
    /// A cut as large as the time left, or larger.
    CutTooLarge {
        /// What was to be taken.
        cut: Span,
        /// The main time left.
        left: Span,
    },
    /// More time than a clock can be given.
    TooMuchTime,
    /// No completed move that can still be taken back.
    NothingToUndo,
    /// With an hourglass and a gong no press can be taken back.
    NoUndo,
    /// The time control has no such period.
    NoSuchPeriod {
        /// The period given.
        given: u32,
        /// How many there are.
        periods: u32,
    },
}

impl Refused {
    /// The word programs compare: `not-paused` and the like.
    pub const fn code(self) -> &'static str {
        match self {
            Refused::Earlier { .. } => "bad-input",
            Refused::NoSuchPeriod { .. } => "no-such-period",
            Refused::TooMuchTime => "too-much-time",
            Refused::NothingToUndo => "nothing-to-undo",
            Refused::NoUndo => "no-undo",
            Refused::NotReady(_) => "not-ready",
            Refused::NotRunning(_) => "not-running",
            Refused::NotPaused(_) => "not-paused",
            Refused::GameOver => "game-over",
            Refused::NotOver(_) => "not-over",
            Refused::WhiteBegins => "white-begins",
            Refused::CutTooLarge { .. } => "cut-too-large",
        }
    }

    /// The clause that forbids it, where one does: source and number (S0 the Organisers'
    /// Handbook, S4 FIDE Article 6).
    pub const fn clause(self) -> Option<&'static str> {
        match self {
            Refused::NotReady(_) | Refused::WhiteBegins => Some("S4 6.5"),
            Refused::NotRunning(_) | Refused::NotPaused(_) => Some("S4 6.13"),
            Refused::GameOver | Refused::NotOver(_) => Some("S0 5.1"),
            Refused::CutTooLarge { .. } => Some("S0 13.4"),
            Refused::Earlier { .. }
            | Refused::NoSuchPeriod { .. }
            | Refused::TooMuchTime
            | Refused::NothingToUndo
            | Refused::NoUndo => None,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refused::Earlier { given, last } => write!(
                f,
                "at {} ns is earlier than {} ns, which was handled before",
                given.as_nanos(),
                last.as_nanos()
            ),
            Refused::NotReady(phase) => {
                write!(f, "only before the start of the game; the clock is {phase}")
            }
            Refused::NotRunning(phase) => {
                write!(f, "only while a clock runs; the clock is {phase}")
            }
            Refused::NotPaused(Phase::Running) => {
                f.write_str("only while the clocks stand; the clock is running")
            }
            // Both clocks stand here too: what was asked for is a resume.
            Refused::NotPaused(phase) => {
                write!(f, "only while the game is paused; the clock is {phase}")
            }
            Refused::GameOver => f.write_str("the game is over and its result stands"),
            Refused::NotOver(phase) => {
                write!(f, "only a game with a result can be reopened; the clock is {phase}")
            }
            Refused::WhiteBegins => {
                f.write_str("White is on move first; set the side on move once the game is paused")
            }
            Refused::CutTooLarge { cut, left } => {
                write!(f, "a cut of {cut} is not smaller than the main time left, {left}")
            }
            Refused::TooMuchTime => write!(f, "a clock can be given {MAX_GIVEN} at most"),
            Refused::NothingToUndo => f.write_str(
                "no press can be taken back: only the last one can, and not once a correction or \
                 a resume of the other side has come after it",
            ),
            Refused::NoUndo => {
                f.write_str("with an hourglass or a gong no press can be taken back")
            }
            Refused::NoSuchPeriod { given, periods } => {
                write!(f, "there is no period {given}: the time control has 1 to {periods}")
            }
        }
    }
}

impl core::error::Error for Refused {}
