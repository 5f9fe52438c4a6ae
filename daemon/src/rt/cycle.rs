//! The clock loop: wait, drain the edges, decide, publish. It holds no policy and nothing in it
//! blocks: no allocation, no lock, no log, no file, no D-Bus.

use super::board::Board;
use super::channel::{Receiver, Sender};
use super::decide::Decider;
use super::desk::{Cause, Request, Update};
use super::health::Health;
use super::outbox::Outbox;
use crate::clock::{monotonic_now, timespec};
use crate::gpio::{Button, Lines};
use clock_engine::{Instant, Span};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How soon an update that found no room is tried again.
const RETRY: Span = Span::from_nanos(10_000_000);

pub(super) struct ClockLoop {
    decider: Decider,
    board: Board,
    broken: [bool; Button::ALL.len()],
    newly_broken: bool,
    requests: Receiver<Request>,
    outbox: Outbox,
    timer: OwnedFd,
    health: Arc<Health>,
}

impl ClockLoop {
    pub(super) fn new(
        decider: Decider,
        lines: Box<dyn Lines>,
        requests: Receiver<Request>,
        updates: Sender<Update>,
        health: Arc<Health>,
    ) -> io::Result<ClockLoop> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(ClockLoop {
            decider,
            board: Board::new(lines),
            broken: [false; Button::ALL.len()],
            newly_broken: false,
            requests,
            outbox: Outbox::new(updates),
            timer: timerfd_create(TimerfdClockId::Monotonic, flags)?,
            health,
        })
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
        let hung = self.wait()?;
        self.take_requests();
        // Read before the drain: what is stamped earlier is then in the kernel's queue.
        let horizon = monotonic_now();
        let mut again = None;
        for button in Button::ALL {
            again = [again, self.drain(button, horizon)].into_iter().flatten().min();
        }
        // After their last edges: such a descriptor is ready for ever, and the loop would spin.
        for button in Button::ALL.into_iter().filter(|button| hung[button.index()]) {
            self.give_up(button);
        }
        if again.is_none() {
            let outbox = &mut self.outbox;
            self.decider.decide(horizon, &mut |update| outbox.put(update));
        }
        self.report(horizon);
        self.outbox.send(&self.health);
        self.arm(again.or_else(|| self.decider.wake_at(horizon)), horizon)
    }

    /// Waits for something to do; the lines that have hung up.
    fn wait(&self) -> io::Result<[bool; Button::ALL.len()]> {
        let bell = PollFd::new(&self.requests, PollFlags::IN);
        let mut fds = [
            bell.clone(),
            PollFd::new(&self.timer, PollFlags::IN),
            bell.clone(),
            bell.clone(),
            bell,
        ];
        let mut places = [None; Button::ALL.len()];
        let mut len = 2;
        for button in Button::ALL {
            if let (Some(fd), false) = (self.board.fd(button), self.broken[button.index()]) {
                fds[len] = PollFd::from_borrowed_fd(fd, PollFlags::IN);
                places[button.index()] = Some(len);
                len += 1;
            }
        }
        match poll(&mut fds[..len], None) {
            Ok(_) => {}
            // What it says of the descriptors then is not new.
            Err(rustix::io::Errno::INTR) => return Ok([false; Button::ALL.len()]),
            Err(errno) => return Err(errno.into()),
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        Ok(places.map(|place| place.is_some_and(|at: usize| fds[at].revents().intersects(gone))))
    }

    fn take_requests(&mut self) {
        self.requests.hush_bell();
        let outbox = &mut self.outbox;
        while let Some(request) = self.requests.pop() {
            self.decider.request(request, &mut |update| outbox.put(update));
        }
    }

    /// Takes all edges of a line; when to look again if there may be more.
    fn drain(&mut self, button: Button, horizon: Instant) -> Option<Instant> {
        if self.broken[button.index()] {
            return None;
        }
        let drained = self.board.drain(button, horizon, &mut self.decider, &self.health);
        drained.unwrap_or_else(|_| {
            self.give_up(button);
            None
        })
    }

    /// A line that can be read no more is a fault, and waited for no more.
    fn give_up(&mut self, button: Button) {
        self.broken[button.index()] = true;
        self.newly_broken = true;
        self.health.set_broken(button);
    }

    fn report(&mut self, horizon: Instant) {
        let counts = self.decider.counts;
        self.health.rejected.store(counts.rejected, Ordering::Relaxed);
        let mut changed = std::mem::take(&mut self.newly_broken);
        changed |= self.health.noise.swap(counts.noise, Ordering::Relaxed) != counts.noise;
        changed |= self.health.late.swap(counts.late, Ordering::Relaxed) != counts.late;
        for button in Button::ALL {
            let stuck = self.decider.is_stuck(button, horizon);
            changed |= self.health.set_stuck(button, stuck) != stuck;
        }
        if changed {
            self.outbox.put(self.decider.update(Cause::Fault));
        }
    }

    /// Sets the timer; an instant already past fires at once, `None` stops it.
    fn arm(&self, wake: Option<Instant>, horizon: Instant) -> io::Result<()> {
        let retry = self.outbox.owes().then(|| horizon.checked_add(RETRY)).flatten();
        let never = timespec(Instant::ZERO);
        // Zero would stop the timer: the clock's first nanosecond stands for it.
        let at = wake.into_iter().chain(retry).min().map(|at| at.max(Instant::from_nanos(1)));
        let timer = Itimerspec { it_interval: never, it_value: at.map_or(never, timespec) };
        timerfd_settime(self.timer.as_fd(), TimerfdTimerFlags::ABSTIME, &timer)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
