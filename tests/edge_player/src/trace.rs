//! A trace: edges as the kernel reports them, and what a clock must find in them.

use crate::Class;

/// The number of lines in a trace: one for the button of each of the two players.
pub const LINES: usize = 2;

/// A change of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Nanoseconds from an arbitrary zero.
    pub at: u64,
    /// Which line, below [`LINES`].
    pub line: usize,
    /// Whether the contact is closed, that is pressed, after this edge.
    pub active: bool,
}

/// What a clock must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A press.
    Press,
    /// A glitch or noise that was no press.
    Rejected,
    /// Noise undecided for longer than [`crate::MAX_CANDIDATE_AGE`]: a fault.
    Noise,
    /// Down for longer than [`crate::STUCK`]: a fault.
    Stuck,
}

/// A verdict with its line and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The date that a clock must give to the verdict: the stamp of the first edge of the contact
    /// that the kernel reports. If the kernel has lost the edges of the contact, and the clock only
    /// reads the level, the date is the instant at which the clock reads it.
    pub at: u64,
    /// Which line, below [`LINES`].
    pub line: usize,
    /// What the clock must find.
    pub verdict: Verdict,
}

/// One trace of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What the contacts did.
    pub class: Class,
    /// The edges of both lines, in the order of their stamps.
    pub edges: Vec<Edge>,
    /// Everything that a clock must find in these edges, in the order of the stamps. It must find
    /// nothing else.
    pub expected: Vec<Outcome>,
}

impl Trace {
    /// The time from the first edge to the last one.
    pub fn duration(&self) -> u64 {
        match (self.edges.first(), self.edges.last()) {
            (Some(first), Some(last)) => last.at - first.at,
            _ => 0,
        }
    }

    /// The shortest time between two edges, of whichever lines.
    pub fn closest(&self) -> Option<u64> {
        self.edges.windows(2).map(|pair| pair[1].at - pair[0].at).min()
    }

    /// The presses expected.
    pub fn presses(&self) -> impl Iterator<Item = &Outcome> {
        self.expected.iter().filter(|outcome| outcome.verdict == Verdict::Press)
    }
}
