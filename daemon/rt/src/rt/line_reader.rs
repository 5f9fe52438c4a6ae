//! Reads the lines of a board: the edges of all lines, and then the levels of all lines.
//!
//! If a contact bounces faster than the kernel can follow, the kernel drops edges, or queues one
//! edge for several changes, without a report. Some chips (BCM283x) lose an edge when two lines
//! change at almost the same time. So the levels are read after the edges of *all* lines, and
//! [`LoopCore`] compares each level with the latest edge of its line.
//!
//! [`LoopCore`]: clockd_core::LoopCore

use super::health::Health;
use crate::clock::monotonic_now;
use crate::gpio::Lines;
use clockd_core::{Button, LINES, LineReading};
use std::io;

/// How often the lines of a board that is attached are read at most to empty their queues. 16 reads
/// of 64 edges empty the largest queue: 1,024 edges with uAPI v2 of the kernel's GPIO interface.
/// The number is limited, because the queue of a noisy line may never become empty. The noise is
/// detected when the line is read later.
const MAX_READS: usize = 16;

/// The lines of a board, if there is a board, and the result of the last reading.
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
    /// of the lines. The old edges are not needed, because the levels include their effect. After
    /// an error, the board stays attached.
    pub(super) fn attach(&mut self, lines: Box<dyn Lines>) -> io::Result<[bool; LINES]> {
        let lines = self.lines.insert(lines);
        let present = Button::ALL.map(|button| lines.has(button));
        for _ in 0..MAX_READS {
            self.readings.iter_mut().for_each(LineReading::clear);
            let failed = lines.read_edges(&present, &mut self.readings);
            if failed.contains(&true) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if self.readings.iter().all(|reading| reading.drained) {
                break;
            }
        }
        lines.read_levels(&present, &mut self.readings);
        let mut levels = [false; LINES];
        for index in (0..LINES).filter(|index| present[*index]) {
            levels[index] = self.readings[index].level.ok_or(io::ErrorKind::BrokenPipe)?;
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

    /// Reads every line that is not muted because of noise. For each line, returns whether it can
    /// no longer be read.
    pub(super) fn read(
        &mut self,
        is_muted: impl Fn(Button) -> bool,
        health: &Health,
    ) -> [bool; LINES] {
        self.readings.iter_mut().for_each(LineReading::clear);
        let Some(lines) = &mut self.lines else { return [false; LINES] };
        let wanted = Button::ALL.map(|button| lines.has(button) && !is_muted(button));
        let failed = lines.read_edges(&wanted, &mut self.readings);
        // The time is read only if there is an edge whose latency is recorded.
        if self.readings.iter().any(|reading| !reading.edges().is_empty()) {
            let now = monotonic_now();
            for edge in self.readings.iter().flat_map(LineReading::edges) {
                health.edge_latency.record(now.since(edge.at));
            }
        }
        // A line whose level cannot be read has the level `None`. Reading the edges of the line
        // reports the error.
        lines.read_levels(&wanted, &mut self.readings);
        failed
    }
}
