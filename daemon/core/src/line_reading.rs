//! The result of one reading of a line: its edges and its level.

use clock_engine::Instant;

/// A change of a line. A pressed button is active, whatever the wiring.
///
/// The two fields are not taken at the same instant. The kernel takes the stamp in the hard
/// interrupt. The interrupt's thread reads the level later (usually 25 to 100 µs later) to name the
/// direction; uAPI v1 and v2 do the same. So a first contact that is shorter than that delay is
/// reported with its own stamp and as inactive. If a further edge comes before the thread has run,
/// its stamp replaces the first one. The stamp of a press is therefore that of its first contact,
/// or later by at most the delay of the interrupt's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// CLOCK_MONOTONIC, in nanoseconds, taken by the kernel in the hard interrupt.
    pub at: Instant,
    /// The level that the interrupt's thread read afterwards.
    pub active: bool,
}

/// How many edges uAPI v1 queues for a line. It drops further edges.
pub const QUEUE: usize = 16;

/// The result of one reading of a line.
#[derive(Clone, Debug)]
pub struct LineReading {
    edges: [Edge; LineReading::CAPACITY],
    count: usize,
    /// The kernel's queue was full, so the kernel may have dropped edges.
    pub overflowed: bool,
    /// The smallest number of edges that the kernel has dropped before some of these edges.
    pub lost: u32,
    /// Whether all edges that were queued have been read.
    pub drained: bool,
    /// Whether the button was pressed after all these edges; `None` if the level was not read.
    pub level: Option<bool>,
}

impl LineReading {
    /// The largest number of edges that one reading of a line takes. If edges are still queued
    /// after that, they arrive faster than they can be read.
    pub const CAPACITY: usize = 64;

    /// A reading without edges.
    pub const EMPTY: LineReading = LineReading {
        edges: [Edge { at: Instant::ZERO, active: false }; LineReading::CAPACITY],
        count: 0,
        overflowed: false,
        lost: 0,
        drained: true,
        level: None,
    };

    /// Resets this to [`LineReading::EMPTY`].
    pub fn clear(&mut self) {
        (self.count, self.overflowed, self.lost) = (0, false, 0);
        (self.drained, self.level) = (true, None);
    }

    /// Adds an edge. If there is no room, the edge is counted as lost.
    pub fn push(&mut self, edge: Edge) {
        match self.edges.get_mut(self.count) {
            Some(slot) => {
                *slot = edge;
                self.count += 1;
            }
            None => self.lost = self.lost.saturating_add(1),
        }
    }

    /// Adds the edges of one read of a queue of [`QUEUE`] edges.
    pub fn add(&mut self, edges: &[Edge]) {
        edges.iter().for_each(|edge| self.push(*edge));
        self.overflowed |= edges.len() >= QUEUE;
    }

    /// The edges, oldest first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges[..self.count]
    }
}
