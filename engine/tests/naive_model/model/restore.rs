//! `Clock::restore`: the clock is restored to an earlier state.

use super::Naive;
use clock_engine::{AfterFlag, Caller, PausedBy, Phase};

impl Naive {
    /// Restores the state that `earlier` had at the instant `taken`, right after it had handled an
    /// input. The restoration is refused in the same phases as a correction.
    pub fn restore(&mut self, earlier: &Naive, taken: i128, at: i128) -> Result<(), &'static str> {
        self.until(at);
        match self.phase {
            Phase::Over => return Err("game-over"),
            Phase::Running => return Err("not-paused"),
            Phase::Ready | Phase::Paused | Phase::Ruling => {}
        }
        let events = std::mem::take(&mut self.events);
        *self = Naive { events, outcome: None, called_by: None, ..earlier.clone() };
        self.stop(taken);
        self.pause(PausedBy::Caller(Caller::Arbiter));
        if self.first_flag.is_some() && self.after_flag() == AfterFlag::Halt {
            self.phase = Phase::Ruling;
        }
        Ok(())
    }
}
