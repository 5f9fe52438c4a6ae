//! The whole state of a game, as another clock takes it over (S0 6.11).
//!
//! `docs/laws.md` explains S0, which is the source of the cited clause.

use super::action::Setup;
use super::facts::{Facts, FlagFacts};
use super::game::Game;
use super::profile::{ClaimStops, Profile};
use super::refused::RuleRefused;
use crate::{ClockState, Instant, Side};
use core::fmt;
use serde::{Deserialize, Serialize};

/// The state of a game without its time control and its profile: times, counters, periods, flags
/// and which of them fell first, the method in force, the delay left, claims, requests, counts,
/// incidents, arrivals, the adjournment, and the press that can be taken back.
///
/// If a clock runs, the state says that the arbiter has paused it. If the game is over, the state
/// has the phase before the result. Its instants are on the axis of the game that it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameState {
    clock: ClockState,
    facts: Facts,
}

/// Why a state cannot be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTakenOver {
    /// The profile cannot be used with the time control.
    Rules(RuleRefused),
    /// No game with this time control and this profile can be in the state. The text says why.
    State(&'static str),
}

impl fmt::Display for NotTakenOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTakenOver::Rules(refused) => fmt::Display::fmt(refused, f),
            NotTakenOver::State(why) => f.write_str(why),
        }
    }
}

impl GameState {
    /// The state of a game from its clock and its facts, both at [`Game::last`].
    pub(super) fn new(clock: ClockState, facts: Facts) -> GameState {
        GameState { clock, facts }
    }

    /// The state for another clock. A defect or a gap that was noted belongs to the clock on which
    /// it was noted (S0 6.11). So it is taken over only if both final flags fell there, whose order
    /// may be unknown because of it.
    pub fn for_another_clock(self) -> GameState {
        let both_down = Side::BOTH.into_iter().all(|side| self.has_final_flag(side));
        let clock_in_doubt = self.facts.clock_in_doubt && both_down;
        let doubt_of_earlier_clock = clock_in_doubt;
        let facts = Facts { clock_in_doubt, doubt_of_earlier_clock, ..self.facts };
        GameState { facts, ..self }
    }

    fn has_final_flag(&self, side: Side) -> bool {
        self.facts.sides[side].flag.is_some_and(|flag| flag.is_final)
    }

    /// Whether White's clock was started.
    pub fn has_begun(&self) -> bool {
        self.clock.has_begun()
    }

    /// The game that is set up with `setup` and is in this state. Its latest instant is moved to
    /// `at`, and every other instant by the same time.
    ///
    /// # Errors
    ///
    /// The state contradicts itself, or it contradicts the time control or the profile of `setup`,
    /// or this profile cannot be used with this time control.
    pub fn game(&self, setup: &Setup, at: Instant) -> Result<Game, NotTakenOver> {
        let new = Game::new(setup, at).map_err(NotTakenOver::Rules)?;
        let GameState { clock, facts } = self;
        let own_after_flag = setup.control.terms().after_flag;
        let clock = clock.clock(&setup.control, own_after_flag).map_err(NotTakenOver::State)?;
        // The new game has no result, so no final ruling has ended it, and it does not go on by itself.
        let game =
            new.with_state(clock, Facts { final_ruling: false, countdown_since: None, ..*facts });
        self.check(&game).map_err(NotTakenOver::State)?;
        Ok(game.on_axis(self.clock.last, at))
    }

    /// Checks that the facts go with the clock and the profile of `game`.
    fn check(&self, game: &Game) -> Result<(), &'static str> {
        let (mut facts, last) = (self.facts, self.clock.last);
        let mut late = false;
        facts.for_each_instant(|at| late |= *at > last);
        // A session may start later than `last`.
        facts.session_start = None;
        facts.for_each_signed_instant(|at| late |= *at > last.into());
        if late {
            return Err("an instant of the facts is later than the last one that was handled");
        }
        if facts.asked != self.clock.asked() {
            return Err("asked of the clock and of the facts differ");
        }
        if facts.increment_agreed && game.clock().changed_method().is_none() {
            return Err("an increment_agreed without a changed method");
        }
        let view = game.clock().view(last);
        for side in Side::BOTH {
            let shown = &view.sides[side];
            let fallen = shown.flag.filter(|_| shown.out_of_time);
            let noted = facts.sides[side].flag.filter(|flag| flag.is_final);
            if noted.map(|FlagFacts { at, .. }| at) != fallen {
                return Err("the final flags of the facts are not those of the clock");
            }
        }
        let both_down = Side::BOTH.into_iter().all(|side| view.sides[side].out_of_time);
        if facts.order_unknown && !game.can_have_unknown_order(last) {
            return Err("order_unknown without the final flags that it is about");
        }
        if facts.doubt_of_earlier_clock && !(facts.clock_in_doubt && both_down) {
            return Err("doubt_of_earlier_clock without clock_in_doubt and both final flags");
        }
        let concludes = |profile: &Profile| profile.claim_stops == ClaimStops::Concludes;
        if facts.concluded && !(facts.claim.is_some() && game.profile().is_some_and(concludes)) {
            return Err("concluded without a claim that concludes a game under this profile");
        }
        if let Some(side) = facts.adjourned
            && (view.phase != crate::Phase::Paused || view.on_move == side)
        {
            return Err("adjourned: the clocks do not stand with the sealer's opponent on move");
        }
        let is_paused = view.phase == crate::Phase::Paused;
        if facts.announcement.is_some() && !(is_paused && facts.adjourned.is_none()) {
            return Err("an announcement without a pause");
        }
        let open = facts.claim.is_some()
            || facts.request.is_some()
            || facts.stop.is_some()
            || facts.losing_illegal_move.is_some()
            || facts.adjourned.is_some();
        if game.profile().is_none() && (open || facts.await_ruling()) {
            return Err("something is open that only a rule profile has, and there is no profile");
        }
        if !self.has_begun() && (open || facts.await_ruling()) {
            return Err("a claim, a request, a stop or an adjournment is open before the start");
        }
        Ok(())
    }
}
