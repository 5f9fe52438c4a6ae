//! Draw claims and the request for an increment. A draw claim can also be sent to an arbiter who is
//! not at the board (S0 preface, 10, S2 III.4 to III.6, S3 7, FIDE 9.5).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::{Attachment, Claimant, OfferAnswer, Ruling};
use crate::rules::clause::Topic;
use crate::rules::event::GameEventKind;
use crate::rules::facts::{Attached, ClaimFacts, Request};
use crate::rules::profile::{AwardChoice, ClaimStops, Ground, Referral};
use crate::rules::rate::{brings_time, has_increment};
use crate::rules::refused::{GameRefused, Reason, player};
use crate::{Command, Instant, Method, Outcome, Phase, Refused, Side, SideView, Span};

impl Game {
    pub(super) fn claim_draw(
        &mut self,
        by: Claimant,
        ground: Ground,
        stop: bool,
        offer: Option<OfferAnswer>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let side = player(by).map_err(|reason| self.refused(reason))?;
        self.check_in_play()?;
        if self.facts.claim.is_some() {
            return Err(self.refused(Reason::ClaimOpen));
        }
        let topic = match ground {
            Ground::CannotWin | Ground::NoEffort => match self.rules().claim_stops {
                ClaimStops::Concludes => Topic::Concluded,
                ClaimStops::Always | ClaimStops::Chosen => Topic::DrawClaim,
            },
            Ground::Repetition => Topic::Repetition,
            Ground::FiftyMoves => Topic::FiftyMoves,
        };
        if ground.is_about_normal_means() {
            self.check_quickplay_claim(side, topic, at)?;
        } else {
            self.check_position_claim(side, topic)?;
        }
        if self.clock.view(at).sides[side].out_of_time {
            return Err(self.refused(Reason::ClaimantFlagged { on: topic }));
        }
        if offer == Some(OfferAnswer::Accepted) {
            // The offer before the claim was accepted, so no claim is made.
            return self.draw_by_agreement(at);
        }
        let concludes = self.rules().claim_stops.conclude(ground);
        let chosen =
            self.rules().claim_stops == ClaimStops::Chosen && ground.is_about_normal_means();
        if !stop && !chosen {
            let on = if ground.is_about_normal_means() { topic } else { Topic::PositionClaim };
            return Err(self.refused(Reason::ClaimStops { on }));
        }
        let claim = ClaimFacts { at, by: side, ground, stopped: stop, postponed: false };
        self.facts.claim = Some(claim);
        let asked = &mut self.facts.asked;
        asked.claims = asked.claims.saturating_add(1);
        asked.claim_since_press = true;
        self.facts.concluded = concludes;
        self.emit(at, GameEventKind::Claim { by: side, ground: Some(ground) });
        if stop {
            self.stop_clocks(by, at)?;
        }
        Ok(())
    }

    pub(super) fn draw_by_agreement(&mut self, at: Instant) -> Result<(), GameRefused> {
        self.emit(at, GameEventKind::Ruling { ruling: Ruling::DrawAccepted, side: None });
        self.end(Outcome::Drawn, at)
    }

    /// Refuses a claim or a request unless a clock runs or the game is paused. Both are accepted in
    /// a paused game, because the player may have stopped the clocks in order to claim.
    pub(super) fn check_in_play(&self) -> Result<(), GameRefused> {
        match self.phase() {
            Phase::Running | Phase::Paused => Ok(()),
            Phase::Over => Err(Refused::GameOver.into()),
            Phase::Ready => Err(Refused::NotRunning(Phase::Ready).into()),
            Phase::Ruling if self.facts.concluded => Err(self.refused(Reason::Concluded)),
            Phase::Ruling if self.facts.claim.is_some() => Err(self.refused(Reason::ClaimOpen)),
            Phase::Ruling if self.facts.request.is_some() => Err(self.refused(Reason::RequestOpen)),
            Phase::Ruling => Err(self.refused(Reason::RulingAwaited)),
        }
    }

    fn check_quickplay_claim(&self, side: Side, on: Topic, at: Instant) -> Result<(), GameRefused> {
        let rules = self.rules();
        let Some(limit) = rules.claim_below else {
            return Err(self.refused(Reason::NoQuickplayClaims));
        };
        if self.facts.increment_agreed {
            return Err(self.refused(Reason::RequestAgreed { on }));
        }
        self.check_method_in_force()?;
        if !rules.claims_with_increment && brings_time(self.clock.method(side)) {
            return Err(self.refused(Reason::ClaimWithIncrement));
        }
        if rules.claim_on_move {
            self.check_on_move(side, on, at)?;
        }
        self.check_time_left(side, limit, on, at)
    }

    /// Refuses a claim or a request if there is an increment or a delay and `increments_allowed` is
    /// off (S2 III.2.2). A method that the arbiter has set since the set-up counts instead of the
    /// methods of the control.
    fn check_method_in_force(&self) -> Result<(), GameRefused> {
        let of_control = || has_increment(self.clock.control());
        let brings_time = self.clock.changed_method().map_or_else(of_control, brings_time);
        if brings_time && !self.rules().increments_allowed {
            return Err(self.refused(Reason::WithIncrement));
        }
        Ok(())
    }

    fn time_left(&self, side: Side, at: Instant) -> Option<Span> {
        time_left(&self.clock.view(at).sides[side])
    }

    /// Whether this side's time is low enough for claims that are allowed below `limit`.
    pub(super) fn is_in_time_trouble(&self, side: Side, limit: Span, at: Instant) -> bool {
        self.time_left(side, at).is_some_and(|left| self.is_low(left, limit))
    }

    fn is_low(&self, left: Span, limit: Span) -> bool {
        left < limit || (self.rules().claim_below_inclusive && left == limit)
    }

    /// Refuses a claim of repetition or of fifty moves if the profile does not have such claims, or
    /// if the side is not on move. Such a claim is checked on the scoresheet, so the time left does
    /// not matter (FIDE 9.2, 9.3).
    fn check_position_claim(&self, side: Side, on: Topic) -> Result<(), GameRefused> {
        if !self.rules().position_claims {
            return Err(self.refused(Reason::NoPositionClaims { on }));
        }
        self.check_on_move(side, on, self.clock.last())
    }

    fn check_on_move(&self, side: Side, on: Topic, at: Instant) -> Result<(), GameRefused> {
        if self.clock.view(at).on_move == side {
            Ok(())
        } else {
            Err(self.refused(Reason::NotOnMove { side, on }))
        }
    }

    fn check_time_left(
        &self,
        side: Side,
        limit: Span,
        on: Topic,
        at: Instant,
    ) -> Result<(), GameRefused> {
        if !self.in_last_period(side, at) {
            return Err(self.refused(Reason::NotLastPeriod));
        }
        let Some(left) = self.time_left(side, at) else {
            return Err(self.refused(Reason::NoQuickplayFinish));
        };
        if self.is_low(left, limit) {
            return Ok(());
        }
        let at_limit = self.rules().claim_below_inclusive;
        Err(self.refused(Reason::TooMuchTimeLeft { left, limit, at_limit, on }))
    }

    pub(super) fn rule_claim(
        &mut self,
        ruling: Ruling,
        award: Option<Span>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let Some(claim) = self.facts.claim else {
            return Err(self.nothing_to_rule(ruling));
        };
        if ruling == Ruling::Postpone {
            self.postpone(claim, award, at)?;
        } else {
            self.reject(claim, award, at)?;
        }
        let side = Some(claim.by);
        self.emit(at, GameEventKind::Ruling { ruling, side });
        Ok(())
    }

    fn postpone(
        &mut self,
        claim: ClaimFacts,
        award: Option<Span>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let rules = self.rules();
        if claim.postponed {
            return Err(self.refused(Reason::AlreadyPostponed));
        }
        if !claim.ground.is_about_normal_means() {
            return Err(self.refused(Reason::NotPostponable));
        }
        let award = award.unwrap_or(Span::ZERO);
        self.check_award(award, rules.postpone_choice, rules.postpone_award, Topic::Postponed)?;
        self.award_opponent(claim.by, award, Topic::Postponed, at)?;
        self.facts.claim = Some(ClaimFacts { postponed: true, ..claim });
        if rules.postpone_halves_time {
            self.adjust(at, |clock| clock.halve(claim.by, at))?;
        }
        if let Some(delay) = rules.postpone_delay {
            self.adjust(at, |clock| clock.change_method(Method::Delay(delay), at))?;
        }
        Ok(())
    }

    fn reject(
        &mut self,
        claim: ClaimFacts,
        award: Option<Span>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let rules = self.rules();
        let (choice, of, topic) = if claim.ground.is_about_normal_means() {
            (rules.reject_choice, rules.reject_award, Topic::Rejected)
        } else {
            (AwardChoice::Exact, rules.wrong_claim_award.of(self.rate), Topic::PositionClaim)
        };
        let award = award.unwrap_or(of);
        self.check_award(award, choice, of, topic)?;
        self.award_opponent(claim.by, award, topic, at)?;
        self.close_claim();
        Ok(())
    }

    /// Closes the claim. The attachments and the referral belong to it and are dropped with it, so
    /// a later claim needs attachments of its own.
    pub(super) fn close_claim(&mut self) {
        self.facts.claim = None;
        self.facts.attached = Attached::default();
        self.facts.referred = false;
    }

    /// Takes back the last completed move. What was claimed or requested since its press is closed,
    /// as with a restoration: the position that it was about has not been reached. A claim that
    /// stood before that press stays.
    pub(super) fn undo_press(&mut self, at: Instant) -> Result<(), GameRefused> {
        self.clock.handle_command(Command::UndoPress, at)?;
        // If only one flag had fallen before the press, there is no order that could be unknown.
        self.facts.order_unknown &=
            Side::BOTH.into_iter().all(|side| self.clock.is_out_of_time(side));
        if self.facts.claim.is_some() && self.facts.asked.claim_since_press {
            self.close_claim();
        }
        // No press has an effect while a request is open, so the request came after the press.
        self.facts.request = None;
        Ok(())
    }

    pub(super) fn check_award(
        &self,
        award: Span,
        choice: AwardChoice,
        of: Span,
        on: Topic,
    ) -> Result<(), GameRefused> {
        let allowed = match choice {
            AwardChoice::Exact => award == of,
            AwardChoice::NothingOrExact => award.is_zero() || award == of,
            AwardChoice::Positive => !award.is_zero(),
            AwardChoice::Any => true,
        };
        if allowed { Ok(()) } else { Err(self.refused(Reason::Award { award, choice, of, on })) }
    }

    /// Gives time to the opponent of this side. If the opponent's final flag is down, an award
    /// above 0 is refused, because it would annul the flag without a ruling.
    pub(super) fn award_opponent(
        &mut self,
        side: Side,
        award: Span,
        on: Topic,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let opponent = side.other();
        if !award.is_zero() && self.clock.view(at).sides[opponent].out_of_time {
            return Err(self.refused(Reason::AwardToFlagged { on }));
        }
        self.award(opponent, award, at)
    }

    /// A player requests an increment for both sides. The request is a draw offer, too (S2 III.4).
    pub(super) fn request_increment(
        &mut self,
        by: Claimant,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let side = player(by).map_err(|reason| self.refused(reason))?;
        let rules = self.rules();
        let (Some(_), Some(limit)) = (rules.requested_increment, rules.claim_below) else {
            return Err(self.refused(Reason::NoRequests));
        };
        self.check_in_play()?;
        if self.facts.increment_agreed {
            return Err(self.refused(Reason::RequestAgreed { on: Topic::Request }));
        }
        self.check_method_in_force()?;
        self.check_on_move(side, Topic::Request, at)?;
        if self.clock.view(at).sides[side].out_of_time {
            return Err(self.refused(Reason::ClaimantFlagged { on: Topic::Request }));
        }
        self.check_time_left(side, limit, Topic::Request, at)?;
        self.facts.request = Some(Request { at, by: side, answer: None });
        self.facts.asked.requests = self.facts.asked.requests.saturating_add(1);
        self.emit(at, GameEventKind::Claim { by: side, ground: None });
        Ok(self.stop_clocks(by, at)?)
    }

    /// The opponent answers the draw offer of the request.
    pub(super) fn answer_offer(
        &mut self,
        answer: OfferAnswer,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_not_over()?;
        let Some(request) = self.facts.request else {
            return Err(self.refused(Reason::NoOffer));
        };
        if request.answer.is_some() {
            return Err(self.refused(Reason::OfferAnswered));
        }
        if answer == OfferAnswer::Accepted {
            return self.draw_by_agreement(at);
        }
        self.facts.request = Some(Request { answer: Some(answer), ..request });
        Ok(())
    }

    /// Rules on the request for an increment.
    pub(super) fn rule_request(&mut self, ruling: Ruling, at: Instant) -> Result<(), GameRefused> {
        let Some(request) = self.facts.request else {
            return Err(self.nothing_to_rule(ruling));
        };
        if request.answer.is_none() {
            return Err(self.refused(Reason::OfferNotAnswered));
        }
        self.facts.request = None;
        if ruling == Ruling::IncrementAgreed {
            let rules = self.rules();
            // A request that was taken over from another clock can be open under a profile that has
            // no requests.
            let Some(increment) = rules.requested_increment else {
                return Err(self.refused(Reason::NoRequests));
            };
            self.award_opponent(request.by, rules.request_award, Topic::Request, at)?;
            self.adjust(at, |clock| clock.change_method(Method::Increment(increment), at))?;
            self.facts.increment_agreed = true;
        }
        let side = Some(request.by);
        self.emit(at, GameEventKind::Ruling { ruling, side });
        Ok(())
    }
}

impl Game {
    /// Sends the claim to the designated arbiter.
    pub(super) fn refer(&mut self) -> Result<(), GameRefused> {
        self.check_not_over()?;
        let missing = match (self.rules().referral, self.facts.claim) {
            (Referral::Refused, _) => Some(Reason::NoReferral),
            (_, None) => Some(Reason::NothingToRefer),
            _ if self.facts.referred => Some(Reason::AlreadyReferred),
            (Referral::Details, Some(_)) => self.missing_details(),
            (Referral::Verified, Some(claim)) => self.missing_verification(claim),
        };
        if let Some(reason) = missing {
            return Err(self.refused(reason));
        }
        self.facts.referred = true;
        Ok(())
    }

    fn missing_details(&self) -> Option<Reason> {
        let attached = self.facts.attached;
        let complete = attached.has(Attachment::Details) && attached.has(Attachment::Scoresheet);
        (!complete).then_some(Reason::ReferralNeedsDetails)
    }

    fn missing_verification(&self, claim: ClaimFacts) -> Option<Reason> {
        let opponent = claim.by.other();
        let verified = |kind| self.facts.attached.is_verified_by(kind, opponent);
        let position = verified(Attachment::Position);
        match claim.ground {
            Ground::NoEffort if !(position && verified(Attachment::Scoresheet)) => {
                Some(Reason::ReferralNeedsBoth)
            }
            _ => (!position).then_some(Reason::ReferralNeedsPosition),
        }
    }
}

/// The time that a side has left for all its remaining moves, if it shows this. `None` with
/// overtime, an hourglass, a gong, or counting up without a limit: with these there is no quickplay
/// finish (S0 10.1).
pub(super) fn time_left(shown: &SideView) -> Option<Span> {
    let SideView { remaining, method, .. } = *shown;
    match method {
        Method::None | Method::Increment(_) | Method::Delay(_) | Method::Bronstein(_) => {
            Some(remaining)
        }
        Method::CountUp { limit } => limit.map(|limit| limit.minus(remaining)),
        Method::Overtime(_) | Method::Hourglass | Method::Gong(_) => None,
    }
}
