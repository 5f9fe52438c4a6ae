//! The arbiter's commands, one function each.

use super::{Clock, Stage, Standing};
use crate::{
    Caller, Control, Correction, Instant, MAX_GIVEN, Outcome, PausedBy, Phase, Refused, Side, Span,
};

/// The clocks stand by the arbiter's will.
const BY_ARBITER: PausedBy = PausedBy::Caller(Caller::Arbiter);

impl Clock {
    pub(super) fn start(&mut self, at: Instant) -> Result<(), Refused> {
        match self.stage {
            Stage::Ready => {
                self.stage = Stage::Running { since: at };
                self.called_by = None;
                Ok(())
            }
            Stage::Over { .. } => Err(Refused::GameOver),
            _ => Err(Refused::NotReady(self.phase())),
        }
    }

    pub(super) fn pause(&mut self, by: Caller, at: Instant) -> Result<(), Refused> {
        match self.stage {
            Stage::Running { .. } => self.charge(at),
            Stage::Over { .. } => return Err(Refused::GameOver),
            _ => return Err(Refused::NotRunning(self.phase())),
        }
        self.stage = Stage::Paused { by: PausedBy::Caller(by) };
        match by {
            Caller::Arbiter => self.called_by = None,
            Caller::Player(_) | Caller::Button => self.called_by = Some(by),
            // The call that stands, if one does, still waits for its answer.
            Caller::Fault => {}
        }
        Ok(())
    }

    pub(super) fn resume(&mut self, side: Option<Side>, at: Instant) -> Result<(), Refused> {
        match self.stage {
            Stage::Paused { .. } => {}
            Stage::Over { .. } => return Err(Refused::GameOver),
            _ => return Err(Refused::NotPaused(self.phase())),
        }
        self.hand_over(side);
        self.stage = Stage::Running { since: at };
        self.called_by = None;
        Ok(())
    }

    /// A new turn for the side named; the side on move already just keeps its turn.
    fn hand_over(&mut self, side: Option<Side>) {
        let Some(side) = side.filter(|side| *side != self.on_move) else {
            return;
        };
        // As with a delay, the next turn of the side interrupted has its whole slice.
        if let Some(slice) = self.method(self.on_move).slice() {
            self.halves[self.on_move].main = slice;
        }
        self.begin_turn(side);
        self.last_move = None;
    }

    /// Corrections are for standing clocks: ready, paused or awaiting a ruling.
    pub(super) fn check_standing(&self) -> Result<(), Refused> {
        match self.stage {
            Stage::Ready | Stage::Paused { .. } | Stage::Ruling => Ok(()),
            Stage::Running { .. } => Err(Refused::NotPaused(Phase::Running)),
            Stage::Over { .. } => Err(Refused::GameOver),
        }
    }

    /// All of it or nothing: everything is checked before anything is changed.
    pub(super) fn correct(&mut self, correction: Correction) -> Result<(), Refused> {
        self.check_standing()?;
        for side in Side::BOTH {
            if correction.time[side].is_some_and(|time| time > MAX_GIVEN) {
                return Err(Refused::TooMuchTime);
            }
            let periods = self.control.last().unwrap_or(u32::MAX);
            if let Some(given) = correction.period[side].filter(|n| !(1..=periods).contains(n)) {
                return Err(Refused::NoSuchPeriod { given, periods });
            }
        }
        if correction.on_move.is_some() && matches!(self.stage, Stage::Ready) {
            return Err(Refused::WhiteBegins);
        }
        if correction != Correction::default() {
            self.last_move = None;
        }
        for side in Side::BOTH {
            let half = &mut self.halves[side];
            half.moves = correction.moves[side].unwrap_or(half.moves);
            if let Some(period) = correction.period[side] {
                half.set_period(period, self.control.period(period).method[side]);
            }
            if let Some(time) = correction.time[side] {
                half.settle_debt();
                self.give_main(side, time);
                let method = self.method(side);
                self.halves[side].settle_overtime(method);
            }
        }
        match self.stage {
            // No turn has begun: White's first has the delay of the period it now stands in.
            Stage::Ready => self.begin_turn(Side::White),
            _ => self.hand_over(correction.on_move),
        }
        Ok(())
    }

    pub(super) fn add_time(&mut self, side: Side, delta_ns: i64) -> Result<(), Refused> {
        self.check_standing()?;
        let main = self.halves[side].main;
        let amount = Span::from_nanos(delta_ns.unsigned_abs());
        if delta_ns < 0 && amount >= main {
            return Err(Refused::CutTooLarge { cut: amount, left: main });
        }
        let time = if delta_ns < 0 { main.minus(amount) } else { main.plus(amount) };
        if delta_ns > 0 && time > MAX_GIVEN {
            return Err(Refused::TooMuchTime);
        }
        if delta_ns != 0 {
            self.last_move = None;
            self.give_main(side, time);
        }
        Ok(())
    }

    /// Time above 0 on a flagged side annuls its flag; the question of the flag is then settled.
    fn give_main(&mut self, side: Side, time: Span) {
        let half = &mut self.halves[side];
        if time.is_zero() && half.final_flag.is_some() {
            return;
        }
        half.main = time;
        self.annul_flag(side);
    }

    /// The final flag of this side, if it has one, is taken for not fallen.
    pub(super) fn annul_flag(&mut self, side: Side) {
        if !self.halves[side].annul_flag() {
            return;
        }
        let other = side.other();
        let other_flagged = self.halves[other].final_flag.is_some();
        self.first_flag = other_flagged.then_some(other);
        if !other_flagged && matches!(self.stage, Stage::Ruling) {
            self.stage = Stage::Paused { by: BY_ARBITER };
        }
    }

    pub(super) fn finish(&mut self, outcome: Outcome, at: Instant) -> Result<(), Refused> {
        let before = match self.stage {
            Stage::Over { .. } => return Err(Refused::GameOver),
            Stage::Ready => Standing::Ready,
            Stage::Running { .. } => {
                self.charge(at);
                Standing::Paused { by: BY_ARBITER }
            }
            Stage::Paused { by } => Standing::Paused { by },
            Stage::Ruling => Standing::Ruling,
        };
        self.stage = Stage::Over { outcome, before };
        self.called_by = None;
        Ok(())
    }

    /// The result is taken back; both clocks stand as they stood.
    pub(super) fn reopen(&mut self) -> Result<(), Refused> {
        let Stage::Over { before, .. } = self.stage else {
            return Err(Refused::NotOver(self.phase()));
        };
        self.stage = match before {
            Standing::Ready => Stage::Ready,
            Standing::Paused { by } => Stage::Paused { by },
            Standing::Ruling => Stage::Ruling,
        };
        Ok(())
    }

    pub(super) fn set_up(&mut self, control: Control, at: Instant) -> Result<(), Refused> {
        if let Stage::Running { .. } = self.stage {
            return Err(Refused::NotPaused(Phase::Running));
        }
        *self = Clock { events: self.events, ..Clock::new(control, at) };
        Ok(())
    }
}
