//! Debounces one line. A press is recognised only after the contact has settled, and is then dated
//! at its first edge.
//!
//! A contact bounces for some milliseconds when it closes. A press is therefore decided only when
//! the contact has stayed closed for the settle time N, and it is then dated at the stamp of the
//! first edge. The kernel's own debouncing is not used, because it stamps the end of the bouncing.
//!
//! # The meaning of an edge
//!
//! The kernel takes the stamp of an edge in the hard interrupt. The interrupt's thread reads the
//! level later (usually 25 to 100 µs later), and this level becomes the direction of the edge. If
//! the line changes again before the thread runs, the kernel queues only one edge for all these
//! changes, with the stamp of the latest change and the level that the thread reads. So an edge
//! `(t, active)` means this:
//!
//! - at `t` the line changed. So the contact was closed shortly before `t` or shortly after it,
//!   whatever `active` says;
//! - after `t` the line is at the level `active`, until the next edge.
//!
//! Example: the contact first closes for 20 µs and the thread runs after 40 µs. The only edge of
//! this contact is `(t, false)`, on a line that was idle. This edge must begin a candidate (a
//! contact that may become a press), as `(t, true)` would. Otherwise the press would be dated at
//! the second contact, often a millisecond later.
//!
//! # States
//!
//! | state | edge to active | edge to inactive |
//! |---|---|---|
//! | idle | candidate, closed since the edge | candidate, open since the edge |
//! | candidate | closed since the edge; N starts anew | open since the edge; G starts anew |
//! | held | held (the contact was open for less than the thread's delay) | releasing, R starts |
//! | releasing | held again, no press | R starts anew |
//!
//! N, G and R are fields of [`Times`]. A candidate whose contact stays closed for N is a press. A
//! candidate whose contact stays open for G is rejected. So an edge to inactive on an idle line
//! (the end of a bouncing release, a short glitch) becomes a press only if the contact closes
//! within G and stays closed for N. A candidate that is still undecided at the age of
//! [`MAX_CANDIDATE_AGE`] is rejected as noise. If the contact has closed after the first edge and
//! is still closed, a new candidate begins at that closing. An edge that is stamped before the end
//! of R but delivered after it belongs to the press that was released: the button is held or
//! releasing again, and no candidate begins.

use crate::Edge;
use clock_engine::{Instant, Span};

/// The debounce times. docs/debounce.md has the measurements behind the defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// N, the settle time: a contact must stay closed for this long to be a press.
    pub settle: Span,
    /// G, the longest bounce: a candidate (a contact that may become a press) is rejected if it
    /// stays open for this long.
    pub longest_bounce: Span,
    /// R, the release time: a contact must stay open for this long before the next press. A contact
    /// that closes again within R belongs to the same press.
    pub release: Span,
    /// A button that is down for this long is reported as stuck. With `None`, no button is
    /// reported.
    pub stuck: Option<Span>,
}

impl Default for Times {
    fn default() -> Times {
        Times {
            settle: Span::from_nanos(1_000_000),
            longest_bounce: Span::from_nanos(20_000_000),
            release: Span::from_nanos(50_000_000),
            stuck: Some(Span::from_secs(10)),
        }
    }
}

/// A candidate that is still undecided at this age is noise. An undecided candidate delays all
/// decisions with a later stamp than its first edge, so its age must have a limit.
pub const MAX_CANDIDATE_AGE: Span = Span::from_nanos(50_000_000);

/// What the debounce has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A press, with the stamp of its first edge.
    Press(Instant),
    /// A glitch, with the stamp of its first edge: the contact stayed open for the longest bounce
    /// G, so this is no press.
    Rejected(Instant),
    /// Noise: a candidate that was still undecided [`MAX_CANDIDATE_AGE`] after its first edge, or a
    /// line with too many edges. The stamp is that of the first edge of the candidate; if there is
    /// no candidate, it is the instant up to which all changes of the line are known. Noise shows a
    /// fault of the button or of its wiring.
    Noise(Instant),
}

/// The state machine of one line.
#[derive(Clone, Copy, Debug)]
pub struct Debounce {
    times: Times,
    state: State,
    /// The stamp and the release of the latest press whose release time R has ended.
    last_press: Option<(Instant, Release)>,
}

/// The end of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The stamp of the last edge of the press. The contact has been open since then.
    pub up: Instant,
    /// The end of the release time R. Only then is it certain that the contact was not bouncing.
    pub over: Instant,
}

/// What is known of a press that [`Decision::Press`] reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressState {
    /// The contact is closed.
    Down,
    /// The contact has been open since this instant, for less than R. It may still be bouncing.
    Opened(Instant),
    /// The button was released.
    Released(Release),
    /// Nothing is known, because the line was not read until the release, or because a later press
    /// was released, too.
    Unknown,
}

impl PressState {
    /// Whether the press was not released before `at`. A release at `at` is not earlier.
    pub fn lasts_until(self, at: Instant) -> bool {
        match self {
            PressState::Down => true,
            PressState::Opened(up) => at <= up,
            PressState::Released(release) => at <= release.up,
            PressState::Unknown => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle {
        released: Option<Released>,
    },
    /// A contact that may become a press. `first` is the stamp of its first edge.
    Candidate {
        first: Instant,
        contact: Contact,
    },
    /// The button has been down since `since`. The contact is closed now. In the meantime it may
    /// have been open, but each time for less than the release time R.
    Held {
        since: Instant,
    },
    /// The button has been down since `since`. The contact has been open since `up`, for less than
    /// the release time R. It may still be bouncing, so the button still counts as down.
    Releasing {
        since: Instant,
        up: Instant,
    },
}

/// The latest press that has been released. An edge that is stamped before the end of the release
/// time R, but delivered after that end, belongs to that press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Released {
    /// The instant since which the button was down.
    since: Instant,
    /// The end of the release time R of that press.
    over: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contact {
    /// Closed since this instant.
    Closed(Instant),
    /// Open since this instant.
    Open(Instant),
}

impl State {
    const IDLE: State = State::Idle { released: None };
}

impl Contact {
    const fn after(edge: Edge) -> Contact {
        if edge.active { Contact::Closed(edge.at) } else { Contact::Open(edge.at) }
    }
}

impl Debounce {
    /// The debounce of a line that has the level `active` at `at`. A button that is already down
    /// counts as held and gives no press.
    pub fn new(times: Times, active: bool, at: Instant) -> Debounce {
        let state = if active { State::Held { since: at } } else { State::IDLE };
        Debounce { times, state, last_press: None }
    }

    /// Takes the next edge of the line. Before that, makes all decisions that are due at or before
    /// the stamp of the edge. Each decision is passed to `decided`.
    pub fn edge(&mut self, edge: Edge, decided: &mut impl FnMut(Decision)) {
        self.advance(edge.at, decided);
        let contact = Contact::after(edge);
        let state = match self.state {
            State::Idle { released: Some(released) } if edge.at < released.over => {
                State::Releasing { since: released.since, up: edge.at }
            }
            state => state,
        };
        self.state = match (state, edge.active) {
            (State::Idle { .. }, _) => State::Candidate { first: edge.at, contact },
            (State::Candidate { first, .. }, _) => State::Candidate { first, contact },
            (State::Held { since } | State::Releasing { since, .. }, true) => State::Held { since },
            (State::Held { since } | State::Releasing { since, .. }, false) => {
                State::Releasing { since, up: edge.at }
            }
        };
    }

    /// Makes all decisions that are due at or before `horizon`, and passes each to `decided`. The
    /// caller must have passed every edge with a stamp before `horizon` to [`Debounce::edge`].
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
                    if plus(up, self.times.longest_bounce) == due =>
                {
                    decided(Decision::Rejected(first));
                    State::IDLE
                }
                State::Candidate { first, contact } => noise(first, contact, decided),
                State::Releasing { since, up } => {
                    self.last_press = Some((since, Release { up, over: due }));
                    State::Idle { released: Some(Released { since, over: due }) }
                }
                // In these states nothing is due.
                state @ (State::Held { .. } | State::Idle { .. }) => state,
            };
        }
    }

    /// Reports an undecided candidate as noise if its age at `now` is at least
    /// [`MAX_CANDIDATE_AGE`]. The caller uses this while an edge is missing, because
    /// [`Debounce::advance`] needs all edges up to its horizon.
    pub fn expire(&mut self, now: Instant, decided: &mut impl FnMut(Decision)) {
        if let State::Candidate { first, contact } = self.state
            && plus(first, MAX_CANDIDATE_AGE) <= now
        {
            self.state = noise(first, contact, decided);
        }
    }

    /// The stamp of the first edge of an undecided candidate; `None` if there is no candidate.
    /// While there is one, the loop must not decide any input with a later stamp.
    pub fn open_since(&self) -> Option<Instant> {
        match self.state {
            State::Candidate { first, .. } => Some(first),
            _ => None,
        }
    }

    /// The instant of the next decision or change of state, provided that no edge comes before it.
    /// `None` if only an edge can change the state: the button is idle or held.
    pub fn decides_at(&self) -> Option<Instant> {
        match self.state {
            State::Idle { .. } | State::Held { .. } => None,
            State::Releasing { up, .. } => Some(plus(up, self.times.release)),
            State::Candidate { first, contact } => {
                let silence = match contact {
                    Contact::Closed(down) => plus(down, self.times.settle),
                    Contact::Open(up) => plus(up, self.times.longest_bounce),
                };
                Some(silence.min(plus(first, MAX_CANDIDATE_AGE)))
            }
        }
    }

    /// The instant from which a button that is held down counts as stuck. `None` if the button is
    /// not down, or if [`Times::stuck`] is `None`.
    pub fn stuck_at(&self) -> Option<Instant> {
        match self.state {
            // The contact may still be bouncing, so the button counts as down until the release
            // time R is over.
            State::Held { since } | State::Releasing { since, .. } => {
                self.times.stuck.map(|stuck| plus(since, stuck))
            }
            State::Idle { .. } | State::Candidate { .. } => None,
        }
    }

    /// The instant since which the button is held. `None` if the contact is open, or if a candidate
    /// is not yet decided.
    pub fn held_since(&self) -> Option<Instant> {
        match self.state {
            State::Held { since } => Some(since),
            _ => None,
        }
    }

    /// What is known of the press with the stamp `first`.
    pub fn press_state(&self, first: Instant) -> PressState {
        match self.state {
            State::Held { since } if since == first => PressState::Down,
            State::Releasing { since, up } if since == first => PressState::Opened(up),
            _ => match self.last_press {
                Some((since, release)) if since == first => PressState::Released(release),
                _ => PressState::Unknown,
            },
        }
    }

    /// The instant since which the button counts as down: it is held, or it was held and its
    /// contact has been open for less than R. `None` if the button is up or its press is undecided.
    pub fn down_since(&self) -> Option<Instant> {
        match self.state {
            State::Held { since } | State::Releasing { since, .. } => Some(since),
            State::Idle { .. } | State::Candidate { .. } => None,
        }
    }

    /// Whether the button was held and its contact has been open for less than the release time R.
    pub fn is_releasing(&self) -> bool {
        matches!(self.state, State::Releasing { .. })
    }

    /// The line's level after the latest edge.
    pub fn is_active(&self) -> bool {
        match self.state {
            State::Idle { .. } | State::Releasing { .. } => false,
            State::Held { .. } => true,
            State::Candidate { contact, .. } => matches!(contact, Contact::Closed(_)),
        }
    }
}

/// Reports a candidate as noise, and returns the next state.
fn noise(first: Instant, contact: Contact, decided: &mut impl FnMut(Decision)) -> State {
    decided(Decision::Noise(first));
    match contact {
        // A contact that closed after the first edge may still become a press, with a later stamp.
        Contact::Closed(down) if down > first => State::Candidate { first: down, contact },
        Contact::Closed(down) => State::Held { since: down },
        Contact::Open(_) => State::IDLE,
    }
}

fn plus(at: Instant, span: Span) -> Instant {
    at.checked_add(span).unwrap_or(Instant::from_nanos(u64::MAX))
}

#[cfg(test)]
pub(super) mod corpus;
#[cfg(test)]
mod tests;
