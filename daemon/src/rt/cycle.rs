//! The clock loop: wait, drain the edges, decide, publish. It holds no policy and nothing in it
//! blocks: no allocation, no lock, no log, no file, no D-Bus.

use super::board::Board;
use super::channel::{Receiver, Sender};
use super::debounce::MAX_CANDIDATE_AGE;
use super::decide::{Decider, MARGIN};
use super::desk::{Cause, Request, Update};
use super::health::Health;
use super::outbox::Outbox;
use super::pulse::Pulse;
use super::rehearsal;
use crate::clock::monotonic_now;
use crate::gpio::{Button, Lines};
use clock_engine::{Instant, Span};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How soon an update that found no room is tried again.
const RETRY: Span = Span::from_nanos(10_000_000);

/// When the wait ends if nothing comes.
#[derive(Clone, Copy)]
struct Wake {
    at: Instant,
    /// Not only so that the next round comes at once.
    ahead: bool,
}

/// The loop's ends of the rings.
pub(super) struct Ends {
    pub(super) requests: Receiver<Request>,
    pub(super) updates: Sender<Update>,
    /// A board opened again.
    pub(super) fresh: Receiver<Box<dyn Lines>>,
    /// Boards that are gone, to be closed outside.
    pub(super) gone: Sender<Box<dyn Lines>>,
}

pub(super) struct ClockLoop {
    decider: Decider,
    board: Board,
    requests: Receiver<Request>,
    outbox: Outbox,
    fresh: Receiver<Box<dyn Lines>>,
    gone: Sender<Box<dyn Lines>>,
    wake: Option<Wake>,
    /// Since when a button has been down without its edge, first seen when something was due.
    untold_since: Option<Instant>,
    health: Arc<Health>,
    pulse: Arc<Pulse>,
}

impl ClockLoop {
    pub(super) fn new(
        decider: Decider,
        board: Board,
        ends: Ends,
        health: Arc<Health>,
        pulse: Arc<Pulse>,
    ) -> io::Result<ClockLoop> {
        pulse.watch(&ends.requests)?;
        pulse.watch(&ends.fresh)?;
        let clock_loop = ClockLoop {
            decider,
            board,
            requests: ends.requests,
            outbox: Outbox::new(ends.updates),
            fresh: ends.fresh,
            gone: ends.gone,
            wake: None,
            untold_since: None,
            health,
            pulse,
        };
        clock_loop.watch_board()?;
        Ok(clock_loop)
    }

    /// The dry run, so that nothing in a game is done for the first time.
    pub(super) fn rehearse(&mut self) -> io::Result<()> {
        rehearsal::touch_stack();
        let now = monotonic_now();
        rehearsal::play(self.decider.clone(), now)?;
        // A real round, which a wait long over lets begin at once.
        self.wake_at(Some(Instant::ZERO), now);
        self.round()
    }

    /// Runs until the kernel refuses to let it wait, which is an error of the program.
    pub(super) fn run(mut self) -> io::Error {
        loop {
            if let Err(error) = self.round() {
                return error;
            }
        }
    }

    fn round(&mut self) -> io::Result<()> {
        let mut broken = self.wait()?;
        self.take_requests();
        self.take_board();
        // Read before the drain: what is stamped earlier is then in the kernel's queue.
        let horizon = monotonic_now();
        let mut again = None;
        for button in Button::ALL {
            match self.board.drain(button, horizon, &mut self.decider, &self.health) {
                Ok(at) => again = [again, at].into_iter().flatten().min(),
                Err(_) => broken[button.index()] = true,
            }
        }
        // After the last edges: such a descriptor is ready for ever, and the loop would spin.
        self.give_up(broken);
        let again = again.or_else(|| self.press_not_told(horizon));
        if again.is_none() {
            self.decide(horizon);
        }
        self.report(horizon);
        self.outbox.send(&self.health);
        self.wake_at(again.or_else(|| self.decider.wake_at(horizon)), horizon);
        Ok(())
    }

    /// Waits for something to do; the lines that have hung up.
    fn wait(&self) -> io::Result<[bool; Button::ALL.len()]> {
        let woken = self.pulse.wait(self.wake.map(|wake| wake.at))?;
        if let (true, Some(Wake { at, ahead: true })) = (woken.on_time, self.wake) {
            let now = monotonic_now();
            // Else it was only the first part of a long wait.
            if now >= at {
                self.health.wake_lateness.record(now.since(at));
            }
        }
        Ok(woken.hung)
    }

    fn take_requests(&mut self) {
        self.requests.hush_bell();
        let outbox = &mut self.outbox;
        while let Some(request) = self.requests.pop() {
            self.decider.request(request, &mut |update| outbox.put(update));
        }
    }

    /// When to look again before what is due (a flag, the next period, overtime, a gong) is decided:
    /// a button is down of which no edge has told. Its edge is stamped, and may be from before, but
    /// the interrupt's thread has not come to queue it: on another processor it can be held up for
    /// longer than the margin.
    fn press_not_told(&mut self, horizon: Instant) -> Option<Instant> {
        let due = self.decider.is_due(horizon);
        if !due && self.untold_since.is_none() {
            return None;
        }
        if !self.board.is_ahead_of(&self.decider) {
            self.untold_since = None;
            return None;
        }
        let since = *self.untold_since.get_or_insert(horizon);
        // Like a candidate, it cannot hold a flag for ever. And only once: a line of which no edge
        // ever tells would else make every gong and every period of overtime late.
        if !due || horizon.since(since) >= MAX_CANDIDATE_AGE {
            return None;
        }
        horizon.checked_add(MARGIN)
    }

    fn decide(&mut self, horizon: Instant) {
        let (outbox, health) = (&mut self.outbox, &self.health);
        let mut late = None;
        self.decider.decide(horizon, &mut |update| {
            match update.cause {
                // The press itself follows, with the stamp it counts from.
                Cause::Late(_) => late = Some(update.at),
                Cause::Press(_) | Cause::IgnoredPress(_) | Cause::Call => {
                    let stamp = late.take().unwrap_or(update.at);
                    health.decision_latency.record(monotonic_now().since(stamp));
                }
                _ => {}
            }
            outbox.put(update);
        });
    }

    /// A board that is back takes the place of the one that went.
    fn take_board(&mut self) {
        self.fresh.hush_bell();
        while let Some(lines) = self.fresh.pop() {
            self.hand_out();
            let found = self.board.plug_in(lines);
            match found.and_then(|levels| self.watch_board().map(|()| levels)) {
                Ok(levels) => {
                    Button::ALL
                        .into_iter()
                        .for_each(|button| self.health.set_broken(button, false));
                    let outbox = &mut self.outbox;
                    let at = monotonic_now();
                    self.decider.returned(levels, at, &mut |update| outbox.put(update));
                }
                // Gone again already: still the same fault.
                Err(_) => self.hand_out(),
            }
        }
    }

    fn watch_board(&self) -> io::Result<()> {
        self.board.lines().map_or(Ok(()), |lines| self.pulse.watch_lines(lines))
    }

    /// A line that cannot be read any more takes the board with it: it can only be opened again
    /// as a whole, and only once this one is closed.
    fn give_up(&mut self, broken: [bool; Button::ALL.len()]) {
        let mut broken = Button::ALL.into_iter().filter(|button| broken[button.index()]);
        let Some(first) = broken.next() else { return };
        self.health.set_broken(first, true);
        broken.for_each(|button| self.health.set_broken(button, true));
        self.hand_out();
        self.decider.unplugged(first, monotonic_now());
    }

    /// Closing a board may wait and frees memory, so that is done outside.
    fn hand_out(&mut self) {
        let Some(lines) = self.board.pull_out() else { return };
        self.pulse.forget_lines(&*lines);
        // There is always room for the one board; better kept open for ever than closed here.
        self.gone.push(lines).unwrap_or_else(std::mem::forget);
        self.gone.ring_bell();
    }

    fn report(&mut self, horizon: Instant) {
        let counts = self.decider.counts;
        self.health.rejected.store(counts.rejected, Ordering::Relaxed);
        let mut changed = self.health.noise.swap(counts.noise, Ordering::Relaxed) != counts.noise;
        changed |= self.health.late.swap(counts.late, Ordering::Relaxed) != counts.late;
        let crossed = self.decider.is_crossed(horizon);
        changed |= self.health.crossed.swap(crossed, Ordering::Relaxed) != crossed;
        for button in Button::ALL {
            let stuck = self.decider.is_stuck(button, horizon);
            changed |= self.health.set_stuck(button, stuck) != stuck;
        }
        if changed {
            self.outbox.put(self.decider.update(Cause::Fault));
        }
    }

    /// Notes when the next wait ends; at an instant already past it ends at once.
    fn wake_at(&mut self, wake: Option<Instant>, horizon: Instant) {
        let retry = self.outbox.owes().then(|| horizon.checked_add(RETRY)).flatten();
        let at = wake.into_iter().chain(retry).min();
        self.wake = at.map(|at| Wake { at, ahead: at > horizon });
    }
}

#[cfg(test)]
mod tests;
