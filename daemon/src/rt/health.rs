//! What the clock loop reports about itself: counters, histograms and faults.
//!
//! All of it is written with single atomic stores, and no writer ever waits for a reader.

mod clock_rate;
mod fault;

pub use clock_rate::{ClockRate, Rate};
pub use fault::{Fault, FaultSet};

use super::histogram::Histogram;
use clockd_core::Button;
use clockd_core::Counts;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The clock loop writes it; any thread reads it.
#[derive(Debug, Default)]
pub struct Health {
    no_realtime: AtomicBool,
    /// Glitches and noise that did not count as presses.
    pub rejected: AtomicU64,
    /// The part of `rejected` that is noise, which did not end by itself.
    pub noise: AtomicU64,
    /// Presses that arrived too late to be decided in the order of their stamps.
    pub late: AtomicU64,
    /// Edges that were lost: a line's level did not match its last edge, or the kernel's sequence
    /// numbers had a gap.
    pub lost_edges: AtomicU64,
    /// How often some of them were lost because a queue had overflowed. The others are the effect
    /// of a fast bounce.
    pub overflows: AtomicU64,
    /// Updates that the publisher was too slow to take.
    pub lost_updates: AtomicU64,
    /// The time from the stamp of an edge until the loop has read it.
    pub edge_latency: Histogram,
    /// The time from the instant at which the loop wanted to wake up until it is awake.
    pub wake_lateness: Histogram,
    /// The time from the stamp of a press until it is decided. It includes the time that the
    /// debounce takes.
    pub decision_latency: Histogram,
    /// The rate of CLOCK_MONOTONIC. It is not measured by the loop, which reads only whether it is
    /// a fault.
    pub clock_rate: ClockRate,
    /// The record cannot be written. The recorder's thread sets this and the next two.
    pub storage_failed: AtomicBool,
    /// The record that was found at the start cannot be used.
    pub record_moved_aside: AtomicBool,
    /// Replaying the record gives another state than the clock has.
    pub record_mismatch: AtomicBool,
    /// The recorder needs the whole clock as the next entry, because those before do not lead to
    /// its state.
    pub state_wanted: AtomicBool,
    /// Entries for the record that found no room.
    pub lost_entries: AtomicU64,
    /// Both throws of the rocker are closed.
    pub(super) crossed: AtomicBool,
    stuck: AtomicU8,
    /// Buttons whose lines were found gone. No other line of their board is read either.
    broken: AtomicU8,
}

impl Health {
    /// Whether the loop has real-time priority and its memory is locked.
    pub fn realtime(&self) -> bool {
        !self.no_realtime.load(Ordering::Relaxed)
    }

    pub(super) fn set_realtime(&self, ok: bool) {
        self.no_realtime.store(!ok, Ordering::Relaxed);
    }

    /// Returns the value that was set before.
    pub(super) fn set_stuck(&self, button: Button, stuck: bool) -> bool {
        set(&self.stuck, button, stuck)
    }

    /// Copies the counters of the lines.
    pub(super) fn set_counts(&self, counts: Counts) {
        self.rejected.store(counts.rejected, Ordering::Relaxed);
        self.noise.store(counts.noise, Ordering::Relaxed);
        self.late.store(counts.late, Ordering::Relaxed);
        self.lost_edges.store(counts.lost_edges, Ordering::Relaxed);
        self.overflows.store(counts.overflows, Ordering::Relaxed);
    }

    pub(super) fn set_broken(&self, button: Button, broken: bool) {
        set(&self.broken, button, broken);
    }

    /// Records whether there is a board to read, at the start and when one is back.
    pub(super) fn set_board_missing(&self, missing: bool) {
        Button::ALL.into_iter().for_each(|button| self.set_broken(button, missing));
    }

    /// Buttons that have been down for too long.
    pub fn stuck(&self) -> impl Iterator<Item = Button> {
        members(&self.stuck)
    }

    /// The present faults. This neither allocates nor locks: the clock loop compares the set before
    /// a step with the set after it, to know whether there is a fault to publish.
    pub fn fault_set(&self) -> FaultSet {
        let flag = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        FaultSet {
            board_gone: self.broken.load(Ordering::Relaxed) != 0,
            stuck: self.stuck.load(Ordering::Relaxed),
            rocker_crossed: flag(&self.crossed),
            late_presses: count(&self.late),
            clock_rate: self.clock_rate.is_fault(),
            edges_dropped: count(&self.overflows),
            noise: count(&self.noise),
            updates_lost: count(&self.lost_updates),
            no_realtime: flag(&self.no_realtime),
            storage: flag(&self.storage_failed),
            record_moved_aside: flag(&self.record_moved_aside),
            record_mismatch: flag(&self.record_mismatch),
            entries_lost: count(&self.lost_entries),
        }
    }

    /// The texts of the present faults, the most serious first.
    pub fn faults(&self) -> Vec<String> {
        self.fault_set().iter().map(|fault| fault.to_string()).collect()
    }
}

fn set(bits: &AtomicU8, button: Button, on: bool) -> bool {
    let bit = bit(button);
    let before = if on {
        bits.fetch_or(bit, Ordering::Relaxed)
    } else {
        bits.fetch_and(!bit, Ordering::Relaxed)
    };
    before & bit != 0
}

fn members(bits: &AtomicU8) -> impl Iterator<Item = Button> + use<> {
    let bits = bits.load(Ordering::Relaxed);
    Button::ALL.into_iter().filter(move |button| bits & bit(*button) != 0)
}

const fn bit(button: Button) -> u8 {
    1 << button.index()
}

#[cfg(test)]
mod tests;
