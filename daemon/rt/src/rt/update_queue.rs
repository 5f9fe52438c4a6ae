//! Sends updates out of the clock loop.

use super::channel::Sender;
use super::health::Health;
use clockd_core::{Cause, Update};
use std::sync::atomic::Ordering;

/// Puts updates into the ring without waiting. After an update has found no room, the queue keeps
/// the answers and the latest state, and drops all other updates, until it has sent everything that
/// it keeps.
pub(super) struct UpdateQueue {
    updates: Sender<Update>,
    /// Answers that found no room, the oldest first. They are not dropped, because a caller waits
    /// for each. No more than `MAX_REQUESTS` requests wait for an answer at once.
    answers: [Option<Update>; super::MAX_REQUESTS],
    /// The latest state, with the cause [`Cause::Missed`]; `None` if no update waits for room.
    unsent: Option<Update>,
    pushed: bool,
}

impl UpdateQueue {
    pub(super) fn new(updates: Sender<Update>) -> UpdateQueue {
        let answers = [None; super::MAX_REQUESTS];
        UpdateQueue { updates, answers, unsent: None, pushed: false }
    }

    /// Whether updates that found no room are still to be sent.
    pub(super) fn is_behind(&self) -> bool {
        self.unsent.is_some()
    }

    /// Whether exactly this many answers wait for room.
    #[cfg(test)]
    pub(super) fn holds(&self, answers: usize) -> bool {
        self.answers.iter().flatten().count() == answers
    }

    pub(super) fn put(&mut self, update: &Update) {
        if !self.is_behind() && self.updates.push_copy(update) {
            self.pushed = true;
            return;
        }
        if let (Some(_), Some(free)) =
            (update.answer, self.answers.iter_mut().find(|slot| slot.is_none()))
        {
            *free = Some(*update);
        }
        self.unsent = Some(Update { cause: Cause::Missed, answer: None, ..*update });
    }

    /// Sends the updates that found no room before, and wakes the reader if anything was sent.
    pub(super) fn send(&mut self, health: &Health) {
        self.catch_up(health);
        self.wake_reader();
    }

    /// Wakes the reader if an update was put into the ring after the reader was last woken.
    pub(super) fn wake_reader(&mut self) {
        if std::mem::take(&mut self.pushed) {
            self.updates.notify();
        }
    }

    /// Sends the updates that found no room: first the answers in their order, then the latest
    /// state.
    fn catch_up(&mut self, health: &Health) {
        let Some(unsent) = &self.unsent else { return };
        while let [Some(answer), ..] = &self.answers {
            if !self.updates.push_copy(answer) {
                return;
            }
            // The free slot moves to the end, behind the answers that still wait.
            self.answers[0] = None;
            self.answers.rotate_left(1);
            self.pushed = true;
        }
        if self.updates.push_copy(unsent) {
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
        // From the third update on, the reader takes one update after each `send`.
        for id in 1..=6 {
            queue.put(&answer(id));
            queue.send(&health);
            if id > 2 {
                found.extend(reader.pop().map(|update| update.revision));
            }
        }
        for _ in 0..6 {
            queue.send(&health);
            found.extend(reader.pop().map(|update| update.revision));
        }
        // The last update is the latest state, which `send` adds after the answers.
        assert_eq!(found, [1, 2, 3, 4, 5, 6, 6]);
        assert!(!queue.is_behind());
    }
}
