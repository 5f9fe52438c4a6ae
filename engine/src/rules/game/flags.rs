//! Flags: their call, the question whether the moves were made, and their order (S0 6.3, 6.9, 6.10,
//! 6.12).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::{Claimant, Evidence, Ruling};
use crate::rules::event::GameEventKind;
use crate::rules::facts::{FlagFacts, MovesMade};
use crate::rules::profile::{BothFlags, DisplayClaims, FlagCaller};
use crate::rules::refused::{GameRefused, Reason};
use crate::{Instant, Outcome, Phase, Refused, Side};

impl Game {
    /// Somebody calls the flags that are down. The clocks stop, and a ruling is awaited.
    pub(super) fn claim_flag(
        &mut self,
        by: Claimant,
        evidence: Evidence,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_caller(by)?;
        self.check_not_over()?;
        self.check_not_concluded()?;
        self.check_evidence(evidence)?;
        if self.facts.first_open_flag().is_none() || self.facts.order_unknown {
            return Err(self.refused(Reason::NoFlag));
        }
        let mut called = false;
        for side in Side::BOTH {
            if let Some(flag) = &mut self.facts.sides[side].flag
                && flag.called_by.is_none()
            {
                flag.called_by = Some(by);
                let calls = &mut self.facts.asked.flag_calls[side];
                *calls = calls.saturating_add(1);
                called = true;
            }
        }
        if !called {
            return Err(self.refused(Reason::FlagCalled));
        }
        self.emit(at, GameEventKind::Called { by });
        Ok(self.stop_clocks(by, at)?)
    }

    fn check_caller(&self, by: Claimant) -> Result<(), GameRefused> {
        match by {
            Claimant::Player(_) => Ok(()),
            Claimant::Bystander => Err(self.refused(Reason::Bystander)),
            Claimant::Arbiter => {
                self.check_supervised()?;
                match self.rules().flag_caller {
                    FlagCaller::Players => Err(self.refused(Reason::ArbiterCannotCall)),
                    FlagCaller::Arbiter | FlagCaller::ArbiterMust => Ok(()),
                }
            }
        }
    }

    fn check_evidence(&self, evidence: Evidence) -> Result<(), GameRefused> {
        match (self.rules().display_claims, evidence) {
            (_, Evidence::Flag) | (DisplayClaims::NotSolely, Evidence::DisplayAndOther) => Ok(()),
            (DisplayClaims::NotSolely, Evidence::Display) => {
                Err(self.refused(Reason::DisplayAlone))
            }
            (DisplayClaims::Never, _) => Err(self.refused(Reason::DisplayNever)),
        }
    }

    /// The flag that fell first among the flags without an answer. `None` if there is no such flag,
    /// or if it is ruled that the order of the flags is not established.
    pub(super) fn flag_in_question(&self) -> Option<(Side, FlagFacts)> {
        if self.facts.order_unknown {
            return None;
        }
        let unanswered = Side::BOTH.into_iter().filter_map(|side| {
            let flag = self.facts.sides[side].flag?;
            flag.answer.is_none().then_some((side, flag))
        });
        unanswered.min_by_key(|(_, flag)| flag.at)
    }

    /// The flag for which the arbiter is asked whether the moves were made. Of all flags that have
    /// no answer and fell in a period with a number of moves, it is the one that fell first. In the
    /// period in which all remaining moves are due, this is not asked (S0 6.3).
    pub(super) fn moves_in_question(&self) -> Option<(Side, FlagFacts)> {
        if self.facts.order_unknown {
            return None;
        }
        let at = self.clock.last();
        let asked = Side::BOTH.into_iter().filter_map(|side| {
            let flag = self.facts.sides[side].flag.filter(|flag| flag.answer.is_none())?;
            let all_due = flag.is_final && self.in_last_period(side, at);
            (!all_due).then_some((side, flag))
        });
        asked.min_by_key(|(_, flag)| flag.at)
    }

    /// Rules on the question whether the moves were made.
    pub(super) fn rule_moves(&mut self, ruling: Ruling, at: Instant) -> Result<(), GameRefused> {
        // The arbiter can replace an answer by another one until the game is decided.
        let answered = self.facts.first_open_flag().filter(|_| !self.facts.order_unknown);
        let asked = self.moves_in_question().or_else(|| self.flag_in_question());
        let Some((side, flag)) = asked.or(answered) else {
            return Err(self.nothing_to_rule(ruling));
        };
        let answer = match ruling {
            Ruling::Made => None,
            Ruling::NotMade => Some(MovesMade::No),
            _ => Some(MovesMade::NotEstablished),
        };
        if answer.is_some() && answer == flag.answer {
            return Err(self.refused(Reason::FlagAnswered));
        }
        // This answer stops the clocks, which announces the flag. If only the players call flags,
        // nobody announces one that was not called (US 13C).
        let flag_caller = self.rules().flag_caller;
        if answer == Some(MovesMade::No)
            && flag.called_by.is_none()
            && flag_caller == FlagCaller::Players
        {
            return Err(self.refused(Reason::NotCalled(flag_caller)));
        }
        match answer {
            None => self.moves_were_made(side, flag, at)?,
            Some(answer) => self.answer_flag(side, answer),
        }
        if answer == Some(MovesMade::No) {
            self.stop_clocks(Claimant::Arbiter, at)?;
        }
        self.emit(at, GameEventKind::Ruling { ruling, side: Some(side) });
        Ok(())
    }

    fn answer_flag(&mut self, side: Side, answer: MovesMade) {
        if let Some(flag) = &mut self.facts.sides[side].flag {
            flag.answer = Some(answer);
            let answers = &mut self.facts.asked.flag_answers[side];
            *answers = answers.saturating_add(1);
        }
    }

    /// Annuls the flag, because the moves were made. If it is a final flag, the side gets the
    /// period, the time and the counter that it would have if it had completed the last of these
    /// moves at the flag; the overrun is charged to the new time.
    fn moves_were_made(
        &mut self,
        side: Side,
        flag: FlagFacts,
        at: Instant,
    ) -> Result<(), GameRefused> {
        if flag.is_final && self.in_last_period(side, at) {
            return Err(self.refused(Reason::MadeInLastPeriod));
        }
        self.stop_clocks(Claimant::Arbiter, at)?;
        if !flag.is_final {
            // With `period_end = "zero"` both sides have the next period's time already, so only
            // the flag is annulled.
            self.facts.sides[side].flag = None;
            self.clock.annul_period_flag(side);
            return Ok(());
        }
        let overrun = self.clock.view(at).sides[side].overrun;
        self.clock
            .moves_were_made(side)
            .map_err(|time| self.refused(Reason::OverrunTooLong { overrun, time }))
    }

    /// Whether the final flags of both sides are down.
    pub(super) fn both_flags_down(&self) -> bool {
        Side::BOTH
            .into_iter()
            .all(|side| self.facts.sides[side].flag.is_some_and(|flag| flag.is_final))
    }

    /// Whether the ruling that the order of both flags is unknown stays in force (S0 6.12). It does
    /// while both final flags are down. It also does while only one of them is down and its player
    /// still has no time for the next period.
    pub(in crate::rules) fn can_have_unknown_order(&self, at: Instant) -> bool {
        let lacks_time = |side| self.lacks_next_period(side, at);
        self.both_flags_down() || Side::BOTH.into_iter().any(lacks_time)
    }

    /// Whether the final flag of this side is down and the side has another period.
    pub(super) fn lacks_next_period(&self, side: Side, at: Instant) -> bool {
        self.clock.is_out_of_time(side) && !self.in_last_period(side, at)
    }

    /// The arbiter declares that it is not established which flag fell first (S0 6.11, 6.12).
    pub(super) fn rule_order_unknown(&mut self, at: Instant) -> Result<(), GameRefused> {
        if self.facts.order_unknown {
            return Err(self.refused(Reason::OrderUnknown));
        }
        if !self.both_flags_down() {
            return Err(self.refused(Reason::NotBothFlags));
        }
        if !self.facts.clock_in_doubt {
            return Err(self.refused(Reason::OrderKnown));
        }
        self.order_is_unknown(at)
    }

    /// Whether the profile makes the game a draw if the order of the flags is not established.
    pub(super) fn unknown_order_draws(&self, at: Instant) -> bool {
        match self.rules().both_flags {
            BothFlags::Continue => false,
            BothFlags::DrawnInLastPeriod => self.both_in_last_period(at),
            BothFlags::Drawn => true,
        }
    }

    /// Notes that the order of the flags is not established, and ends the game as drawn if the
    /// profile says so.
    pub(super) fn order_is_unknown(&mut self, at: Instant) -> Result<(), GameRefused> {
        self.facts.order_unknown = true;
        self.emit(at, GameEventKind::Ruling { ruling: Ruling::OrderUnknown, side: None });
        if self.unknown_order_draws(at) {
            self.end(Outcome::Drawn, at)?;
        } else if self.clock.phase() == Phase::Ruling {
            // Both final flags can fall only if the clock runs on after the first one. Such a clock
            // is in the phase `Ruling` only if its time control was then replaced by one that halts
            // at the flag.
            return Err(Refused::NotPaused(Phase::Ruling).into());
        }
        Ok(())
    }
}
