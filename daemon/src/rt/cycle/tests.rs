use super::*;
use crate::gpio::cdev::encode;
use crate::gpio::{Edge, QUEUE};
use crate::rt::channel::channel;
use crate::rt::debounce::Times;
use clock_engine::{Command, Control, Method, Side};
use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::BorrowedFd;
use std::sync::atomic::AtomicBool;

/// A board whose White button is a pipe of the kernel's records, with a level of its own.
struct Pipe {
    pipe: OwnedFd,
    level: Arc<AtomicBool>,
}

impl Lines for Pipe {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        (button == Button::Player(Side::White)).then(|| self.pipe.as_fd())
    }

    fn read(&mut self, _: Button, edges: &mut [Edge; QUEUE]) -> io::Result<usize> {
        let mut buffer = [0; 16 * QUEUE];
        match rustix::io::read(&self.pipe, &mut buffer) {
            Ok(len) => Ok(crate::gpio::cdev::decode(&buffer[..len], edges)),
            Err(rustix::io::Errno::AGAIN) => Ok(0),
            Err(errno) => Err(errno.into()),
        }
    }

    fn level(&self, _: Button) -> io::Result<bool> {
        Ok(self.level.load(Ordering::Relaxed))
    }
}

struct Stage {
    clock_loop: ClockLoop,
    edges: OwnedFd,
    level: Arc<AtomicBool>,
    requests: Sender<Request>,
    updates: Receiver<Update>,
}

fn stage(room: usize) -> Stage {
    let (pipe, edges) = pipe_with(PipeFlags::NONBLOCK).unwrap();
    let level = Arc::new(AtomicBool::new(false));
    let (requests, requests_in) = channel(crate::rt::REQUESTS).unwrap();
    let (updates_out, updates) = channel(room).unwrap();
    let control = Control::single(Span::from_secs(60), Method::None);
    let decider = Decider::new(control, Times::default(), [false; 3], monotonic_now());
    let lines = Box::new(Pipe { pipe, level: Arc::clone(&level) });
    let health = Arc::new(Health::default());
    let clock_loop = ClockLoop::new(decider, lines, requests_in, updates_out, health).unwrap();
    Stage { clock_loop, edges, level, requests, updates }
}

const WHITE: Button = Button::Player(Side::White);

impl Stage {
    /// An edge of White's button.
    fn edge(&self, at: Instant, active: bool) {
        rustix::io::write(&self.edges, &encode(Edge { at, active })).unwrap();
    }

    /// What the level of White's button is found to be.
    fn level(&self, active: bool) {
        self.level.store(active, Ordering::Relaxed);
    }

    fn lost_edges(&self) -> u64 {
        self.clock_loop.health.lost_edges.load(Ordering::Relaxed)
    }

    /// Runs rounds until everything is decided, and a glitch too.
    fn settle(&mut self) {
        let until = monotonic_now().checked_add(Span::from_nanos(8_000_000)).unwrap();
        while monotonic_now() < until {
            self.requests.ring_bell();
            self.clock_loop.round().unwrap();
        }
    }

    fn causes(&mut self) -> Vec<(Cause, Instant)> {
        std::iter::from_fn(|| self.updates.pop()).map(|update| (update.cause, update.at)).collect()
    }
}

#[test]
fn edges_that_the_kernel_dropped_are_noticed_by_the_level() {
    let mut stage = stage(8);
    let start = monotonic_now().as_nanos();
    // A full queue that ends released, and a button that is down all the same.
    for index in 0..16 {
        stage.edge(Instant::from_nanos(start + index), index % 2 == 0);
    }
    stage.level(true);
    stage.settle();
    assert_eq!(stage.lost_edges(), 1);
    assert!(stage.clock_loop.health.faults()[0].contains("had to drop: 1"));
    assert!(stage.clock_loop.decider.is_active(WHITE));
}

#[test]
fn an_edge_that_stands_for_several_counts_with_its_own_stamp() {
    // The kernel made one edge of down, up and down again, and told the wrong direction.
    let mut stage = stage(8);
    let start = monotonic_now();
    stage.edge(start, false);
    stage.level(true);
    stage.settle();
    assert_eq!(stage.lost_edges(), 1);
    let faults = stage.clock_loop.health.faults();
    assert!(!faults.iter().any(|fault| fault.contains("drop")), "it is made good: {faults:?}");
    assert_eq!(stage.causes(), [(Cause::IgnoredPress(Side::White), start)]);
    // The same the other way round is no press, however late it is read.
    let mut stage = self::stage(8);
    let start = Instant::from_nanos(monotonic_now().as_nanos() - 2_000_000);
    stage.edge(start, true);
    stage.settle();
    assert_eq!((stage.lost_edges(), stage.causes()), (1, vec![]));
    assert_eq!(stage.clock_loop.decider.counts.rejected, 1);
}

#[test]
fn a_level_ahead_of_an_edge_on_its_way_waits_for_the_edge() {
    let mut stage = stage(8);
    let start = monotonic_now();
    stage.edge(start, true);
    // Released already, and the edge that says so is not in its queue yet.
    stage.clock_loop.round().unwrap();
    assert!(stage.clock_loop.decider.is_active(WHITE));
    stage.edge(monotonic_now(), false);
    stage.settle();
    assert_eq!(stage.lost_edges(), 0);
    assert!(!stage.clock_loop.decider.is_active(WHITE));
}

#[test]
fn a_level_that_never_agrees_holds_nothing_up() {
    // A line that lies, and edges faster than the wait for one on its way.
    let mut stage = stage(64);
    let start = monotonic_now();
    let command = Command::Start;
    assert!(stage.requests.push(Request { id: 1, at: start, revision: 1, command }).is_ok());
    let mut answered = None;
    while answered.is_none() && monotonic_now().since(start) < Span::from_secs(5) {
        let now = monotonic_now();
        stage.edge(now, true);
        stage.edge(now, false);
        stage.level(true);
        stage.requests.ring_bell();
        stage.clock_loop.round().unwrap();
        answered = stage.updates.pop().and_then(|update| update.answer);
    }
    assert!(answered.is_some());
}

#[test]
fn a_line_that_goes_away_is_a_fault_and_the_loop_does_not_spin() {
    let mut stage = stage(8);
    drop(stage.edges);
    let (line, _) = pipe_with(PipeFlags::NONBLOCK).unwrap();
    stage.clock_loop.board = Board::new(Box::new(Gone(line)));
    stage.requests.ring_bell();
    stage.clock_loop.round().unwrap();
    assert_eq!(stage.clock_loop.health.broken().count(), 1);
    assert_eq!(stage.updates.pop().map(|update| update.cause), Some(Cause::Fault));
    assert!(stage.clock_loop.broken[0], "it is waited for no more");
}

#[test]
fn a_line_that_hangs_up_gives_its_last_edges_and_is_waited_for_no_more() {
    let mut stage = stage(8);
    let edge = Edge { at: monotonic_now(), active: true };
    rustix::io::write(&stage.edges, &encode(edge)).unwrap();
    drop(stage.edges);
    stage.clock_loop.round().unwrap();
    assert!(stage.clock_loop.decider.is_active(Button::Player(Side::White)));
    assert_eq!(stage.clock_loop.health.broken().count(), 1);
    assert!(stage.clock_loop.broken[0]);
}

/// A line whose chip was pulled out.
struct Gone(OwnedFd);

impl Lines for Gone {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        (button == Button::Player(Side::White)).then(|| self.0.as_fd())
    }

    fn read(&mut self, _: Button, _: &mut [Edge; QUEUE]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(libc::ENODEV))
    }

    fn level(&self, _: Button) -> io::Result<bool> {
        Err(io::Error::from_raw_os_error(libc::ENODEV))
    }
}

#[test]
fn a_reader_too_slow_gets_every_answer_and_then_the_latest_state() {
    let mut stage = stage(1);
    for (id, command) in [(1, Command::Start), (2, Command::Start), (3, Command::Start)] {
        let request = Request { id, at: monotonic_now(), revision: 1, command };
        assert!(stage.requests.push(request).is_ok());
    }
    stage.requests.ring_bell();
    while !stage.clock_loop.outbox.owes() {
        stage.clock_loop.round().unwrap();
    }
    let (mut answers, mut last) = (Vec::new(), None);
    while last != Some(Cause::Missed) {
        while let Some(update) = stage.updates.pop() {
            answers.extend(update.answer.map(|(id, done)| (id, done.is_ok())));
            last = Some(update.cause);
        }
        stage.requests.ring_bell();
        stage.clock_loop.round().unwrap();
    }
    // The first starts the clock, the others are stale by then.
    assert_eq!(answers, [(1, true), (2, false), (3, false)]);
    assert!(!stage.clock_loop.outbox.owes());
}
