//! The debounce: *defer the decision, backdate the time*.
//!
//! A press is decided once the button has stayed down long enough to be no glitch, and its time
//! is then that of the first edge. (The kernel's own debouncing stamps milliseconds late, so it
//! is not used.) One machine a line, driven by the edges' stamps alone.

use crate::gpio::Edge;
use clock_engine::{Instant, Span};

/// The times of the debounce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// N: how long a button must stay down to be pressed.
    pub settle: Span,
    /// G: a longer silence than this inside a bouncing contact ends it.
    pub gap: Span,
    /// R: how long a button must stay up before it can be pressed again.
    pub release: Span,
    /// Down for longer than this is a stuck button, unless it is made to stay down.
    pub stuck: Option<Span>,
}

impl Default for Times {
    fn default() -> Times {
        Times {
            settle: Span::from_nanos(1_000_000),
            gap: Span::from_nanos(5_000_000),
            release: Span::from_nanos(25_000_000),
            stuck: Some(Span::from_secs(10)),
        }
    }
}

/// Undecided for longer than this is noise: it must not hold up a flag.
pub const LONGEST_CANDIDATE: Span = Span::from_nanos(50_000_000);

/// What the debounce has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A press, at the stamp of its first edge.
    Press(Instant),
    /// A glitch or noise that began at this stamp; not a press.
    Rejected(Instant),
    /// Noise that did not end, begun at this stamp; a fault of the wiring.
    Noise(Instant),
}

/// One line's machine.
#[derive(Clone, Copy, Debug)]
pub struct Debounce {
    times: Times,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    /// May become a press at `first`.
    Candidate {
        first: Instant,
        contact: Contact,
    },
    /// Pressed, and not released yet; `since` is when it came down.
    Held {
        since: Instant,
    },
    /// Released at `up`, but perhaps only bouncing.
    Releasing {
        since: Instant,
        up: Instant,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contact {
    Closed(Instant),
    Open(Instant),
}

impl Debounce {
    /// A line found at this level at the start: a button already down is held, not pressed.
    pub fn new(times: Times, active: bool, at: Instant) -> Debounce {
        let state = if active { State::Held { since: at } } else { State::Idle };
        Debounce { times, state }
    }

    /// Takes the next edge of the line.
    pub fn edge(&mut self, edge: Edge, decided: &mut impl FnMut(Decision)) {
        self.advance(edge.at, decided);
        let at = edge.at;
        self.state = match (self.state, edge.active) {
            (State::Idle, true) => State::Candidate { first: at, contact: Contact::Closed(at) },
            // A second edge to the same level means that one between was lost.
            (State::Candidate { first, .. }, true) => {
                State::Candidate { first, contact: Contact::Closed(at) }
            }
            (State::Candidate { first, .. }, false) => {
                State::Candidate { first, contact: Contact::Open(at) }
            }
            (State::Held { since } | State::Releasing { since, .. }, true) => State::Held { since },
            (State::Held { since } | State::Releasing { since, .. }, false) => {
                State::Releasing { since, up: at }
            }
            (State::Idle, false) => State::Idle,
        };
    }

    /// Decides what silence up to `horizon` decides. Every edge stamped before `horizon` must
    /// have been taken.
    pub fn advance(&mut self, horizon: Instant, decided: &mut impl FnMut(Decision)) {
        while let Some(due) = self.decides_at().filter(|due| *due <= horizon) {
            self.state = match self.state {
                State::Candidate { first, contact: Contact::Closed(down) }
                    if plus(down, self.times.settle) == due =>
                {
                    decided(Decision::Press(first));
                    State::Held { since: first }
                }
                State::Candidate { first, contact: Contact::Open(up) }
                    if plus(up, self.times.gap) == due =>
                {
                    decided(Decision::Rejected(first));
                    State::Idle
                }
                State::Candidate { first, contact } => {
                    decided(Decision::Noise(first));
                    match contact {
                        // The contact that is closed now may still be a press of its own.
                        Contact::Closed(down) if down > first => {
                            State::Candidate { first: down, contact }
                        }
                        Contact::Closed(down) => State::Held { since: down },
                        Contact::Open(_) => State::Idle,
                    }
                }
                State::Releasing { .. } | State::Held { .. } | State::Idle => State::Idle,
            };
        }
    }

    /// The first edge of an undecided candidate: nothing later may be decided before it.
    pub fn open_since(&self) -> Option<Instant> {
        match self.state {
            State::Candidate { first, .. } => Some(first),
            _ => None,
        }
    }

    /// When silence next decides something.
    pub fn decides_at(&self) -> Option<Instant> {
        match self.state {
            State::Idle | State::Held { .. } => None,
            State::Releasing { up, .. } => Some(plus(up, self.times.release)),
            State::Candidate { first, contact } => {
                let silence = match contact {
                    Contact::Closed(down) => plus(down, self.times.settle),
                    Contact::Open(up) => plus(up, self.times.gap),
                };
                Some(silence.min(plus(first, LONGEST_CANDIDATE)))
            }
        }
    }

    /// When a button that is down will have been down for too long.
    pub fn stuck_at(&self) -> Option<Instant> {
        match self.state {
            // Bouncing on the way up is still down.
            State::Held { since } | State::Releasing { since, .. } => {
                self.times.stuck.map(|stuck| plus(since, stuck))
            }
            State::Idle | State::Candidate { .. } => None,
        }
    }

    /// Since when it is pressed and not bouncing.
    pub fn held_since(&self) -> Option<Instant> {
        match self.state {
            State::Held { since } => Some(since),
            _ => None,
        }
    }

    /// The line's level as the edges so far tell it.
    pub fn is_active(&self) -> bool {
        match self.state {
            State::Idle | State::Releasing { .. } => false,
            State::Held { .. } => true,
            State::Candidate { contact, .. } => matches!(contact, Contact::Closed(_)),
        }
    }
}

fn plus(at: Instant, span: Span) -> Instant {
    at.checked_add(span).unwrap_or(Instant::from_nanos(u64::MAX))
}

#[cfg(test)]
pub(super) mod corpus;

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Plays edges (µs, active) and then silence; decisions with their stamps in µs.
    fn play(edges: &[(u64, bool)]) -> Vec<(&'static str, u64)> {
        let mut machine = Debounce::new(Times::default(), false, Instant::ZERO);
        let mut found = Vec::new();
        let mut note = |decision| {
            found.push(match decision {
                Decision::Press(at) => ("press", at.as_nanos() / 1000),
                Decision::Rejected(at) => ("rejected", at.as_nanos() / 1000),
                Decision::Noise(at) => ("noise", at.as_nanos() / 1000),
            });
        };
        for &(micros, active) in edges {
            machine.edge(Edge { at: Instant::from_nanos(micros * 1000), active }, &mut note);
        }
        machine.advance(Instant::from_nanos(u64::MAX), &mut note);
        found
    }

    #[test]
    fn traces() {
        let on = true;
        let off = false;
        for (name, edges, expected) in [
            ("clean", vec![(1000, on), (80_000, off)], vec![("press", 1000)]),
            ("shortest press", vec![(1000, on), (2000, off)], vec![("press", 1000)]),
            ("glitch", vec![(1000, on), (1999, off)], vec![("rejected", 1000)]),
            (
                "chatter keeps the first edge",
                vec![(1000, on), (1300, off), (1500, on), (1700, off), (6000, on), (90_000, off)],
                vec![("press", 1000)],
            ),
            (
                "a gap longer than G parts a glitch from the press",
                vec![(1000, on), (1100, off), (6101, on), (90_000, off)],
                vec![("rejected", 1000), ("press", 6101)],
            ),
            (
                "a gap of exactly G has decided",
                vec![(1000, on), (1100, off), (6100, on), (90_000, off)],
                vec![("rejected", 1000), ("press", 6100)],
            ),
            (
                "bounce at the release is no press",
                vec![
                    (1000, on),
                    (50_000, off),
                    (50_500, on),
                    (52_000, off),
                    (76_999, on),
                    (90_000, off),
                ],
                vec![("press", 1000)],
            ),
            (
                "after R the next press counts",
                vec![(1000, on), (50_000, off), (75_000, on), (90_000, off)],
                vec![("press", 1000), ("press", 75_000)],
            ),
            (
                "a lost edge between",
                vec![(1000, on), (1400, on), (2000, off)],
                vec![("rejected", 1000)],
            ),
            ("an overlong finger", vec![(1000, on), (60_000_000, off)], vec![("press", 1000)]),
        ] {
            assert_eq!(play(&edges), expected, "{name}");
        }
    }

    #[test]
    fn endless_noise_holds_nothing_up_for_longer_than_50_ms() {
        let edges: Vec<(u64, bool)> = (0..4000).map(|i| (1000 + i * 50, i % 2 == 0)).collect();
        let found = play(&edges);
        assert!(found.iter().all(|(what, _)| *what != "press"), "{found:?}");
        assert_eq!(found[0], ("noise", 1000));
        let mut machine = Debounce::new(Times::default(), false, Instant::ZERO);
        for (micros, active) in edges {
            let at = Instant::from_nanos(micros * 1000);
            machine.edge(Edge { at, active }, &mut |_| {});
            let open = machine.open_since().map(|first| at.since(first));
            assert!(open.is_none_or(|open| open <= LONGEST_CANDIDATE), "{open:?}");
        }
    }

    #[test]
    fn every_setting_of_the_times_comes_to_an_end() {
        let spans = [0, 1, 1000, 60 * MS, u64::MAX].map(Span::from_nanos);
        for (settle, gap) in spans.iter().flat_map(|settle| spans.map(|gap| (*settle, gap))) {
            for release in spans {
                let times = Times { settle, gap, release, stuck: Some(release) };
                let mut machine = Debounce::new(times, false, Instant::ZERO);
                for (micros, active) in [(1, true), (500, false), (900, true), (100_000, false)] {
                    let at = Instant::from_nanos(micros * 1000);
                    machine.edge(Edge { at, active }, &mut |_| {});
                }
                machine.advance(Instant::from_nanos(u64::MAX - 1), &mut |_| {});
            }
        }
    }

    #[test]
    fn a_stuck_button_that_flickers_stays_stuck_until_it_is_released() {
        let mut machine = Debounce::new(Times::default(), true, Instant::ZERO);
        let at = |millis: u64| Instant::from_nanos(millis * MS);
        let stuck = |machine: &Debounce, now| machine.stuck_at().is_some_and(|stuck| stuck <= now);
        assert!(stuck(&machine, at(10_000)));
        machine.edge(Edge { at: at(11_000), active: false }, &mut |_| {});
        assert!(stuck(&machine, at(11_001)));
        machine.edge(Edge { at: at(11_002), active: true }, &mut |_| {});
        machine.edge(Edge { at: at(11_004), active: false }, &mut |_| {});
        machine.advance(at(11_028), &mut |_| {});
        assert!(stuck(&machine, at(11_028)));
        machine.advance(at(11_029), &mut |_| {});
        assert!(!stuck(&machine, at(11_029)));
    }

    #[test]
    fn a_button_down_at_the_start_is_held() {
        let mut machine = Debounce::new(Times::default(), true, Instant::ZERO);
        let mut found = Vec::new();
        machine.advance(Instant::from_nanos(100 * MS), &mut |decision| found.push(decision));
        assert_eq!((found.len(), machine.is_active()), (0, true));
        assert_eq!(machine.stuck_at(), Some(Instant::from_nanos(10_000 * MS)));
    }
}
