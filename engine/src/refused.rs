//! The reasons for which the clock refuses a call.
//!
//! `docs/laws.md` explains S0, S4 and FIDE, which are the sources of the cited clauses.

use crate::{Instant, MAX_GIVEN, PerSide, Phase, Side, Span, UnknownTurns};
use core::fmt;

/// Defines an enumeration of refusals as a table. A row has the variant with its fields, then what
/// the named function returns for it, and then its text with the arguments of the text.
macro_rules! refusals {
    (
        $(#[$doc:meta])*
        $name:ident;
        $(#[$about_doc:meta])*
        $about:ident -> $type:ty;
        $(
            $(#[$row_doc:meta])*
            $row:ident
            $( { $( $field:ident: $field_type:ty ),+ } )?
            $( ( $( $value:ident: $value_type:ty ),+ ) )?
            : $is:expr => $text:literal $(, $argument:expr)*;
        )+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the text of each refusal says what it is")]
        pub enum $name {
            $(
                $(#[$row_doc])*
                $row $( { $( $field: $field_type ),+ } )? $( ( $( $value_type ),+ ) )?,
            )+
        }

        impl $name {
            $(#[$about_doc])*
            #[allow(unused_variables, reason = "most of the fields are only in the text")]
            pub(crate) const fn $about(self) -> $type {
                match self {
                    $( $name::$row $( { $( $field ),+ } )? $( ( $( $value ),+ ) )? => $is, )+
                }
            }
        }

        impl fmt::Display for $name {
            #[allow(unused_variables, reason = "some fields are not in the text")]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(
                        $name::$row $( { $( $field ),+ } )? $( ( $( $value ),+ ) )? => {
                            write!(f, $text $(, $argument)*)
                        }
                    )+
                }
            }
        }
    };
}
pub(crate) use refusals;

refusals! {
    /// The reason why the clock refuses a call. The call has no effect, except that everything due up
    /// to its stamp has been decided. With [`Refused::Earlier`], nothing at all has been decided.
    Refused;
    /// The code of the reason, and the clause that forbids the command.
    code_and_clause -> (&'static str, Option<&'static str>);

    /// The stamp is earlier than the latest instant that was handled.
    Earlier { given: Instant, last: Instant }: ("bad-input", None) =>
        "at {} ns is earlier than {} ns, which was handled before", given.as_nanos(), last.as_nanos();
    /// The phase is the present one, as in all reasons that have a phase.
    NotReady(phase: Phase): ("not-ready", Some("S4 6.5")) =>
        "only before the start of the game; the clock is {phase}";
    /// The command is a pause and no clock runs, or it is not allowed before the start of the game.
    NotRunning(phase: Phase): ("not-running", Some("S4 6.13")) =>
        "only {}; the clock is {phase}", match phase {
            Phase::Ready => "after the start of the game",
            _ => "while a clock runs",
        };
    /// The command is allowed only while both clocks stand; a resume only while the game is paused.
    NotPaused(phase: Phase): ("not-paused", Some("S4 6.13")) =>
        "only while the {}; the clock is {phase}", match phase {
            Phase::Running => "clocks stand",
            // Both clocks stand, so only a resume is refused for this reason.
            _ => "game is paused",
        };
    GameOver: ("game-over", Some("S0 5.1")) => "the game is over and its result stands";
    NotOver(phase: Phase): ("not-over", Some("S0 5.1")) =>
        "only a game with a result can be reopened; the clock is {phase}";
    /// White begins (FIDE 1.2): before the start the side on move cannot be set.
    WhiteBegins: ("white-begins", Some("S4 6.5")) =>
        "White is on move first; set the side on move once the game is paused";
    /// What is left is the main time; in overtime, the time of the running period; with a gong, that
    /// of the slice; if time is counted up, the time to the limit.
    CutTooLarge { cut: Span, left: Span }: ("cut-too-large", Some("S0 13.4")) =>
        "a cut of {cut} is not smaller than the main time left, {}", left.left();
    /// The time is given, or it would result.
    TooMuchTime: ("too-much-time", None) => "a clock can be given {MAX_GIVEN} at most";
    /// The arbiter gave the time used in a correction. The side's time is counted up.
    LimitReached { given: Span, limit: Span }: ("limit-reached", None) =>
        "a time used of {given} is not below the limit, {limit}";
    /// The period, from 1, is the one in which the side would be after the correction.
    NoOvertime { period: u32 }: ("no-overtime", None) => "period {period} has no overtime";
    /// The given number of periods or moves of overtime is 0, or larger than `most`.
    NoSuchOvertime { given: u32, most: u32, unit: OvertimeUnit }: ("no-such-overtime", None) =>
        "{given} {unit} of overtime cannot be left: {} has 1 to {most}", match unit {
            OvertimeUnit::Periods => "the overtime",
            OvertimeUnit::Moves => "a period of the overtime",
        };
    /// The side is to be corrected, and what is left of its overtime cannot be set.
    OutOfTime: ("out-of-time", None) =>
        "the final flag of that side has fallen; give it time first, which annuls the flag";
    /// [`Command::New`](crate::Command::New) needs `force`.
    GameUnderWay(phase: Phase, readings: PerSide<Reading>): ("game-under-way", None) =>
        "a game is under way and would be lost: {phase}, White {}, Black {}; end it with a result first, \
         or force the new game", readings.white, readings.black;
    NothingToUndo: ("nothing-to-undo", None) =>
        "no press can be taken back: only the last one can, and not once a correction or a resume of the \
         other side has come after it";
    NoUndo: ("no-undo", None) => "with an hourglass or a gong no press can be taken back";
    /// The new method, or a method of the control, is none of these.
    MethodFixed: ("method-fixed", None) =>
        "only an increment, a delay or Bronstein can be changed, and only into one of them or none";
    /// A clock with the time control of the game cannot be in the given state (an earlier one, or that
    /// of another clock), or the numbers of that state mean something else under this time control.
    OtherControl: ("other-control", None) =>
        "the earlier state does not go with the time control; only a state of the present game can be \
         restored";
    /// The time control of the game cannot be replaced by the given one.
    ControlUnfit(unfit: ControlUnfit): ("control-unfit", None) => "{unfit}";
    /// `periods` is the largest accepted number: that of the last period, or `u32::MAX` if the last
    /// period repeats.
    NoSuchPeriod { given: u32, periods: u32 }: ("no-such-period", None) =>
        "there is no period {given}: the time control has 1 to {periods}";
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

crate::words::words! {
    /// What the number in [`Refused::NoSuchOvertime`] counts.
    OvertimeUnit {
        /// Periods of overtime.
        Periods = "periods",
        /// Moves of one period of overtime.
        Moves = "moves",
    }
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
        self.code_and_clause().0
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
        self.code_and_clause().1
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
