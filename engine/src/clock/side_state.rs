//! The state of one side of the clock.

use crate::{Instant, Method, Overtime, OvertimeLeft, PerSide, Side, Span};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// There is no `deny_unknown_fields`, because earlier versions wrote a field that this type no
// longer has.
#[derive(Serialize, Deserialize)]
pub(super) struct SideState {
    /// The main number, without the delay of the turn: the main time left; in overtime, the time
    /// left of the running overtime period; with a gong, the time left of the slice; if time is
    /// counted up, the time used. While the clock runs, it is the number at
    /// `Progress::Running::since`.
    pub main: Span,
    pub overtime: Option<OvertimeLeft>,
    pub(super) interrupted: Interrupted,
    /// The part of a set-back's main time that the side had used when `undo-press` took back the
    /// set-back. It is subtracted from the main time of the next set-back. A set-back is the next
    /// period that a press of Black begins for both sides (`PeriodEnd::BlackCompletes`).
    pub(super) owed_main: Span,
    pub moves: u32,
    /// The number of the period, from 1.
    pub period: u32,
    /// The instant of the latest flag that was not final: play went on with the next period.
    pub period_flag: Option<Instant>,
    /// The instant of the final flag. While a side has one, it gets no increment and no delay, and
    /// the clock does not put it into the next period.
    pub final_flag: Option<Instant>,
    pub overrun: Span,
}

/// Whether an overtime that had begun was interrupted, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Interrupted {
    #[default]
    None,
    /// The arbiter put the side in a period without overtime; the number shown stayed. If the
    /// arbiter puts the side back into the period with overtime, the overtime is restored. If the
    /// clock itself enters the next period, the overtime that was set aside is discarded.
    SetAside(OvertimeLeft),
    /// `undo-press` took back the period to which the overtime belonged. The side's next overtime
    /// begins with what was left.
    Owed {
        left: OvertimeLeft,
        /// What was left of the running period of overtime.
        time: Span,
        /// What was used of the whole overtime.
        used: Span,
    },
}

impl SideState {
    pub fn new(time: Span, method: Method) -> SideState {
        let main = method.slice().unwrap_or(time);
        let mut state = SideState { main, period: 1, ..SideState::default() };
        state.enter_overtime_at_zero(method);
        state
    }

    /// How long this side's clock can run, not counting the delay; `None` if it has no limit.
    pub fn time_left(&self, method: Method) -> Option<Span> {
        match method {
            _ if self.final_flag.is_some() => None,
            Method::CountUp { limit } => limit.map(|limit| limit.minus(self.main)),
            _ => Some(self.main),
        }
    }

    /// Charges running time. Returns how much of the main time was used.
    fn charge(&mut self, method: Method, elapsed: Span, delay_left: Span) -> Span {
        if self.final_flag.is_some() {
            self.overrun = self.overrun.plus(elapsed);
            return Span::ZERO;
        }
        let used = elapsed.minus(delay_left);
        let used = self.time_left(method).map_or(used, |left| used.min(left));
        self.main = match method {
            Method::CountUp { .. } => self.main.plus(used),
            _ => self.main.minus(used),
        };
        used
    }

    /// Begins overtime if the main time is 0 and `method` is overtime: the rest of an interrupted
    /// overtime if there is one, otherwise a whole one. If an overtime already runs and shows 0,
    /// because the arbiter restored it with no time left, its running period gets its whole time. A
    /// side with a final flag gets no time.
    pub fn enter_overtime_at_zero(&mut self, method: Method) {
        let Method::Overtime(overtime) = method else { return };
        if self.final_flag.is_some() || !self.main.is_zero() {
            return;
        }
        if self.overtime.is_some() {
            self.main = overtime.time;
        } else {
            let (left, time) = self.overtime_to_come(overtime);
            self.start_overtime(left, time);
        }
    }

    /// What is left at the start of this side's next overtime, and the time of its first period.
    fn overtime_to_come(&self, overtime: Overtime) -> (OvertimeLeft, Span) {
        match self.interrupted {
            Interrupted::Owed { left, time, .. } => (left, time),
            Interrupted::SetAside(left) => (left, overtime.time),
            Interrupted::None => {
                let whole = OvertimeLeft { periods: overtime.periods, moves: overtime.moves };
                (whole, overtime.time)
            }
        }
    }

    fn start_overtime(&mut self, left: OvertimeLeft, time: Span) {
        self.interrupted = Interrupted::None;
        self.overtime = Some(left);
        if self.main.is_zero() {
            self.main = time;
        }
    }

    /// Sets the periods and the moves left of the overtime, as the arbiter decided. If an overtime
    /// runs, a number that is `None` stays. If an overtime begins now, `None` means the number with
    /// which it begins.
    pub fn set_overtime(&mut self, overtime: Overtime, periods: Option<u32>, moves: Option<u32>) {
        let (before, time) = match self.overtime {
            Some(left) => (left, overtime.time),
            None => self.overtime_to_come(overtime),
        };
        let left = OvertimeLeft {
            periods: periods.unwrap_or(before.periods),
            moves: moves.unwrap_or(before.moves),
        };
        self.start_overtime(left, time);
    }

    /// Counts a move completed in overtime. After all moves of a period, the period begins again
    /// with its whole time.
    pub fn count_overtime_move(&mut self, method: Method) {
        let (Some(left), Method::Overtime(overtime)) = (&mut self.overtime, method) else {
            return;
        };
        if self.final_flag.is_some() {
            return;
        }
        left.moves -= 1;
        if left.moves == 0 {
            left.moves = overtime.moves;
            self.main = overtime.time;
        }
    }

    /// The main number that is shown. After the final flag it is 0; if time is counted up, it stays
    /// the time used, which is the limit.
    pub fn main_shown(&self, method: Method) -> Span {
        match method {
            Method::CountUp { .. } => self.main,
            _ if self.final_flag.is_some() => Span::ZERO,
            _ => self.main,
        }
    }

    /// Enters the next period when the clock does so by itself. The side gets the period's time
    /// minus `owed_main`. If an overtime is owed and the side enters overtime at once, the side has
    /// what was left of the owed overtime.
    pub fn enter_period(&mut self, time: Span, method: Method) {
        self.period = self.period.saturating_add(1);
        self.main = self.main.plus(time.minus(self.owed_main));
        self.owed_main = self.owed_main.minus(time);
        if let Interrupted::SetAside(_) = self.interrupted {
            self.interrupted = Interrupted::None;
        }
        self.enter_overtime_at_zero(method);
    }

    /// Takes back a set-back (see `owed_main`): restores the period before it and removes the time
    /// that it gave. The side then owes what it has used of that time, and of an overtime that
    /// began after it.
    pub fn take_back_period(&mut self, time: Span, method: Method, before: &SideState) {
        let SideState {
            period,
            interrupted,
            owed_main,
            // `main` and `overtime` are not taken from `before`, because the time that the side has
            // used since the set-back stays used.
            main: _,
            overtime: _,
            // The side has not completed a move since the set-back, so the counter is the same.
            moves: _,
            // A flag that fell since the set-back stands.
            period_flag: _,
            final_flag: _,
            overrun: _,
        } = *before;
        self.period = period;
        self.interrupted = interrupted;
        if let (Some(left), Method::Overtime(overtime)) = (self.overtime.take(), method) {
            let time = core::mem::take(&mut self.main);
            let used = used_of(overtime, left, time);
            if !used.is_zero() {
                self.interrupted = Interrupted::Owed { left, time, used };
            }
        }
        let given = time.minus(owed_main);
        self.owed_main = owed_main.plus(given.minus(self.main));
        self.main = self.main.minus(given);
    }

    /// Everything that is owed, main time and overtime together.
    pub fn owed(&self) -> Span {
        match self.interrupted {
            Interrupted::Owed { used, .. } => self.owed_main.plus(used),
            _ => self.owed_main,
        }
    }

    /// Cancels everything that is owed. This method is called when the arbiter corrects the side's
    /// time, because the side then has exactly the corrected time.
    pub fn settle_owed(&mut self) {
        self.owed_main = Span::ZERO;
        if let Interrupted::Owed { .. } = self.interrupted {
            self.interrupted = Interrupted::None;
        }
    }

    /// Puts the side in this period, as the arbiter decided. Only the number of the period changes;
    /// the time shown stays. In a period without overtime, an overtime that has begun is set aside;
    /// in the period with overtime, it is restored.
    pub fn set_period(&mut self, period: u32, method: Method) {
        self.period = period;
        match (method, self.overtime, self.interrupted) {
            (Method::Overtime(_), None, Interrupted::SetAside(left)) => {
                self.overtime = Some(left);
                self.interrupted = Interrupted::None;
            }
            (Method::Overtime(_), ..) | (_, None, _) => {}
            (_, Some(left), _) => {
                self.overtime = None;
                self.interrupted = Interrupted::SetAside(left);
            }
        }
    }

    pub fn fall(&mut self, at: Instant) {
        self.final_flag = Some(at);
        if let Some(left) = &mut self.overtime {
            left.periods = 0;
        }
    }

    /// Takes the final flag back. Returns whether there was one.
    pub fn annul_flag(&mut self) -> bool {
        if self.final_flag.take().is_none() {
            return false;
        }
        self.overrun = Span::ZERO;
        // The flag fell at the end of the last period of the overtime, so no period was left. Now
        // this last period runs again and counts as left.
        if let Some(left) = &mut self.overtime {
            left.periods = left.periods.max(1);
        }
        if let Interrupted::SetAside(left) = &mut self.interrupted {
            left.periods = left.periods.max(1);
        }
        true
    }
}

/// The time that was used of an overtime. `left` is what remains of it, and `time` is the time left
/// in its running period.
fn used_of(overtime: Overtime, left: OvertimeLeft, time: Span) -> Span {
    let gone_by = u64::from(overtime.periods.saturating_sub(left.periods));
    let gone_by = Span::from_nanos(gone_by.saturating_mul(overtime.time.as_nanos()));
    gone_by.plus(overtime.time.minus(time))
}

/// Charges the side on move for running time. With an hourglass, the other side gets the main time
/// that was used.
pub(super) fn charge(
    sides: &mut PerSide<SideState>,
    on_move: Side,
    method: Method,
    elapsed: Span,
    delay_left: Span,
) {
    let used = sides[on_move].charge(method, elapsed, delay_left);
    if method == Method::Hourglass {
        let other = &mut sides[on_move.other()];
        other.main = other.main.plus(used);
    }
}
