//! Reads a board's lines: their edges, and then their levels.
//!
//! A kernel that cannot follow a bouncing contact drops edges, or makes one record of several, and
//! does not say so. Some chips (BCM283x) lose an edge when two lines change close together. So the
//! levels of *all* lines are read after the edges of all lines; [`LoopCore`] compares them with what
//! the edges say.
//!
//! [`LoopCore`]: super::loop_core::LoopCore

use super::health::Health;
use super::loop_core::LINES;
use crate::clock::monotonic_now;
use crate::gpio::{Button, Edge, LineReading, Lines, QUEUE};
use clock_engine::Instant;
use std::io;

/// The lines of a board, if there is one, and what was last read of them.
pub(super) struct LineReader {
    lines: Option<Box<dyn Lines>>,
    readings: [LineReading; LINES],
}

impl LineReader {
    /// A reader without a board.
    pub(super) const fn new() -> LineReader {
        LineReader { lines: None, readings: [LineReading::EMPTY; LINES] }
    }

    /// Takes a board, discards the edges that its lines have queued, and returns the levels that the
    /// lines have now: what the old edges told is in the levels.
    pub(super) fn attach(&mut self, lines: Box<dyn Lines>) -> io::Result<[bool; LINES]> {
        let lines = self.lines.insert(lines);
        let mut levels = [false; LINES];
        for button in Button::ALL {
            if !lines.has(button) {
                continue;
            }
            let mut edges = [Edge::default(); QUEUE];
            // A noisy line is not waited for: its noise is found when it is read.
            for _ in 0..LineReading::MAX_READS {
                if lines.read(button, &mut edges)? == 0 {
                    break;
                }
            }
            levels[button.index()] = lines.level(button)?;
        }
        Ok(levels)
    }

    /// Takes a board as it is, without reading it.
    #[cfg(test)]
    pub(super) fn attach_unread(&mut self, lines: Box<dyn Lines>) {
        self.lines = Some(lines);
    }

    /// Gives the board away.
    pub(super) fn detach(&mut self) -> Option<Box<dyn Lines>> {
        self.readings = [LineReading::EMPTY; LINES];
        self.lines.take()
    }

    /// The board.
    pub(super) fn lines(&self) -> Option<&dyn Lines> {
        self.lines.as_deref()
    }

    /// What the last [`LineReader::read`] brought.
    pub(super) fn readings(&self) -> &[LineReading; LINES] {
        &self.readings
    }

    /// Reads every line that is not muted; returns the lines that cannot be read any more.
    pub(super) fn read(
        &mut self,
        is_muted: impl Fn(Button) -> bool,
        health: &Health,
    ) -> [bool; LINES] {
        self.readings.iter_mut().for_each(LineReading::clear);
        let mut failed = [false; LINES];
        let Some(lines) = &mut self.lines else { return failed };
        let present = |lines: &dyn Lines, button| lines.has(button) && !is_muted(button);
        for button in Button::ALL {
            if present(&**lines, button) {
                let reading = &mut self.readings[button.index()];
                failed[button.index()] = read_edges(&mut **lines, button, reading, health).is_err();
            }
        }
        for button in Button::ALL {
            if present(&**lines, button) {
                // A line whose level cannot be read has none; reading its edges tells why.
                self.readings[button.index()].level = lines.level(button).ok();
            }
        }
        failed
    }
}

fn read_edges(
    lines: &mut dyn Lines,
    button: Button,
    reading: &mut LineReading,
    health: &Health,
) -> io::Result<()> {
    for _ in 0..LineReading::MAX_READS {
        let mut edges = [Edge::default(); QUEUE];
        let count = lines.read(button, &mut edges)?;
        if count == 0 {
            return Ok(());
        }
        let now: Instant = monotonic_now();
        for edge in &edges[..count] {
            health.edge_latency.record(now.since(edge.at));
        }
        reading.add(&edges[..count]);
    }
    reading.drained = false;
    Ok(())
}
