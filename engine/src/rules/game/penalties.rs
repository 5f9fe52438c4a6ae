//! Penalties, incidents and illegal moves (S0 13.4, 6.8c, S3 5, FIDE 7.5.5, 12.9, US 11D).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use super::claims::time_left;
use crate::rules::action::{Claimant, IncidentKind, Penalty, PenaltyCause};
use crate::rules::clause::Topic;
use crate::rules::event::GameEventKind;
use crate::rules::profile::{Authority, AwardChoice, PenaltyKind, Profile};
use crate::rules::refused::{GameRefused, Reason};
use crate::{Instant, Method, Outcome, Phase, Refused, Side, Span};

impl Game {
    pub(super) fn penalize(&mut self, penalty: Penalty, at: Instant) -> Result<(), GameRefused> {
        self.check_supervised()?;
        let Penalty { side, kind, .. } = penalty;
        self.check_penalty(penalty)?;
        match kind {
            PenaltyKind::OpponentPlus => {
                self.award_opponent(side, penalty.time, Topic::Penalties, at)?;
            }
            PenaltyKind::OffenderMinus => {
                let cut =
                    i64::try_from(penalty.time.as_nanos()).map_err(|_| Refused::TooMuchTime)?;
                self.clock.award(side, -cut, at)?;
            }
            PenaltyKind::Loss => self.end(Outcome::lost_by(side), at)?,
            PenaltyKind::Expulsion if self.clock.phase() != Phase::Over => {
                self.end(Outcome::lost_by(side), at)?;
            }
            // None of these changes a clock or a result. An expulsion comes here only when the game
            // is over.
            PenaltyKind::Expulsion
            | PenaltyKind::Warning
            | PenaltyKind::PointsOff
            | PenaltyKind::OpponentPoints
            | PenaltyKind::Fine => {}
        }
        self.note_penalty(penalty);
        self.emit(at, GameEventKind::Penalty(penalty));
        Ok(())
    }

    fn check_penalty(&self, penalty: Penalty) -> Result<(), GameRefused> {
        let Penalty { side, kind, .. } = penalty;
        let changes_clock = kind.has_time() || kind == PenaltyKind::Loss;
        match self.clock.phase() {
            Phase::Running => return Err(Refused::NotPaused(Phase::Running).into()),
            Phase::Over if changes_clock => return Err(Refused::GameOver.into()),
            _ => {}
        }
        if kind.has_time() {
            self.check_not_concluded()?;
        }
        let listed = self.rules().penalties;
        if !kind.is_in(listed) {
            return Err(self.refused(Reason::PenaltyNotListed { kind, listed }));
        }
        if kind.has_time() && penalty.time.is_zero() {
            return Err(self.refused(Reason::PenaltyTime(kind)));
        }
        if kind.has_points() {
            self.check_points(penalty)?;
        }
        let facts = &self.facts.sides[side];
        let ends = matches!(kind, PenaltyKind::Loss | PenaltyKind::Expulsion);
        let for_force = match penalty.cause {
            Some(PenaltyCause::Force) => true,
            Some(PenaltyCause::Other) => false,
            None => facts.force_incident,
        };
        if self.rules().force_needs_warning && ends && for_force && !facts.force_warning {
            return Err(self.refused(Reason::ForceNeedsWarning));
        }
        Ok(())
    }

    /// Checks the points of a penalty, together with those of earlier penalties of this kind (S0
    /// 13.4). With `opponent-points`, the sum of these points and of the points that the result
    /// gives the opponent must not exceed the points of a won game. With `points-off`, the sum of
    /// these points must not exceed the points that the result gives the player. A penalty of 0
    /// points takes back all points of this kind.
    fn check_points(&self, penalty: Penalty) -> Result<(), GameRefused> {
        let Penalty { side, kind, half_points, .. } = penalty;
        let (player, had) = self.points_of(kind, side);
        let outcome = self.clock.view(self.clock.last()).outcome;
        let most = self.most_points(kind, player, outcome);
        match half_points {
            0 if had > 0 => Ok(()),
            0 => Err(self.refused(Reason::PenaltyPoints { kind, most })),
            more if had.saturating_add(more) <= most => Ok(()),
            _ if had == 0 && most == 0 => Err(self.refused(Reason::PenaltyPoints { kind, most })),
            _ => Err(self.refused(Reason::TooManyPoints { kind, player, had, most })),
        }
    }

    /// The points on record that nobody could take back with this profile, if there are any. They
    /// could forbid every result of the game.
    pub(super) fn points_that_stay(&self, profile: &Profile) -> Option<Reason> {
        let can_take_back = |kind: PenaltyKind| {
            profile.authority != Authority::Nobody && kind.is_in(profile.penalties)
        };
        for kind in PenaltyKind::ALL.iter().copied().filter(|kind| kind.has_points()) {
            for offender in Side::BOTH {
                if self.points_of(kind, offender).1 > 0 && !can_take_back(kind) {
                    return Some(Reason::PointsStay { kind, offender });
                }
            }
        }
        None
    }

    /// The player whose points a penalty of this kind for `offender` changes, and the half points
    /// of all such penalties so far.
    fn points_of(&self, kind: PenaltyKind, offender: Side) -> (Side, u32) {
        let player = if kind.gives_points() { offender.other() } else { offender };
        let facts = &self.facts.sides[player];
        (player, if kind.gives_points() { facts.half_points_given } else { facts.half_points_off })
    }

    /// The most half points that penalties of this kind can give to this player, or take off, with
    /// this result. Without a result, it is the points of a won game.
    fn most_points(&self, kind: PenaltyKind, player: Side, outcome: Option<Outcome>) -> u32 {
        let of_game = self.rules().game_half_points;
        let Some(outcome) = outcome else { return of_game };
        let scored = match outcome {
            Outcome::Drawn => of_game / 2,
            _ if outcome == Outcome::lost_by(player.other()) => of_game,
            _ => 0,
        };
        if kind.gives_points() { of_game - scored } else { scored }
    }

    /// Refuses a result with which a player would have more points than a won game gives, or with
    /// which more points are taken off than the player scores (S0 13.4).
    pub(super) fn check_result_with_points(&self, outcome: Outcome) -> Result<(), GameRefused> {
        for kind in PenaltyKind::ALL.iter().copied().filter(|kind| kind.has_points()) {
            for offender in Side::BOTH {
                let (player, had) = self.points_of(kind, offender);
                let most = self.most_points(kind, player, Some(outcome));
                if had > most {
                    let reason = Reason::ResultWithPoints { kind, offender, had, most };
                    return Err(self.refused(reason));
                }
            }
        }
        Ok(())
    }

    fn note_penalty(&mut self, penalty: Penalty) {
        let Penalty { side, kind, cause, half_points, .. } = penalty;
        if kind.has_points() {
            let (player, had) = self.points_of(kind, side);
            let total = if half_points == 0 { 0 } else { had.saturating_add(half_points) };
            let facts = &mut self.facts.sides[player];
            match kind.gives_points() {
                true => facts.half_points_given = total,
                false => facts.half_points_off = total,
            }
            if half_points == 0 {
                // To take points back is no penalty, so a penalty that is due stays due.
                return;
            }
        }
        if self.facts.stop_penalty.is_some_and(|due| due.can_be(side)) {
            self.facts.stop_penalty = None;
        }
        let facts = &mut self.facts.sides[side];
        (facts.handling_penalty, facts.stop_penalty) = (false, false);
        facts.warnings = facts.warnings.saturating_add(kind.warns().into());
        facts.force_warning |= kind.warns() && cause == Some(PenaltyCause::Force);
    }

    pub(super) fn note_incident(
        &mut self,
        side: Side,
        kind: IncidentKind,
        at: Instant,
    ) -> Result<(), GameRefused> {
        if kind.is_handling() {
            self.facts.sides[side].handling_penalty = true;
        }
        self.facts.sides[side].force_incident |= kind == IncidentKind::Force;
        if kind.puts_clock_in_doubt() {
            (self.facts.clock_in_doubt, self.facts.doubt_of_earlier_clock) = (true, false);
        }
        self.emit(at, GameEventKind::Incident { side, kind });
        if kind == IncidentKind::Hold {
            self.emit(at, GameEventKind::Hold { side });
        }
        Ok(())
    }
}

impl Game {
    /// Handles an illegal move. If it is the last completed move, it is taken back with its
    /// increment, and the opponent gets time as the profile says; in unsupervised play both players
    /// must have confirmed the correction. If the opponent has replied to it, both players must
    /// have confirmed the correction in any case; the clocks are stopped, and nobody gets time. The
    /// reply counts also after the clock was set back to the move, unless `illegal_after_rewind`.
    pub(super) fn illegal_move(
        &mut self,
        side: Side,
        claimed: bool,
        award: Option<Span>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        match self.clock.phase() {
            Phase::Over => return Err(Refused::GameOver.into()),
            Phase::Ready => return Err(Refused::NotRunning(Phase::Ready).into()),
            Phase::Running | Phase::Paused | Phase::Ruling => {}
        }
        self.check_not_concluded()?;
        let last = self.clock.last_completed_move().filter(|(of, _)| *of == side);
        let is_barred = self.facts.replied_to && !self.rules().illegal_after_rewind;
        match last {
            Some((_, opponent)) if !is_barred => {
                self.use_agreed_correction()?;
                self.stop_clocks(Claimant::Arbiter, at)?;
                self.undo_press(at)?;
                self.settle(at);
                self.note_illegal_move(side, at);
                // In overtime the clock shows the time left of the main time or of the overtime period.
                let left = match opponent.method {
                    Method::Overtime(_) => Some(opponent.remaining),
                    _ => time_left(&opponent),
                };
                let award = match self.facts.losing_illegal_move {
                    Some(_) => self.no_award(award, Topic::IllegalMove)?,
                    None => self.illegal_award(claimed, award, left)?,
                };
                self.award_opponent(side, award, Topic::IllegalMove, at)?;
            }
            // The opponent has replied to the illegal move. Nobody gets time for it any more, and
            // it is corrected only if both players agree (S3 5.3).
            _ if self.correction_is_confirmed() => {
                self.no_award(award, Topic::RepliedTo)?;
                self.stop_clocks(Claimant::Arbiter, at)?;
                // The move is not counted. Its press is taken back only if the clock was set back
                // to it.
                if last.is_some() {
                    self.undo_press(at)?;
                }
                self.emit(at, GameEventKind::IllegalMove { side, number: 0 });
            }
            _ => {
                let is_replied_to = is_barred || self.clock.last_completed_move().is_some();
                return Err(self.refused(match self.rules().illegal_after_rewind {
                    _ if !is_replied_to => Reason::NothingCompleted(side),
                    true => Reason::RepliedTo(side),
                    false => Reason::OnlyByAgreement(side),
                }));
            }
        }
        self.withdraw_corrections();
        Ok(())
    }

    /// Withdraws the players' agreement on a correction. It holds for the present position only, so
    /// it ends with the next completed move.
    pub(super) fn withdraw_corrections(&mut self) {
        for side in Side::BOTH {
            self.facts.sides[side].confirmed_correction = false;
        }
    }

    fn no_award(&self, award: Option<Span>, on: Topic) -> Result<Span, GameRefused> {
        let award = award.unwrap_or(Span::ZERO);
        self.check_award(award, AwardChoice::Exact, Span::ZERO, on)?;
        Ok(award)
    }

    fn note_illegal_move(&mut self, side: Side, at: Instant) {
        let facts = &mut self.facts.sides[side];
        facts.illegal_moves = facts.illegal_moves.saturating_add(1);
        let number = facts.illegal_moves;
        let asked = &mut self.facts.asked;
        asked.illegal_moves = asked.illegal_moves.saturating_add(1);
        let loses_at = self.rules().illegal_loses_at;
        // Without an arbiter nobody can rule on the loss (S2 III.6).
        if loses_at > 0 && number >= loses_at && !self.is_unsupervised() {
            self.facts.losing_illegal_move = Some((side, at));
        }
        self.emit(at, GameEventKind::IllegalMove { side, number });
    }

    /// The time that the opponent gets after an illegal move. `left` is the time that the opponent
    /// had left at the press that completed the illegal move; `None` if the method has no such time.
    fn illegal_award(
        &self,
        claimed: bool,
        award: Option<Span>,
        left: Option<Span>,
    ) -> Result<Span, GameRefused> {
        let rules = self.rules();
        let short = left.zip(rules.illegal_claim_below).is_some_and(|(left, limit)| left < limit);
        let of = rules.illegal_award.of(self.rate);
        match award {
            // The arbiter cannot refuse the opponent's claim, so the award is at least
            // `illegal_claim_award` (S3 5.2).
            Some(award) if claimed && short => Ok(award.max(rules.illegal_claim_award)),
            None if claimed && short => Ok(rules.illegal_claim_award),
            Some(award) => {
                self.check_award(award, rules.illegal_choice, of, Topic::IllegalMove)?;
                Ok(award)
            }
            None => Ok(of),
        }
    }

    /// Whether both players have agreed on a correction.
    pub(super) fn correction_is_confirmed(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.facts.sides[side].confirmed_correction)
    }
}
