//! The dry run: everything the clock loop will touch is touched before the first game.
//!
//! Memory is locked only from its first use on, and that first use is a page fault. In a game it
//! would come with the first press or the first flag, the very moment that is timed.

use super::channel::channel;
use super::debounce::LONGEST_CANDIDATE;
use super::decide::Decider;
use super::desk::{Cause, Request};
use super::health::Health;
use super::outbox::Outbox;
use crate::gpio::{Button, Edge};
use clock_engine::{Caller, Command, Correction, Instant, Side, Span};
use std::hint::black_box;
use std::io;

/// More than the deepest calls of the loop need.
const STACK: usize = 128 * 1024;

/// Touches the stack below this call.
#[inline(never)]
pub(super) fn touch_stack() {
    black_box(&mut [0_u8; STACK]);
}

/// Plays a short game on a copy of the clock, whose updates nobody sees: a press, each kind of
/// command, a flag, a call, noise, a board that goes away.
#[inline(never)]
pub(super) fn play(mut decider: Decider, from: Instant) -> io::Result<()> {
    // So few that the reader who never comes is soon too slow.
    let (updates, _nobody) = channel(4)?;
    let health = Health::default();
    let mut outbox = Outbox::new(updates);
    let mut now = from;
    let mut step = |decider: &mut Decider, span: Span| {
        now = now.checked_add(span).unwrap_or(now);
        decider.decide(now, &mut |update| outbox.put(update));
        outbox.send(&health);
        black_box(decider.wake_at(now));
        now
    };
    let commands = [
        Command::New(*decider.control()),
        Command::Start,
        Command::Pause { by: Caller::Arbiter },
        Command::Correct(Correction::default()),
        Command::AddTime { side: Side::White, delta_ns: 1 },
        Command::Resume { side: Some(Side::White) },
    ];
    for command in commands {
        let at = step(&mut decider, Span::from_secs(1));
        let revision = decider.update(Cause::Started).revision;
        decider.request(Request { id: 0, at, revision, command }, &mut |update| {
            black_box(update);
        });
        step(&mut decider, Span::from_secs(1));
    }
    for button in [Button::Player(Side::White), Button::Player(Side::Black), Button::Call] {
        for active in [true, false, true, false] {
            let at = step(&mut decider, Span::from_nanos(LONGEST_CANDIDATE.as_nanos() / 3));
            decider.edge(button, Edge { at, active });
        }
        step(&mut decider, Span::from_secs(1));
    }
    let at = step(&mut decider, Span::from_secs(2_000 * 3_600));
    decider.unplugged(Button::Call, at);
    step(&mut decider, Span::from_secs(1));
    decider.returned([true; Button::ALL.len()], at, &mut |update| {
        black_box(update);
    });
    black_box(decider.is_crossed(at));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 4096;

    /// The page faults of this thread so far.
    fn faults() -> i64 {
        // SAFETY: a rusage is plain numbers, for which zeros are values.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the usage is live for the time of the call.
        assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) }, 0);
        usage.ru_minflt + usage.ru_majflt
    }

    #[inline(never)]
    fn use_stack() {
        black_box(&mut [1_u8; STACK - 2 * PAGE]);
    }

    #[test]
    fn a_stack_that_was_touched_does_not_fault() {
        // Each larger than any stack before it: the C library keeps old ones, touched already.
        let thread = |touch: bool, size: usize| {
            let work = move || {
                if touch {
                    touch_stack();
                }
                let before = faults();
                use_stack();
                faults() - before
            };
            let builder = std::thread::Builder::new().stack_size(size);
            builder.spawn(work).unwrap().join().unwrap()
        };
        let (cold, warm) = (thread(false, 20 * 1024 * 1024), thread(true, 24 * 1024 * 1024));
        // One huge page may be all that a cold stack needs.
        assert!(warm <= 2 && cold > warm, "{warm} page faults, {cold} without touching");
    }

    #[test]
    fn a_ring_that_is_new_does_not_fault() {
        let (mut sender, _receiver) = channel::<[u8; PAGE]>(64).unwrap();
        let value = [1; PAGE];
        sender.push(value).unwrap();
        let before = faults();
        for _ in 1..64 {
            sender.push(value).unwrap();
        }
        assert!(faults() - before <= 2, "{}", faults() - before);
    }
}
