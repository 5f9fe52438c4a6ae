//! Stops and restarts of the clocks, by the arbiter, by a player who calls the arbiter, or by both
//! players (S0 6.13).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::{Claimant, Confirmation, Ruling};
use crate::rules::event::GameEventKind;
use crate::rules::facts::{Offender, Stop};
use crate::rules::refused::{GameRefused, Reason};
use crate::{Caller, Command, Instant, Phase, Refused, Side};

impl Game {
    pub(super) fn pause(&mut self, by: Caller, at: Instant) -> Result<(), GameRefused> {
        if by == Caller::Arbiter {
            self.check_supervised()?;
        }
        self.clock.handle_command(Command::Pause { by }, at)?;
        self.note_stop(by, at);
        Ok(())
    }

    /// Notes a player's stop, which calls the arbiter and awaits a ruling. Other stops are not
    /// noted.
    pub(super) fn note_stop(&mut self, by: Caller, at: Instant) {
        let offender = match by {
            Caller::Player(side) => Offender::Player(side),
            Caller::Button => Offender::Either,
            Caller::Arbiter | Caller::Fault | Caller::PowerCut => return,
        };
        self.facts.stop = Some(Stop { at, by: offender });
        self.facts.asked.stops = self.facts.asked.stops.saturating_add(1);
        if let Caller::Player(side) = by {
            self.emit(at, GameEventKind::Called { by: Claimant::Player(side) });
        }
    }

    /// The arbiter rules whether the player had a reason to stop the clocks (S0 6.13d).
    pub(super) fn rule_stop(&mut self, ruling: Ruling, at: Instant) -> Result<(), GameRefused> {
        self.check_supervised()?;
        self.check_not_over()?;
        let Some(stop) = self.facts.stop.take() else {
            return Err(self.refused(Reason::NoStop));
        };
        let side = match stop.by {
            Offender::Player(side) => Some(side),
            Offender::Either => None,
        };
        if ruling == Ruling::ObviouslyInvalid {
            match side {
                Some(side) => self.facts.sides[side].stop_penalty = true,
                None => self.facts.stop_penalty = Some(stop.by),
            }
        }
        self.emit(at, GameEventKind::Ruling { ruling, side });
        Ok(())
    }

    pub(super) fn resume(&mut self, side: Option<Side>, at: Instant) -> Result<(), GameRefused> {
        self.check_not_concluded()?;
        if self.phase() == Phase::Ruling {
            return Err(Refused::NotPaused(Phase::Ruling).into());
        }
        if self.clock.phase() == Phase::Paused {
            self.check_penalties()?;
            self.check_next_period(at)?;
            let confirmed = |side| self.facts.sides[side].confirmed_resume;
            if self.is_unsupervised() && !Side::BOTH.into_iter().all(confirmed) {
                return Err(self.refused(Reason::NotConfirmed));
            }
        }
        Ok(self.clock.handle_command(Command::Resume { side }, at)?)
    }

    /// Refuses to let the game go on while a penalty is due.
    fn check_penalties(&self) -> Result<(), GameRefused> {
        if self.is_unsupervised() {
            // Without an arbiter nobody can apply a penalty.
            return Ok(());
        }
        let of_player = Side::BOTH.into_iter().any(|side| self.facts.sides[side].stop_penalty);
        if of_player || self.facts.stop_penalty.is_some() {
            return Err(self.refused(Reason::StopPenaltyDue));
        }
        let due = |side: &Side| self.facts.sides[*side].handling_penalty;
        match Side::BOTH.into_iter().find(due) {
            Some(side) => Err(self.refused(Reason::HandlingPenaltyDue(side))),
            None => Ok(()),
        }
    }

    /// Refuses to let the game go on after the ruling that the order of both flags is unknown,
    /// until each player who has another period has got time for it (S0 6.12).
    fn check_next_period(&self, at: Instant) -> Result<(), GameRefused> {
        let lacks_time = |side: &Side| self.lacks_next_period(*side, at);
        match Side::BOTH.into_iter().find(lacks_time).filter(|_| self.facts.order_unknown) {
            Some(side) => Err(self.refused(Reason::NextPeriodNotGiven(side))),
            None => Ok(()),
        }
    }

    /// A player confirms something that takes effect once both players have confirmed it.
    pub(super) fn record_confirmation(
        &mut self,
        by: Side,
        what: Option<Confirmation>,
        at: Instant,
    ) -> Result<(), GameRefused> {
        // In unsupervised play, the players can also confirm that a result is taken back, so the
        // game may be over.
        if what != Some(Confirmation::Correction) || !self.is_unsupervised() {
            self.check_not_over()?;
        }
        self.check_not_concluded()?;
        let orders = self.both_flags_down() && !self.facts.order_unknown;
        let in_doubt = orders && self.facts.clock_in_doubt;
        let what = what.unwrap_or(match in_doubt && self.is_unsupervised() {
            true => Confirmation::OrderUnknown,
            false => Confirmation::Resume,
        });
        let nothing = self.refused(Reason::NothingToConfirm(what));
        let unsupervised = self.is_unsupervised();
        match what {
            Confirmation::Resume => {
                if !unsupervised || self.phase() != Phase::Paused {
                    return Err(nothing);
                }
                self.facts.sides[by].confirmed_resume = true;
            }
            Confirmation::Correction => self.facts.sides[by].confirmed_correction = true,
            Confirmation::OrderUnknown => {
                if !unsupervised || !orders {
                    return Err(nothing);
                }
                if !self.facts.clock_in_doubt {
                    return Err(self.refused(Reason::OrderKnown));
                }
                self.facts.sides[by].confirmed_order_unknown = true;
                if Side::BOTH.into_iter().all(|side| self.facts.sides[side].confirmed_order_unknown)
                {
                    self.order_is_unknown(at)?;
                }
            }
        }
        Ok(())
    }

    /// Handles a press while the game is paused in unsupervised play. The press confirms that the
    /// game goes on, and the game goes on once both players have confirmed.
    pub(super) fn confirm_by_press(&mut self, side: Side, at: Instant) {
        self.facts.sides[side].confirmed_resume = true;
        let before = *self;
        let both = Side::BOTH.into_iter().all(|side| self.facts.sides[side].confirmed_resume);
        if both && self.facts.adjourned.is_none() {
            match self.resume(None, at) {
                Ok(()) => self.settle(at),
                Err(_) => *self = before,
            }
        }
    }

    /// Begins the countdown after which the game goes on, or ends it if it has begun.
    pub(super) fn count_down(&mut self, at: Instant) {
        let begins = self.facts.countdown_since.is_none();
        self.facts.countdown_since = Some(at).filter(|_| begins);
        if self.facts.stop.is_none() {
            // What stopped the clocks was no player, for example a power cut. The question of the
            // stop says that the countdown has begun.
            self.facts.stop = Some(Stop { at, by: Offender::Either });
        }
    }

    /// Whether the countdown runs after which the game goes on.
    pub fn is_counting_down(&self) -> bool {
        self.facts.countdown_since.is_some()
    }

    /// Ends the countdown, so that the game does not go on by itself.
    pub fn stop_countdown(&mut self) {
        self.facts.countdown_since = None;
    }

    /// The countdown is over: the game goes on. If that is refused, it stays paused.
    pub(super) fn end_countdown(&mut self, at: Instant) {
        self.facts.countdown_since = None;
        let before = *self;
        for side in Side::BOTH {
            self.facts.sides[side].confirmed_resume = true;
        }
        if self.resume(None, at).is_err() {
            *self = before;
        }
    }
}
