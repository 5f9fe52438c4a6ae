//! The health of the daemon: counters, histograms and faults.
//!
//! Each value is written with atomic operations, so no writer ever waits for a reader.

mod clock_rate;
mod fault;

pub use clock_rate::{ClockRate, Rate};
pub use fault::{Fault, FaultSet};

use super::histogram::Histogram;
use clockd_core::Button;
use clockd_core::Counts;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The clock loop, the recorder and the monitors on the main thread write these values; any thread
/// reads them.
#[derive(Debug, Default)]
pub struct Health {
    /// The text of the fault if the configuration was refused at the start; otherwise `None`.
    configuration_refused: Option<String>,
    no_realtime: AtomicBool,
    /// Whether no record is kept. It is set at the start.
    pub no_record: AtomicBool,
    /// Contacts that did not become presses: glitches, noise, and contacts that were undecided when
    /// the board was lost.
    pub rejected: AtomicU64,
    /// How many of `rejected` were noise: candidates for a press that were still undecided at the
    /// age of `MAX_CANDIDATE_AGE`, and lines with too many edges.
    pub noise: AtomicU64,
    /// Presses of the players' buttons and of the call button that were read too late: an input or
    /// a flag with a later stamp had already been decided. Only presses that would have taken
    /// effect at their own stamp are counted. Presses for which the reorder buffer had no room are
    /// counted, too.
    pub late: AtomicU64,
    /// Edges that were lost: those that are missing according to the level or to the kernel's
    /// sequence numbers, and those for which a `LineReading` had no room.
    pub lost_edges: AtomicU64,
    /// How often edges were dropped because a queue of the kernel was full or a `LineReading` had
    /// no room for them. Edges that are lost in a fast bounce are not counted here, and are no
    /// fault.
    pub(super) overflows: AtomicU64,
    /// How often updates were replaced by the latest state, because the ring of updates was full.
    pub(super) lost_updates: AtomicU64,
    /// The time from the stamp of an edge until the loop has read it.
    pub edge_latency: Histogram,
    /// The time from a deadline of the loop until the loop is awake.
    pub wake_lateness: Histogram,
    /// The time from the stamp of a press of any button until the press is decided, for presses
    /// while a clock runs. This time includes the time that the debounce takes.
    pub decision_latency: Histogram,
    /// The rate of CLOCK_MONOTONIC. `rate_monitor.rs` of `clockd` measures it. The loop reads
    /// only whether the rate is a fault.
    pub clock_rate: ClockRate,
    /// Whether the record cannot be written. The recorder's thread sets this and the next three
    /// values; the storage monitor also sets `storage_failed`.
    pub storage_failed: AtomicBool,
    /// Whether the file of the latest game on record was damaged, so that it was moved aside.
    pub record_moved_aside: AtomicBool,
    /// Whether replaying the record gives another state than the clock has.
    pub record_mismatch: AtomicBool,
    /// Whether the retained memory of the earlier process was damaged.
    pub memory_damaged: AtomicBool,
    /// Whether the number of the game on the clock may differ from the published one. The recorder's
    /// thread sets this, and the loop clears it and makes an update.
    pub renumbered: AtomicBool,
    /// Whether the recorder needs the whole clock as the next entry, because the entries on record
    /// do not lead to the state of the clock. The loop clears this.
    pub state_wanted: AtomicBool,
    /// The number of the latest entry that the loop has added. The number that the main thread knows
    /// can be lower, because it takes the updates later.
    pub latest_entry: AtomicU64,
    /// How many entries are missing from the record, for example because the ring of entries in the
    /// retained memory was full. The number includes those of the latest game on record that
    /// earlier processes of this boot have lost.
    pub lost_entries: AtomicU64,
    /// How many edges and presses the test of the buttons could not show, because the ring for them
    /// was full.
    pub untraced: AtomicU64,
    /// Whether both throws of the rocker (the contacts of its two sides) have been closed for the
    /// settle time.
    pub(super) crossed: AtomicBool,
    /// The position of the rocker, if it was pushed while the menu was open and the game does not know
    /// its new position yet: 4, plus 1 if the throw that is wired as White's is closed, plus 2 if
    /// Black's is. Otherwise 0.
    rocker_in_menu: AtomicU8,
    stuck: AtomicU8,
    /// The buttons whose lines were found gone; all buttons if there was no board at the start.
    /// While the bit of any button is set, no line of the board is read.
    broken: AtomicU8,
}

impl Health {
    /// The health at the start. `configuration_refused` is the text of the fault if the
    /// configuration was refused.
    pub fn new(configuration_refused: Option<String>) -> Health {
        Health { configuration_refused, ..Health::default() }
    }

    /// Whether the loop has real-time priority and its memory is locked.
    pub fn realtime(&self) -> bool {
        !self.no_realtime.load(Ordering::Relaxed)
    }

    pub(super) fn set_realtime(&self, ok: bool) {
        self.no_realtime.store(!ok, Ordering::Relaxed);
    }

    /// Records whether a button is stuck. Returns the value that was set before.
    pub(super) fn set_stuck(&self, button: Button, stuck: bool) -> bool {
        set(&self.stuck, button, stuck)
    }

    /// Copies the counters of the core.
    pub(super) fn set_counts(&self, counts: Counts) {
        self.rejected.store(counts.rejected, Ordering::Relaxed);
        self.noise.store(counts.noise, Ordering::Relaxed);
        self.late.store(counts.late, Ordering::Relaxed);
        self.lost_edges.store(counts.lost_edges, Ordering::Relaxed);
        self.overflows.store(counts.overflows, Ordering::Relaxed);
    }

    pub(super) fn set_rocker_in_menu(&self, closed: Option<[bool; 2]>) {
        let packed = closed.map_or(0, |[white, black]| 4 | u8::from(white) | u8::from(black) << 1);
        self.rocker_in_menu.store(packed, Ordering::Relaxed);
    }

    /// Which throws of the rocker are closed, first the one that is wired as White's, if the rocker
    /// was pushed while the menu was open. The game learns this position before the next command is
    /// decided. `None` if the game knows the position of the rocker, or if there is no rocker.
    pub fn rocker_in_menu(&self) -> Option<[bool; 2]> {
        let packed = self.rocker_in_menu.load(Ordering::Relaxed);
        (packed != 0).then_some([packed & 1 != 0, packed & 2 != 0])
    }

    pub(super) fn set_broken(&self, button: Button, broken: bool) {
        set(&self.broken, button, broken);
    }

    /// Whether no line of the button board is read.
    pub fn is_board_missing(&self) -> bool {
        self.broken.load(Ordering::Relaxed) != 0
    }

    /// Records whether a board is missing, at the start and when a board is back.
    pub(super) fn set_board_missing(&self, missing: bool) {
        Button::ALL.into_iter().for_each(|button| self.set_broken(button, missing));
    }

    /// The buttons that have been down for at least `Times::stuck`.
    pub fn stuck(&self) -> impl Iterator<Item = Button> {
        members(&self.stuck)
    }

    /// The present faults. This neither allocates nor locks, because the clock loop calls it in
    /// each iteration and compares it with the set that was last published.
    pub fn fault_set(&self) -> FaultSet {
        let flag = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        FaultSet {
            board_gone: self.is_board_missing(),
            stuck: self.stuck.load(Ordering::Relaxed),
            rocker_crossed: flag(&self.crossed),
            configuration_refused: self.configuration_refused.is_some(),
            late_presses: count(&self.late),
            clock_rate: self.clock_rate.is_fault(),
            edges_dropped: count(&self.overflows),
            noise: count(&self.noise),
            updates_lost: count(&self.lost_updates),
            no_realtime: flag(&self.no_realtime),
            no_record: flag(&self.no_record),
            storage: flag(&self.storage_failed),
            record_moved_aside: flag(&self.record_moved_aside),
            memory_damaged: flag(&self.memory_damaged),
            record_mismatch: flag(&self.record_mismatch),
            entries_lost: count(&self.lost_entries),
        }
    }

    /// The texts of the present faults, the most serious first.
    pub fn faults(&self) -> Vec<String> {
        self.fault_set().iter().map(|fault| self.text_of(fault)).collect()
    }

    /// The text of a present fault, of at most 200 bytes.
    pub fn text_of(&self, fault: Fault) -> String {
        match (fault, &self.configuration_refused) {
            (Fault::ConfigurationRefused, Some(text)) => text.clone(),
            (fault, _) => fault.to_string(),
        }
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
