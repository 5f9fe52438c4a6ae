//! One half of the clock.

use crate::{Instant, Method, OvertimeLeft, PerSide, Side, Span};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Half {
    /// The main time, without this turn's delay: what is left of it; of the overtime period in
    /// overtime; of the slice with a gong; counted up, what is used. While the clock runs as of
    /// the instant it runs since.
    pub main: Span,
    pub overtime: Option<OvertimeLeft>,
    /// An overtime, and what was left of its period, while the side is back in a period that has
    /// none.
    set_aside: Option<(OvertimeLeft, Span)>,
    /// Time of a period that was used before the period was taken back: it comes off the time of
    /// the next.
    owed: Span,
    pub moves: u32,
    /// From 1.
    pub period: u32,
    /// The instant of the latest flag after which play went on with another period.
    pub period_flag: Option<Instant>,
    /// The instant of the final flag. A side that has one gets no time and changes no period.
    pub final_flag: Option<Instant>,
    pub overrun: Span,
}

impl Half {
    pub fn new(time: Span, method: Method) -> Half {
        let main = method.slice().unwrap_or(time);
        let mut half = Half { main, period: 1, ..Half::default() };
        half.settle_overtime(method);
        half
    }

    /// How long this half can run, beside its delay; for ever where there is none.
    pub fn time_left(&self, method: Method) -> Option<Span> {
        match method {
            _ if self.final_flag.is_some() => None,
            Method::CountUp { limit } => limit.map(|limit| limit.minus(self.main)),
            _ => Some(self.main),
        }
    }

    /// Charges running time, and says how much of the main time it used.
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

    /// Main time of 0 in a period with overtime is overtime: the one that was set aside, or a whole
    /// one. A finally flagged side never gets time.
    pub fn settle_overtime(&mut self, method: Method) {
        let Method::Overtime(overtime) = method else { return };
        if self.overtime.is_some() || self.final_flag.is_some() || !self.main.is_zero() {
            return;
        }
        let whole = OvertimeLeft { periods: overtime.periods, moves: overtime.moves };
        let (left, main) = self.set_aside.take().unwrap_or((whole, overtime.time));
        self.overtime = Some(left);
        self.main = main;
    }

    /// A move completed in overtime: after all of a period's moves the period is as at its begin.
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

    /// The main time shown: 0 at the final flag, also where what is used is counted up. The count
    /// itself is kept, for a flag may be annulled and what is used stays used.
    pub fn main_shown(&self) -> Span {
        if self.final_flag.is_some() { Span::ZERO } else { self.main }
    }

    /// The next period, and its time.
    pub fn enter_period(&mut self, time: Span, method: Method) {
        self.period += 1;
        self.main = self.main.plus(time.minus(self.owed));
        self.owed = self.owed.minus(time);
        self.settle_overtime(method);
    }

    /// Back in the period it was in before, without the time that came with this one. What was
    /// used of that time stays used.
    pub fn take_back_period(&mut self, time: Span, before: &Half) {
        self.period = before.period;
        if let Some(left) = self.overtime.take() {
            self.set_aside = Some((left, core::mem::take(&mut self.main)));
        }
        let given = time.minus(before.owed);
        self.owed = before.owed.plus(given.minus(self.main));
        self.main = self.main.minus(given);
    }

    /// A time that is set is the arbiter's word, also on what was owed.
    pub fn settle_debt(&mut self) {
        self.owed = Span::ZERO;
    }

    /// The arbiter's word on the period, of this method: the number only. The time shown stays; an
    /// overtime is set aside in a period without, and is there again in its own.
    pub fn set_period(&mut self, period: u32, method: Method) {
        self.period = period;
        match (method, self.overtime, self.set_aside) {
            (Method::Overtime(_), None, Some((left, main))) => {
                self.overtime = Some(left);
                self.set_aside = None;
                if self.final_flag.is_none() {
                    self.main = self.main.plus(main);
                }
            }
            (Method::Overtime(_), ..) | (_, None, _) => {}
            // Its time goes along with the side, so nothing of it is left there.
            (_, Some(left), _) => {
                self.overtime = None;
                self.set_aside = Some((left, Span::ZERO));
            }
        }
    }

    pub fn fall(&mut self, at: Instant) {
        self.final_flag = Some(at);
        if let Some(left) = &mut self.overtime {
            left.periods = 0;
        }
    }

    /// Takes the final flag back; whether there was one.
    pub fn annul_flag(&mut self) -> bool {
        self.overrun = Span::ZERO;
        let aside = self.set_aside.as_mut().map(|(left, _)| left);
        if let Some(left) = self.overtime.as_mut().or(aside) {
            // The last period of overtime is the one it was in.
            left.periods = left.periods.max(1);
        }
        self.final_flag.take().is_some()
    }
}

/// Charges the side on move for running time; with an hourglass the other side gets it.
pub(super) fn charge(
    halves: &mut PerSide<Half>,
    on_move: Side,
    method: Method,
    elapsed: Span,
    delay_left: Span,
) {
    let used = halves[on_move].charge(method, elapsed, delay_left);
    if method == Method::Hourglass {
        let other = &mut halves[on_move.other()];
        other.main = other.main.plus(used);
    }
}
