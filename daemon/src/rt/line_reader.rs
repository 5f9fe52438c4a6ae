//! Reads a board's lines: their edges, and then their levels.
//!
//! If a contact bounces faster than the kernel can follow, the kernel drops edges, or makes one
//! record of several, and does not report it. Some chips (BCM283x) lose an edge when two lines
//! change at almost the same time. So the levels of *all* lines are read after the edges of all
//! lines, and [`LoopCore`] compares them with what the edges say.
//!
//! [`LoopCore`]: super::loop_core::LoopCore

use super::health::Health;
use super::loop_core::LINES;
use crate::clock::monotonic_now;
use crate::gpio::{Button, Edge, LineReading, Lines, QUEUE};
use clock_engine::Instant;
use std::io;

/// The lines of a board, if there is one, and the result of the last reading.
pub(super) struct LineReader {
    lines: Option<Box<dyn Lines>>,
    readings: [LineReading; LINES],
}

impl LineReader {
    /// A reader without a board.
    pub(super) const fn new() -> LineReader {
        LineReader { lines: None, readings: [LineReading::EMPTY; LINES] }
    }

    /// Takes a board, discards the edges that its lines have queued, and returns the present levels
    /// of the lines. The old edges are not needed, because the levels include their effect.
    pub(super) fn attach(&mut self, lines: Box<dyn Lines>) -> io::Result<[bool; LINES]> {
        let lines = self.lines.insert(lines);
        let mut levels = [false; LINES];
        for button in Button::ALL {
            if !lines.has(button) {
                continue;
            }
            let mut edges = [Edge::default(); QUEUE];
            // The number of reads is limited, because a noisy line may never be empty. Its noise is
            // detected when it is read later.
            for _ in 0..LineReading::MAX_READS {
                if lines.read(button, &mut edges)? == 0 {
                    break;
                }
            }
            levels[button.index()] = lines.level(button)?;
        }
        Ok(levels)
    }

    /// Takes a board without reading it.
    #[cfg(test)]
    pub(super) fn attach_unread(&mut self, lines: Box<dyn Lines>) {
        self.lines = Some(lines);
    }

    /// Gives the board up.
    pub(super) fn detach(&mut self) -> Option<Box<dyn Lines>> {
        self.readings = [LineReading::EMPTY; LINES];
        self.lines.take()
    }

    /// The board.
    pub(super) fn lines(&self) -> Option<&dyn Lines> {
        self.lines.as_deref()
    }

    /// The result of the last [`LineReader::read`].
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
                // A line whose level cannot be read gets none. Reading its edges reports the error.
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
