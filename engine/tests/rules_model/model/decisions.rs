//! The arbiter's decisions on flags, claims, requests and an illegal move that loses the game.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::flags::side_of;
use super::players::is_on_a_stop;
use super::{Effect, Fact, Input, Model, commanded, given, lost_by, nanos, stopped, with_method};
use clock_engine::rules::{
    Action, AwardChoice, BothFlags, BothFlagsOrderKnown, Claimant, Confirmation, Evidence,
    FlagCaller, Ground, LatePlayers, Ruling,
};
use clock_engine::{
    Clock, Command, Correction, Instant, Method, Outcome, PeriodEnd, Phase, Side, Span,
};

impl Model {
    /// The effect of a ruling, or of the opponent's answer to a draw offer.
    pub fn ruling(
        &self,
        clock: &Clock,
        ruling: Ruling,
        late: Option<LatePlayers>,
        award: Option<Span>,
        at: Instant,
    ) -> Option<Effect> {
        let (with_award, on_lateness) = match ruling {
            Ruling::Postpone | Ruling::Reject => (true, false),
            Ruling::Forfeit | Ruling::Waive => (false, true),
            _ => (false, false),
        };
        if award.is_some() && !with_award || late.is_some() && !on_lateness {
            return None;
        }
        match ruling {
            Ruling::Call => {
                self.flag_call(clock, Claimant::Arbiter, Evidence::Flag, at).map(goes_on)
            }
            Ruling::DrawAccepted | Ruling::DrawRefused => {
                self.open_request().filter(|request| !request.offer_refused)?;
                let drawn = ruling == Ruling::DrawAccepted;
                Some(Effect { clock: *clock, result: drawn.then_some(Outcome::Drawn) })
            }
            Ruling::Forfeit | Ruling::Waive => {
                self.rule_default(clock, late.unwrap_or(LatePlayers::Both), ruling, at)
            }
            _ if is_on_a_stop(ruling) => {
                self.open_stop().filter(|_| self.supervised())?;
                Some(goes_on(*clock))
            }
            _ => self.decision(clock, ruling, award, at),
        }
    }

    fn decision(
        &self,
        clock: &Clock,
        ruling: Ruling,
        award: Option<Span>,
        at: Instant,
    ) -> Option<Effect> {
        // In unsupervised play nobody rules.
        if !self.supervised() {
            return None;
        }
        let named = match ruling {
            Ruling::WhiteLoses => Some(Side::White),
            Ruling::BlackLoses => Some(Side::Black),
            _ => None,
        };
        // After an illegal move that loses the game, only a loss and `drawn` are accepted.
        let decides = named.is_some() || matches!(ruling, Ruling::Lost | Ruling::Drawn);
        if self.losing_illegal_move().is_some() && !decides {
            return None;
        }
        match ruling {
            Ruling::Made => self.made(clock, at).map(goes_on),
            Ruling::NotMade => {
                let side = self.asked_about(clock, ruling)?;
                // Where only players call flags, the arbiter announces none (US 13C).
                let may_announce =
                    self.profile.flag_caller != FlagCaller::Players || self.is_called(clock, side);
                may_announce.then(|| goes_on(stopped(clock, at)))
            }
            Ruling::NotEstablished => {
                self.asked_about(clock, ruling)?;
                Some(goes_on(*clock))
            }
            Ruling::OrderUnknown => (Model::both_are_down(clock)
                && self.doubt_on_record()
                && !self.order_is_unknown(clock))
            .then(|| self.order_unknown(clock, at)),
            Ruling::Drawn => self.is_drawable(clock).then(|| ends(clock, Outcome::Drawn, at)),
            Ruling::Postpone => self.postpone(clock, award, at).map(goes_on),
            Ruling::Reject => self.reject(clock, award, at).map(goes_on),
            Ruling::IncrementAgreed => self.agree(clock, at).map(goes_on),
            Ruling::IncrementRefused => {
                self.open_request().filter(|request| request.offer_refused)?;
                Some(goes_on(*clock))
            }
            _ => Some(ends(clock, lost_by(self.loser(clock, named)?), at)),
        }
    }

    /// Annuls the flag, as if the period had been completed in time. The overrun is charged to the
    /// new period. With set-back, White enters the next period with Black.
    fn made(&self, clock: &Clock, at: Instant) -> Option<Clock> {
        let side = self.asked_about(clock, Ruling::Made)?;
        let state = side_of(clock, side);
        let due = clock.control().moves_due(state.period)?;
        let left =
            time_of_next_period(clock, side).as_nanos().checked_sub(state.overrun.as_nanos());
        let left = left.filter(|left| *left > 0)?;
        let mut correction = Correction::default();
        correction.period[side] = Some(state.period + 1);
        correction.time[side] = Some(Span::from_nanos(left));
        correction.moves[side] = Some(state.moves.max(u32::try_from(due).ok()?));
        let other = side.other();
        let sets_back =
            matches!(clock.control().terms().period_end, PeriodEnd::BlackCompletes { .. });
        let set_back = sets_back
            && side == Side::Black
            && !Model::is_down(clock, other)
            && side_of(clock, other).period <= state.period;
        if set_back {
            let state = side_of(clock, other);
            let time = state.remaining.plus(time_of_next_period(clock, other));
            correction.period[other] = Some(state.period + 1);
            correction.time[other] = Some(time);
        }
        commanded(stopped(clock, at), &[Command::Set(correction)], at)
    }

    /// The effect if the order of the flags is not established (S0 10.3, S2 III.3, S3 6.1, S4
    /// 6.12).
    pub fn order_unknown(&self, clock: &Clock, at: Instant) -> Effect {
        let view = clock.view(clock.last());
        let last = Side::BOTH.iter().all(|&side| view.last_period == Some(view.sides[side].period));
        let drawn = match self.profile.both_flags {
            BothFlags::Continue => false,
            BothFlags::DrawnInLastPeriod => last,
            BothFlags::Drawn => true,
        };
        match drawn {
            true => ends(clock, Outcome::Drawn, at),
            false => goes_on(*clock),
        }
    }

    pub fn rules_the_order_unknown(&self, fact: &Fact) -> bool {
        match fact.input {
            Input::Action(Action::Rule { ruling: Ruling::OrderUnknown, .. }) => true,
            Input::Action(Action::RecordConfirmation { by, what }) if !self.supervised() => {
                self.at(fact).confirms_order(&fact.clock, what)
                    && self.has_confirmed_order(&fact.clock, by.other(), fact)
            }
            _ => false,
        }
    }

    /// Whether a confirmation is about the order of the flags. A `None` is about the order if it is
    /// in doubt, otherwise about going on.
    pub fn confirms_order(&self, clock: &Clock, what: Option<Confirmation>) -> bool {
        match what {
            Some(what) => what == Confirmation::OrderUnknown,
            None => self.order_in_doubt(clock),
        }
    }

    /// Whether this player confirmed before this fact that the order of the flags is unknown.
    pub fn has_confirmed_order(&self, clock: &Clock, side: Side, before: &Fact) -> bool {
        self.before(before).any(|fact| match fact.input {
            Input::Action(Action::RecordConfirmation { by, what }) => {
                by == side
                    && self.at(fact).confirms_order(&fact.clock, what)
                    && Side::BOTH.iter().all(|&side| Model::was_down(fact, clock, side))
            }
            _ => false,
        })
    }

    /// The player who loses by a ruling; `None` if the ruling is refused. If nobody is named, it is
    /// the only player who can lose now.
    fn loser(&self, clock: &Clock, named: Option<Side>) -> Option<Side> {
        let offender = self.losing_illegal_move();
        let flagged = self.flag_to_rule_on(clock).filter(|_| !self.only_drawn(clock));
        let progress = self.open_claim().filter(|claim| claim.postponed);
        let claimant = progress.filter(|_| self.profile.progress_wins).map(|claim| claim.by);
        let losers = [offender, flagged, claimant];
        let mut can_lose = Side::BOTH.into_iter().filter(|side| losers.contains(&Some(*side)));
        match (named, can_lose.next(), can_lose.next()) {
            (None, only, None) => only,
            (None, _, Some(_)) => None,
            (Some(side), first, second) => [first, second].contains(&Some(side)).then_some(side),
        }
    }

    /// The side whose flag fell first, if a ruling can decide on the flag: it was called, or the
    /// arbiter observes it after a postponed claim (S0 10.2b). If only players call flags, the
    /// arbiter does not observe it (US 13C).
    fn flag_to_rule_on(&self, clock: &Clock) -> Option<Side> {
        let side = Model::first_down(clock).filter(|_| !self.order_is_unknown(clock))?;
        let observed = self.open_claim().is_some_and(|claim| claim.postponed)
            && self.profile.flag_caller != FlagCaller::Players;
        (observed || self.is_called(clock, side)).then_some(side)
    }

    fn only_drawn(&self, clock: &Clock) -> bool {
        let last = clock.view(clock.last()).last_period;
        self.profile.both_flags_order_known == BothFlagsOrderKnown::DrawnInLastPeriod
            && Model::both_are_down(clock)
            && Model::first_down(clock)
                .is_some_and(|side| last == Some(side_of(clock, side).period))
    }

    /// Whether the arbiter can rule the game drawn.
    fn is_drawable(&self, clock: &Clock) -> bool {
        self.losing_illegal_move().is_some()
            || self.flag_to_rule_on(clock).is_some()
            || self
                .open_claim()
                .is_some_and(|claim| !claim.postponed || self.profile.drawn_before_flag)
    }

    fn postpone(&self, clock: &Clock, award: Option<Span>, at: Instant) -> Option<Clock> {
        let claim = self.open_claim().filter(|claim| !claim.postponed)?;
        if !claim.ground.is_about_normal_means() {
            return None;
        }
        let profile = &self.profile;
        let award = award.unwrap_or(Span::ZERO);
        if !allows(profile.postpone_choice, profile.postpone_award, award) {
            return None;
        }
        let mut after = award_to(clock, claim.by.other(), award, at)?;
        if profile.postpone_halves_time {
            let left = side_of(&after, claim.by).remaining.as_nanos();
            after = given(&after, claim.by, -i64::try_from(left.div_ceil(2)).ok()?, at)?;
        }
        match profile.postpone_delay {
            Some(delay) => with_method(&after, Method::Delay(delay), at),
            None => Some(after),
        }
    }

    fn reject(&self, clock: &Clock, award: Option<Span>, at: Instant) -> Option<Clock> {
        let claim = self.open_claim()?;
        let profile = &self.profile;
        let (proposed, choice) = match claim.ground {
            Ground::CannotWin | Ground::NoEffort => (profile.reject_award, profile.reject_choice),
            Ground::Repetition | Ground::FiftyMoves => {
                (profile.wrong_claim_award.of(self.rate), AwardChoice::Exact)
            }
        };
        let award = award.unwrap_or(proposed);
        allows(choice, proposed, award)
            .then(|| award_to(clock, claim.by.other(), award, at))
            .flatten()
    }

    fn agree(&self, clock: &Clock, at: Instant) -> Option<Clock> {
        let request = self.open_request().filter(|request| request.offer_refused)?;
        let increment = self.profile.requested_increment?;
        let awarded = award_to(clock, request.by.other(), self.profile.request_award, at)?;
        with_method(&awarded, Method::Increment(increment), at)
    }
}

fn time_of_next_period(clock: &Clock, side: Side) -> Span {
    let periods = clock.control().periods();
    let next = periods.get(side_of(clock, side).period as usize);
    next.or(periods.last()).expect("a control has a period").time[side]
}

fn goes_on(clock: Clock) -> Effect {
    Effect { clock, result: None }
}

/// The effect of a result, which stops the clocks.
pub fn ends(clock: &Clock, result: Outcome, at: Instant) -> Effect {
    Effect { clock: stopped(clock, at), result: Some(result) }
}

/// The clock after an award to a side. `None` if the clock refuses the award, or if the award is
/// above 0 and the final flag of that side is down.
pub fn award_to(clock: &Clock, side: Side, award: Span, at: Instant) -> Option<Clock> {
    if Model::is_down(clock, side) && !award.is_zero() {
        return None;
    }
    debug_assert!(clock.phase() != Phase::Over);
    given(clock, side, nanos(award), at)
}

fn allows(choice: AwardChoice, of: Span, award: Span) -> bool {
    match choice {
        AwardChoice::Exact => award == of,
        AwardChoice::NothingOrExact => award.is_zero() || award == of,
        AwardChoice::Positive => !award.is_zero(),
        AwardChoice::Any => true,
    }
}
