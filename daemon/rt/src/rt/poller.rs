//! Lets the clock loop wait (for edges, requests, a board, or a deadline), and reads the lines of a
//! board: the edges of all lines, and then the levels of all lines.
//!
//! If a contact bounces faster than the kernel can follow, the kernel drops edges, or queues one
//! edge for several changes, without a report. Some chips (BCM283x) lose an edge when two lines
//! change at almost the same time. So the levels are read after the edges of *all* lines, and
//! [`LoopCore`] compares each level with the latest edge of its line.
//!
//! [`LoopCore`]: clockd_core::LoopCore

use super::health::Health;
use super::heartbeat::Heartbeat;
use crate::clock::{monotonic_now, timespec};
use crate::gpio::Lines;
use clock_engine::{Instant, Span};
use clockd_core::{Button, LINES, LineReading};
use rustix::event::epoll;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// The event data of every descriptor that is no line. The data of a line is its button's index.
const NO_LINE: u64 = u64::MAX;
/// The largest number of events of one wait: one each for the ring of requests, the ring of opened
/// boards, and every line.
const MAX_EVENTS: usize = 2 + LINES;

/// Why a wait has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Woken {
    /// Whether the wait has ended because its time was over, and not because something arrived. The
    /// time of a wait is over at the deadline, or at the end of a part of a long wait.
    pub(super) timed_out: bool,
    /// For each button: whether its line has hung up.
    pub(super) hung_up: [bool; LINES],
}

/// An epoll whose own time-out ends the wait.
///
/// A timerfd is not used, because on PREEMPT_RT it fires in a soft interrupt, which has to wait for
/// the ordinary thread that is running (up to 4 ms on a loaded machine). The time-out of a
/// real-time thread's own wait fires in the hard interrupt. `poll` is not used, because it checks
/// every descriptor before and after the wait; epoll checks only those that are ready.
pub(super) struct Poller {
    epoll: OwnedFd,
    heartbeat: Arc<Heartbeat>,
}

impl Poller {
    /// A poller that waits for nothing yet and reports to this heartbeat.
    pub(super) fn new(heartbeat: Arc<Heartbeat>) -> io::Result<Poller> {
        Ok(Poller { epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?, heartbeat })
    }

    /// Passes to the heartbeat the stamp of the earliest input that the loop has read and not
    /// decided; `None` if there is none.
    pub(super) fn leaves_undecided(&self, since: Option<Instant>) {
        self.heartbeat.leaves_undecided(since);
    }

    /// Adds a descriptor, for which every later wait waits.
    pub(super) fn add(&self, fd: impl AsFd) -> io::Result<()> {
        self.add_with(fd, NO_LINE)
    }

    /// Adds the lines of a board, for which every later wait waits.
    pub(super) fn add_lines(&self, lines: &dyn Lines) -> io::Result<()> {
        descriptors(lines).try_for_each(|(button, fd)| self.add_with(fd, button.index() as u64))
    }

    fn add_with(&self, fd: impl AsFd, data: u64) -> io::Result<()> {
        let data = epoll::EventData::new_u64(data);
        for epoll in self.both() {
            epoll::add(epoll, &fd, data, epoll::EventFlags::IN)?;
        }
        Ok(())
    }

    /// Stops waiting for the lines of a board. A line that has hung up would otherwise end every
    /// wait at once.
    pub(super) fn remove_lines(&self, lines: &dyn Lines) {
        for (_, fd) in descriptors(lines) {
            for epoll in self.both() {
                // The deletion fails only for a line that was never added.
                let _ = epoll::delete(epoll, fd);
            }
        }
    }

    /// Sets which lines are waited for: all that are not muted. A muted line is noisy and is not
    /// read for some time. If all lines share a descriptor, no line is waited for while one is
    /// muted. A hang-up of a line is reported in any case.
    pub(super) fn wait_for_edges(&self, lines: &dyn Lines, muted: &[bool; LINES]) {
        for (button, fd) in descriptors(lines) {
            let is_muted =
                muted[button.index()] || lines.share_descriptor() && muted.contains(&true);
            let flags = if is_muted { epoll::EventFlags::empty() } else { epoll::EventFlags::IN };
            for epoll in self.both() {
                // The change fails only for a line that was never added.
                let data = epoll::EventData::new_u64(button.index() as u64);
                let _ = epoll::modify(epoll, fd, data, flags);
            }
        }
    }

    fn both(&self) -> [&OwnedFd; 2] {
        [&self.epoll, self.heartbeat.waited_for()]
    }

    /// Waits until something arrives, or until the instant `until` at the latest. A long wait may
    /// end before `until` although nothing has arrived.
    pub(super) fn wait(&self, until: Option<Instant>) -> io::Result<Woken> {
        let none = epoll::Event {
            flags: epoll::EventFlags::empty(),
            data: epoll::EventData::new_u64(NO_LINE),
        };
        let mut events = [none; MAX_EVENTS];
        self.heartbeat.waits(until);
        let left = until.map(|until| timespec(shorten(until.since(monotonic_now()))));
        let waited = epoll::wait(&self.epoll, &mut events, left.as_ref());
        self.heartbeat.works();
        let count = match waited {
            Ok(count) => count,
            // A signal interrupted the wait. The loop reads everything after each wait, and the
            // next wait reports a hang-up.
            Err(rustix::io::Errno::INTR) => {
                return Ok(Woken { timed_out: false, hung_up: [false; LINES] });
            }
            Err(errno) => return Err(errno.into()),
        };
        let mut hung_up = [false; LINES];
        let gone = epoll::EventFlags::HUP | epoll::EventFlags::ERR;
        for event in &events[..count] {
            let (flags, index) = (event.flags, usize::try_from(event.data.u64()).ok());
            if let Some(hung_up) = index.and_then(|index| hung_up.get_mut(index)) {
                *hung_up = flags.intersects(gone);
            }
        }
        Ok(Woken { timed_out: count == 0, hung_up })
    }
}

/// The descriptors of a board, each with the first button whose edges it carries.
fn descriptors(lines: &dyn Lines) -> impl Iterator<Item = (Button, BorrowedFd<'_>)> {
    let count = if lines.share_descriptor() { 1 } else { LINES };
    Button::ALL.into_iter().filter_map(|button| Some((button, lines.fd(button)?))).take(count)
}

/// The length of the next wait if `left` is the time until the deadline. A thread without real-time
/// priority is woken up late by up to a thousandth of its wait. The loop can also be preempted
/// between reading the clock and the start of the kernel's wait. So a wait of 100 ms or more ends
/// 1/512 early, and a shorter wait follows.
fn shorten(left: Span) -> Span {
    let nanos = left.as_nanos();
    if nanos < 100_000_000 { left } else { Span::from_nanos(nanos - nanos / 512) }
}

/// How often the lines of a board that is attached are read at most to empty their queues. 16 reads
/// of 64 edges empty the largest queue: 1,024 edges with uAPI v2 of the kernel's GPIO interface.
/// The number is limited, because the queue of a noisy line may never become empty. The noise is
/// detected when the line is read later.
const MAX_READS: usize = 16;

/// The lines of a board, if there is a board, and the result of the last reading.
pub(super) struct LineReader {
    lines: Option<Box<dyn Lines>>,
    readings: [LineReading; LINES],
}

impl LineReader {
    /// A reader without a board.
    pub(super) const fn new() -> LineReader {
        LineReader { lines: None, readings: [LineReading::EMPTY; LINES] }
    }

    /// Takes a board, discards the edges that its lines have queued, and returns the present levels
    /// of the lines. The old edges are not needed, because the levels include their effect. After
    /// an error, the board stays attached.
    pub(super) fn attach(&mut self, lines: Box<dyn Lines>) -> io::Result<[bool; LINES]> {
        let lines = self.lines.insert(lines);
        let present = Button::ALL.map(|button| lines.has(button));
        for _ in 0..MAX_READS {
            self.readings.iter_mut().for_each(LineReading::clear);
            let failed = lines.read_edges(&present, &mut self.readings);
            if failed.contains(&true) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if self.readings.iter().all(|reading| reading.drained) {
                break;
            }
        }
        lines.read_levels(&present, &mut self.readings);
        let mut levels = [false; LINES];
        for index in (0..LINES).filter(|index| present[*index]) {
            levels[index] = self.readings[index].level.ok_or(io::ErrorKind::BrokenPipe)?;
        }
        Ok(levels)
    }

    /// Takes a board without reading it.
    #[cfg(test)]
    pub(super) fn attach_unread(&mut self, lines: Box<dyn Lines>) {
        self.lines = Some(lines);
    }

    /// Gives the board up.
    pub(super) fn detach(&mut self) -> Option<Box<dyn Lines>> {
        self.readings = [LineReading::EMPTY; LINES];
        self.lines.take()
    }

    /// The board.
    pub(super) fn lines(&self) -> Option<&dyn Lines> {
        self.lines.as_deref()
    }

    /// The result of the last [`LineReader::read`].
    pub(super) fn readings(&self) -> &[LineReading; LINES] {
        &self.readings
    }

    /// Reads every line that is not muted because of noise. For each line, returns whether it can
    /// no longer be read.
    pub(super) fn read(
        &mut self,
        is_muted: impl Fn(Button) -> bool,
        health: &Health,
    ) -> [bool; LINES] {
        self.readings.iter_mut().for_each(LineReading::clear);
        let Some(lines) = &mut self.lines else { return [false; LINES] };
        let wanted = Button::ALL.map(|button| lines.has(button) && !is_muted(button));
        let failed = lines.read_edges(&wanted, &mut self.readings);
        // The time is read only if there is an edge whose latency is recorded.
        if self.readings.iter().any(|reading| !reading.edges().is_empty()) {
            let now = monotonic_now();
            for edge in self.readings.iter().flat_map(LineReading::edges) {
                health.edge_latency.record(now.since(edge.at));
            }
        }
        // A line whose level cannot be read has the level `None`. Reading the edges of the line
        // reports the error.
        lines.read_levels(&wanted, &mut self.readings);
        failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::channel::channel;
    use crate::rt::test_pipe::test_pipe;
    use clock_engine::Side;
    use clockd_core::LineReading;

    const WHITE: Button = Button::Player(Side::White);

    /// A board with White's button only.
    struct White(OwnedFd);

    impl Lines for White {
        fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
            (button == WHITE).then(|| self.0.as_fd())
        }

        fn read_edges(&mut self, _: &[bool; LINES], _: &mut [LineReading; LINES]) -> [bool; LINES] {
            [false; LINES]
        }

        fn read_levels(&self, _: &[bool; LINES], _: &mut [LineReading; LINES]) {}
    }

    fn poller() -> Poller {
        Poller::new(Arc::new(Heartbeat::new().unwrap())).unwrap()
    }

    fn unread(poller: &Poller) -> bool {
        poller.heartbeat.observe().unwrap().unread
    }

    #[test]
    fn a_line_that_hung_up_is_reported_and_unread_until_it_is_removed() {
        let poller = poller();
        let (line, writer) = test_pipe();
        let line = White(line);
        poller.add_lines(&line).unwrap();
        drop(writer);
        assert!(unread(&poller));
        let woken = poller.wait(None).unwrap();
        assert_eq!(woken, Woken { timed_out: false, hung_up: [true, false, false] });
        poller.remove_lines(&line);
        assert!(!unread(&poller));
    }

    #[test]
    fn a_muted_line_ends_a_wait_only_if_it_hangs_up() {
        let poller = poller();
        let (line, writer) = test_pipe();
        let line = White(line);
        poller.add_lines(&line).unwrap();
        writer.write(&[0; 16]);
        let soon = || monotonic_now().checked_add(Span::from_nanos(1_000_000));
        assert!(!poller.wait(soon()).unwrap().timed_out && unread(&poller));
        poller.wait_for_edges(&line, &[true, false, false]);
        assert!(poller.wait(soon()).unwrap().timed_out && !unread(&poller));
        poller.wait_for_edges(&line, &[false; LINES]);
        assert!(!poller.wait(soon()).unwrap().timed_out);
        poller.wait_for_edges(&line, &[true, false, false]);
        drop(writer);
        assert_eq!(poller.wait(soon()).unwrap().hung_up, [true, false, false]);
    }

    #[test]
    fn the_heartbeat_observes_what_the_loop_has_not_read() {
        let poller = poller();
        let (mut sender, receiver) = channel::<u8>(1).unwrap();
        poller.add(&receiver).unwrap();
        sender.push(1).unwrap();
        sender.notify();
        assert!(unread(&poller));
        receiver.clear_notification();
        assert!(!unread(&poller));
    }

    #[test]
    fn a_wait_ends_at_its_deadline_and_never_before() {
        let poller = poller();
        for nanos in [0, 1, 999_999, 1_500_000] {
            let until = monotonic_now().checked_add(Span::from_nanos(nanos)).unwrap();
            let woken = poller.wait(Some(until)).unwrap();
            assert!(woken.timed_out && monotonic_now() >= until, "{nanos}");
        }
        // `shorten` splits a long wait into parts. The last part ends at the deadline.
        let mut left = Span::from_secs(5400);
        let mut parts = 0;
        while left.as_nanos() > 0 {
            left = Span::from_nanos(left.as_nanos() - shorten(left).as_nanos());
            parts += 1;
        }
        assert_eq!(parts, 3);
        assert!(poller.wait(Some(Instant::ZERO)).unwrap().timed_out, "long past");
    }
}
