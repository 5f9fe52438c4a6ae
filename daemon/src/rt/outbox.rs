//! Updates on their way out of the clock loop.

use super::channel::Sender;
use super::desk::{Cause, Update};
use super::health::Health;
use std::sync::atomic::Ordering;

/// More answers than this are never owed: it is all the commands that can be under way.
const ANSWERS: usize = super::REQUESTS + super::inbox::CAPACITY;

/// Updates on their way out. A reader too slow for its ring gets every answer and the latest
/// state once there is room again; the loop never waits for it.
pub(super) struct Outbox {
    updates: Sender<Update>,
    /// Answers that found no room, oldest first: somebody waits for each.
    answers: [Option<Update>; ANSWERS],
    owed: Option<Update>,
    rung: bool,
}

impl Outbox {
    pub(super) fn new(updates: Sender<Update>) -> Outbox {
        Outbox { updates, answers: [None; ANSWERS], owed: None, rung: false }
    }

    pub(super) fn owes(&self) -> bool {
        self.owed.is_some()
    }

    pub(super) fn put(&mut self, update: Update) {
        if !self.owes() && self.updates.push(update).is_ok() {
            self.rung = true;
            return;
        }
        if let (Some(_), Some(free)) =
            (update.answer, self.answers.iter_mut().find(|slot| slot.is_none()))
        {
            *free = Some(update);
        }
        self.owed = Some(Update { cause: Cause::Missed, answer: None, ..update });
    }

    pub(super) fn send(&mut self, health: &Health) {
        self.pay(health);
        if std::mem::take(&mut self.rung) {
            self.updates.ring_bell();
        }
    }

    /// What is owed, in order: the answers, then the state after all of them.
    fn pay(&mut self, health: &Health) {
        let Some(owed) = self.owed else { return };
        for slot in &mut self.answers {
            if let Some(answer) = *slot {
                if self.updates.push(answer).is_err() {
                    return;
                }
                *slot = None;
                self.rung = true;
            }
        }
        if self.updates.push(owed).is_ok() {
            health.lost_updates.fetch_add(1, Ordering::Relaxed);
            self.owed = None;
            self.rung = true;
        }
    }
}
