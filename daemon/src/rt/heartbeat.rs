//! Whether the clock loop is alive, seen from outside and without waking it up.
//!
//! The loop publishes how often it has woken up and until when it waits. A loop that waits is alive
//! as long as its deadline has not passed and nothing that it waits for stays unread.

use crate::clock::monotonic_now;
use clock_engine::{Instant, Span};
use rustix::event::{Timespec, epoll};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

/// A loop may wake up this much after its deadline. Without real-time priority the kernel can take
/// that long.
const MAX_LATENESS: Span = Span::from_nanos(50_000_000);
/// A loop is hanging if it waits while something has been unread for longer than this.
const MAX_UNREAD: Span = Span::from_nanos(200_000_000);

/// `Heartbeat::state` of a loop that is working.
const WORKING: u64 = 0;
/// `Heartbeat::state` of a loop that has ended.
const ENDED: u64 = u64::MAX;
/// `Heartbeat::state` of a loop that waits without a deadline. Every other value is the deadline.
const NO_DEADLINE: u64 = u64::MAX - 1;

/// The clock loop writes it; the thread that feeds the watchdog reads it.
pub struct Heartbeat {
    wake_ups: AtomicU64,
    /// A single number, so that no reader sees half of a change.
    state: AtomicU64,
    /// Everything that the loop waits for, in a separate epoll. Polling an epoll takes a lock in
    /// the kernel, and the loop must never have to wait for that lock.
    waited_for: OwnedFd,
}

impl Heartbeat {
    /// The heartbeat of a loop that has not started.
    pub(super) fn new() -> io::Result<Heartbeat> {
        Ok(Heartbeat {
            wake_ups: AtomicU64::new(0),
            state: AtomicU64::new(WORKING),
            waited_for: epoll::create(epoll::CreateFlags::CLOEXEC)?,
        })
    }

    /// The epoll with everything the loop waits for.
    pub(super) fn waited_for(&self) -> &OwnedFd {
        &self.waited_for
    }

    /// The loop does nothing before this instant unless something arrives.
    pub(super) fn waits(&self, until: Option<Instant>) {
        let state = until.map_or(NO_DEADLINE, |at| at.as_nanos().clamp(1, NO_DEADLINE - 1));
        self.state.store(state, Ordering::Release);
    }

    /// The loop has woken up.
    pub(super) fn works(&self) {
        self.wake_ups.fetch_add(1, Ordering::Release);
        self.state.store(WORKING, Ordering::Release);
    }

    /// The loop's thread has ended.
    pub(super) fn end(&self) {
        self.state.store(ENDED, Ordering::Release);
    }

    /// The state of the loop now, seen from outside.
    pub fn observe(&self) -> io::Result<Observation> {
        // The time is read first: a deadline that passes during the observation does not count as
        // passed.
        let now = monotonic_now();
        let state = match self.state.load(Ordering::Acquire) {
            WORKING => LoopState::Working,
            ENDED => LoopState::Ended,
            NO_DEADLINE => LoopState::Waiting { until: None },
            at => LoopState::Waiting { until: Some(Instant::from_nanos(at)) },
        };
        let unread = is_readable(&self.waited_for)?;
        // Read after the state: if the loop wakes up in between, this count shows it.
        let wake_ups = self.wake_ups.load(Ordering::Acquire);
        Ok(Observation { now, wake_ups, state, unread })
    }
}

fn is_readable(waited_for: impl AsFd) -> io::Result<bool> {
    let mut events =
        [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    match epoll::wait(waited_for, &mut events, Some(&at_once)) {
        Ok(count) => Ok(count > 0),
        // A signal interrupted the call; the next observation asks again.
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// The loop at one instant, seen from outside.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// When it was observed, on CLOCK_MONOTONIC.
    pub now: Instant,
    /// How often it has woken up since the start.
    pub wake_ups: u64,
    /// What the loop is doing.
    pub state: LoopState,
    /// Whether something that the loop waits for has arrived and has not been read.
    pub unread: bool,
}

/// What the loop is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopState {
    /// It processes what has arrived or is due.
    Working,
    /// It waits.
    Waiting {
        /// The deadline of the wait, if there is one.
        until: Option<Instant>,
    },
    /// Its thread has ended.
    Ended,
}

/// Decides from successive observations whether the loop is alive.
#[derive(Debug, Default)]
pub struct LivenessCheck {
    wake_ups: Option<u64>,
    unread_since: Option<Instant>,
}

impl LivenessCheck {
    /// Whether the loop is working, judged by this observation and the earlier ones.
    pub fn is_alive(&mut self, seen: Observation) -> bool {
        let advanced = self.wake_ups.replace(seen.wake_ups) != Some(seen.wake_ups);
        let before = self.unread_since.filter(|_| !advanced);
        self.unread_since = seen.unread.then(|| before.unwrap_or(seen.now));
        match seen.state {
            LoopState::Ended => false,
            _ if advanced => true,
            LoopState::Working => false,
            LoopState::Waiting { until } => {
                until.is_none_or(|until| seen.now.since(until) <= MAX_LATENESS)
                    && self.unread_since.is_none_or(|since| seen.now.since(since) <= MAX_UNREAD)
            }
        }
    }
}

#[cfg(test)]
mod tests;
