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
use clock_engine::{
    Caller, Command, Control, Correction, Instant, Method, Outcome, Overtime, Side, Span,
};
use std::hint::black_box;
use std::io;

/// Long enough for a command to be decided, and short for a game in which time runs out.
const MOMENT: Span = Span::from_nanos(1_000_000);
/// More than the deepest calls of the loop need.
const STACK: usize = 128 * 1024;

/// Touches the stack below this call.
#[inline(never)]
pub(super) fn touch_stack() {
    black_box(&mut [0_u8; STACK]);
}

/// Plays short games on a copy of the clock, whose updates nobody sees: presses, each kind of
/// command, a flag, overtime, a gong, a call, noise, a board that goes away.
#[inline(never)]
pub(super) fn play(decider: Decider, from: Instant) -> io::Result<()> {
    // So few that the reader who never comes is soon too slow.
    let (updates, _nobody) = channel(4)?;
    let own = *decider.control();
    let (outbox, health) = (Outbox::new(updates), Health::default());
    let mut stage = Stage { decider, outbox, health, now: from };
    let second = Span::from_secs(1);
    let overtime = Overtime { periods: 2, time: second, moves: 1 };
    for control in [
        own,
        Control::single(Span::ZERO, Method::Overtime(overtime)),
        Control::single(Span::ZERO, Method::Gong(second)),
    ] {
        stage.game(control);
    }
    let at = stage.now;
    stage.decider.unplugged(Button::Call, at);
    stage.step(second);
    stage.decider.returned([true; Button::ALL.len()], at, &mut |update| {
        black_box(update);
    });
    black_box(stage.decider.is_crossed(at));
    Ok(())
}

struct Stage {
    decider: Decider,
    outbox: Outbox,
    health: Health,
    now: Instant,
}

impl Stage {
    fn game(&mut self, control: Control) {
        let pause = Command::Pause { by: Caller::Arbiter };
        for command in [
            Command::New { control, force: true },
            Command::Start,
            pause,
            Command::Correct(Correction::default()),
            Command::AddTime { side: Side::White, delta_ns: 1 },
            Command::Resume { side: Some(Side::White) },
        ] {
            self.command(command);
        }
        self.press(Button::Player(Side::White));
        self.press(Button::Player(Side::Black));
        for command in [pause, Command::UndoPress, Command::Resume { side: None }] {
            self.command(command);
        }
        // More than any clock can have: only a gong goes on for ever.
        self.step(Span::from_secs(2_000 * 3_600));
        self.press(Button::Call);
        for command in [Command::Finish(Outcome::Drawn), Command::Reopen] {
            self.command(command);
        }
    }

    /// Lets so much time pass and decides.
    fn step(&mut self, span: Span) {
        self.now = self.now.checked_add(span).unwrap_or(self.now);
        let outbox = &mut self.outbox;
        self.decider.decide(self.now, &mut |update| outbox.put(update));
        self.outbox.send(&self.health);
        black_box(self.decider.wake_at(self.now));
    }

    fn command(&mut self, command: Command) {
        let revision = self.decider.update(Cause::Started).revision;
        let request = Request { id: 0, at: self.now, revision, command };
        self.decider.request(request, &mut |update| {
            black_box(update);
        });
        self.step(MOMENT);
    }

    fn press(&mut self, button: Button) {
        for active in [true, false, true, false] {
            self.step(Span::from_nanos(LONGEST_CANDIDATE.as_nanos() / 3));
            self.decider.edge(button, Edge { at: self.now, active });
        }
        self.step(LONGEST_CANDIDATE);
    }
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
    fn the_dry_run_comes_past_everything_and_ends() {
        // With a gong every millisecond 2,000 hours are more than can be played one by one.
        let gong = Control::single(Span::ZERO, Method::Gong(clock_engine::MIN_SLICE));
        let start = Instant::from_nanos(1_000_000_000);
        let decider = Decider::new(gong, crate::rt::Inputs::default(), [false; 3], start);
        play(decider.clone(), start).unwrap();
        let (updates, mut seen) = channel(4096).unwrap();
        let (outbox, health) = (Outbox::new(updates), Health::default());
        let mut stage = Stage { decider, outbox, health, now: start };
        let second = Span::from_secs(1);
        let overtime = Overtime { periods: 2, time: second, moves: 1 };
        stage.game(Control::single(Span::ZERO, Method::Overtime(overtime)));
        let causes: Vec<Cause> = std::iter::from_fn(|| seen.pop()).map(|seen| seen.cause).collect();
        for wanted in [
            Cause::Press(Side::White),
            Cause::Command("add"),
            Cause::Command("undo"),
            Cause::Overtime { side: Side::Black, periods_left: 1 },
            Cause::Flag { side: Side::Black, period: 1 },
            Cause::Call,
        ] {
            assert!(causes.contains(&wanted), "{wanted:?}: {causes:?}");
        }
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
