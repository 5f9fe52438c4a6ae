//! The events of the clock, each with its own exact instant, and the queue in which they wait.
//!
//! `docs/laws.md` explains FIDE, which is the source of the cited clause.

use crate::{Instant, Side};

/// An event of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When the event happened: the stamp of the press, or the instant at which the time was used
    /// up.
    pub at: Instant,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A side's time was used up (FIDE 6.1: flag fall).
    Flag {
        /// The side whose time was used up.
        side: Side,
        /// The period in which the time was used up, from 1.
        period: u32,
    },
    /// A side entered its next period.
    Period {
        /// The side.
        side: Side,
        /// The number of the period in which the side is now, from 1.
        period: u32,
    },
    /// With a gong, the slice of one side ended and that of the other side began.
    Gong {
        /// The side whose clock runs now.
        side: Side,
    },
    /// A period of overtime began because time was used up.
    Overtime {
        /// The side in overtime.
        side: Side,
        /// How many periods are left, including the one that began.
        periods_left: u32,
    },
    /// A button of a player was pressed.
    Press {
        /// The side whose button was pressed.
        side: Side,
        /// Whether the press completed a move or started the game. If not, the press changed
        /// nothing, except that in unsupervised play it can confirm that a paused game goes on.
        accepted: bool,
    },
    /// The call button was pressed.
    Call {
        /// Whether the press called the arbiter. If not, it did nothing.
        accepted: bool,
    },
}

/// The largest number of events that a clock keeps until they are taken.
///
/// One call gives more events than this only if it decides many gongs. Without gongs and overtime
/// it gives at most 48: three at each of the 15 changes of period (a flag, and the new period of
/// each side), two final flags and a press.
pub const MAX_EVENTS: usize = 64;
pub(crate) use MAX_EVENTS as CAPACITY;

/// The events that are not yet taken, oldest first. The queue has a fixed size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventQueue<T> {
    slots: [Option<T>; CAPACITY],
    first: usize,
    len: usize,
}

impl<T: Copy> Default for EventQueue<T> {
    fn default() -> EventQueue<T> {
        EventQueue::new()
    }
}

/// Two queues are equal if the same events wait in the same order.
impl<T: Copy + PartialEq> PartialEq for EventQueue<T> {
    fn eq(&self, other: &EventQueue<T>) -> bool {
        self.len == other.len && self.waiting().eq(other.waiting())
    }
}

impl<T: Copy + Eq> Eq for EventQueue<T> {}

impl<T: Copy> EventQueue<T> {
    /// The events that wait, oldest first.
    fn waiting(&self) -> impl Iterator<Item = Option<T>> + '_ {
        (0..self.len).map(|place| self.slots[(self.first + place) % CAPACITY])
    }

    pub(crate) const fn new() -> EventQueue<T> {
        EventQueue { slots: [None; CAPACITY], first: 0, len: 0 }
    }

    /// Adds an event. If the queue is full, the oldest event is dropped.
    pub(crate) fn push(&mut self, event: T) {
        if self.len == CAPACITY {
            self.pop();
        }
        self.slots[(self.first + self.len) % CAPACITY] = Some(event);
        self.len += 1;
    }

    /// Calls `change` with every event that waits.
    pub(crate) fn for_each(&mut self, change: impl FnMut(&mut T)) {
        self.slots.iter_mut().flatten().for_each(change);
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        let event = self.slots[self.first].take()?;
        self.first = (self.first + 1) % CAPACITY;
        self.len -= 1;
        Some(event)
    }
}
