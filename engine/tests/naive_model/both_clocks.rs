//! Gives the engine and the naive model the same inputs and compares both after each.

use crate::games::{Action, take_events};
use crate::model::Naive;
use crate::nanos;
use clock_engine::{Clock, Control, EventKind, Instant, Refused};
use proptest::prelude::*;

#[derive(Clone)]
pub struct BothClocks {
    pub clock: Clock,
    pub naive: Naive,
}

impl BothClocks {
    pub fn new(control: Control) -> BothClocks {
        BothClocks { clock: Clock::new(control, Instant::ZERO), naive: Naive::new(control) }
    }

    /// Gives the engine and the model the same input, and checks that the refusal, the view, the
    /// events and the next timeout are the same. Returns whether the input had an effect: a command
    /// was carried out or a press was accepted. A wait always counts as an effect.
    pub fn step(&mut self, action: Action, at: Instant) -> Result<bool, TestCaseError> {
        let now = nanos(at);
        let (clock, naive) = (&mut self.clock, &mut self.naive);
        let done = action.apply_to(clock, at).map_err(Refused::code);
        let expected = match action {
            Action::Move => unreachable!("a move is settled to be a side's press"),
            Action::Press(side) => {
                naive.press(side, now);
                Ok(())
            }
            Action::Call => {
                naive.call(now);
                Ok(())
            }
            Action::Timeout => {
                naive.until(now);
                Ok(())
            }
            Action::Command(command) => naive.command(command, now),
        };
        prop_assert_eq!(done, expected, "{:?} at {}", action, now);
        let did_nothing = self.compare(&format!("{action:?}"), at)?;
        Ok(done.is_ok() && !did_nothing)
    }

    /// Compares both clocks after an input. Returns whether a press or a call had no effect.
    fn compare(&mut self, input: &str, at: Instant) -> Result<bool, TestCaseError> {
        let now = nanos(at);
        let (clock, naive) = (&mut self.clock, &mut self.naive);
        prop_assert_eq!(clock.view(at), naive.view(now), "{} at {}", input, now);
        let reported: Vec<_> = take_events(clock).iter().map(|e| (nanos(e.at), e.kind)).collect();
        let did_nothing = reported.iter().any(|(_, kind)| {
            matches!(
                kind,
                EventKind::Press { accepted: false, .. } | EventKind::Call { accepted: false }
            )
        });
        prop_assert_eq!(reported, naive.take_events(), "{} at {}", input, now);
        let due = clock.poll_timeout().map(nanos);
        prop_assert_eq!(due, naive.due(), "{} at {}", input, now);
        Ok(did_nothing)
    }

    /// Checks that the views of the engine and of the model are the same at two instants before the
    /// next timeout. No input comes before these instants.
    pub fn compare_while_waiting(&self) -> Result<(), TestCaseError> {
        let at = self.clock.last().as_nanos();
        let due = self.clock.poll_timeout();
        let last = due.map_or(at + 50, |due| due.as_nanos() - 1).max(at);
        for between in [at.midpoint(last), last] {
            let view = self.clock.view(Instant::from_nanos(between));
            prop_assert_eq!(view, self.naive.view(between.into()), "between");
        }
        Ok(())
    }
}
