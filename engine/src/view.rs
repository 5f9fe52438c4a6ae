//! What the clock shows at one instant.

use crate::rules::{Announcement, ClaimView, Lateness, SideNotes};
use crate::words::{words, words_without_display};
use crate::{Caller, Instant, Method, Outcome, PerSide, Side, Span};
use core::fmt;
use serde::{Deserialize, Serialize};

words_without_display! {
    /// The phase of a game.
    #[derive(Default)]
    Phase {
        /// The clock is set up; White's clock has not started.
        #[default]
        Ready = "ready",
        /// One clock runs.
        Running = "running",
        /// Both clocks stand; [`View::paused_by`] says why.
        Paused = "paused",
        /// Both clocks stand until the arbiter has decided a question, such as a fallen flag.
        Ruling = "ruling",
        /// The game has a result.
        Over = "over",
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Ruling => "awaiting a ruling",
            other => other.as_str(),
        })
    }
}

/// Why both clocks stand in [`Phase::Paused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PausedBy {
    /// A command, the call button, a fault or a power cut stopped the clocks.
    Caller(Caller),
    /// Black's press completed a period of a control with `set_back_pause`: the times of both sides
    /// are to be noted.
    SetBack,
}

words! {
    /// How the numbers of a running clock change as time goes by.
    #[derive(Default)]
    Counting {
        /// The delay of the running side falls, and then its main number.
        #[default]
        Down = "down",
        /// The running side's main number falls, and the other side's rises by as much.
        Hourglass = "hourglass",
        /// The running side's main number rises: it is the time used.
        Up = "up",
    }
}

/// The whole clock at one instant: all that is published of the clock and of its rules, except the
/// open questions.
///
/// [`Clock::view`](crate::Clock::view) knows no rules, so the fields of the rules have their default
/// values there. [`Game::view`](crate::rules::Game::view) sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The instant of this view.
    pub at: Instant,
    /// The phase of the game.
    pub phase: Phase,
    /// The side on move.
    pub on_move: Side,
    /// Both sides.
    pub sides: PerSide<SideView>,
    /// The side whose final flag fell first.
    pub first_flag: Option<Side>,
    /// Who called the arbiter, until the call is answered.
    pub called_by: Option<Caller>,
    /// Why the clocks stand in [`Phase::Paused`]; `None` in every other phase.
    pub paused_by: Option<PausedBy>,
    /// The result, once there is one.
    pub outcome: Option<Outcome>,
    /// The number of the last period; `None` if it repeats.
    pub last_period: Option<u32>,
    /// How the numbers of a running clock change as time goes by.
    pub counting: Counting,
    /// The method that applies in place of the methods of all periods; `None` if the methods of the
    /// time control apply.
    pub changed_method: Option<Method>,
    /// Of the rules: whether White uses the button that is wired as Black's.
    pub buttons_exchanged: bool,
    /// Of the rules: the open draw claim. When the game is over, no claim is open.
    pub claim: Option<ClaimView>,
    /// Of the rules: the side that sealed its move; `None` if the game is not adjourned.
    pub adjourned: Option<Side>,
    /// Of the rules: what the arbiter tells the players during this pause.
    pub announcement: Option<Announcement>,
}

impl View {
    /// The only player who has confirmed that a paused game goes on; `None` if neither or both have.
    pub fn resume_confirmed_by(&self) -> Option<Side> {
        let notes = self.sides.map(|side| side.notes.confirmed_resume);
        let only = Side::BOTH.into_iter().find(|side| notes[*side] && !notes[side.other()]);
        only.filter(|_| self.phase == Phase::Paused)
    }

    /// The side whose clock runs.
    pub fn running(&self) -> Option<Side> {
        (self.phase == Phase::Running).then_some(self.on_move)
    }
}

/// One side of the clock at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideView {
    /// The main number shown. With Bronstein it includes the delay left.
    pub remaining: Span,
    /// The limit of this side's time, if it is counted up and has a limit.
    pub limit: Option<Span>,
    /// The delay left in the turn. If the side is not on move, it is the delay with which its next
    /// turn begins. With Bronstein it is zero.
    pub delay: Span,
    /// The press counter: how many presses completed a move. If the arbiter has set it, it is the
    /// number that was set plus such presses since then.
    pub moves: u32,
    /// The period, from 1.
    pub period: u32,
    /// The instant at which this side's latest flag fell, in whichever period. Annulled flags do
    /// not count.
    pub flag: Option<Instant>,
    /// Whether the latest flag is final, so that this side gets no more time.
    pub out_of_time: bool,
    /// How long this side's clock has run after its final flag.
    pub overrun: Span,
    /// What is left of this side's overtime while it is in overtime. `remaining` is then the time
    /// left of the running overtime period.
    pub overtime: Option<OvertimeLeft>,
    /// The time of a set-back that this side had used when `undo-press` took back the set-back. A
    /// set-back is the next period that a press of Black begins for both sides. The time is
    /// subtracted from the next set-back: main time from its main time, overtime from its overtime.
    /// A correction of this side's time cancels it.
    pub owed: Span,
    /// The method of this side in its present period.
    pub method: Method,
    /// The time left at which this side's time becomes low
    /// ([`Clock::low_time`](crate::Clock::low_time)).
    pub low: Span,
    /// Of the rules: what they have noted of the player.
    pub notes: SideNotes,
    /// Of the rules: how late the player arrived, or is at the instant of the view.
    pub lateness: Option<Lateness>,
}

/// What is left of an overtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OvertimeLeft {
    /// The periods left, the running one included; 0 after the flag.
    pub periods: u32,
    /// The moves left in this period; after them the period begins again with its whole time.
    pub moves: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, Control};

    #[test]
    fn one_player_who_has_confirmed_a_resume_is_named_while_the_game_is_paused() {
        let by = |phase, white, black| {
            let clock = Clock::new(Control::single(Span::ZERO, Method::None), Instant::ZERO);
            let mut view = View { phase, ..clock.view(Instant::ZERO) };
            view.sides.white.notes.confirmed_resume = white;
            view.sides.black.notes.confirmed_resume = black;
            view.resume_confirmed_by()
        };
        assert_eq!(by(Phase::Paused, true, false), Some(Side::White));
        assert_eq!(by(Phase::Paused, false, true), Some(Side::Black));
        assert_eq!(by(Phase::Paused, true, true), None);
        assert_eq!(by(Phase::Paused, false, false), None);
        assert_eq!(by(Phase::Over, true, false), None);
    }
}
