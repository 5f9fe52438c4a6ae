//! The mechanical script of a trace: when contacts close and open, and what that means.
//!
//! The code that adds contacts also states the truth about them. Nothing here looks at edges to
//! find out what they mean. The documentation of the crate explains the times N, G and R.

use crate::interrupt;
use crate::rng::Rng;
use crate::{Class, Edge, GAP, LINES, MAX_CANDIDATE_AGE, Outcome, Pace, SETTLE, Trace, Verdict};

/// A contact: the instant at which it closes, and the instant at which it opens.
pub type Contact = (u64, u64);

/// Half a period of interference of 10 kHz, in nanoseconds.
const HALF_PERIOD: u64 = 50_000;

pub struct Script {
    pub rng: Rng,
    pub pace: Pace,
    contacts: Vec<(usize, Contact)>,
    /// Edges that the kernel does not report.
    lost: Vec<(usize, u64)>,
    /// Levels that the clock reads itself after edges were lost.
    reread: Vec<Edge>,
    expected: Vec<Outcome>,
    /// How late the interrupt's thread runs at most, in nanoseconds.
    thread_delay: u64,
}

impl Script {
    pub fn new(rng: Rng, pace: Pace) -> Script {
        Script {
            rng,
            pace,
            contacts: Vec::new(),
            lost: Vec::new(),
            reread: Vec::new(),
            expected: Vec::new(),
            thread_delay: 0,
        }
    }

    /// Makes the kernel's interrupt thread run up to `most` nanoseconds after the interrupt.
    /// Changes of a line that are closer together than that may then become one record.
    pub fn merge_within(&mut self, most: u64) {
        self.thread_delay = most;
    }

    /// A time shorter than `limit`.
    pub fn under(&mut self, limit: u64) -> u64 {
        self.rng.span(self.pace.shortest, self.pace.below(limit))
    }

    /// A time that is at least `least` and shorter than `limit`.
    pub fn just_under(&mut self, least: u64, limit: u64) -> u64 {
        self.rng.span(least, self.pace.below(limit))
    }

    /// How long a button is held: at least as long as the shortest press.
    pub fn hold(&mut self) -> u64 {
        self.rng.span(self.pace.above(SETTLE), self.pace.longest_hold)
    }

    pub fn contact(&mut self, line: usize, (closes, opens): Contact) {
        self.contacts.push((line, (closes, opens)));
    }

    pub fn expect(&mut self, line: usize, verdict: Verdict, at: u64) {
        self.expected.push(Outcome { at, line, verdict });
    }

    /// A press without bounces.
    pub fn clean_press(&mut self, line: usize, down: u64, up: u64) {
        self.contact(line, (down, up));
        self.expect(line, Verdict::Press, down);
    }

    /// Draws one or more bouncing contacts from `at` until about `end`. Each contact is shorter
    /// than `contact`, and each gap is shorter than `gap`. Also returns the instant at which the
    /// next contact would close.
    pub fn bounces(&mut self, at: u64, end: u64, contact: u64, gap: u64) -> (Vec<Contact>, u64) {
        let mut contacts = Vec::new();
        let mut closes = at;
        loop {
            let opens = closes + self.under(contact);
            let next = opens + self.under(gap);
            if next > end && !contacts.is_empty() {
                return (contacts, closes);
            }
            contacts.push((closes, opens));
            closes = next;
        }
    }

    /// Adds a press whose contact bounces while it closes. The press is dated at its first contact.
    /// Returns the instant at which the button is released.
    ///
    /// A bounce may be as long as a short press. The button then counts as down from that bounce
    /// on.
    pub fn chattering_press(&mut self, line: usize, down: u64) -> u64 {
        let end = down + self.rng.span(200_000, 20_000_000);
        let (bounces, closes) = self.bounces(down, end, 2 * SETTLE, GAP);
        let up = closes + self.hold();
        bounces.into_iter().for_each(|bounce| self.contact(line, bounce));
        self.contact(line, (closes, up));
        self.expect(line, Verdict::Press, down);
        up
    }

    /// Interference of 10 kHz from `at` until about `end`, not quite regular.
    pub fn burst(&mut self, at: u64, end: u64) -> Vec<Contact> {
        let mut contacts = Vec::new();
        let mut closes = at;
        while closes < end {
            let opens = closes + self.half_period();
            contacts.push((closes, opens));
            closes = opens + self.half_period();
        }
        contacts
    }

    /// How long interference leaves a contact closed or open. This time is longer in a trace that
    /// is played on a kernel: the program that plays the edges needs time to make up for a late
    /// edge. Otherwise the burst would last longer than planned.
    pub fn half_period(&mut self) -> u64 {
        let half = HALF_PERIOD.max(2 * self.pace.shortest);
        self.rng.between(half * 9 / 10, half * 11 / 10)
    }

    /// Adds noise on an idle line: each contact must be shorter than N, and each gap shorter than
    /// G. If there is a `press`, it must begin before the line has been open for G.
    ///
    /// Noise that is undecided after 50 ms is cut off as a fault. What follows counts anew from the
    /// contact that is closed at that instant, or else from the next one.
    pub fn noise(&mut self, line: usize, contacts: &[Contact], press: Option<Contact>) {
        let Some(&(mut first, _)) = contacts.first() else { return };
        let mut silent = 0;
        for &(closes, opens) in contacts {
            if opens >= first + MAX_CANDIDATE_AGE && closes > first {
                self.expect(line, Verdict::Noise, first);
                first = closes;
            }
            silent = opens + GAP;
            self.contact(line, (closes, opens));
        }
        let cut = first + MAX_CANDIDATE_AGE;
        match press {
            None if silent <= cut => self.expect(line, Verdict::Rejected, first),
            None => self.expect(line, Verdict::Noise, first),
            Some((down, up)) => {
                self.contact(line, (down, up));
                if down + SETTLE <= cut {
                    self.expect(line, Verdict::Press, first);
                } else {
                    self.expect(line, Verdict::Noise, first);
                    self.expect(line, Verdict::Press, down);
                }
            }
        }
    }

    /// Removes this line's edge at `at`, which the kernel does not report.
    pub fn lose(&mut self, line: usize, at: u64) {
        self.lost.push((line, at));
    }

    /// States that the clock finds the line at the level `active` when it reads the level at the
    /// instant `at`.
    pub fn reread(&mut self, line: usize, at: u64, active: bool) {
        self.reread.push(Edge { at, line, active });
    }

    /// The instant at which this line was last opened so far; zero if it was never closed.
    pub fn last_opening(&self, line: usize) -> u64 {
        let of_line = self.contacts.iter().filter(|(of, _)| *of == line);
        of_line.map(|(_, (_, opens))| *opens).max().unwrap_or(0)
    }

    /// Whether no contact has been added to this line.
    pub fn is_untouched(&self, line: usize) -> bool {
        self.last_opening(line) == 0
    }

    /// The trace of all contacts, as the kernel reports it.
    pub fn finish(mut self, class: Class) -> Trace {
        let mut edges = self.reread;
        for (line, (closes, opens)) in self.contacts {
            debug_assert!(line < LINES && closes < opens, "{class}: no contact takes no time");
            for (at, active) in [(closes, true), (opens, false)] {
                if !self.lost.contains(&(line, at)) {
                    edges.push(Edge { at, line, active });
                }
            }
        }
        let mut expected = self.expected;
        edges.sort_by_key(|edge| (edge.at, edge.line));
        if self.thread_delay > 0 {
            let (rng, most) = (&mut self.rng, self.thread_delay);
            let recorded = (0..LINES).flat_map(|line| {
                let of_line: Vec<Edge> =
                    edges.iter().filter(|edge| edge.line == line).copied().collect();
                interrupt::merge_into_records(&of_line, line, &mut expected, || {
                    rng.between(0, most)
                })
            });
            edges = recorded.collect();
            edges.sort_by_key(|edge| (edge.at, edge.line));
        }
        expected.sort_by_key(|outcome| (outcome.at, outcome.line));
        Trace { class, edges, expected }
    }
}
