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

/// A command that is given to the core. The answer carries the same `id`.
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
    /// The clock has changed since the revision that the arbiter saw.
    Stale {
        /// The revision of the request.
        given: u64,
        /// The clock's revision.
        current: u64,
    },
    /// The rocker was moved while the clocks stood, so the command must name the side on move.
    ConfirmOnMove {
        /// The throw that is down, if exactly one is.
        down: Option<Side>,
    },
    /// The button board is gone, so a running clock would read no press.
    BoardGone,
    /// [`MAX_REQUESTS`](crate::MAX_REQUESTS) commands are already waiting for their answers.
    Busy,
}

/// The reason for an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A press that took effect.
    Press(Side),
    /// A press that had no effect.
    IgnoredPress(Side),
    /// A press or a call whose stamp is earlier than something that was already decided. It takes
    /// effect at the latest decision, or not at all if the clock has been stopped in the meantime.
    /// The player loses time by it, which is a fault of the machine. The instant of the update is
    /// the stamp. A separate update for the press or the call follows.
    Late(Button),
    /// A late press of this side. Its stamp is before the flag of this side, which was decided
    /// first, and the side was on move. [`Update::press_before_flag`] has both instants.
    PressBeforeFlag(Side),
    /// A flag fell.
    Flag {
        /// The side whose time was used up.
        side: Side,
        /// The period in which the time was used up.
        period: u32,
    },
    /// A side entered its next period because its time was used up, and not by a press.
    Period {
        /// The side.
        side: Side,
        /// The period that the side is in now.
        period: u32,
    },
    /// A period of overtime began because the time was used up.
    Overtime {
        /// The side.
        side: Side,
        /// How many periods of overtime are left, the running one included.
        periods_left: u32,
    },
    /// The time slice of this side began, in a control with a gong.
    Gong(Side),
    /// The press of the update before this one completed a period. Both clocks stand, so that the
    /// readings can be noted.
    SetBack,
    /// The call button was pressed.
    Call,
    /// A command was carried out. If both players resume the game with their buttons, the cause is
    /// the command `resume`, but no request is answered.
    Command(&'static str),
    /// This player has not arrived within the default time.
    DefaultDue(Side),
    /// The time of this side fell below the limit under which the player need not keep score.
    ScoreOff(Side),
    /// This player held the button for longer than the rules allow.
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
    /// The daemon, or the whole machine, was started again, and the game on the clock was restored.
    Restarted,
    /// The latest state, after some updates were lost because the ring was full.
    Missed,
}

impl Cause {
    /// Whether an event of the clock makes a new revision. Completed moves, gongs and periods of
    /// overtime do not, because they happen regularly in a game.
    pub(super) fn revises(self) -> bool {
        matches!(
            self,
            Cause::Flag { .. } | Cause::Period { .. } | Cause::Call | Cause::DefaultDue(_)
        )
    }
}

/// What a command did under the rules, beside the change of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// A flag was called, or a player stopped the clocks.
    Call(Claimant),
    /// A draw claim. Without a ground: a request for an increment.
    Claim {
        /// The side that claims.
        by: Side,
        /// The ground.
        ground: Option<Ground>,
    },
    /// A ruling.
    Ruling {
        /// The word of the ruling.
        decision: &'static str,
        /// The side that the ruling concerns.
        side: Option<Side>,
    },
    /// A penalty.
    Penalty {
        /// The side that is punished.
        side: Side,
        /// The penalty.
        kind: PenaltyKind,
    },
    /// An illegal move.
    IllegalMove {
        /// The side that made the move.
        side: Side,
        /// How many illegal moves this player has made.
        number: u32,
    },
    /// An incident.
    Incident {
        /// The side of the player.
        side: Side,
        /// What happened.
        kind: IncidentKind,
    },
}

/// A press that was stamped before the flag of its side, but was read only after that flag had been
/// decided. The arbiter must judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressBeforeFlag {
    /// The side that pressed, and whose flag fell.
    pub side: Side,
    /// The stamp of the press.
    pub pressed: Instant,
    /// The instant of the flag; later than `pressed`.
    pub flag: Instant,
}

/// Both instants in seconds of CLOCK_MONOTONIC, and what the arbiter must do. At most 200 bytes.
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

/// A change or an answer that the core returns.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The number of the latest input that the update includes.
    pub entry: u64,
    /// What happened.
    pub cause: Cause,
    /// When the change happened.
    pub at: Instant,
    /// The clock right after the change.
    pub view: View,
    /// The revision of the clock right after the change.
    pub revision: u64,
    /// The number of the answered request, and its result.
    pub answer: Option<(u64, Result<(), Refusal>)>,
    /// A press that the arbiter must judge. It is set as long as the flag stands.
    pub press_before_flag: Option<PressBeforeFlag>,
    /// A restart that the arbiter has not noticed yet. It is set until the next command is carried
    /// out.
    pub restart: Option<Restart>,
    /// What the command did under the rules.
    pub noted: Option<Noted>,
    /// The draw claim that is open.
    pub claim: Option<ClaimView>,
    /// The side that sealed its move, while the game is adjourned.
    pub adjourned: Option<Side>,
    /// Whether White uses the button that is wired as Black's.
    pub buttons_exchanged: bool,
    /// What awaits an answer of the arbiter, and the answers that the rules allow at the instant of
    /// the view.
    pub questions: OpenQuestions,
}

impl Update {
    /// An update without an answer, and without open questions.
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

    /// Whether the flag that this update reports, of this side in this period, is final. After a
    /// flag that is not final, the side is in a later period.
    pub fn is_final(&self, side: Side, period: u32) -> bool {
        let state = &self.view.sides[side];
        state.out_of_time && state.period == period
    }

    /// Whether that flag is final and fell before the final flag of the other side.
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
