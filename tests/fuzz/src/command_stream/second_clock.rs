//! Gives the same steps to a second clock, and also calls that clock between the steps, twice at
//! each instant. Both clocks must show the same: if the clock loop calls late, the clock must still
//! decide everything that was due earlier.

use super::steps::{Step, apply};
use super::take;
use crate::bytes::Bytes;
use clock_engine::{Clock, Event, EventKind, Instant, Refused, Span};

/// The number of events that a clock keeps.
const KEPT: usize = 64;

pub struct SecondClock(Clock);

impl SecondClock {
    pub fn new(clock: Clock) -> SecondClock {
        SecondClock(clock)
    }

    /// Gives the step to the second clock too. Checks that both clocks then show the same.
    pub fn check(
        &mut self,
        bytes: &mut Bytes,
        step: Step,
        at: Instant,
        clock: &Clock,
        result: Result<(), Refused>,
        events: &[Event],
    ) {
        let mut own = Vec::new();
        match bytes.byte() {
            0..128 => {}
            way @ 128..192 => self.wake_between(way, at, &mut own),
            _ => self.wake_when_due(at, &mut own),
        }
        assert_eq!(apply(&mut self.0, step, at), result);
        own.extend(take(&mut self.0));
        same_events(events, &own);
        assert_eq!(self.0.view(at), clock.view(at));
        assert_eq!(self.0.poll_timeout(), clock.poll_timeout());
        assert_eq!(self.0.last(), clock.last());
        assert_eq!(self.0.control(), clock.control());
    }

    /// Calls the clock twice at each of up to three instants before `at`. Each instant is later
    /// than the one before by a part of the time that is left until `at`.
    fn wake_between(&mut self, way: u8, at: Instant, events: &mut Vec<Event>) {
        for _ in 0..way % 4 {
            let last = self.0.last();
            let Some(early) = last.checked_add(part(at.since(last), way)) else { return };
            for _ in 0..2 {
                assert_eq!(self.0.handle_timeout(early), Ok(()));
                events.extend(take(&mut self.0));
            }
        }
    }

    /// Calls the clock at each instant up to `at` at which something is due, as the clock loop
    /// does, but twice at each.
    fn wake_when_due(&mut self, at: Instant, events: &mut Vec<Event>) {
        for _ in 0..KEPT {
            let Some(due) = self.0.poll_timeout().filter(|due| *due <= at) else { return };
            for _ in 0..2 {
                assert_eq!(self.0.handle_timeout(due), Ok(()));
                events.extend(take(&mut self.0));
            }
        }
    }
}

/// One half, one quarter, or less of a span.
fn part(span: Span, way: u8) -> Span {
    Span::from_nanos(span.as_nanos() >> (1 + way / 4 % 8))
}

/// Checks that both clocks have the same events, with two exceptions. If several periods of
/// overtime are due, a clock that is called late has an event for the last one only. If the list of
/// events of that clock is full, gongs are missing in the list.
fn same_events(late: &[Event], own: &[Event]) {
    let mut rest = late.iter().peekable();
    let mut passed_over = Vec::new();
    for event in own {
        if rest.next_if_eq(&event).is_none() {
            passed_over.push(*event);
        }
    }
    assert_eq!(rest.next(), None, "{late:?}\n{own:?}");
    for event in passed_over {
        let good = match event.kind {
            EventKind::Overtime { side, .. } => late.iter().any(|later| {
                matches!(later.kind, EventKind::Overtime { side: of, .. } if of == side)
                    && later.at > event.at
            }),
            EventKind::Gong { .. } => late.len() == KEPT,
            _ => false,
        };
        assert!(good, "{event:?} of {own:?} is not in {late:?}");
    }
}
