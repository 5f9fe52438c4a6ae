//! Updates on their way out of the clock loop.

use super::channel::Sender;
use super::health::Health;
use clockd_core::{Cause, Update};
use std::sync::atomic::Ordering;

/// Updates that leave the loop. A reader that is too slow for the ring gets every answer and the
/// latest state once there is room again; the loop never waits for it.
pub(super) struct UpdateQueue {
    updates: Sender<Update>,
    /// Answers that found no room, oldest first: a caller waits for each. There are never more than
    /// the requests that can wait for one.
    answers: [Option<Update>; super::MAX_REQUESTS],
    /// The latest state, if an update found no room.
    unsent: Option<Update>,
    pushed: bool,
}

impl UpdateQueue {
    pub(super) fn new(updates: Sender<Update>) -> UpdateQueue {
        let answers = [None; super::MAX_REQUESTS];
        UpdateQueue { updates, answers, unsent: None, pushed: false }
    }

    /// Whether something that found no room is still to be sent.
    pub(super) fn is_behind(&self) -> bool {
        self.unsent.is_some()
    }

    /// Whether this many answers found no room.
    #[cfg(test)]
    pub(super) fn holds(&self, answers: usize) -> bool {
        self.answers.iter().flatten().count() == answers
    }

    pub(super) fn put(&mut self, update: Update) {
        if !self.is_behind() && self.updates.push(update).is_ok() {
            self.pushed = true;
            return;
        }
        if let (Some(_), Some(free)) =
            (update.answer, self.answers.iter_mut().find(|slot| slot.is_none()))
        {
            *free = Some(update);
        }
        self.unsent = Some(Update { cause: Cause::Missed, answer: None, ..update });
    }

    /// Sends what found no room before, and wakes the reader if anything was sent.
    pub(super) fn send(&mut self, health: &Health) {
        self.catch_up(health);
        if std::mem::take(&mut self.pushed) {
            self.updates.notify();
        }
    }

    /// Sends first the answers in their order, then the state after all of them.
    fn catch_up(&mut self, health: &Health) {
        let Some(unsent) = self.unsent else { return };
        while let [Some(answer), ..] = self.answers {
            if self.updates.push(answer).is_err() {
                return;
            }
            // The next answer that finds no room comes after those that wait.
            self.answers[0] = None;
            self.answers.rotate_left(1);
            self.pushed = true;
        }
        if self.updates.push(unsent).is_ok() {
            health.lost_updates.fetch_add(1, Ordering::Relaxed);
            self.unsent = None;
            self.pushed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::channel::channel;
    use clock_engine::{Clock, Control, Instant, Method, Span};

    #[test]
    fn answers_that_found_no_room_are_sent_in_their_order() {
        let clock = Clock::new(Control::single(Span::ZERO, Method::None), Instant::ZERO);
        let answer = |id: u64| Update {
            answer: Some((id, Ok(()))),
            ..Update::new(Cause::Refused, Instant::ZERO, clock.view(Instant::ZERO), id)
        };
        let (updates, mut reader) = channel(1).unwrap();
        let (mut queue, health) = (UpdateQueue::new(updates), Health::default());
        let mut found = Vec::new();
        // A reader that takes one update whenever there are new ones.
        for id in 1..=6 {
            queue.put(answer(id));
            queue.send(&health);
            if id > 2 {
                found.extend(reader.pop().map(|update| update.revision));
            }
        }
        for _ in 0..6 {
            queue.send(&health);
            found.extend(reader.pop().map(|update| update.revision));
        }
        // The last one is the state that was owed.
        assert_eq!(found, [1, 2, 3, 4, 5, 6, 6]);
        assert!(!queue.is_behind());
    }
}
