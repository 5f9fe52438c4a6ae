//! The state of one line: its edges, its level, and the instant up to which its changes are known.
//!
//! The kernel stamps an edge in the hard interrupt, and the interrupt's thread queues the edge
//! later. This usually takes less than [`EDGE_DELIVERY_WINDOW`], but on several processors that
//! thread can be delayed for longer. An edge can also be lost: because the queue was full, or
//! because the chip made one interrupt of two edges. In each of these cases, the line's level
//! differs from the latest edge. While they differ, the loop decides nothing that is later than the
//! last instant at which they agreed. This delay ends early if a candidate for a press reaches its
//! largest age. If the difference lasts for [`MAX_CANDIDATE_AGE`], or for [`EDGE_DELIVERY_WINDOW`]
//! after a full queue, an edge counts as lost.
//!
//! A line with too many edges is noisy. It is then muted: it is not read for some time and delays
//! no decision.

use crate::debounce::{Debounce, Decision, MAX_CANDIDATE_AGE, Times};
use crate::{EDGE_DELIVERY_WINDOW, Edge, LineReading};
use clock_engine::{Instant, Span};

/// How soon the level is read again if it differs from the latest edge. Such a difference means
/// that an edge is missing. If that edge is only late, its arrival can wake the loop earlier.
const RECHECK: Span = Span::from_nanos(1_000_000);
/// More edges than this within one [`MAX_CANDIDATE_AGE`] (about 25,600 a second) are noise. A
/// mechanical contact makes fewer than a hundred.
const MAX_EDGES: u32 = 1280;
/// The limit in place of [`MAX_EDGES`] for the first window after a noisy line was muted.
const MAX_EDGES_AFTER_NOISE: u32 = 64;
/// How long a noisy line is left unread.
const MUTE: Span = Span::from_nanos(10_000_000);

/// What was counted on the lines since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Contacts that were rejected: glitches, noise, and contacts that were undecided when the
    /// board was lost.
    pub rejected: u64,
    /// How many of `rejected` were [`Decision::Noise`].
    pub noise: u64,
    /// Presses of the players' buttons and of the call button that would have taken effect at their
    /// own stamp, but arrived after an input or a flag with a later stamp had been decided. Also
    /// presses for which the reorder buffer had no room.
    pub late: u64,
    /// Edges that were lost: those that are missing according to the level or to the kernel's
    /// sequence numbers, and those for which a [`LineReading`] had no room.
    pub lost_edges: u64,
    /// How often edges were dropped because the kernel's queue was full or a [`LineReading`] had no
    /// room.
    pub overflows: u64,
}

/// How much was lost, as one reading of a line shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Edges that were lost.
    pub edges: u64,
    /// How often edges were dropped because the kernel's queue was full or the [`LineReading`] had
    /// no room.
    pub overflows: u64,
}

/// The state of one line.
#[derive(Clone)]
pub struct Line {
    times: Times,
    debounce: Debounce,
    /// All changes of the line up to this instant are known. `known` is the stamp of the latest
    /// edge, or a later instant at which the level agreed with that edge.
    known: Instant,
    /// Whether the kernel's queue still contains edges, because one reading could not take all of
    /// them.
    backlog: bool,
    difference: Option<Difference>,
    rate: EdgeRate,
}

/// A difference between the level of the line and its latest edge.
#[derive(Clone, Copy)]
struct Difference {
    since: Instant,
    /// The stamp that the missing edge gets if it counts as lost. But while the debounce is
    /// releasing, the edge gets `Line::known` as its stamp.
    changed: Instant,
    /// Whether the kernel's queue was full, so that an edge is certainly missing and not only late.
    overflowed: bool,
    /// Whether decisions wait until the difference has ended. If a candidate is undecided, they
    /// stop waiting when it has its largest age, [`MAX_CANDIDATE_AGE`].
    holds: bool,
}

impl Difference {
    /// The instant from which the missing edge counts as lost.
    fn gives_up(&self) -> Instant {
        let patience = if self.overflowed { EDGE_DELIVERY_WINDOW } else { MAX_CANDIDATE_AGE };
        plus(self.since, patience)
    }
}

/// The rate at which the line produces edges.
#[derive(Clone, Copy)]
enum EdgeRate {
    Counted {
        since: Instant,
        edges: u32,
        most: u32,
    },
    /// The line was noisy. It is not read before this instant.
    Muted {
        until: Instant,
    },
}

impl Line {
    /// A line that has the level `active` at `at`. A button that is already down counts as held and
    /// gives no press.
    pub fn new(times: Times, active: bool, at: Instant) -> Line {
        Line {
            times,
            debounce: Debounce::new(times, active, at),
            known: at,
            backlog: false,
            difference: None,
            rate: EdgeRate::Counted { since: at, edges: 0, most: MAX_EDGES },
        }
    }

    /// The debounce of this line.
    pub fn debounce(&self) -> &Debounce {
        &self.debounce
    }

    /// Passes what was read from the line to the debounce, and returns how much was lost. `now` is
    /// an instant before the reading. So if the reading is drained, it includes every edge that was
    /// queued at `now`.
    pub fn take(
        &mut self,
        reading: &LineReading,
        now: Instant,
        decided: &mut impl FnMut(Decision),
    ) -> Lost {
        if let EdgeRate::Muted { until } = self.rate {
            if now >= until {
                self.unmute(reading, now);
            }
            return Lost::default();
        }
        let mut lost =
            Lost { edges: u64::from(reading.lost), overflows: u64::from(reading.lost > 0) };
        for edge in reading.edges() {
            self.debounce.edge(*edge, decided);
            // `known` becomes the stamp of this edge, even if the level agreed with the previous
            // edge at a later instant. That agreement proves nothing: the level is also the same
            // again when two edges are still on their way.
            self.known = edge.at;
        }
        self.backlog = !reading.drained;
        if self.is_noisy(reading.edges(), now) {
            decided(Decision::Noise(self.debounce.open_since().unwrap_or(self.known)));
            self.mute(now);
        } else if !self.backlog {
            self.compare(reading, now, &mut lost, decided);
        }
        lost
    }

    /// Counts the edges in windows of [`MAX_CANDIDATE_AGE`]. Returns whether the line is noisy.
    fn is_noisy(&mut self, edges: &[Edge], now: Instant) -> bool {
        let EdgeRate::Counted { since, edges: before, most } = &mut self.rate else { return true };
        if now.since(*since) >= MAX_CANDIDATE_AGE {
            *since = now;
            // After a window without noise, `MAX_EDGES` applies again.
            (*before, *most) = (0, MAX_EDGES);
        }
        *before = before.saturating_add(u32::try_from(edges.len()).unwrap_or(u32::MAX));
        *before > *most
    }

    fn mute(&mut self, now: Instant) {
        self.difference = None;
        self.backlog = false;
        self.debounce = Debounce::new(self.times, false, now);
        self.rate = EdgeRate::Muted { until: plus(now, MUTE) };
    }

    /// Ends the mute. The line begins anew with the level that was read. The edges that were queued
    /// during the mute are discarded. If there are more of them than one reading can take, the line
    /// is still noisy and is muted again.
    fn unmute(&mut self, reading: &LineReading, now: Instant) {
        if reading.drained {
            let line = Line::new(self.times, reading.level.unwrap_or(false), now);
            let rate = EdgeRate::Counted { since: now, edges: 0, most: MAX_EDGES_AFTER_NOISE };
            *self = Line { rate, ..line };
        } else {
            self.mute(now);
        }
    }

    /// Compares the level with the latest edge. If they have differed for too long, an edge counts
    /// as lost, and the debounce gets it with an assumed stamp.
    fn compare(
        &mut self,
        reading: &LineReading,
        now: Instant,
        lost: &mut Lost,
        decided: &mut impl FnMut(Decision),
    ) {
        let Some(active) = reading.level.filter(|active| *active != self.debounce.is_active())
        else {
            self.known = self.known.max(now);
            self.difference = None;
            return;
        };
        // After new edges, a difference counts as a new one, unless the queue was full. So while a
        // contact bounces, no edge is reported as lost.
        let mut difference = match (self.difference, reading.edges().last()) {
            (Some(before), None) => before,
            (before, last) => {
                let was_full = before.is_some_and(|before| before.overflowed);
                let overflowed = reading.overflowed || was_full;
                let changed = last.filter(|_| !overflowed).map_or(now, |last| last.at);
                let since = before.filter(|_| overflowed).map_or(now, |before| before.since);
                Difference { since, changed, overflowed, holds: true }
            }
        };
        if difference.gives_up() <= now {
            lost.edges += 1;
            lost.overflows += u64::from(difference.overflowed);
            // While the debounce is releasing, it is not known whether the contact was open for the
            // whole release time R, so the button counts as not released. The lost edge is dated at
            // `known`, which is within the release time.
            let is_held = self.debounce.is_releasing();
            let at = if is_held { self.known } else { difference.changed };
            self.debounce.edge(Edge { at, active }, decided);
            self.known = self.known.max(now);
            self.difference = None;
        } else {
            // If a candidate is undecided, decisions wait for the missing edge until the candidate
            // has its largest age. They wait at least for the delivery window after the difference
            // was first seen, because the edge may only be late. Without a candidate, they wait
            // until the difference ends.
            let limit = |first| {
                plus(plus(first, MAX_CANDIDATE_AGE).max(difference.since), EDGE_DELIVERY_WINDOW)
            };
            difference.holds = self.debounce.open_since().is_none_or(|first| now < limit(first));
            self.difference = Some(difference);
        }
    }

    /// Lets the debounce make the decisions that follow from the absence of edges. `settled` is the
    /// instant up to which edges have usually arrived. While an edge is missing, the debounce
    /// decides only up to `known`.
    pub fn advance(&mut self, settled: Instant, decided: &mut impl FnMut(Decision)) {
        let is_missing = self.backlog || self.difference.is_some();
        let silent = if is_missing { self.known.min(settled) } else { settled };
        self.debounce.advance(silent, decided);
        if self.difference.is_some_and(|difference| !difference.holds) {
            self.debounce.expire(settled, decided);
        }
    }

    /// The instant up to which the changes of the line are known, if decisions wait for an edge of
    /// the line that is missing or still queued. `None` if they do not wait: the changes are then
    /// known up to [`EDGE_DELIVERY_WINDOW`] before now.
    fn known_until(&self) -> Option<Instant> {
        let holds = self.backlog || self.difference.is_some_and(|difference| difference.holds);
        holds.then_some(self.known)
    }

    /// While this line delays decisions, the loop decides nothing (no input, no flag, no hold) that
    /// is later than this instant. `None` if the line delays no decision.
    pub fn holds_back(&self) -> Option<Instant> {
        self.debounce.open_since().into_iter().chain(self.known_until()).min()
    }

    /// When this line must be read again even if nothing arrives; `None` if it need not be read
    /// before an edge arrives.
    pub fn wake_at(&self, now: Instant) -> Option<Instant> {
        if let EdgeRate::Muted { until } = self.rate {
            return Some(until);
        }
        if self.backlog {
            return Some(now);
        }
        let recheck =
            self.difference.map(|difference| difference.gives_up().min(plus(now, RECHECK)));
        let silence = self.debounce.decides_at().filter(|_| self.known_until().is_none());
        recheck.into_iter().chain(silence.map(|at| plus(at, EDGE_DELIVERY_WINDOW))).min()
    }

    /// Whether the line is muted at `now` because it is noisy, so that it must not be read.
    pub fn is_muted(&self, now: Instant) -> bool {
        matches!(self.rate, EdgeRate::Muted { until } if now < until)
    }
}

fn plus(at: Instant, span: Span) -> Instant {
    at.checked_add(span).unwrap_or(Instant::from_nanos(u64::MAX))
}
