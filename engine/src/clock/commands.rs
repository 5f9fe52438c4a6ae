//! The arbiter's commands, each in a function of its own.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::{Clock, Progress, StoppedPhase};
use crate::{
    Caller, Control, Correction, Instant, MAX_GIVEN, Method, Outcome, OvertimeUnit, PausedBy,
    Phase, Reading, Refused, Side, SideView, Span,
};

/// The reason of a pause if the arbiter stopped the clocks.
pub(super) const BY_ARBITER: PausedBy = PausedBy::Caller(Caller::Arbiter);

impl Clock {
    pub(super) fn start(&mut self, at: Instant) -> Result<(), Refused> {
        match self.progress {
            Progress::Ready => {
                self.progress = Progress::Running { since: at };
                self.called_by = None;
                Ok(())
            }
            Progress::Over { .. } => Err(Refused::GameOver),
            _ => Err(Refused::NotReady(self.phase())),
        }
    }

    pub(super) fn pause(&mut self, by: Caller, at: Instant) -> Result<(), Refused> {
        match self.progress {
            Progress::Running { .. } => self.charge(at),
            Progress::Over { .. } => return Err(Refused::GameOver),
            _ => return Err(Refused::NotRunning(self.phase())),
        }
        self.progress = Progress::Paused { by: PausedBy::Caller(by) };
        match by {
            Caller::Arbiter => self.called_by = None,
            Caller::Player(_) | Caller::Button => self.called_by = Some(by),
            // A call that has not been answered stays.
            Caller::Fault | Caller::PowerCut => {}
        }
        Ok(())
    }

    pub(super) fn resume(&mut self, side: Option<Side>, at: Instant) -> Result<(), Refused> {
        match self.progress {
            Progress::Paused { .. } => {}
            Progress::Over { .. } => return Err(Refused::GameOver),
            _ => return Err(Refused::NotPaused(self.phase())),
        }
        self.hand_over(side);
        self.progress = Progress::Running { since: at };
        self.called_by = None;
        Ok(())
    }

    /// Begins a turn of the given side. If that side is already on move, or none is given, the
    /// present turn goes on.
    pub(super) fn hand_over(&mut self, side: Option<Side>) {
        let Some(side) = side.filter(|side| *side != self.on_move) else {
            return;
        };
        // The turn of the side that was on move is over. The next turn of that side has the whole
        // slice, just as it would have the whole delay.
        if let Some(slice) = self.method(self.on_move).slice() {
            self.sides[self.on_move].main = slice;
        }
        self.begin_turn(side);
        self.last_move = None;
    }

    /// Refuses a command that is allowed only while both clocks stand and there is no result: a
    /// correction, `undo-press`, a restoration, or a change of the method or of the time control.
    pub(crate) fn check_standing(&self) -> Result<(), Refused> {
        match self.progress {
            Progress::Ready | Progress::Paused { .. } | Progress::Ruling => Ok(()),
            Progress::Running { .. } => Err(Refused::NotPaused(Phase::Running)),
            Progress::Over { .. } => Err(Refused::GameOver),
        }
    }

    /// Corrects the clock. All checks come before the first change, so a refused correction has no
    /// effect.
    pub(super) fn correct(&mut self, correction: Correction) -> Result<(), Refused> {
        self.check_standing()?;
        for side in Side::BOTH {
            self.check_correction(side, &correction)?;
        }
        if correction.on_move.is_some() && matches!(self.progress, Progress::Ready) {
            return Err(Refused::WhiteBegins);
        }
        if self.corrects_something(correction) {
            self.last_move = None;
        }
        for side in Side::BOTH {
            self.correct_side(side, &correction);
        }
        match self.progress {
            // No turn has begun yet. White's first turn has the delay of the period that White is
            // in now.
            Progress::Ready => self.begin_turn(Side::White),
            _ => self.hand_over(correction.on_move),
        }
        Ok(())
    }

    fn check_correction(&self, side: Side, correction: &Correction) -> Result<(), Refused> {
        let state = &self.sides[side];
        let periods = self.control.last().unwrap_or(u32::MAX);
        if let Some(given) = correction.period[side].filter(|n| !(1..=periods).contains(n)) {
            return Err(Refused::NoSuchPeriod { given, periods });
        }
        let period = correction.period[side].unwrap_or(state.period);
        let method = self.method_of(side, period);
        if let Some(given) = correction.time[side] {
            if given > MAX_GIVEN {
                return Err(Refused::TooMuchTime);
            }
            if let Method::CountUp { limit: Some(limit) } = method
                && given >= limit
            {
                return Err(Refused::LimitReached { given, limit });
            }
        }
        let left = (correction.overtime_periods[side], correction.overtime_moves[side]);
        if left == (None, None) {
            return Ok(());
        }
        let Method::Overtime(overtime) = method else {
            return Err(Refused::NoOvertime { period });
        };
        if state.final_flag.is_some() {
            return Err(Refused::OutOfTime);
        }
        for (given, most, unit) in [
            (left.0, overtime.periods, OvertimeUnit::Periods),
            (left.1, overtime.moves, OvertimeUnit::Moves),
        ] {
            if let Some(given) = given.filter(|n| !(1..=most).contains(n)) {
                return Err(Refused::NoSuchOvertime { given, most, unit });
            }
        }
        Ok(())
    }

    /// Whether the correction sets anything. A time of 0 for a side in overtime sets nothing.
    fn corrects_something(&self, mut correction: Correction) -> bool {
        for side in Side::BOTH {
            let in_overtime = self.sides[side].overtime.is_some();
            correction.time[side] =
                correction.time[side].filter(|time| !(in_overtime && time.is_zero()));
        }
        correction != Correction::default()
    }

    fn correct_side(&mut self, side: Side, correction: &Correction) {
        let Correction {
            time,
            moves,
            period,
            overtime_periods,
            overtime_moves,
            // Not applied here: `correct` hands the turn over after both sides are corrected.
            on_move: _,
        } = correction;
        let period = period[side];
        let method = self.method_of(side, period.unwrap_or(self.sides[side].period));
        let state = &mut self.sides[side];
        if let Some(moves) = moves[side] {
            state.moves = moves;
        }
        if let Some(period) = period {
            state.set_period(period, method);
        }
        let (periods, moves) = (overtime_periods[side], overtime_moves[side]);
        if let Method::Overtime(overtime) = method
            && (periods, moves) != (None, None)
        {
            state.set_overtime(overtime, periods, moves);
        }
        if let Some(time) = time[side]
            && !(state.overtime.is_some() && time.is_zero())
        {
            state.settle_owed();
            self.give_main(side, time);
        }
        self.sides[side].enter_overtime_at_zero(method);
    }

    pub(super) fn add_time(&mut self, side: Side, delta_ns: i64) -> Result<(), Refused> {
        self.check_standing()?;
        self.give(side, delta_ns, true)
    }

    /// Awards main time to a side by a ruling, or cuts it. What the side owes stays.
    pub(crate) fn award(&mut self, side: Side, delta_ns: i64, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        self.check_standing()?;
        self.give(side, delta_ns, false)?;
        self.advance(at)
    }

    /// Halves the main time of a side because of a ruling. An odd number of nanoseconds is rounded
    /// down. The time that the side owes does not change.
    pub(crate) fn halve(&mut self, side: Side, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        self.check_standing()?;
        let method = self.method(side);
        let half = Span::from_nanos(self.sides[side].main.as_nanos() / 2);
        self.last_move = None;
        self.give_main(side, half);
        self.sides[side].enter_overtime_at_zero(method);
        self.advance(at)
    }

    /// Adds to the main time of a side, or cuts it. A person who does so settles what the side
    /// owes, and a ruling does not.
    pub(super) fn give(
        &mut self,
        side: Side,
        delta_ns: i64,
        settles_owed: bool,
    ) -> Result<(), Refused> {
        if delta_ns != 0 {
            let time = self.main_changed_by(side, delta_ns)?;
            self.last_move = None;
            if settles_owed {
                self.sides[side].settle_owed();
            }
            self.give_main(side, time);
        }
        Ok(())
    }

    /// `SideState::main` after this award or cut. If time is counted up, `main` is the time used,
    /// so an award lowers it.
    fn main_changed_by(&self, side: Side, delta_ns: i64) -> Result<Span, Refused> {
        let main = self.sides[side].main;
        let amount = Span::from_nanos(delta_ns.unsigned_abs());
        let time = match (self.method(side), delta_ns > 0) {
            (Method::CountUp { .. }, true) if amount > MAX_GIVEN => {
                return Err(Refused::TooMuchTime);
            }
            (Method::CountUp { .. }, true) => return Ok(main.minus(amount)),
            (Method::CountUp { limit }, false) => {
                let left = limit.unwrap_or(Span::MAX).minus(main);
                if amount >= left {
                    return Err(Refused::CutTooLarge { cut: amount, left });
                }
                main.plus(amount)
            }
            (_, true) => main.plus(amount),
            (_, false) if amount >= main => {
                return Err(Refused::CutTooLarge { cut: amount, left: main });
            }
            (_, false) => return Ok(main.minus(amount)),
        };
        if time > MAX_GIVEN { Err(Refused::TooMuchTime) } else { Ok(time) }
    }

    /// Sets the main time of a side. If the final flag of the side is down, there are two cases: a
    /// side that can run with this time gets it, and the flag is annulled; a side that cannot run
    /// keeps its flag and its main time.
    pub(super) fn give_main(&mut self, side: Side, time: Span) {
        let method = self.method(side);
        let state = &mut self.sides[side];
        let runs_on = match method {
            Method::CountUp { limit } => limit.is_none_or(|limit| time < limit),
            _ => !time.is_zero(),
        };
        if runs_on || state.final_flag.is_none() {
            state.main = time;
            self.annul_flag(side);
        }
    }

    /// Takes this side back from its overtime to its main time. The number that it shows stays until
    /// a correction sets the main time. When that is used up, the overtime begins whole again.
    pub(crate) fn leave_overtime(&mut self, side: Side) {
        self.sides[side].overtime = None;
    }

    /// Annuls this side's latest flag that was not final. The period and the time stay.
    pub(crate) fn annul_period_flag(&mut self, side: Side) {
        self.sides[side].period_flag = None;
    }

    /// Annuls the final flag of this side. If the clock awaits a ruling and no other final flag is
    /// down, it becomes paused, with the arbiter as the reason. Returns whether the side had a
    /// final flag.
    pub(super) fn annul_flag(&mut self, side: Side) -> bool {
        if !self.sides[side].annul_flag() {
            return false;
        }
        let other = side.other();
        let other_flagged = self.sides[other].final_flag.is_some();
        self.first_flag = other_flagged.then_some(other);
        if !other_flagged && matches!(self.progress, Progress::Ruling) {
            self.progress = Progress::Paused { by: BY_ARBITER };
        }
        true
    }

    /// Changes how time is added from now on: the increment, the delay or Bronstein of every period
    /// is replaced by this method, for both sides (S2 III.4, US 14H).
    ///
    /// A new increment is added from each side's next completed move on. If the new method has
    /// another delay than the present one, the present turn of the side on move gets the whole new
    /// delay (none if the new method has no delay); otherwise the delay left of the turn stays.
    /// What happens at the final flag stays as it was set up.
    ///
    /// # Errors
    ///
    /// The change is refused in these cases:
    ///
    /// - A clock runs, or the game is over.
    /// - The amount is more than [`MAX_GIVEN`]. An amount of 0 means no method and is no error.
    /// - `method` or a method of the control is overtime, an hourglass, a gong or counting up.
    /// - `at` is earlier than the latest instant that was handled.
    pub fn change_method(&mut self, method: Method, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        self.check_standing()?;
        let of_control = self
            .control
            .periods()
            .iter()
            .flat_map(|period| Side::BOTH.map(|side| period.method[side]));
        if !of_control.chain([method]).all(Method::adds_time) {
            return Err(Refused::MethodFixed);
        }
        if method.amount() > MAX_GIVEN {
            return Err(Refused::TooMuchTime);
        }
        let method = method.unless_zero();
        let before = self.method(self.on_move).delay();
        self.changed_method = Some(method);
        self.last_move = None;
        self.begin_turn_again(before);
        Ok(())
    }

    pub(super) fn finish(&mut self, outcome: Outcome, at: Instant) -> Result<(), Refused> {
        let before = match self.progress {
            Progress::Over { .. } => return Err(Refused::GameOver),
            Progress::Ready => StoppedPhase::Ready,
            Progress::Running { .. } => {
                self.charge(at);
                StoppedPhase::Paused { by: BY_ARBITER }
            }
            Progress::Paused { by } => StoppedPhase::Paused { by },
            Progress::Ruling => StoppedPhase::Ruling,
        };
        self.progress = Progress::Over { outcome, before };
        self.called_by = None;
        Ok(())
    }

    /// Takes the result back and restores the phase before it; both clocks stand.
    pub(super) fn reopen(&mut self) -> Result<(), Refused> {
        let Progress::Over { before, .. } = self.progress else {
            return Err(Refused::NotOver(self.phase()));
        };
        self.progress = match before {
            StoppedPhase::Ready => Progress::Ready,
            StoppedPhase::Paused { by } => Progress::Paused { by },
            StoppedPhase::Ruling => Progress::Ruling,
        };
        Ok(())
    }

    pub(super) fn set_up(
        &mut self,
        control: Control,
        force: bool,
        at: Instant,
    ) -> Result<(), Refused> {
        let under_way = matches!(
            self.progress,
            Progress::Running { .. } | Progress::Paused { .. } | Progress::Ruling
        );
        if under_way && !force {
            let sides = self.view(at).sides;
            let lost = sides.map(|SideView { moves, remaining, .. }| Reading { moves, remaining });
            return Err(Refused::GameUnderWay(self.phase(), lost));
        }
        let Clock {
            // The caller has not taken these events yet, so they are kept.
            events,
            // Everything else begins anew.
            control: _,
            changed_method: _,
            progress: _,
            on_move: _,
            delay_left: _,
            sides: _,
            first_flag: _,
            called_by: _,
            last_move: _,
            last: _,
        } = *self;
        *self = Clock { events, ..Clock::new(control, at) };
        Ok(())
    }
}
