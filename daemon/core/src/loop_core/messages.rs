//! The inputs and outputs of the clock loop: requests, their refusals, updates.

use super::open_questions::OpenQuestions;
use super::versioned_clock::Restart;
use crate::Button;
use clock_engine::rules::{
    ClaimView, Claimant, GameCommand, GameRefused, Ground, IncidentKind, PenaltyKind,
};
use clock_engine::{Instant, Side, View};
use core::fmt;
use serde::{Deserialize, Serialize};

/// A command with the number that its answer carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The number by which the answer refers to the request.
    pub id: u64,
    /// When the command arrived, on CLOCK_MONOTONIC.
    pub at: Instant,
    /// The revision that the arbiter saw.
    pub revision: u64,
    /// What to do.
    pub command: GameCommand,
}

/// Why a request was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The clock or the rules refuse the command.
    Game(GameRefused),
    /// The clock has changed since the arbiter looked.
    Stale {
        /// The revision of the request.
        given: u64,
        /// The clock's revision.
        current: u64,
    },
    /// The rocker was moved while the clock stood, so the command must name the side on move.
    ConfirmOnMove {
        /// The throw that is down, if exactly one is.
        down: Option<Side>,
    },
    /// The button board is gone: on a running clock no press would count.
    BoardGone,
    /// [`MAX_REQUESTS`](crate::MAX_REQUESTS) commands are already waiting for their answers.
    Busy,
}

/// What an update is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A press that counted.
    Press(Side),
    /// A press that did nothing.
    IgnoredPress(Side),
    /// A press or a call whose stamp is earlier than something that was already decided. It counts
    /// from the latest decision on, or not at all if the clock has been stopped meanwhile. The
    /// player loses by it, which is a fault of the machine. The update's instant is the stamp; the
    /// press (counted or ignored) or the call follows as a separate update.
    Late(Button),
    /// A late press of this side, stamped while the side was on move and before its flag, which was
    /// decided first. [`Update::press_before_flag`] has both instants.
    PressBeforeFlag(Side),
    /// A flag.
    Flag {
        /// The side whose time was used up.
        side: Side,
        /// The period in which the time was used up.
        period: u32,
    },
    /// A side entered its next period because time was used up, not by a press.
    Period {
        /// The side.
        side: Side,
        /// The period that it is in now.
        period: u32,
    },
    /// A period of overtime began because time was used up.
    Overtime {
        /// The side.
        side: Side,
        /// How many periods of overtime are left, the running one included.
        periods_left: u32,
    },
    /// The slice of this side began.
    Gong(Side),
    /// The press just reported completed a period, and both clocks stand for the readings to be
    /// noted.
    SetBack,
    /// The call button was pressed.
    Call,
    /// A command was carried out. A game that both players resume with their buttons has the cause
    /// of the command `resume`, but answers no request.
    Command(&'static str),
    /// A player who has not arrived is later than the default time.
    DefaultDue(Side),
    /// The time of this side, whose clock runs, fell below the limit of the duty to keep score.
    ScoreOff(Side),
    /// A finger was kept on this side's button.
    Hold(Side),
    /// A command was refused.
    Refused,
    /// The state at the start.
    Started,
    /// The list of faults has changed.
    Fault,
    /// The button board was unplugged or has failed.
    BoardGone {
        /// The first button whose line was found gone.
        button: Button,
        /// Whether a clock was running; it is paused now.
        paused: bool,
    },
    /// The button board is back; nothing else has changed.
    BoardBack,
    /// The daemon, or the whole machine, was started again, and the game that was on the clock is
    /// back.
    Restarted,
    /// The latest state, after updates that found no room in the ring.
    Missed,
}

impl Cause {
    /// Whether an event of the clock makes a new revision. Completed moves, gongs and periods of
    /// overtime do not, because they are the usual course of a game.
    pub(super) fn revises(self) -> bool {
        matches!(
            self,
            Cause::Flag { .. } | Cause::Period { .. } | Cause::Call | Cause::DefaultDue(_)
        )
    }
}

/// What a command has brought under the rules, beside the change of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// A flag was called, or a player stopped the clocks.
    Call(Claimant),
    /// A draw claim, or without a ground the request for an increment.
    Claim {
        /// The claimant.
        by: Side,
        /// The ground.
        ground: Option<Ground>,
    },
    /// A ruling.
    Ruling {
        /// Its word.
        decision: &'static str,
        /// The side that it is about.
        side: Option<Side>,
    },
    /// A penalty.
    Penalty {
        /// The offender.
        side: Side,
        /// The penalty.
        kind: PenaltyKind,
    },
    /// An illegal move.
    IllegalMove {
        /// The offender.
        side: Side,
        /// The number of this player's illegal moves.
        number: u32,
    },
    /// An incident.
    Incident {
        /// The player.
        side: Side,
        /// What happened.
        kind: IncidentKind,
    },
}

/// A press that was stamped before the flag of its side but was read only after that flag had been
/// decided. The arbiter has to judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressBeforeFlag {
    /// The side that pressed, and whose flag fell.
    pub side: Side,
    /// The stamp of the press.
    pub pressed: Instant,
    /// The instant of the flag; later than `pressed`.
    pub flag: Instant,
}

/// Both instants in seconds of CLOCK_MONOTONIC, and what to do. At most 200 bytes.
impl fmt::Display for PressBeforeFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::White => "White",
            Side::Black => "Black",
        };
        let (pressed, flag) = (Seconds(self.pressed), Seconds(self.flag));
        write!(
            f,
            "{side} pressed at {pressed}, but the press was read after {side}'s flag at {flag} had \
             been decided; if the press counts, correct {side}'s time"
        )
    }
}

/// An instant in seconds with nine decimals.
struct Seconds(Instant);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        write!(f, "{}.{:09} s", nanos / 1_000_000_000, nanos % 1_000_000_000)
    }
}

/// A change, or an answer, that leaves the loop.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The number of the latest input that is in it.
    pub entry: u64,
    /// What happened.
    pub cause: Cause,
    /// When it happened.
    pub at: Instant,
    /// The clock right after it.
    pub view: View,
    /// The clock's revision right after it.
    pub revision: u64,
    /// The request that this answers.
    pub answer: Option<(u64, Result<(), Refusal>)>,
    /// A press that the arbiter has to judge. It is set as long as the flag that it concerns
    /// stands.
    pub press_before_flag: Option<PressBeforeFlag>,
    /// A restart of which the arbiter has not taken notice. It is set until the next command is
    /// carried out.
    pub restart: Option<Restart>,
    /// What the command has brought under the rules.
    pub noted: Option<Noted>,
    /// The draw claim that is open.
    pub claim: Option<ClaimView>,
    /// The side that sealed, while the game is adjourned.
    pub adjourned: Option<Side>,
    /// Whether White uses the button that is wired as Black's.
    pub buttons_exchanged: bool,
    /// What awaits an answer, and the answers that the rules allow at the instant of the view.
    pub questions: OpenQuestions,
}

impl Update {
    /// An update without an answer, of a game in which nothing is open.
    pub fn new(cause: Cause, at: Instant, view: View, revision: u64) -> Update {
        Update {
            entry: 0,
            cause,
            at,
            view,
            revision,
            answer: None,
            press_before_flag: None,
            restart: None,
            noted: None,
            claim: None,
            adjourned: None,
            buttons_exchanged: false,
            questions: OpenQuestions::default(),
        }
    }

    /// Whether the flag of this side and period, which this update is about, is final. After a flag
    /// that is not final the side is in a later period.
    pub fn is_final(&self, side: Side, period: u32) -> bool {
        let state = &self.view.sides[side];
        state.out_of_time && state.period == period
    }

    /// Whether that flag is final and fell before any other final flag.
    pub fn is_first(&self, side: Side, period: u32) -> bool {
        self.is_final(side, period) && self.view.first_flag == Some(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_before_a_flag_is_described_with_both_instants_in_200_bytes() {
        let at = Instant::from_nanos;
        let press = |pressed, flag| PressBeforeFlag {
            side: Side::White,
            pressed: at(pressed),
            flag: at(flag),
        };
        let text = press(12_999_999_999, 13_000_000_001).to_string();
        assert!(text.starts_with("White pressed at 12.999999999 s"), "{text}");
        assert!(text.contains("White's flag at 13.000000001 s"), "{text}");
        let longest = press(u64::MAX - 1, u64::MAX).to_string();
        assert!(longest.len() <= 200, "{} bytes: {longest}", longest.len());
    }
}
