//! Where the clock loop waits, and its pulse: whether it lives, without waking it up to ask.

use crate::clock::{monotonic_now, timespec};
use crate::gpio::{Button, Lines};
use clock_engine::{Instant, Span};
use rustix::event::{Timespec, epoll};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

/// A loop may wake up this much after its deadline: without real-time priority the kernel is in no
/// hurry.
const GRACE: Span = Span::from_nanos(50_000_000);
/// A loop that waits while something has been unread for longer than this hangs.
const UNREAD: Span = Span::from_nanos(200_000_000);

/// `Pulse::stage` of a loop at work.
const WORKING: u64 = 0;
/// `Pulse::stage` of a loop that has ended.
const ENDED: u64 = u64::MAX;
/// `Pulse::stage` of a loop that waits and for no instant; every other value is the instant.
const NO_DEADLINE: u64 = u64::MAX - 1;

/// Written by the clock loop, read by whoever watches it.
pub struct Pulse {
    /// Counts wake-ups.
    sequence: AtomicU64,
    /// One number, so that nobody sees half of a change.
    stage: AtomicU64,
    /// All the loop waits for.
    watched: OwnedFd,
    /// The same, to be asked from outside: asking takes a lock of the kernel's, which the loop must
    /// never find taken.
    asked: OwnedFd,
}

/// What the loop waits for beside the lines, whose event data is their button's index.
const OTHER: u64 = u64::MAX;
/// Rings and lines.
const WATCHED: usize = 2 + Button::ALL.len();

/// Why a wait has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Woken {
    /// Nothing came: its time was over.
    pub(super) on_time: bool,
    /// The lines that have hung up.
    pub(super) hung: [bool; Button::ALL.len()],
}

/// How long to wait at once. A thread without real-time priority is woken up to a thousandth of a
/// wait too late, and whoever preempts the loop between its look at the clock and the kernel's
/// delays it as well: so a long wait ends a little early, and the rest of it is short.
fn nap(left: Span) -> Span {
    let nanos = left.as_nanos();
    if nanos < 100_000_000 { left } else { Span::from_nanos(nanos - nanos / 512) }
}

impl Pulse {
    /// Of a loop that has not begun.
    pub(super) fn new() -> io::Result<Pulse> {
        Ok(Pulse {
            sequence: AtomicU64::new(0),
            stage: AtomicU64::new(WORKING),
            watched: epoll::create(epoll::CreateFlags::CLOEXEC)?,
            asked: epoll::create(epoll::CreateFlags::CLOEXEC)?,
        })
    }

    /// Adds a ring's bell to what the loop waits for.
    pub(super) fn watch(&self, bell: impl AsFd) -> io::Result<()> {
        self.add(bell, OTHER)
    }

    /// Adds a board's lines.
    pub(super) fn watch_lines(&self, lines: &dyn Lines) -> io::Result<()> {
        Button::ALL
            .into_iter()
            .filter_map(|button| Some((lines.fd(button)?, button.index() as u64)))
            .try_for_each(|(fd, index)| self.add(fd, index))
    }

    fn add(&self, fd: impl AsFd, data: u64) -> io::Result<()> {
        let data = epoll::EventData::new_u64(data);
        for epoll in [&self.watched, &self.asked] {
            epoll::add(epoll, &fd, data, epoll::EventFlags::IN)?;
        }
        Ok(())
    }

    /// Takes a board's lines out again: one that has hung up would be there at every wait.
    pub(super) fn forget_lines(&self, lines: &dyn Lines) {
        for fd in Button::ALL.into_iter().filter_map(|button| lines.fd(button)) {
            // One that was never added is not there either.
            let _ = epoll::delete(&self.watched, fd);
            let _ = epoll::delete(&self.asked, fd);
        }
    }

    /// Waits for something to do, until this instant at most, perhaps less.
    ///
    /// It is the time-out of the wait that ends it, no timerfd: on PREEMPT_RT a timerfd fires in a
    /// soft interrupt, behind whatever ordinary thread is running (4 ms late on a loaded machine),
    /// the sleep of a real-time thread in the hard one. And it is epoll, which looks only at what
    /// is there: poll asks every descriptor before and after.
    pub(super) fn wait(&self, until: Option<Instant>) -> io::Result<Woken> {
        let none = epoll::Event {
            flags: epoll::EventFlags::empty(),
            data: epoll::EventData::new_u64(OTHER),
        };
        let mut events = [none; WATCHED];
        self.park(until);
        let left = until.map(|until| timespec(nap(until.since(monotonic_now()))));
        let waited = epoll::wait(&self.watched, &mut events, left.as_ref());
        self.wake();
        let count = match waited {
            Ok(count) => count,
            // A signal; what has come meanwhile is found all the same.
            Err(rustix::io::Errno::INTR) => return Ok(Woken { on_time: false, hung: [false; 3] }),
            Err(errno) => return Err(errno.into()),
        };
        let mut hung = [false; Button::ALL.len()];
        let gone = epoll::EventFlags::HUP | epoll::EventFlags::ERR;
        for event in &events[..count] {
            let (flags, place) = (event.flags, usize::try_from(event.data.u64()).ok());
            if let Some(hung) = place.and_then(|place| hung.get_mut(place)) {
                *hung = flags.intersects(gone);
            }
        }
        Ok(Woken { on_time: count == 0, hung })
    }

    /// The loop will do nothing before this instant unless something comes.
    fn park(&self, until: Option<Instant>) {
        let stage = until.map_or(NO_DEADLINE, |at| at.as_nanos().clamp(1, NO_DEADLINE - 1));
        self.stage.store(stage, Ordering::Release);
    }

    fn wake(&self) {
        self.sequence.fetch_add(1, Ordering::Release);
        self.stage.store(WORKING, Ordering::Release);
    }

    pub(super) fn end(&self) {
        self.stage.store(ENDED, Ordering::Release);
    }

    /// The loop as it looks from outside now.
    pub fn look(&self) -> io::Result<Seen> {
        // The time first: a deadline that passes while we look has not passed.
        let now = monotonic_now();
        let stage = match self.stage.load(Ordering::Acquire) {
            WORKING => Stage::Working,
            ENDED => Stage::Ended,
            NO_DEADLINE => Stage::Parked { until: None },
            at => Stage::Parked { until: Some(Instant::from_nanos(at)) },
        };
        let unread = self.unread()?;
        // After the stage: a loop that wakes up in between is then seen to have moved.
        let sequence = self.sequence.load(Ordering::Acquire);
        Ok(Seen { now, sequence, stage, unread })
    }

    fn unread(&self) -> io::Result<bool> {
        let mut events = [epoll::Event {
            flags: epoll::EventFlags::empty(),
            data: epoll::EventData::new_u64(0),
        }];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        match epoll::wait(&self.asked, &mut events, Some(&at_once)) {
            Ok(count) => Ok(count > 0),
            // Asked again at the next look.
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// The loop at one instant, from outside.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// When.
    pub now: Instant,
    /// How often it has woken up.
    pub sequence: u64,
    /// What it does.
    pub stage: Stage,
    /// Something it waits for is there.
    pub unread: bool,
}

/// What the loop does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A round.
    Working,
    /// It waits, and for this instant if for any.
    Parked {
        /// The instant.
        until: Option<Instant>,
    },
    /// Nothing any more.
    Ended,
}

/// Tells from one look after another whether the loop is alive.
#[derive(Debug, Default)]
pub struct Watcher {
    sequence: Option<u64>,
    unread_since: Option<Instant>,
}

impl Watcher {
    /// Whether the loop does its work, as far as this look and those before it tell.
    pub fn is_alive(&mut self, seen: Seen) -> bool {
        let advanced = self.sequence.replace(seen.sequence) != Some(seen.sequence);
        let before = self.unread_since.filter(|_| !advanced);
        self.unread_since = seen.unread.then(|| before.unwrap_or(seen.now));
        match seen.stage {
            Stage::Ended => false,
            _ if advanced => true,
            Stage::Working => false,
            Stage::Parked { until } => {
                until.is_none_or(|until| seen.now.since(until) <= GRACE)
                    && self.unread_since.is_none_or(|since| seen.now.since(since) <= UNREAD)
            }
        }
    }
}

#[cfg(test)]
mod tests;
