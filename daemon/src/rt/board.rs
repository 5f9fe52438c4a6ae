//! The board's lines as the clock loop reads them: all edges, and the level after the last.
//!
//! A kernel that cannot follow a bouncing contact drops edges or makes one of several, without a
//! word; the last edge may then tell the wrong direction. So the level is read after every drain
//! that brought edges, and it has the last word.

use super::decide::{Decider, MARGIN};
use super::health::Health;
use crate::clock::monotonic_now;
use crate::gpio::{Button, Edge, Lines, QUEUE};
use clock_engine::{Instant, Side};
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::atomic::Ordering;

/// A line that brings more edges than this in one go is left for the next round.
const MOST_READS: usize = 64;

const BUTTONS: usize = Button::ALL.len();

/// The lines of a board, unless it was pulled out, and what is not certain of them.
pub(super) struct Board {
    lines: Option<Box<dyn Lines>>,
    levels: [Option<Level>; BUTTONS],
}

/// A line's level, read after its edges and not yet found to agree with the last of them.
#[derive(Clone, Copy)]
struct Level {
    active: bool,
    /// Since when it waits to agree.
    since: Instant,
    /// When the line came to this level, if no edge on its way tells better.
    changed: Instant,
    /// The queue was full: what is missing was dropped, not only made one with another.
    full: bool,
}

impl Board {
    /// No board.
    pub(super) const fn empty() -> Board {
        Board { lines: None, levels: [None; BUTTONS] }
    }

    /// These lines, unread.
    #[cfg(test)]
    pub(super) fn holding(lines: Box<dyn Lines>) -> Board {
        Board { lines: Some(lines), ..Board::empty() }
    }

    /// Starts with these lines; the levels they have now. What their edges told before is in the
    /// levels and forgotten.
    pub(super) fn plug_in(&mut self, lines: Box<dyn Lines>) -> io::Result<[bool; BUTTONS]> {
        let lines = self.lines.insert(lines);
        self.levels = [None; BUTTONS];
        let mut active = [false; BUTTONS];
        for button in Button::ALL {
            if lines.fd(button).is_none() {
                continue;
            }
            let mut edges = [Edge::default(); QUEUE];
            for _ in 0..MOST_READS {
                if lines.read(button, &mut edges)? == 0 {
                    break;
                }
            }
            active[button.index()] = lines.level(button)?;
        }
        Ok(active)
    }

    /// Gives the lines away: nothing is waited for or read any more.
    pub(super) fn pull_out(&mut self) -> Option<Box<dyn Lines>> {
        self.levels = [None; BUTTONS];
        self.lines.take()
    }

    /// What there is to wait on.
    pub(super) fn lines(&self) -> Option<&dyn Lines> {
        self.lines.as_deref()
    }

    /// What to wait on for this button.
    pub(super) fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        self.lines.as_ref()?.fd(button)
    }

    /// Takes all edges of a line. When to look again before anything is decided, if there may be
    /// more.
    pub(super) fn drain(
        &mut self,
        button: Button,
        horizon: Instant,
        decider: &mut Decider,
        health: &Health,
    ) -> io::Result<Option<Instant>> {
        if self.fd(button).is_none() {
            return Ok(None);
        }
        let mut edges = [Edge::default(); QUEUE];
        for _ in 0..MOST_READS {
            let Some(lines) = &mut self.lines else { break };
            let count = lines.read(button, &mut edges)?;
            let Some(last) = edges[..count].last() else {
                return Ok(self.agree(button, horizon, decider, health));
            };
            let now = monotonic_now();
            for edge in &edges[..count] {
                health.edge_latency.record(now.since(edge.at));
                decider.edge(button, *edge);
            }
            self.look(button, *last, count == QUEUE);
        }
        Ok(Some(horizon))
    }

    /// Whether a player's button is down of which no edge has told yet.
    pub(super) fn is_ahead_of(&self, decider: &Decider) -> bool {
        Side::BOTH.into_iter().map(Button::Player).any(|button| {
            let level = self.lines.as_ref().map(|lines| lines.level(button));
            self.fd(button).is_some()
                && matches!(level, Some(Ok(true)))
                && !decider.is_active(button)
        })
    }

    /// Reads the level right after edges. A next read that brings none proves it younger than
    /// all of them.
    fn look(&mut self, button: Button, last: Edge, full: bool) {
        let level = &mut self.levels[button.index()];
        let Some(Ok(active)) = self.lines.as_ref().map(|lines| lines.level(button)) else {
            *level = None;
            return;
        };
        let now = monotonic_now();
        let since = level.map_or(now, |before| before.since);
        // A full queue has dropped what came later; else the last edge stands for several.
        let changed = if full { now } else { last.at };
        *level = Some(Level { active, since, changed, full });
    }

    /// Compares the level with the edges. The level may be ahead of an edge still on its way from
    /// its interrupt to its queue, so that edge is waited for first.
    fn agree(
        &mut self,
        button: Button,
        horizon: Instant,
        decider: &mut Decider,
        health: &Health,
    ) -> Option<Instant> {
        let level = self.levels[button.index()]?;
        if level.active != decider.is_active(button) {
            let certain = level.since.checked_add(MARGIN)?;
            if horizon < certain {
                return Some(certain);
            }
            health.lost_edges.fetch_add(1, Ordering::Relaxed);
            health.overflows.fetch_add(level.full.into(), Ordering::Relaxed);
            decider.edge(button, Edge { at: level.changed, active: level.active });
        }
        self.levels[button.index()] = None;
        None
    }
}
