//! Whether the machine knows the wall time: the date and the time of day.
//!
//! The number on CLOCK_REALTIME does not tell. On a machine without a battery-backed clock, systemd
//! moves the clock at the start to the time of its own build, or to that of an earlier shutdown, so
//! a wrong time looks like a right one. [`is_known`] looks at what set the clock instead
//! ([`Evidence`]). Until it says `true`, no date is recorded and nothing starts at a time of day.

#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod evidence;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

pub use evidence::Evidence;

/// While the time is not known, how long an answer is used before the evidence is read again. A
/// battery-backed clock on I2C takes about a millisecond to answer.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// What a process knows about the wall time of its machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Knowledge {
    is_known: bool,
    /// When the evidence was read last, on a clock that never jumps.
    read_at: Option<Duration>,
}

impl Knowledge {
    /// Whether the wall time is known at `now`, an instant on a clock that never jumps. Reads the
    /// evidence at most every 5 s. A known time stays known: nine hours after the last answer of a
    /// time server the kernel says that the clock is not synchronised, but it is wrong by a few
    /// seconds a day only.
    pub fn is_known(&mut self, now: Duration, evidence: impl FnOnce() -> Evidence) -> bool {
        let is_due = self.read_at.is_none_or(|at| now.saturating_sub(at) >= LOOK_AGAIN);
        if !self.is_known && is_due {
            self.read_at = Some(now);
            self.is_known = evidence().shows_the_time();
        }
        self.is_known
    }
}

/// Whether the wall time of this machine is known.
///
/// The environment variable `CHESS_CLOCK_WALL_TIME` with the value `known` or `unknown` answers in
/// place of the kernel: for tests, and for a machine that gets its time in a way that the kernel
/// does not see.
pub fn is_known() -> bool {
    /// A read of the evidence can take long, so the usual answer needs no lock.
    static IS_KNOWN: AtomicBool = AtomicBool::new(false);
    static KNOWLEDGE: Mutex<Knowledge> = Mutex::new(Knowledge { is_known: false, read_at: None });
    static START: OnceLock<Instant> = OnceLock::new();
    static GIVEN: OnceLock<Option<bool>> = OnceLock::new();
    if let Some(given) = GIVEN.get_or_init(given) {
        return *given;
    }
    if IS_KNOWN.load(Ordering::Relaxed) {
        return true;
    }
    let now = START.get_or_init(Instant::now).elapsed();
    let mut knowledge = KNOWLEDGE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_known = knowledge.is_known(now, Evidence::read);
    IS_KNOWN.store(is_known, Ordering::Relaxed);
    is_known
}

/// The answer in the environment.
fn given() -> Option<bool> {
    match std::env::var("CHESS_CLOCK_WALL_TIME").as_deref() {
        Ok("known") => Some(true),
        Ok("unknown") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_becomes_known_is_noticed_after_5_s_and_stays_known() {
        let mut knowledge = Knowledge::default();
        let synchronized = |is_synchronized| Evidence { is_synchronized, ..Evidence::default() };
        let at = Duration::from_millis;
        assert!(!knowledge.is_known(at(0), || synchronized(false)));
        assert!(!knowledge.is_known(at(4_999), || panic!("it is read every 5 s")));
        assert!(!knowledge.is_known(at(5_000), || synchronized(false)));
        assert!(!knowledge.is_known(at(9_999), || panic!("it is read every 5 s")));
        assert!(knowledge.is_known(at(10_000), || synchronized(true)));
        assert!(knowledge.is_known(at(90_000_000), || panic!("a known time stays known")));
    }
}
