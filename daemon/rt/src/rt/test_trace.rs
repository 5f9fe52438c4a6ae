//! What the test of the buttons shows: every edge of the lines and every press, as the loop sees
//! them. Outside a test, nothing is traced.

use super::channel::Sender;
use super::health::Health;
use crate::clock::monotonic_now;
use clock_engine::Instant;
use clockd_core::{Button, Edge, LINES, LineReading};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The size of the ring: some 100 presses of 10 edges each. A line with more than 1,280 edges in 50
/// ms is muted. The program that tests the buttons reads the ring several times a second.
pub const TRACED: usize = 1024;

/// What happened on a line during the test of the buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traced {
    /// An edge of this button's line.
    Edge(Button, Edge),
    /// A press.
    Press {
        /// The button.
        button: Button,
        /// The stamp of the press, which is that of its first edge.
        at: Instant,
        /// When the loop had decided the press.
        decided: Instant,
    },
}

/// The writing end of the ring. It never blocks and never wakes a reader.
pub(super) struct TestTrace {
    ring: Sender<Traced>,
    health: Arc<Health>,
}

impl TestTrace {
    pub(super) fn new(ring: Sender<Traced>, health: Arc<Health>) -> TestTrace {
        TestTrace { ring, health }
    }

    pub(super) fn edges(&mut self, readings: &[LineReading; LINES]) {
        for (button, reading) in Button::ALL.into_iter().zip(readings) {
            reading.edges().iter().for_each(|edge| self.put(&Traced::Edge(button, *edge)));
        }
    }

    pub(super) fn press(&mut self, button: Button, at: Instant) {
        self.put(&Traced::Press { button, at, decided: monotonic_now() });
    }

    fn put(&mut self, traced: &Traced) {
        if !self.ring.push_copy(traced) {
            self.health.untraced.fetch_add(1, Ordering::Relaxed);
        }
    }
}
