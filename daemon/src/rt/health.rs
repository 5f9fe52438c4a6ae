//! What the clock loop tells about itself, without being asked to wait.

use super::histogram::Histogram;
use crate::gpio::Button;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// Written by the clock loop, read by anyone.
#[derive(Debug, Default)]
pub struct Health {
    realtime: AtomicBool,
    /// Glitches and noise that were not taken for presses.
    pub rejected: AtomicU64,
    /// Of these, noise that did not end by itself.
    pub noise: AtomicU64,
    /// Presses that could not be decided in their turn.
    pub late: AtomicU64,
    /// Times a line's level did not match its last edge.
    pub lost_edges: AtomicU64,
    /// Of these, with a queue that had overflowed; the others are what a fast bounce does.
    pub overflows: AtomicU64,
    /// Updates the publisher was too slow to take.
    pub lost_updates: AtomicU64,
    /// From an edge's stamp to its being read.
    pub edge_latency: Histogram,
    /// From the instant the loop wanted to wake up at to its being awake.
    pub wake_lateness: Histogram,
    /// From a press's stamp to its being decided: what the debounce waits for is in it.
    pub decision_latency: Histogram,
    /// Both throws of the rocker are closed.
    pub(super) crossed: AtomicBool,
    stuck: AtomicU8,
    broken: AtomicU8,
}

impl Health {
    /// Whether the loop has real-time priority and its memory is locked.
    pub fn realtime(&self) -> bool {
        self.realtime.load(Ordering::Relaxed)
    }

    pub(super) fn set_realtime(&self, ok: bool) {
        self.realtime.store(ok, Ordering::Relaxed);
    }

    /// Gives back what was noted before.
    pub(super) fn set_stuck(&self, button: Button, stuck: bool) -> bool {
        set(&self.stuck, button, stuck)
    }

    pub(super) fn set_broken(&self, button: Button, broken: bool) {
        set(&self.broken, button, broken);
    }

    /// Buttons that have been down for too long.
    pub fn stuck(&self) -> impl Iterator<Item = Button> {
        members(&self.stuck)
    }

    /// Buttons whose lines were found gone; no other line of their board is read either.
    pub fn broken(&self) -> impl Iterator<Item = Button> {
        members(&self.broken)
    }

    /// What is wrong now, in words.
    pub fn faults(&self) -> Vec<String> {
        let mut faults: Vec<String> =
            self.stuck().map(|button| format!("the {button} button is stuck down")).collect();
        let broken: Vec<&str> = self.broken().map(Button::as_str).collect();
        if !broken.is_empty() {
            faults.push(format!(
                "the board is gone and no button is read (noticed at {}); it is looked for",
                broken.join(", ")
            ));
        }
        if self.crossed.load(Ordering::Relaxed) {
            faults.push("both throws of the rocker are closed: its wiring is wrong".to_owned());
        }
        let mut count = |value: &AtomicU64, what: &str| match value.load(Ordering::Relaxed) {
            0 => {}
            times => faults.push(format!("{what}: {times} since the start")),
        };
        count(&self.noise, "a line was noisy without end");
        count(&self.late, "presses that could not be decided in their turn");
        count(&self.overflows, "edges the kernel had to drop");
        count(&self.lost_updates, "changes that could not be published at once");
        if !self.realtime() {
            faults.push("the clock loop has no real-time priority".to_owned());
        }
        faults
    }
}

fn set(bits: &AtomicU8, button: Button, on: bool) -> bool {
    let bit = 1 << button.index();
    let before = if on {
        bits.fetch_or(bit, Ordering::Relaxed)
    } else {
        bits.fetch_and(!bit, Ordering::Relaxed)
    };
    before & bit != 0
}

fn members(bits: &AtomicU8) -> impl Iterator<Item = Button> + use<> {
    let bits = bits.load(Ordering::Relaxed);
    Button::ALL.into_iter().filter(move |button| bits & (1 << button.index()) != 0)
}
