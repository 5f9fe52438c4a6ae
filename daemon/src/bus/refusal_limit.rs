//! Delays the commands of a user after very many commands of that user were refused. Each refused
//! command is an entry of the record and of the log. So a program that repeats such a command would
//! fill the storage, and would split the game in the record, because a game there has a limited
//! number of entries. This module reads no clock.

use clock_engine::{Instant, Span};
use std::collections::HashMap;

/// How many commands of a user can be refused at once before further ones are delayed.
const AT_ONCE: u64 = 1000;
/// After each interval of this length, one more command can be refused without a delay.
const INTERVAL: Span = Span::from_nanos(100_000_000);

/// The refused commands of each user. `None` is a user whose id the bus has not given yet.
#[derive(Default)]
pub struct RefusalLimit {
    /// The instant from which [`AT_ONCE`] commands of the user can be refused at once again.
    full_at: HashMap<Option<u32>, Instant>,
}

impl RefusalLimit {
    /// How long a command of this user has to wait.
    pub fn delay(&self, uid: Option<u32>, now: Instant) -> Span {
        let full_at = self.full_at.get(&uid).copied().unwrap_or(now);
        full_at.since(now).minus(Span::from_nanos(AT_ONCE * INTERVAL.as_nanos()))
    }

    /// Takes note of a refused command.
    pub fn refused(&mut self, uid: Option<u32>, now: Instant) {
        self.full_at.retain(|_, full_at| *full_at > now);
        let full_at = self.full_at.entry(uid).or_insert(now);
        *full_at = full_at.checked_add(INTERVAL).unwrap_or(*full_at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_1000_refusals_a_user_waits_100_ms_for_each_and_others_do_not() {
        let mut limit = RefusalLimit::default();
        let start = Instant::from_nanos(1);
        for _ in 0..AT_ONCE {
            assert!(limit.delay(Some(7), start).is_zero());
            limit.refused(Some(7), start);
        }
        assert!(limit.delay(Some(7), start).is_zero());
        limit.refused(Some(7), start);
        assert_eq!(limit.delay(Some(7), start), INTERVAL);
        assert!(limit.delay(Some(8), start).is_zero() && limit.delay(None, start).is_zero());
        let later = start.checked_add(INTERVAL).unwrap();
        assert!(limit.delay(Some(7), later).is_zero());
        limit.refused(Some(7), later);
        assert_eq!(limit.delay(Some(7), later), INTERVAL);
    }
}
