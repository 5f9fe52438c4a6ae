//! Flags: the fall, the call and the ruling are three separate facts (S0 6.9).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::draw_claims::takes_a_move_back;
use super::{Fact, Model};
use clock_engine::rules::{
    Action, Claimant, DisplayClaims, Evidence, FlagCaller, IncidentKind, Ruling,
};
use clock_engine::{Clock, Instant, Method, Side, SideView, Span};

impl Model {
    /// Whether this side's final flag is down.
    pub fn is_down(clock: &Clock, side: Side) -> bool {
        side_of(clock, side).out_of_time
    }

    pub fn both_are_down(clock: &Clock) -> bool {
        Side::BOTH.iter().all(|&side| Model::is_down(clock, side))
    }

    /// Whether the flag that is down in `clock` was already down at this fact.
    pub fn was_down(fact: &Fact, clock: &Clock, side: Side) -> bool {
        let (then, now) = (side_of(&fact.clock, side), side_of(clock, side));
        then.out_of_time && now.out_of_time && then.flag == now.flag
    }

    pub fn is_called(&self, clock: &Clock, side: Side) -> bool {
        self.actions().any(|(fact, action)| {
            let calls = match action {
                Action::ClaimFlag { .. } => true,
                Action::Rule { ruling, .. } => ruling == Ruling::Call,
                _ => false,
            };
            calls && Model::was_down(fact, clock, side)
        })
    }

    /// The side whose flag fell first, of the final flags that are down.
    pub fn first_down(clock: &Clock) -> Option<Side> {
        let down = Side::BOTH.into_iter().filter(|&side| Model::is_down(clock, side));
        down.min_by_key(|&side| side_of(clock, side).flag)
    }

    /// Whether a ruling says that the order of the flags that are down in `clock` is not
    /// established. If so, neither flag decides the game. Such a ruling is about two flags. If one
    /// of them is annulled, the other one still decides nothing while its player waits for the time
    /// of another period (S0 6.12). If the move before one of the flags is taken back, the order is known.
    pub fn order_is_unknown(&self, clock: &Clock) -> bool {
        self.facts().any(|fact| {
            let stays = |clock: &Clock, side| Model::was_down(fact, clock, side);
            let both = |clock: &Clock| Side::BOTH.into_iter().all(|side| stays(clock, side));
            let waits = |side| stays(clock, side) && has_more_periods(clock, side);
            let known_again = || {
                self.after(fact).any(|later| {
                    let next = self.after(later).next();
                    takes_a_move_back(later.input) && !both(next.map_or(clock, |next| &next.clock))
                })
            };
            self.rules_the_order_unknown(fact)
                && (both(clock) || Side::BOTH.into_iter().any(waits) && !known_again())
        })
    }

    /// Whether the game continues after an unknown order of the flags, and a player who has another
    /// period has no time yet (S0 6.12).
    pub fn lacks_the_next_period(&self, clock: &Clock) -> bool {
        let lacks = |side| Model::is_down(clock, side) && has_more_periods(clock, side);
        self.order_is_unknown(clock) && Side::BOTH.into_iter().any(lacks)
    }

    /// Whether a final flag is down that can decide the game.
    pub fn flag_is_open(&self, clock: &Clock) -> bool {
        Model::first_down(clock).is_some() && !self.order_is_unknown(clock)
    }

    /// The latest answer that this side's moves were not made or that it is not established whether
    /// they were made.
    fn answer(&self, clock: &Clock, side: Side) -> Option<Ruling> {
        self.actions().rev().find_map(|(fact, action)| match action {
            Action::Rule {
                ruling: ruling @ (Ruling::NotMade | Ruling::NotEstablished), ..
            } if Model::was_down(fact, clock, side)
                && self.at(fact).asked_about(&fact.clock, ruling) == Some(side) =>
            {
                Some(ruling)
            }
            _ => None,
        })
    }

    /// The side whose flag a ruling `made`, `not-made` or `not-established` concerns: of the flags
    /// without an answer the one that fell first. If all have an answer, the ruling replaces the
    /// answer about the flag that fell first.
    pub fn asked_about(&self, clock: &Clock, ruling: Ruling) -> Option<Side> {
        let first = |wanted: &dyn Fn(Side) -> bool| {
            let open = Side::BOTH.into_iter().filter(|&side| wanted(side));
            open.min_by_key(|&side| side_of(clock, side).flag)
        };
        let first_open = first(&|side| self.moves_made_is_asked(clock, side))
            .or_else(|| first(&|side| self.moves_made_is_open(clock, side)));
        let replaced =
            || Model::first_down(clock).filter(|&side| self.answer(clock, side) != Some(ruling));
        first_open.or_else(replaced).filter(|_| self.flag_is_open(clock))
    }

    /// Whether the question "were the moves made?" awaits an answer for this side.
    pub fn moves_made_is_open(&self, clock: &Clock, side: Side) -> bool {
        self.flag_is_open(clock)
            && Model::is_down(clock, side)
            && self.answer(clock, side).is_none()
    }

    /// Whether the arbiter is asked whether this side's moves were made. In the period in which all
    /// remaining moves are due, `moves_made_is_open` can be `true`, but the arbiter is not asked.
    pub fn moves_made_is_asked(&self, clock: &Clock, side: Side) -> bool {
        let last = clock.view(clock.last()).last_period;
        self.moves_made_is_open(clock, side)
            && last.is_none_or(|last| side_of(clock, side).period < last)
    }

    /// Whether both final flags are down and a defect or a gap puts their order in doubt.
    pub fn order_in_doubt(&self, clock: &Clock) -> bool {
        Model::both_are_down(clock) && !self.order_is_unknown(clock) && self.doubt_on_record()
    }

    pub fn doubt_on_record(&self) -> bool {
        self.actions().any(|(_, action)| {
            matches!(
                action,
                Action::Incident { kind: IncidentKind::Defect | IncidentKind::Gap, .. }
            )
        })
    }

    /// Whether a flag must be ruled on before the game goes on: it was called, or the arbiter has
    /// answered that the moves were not made.
    pub fn a_flag_awaits_a_ruling(&self, clock: &Clock) -> bool {
        self.flag_is_open(clock)
            && Side::BOTH.iter().any(|&side| {
                self.is_called(clock, side) || self.answer(clock, side) == Some(Ruling::NotMade)
            })
    }

    /// The clock after a flag is called; `None` if the call is refused. A player can call a flag,
    /// and so can the arbiter if the profile allows it (S0 6.9). Nobody can call it from a display
    /// alone (S0 6.15).
    pub fn flag_call(
        &self,
        clock: &Clock,
        by: Claimant,
        evidence: Evidence,
        at: Instant,
    ) -> Option<Clock> {
        let may_call = match by {
            Claimant::Player(_) => true,
            Claimant::Arbiter => {
                self.supervised() && self.profile.flag_caller != FlagCaller::Players
            }
            Claimant::Bystander => false,
        };
        let display = match evidence {
            Evidence::Flag => true,
            Evidence::Display => false,
            Evidence::DisplayAndOther => self.profile.display_claims == DisplayClaims::NotSolely,
        };
        let uncalled = Side::BOTH
            .iter()
            .any(|&side| Model::is_down(clock, side) && !self.is_called(clock, side));
        (may_call && display && !self.concluded() && self.flag_is_open(clock) && uncalled)
            .then(|| super::stopped(clock, at))
    }
}

fn has_more_periods(clock: &Clock, side: Side) -> bool {
    let view = clock.view(clock.last());
    view.last_period != Some(view.sides[side].period)
}

pub fn side_of(clock: &Clock, side: Side) -> SideView {
    clock.view(clock.last()).sides[side]
}

/// Whether a method limits the time for all remaining moves (S0 10.1).
pub fn has_limit(method: Method) -> bool {
    !matches!(
        method,
        Method::Gong(_) | Method::Hourglass | Method::Overtime(_) | Method::CountUp { limit: None }
    )
}

/// The time that a side has left. A clock that counts up to a limit shows the time used.
pub fn left_of(shown: &SideView) -> Span {
    let used = shown.remaining.as_nanos();
    shown.limit.map_or(shown.remaining, |limit| Span::from_nanos(limit.as_nanos() - used))
}
