//! Whether an input is accepted, and what it does.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::draw_claims::on_move;
use super::{Effect, Fact, Input, Model, commanded, stopped};
use clock_engine::rules::{
    Action, Attachment, Confirmation, OfferAnswer, Referral, ResultGround, Ruling,
};
use clock_engine::{Caller, Clock, Command, Instant, Outcome, Phase, Side};

impl Model {
    /// The effect of the input; `None` if it is refused or does nothing.
    pub fn judge(&self, clock: &Clock, input: Input, at: Instant) -> Option<Effect> {
        match input {
            Input::Wait(_) => Some(Effect { clock: *clock, result: None }),
            Input::Press(side) => self.press(clock, side, at),
            Input::Call => self.call(clock, at),
            Input::Command(command) => self.command(clock, command, at),
            Input::Action(action) => {
                if self.result().is_some() && !only_for_the_record(action) {
                    return None;
                }
                if self.adjourned() && action != Action::ResumeAdjourned {
                    return None;
                }
                // No result is given that does not go with the points of penalties.
                self.action(clock, action, at)
                    .filter(|effect| effect.result.is_none_or(|it| self.goes_with_points(it)))
            }
        }
    }

    /// A press has the same effect as on the clock alone, with two exceptions. Black's press starts
    /// White's clock only if the profile allows it. In unsupervised play, a press while the game is
    /// paused confirms that the game goes on.
    fn press(&self, clock: &Clock, side: Side, at: Instant) -> Option<Effect> {
        if !self.supervised() && self.phase(clock) == Phase::Paused && !self.concluded() {
            return self.confirming_press(clock, side, at);
        }
        let accepted = match self.phase(clock) {
            Phase::Ready => side == Side::Black && self.profile.black_starts,
            Phase::Running => side == on_move(clock),
            _ => false,
        };
        if !accepted {
            return None;
        }
        let mut after = *clock;
        after.handle_press(side, at).expect("in order");
        Some(Effect { clock: after, result: None })
    }

    /// In unsupervised play, a press while the game is paused confirms that the game goes on. It
    /// goes on once both players have confirmed, unless something else is still missing.
    fn confirming_press(&self, clock: &Clock, side: Side, at: Instant) -> Option<Effect> {
        let goes_on = self.confirmed_resume(side.other()) && self.can_go_on(clock);
        let resume = [Command::Resume { side: None }];
        let clock = if goes_on { commanded(*clock, &resume, at)? } else { *clock };
        Some(Effect { clock, result: None })
    }

    fn call(&self, clock: &Clock, at: Instant) -> Option<Effect> {
        if self.adjourned() {
            return None;
        }
        if !self.supervised() && self.phase(clock) != Phase::Running {
            let goes_on = Effect { clock: *clock, result: None };
            return (self.phase(clock) == Phase::Paused).then_some(goes_on);
        }
        let mut after = *clock;
        after.handle_call(at).expect("in order");
        let before = clock.view(at);
        let now = after.view(at);
        let accepted = before.phase != now.phase || before.called_by != now.called_by;
        accepted.then_some(Effect { clock: after, result: None })
    }

    fn command(&self, clock: &Clock, command: Command, at: Instant) -> Option<Effect> {
        if command == Command::Reopen {
            let end = self.end().filter(|end| !self.is_final(end))?;
            if self.concluded() || !self.agrees_to_correct(&end.clock) {
                return None;
            }
            // A clock that ran when the result came is paused after the reopening.
            return Some(Effect { clock: stopped(&end.clock, end.at), result: None });
        }
        if self.result().is_some() || self.adjourned() {
            return None;
        }
        let clock = match command {
            Command::Resume { side } => self.resume(clock, side, at)?,
            Command::Pause { by: Caller::Arbiter } if !self.supervised() => return None,
            Command::Add { .. } | Command::UndoPress | Command::Set(_)
                if self.concluded() || !self.agrees_to_correct(clock) =>
            {
                return None;
            }
            command => commanded(*clock, &[command], at)?,
        };
        Some(Effect { clock, result: None })
    }

    /// Whether `end`, which gave the result, is a final ruling on a claim (S0 10.2d).
    pub fn is_final(&self, end: &Fact) -> bool {
        let ruled = matches!(
            end.input,
            Input::Action(Action::Rule { ruling, .. }) if !matches!(ruling, Ruling::Forfeit | Ruling::DrawAccepted)
        );
        self.profile.claim_final && ruled && self.open_claim().is_some()
    }

    fn action(&self, clock: &Clock, action: Action, at: Instant) -> Option<Effect> {
        let goes_on = |clock| Effect { clock, result: None };
        match action {
            Action::ClaimFlag { by, evidence } => {
                self.flag_call(clock, by, evidence, at).map(goes_on)
            }
            Action::ClaimDraw { by, ground, stop, offer } => {
                let clock = self.draw_claim(clock, by, ground, stop, at)?;
                let accepted = offer == Some(OfferAnswer::Accepted);
                Some(Effect { clock, result: accepted.then_some(Outcome::Drawn) })
            }
            Action::RequestIncrement { by } => self.increment_request(clock, by, at).map(goes_on),
            Action::Rule { ruling, side, award } => self.ruling(clock, ruling, side, award, at),
            Action::Penalize(penalty) => self.penalty(clock, penalty, at),
            Action::IllegalMove { side, claimed, award } => {
                self.illegal_move(clock, side, claimed, award, at).map(goes_on)
            }
            Action::Arrive(side) => self.arrived(side).is_none().then_some(goes_on(*clock)),
            Action::RecordConfirmation { by, what } => self.confirm(clock, by, what, at),
            Action::Refer => self.can_be_referred().then_some(goes_on(*clock)),
            Action::RecordAttachment { .. }
            | Action::SetAssistant { .. }
            | Action::Incident { .. } => Some(goes_on(*clock)),
            Action::Adjourn { side } => self.adjourn(clock, side, at).map(goes_on),
            Action::ResumeAdjourned => self.adjourned().then_some(goes_on(*clock)),
            Action::ChangeMethod { .. } => unreachable!("not among the inputs"),
            Action::Result { outcome, ground } => self.give_result(clock, outcome, ground, at),
        }
    }

    /// Whether a correction is allowed. In unsupervised play, a correction after the start needs
    /// the agreement of both players, and in these games the players never confirm a correction.
    pub fn agrees_to_correct(&self, clock: &Clock) -> bool {
        self.supervised() || clock.phase() == Phase::Ready
    }

    /// The effect of a player's confirmation in unsupervised play: that the game goes on, or that
    /// the order of the flags is unknown. The games have no confirmations of a correction, so the
    /// model refuses them.
    fn confirm(
        &self,
        clock: &Clock,
        by: Side,
        what: Option<Confirmation>,
        at: Instant,
    ) -> Option<Effect> {
        let goes_on = Effect { clock: *clock, result: None };
        if self.confirms_order(clock, what) {
            let open = !self.supervised()
                && Model::both_are_down(clock)
                && self.doubt_on_record()
                && !self.order_is_unknown(clock);
            let other = self.other_has_confirmed_order(clock, by.other());
            return open.then(|| if other { self.order_unknown(clock, at) } else { goes_on });
        }
        if what == Some(Confirmation::Correction) {
            return None;
        }
        (self.confirms_resume(clock, what)).then_some(goes_on)
    }

    pub fn confirms_resume(&self, clock: &Clock, what: Option<Confirmation>) -> bool {
        what.is_none_or(|what| what == Confirmation::Resume)
            && !self.confirms_order(clock, what)
            && !self.supervised()
            && self.phase(clock) == Phase::Paused
    }

    fn other_has_confirmed_order(&self, clock: &Clock, other: Side) -> bool {
        self.actions().any(|(fact, action)| match action {
            Action::RecordConfirmation { by, what } => {
                by == other
                    && self.at(fact).confirms_order(&fact.clock, what)
                    && Side::BOTH.iter().all(|&side| Model::was_down(fact, clock, side))
            }
            _ => false,
        })
    }

    /// Whether everything is attached that the referral needs: the details and a scoresheet (S0
    /// preface), or what the opponent has verified (S2 III.6.1).
    fn can_be_referred(&self) -> bool {
        let Some(claim) = self.open_claim() else {
            return false;
        };
        let since = |action: &dyn Fn(Action) -> bool| {
            let facts = self.facts().rev();
            let mut later = facts.take_while(|fact| !rejects(fact) && !self.closes_a_claim(fact));
            later.any(|fact| matches!(fact.input, Input::Action(of) if action(of)))
        };
        let attached = |kind| {
            since(
                &|action| matches!(action, Action::RecordAttachment { kind: other, .. } if other == kind),
            )
        };
        let verified_by = Some(claim.by.other());
        let verified =
            |kind| since(&|action| action == Action::RecordAttachment { kind, verified_by });
        let referred = since(&|action| action == Action::Refer);
        let complete = match self.profile.referral {
            Referral::Refused => false,
            Referral::Details => attached(Attachment::Details) && attached(Attachment::Scoresheet),
            Referral::Verified => {
                verified(Attachment::Position)
                    && (claim.ground != clock_engine::rules::Ground::NoEffort
                        || verified(Attachment::Scoresheet))
            }
        };
        complete && !referred
    }

    /// The side on move seals its move, which completes it.
    fn adjourn(&self, clock: &Clock, side: Side, at: Instant) -> Option<Clock> {
        let phase = self.phase(clock);
        if !self.profile.adjournment
            || !self.supervised()
            || side != on_move(clock)
            || !matches!(phase, Phase::Running | Phase::Paused)
        {
            return None;
        }
        let mut after = *clock;
        if clock.phase() == Phase::Paused {
            after = commanded(after, &[Command::Resume { side: None }], at)?;
        }
        after.handle_press(side, at).ok()?;
        Some(stopped(&after, at))
    }

    fn give_result(
        &self,
        clock: &Clock,
        outcome: Outcome,
        ground: ResultGround,
        at: Instant,
    ) -> Option<Effect> {
        let referred = self.actions().any(|(_, action)| action == Action::Refer);
        if self.concluded() && !referred {
            return None;
        }
        let low = Side::BOTH.iter().any(|&side| self.in_the_last_minutes(clock, side));
        let allowed = match ground {
            ResultGround::Game => true,
            ResultGround::ArbitersDraw => {
                self.profile.arbiter_draws && outcome == Outcome::Drawn && low
            }
        };
        allowed.then(|| Effect { clock: stopped(clock, at), result: Some(outcome) })
    }
}

/// Whether the fact rejects a claim. Attachments before it do not count for a later claim.
fn rejects(fact: &Fact) -> bool {
    matches!(fact.input, Input::Action(Action::Rule { ruling: Ruling::Reject, .. }))
}

/// Whether the action can still be noted when the game is over.
fn only_for_the_record(action: Action) -> bool {
    matches!(
        action,
        Action::RecordAttachment { .. }
            | Action::SetAssistant { .. }
            | Action::Incident { .. }
            | Action::Penalize(_)
    )
}
