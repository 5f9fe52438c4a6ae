//! Target: any presses and commands, at any instants, on a clock with any control.

mod invariants;
mod second_clock;
mod steps;

use crate::bytes::Bytes;
use crate::control::control;
use clock_engine::{Clock, Event, Instant};
use second_clock::SecondClock;
use steps::{apply, at, step};

/// Carries out steps on a clock: presses and commands, as `data` chooses them. `invariants` checks
/// what must hold after every step. `second_clock` checks that the result does not depend on the
/// instants at which the clock is called.
pub fn command_stream(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let control = match control(&mut bytes) {
        Ok(control) => control,
        Err(refused) => return assert!(!refused.to_string().is_empty()),
    };
    let start = bytes.pick(&[0, 1_000_000_000, u64::MAX / 2, u64::MAX - 3_000_000_000, u64::MAX]);
    let mut clock = Clock::new(control, Instant::from_nanos(start));
    let mut second = SecondClock::new(clock);
    invariants::of_the_view(&clock);
    while !bytes.is_empty() {
        let at = at(&mut bytes, &clock);
        let step = step(&mut bytes, &clock);
        // A copy of the clock from before the step. The invariants compare it with the clock.
        let before = clock;
        let result = apply(&mut clock, step, at);
        let events = take(&mut clock);
        second.check(&mut bytes, step, at, &clock, result, &events);
        match result {
            Ok(()) => invariants::of_a_step(before, step, at, &clock, &events),
            Err(refused) => invariants::of_a_refusal(before, at, &clock, refused, &events),
        }
        invariants::of_the_view(&clock);
        invariants::of_running(&clock, bytes.span());
    }
}

/// Takes all events out of the clock.
fn take(clock: &mut Clock) -> Vec<Event> {
    std::iter::from_fn(|| clock.poll_event()).collect()
}
