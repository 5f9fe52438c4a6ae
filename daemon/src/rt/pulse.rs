//! Where the clock loop waits, and its pulse: whether it lives, without waking it up to ask.

use crate::clock::{monotonic_now, timespec};
use crate::gpio::{Button, Lines};
use clock_engine::{Instant, Span};
use rustix::event::{Timespec, epoll};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// All the loop waits for; it can be asked from outside, too.
    watched: OwnedFd,
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

impl Pulse {
    /// Of a loop that has not begun.
    pub(super) fn new() -> io::Result<Pulse> {
        let watched = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Pulse { sequence: AtomicU64::new(0), stage: AtomicU64::new(WORKING), watched })
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
        epoll::add(&self.watched, fd, data, epoll::EventFlags::IN)?;
        Ok(())
    }

    /// Takes a board's lines out again: one that has hung up would be there at every wait.
    pub(super) fn forget_lines(&self, lines: &dyn Lines) {
        for fd in Button::ALL.into_iter().filter_map(|button| lines.fd(button)) {
            // One that was never added is not there either.
            let _ = epoll::delete(&self.watched, fd);
        }
    }

    /// Waits for something to do, until this instant at most.
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
        // Nothing but an interrupt comes between this reading of the clock and the kernel's own.
        let left = until.map(|until| timespec(until.since(monotonic_now())));
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
        let sequence = self.sequence.load(Ordering::Acquire);
        let stage = match self.stage.load(Ordering::Acquire) {
            WORKING => Stage::Working,
            ENDED => Stage::Ended,
            NO_DEADLINE => Stage::Parked { until: None },
            at => Stage::Parked { until: Some(Instant::from_nanos(at)) },
        };
        Ok(Seen { now, sequence, stage, unread: self.unread()? })
    }

    fn unread(&self) -> io::Result<bool> {
        let mut events = [epoll::Event {
            flags: epoll::EventFlags::empty(),
            data: epoll::EventData::new_u64(0),
        }];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        match epoll::wait(&self.watched, &mut events, Some(&at_once)) {
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
                until.is_none_or(|until| seen.now <= until)
                    && self.unread_since.is_none_or(|since| seen.now.since(since) <= UNREAD)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpio::{Edge, QUEUE};
    use crate::rt::channel::channel;
    use clock_engine::Side;
    use std::os::fd::BorrowedFd;

    const IDLE: Stage = Stage::Parked { until: None };
    const MS: u64 = 1_000_000;

    fn until(millis: u64) -> Stage {
        Stage::Parked { until: Some(Instant::from_nanos(millis * MS)) }
    }

    /// Looks (at ms, sequence, stage, something unread) one after another; whether it lived.
    fn watch(looks: &[(u64, u64, Stage, bool)]) -> Vec<bool> {
        let mut watcher = Watcher::default();
        let look = |&(at, sequence, stage, unread): &(u64, u64, Stage, bool)| {
            watcher.is_alive(Seen { now: Instant::from_nanos(at * MS), sequence, stage, unread })
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn what_lives_and_what_hangs() {
        const HOUR: u64 = 3_600_000;
        let (no, yes) = (false, true);
        let working = Stage::Working;
        for (name, looks, alive) in [
            (
                "idle for hours",
                vec![(0, 7, IDLE, no), (HOUR, 7, IDLE, no), (9 * HOUR, 7, IDLE, no)],
                vec![yes, yes, yes],
            ),
            (
                "a far flag",
                vec![
                    (0, 7, until(HOUR), no),
                    (125, 7, until(HOUR), no),
                    (HOUR, 7, until(HOUR), no),
                ],
                vec![yes, yes, yes],
            ),
            (
                "its deadline passed",
                vec![(0, 7, until(200), no), (125, 7, until(200), no), (201, 7, until(200), no)],
                vec![yes, yes, no],
            ),
            (
                "late, and on again",
                vec![(0, 7, until(100), no), (101, 7, until(100), no), (202, 8, IDLE, no)],
                vec![yes, no, yes],
            ),
            (
                "stuck in a round",
                vec![(0, 7, working, no), (125, 7, working, no), (250, 7, working, no)],
                vec![yes, no, no],
            ),
            (
                "stuck in a round, with the bell rung",
                vec![(0, 7, IDLE, no), (125, 8, working, yes), (250, 8, working, yes)],
                vec![yes, yes, no],
            ),
            (
                "busy",
                vec![(0, 7, working, yes), (125, 900, working, yes), (250, 1800, working, yes)],
                vec![yes, yes, yes],
            ),
            (
                "an unread command",
                vec![
                    (0, 7, IDLE, no),
                    (125, 7, IDLE, yes),
                    (250, 7, IDLE, yes),
                    (325, 7, IDLE, yes),
                    (326, 7, IDLE, yes),
                ],
                vec![yes, yes, yes, yes, no],
            ),
            (
                "an unread command before a far flag",
                vec![(0, 7, until(HOUR), yes), (201, 7, until(HOUR), yes)],
                vec![yes, no],
            ),
            (
                "unread now and then",
                vec![
                    (0, 7, IDLE, yes),
                    (125, 7, IDLE, no),
                    (250, 7, IDLE, yes),
                    (375, 7, IDLE, yes),
                ],
                vec![yes, yes, yes, yes],
            ),
            (
                "unread, woken, unread again",
                vec![
                    (0, 7, IDLE, yes),
                    (125, 8, IDLE, yes),
                    (250, 8, IDLE, yes),
                    (375, 8, IDLE, yes),
                ],
                vec![yes, yes, yes, no],
            ),
            (
                "ended",
                vec![(0, 7, IDLE, no), (125, 8, Stage::Ended, no), (250, 8, Stage::Ended, no)],
                vec![yes, no, no],
            ),
        ] {
            assert_eq!(watch(&looks), alive, "{name}");
        }
    }

    #[test]
    fn a_look_sees_what_the_loop_says_and_what_it_has_not_read() {
        let pulse = Pulse::new().unwrap();
        let (mut sender, mut receiver) = channel::<u8>(1).unwrap();
        pulse.watch(&receiver).unwrap();
        pulse.wake();
        let seen = pulse.look().unwrap();
        assert_eq!((seen.sequence, seen.stage, seen.unread), (1, Stage::Working, false));
        sender.push(1).unwrap();
        sender.ring_bell();
        pulse.park(None);
        assert!(matches!(pulse.look().unwrap(), Seen { stage: IDLE, unread: true, .. }));
        receiver.hush_bell();
        assert_eq!(receiver.pop(), Some(1));
        for nanos in [0, 5, u64::MAX] {
            pulse.park(Some(Instant::from_nanos(nanos)));
            let Seen { stage: Stage::Parked { until: Some(_) }, unread: false, .. } =
                pulse.look().unwrap()
            else {
                panic!("{nanos}: {:?}", pulse.look());
            };
        }
        pulse.end();
        assert_eq!(pulse.look().unwrap().stage, Stage::Ended);
    }

    #[test]
    fn a_line_that_hung_up_is_told_and_unread_until_it_is_forgotten() {
        let pulse = Pulse::new().unwrap();
        let (line, writer) = rustix::pipe::pipe().unwrap();
        let line = White(line);
        pulse.watch_lines(&line).unwrap();
        drop(writer);
        assert!(pulse.look().unwrap().unread);
        let woken = pulse.wait(None).unwrap();
        assert_eq!(woken, Woken { on_time: false, hung: [true, false, false] });
        pulse.forget_lines(&line);
        assert!(!pulse.look().unwrap().unread);
    }

    #[test]
    fn a_wait_ends_with_its_time_and_never_before() {
        let pulse = Pulse::new().unwrap();
        for nanos in [0, 1, 999_999, 1_500_000] {
            let until = monotonic_now().checked_add(Span::from_nanos(nanos)).unwrap();
            let woken = pulse.wait(Some(until)).unwrap();
            assert!(woken.on_time && monotonic_now() >= until, "{nanos}");
        }
        assert!(pulse.wait(Some(Instant::ZERO)).unwrap().on_time, "long past");
    }

    /// A board with White's button only.
    struct White(OwnedFd);

    impl Lines for White {
        fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
            (button == Button::Player(Side::White)).then(|| self.0.as_fd())
        }

        fn read(&mut self, _: Button, _: &mut [Edge; QUEUE]) -> io::Result<usize> {
            Ok(0)
        }

        fn level(&self, _: Button) -> io::Result<bool> {
            Ok(false)
        }
    }
}
