//! The reasons for which the clock refuses a call.
//!
//! `docs/laws.md` explains S0, S4 and FIDE, which are the sources of the cited clauses.

use crate::{Instant, MAX_GIVEN, PerSide, Phase, Side, Span, UnknownTurns};
use core::fmt;

/// The reason why the clock refuses a call. The call has no effect, except that everything due up
/// to its stamp has been decided. With [`Refused::Earlier`], nothing at all has been decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The stamp is earlier than the latest instant that was handled.
    Earlier {
        /// The given stamp.
        given: Instant,
        /// The latest instant that was handled.
        last: Instant,
    },
    /// The command is allowed only before the start of the game. The value is the present phase.
    NotReady(Phase),
    /// The command is a pause and no clock runs, or it is not allowed before the start of the game.
    /// The value is the present phase.
    NotRunning(Phase),
    /// The command is allowed only while both clocks stand; a resume only while the game is paused.
    /// The value is the present phase.
    NotPaused(Phase),
    /// The command is not allowed after the game has a result.
    GameOver,
    /// The command is allowed only if there is a result. The value is the present phase.
    NotOver(Phase),
    /// White begins (FIDE 1.2): before the start the side on move cannot be set.
    WhiteBegins,
    /// The cut is as large as the time left, or larger.
    CutTooLarge {
        /// The time that was to be taken.
        cut: Span,
        /// What the side has: the main time left; in overtime, the time left of the running period;
        /// with a gong, that of the slice; if time is counted up, the time left to the limit.
        left: Span,
    },
    /// A given or resulting time is more than [`MAX_GIVEN`].
    TooMuchTime,
    /// The time used, which the arbiter gave in a correction, is not below the side's limit.
    LimitReached {
        /// The given time used.
        given: Span,
        /// The limit of the side, whose time is counted up.
        limit: Span,
    },
    /// The period has no overtime.
    NoOvertime {
        /// The period in which the side would be after the correction, from 1.
        period: u32,
    },
    /// The given number of periods or moves of overtime is 0, or larger than that of the time
    /// control.
    NoSuchOvertime {
        /// The given number.
        given: u32,
        /// The largest number that is accepted.
        most: u32,
        /// The unit of the number.
        unit: OvertimeUnit,
    },
    /// The final flag of the side to be corrected has fallen, so what is left of its overtime
    /// cannot be set.
    OutOfTime,
    /// A game is under way and would be lost, so [`Command::New`](crate::Command::New) needs
    /// `force`. The values are the phase of that game, and the press counter and the time of each
    /// side.
    GameUnderWay(Phase, PerSide<Reading>),
    /// There is no completed move that can still be taken back.
    NothingToUndo,
    /// With an hourglass or a gong no press can be taken back.
    NoUndo,
    /// The method can be changed only if the new method and every method of the control are an
    /// increment, a delay, Bronstein or none.
    MethodFixed,
    /// The clock cannot be put into the given state (an earlier state, or that of another clock),
    /// because a clock with the time control of the game cannot be in that state, or because the
    /// numbers of that state mean something else under this time control.
    OtherControl,
    /// The time control of the game cannot be replaced by the given one.
    ControlUnfit(ControlUnfit),
    /// The time control has no period with the given number.
    NoSuchPeriod {
        /// The given period.
        given: u32,
        /// The largest accepted number: that of the last period, or `u32::MAX` if the last period
        /// repeats.
        periods: u32,
    },
}

/// Why the time control of a game cannot be replaced by another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlUnfit {
    /// One of the two controls counts up the time used, or is a gong, and the other one is not of
    /// this kind. So the number that a side shows would get another meaning.
    Shown,
    /// A side is in an overtime, or has one that is set aside or owed, and the other control has no
    /// overtime, or an overtime with fewer periods or moves than are left.
    Overtime,
    /// The method that was agreed during the game is to stay, but a period of the other control has
    /// a method that cannot be replaced: overtime, an hourglass, a gong or counting up.
    AgreedIncrement,
    /// The times cannot be recomputed, because the turns of the game are not known.
    TurnsUnknown(UnknownTurns),
    /// The times cannot be recomputed, because the final flag of a side would have fallen under the
    /// other control.
    UsedUp {
        /// The side.
        side: Side,
        /// What the side has used until now, without the delays.
        used: Span,
        /// What the side had until its flag: the time that the other control gave by then, with
        /// awards and cuts, or its limit if it counts up.
        time: Span,
        /// The move in which the flag would have fallen; `None` if it is the present one.
        in_move: Option<u32>,
    },
}

/// The unit of the number in [`Refused::NoSuchOvertime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OvertimeUnit {
    /// Periods of overtime.
    Periods,
    /// Moves of one period of overtime.
    Moves,
}

/// The reading of one side of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The press counter of the side.
    pub moves: u32,
    /// The number that the side shows.
    pub remaining: Span,
}

impl Refused {
    /// The code of the reason for programs, such as `not-paused`.
    pub const fn code(self) -> &'static str {
        match self {
            Refused::Earlier { .. } => "bad-input",
            Refused::NoSuchPeriod { .. } => "no-such-period",
            Refused::TooMuchTime => "too-much-time",
            Refused::LimitReached { .. } => "limit-reached",
            Refused::NoOvertime { .. } => "no-overtime",
            Refused::NoSuchOvertime { .. } => "no-such-overtime",
            Refused::OutOfTime => "out-of-time",
            Refused::GameUnderWay(..) => "game-under-way",
            Refused::NothingToUndo => "nothing-to-undo",
            Refused::NoUndo => "no-undo",
            Refused::MethodFixed => "method-fixed",
            Refused::OtherControl => "other-control",
            Refused::ControlUnfit(_) => "control-unfit",
            Refused::NotReady(_) => "not-ready",
            Refused::NotRunning(_) => "not-running",
            Refused::NotPaused(_) => "not-paused",
            Refused::GameOver => "game-over",
            Refused::NotOver(_) => "not-over",
            Refused::WhiteBegins => "white-begins",
            Refused::CutTooLarge { .. } => "cut-too-large",
        }
    }

    /// Returns the reason to show in a game that awaits a ruling: the phase `Ruling` in place of
    /// `Paused`. The clock itself is paused then, but the text "paused" would suggest that a resume
    /// helps.
    pub(crate) const fn awaiting_ruling(self) -> Refused {
        match self {
            Refused::NotReady(Phase::Paused) => Refused::NotReady(Phase::Ruling),
            Refused::NotRunning(Phase::Paused) => Refused::NotRunning(Phase::Ruling),
            Refused::NotOver(Phase::Paused) => Refused::NotOver(Phase::Ruling),
            Refused::GameUnderWay(Phase::Paused, readings) => {
                Refused::GameUnderWay(Phase::Ruling, readings)
            }
            other => other,
        }
    }

    /// The clause that forbids the command, if there is one: the source, a space and the article,
    /// such as `S4 6.5`. [`citation`](crate::rules::citation) adds the title of the source.
    pub const fn clause(self) -> Option<&'static str> {
        match self {
            Refused::NotReady(_) | Refused::WhiteBegins => Some("S4 6.5"),
            Refused::NotRunning(_) | Refused::NotPaused(_) => Some("S4 6.13"),
            Refused::GameOver | Refused::NotOver(_) => Some("S0 5.1"),
            Refused::CutTooLarge { .. } => Some("S0 13.4"),
            Refused::Earlier { .. }
            | Refused::NoSuchPeriod { .. }
            | Refused::TooMuchTime
            | Refused::LimitReached { .. }
            | Refused::NoOvertime { .. }
            | Refused::NoSuchOvertime { .. }
            | Refused::OutOfTime
            | Refused::GameUnderWay(..)
            | Refused::NothingToUndo
            | Refused::NoUndo
            | Refused::MethodFixed
            | Refused::OtherControl
            | Refused::ControlUnfit(_) => None,
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
            Refused::NotRunning(Phase::Ready) => {
                f.write_str("only after the start of the game; the clock is ready")
            }
            // In all phases except `Ready`, only a pause is refused for this reason.
            Refused::NotRunning(phase) => {
                write!(f, "only while a clock runs; the clock is {phase}")
            }
            Refused::NotPaused(Phase::Running) => {
                f.write_str("only while the clocks stand; the clock is running")
            }
            // In all other phases both clocks stand, so only a resume is refused for this reason.
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
                write!(f, "a cut of {cut} is not smaller than the main time left, {}", left.left())
            }
            Refused::TooMuchTime => write!(f, "a clock can be given {MAX_GIVEN} at most"),
            Refused::LimitReached { given, limit } => {
                write!(f, "a time used of {given} is not below the limit, {limit}")
            }
            Refused::NoOvertime { period } => write!(f, "period {period} has no overtime"),
            Refused::NoSuchOvertime { given, most, unit } => {
                let (left, has) = match unit {
                    OvertimeUnit::Periods => ("periods", "the overtime has"),
                    OvertimeUnit::Moves => ("moves", "a period of the overtime has"),
                };
                write!(f, "{given} {left} of overtime cannot be left: {has} 1 to {most}")
            }
            Refused::OutOfTime => f.write_str(
                "the final flag of that side has fallen; give it time first, which annuls the flag",
            ),
            Refused::GameUnderWay(phase, PerSide { white, black }) => write!(
                f,
                "a game is under way and would be lost: {phase}, White {white}, Black {black}; end \
                 it with a result first, or force the new game"
            ),
            Refused::NothingToUndo => f.write_str(
                "no press can be taken back: only the last one can, and not once a correction or \
                 a resume of the other side has come after it",
            ),
            Refused::NoUndo => {
                f.write_str("with an hourglass or a gong no press can be taken back")
            }
            Refused::MethodFixed => f.write_str(
                "only an increment, a delay or Bronstein can be changed, and only into one of them or none",
            ),
            Refused::OtherControl => f.write_str(
                "the earlier state does not go with the time control; only a state of the present game can be restored",
            ),
            Refused::ControlUnfit(unfit) => unfit.fmt(f),
            Refused::NoSuchPeriod { given, periods } => {
                write!(f, "there is no period {given}: the time control has 1 to {periods}")
            }
        }
    }
}

impl fmt::Display for ControlUnfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ControlUnfit::Shown => {
                "a gong shows a slice, and a clock that counts up shows the time used, so their numbers \
                 cannot be taken for those of another kind of time control; set up a new game"
            }
            ControlUnfit::Overtime => {
                "a side is in overtime, and the new time control has no overtime with as many periods and \
                 moves; set the side's time and period first, or choose another time control"
            }
            ControlUnfit::AgreedIncrement => {
                "the increment that was agreed stays, and it does not go with the new time control"
            }
            ControlUnfit::TurnsUnknown(why) => {
                return write!(
                    f,
                    "the times cannot be recomputed: {why}; change the time control without recomputing, and \
                     set the times"
                );
            }
            ControlUnfit::UsedUp { side, used, time, in_move: Some(number) } => {
                return write!(
                    f,
                    "{side} has used {}, and the new time control gives {time} by its move {number}, in which \
                     its flag would have fallen; change the time control without recomputing, and set the \
                     times",
                    used.passed()
                );
            }
            ControlUnfit::UsedUp { side, used, time, in_move: None } => {
                return write!(
                    f,
                    "{side} has used {}, and the new time control gives {time} by now, so nothing would be \
                     left; change the time control without recomputing, and set the times",
                    used.passed()
                );
            }
        })
    }
}

/// Writes `12 moves and 0:41:10.3`.
impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.moves == 1 { "" } else { "s" };
        write!(f, "{} move{plural} and {}", self.moves, self.remaining.left())
    }
}

impl core::error::Error for Refused {}
