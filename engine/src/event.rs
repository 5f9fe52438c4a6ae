//! What happened, each at its own exact instant.

use crate::{Instant, Side};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When: the stamp of the press, the instant the time was used up.
    pub at: Instant,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A side's time was used up (FIDE 6.1: flag fall).
    Flag {
        /// Whose.
        side: Side,
        /// In which period, from 1.
        period: u32,
    },
    /// A side entered its next period.
    Period {
        /// The side.
        side: Side,
        /// The period it is in now, from 1.
        period: u32,
    },
    /// The other side's slice of the gong began.
    Gong {
        /// Whose clock runs now.
        side: Side,
    },
    /// A period of overtime began because time was used up.
    Overtime {
        /// Whose.
        side: Side,
        /// How many are left, this one included.
        periods_left: u32,
    },
    /// A player's button was pressed.
    Press {
        /// Whose.
        side: Side,
        /// Whether it completed a move or started the game. If not, it did nothing.
        accepted: bool,
    },
    /// The call button was pressed.
    Call {
        /// Whether it called the arbiter. If not, it did nothing.
        accepted: bool,
    },
}

/// The number of events a clock keeps until they are taken.
///
/// Only gongs can exceed it. Any other call gives at most 48 events: three at each of the 15 changes
/// of period, two final flags and a press.
pub const MAX_EVENTS: usize = 64;
pub(crate) use MAX_EVENTS as CAPACITY;

/// The events not yet taken, oldest first; of fixed size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventQueue {
    slots: [Option<Event>; CAPACITY],
    first: usize,
    len: usize,
}

impl EventQueue {
    pub(crate) const fn new() -> EventQueue {
        EventQueue { slots: [None; CAPACITY], first: 0, len: 0 }
    }

    /// Where the queue is full, the oldest event is dropped.
    pub(crate) fn push(&mut self, event: Event) {
        if self.len == CAPACITY {
            self.pop();
        }
        self.slots[(self.first + self.len) % CAPACITY] = Some(event);
        self.len += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<Event> {
        let event = self.slots[self.first].take()?;
        self.first = (self.first + 1) % CAPACITY;
        self.len -= 1;
        Some(event)
    }
}
