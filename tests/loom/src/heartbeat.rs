//! What the watching thread concludes from the heartbeat while the loop runs.

use crate::model::Eventfd;
use crate::rt::progress::{LivenessCheck, LoopObservation, LoopState, Progress};
use clock_engine::Instant;
use loom::sync::Arc;
use loom::thread;

const IDLE: LoopState = LoopState::Waiting { until: None };

/// The loop and what it waits for.
#[derive(Default)]
struct Shared {
    progress: Progress,
    input: Eventfd,
}

impl Shared {
    fn observe(&self, millis: u64) -> LoopObservation {
        let now = Instant::from_nanos(millis * 1_000_000);
        self.progress
            .observe(now, || Ok(self.input.is_readable()))
            .expect("the model has no errors")
    }

    /// One iteration of the loop: wakes up, takes the input, and waits until this instant.
    fn iterate(&self, until: Option<Instant>) {
        self.progress.works();
        self.input.clear();
        self.progress.waits(until);
    }
}

#[test]
fn who_sees_a_wait_sees_all_wake_ups_before_it() {
    loom::model(|| {
        let progress = Arc::new(Progress::default());
        let clock_loop = Arc::clone(&progress);
        let running = thread::spawn(move || {
            for wait in 1..=2 {
                clock_loop.works();
                // The deadline of the wait with the number 1 is 1 ns, and that of the wait with the
                // number 2 is 2 ns.
                clock_loop.waits(Some(Instant::from_nanos(wait)));
            }
        });
        // No eventfd is polled here, because polling would also order the threads.
        let seen = progress.observe(Instant::ZERO, || Ok(false)).expect("the model has no errors");
        if let LoopState::Waiting { until: Some(at) } = seen.state {
            assert!(seen.wake_ups >= at.as_nanos(), "{seen:?}");
        }
        running.join().expect("the loop ended");
    });
}

#[test]
fn a_loop_that_wakes_up_between_two_observations_is_alive() {
    loom::model(|| {
        let shared = Arc::new(Shared::default());
        shared.iterate(None);
        let mut check = LivenessCheck::default();
        let first = shared.observe(0);
        assert!(check.is_alive(first) && first.state == IDLE);
        let clock_loop = Arc::clone(&shared);
        let running = thread::spawn(move || clock_loop.iterate(None));
        // The loop waited at the first observation. Whatever it does now, it began after that
        // observation, so the check must not report that it hangs.
        let second = shared.observe(250);
        assert!(check.is_alive(second), "{second:?}");
        running.join().expect("the loop ended");
    });
}

#[test]
fn a_loop_that_takes_its_input_is_alive_although_more_has_come() {
    const NEXT: u64 = 2;
    loom::model(|| {
        let shared = Arc::new(Shared::default());
        shared.iterate(None);
        shared.input.notify();
        let mut check = LivenessCheck::default();
        assert!(check.is_alive(shared.observe(0)));
        let clock_loop = Arc::clone(&shared);
        let running = thread::spawn(move || {
            clock_loop.iterate(None);
            // This is the next input, which the loop has had no time to take.
            clock_loop.input.add(NEXT);
        });
        let mut input = 0;
        let now = Instant::from_nanos(250_000_000);
        let seen = shared.progress.observe(now, || {
            input = shared.input.number();
            Ok(input > 0)
        });
        let is_alive = check.is_alive(seen.expect("the model has no errors"));
        // If the first input is still there, the loop may have hung since the first observation.
        assert!(is_alive || input != NEXT);
        running.join().expect("the loop ended");
    });
}

/// Checks that a loop that does `before` and then hangs is found. The first observation comes while
/// the loop does `before`. Of the two observations after it, only the first one may find the loop
/// alive.
fn is_found_to_hang(before: fn(&Shared)) {
    loom::model(move || {
        let shared = Arc::new(Shared::default());
        let clock_loop = Arc::clone(&shared);
        let running = thread::spawn(move || before(&clock_loop));
        let mut check = LivenessCheck::default();
        check.is_alive(shared.observe(0));
        running.join().expect("the loop ended");
        check.is_alive(shared.observe(250));
        let last = shared.observe(500);
        assert!(!check.is_alive(last), "{last:?}");
    });
}

#[test]
fn a_loop_that_hangs_at_work_is_found() {
    is_found_to_hang(|shared| {
        shared.iterate(None);
        shared.progress.works();
    });
}

#[test]
fn a_loop_that_does_not_take_its_input_is_found() {
    is_found_to_hang(|shared| {
        shared.iterate(None);
        shared.input.notify();
    });
}

#[test]
fn a_loop_that_misses_its_deadline_is_found() {
    is_found_to_hang(|shared| shared.iterate(Some(Instant::from_nanos(1))));
}

#[test]
fn a_loop_that_has_ended_is_found() {
    is_found_to_hang(|shared| {
        shared.iterate(None);
        shared.progress.end();
    });
}
