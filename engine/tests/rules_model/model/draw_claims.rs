//! Draw claims (S0 10.2, S2 III.5, III.6, S3 7, FIDE 9.5) and requests for an increment (S2 III.4).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::flags::{has_limit, left_of, side_of};
use super::{Fact, Input, Model};
use clock_engine::rules::{Action, ClaimStops, Claimant, Ground, Ruling};
use clock_engine::{Clock, Command, Instant, Phase, Side, Span};

/// A claim that is not decided.
pub struct OpenClaim {
    pub by: Side,
    pub ground: Ground,
    pub postponed: bool,
    /// Whether the game goes on while the claim is open.
    pub pending: bool,
}

/// A request that is not decided.
pub struct OpenRequest {
    pub by: Side,
    /// Whether the draw offer in the request was refused.
    pub offer_refused: bool,
}

impl Model {
    pub fn open_claim(&self) -> Option<OpenClaim> {
        let (fact, by, ground, stop) = self.last_claim()?;
        let rejected = self.rulings_after(fact).any(|ruling| ruling == Ruling::Reject);
        if rejected || self.is_taken_back(fact) {
            return None;
        }
        let postponed = self.rulings_after(fact).any(|ruling| ruling == Ruling::Postpone);
        Some(OpenClaim { by, ground, postponed, pending: postponed || !stop })
    }

    fn last_claim(&self) -> Option<(&Fact, Side, Ground, bool)> {
        self.actions().rev().find_map(|(fact, action)| match action {
            Action::ClaimDraw { by: Claimant::Player(by), ground, stop, .. } => {
                Some((fact, by, ground, stop))
            }
            _ => None,
        })
    }

    /// Whether the last move before this claim or request was taken back: no move was completed
    /// between the fact and the input that takes a move back.
    fn is_taken_back(&self, fact: &Fact) -> bool {
        let same_turn = self.after(fact).take_while(|later| !completes_a_move(later));
        same_turn.into_iter().any(|later| takes_a_move_back(later.input))
    }

    /// Whether this fact takes a move back and thereby closes a claim.
    pub fn closes_a_claim(&self, fact: &Fact) -> bool {
        let before = self.at(fact);
        let made_since = |(claim, ..): (&Fact, _, _, _)| !before.after(claim).any(completes_a_move);
        takes_a_move_back(fact.input)
            && before.open_claim().is_some()
            && before.last_claim().is_some_and(made_since)
    }

    /// Whether the player chooses whether a claim on this ground stops the clocks (S2 III.5).
    fn may_choose(&self, ground: Ground) -> bool {
        self.profile.claim_stops == ClaimStops::Chosen && ground.is_about_normal_means()
    }

    pub fn open_request(&self) -> Option<OpenRequest> {
        let (fact, by) = self.actions().rev().find_map(|(fact, action)| match action {
            Action::RequestIncrement { by: Claimant::Player(by) } => Some((fact, by)),
            _ => None,
        })?;
        let ends = |ruling| matches!(ruling, Ruling::IncrementAgreed | Ruling::IncrementRefused);
        if self.rulings_after(fact).any(ends) || self.is_taken_back(fact) {
            return None;
        }
        let refused = Action::rule(Ruling::DrawRefused);
        let offer_refused = self.after(fact).any(|later| later.input == Input::Action(refused));
        Some(OpenRequest { by, offer_refused })
    }

    /// Whether the arbiter has agreed to a request for an increment (S2 III.4).
    pub fn increment_agreed(&self) -> bool {
        self.actions().any(|(_, action)| {
            matches!(action, Action::Rule { ruling: Ruling::IncrementAgreed, .. })
        })
    }

    /// Whether a postponed claim has put a delay on the clock (US 14H).
    fn has_delay_clock(&self) -> bool {
        let postponed = |(_, action): (&Fact, Action)| {
            matches!(action, Action::Rule { ruling: Ruling::Postpone, .. })
        };
        self.profile.postpone_delay.is_some() && self.actions().any(postponed)
    }

    /// Whether the unsupervised game was concluded by a claim (S2 III.6.1).
    pub fn concluded(&self) -> bool {
        self.profile.claim_stops == ClaimStops::Concludes
            && self.open_claim().is_some_and(|claim| claim.ground.is_about_normal_means())
    }

    fn in_last_period(clock: &Clock, side: Side) -> bool {
        let view = clock.view(clock.last());
        view.last_period == Some(view.sides[side].period)
    }

    /// The time that the side has left. `None` if it is not low enough for claims under the
    /// profile, or if the time for all remaining moves is not limited (S0 10.1).
    fn time_is_low(&self, clock: &Clock, side: Side) -> Option<Span> {
        let below = self.profile.claim_below?;
        if !has_limit(clock.control().periods().last()?.method[side]) {
            return None;
        }
        let left = left_of(&side_of(clock, side));
        (left < below || self.profile.claim_below_inclusive && left == below).then_some(left)
    }

    /// Whether the side is in a quickplay finish: in the period in which all remaining moves are
    /// due, with its time low enough for claims.
    pub fn in_the_last_minutes(&self, clock: &Clock, side: Side) -> bool {
        Model::in_last_period(clock, side) && self.time_is_low(clock, side).is_some()
    }

    pub fn draw_claim(
        &self,
        clock: &Clock,
        by: Claimant,
        ground: Ground,
        stop: bool,
        at: Instant,
    ) -> Option<Clock> {
        let Claimant::Player(by) = by else { return None };
        let profile = &self.profile;
        let open = if ground.is_about_normal_means() {
            self.in_the_last_minutes(clock, by)
                && (profile.claims_with_increment || !self.increment && !self.has_delay_clock())
                && (!profile.claim_on_move || on_move(clock) == by)
                && !self.increment_agreed()
        } else {
            profile.position_claims && on_move(clock) == by
        };
        (open
            && (stop || self.may_choose(ground))
            && clock.phase() != Phase::Ready
            && !Model::is_down(clock, by)
            && self.open_claim().is_none()
            && self.phase(clock) != Phase::Ruling)
            .then(|| match stop {
                true => super::stopped(clock, at),
                false => *clock,
            })
    }

    pub fn increment_request(&self, clock: &Clock, by: Claimant, at: Instant) -> Option<Clock> {
        let Claimant::Player(by) = by else { return None };
        (self.profile.requested_increment.is_some()
            && self.in_the_last_minutes(clock, by)
            && on_move(clock) == by
            && clock.phase() != Phase::Ready
            && !Model::is_down(clock, by)
            && !self.increment_agreed()
            && self.phase(clock) != Phase::Ruling)
            .then(|| super::stopped(clock, at))
    }
}

fn completes_a_move(fact: &Fact) -> bool {
    match fact.input {
        // A press while the clocks stand confirms that the game goes on.
        Input::Press(_) => fact.clock.phase() == Phase::Running,
        Input::Action(Action::Adjourn { .. }) => true,
        _ => false,
    }
}

pub fn takes_a_move_back(input: Input) -> bool {
    matches!(input, Input::Command(Command::UndoPress) | Input::Action(Action::IllegalMove { .. }))
}

pub fn on_move(clock: &Clock) -> Side {
    clock.view(clock.last()).on_move
}
