//! Arrivals, the default time, and the end of the duty to keep score (S0 6.6, 6.7, S3 3).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::action::{LatePlayers, Ruling};
use crate::rules::event::GameEventKind;
use crate::rules::profile::{BothAbsent, LateFrom};
use crate::rules::refused::{GameRefused, Reason};
use crate::rules::signed_instant::SignedInstant;
use crate::{Clock, Command, Correction, Instant, Method, Outcome, Overtime, Phase, Side, Span};

const NANOSECOND: Span = Span::from_nanos(1);

/// The time that a side which counts its time up is taken to have at the start. It is half of what
/// a [`Span`] holds, so no award and no cut reaches an end of the range.
const SUPPLY: Span = Span::from_nanos(u64::MAX / 2);

/// White's main time. If time is counted up, this is [`SUPPLY`] less the time shown, so that an
/// award raises it and the running clock lowers it, as with a time that is counted down.
pub(super) fn white_main(clock: &Clock, at: Instant) -> Span {
    let main = clock.main_time(Side::White, at);
    match clock.method(Side::White) {
        Method::CountUp { .. } => SUPPLY.minus(main),
        _ => main,
    }
}

fn times(span: Span, count: u32) -> Span {
    Span::from_nanos(span.as_nanos().saturating_mul(u64::from(count)))
}

/// How late a player is who is later than the default time allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// The time from the start from which the profile counts lateness, which is that of the session
    /// or that of the game, to the arrival or, if the player is absent, to the present.
    pub by: Span,
    /// Whether the player has not arrived, so that the time grows.
    pub is_absent: bool,
}

impl Game {
    pub(super) fn arrive(&mut self, side: Side, at: Instant) -> Result<(), GameRefused> {
        self.check_not_over()?;
        if self.facts.sides[side].arrived.is_some() {
            return Err(self.refused(Reason::AlreadyArrived(side)));
        }
        let was_empty = Side::BOTH.into_iter().all(|side| self.facts.sides[side].arrived.is_none());
        self.facts.sides[side].arrived = Some(at.into());
        if was_empty && self.clock.phase() == Phase::Running {
            self.share_absence(at)?;
        }
        Ok(())
    }

    /// Shares out the time that White's clock has run before the first arrival, as the profile says
    /// (`both_absent`). After White's first move or White's final flag, and on Black's turn,
    /// nothing is shared out.
    fn share_absence(&mut self, at: Instant) -> Result<(), GameRefused> {
        let view = self.clock.view(at);
        if view.sides.white.moves > 0 || view.on_move == Side::Black || view.sides.white.out_of_time
        {
            return Ok(());
        }
        let used = self.white_used(at);
        let half = Span::from_nanos(used.as_nanos() / 2);
        let black_main = self.clock.main_time(Side::Black, at);
        let black = match self.clock.method(Side::Black) {
            Method::CountUp { limit } => limit.unwrap_or(Span::MAX).minus(black_main),
            _ => black_main,
        };
        let (white_gets, black_loses) = match self.rules().both_absent {
            BothAbsent::White => return Ok(()),
            BothAbsent::Nobody => (used, Span::ZERO),
            // A cut must be smaller than the time left, so Black keeps one nanosecond.
            BothAbsent::Split if half >= black => {
                (black.minus(NANOSECOND), black.minus(NANOSECOND))
            }
            BothAbsent::Split => (half, half),
        };
        self.give_back(white_gets, at)?;
        let cut = i64::try_from(black_loses.as_nanos()).unwrap_or(i64::MAX);
        self.adjust(at, |clock| clock.award(Side::Black, -cut, at))
    }

    /// White's overtime, and how many of its periods are left, if it has begun.
    fn white_overtime(&self, at: Instant) -> Option<(Overtime, u32)> {
        match (self.clock.method(Side::White), self.clock.view(at).sides.white.overtime) {
            (Method::Overtime(overtime), Some(left)) => Some((overtime, left.periods)),
            _ => None,
        }
    }

    /// What White's clock has used since the start, with all periods of overtime.
    fn white_used(&self, at: Instant) -> Span {
        let (given, left) = (self.facts.white_given, white_main(&self.clock, at));
        let Some((overtime, periods)) = self.white_overtime(at) else { return given.minus(left) };
        // Where the main time is 0, `white_given` is the first period of overtime.
        let period = self.clock.view(at).sides.white.period;
        let first = u32::from(self.clock.control().period(period).time.white.is_zero());
        let given = given.plus(times(overtime.time, overtime.periods.saturating_sub(first)));
        given.minus(times(overtime.time, periods.saturating_sub(1)).plus(left))
    }

    /// Gives White back time that White's clock has used: first the periods of overtime, which are
    /// whole again, then main time.
    fn give_back(&mut self, span: Span, at: Instant) -> Result<(), GameRefused> {
        let Some((overtime, periods)) = self.white_overtime(at) else {
            return self.award(Side::White, span, at);
        };
        let of_others = times(overtime.time, periods.saturating_sub(1));
        let left = of_others.plus(white_main(&self.clock, at)).plus(span);
        let whole = times(overtime.time, overtime.periods);
        let mut correction = Correction::default();
        if left > whole {
            correction.time.white = Some(left.minus(whole));
        } else {
            let periods = left.as_nanos().div_ceil(overtime.time.as_nanos().max(1));
            let periods = u32::try_from(periods).unwrap_or(u32::MAX).max(1);
            correction.overtime_periods.white = Some(periods);
            correction.time.white = Some(left.minus(times(overtime.time, periods - 1)));
        }
        let to_main = left > whole;
        self.adjust(at, |clock| {
            if to_main {
                clock.leave_overtime(Side::White);
            }
            clock.handle_command(Command::Set(correction), at)
        })
    }

    /// Adds to `white_given` what a command has given to White, or subtracts what it has taken.
    /// `before` is [`white_main`] before the command.
    pub(super) fn note_white_given(&mut self, before: Span, at: Instant) {
        let now = white_main(&self.clock, at);
        let given = &mut self.facts.white_given;
        *given = given.plus(now.minus(before)).minus(before.minus(now));
    }

    /// The start from which the profile counts lateness (`late_from`). `None` without a profile, or
    /// while that start is not known.
    fn late_from(&self) -> Option<SignedInstant> {
        match self.profile?.late_from {
            LateFrom::Session => self.facts.session_start,
            LateFrom::Game => self.facts.game_start,
        }
    }

    /// The first instant at which a player who has not arrived is late. `None` if
    /// [`Game::late_from`] is.
    fn late_at(&self) -> Option<SignedInstant> {
        Some(self.late_from()?.plus(self.profile?.default_after.plus(NANOSECOND)))
    }

    /// The instant at which the rules note that this side is late and has not arrived. `None` if
    /// the player has arrived, if the lateness was noted or waived before, if lateness is not
    /// counted, or if the game is over or adjourned.
    pub(super) fn default_due(&self, side: Side) -> Option<Instant> {
        let facts = &self.facts.sides[side];
        let noted = facts.arrived.is_some() || facts.default_due.is_some() || facts.default_waived;
        if noted || self.clock.phase() == Phase::Over || self.facts.adjourned.is_some() {
            return None;
        }
        // A default time that has already passed, for example at set-up, is noted at once.
        Some(self.late_at()?.or_zero().max(self.clock.last()))
    }

    /// Whether the player arrived later than the default time allows, or has not arrived and is
    /// that late at `at`.
    fn is_late(&self, side: Side, at: Instant) -> bool {
        let seen = self.facts.sides[side].arrived.unwrap_or(at.into());
        self.late_at().is_some_and(|late| seen >= late)
    }

    /// How late the player of this side arrived or, if the player has not arrived, how late the
    /// player is at `at` (S0 6.7). `None` if the player is not later than the default time allows,
    /// or if the player has not arrived and the game is over or adjourned.
    pub fn lateness(&self, side: Side, at: Instant) -> Option<Lateness> {
        let is_absent = self.facts.sides[side].arrived.is_none();
        let has_ended = self.clock.phase() == Phase::Over || self.facts.adjourned.is_some();
        if !self.is_late(side, at) || is_absent && has_ended {
            return None;
        }
        let seen = self.facts.sides[side].arrived.unwrap_or(at.into());
        Some(Lateness { by: seen.since(self.late_from()?), is_absent })
    }

    /// The arbiter rules on a late arrival. This is allowed while the question is open: a waiver
    /// settles the lateness, and a press of the late player closes the question, because the game
    /// is played. If both players are late, both lose (S0 6.7: "any player"). So a forfeit of one
    /// late player is refused while the lateness of the other one is open, too. In unsupervised play
    /// the ruling is refused, because nobody rules at the board (S2 III.6).
    pub(super) fn rule_default(
        &mut self,
        late: LatePlayers,
        ruling: Ruling,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_not_over()?;
        self.check_not_concluded()?;
        self.check_supervised()?;
        let is_open = |side: Side| self.facts.sides[side].default_due.is_some();
        let mut named = Side::BOTH.into_iter().filter(|side| late.has(*side));
        if let Some(side) = named.find(|side| !is_open(*side)) {
            return Err(self.refused(if self.facts.sides[side].default_waived {
                let open = late.side().is_none().then_some(side.other()).filter(|it| is_open(*it));
                Reason::LatenessWaived { side, open }
            } else if self.is_late(side, at) {
                Reason::LatenessClosed(side)
            } else {
                Reason::NotLate(side)
            }));
        }
        let outcome = match late.side() {
            _ if ruling == Ruling::Waive => None,
            Some(side) if is_open(side.other()) => {
                return Err(self.refused(Reason::BothLate(side.other())));
            }
            Some(side) => Some(Outcome::lost_by(side)),
            None => Some(Outcome::BothLose),
        };
        // Only a waiver is noted in the facts. A forfeit is a result of the game, and nothing of it
        // must stay when the result is taken back.
        if ruling == Ruling::Waive {
            for side in Side::BOTH.into_iter().filter(|side| late.has(*side)) {
                self.facts.sides[side].default_due = None;
                self.facts.sides[side].default_waived = true;
            }
        }
        self.emit(at, GameEventKind::Ruling { ruling, side: late.side() });
        if let Some(outcome) = outcome {
            self.end(outcome, at)?;
        }
        Ok(())
    }

    /// The event that the running side's duty to keep score ends, and its instant: the first one at
    /// which the side has less time than `score_off_below`. `None` if no clock runs, if the side
    /// has less time already, if the profile has no such limit, or if the method of the side is
    /// overtime, an hourglass, a gong or counting up.
    pub(super) fn score_off(&self) -> Option<(Instant, GameEventKind)> {
        // No time is below a limit of 0.
        let limit = self.profile?.score_off_below.filter(|limit| !limit.is_zero())?;
        let last = self.clock.last();
        let view = self.clock.view(last);
        let side = view.running()?;
        let shown = view.sides[side];
        if !self.clock.method(side).adds_time() || shown.remaining < limit {
            return None;
        }
        let until = shown.delay.plus(shown.remaining.minus(limit)).plus(NANOSECOND);
        Some((last.checked_add(until)?, GameEventKind::ScoreOff { side }))
    }
}
