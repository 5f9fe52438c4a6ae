//! Rulings, results, reopening, adjournment and a change of the method (S0 5.1, 10.2).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::{Claimant, Evidence, LatePlayers, OfferAnswer, ResultGround, Ruling};
use crate::rules::clause::Topic;
use crate::rules::event::GameEventKind;
use crate::rules::profile::{BothFlagsOrderKnown, FlagCaller, RateOfPlay};
use crate::rules::rate::brings_time;
use crate::rules::refused::{GameRefused, Reason, topic_of};
use crate::{Command, Instant, Method, Outcome, Phase, Refused, Side, Span};

impl Outcome {
    /// The outcome in which this side has lost.
    pub(super) const fn lost_by(side: Side) -> Outcome {
        match side {
            Side::White => Outcome::BlackWins,
            Side::Black => Outcome::WhiteWins,
        }
    }
}

impl Game {
    /// Answers an open question by a ruling, or by the opponent's answer to a draw offer.
    pub(super) fn rule(
        &mut self,
        ruling: Ruling,
        side: Option<LatePlayers>,
        award: Option<Span>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        if award.is_some() && !ruling.has_award() {
            return Err(self.refused(Reason::AwardNotHere(ruling)));
        }
        if side.is_some() && !ruling.is_on_lateness() {
            return Err(self.refused(Reason::SideNotHere(ruling)));
        }
        match ruling {
            Ruling::Call => self.claim_flag(Claimant::Arbiter, Evidence::Flag, at),
            Ruling::Valid | Ruling::NotObvious | Ruling::ObviouslyInvalid => {
                self.rule_stop(ruling, at)
            }
            Ruling::Forfeit | Ruling::Waive => {
                self.rule_default(side.unwrap_or(LatePlayers::Both), ruling, at)
            }
            Ruling::DrawAccepted => self.answer_offer(OfferAnswer::Accepted, at),
            Ruling::DrawRefused => self.answer_offer(OfferAnswer::Refused, at),
            _ => self.rule_on_play(ruling, award, at),
        }
    }

    /// The arbiter rules on a flag, a claim, a request or an illegal move.
    fn rule_on_play(
        &mut self,
        ruling: Ruling,
        award: Option<Span>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_supervised()?;
        self.check_not_over()?;
        self.check_not_concluded()?;
        match ruling {
            Ruling::WhiteLoses | Ruling::BlackLoses | Ruling::Lost => {
                let (side, on_claim) = self.check_loser(ruling.loser(), at)?;
                self.decide(Ruling::Lost, side, on_claim, Outcome::lost_by(side), at)
            }
            Ruling::Drawn => {
                let (side, on_claim) = self.check_decision(ruling, at)?;
                self.decide(ruling, side, on_claim, Outcome::Drawn, at)
            }
            _ if self.facts.losing_illegal_move.is_some() => {
                Err(self.refused(Reason::OnlyLostOrDrawn))
            }
            Ruling::OrderUnknown => self.rule_order_unknown(at),
            Ruling::Postpone | Ruling::Reject => self.rule_claim(ruling, award, at),
            Ruling::IncrementAgreed | Ruling::IncrementRefused => self.rule_request(ruling, at),
            _ => self.rule_moves(ruling, at),
        }
    }

    /// Ends the game by a decision on an illegal move, on a flag or on a claim.
    fn decide(
        &mut self,
        ruling: Ruling,
        side: Side,
        on_claim: bool,
        outcome: Outcome,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.facts.final_ruling = on_claim && self.rules().claim_final;
        self.emit(at, GameEventKind::Ruling { ruling, side: Some(side) });
        self.end(outcome, at)
    }

    /// The player who loses by the ruling `lost`, and whether the ruling decides a claim. If nobody
    /// is named, it is the only player whom a clause makes lose.
    fn check_loser(&self, named: Option<Side>, at: Instant) -> Result<(Side, bool), GameRefused> {
        let [white, black] =
            Side::BOTH.map(|side| Some((side, self.loss_decides_claim(side, at)?)));
        let on = match (self.facts.losing_illegal_move, self.facts.claim) {
            (Some(_), _) => Topic::IllegalMove,
            (None, Some(claim)) if claim.postponed => Topic::Postponed,
            _ if self.both_flags_down() => Topic::BothFlags,
            _ => Topic::MovesNotMade,
        };
        match (named, white, black) {
            (_, None, None) => {
                let refused = || self.refused(Reason::LoserNotNamed { on });
                Err(self.check_decision(Ruling::Lost, at).err().unwrap_or_else(refused))
            }
            (None, Some(_), Some(_)) => Err(self.refused(Reason::LoserNotNamed { on })),
            (None, Some(loser), None) | (None, None, Some(loser)) => Ok(loser),
            (Some(side), ..) => {
                let open = [white, black].into_iter().flatten().find(|(loser, _)| *loser == side);
                open.ok_or_else(|| self.refused(Reason::NotTheLoser { side, on }))
            }
        }
    }

    /// Whether the ruling that this side has lost decides a claim; `None` if no clause makes this
    /// side lose. A clause makes these players lose: the offender of an illegal move that loses the
    /// game (FIDE 7.5.5), the side whose flag fell first (S0 6.10), and the claimant of a postponed
    /// claim whose opponent has made progress (S3 10.2).
    fn loss_decides_claim(&self, side: Side, at: Instant) -> Option<bool> {
        let claim = self.facts.claim;
        let is_offender = self.facts.losing_illegal_move.is_some_and(|(of, _)| of == side);
        let flagged = self.observed_flag().is_some_and(|first| first == side)
            && self.check_flag_decision(Ruling::Lost, at).is_ok();
        let progress = self.rules().progress_wins
            && claim.is_some_and(|claim| claim.postponed && claim.by == side);
        match (is_offender, flagged, progress) {
            (true, ..) => Some(false),
            (_, true, _) => Some(claim.is_some()),
            (_, _, true) => Some(true),
            (false, false, false) => None,
        }
    }

    /// The side whose flag fell first, if its flag was called. After a postponed claim no call is
    /// needed, because the arbiter watches the game and observes the flag (S0 10.2b); a call is
    /// needed even then if only the players call flags (US 13C).
    fn observed_flag(&self) -> Option<Side> {
        let (side, flag) = self.facts.first_open_flag().filter(|_| !self.facts.order_unknown)?;
        let observed = self.facts.claim.is_some_and(|claim| claim.postponed)
            && self.rules().flag_caller != FlagCaller::Players;
        (observed || flag.called_by.is_some()).then_some(side)
    }

    /// The refusal of a decision for which no question is open. If another question is open, the
    /// refusal cites the clause of that question.
    pub(super) fn nothing_to_rule(&self, ruling: Ruling) -> GameRefused {
        let on = match (self.facts.request, self.facts.claim) {
            (Some(_), _) => Topic::Request,
            (None, Some(_)) => Topic::ClaimRuling,
            (None, None) => topic_of(ruling),
        };
        self.refused(Reason::NothingToRule { ruling, on })
    }

    /// The side that `decision` is about if no side is named, and whether `decision` decides a
    /// claim.
    fn check_decision(&self, decision: Ruling, at: Instant) -> Result<(Side, bool), GameRefused> {
        if let Some((side, _)) = self.facts.losing_illegal_move {
            return Ok((side, false));
        }
        let claim = self.facts.claim;
        // A claim that was not postponed can be ruled drawn even if a flag has fallen since the
        // claim was made.
        if let Some(claim) = claim.filter(|claim| !claim.postponed)
            && decision == Ruling::Drawn
        {
            return Ok((claim.by, true));
        }
        let flag = self.facts.first_open_flag().filter(|_| !self.facts.order_unknown);
        let rules = self.rules();
        if let Some(side) = self.observed_flag() {
            self.check_flag_decision(decision, at)?;
            return Ok((side, claim.is_some()));
        }
        let not_called = || Err(self.refused(Reason::NotCalled(rules.flag_caller)));
        let Some(claim) = claim else {
            return match self.facts.order_unknown {
                true => Err(self.refused(Reason::OrderUnknown)),
                false if flag.is_some() => not_called(),
                false => Err(self.nothing_to_rule(decision)),
            };
        };
        match decision {
            Ruling::Drawn if rules.drawn_before_flag => Ok((claim.by, true)),
            Ruling::Lost if rules.progress_wins && claim.postponed => Ok((claim.by, true)),
            _ if flag.is_some() => not_called(),
            Ruling::Drawn => Err(self.refused(Reason::NotBeforeFlag)),
            _ => {
                let (postponed, drawn) = (claim.postponed, rules.drawn_before_flag);
                Err(self.refused(Reason::NotWithoutFlag { postponed, drawn }))
            }
        }
    }

    fn check_flag_decision(&self, decision: Ruling, at: Instant) -> Result<(), GameRefused> {
        if decision == Ruling::Drawn || !self.both_flags_down() {
            return Ok(());
        }
        let last_period = self.both_in_last_period(at);
        match self.rules().both_flags_order_known {
            BothFlagsOrderKnown::DrawnInLastPeriod if last_period => {
                Err(self.refused(Reason::OnlyDrawn))
            }
            _ => Ok(()),
        }
    }

    /// Enters a result and ends the game.
    pub(super) fn enter_result(
        &mut self,
        outcome: Outcome,
        ground: ResultGround,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_not_over()?;
        if self.facts.concluded && !self.facts.referred {
            return Err(self.refused(Reason::ReferFirst));
        }
        if ground == ResultGround::ArbitersDraw {
            self.check_arbiters_draw(outcome, at)?;
        }
        self.end(outcome, at)
    }

    /// Ends the game with this result. Every result under a profile is given here: by the ruling on
    /// a question, by a penalty, by an agreement, or entered. So no result is given that does not
    /// go with the points of earlier penalties.
    pub(super) fn end(&mut self, outcome: Outcome, at: Instant) -> Result<(), GameRefused> {
        self.check_result_with_points(outcome)?;
        Ok(self.clock.handle_command(Command::Finish(outcome), at)?)
    }

    /// Checks that the arbiter may award a draw: the profile allows it, and the time of a player in
    /// the last period is low enough for claims (S3 8).
    fn check_arbiters_draw(&self, outcome: Outcome, at: Instant) -> Result<(), GameRefused> {
        self.check_supervised()?;
        let limit = match self.rules() {
            rules if rules.arbiter_draws => rules.claim_below,
            _ => None,
        };
        let Some(limit) = limit else {
            return Err(self.refused(Reason::NoArbitersDraw));
        };
        if outcome != Outcome::Drawn {
            return Err(self.refused(Reason::ArbitersDrawOnly));
        }
        let open = |side| self.in_last_period(side, at) && self.is_in_time_trouble(side, limit, at);
        if Side::BOTH.into_iter().any(open) {
            return Ok(());
        }
        let at_limit = self.rules().claim_below_inclusive;
        Err(self.refused(Reason::ArbitersDrawAbove { limit, at_limit }))
    }

    /// Takes the result back, unless a final ruling on a claim gave it (S0 10.2d).
    pub(super) fn reopen(&mut self, at: Instant) -> Result<(), GameRefused> {
        if self.clock.phase() == Phase::Over && self.facts.final_ruling {
            return Err(self.refused(Reason::ClaimFinal));
        }
        self.check_not_concluded()?;
        self.clock.handle_command(Command::Reopen, at)?;
        self.use_agreed_correction()?;
        // If the ruling that the order of the flags is unknown can have ended the game, that ruling
        // is taken back with the result.
        if self.facts.order_unknown && self.unknown_order_draws(at) {
            self.facts.order_unknown = false;
        }
        Ok(())
    }

    /// Adjourns the game: the player on move has sealed the move, which completes it, and both
    /// clocks stop.
    pub(super) fn adjourn(&mut self, side: Side, at: Instant) -> Result<(), GameRefused> {
        self.check_supervised()?;
        if !self.rules().adjournment {
            return Err(self.refused(Reason::NoAdjournment));
        }
        match self.phase() {
            Phase::Running | Phase::Paused => {}
            Phase::Over => return Err(Refused::GameOver.into()),
            Phase::Ready => return Err(Refused::NotRunning(Phase::Ready).into()),
            Phase::Ruling => return Err(self.refused(Reason::RulingAwaited)),
        }
        if self.clock.view(at).on_move != side {
            return Err(self.refused(Reason::SealerNotOnMove(side)));
        }
        if self.clock.phase() == Phase::Paused {
            self.clock.handle_command(Command::Resume { side: None }, at)?;
        }
        let moves = self.clock.view(at).sides[side].moves;
        self.clock.handle_press(side, at)?;
        if self.clock.view(at).sides[side].moves == moves {
            // The press has not completed a move: the method is a gong, or the side had no time
            // left and its flag fell.
            return Err(self.refused(Reason::NothingSealed(side)));
        }
        self.stop_clocks(Claimant::Arbiter, at)?;
        self.facts.adjourned = Some(side);
        Ok(())
    }

    pub(super) fn resume_adjourned(&mut self) -> Result<(), GameRefused> {
        match self.facts.adjourned.take() {
            Some(_) => Ok(()),
            None => Err(self.refused(Reason::NotAdjourned)),
        }
    }

    /// The arbiter changes the increment or the delay (FIDE A.5.1.1).
    pub(super) fn change_method(
        &mut self,
        method: Method,
        schedule_suffers: bool,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_supervised()?;
        self.check_not_concluded()?;
        self.check_setting(schedule_suffers, at)?;
        if brings_time(method) && !self.rules().increments_allowed {
            return Err(self.refused(Reason::WithIncrement));
        }
        Ok(self.clock.change_method(method, at)?)
    }

    /// Refuses to change the method or the time control of a rapid or blitz game if both players
    /// have made at least `setting_moves` moves (a parameter of the profile), unless the schedule
    /// would suffer (FIDE A.5.1.1).
    pub(super) fn check_setting(
        &self,
        schedule_suffers: bool,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let sides = self.clock.view(at).sides;
        if let Some(limit) = self.rules().setting_moves
            && self.rate != RateOfPlay::Standard
            && sides.white.moves >= limit
            && sides.black.moves >= limit
            && !schedule_suffers
        {
            return Err(self.refused(Reason::SettingFixed(limit)));
        }
        Ok(())
    }
}
