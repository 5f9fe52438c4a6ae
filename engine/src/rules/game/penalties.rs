//! Penalties and incidents (S0 13.4, 6.8c, FIDE 12.9).

use super::Game;
use crate::rules::action::{IncidentKind, Penalty, PenaltyCause};
use crate::rules::clause::Topic;
use crate::rules::event::GameEventKind;
use crate::rules::profile::PenaltyKind;
use crate::rules::refused::{GameRefused, Reason};
use crate::{Command, Instant, Outcome, Phase, Refused, Side};

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
                self.clock.handle_command(Command::AddTime { side, delta_ns: -cut }, at)?;
            }
            PenaltyKind::Loss => self.lose(side, at)?,
            PenaltyKind::Expulsion if self.clock.phase() != Phase::Over => self.lose(side, at)?,
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

    fn lose(&mut self, side: Side, at: Instant) -> Result<(), GameRefused> {
        Ok(self.clock.handle_command(Command::Finish(Outcome::lost_by(side)), at)?)
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
        let most = self.rules().game_half_points;
        if kind.has_points() && !(1..=most).contains(&penalty.half_points) {
            return Err(self.refused(Reason::PenaltyPoints { kind, most }));
        }
        let by_force = kind == PenaltyKind::Loss && penalty.cause == PenaltyCause::Force;
        if by_force && self.rules().force_needs_warning && !self.facts.sides[side].force_warning {
            return Err(self.refused(Reason::ForceNeedsWarning));
        }
        Ok(())
    }

    fn note_penalty(&mut self, Penalty { side, kind, cause, .. }: Penalty) {
        if self.facts.stop_penalty.is_some_and(|due| due.can_be(side)) {
            self.facts.stop_penalty = None;
        }
        let facts = &mut self.facts.sides[side];
        facts.handling_penalty = false;
        facts.force_warning |= kind == PenaltyKind::Warning && cause == PenaltyCause::Force;
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
        self.facts.clock_in_doubt |= kind.puts_clock_in_doubt();
        if kind == IncidentKind::Hold {
            self.emit(at, GameEventKind::Hold { side });
        }
        Ok(())
    }
}
