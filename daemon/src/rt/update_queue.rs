//! Updates on their way out of the clock loop.

use super::channel::Sender;
use super::health::Health;
use super::loop_core::{Cause, Update};
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
        for slot in &mut self.answers {
            if let Some(answer) = *slot {
                if self.updates.push(answer).is_err() {
                    return;
                }
                *slot = None;
                self.pushed = true;
            }
        }
        if self.updates.push(unsent).is_ok() {
            health.lost_updates.fetch_add(1, Ordering::Relaxed);
            self.unsent = None;
            self.pushed = true;
        }
    }
}
