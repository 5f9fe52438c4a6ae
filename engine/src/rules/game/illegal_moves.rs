//! Illegal moves (S3 5, FIDE 7.5.5, US 11D).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::Claimant;
use crate::rules::clause::Topic;
use crate::rules::event::GameEventKind;
use crate::rules::profile::AwardChoice;
use crate::rules::refused::{GameRefused, Reason};
use crate::{Instant, Phase, Refused, Side, Span};

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
            Some((_, left)) if !is_barred => {
                self.use_agreed_correction()?;
                self.stop_clocks(Claimant::Arbiter, at)?;
                self.undo_press(at)?;
                self.settle(at);
                self.note_illegal_move(side, at);
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
                self.emit(at, GameEventKind::Illegal { side, number: 0 });
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
        self.emit(at, GameEventKind::Illegal { side, number });
    }

    /// The time that the opponent gets after an illegal move. `left` is the opponent's main number
    /// at the press that completed the illegal move.
    fn illegal_award(
        &self,
        claimed: bool,
        award: Option<Span>,
        left: Span,
    ) -> Result<Span, GameRefused> {
        let rules = self.rules();
        let short = rules.illegal_claim_below.is_some_and(|limit| left < limit);
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
