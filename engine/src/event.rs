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
    /// A side came into its next period.
    Period {
        /// Who.
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
        /// How many are left, this one among them.
        periods_left: u32,
    },
    /// A player's button was pressed.
    Press {
        /// Whose.
        side: Side,
        /// Whether it completed a move or started the game; otherwise it did nothing.
        accepted: bool,
    },
    /// The call button was pressed.
    Call {
        /// Whether the call now stands; otherwise it did nothing.
        accepted: bool,
    },
}

/// How many events a clock keeps until they are taken. One call gives fewer: three at each of 15
/// ends of a period, two final flags and a press; only gongs can be more.
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

    /// A caller that never takes its events loses the oldest.
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
