//! Limits the commands of each user, so that a program that repeats a command keeps no other
//! arbiter from giving commands. A user whose commands were refused very often has to wait, because
//! each refused command is an entry of the record and of the log. Without this limit, such entries
//! would fill the storage, and the record would continue the game as another game
//! (`MAX_GAME_ENTRIES`). This module reads no clock.

use clock_engine::{Instant, Span};
use std::collections::HashMap;

/// How many commands of a user can be refused in quick succession before further ones are delayed.
const AT_ONCE: u64 = 1000;
/// After each interval of this length, one more command can be refused without a delay.
const INTERVAL: Span = Span::from_nanos(100_000_000);

/// How many commands of a user can wait for a place (`Arbiter::places`).
const WAITING: usize = 8;

/// The commands of each user. `None` is a user whose id the bus has not given yet.
#[derive(Default)]
pub struct UserLimits {
    /// The instant from which [`AT_ONCE`] further commands of the user can be refused without a
    /// delay.
    full_at: HashMap<Option<u32>, Instant>,
    /// How many commands of the user wait for a place.
    waiting: HashMap<Option<u32>, usize>,
}

impl UserLimits {
    /// Counts one more command that waits for a place. Returns `false`, and does not count it, if
    /// [`WAITING`] commands of the user wait already.
    pub fn begin_waiting(&mut self, uid: Option<u32>) -> bool {
        let waiting = self.waiting.entry(uid).or_default();
        let has_room = *waiting < WAITING;
        *waiting += usize::from(has_room);
        has_room
    }

    /// Takes note that a command that `begin_waiting` has counted waits no longer.
    pub fn end_waiting(&mut self, uid: Option<u32>) {
        if let Some(waiting) = self.waiting.get_mut(&uid) {
            *waiting = waiting.saturating_sub(1);
        }
        self.waiting.retain(|_, waiting| *waiting > 0);
    }

    /// How long a command of this user has to wait; 0 if the user has not had too many commands
    /// refused.
    pub fn delay(&self, uid: Option<u32>, now: Instant) -> Span {
        let full_at = self.full_at.get(&uid).copied().unwrap_or(now);
        full_at.since(now).minus(Span::from_nanos(AT_ONCE * INTERVAL.as_nanos()))
    }

    /// Whether any user has to wait.
    pub fn delays_anyone(&self, now: Instant) -> bool {
        self.full_at.keys().any(|uid| !self.delay(*uid, now).is_zero())
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
        let mut limit = UserLimits::default();
        let start = Instant::from_nanos(1);
        for _ in 0..AT_ONCE {
            assert!(limit.delay(Some(7), start).is_zero());
            limit.refused(Some(7), start);
        }
        assert!(limit.delay(Some(7), start).is_zero());
        limit.refused(Some(7), start);
        assert_eq!(limit.delay(Some(7), start), INTERVAL);
        assert!(limit.delays_anyone(start));
        assert!(limit.delay(Some(8), start).is_zero() && limit.delay(None, start).is_zero());
        let later = start.checked_add(INTERVAL).unwrap();
        assert!(limit.delay(Some(7), later).is_zero() && !limit.delays_anyone(later));
        limit.refused(Some(7), later);
        assert_eq!(limit.delay(Some(7), later), INTERVAL);
    }

    #[test]
    fn a_ninth_waiting_command_of_a_user_has_no_room_and_those_of_others_have() {
        let mut limits = UserLimits::default();
        assert!((0..WAITING).all(|_| limits.begin_waiting(Some(7))));
        assert!(!limits.begin_waiting(Some(7)));
        assert!(limits.begin_waiting(Some(8)) && limits.begin_waiting(None));
        limits.end_waiting(Some(7));
        assert!(limits.begin_waiting(Some(7)) && !limits.begin_waiting(Some(7)));
    }
}
