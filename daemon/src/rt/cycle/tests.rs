mod no_allocation;

use super::*;
use crate::gpio::cdev::encode;
use crate::gpio::{Edge, QUEUE};
use crate::rt::channel::channel;
use crate::rt::decide::Inputs;
use clock_engine::{Command, Control, Method, Phase, Side};
use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
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
    fresh: Sender<Box<dyn Lines>>,
    gone: Receiver<Box<dyn Lines>>,
}

fn pipe_board() -> (Box<dyn Lines>, OwnedFd, Arc<AtomicBool>) {
    let (pipe, edges) = pipe_with(PipeFlags::NONBLOCK).unwrap();
    let level = Arc::new(AtomicBool::new(false));
    (Box::new(Pipe { pipe, level: Arc::clone(&level) }), edges, level)
}

fn stage(room: usize) -> Stage {
    stage_of(room, Inputs::default())
}

fn stage_of(room: usize, inputs: Inputs) -> Stage {
    let (lines, edges, level) = pipe_board();
    let (requests, requests_in) = channel(crate::rt::REQUESTS).unwrap();
    let (updates_out, updates) = channel(room).unwrap();
    let (fresh, fresh_in) = channel(2).unwrap();
    let (gone_out, gone) = channel(2).unwrap();
    let control = Control::single(Span::from_secs(60), Method::None);
    let decider = Decider::new(control, inputs, [false; 3], monotonic_now());
    let mut board = Board::empty();
    board.plug_in(lines).unwrap();
    let ends =
        Ends { requests: requests_in, updates: updates_out, fresh: fresh_in, gone: gone_out };
    let pulse = Arc::new(Pulse::new().unwrap());
    let clock_loop = ClockLoop::new(decider, board, ends, Arc::default(), pulse).unwrap();
    Stage { clock_loop, edges, level, requests, updates, fresh, gone }
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

    /// Whether nothing is left to decide before long.
    fn is_settled(&self) -> bool {
        let soon = monotonic_now().checked_add(Span::from_secs(1)).unwrap();
        self.clock_loop.wake.is_none_or(|wake| wake.at > soon)
    }

    /// Runs rounds until everything is decided, and a glitch too.
    fn settle(&mut self) {
        self.requests.ring_bell();
        self.clock_loop.round().unwrap();
        while !self.is_settled() {
            self.clock_loop.round().unwrap();
        }
    }

    fn command(&mut self, revision: u64, command: Command) {
        let request = Request { id: revision, at: monotonic_now(), revision, command };
        assert!(self.requests.push(request).is_ok());
        self.settle();
    }

    /// Starts a game that changes by itself at once, so that nothing is ever settled.
    fn start(&mut self, control: Control) {
        for command in [Command::New { control, force: true }, Command::Start] {
            let revision = self.clock_loop.decider.update(Cause::Missed).revision;
            let request = Request { id: 1, at: monotonic_now(), revision, command };
            assert!(self.requests.push(request).is_ok());
            self.requests.ring_bell();
            while self.updates.pop().is_none() {
                self.clock_loop.round().unwrap();
            }
        }
    }

    fn faults(&self) -> Vec<String> {
        self.clock_loop.health.faults()
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
fn a_board_that_goes_away_pauses_the_clock_and_is_given_out() {
    let mut stage = stage(8);
    stage.command(1, Command::Start);
    let (line, _writer) = pipe_with(PipeFlags::NONBLOCK).unwrap();
    stage.clock_loop.board = Board::holding(Box::new(Gone(line)));
    let before = monotonic_now();
    stage.settle();
    let causes = stage.causes();
    let unplugged = Cause::Unplugged { button: WHITE, paused: true };
    let [(Cause::Command("start"), _), (cause, at)] = causes[..] else { panic!("{causes:?}") };
    assert!(cause == unplugged && at > before && at < monotonic_now(), "{causes:?}");
    let update = stage.clock_loop.decider.update(Cause::Missed);
    assert_eq!((update.view.phase, update.revision), (Phase::Paused, 3));
    assert_eq!(stage.clock_loop.health.broken().count(), 1);
    assert!(stage.gone.pop().is_some(), "it is closed outside");
    assert!(stage.clock_loop.board.fd(WHITE).is_none(), "it is waited for no more");
}

#[test]
fn a_line_that_hangs_up_gives_its_last_edges_and_is_waited_for_no_more() {
    let mut stage = stage(8);
    stage.command(1, Command::Start);
    stage.causes();
    let press = monotonic_now();
    stage.edge(press, true);
    stage.level(true);
    // The writing end closes; another pipe's takes its place.
    stage.edges = pipe_with(PipeFlags::NONBLOCK).unwrap().1;
    stage.settle();
    let causes = stage.causes();
    let [first, (Cause::Unplugged { button: WHITE, paused: true }, gone)] = causes[..] else {
        panic!("{causes:?}");
    };
    // The press was before: its move counts, and Black's clock is the one that is paused.
    assert_eq!(first, (Cause::Press(Side::White), press));
    assert!(gone > press);
    assert!(stage.clock_loop.board.fd(WHITE).is_none());
    assert!(!stage.clock_loop.decider.is_active(WHITE), "what is not read is not down");
}

#[test]
fn a_board_that_is_back_starts_anew_from_its_levels_and_the_game_stays_paused() {
    let mut stage = stage(8);
    stage.command(1, Command::Start);
    let (lines, edges, level) = pipe_board();
    stage.edges = edges;
    stage.settle();
    drop(stage.gone.pop());
    stage.causes();
    assert!(stage.faults()[0].contains("the board is gone"), "{:?}", stage.faults());

    // Pressed while nobody looked, with edges from before the loop took the board over.
    level.store(true, Ordering::Relaxed);
    let now = monotonic_now().as_nanos();
    for (millis, active) in [(40, true), (30, false), (1, true)] {
        stage.edge(Instant::from_nanos(now - millis * 1_000_000), active);
    }
    assert!(stage.fresh.push(lines).is_ok());
    stage.fresh.ring_bell();
    stage.clock_loop.round().unwrap();
    stage.settle();
    assert_eq!(
        stage.causes().iter().map(|(cause, _)| *cause).collect::<Vec<_>>(),
        [Cause::Returned]
    );
    assert!(!stage.faults().iter().any(|fault| fault.contains("board")), "{:?}", stage.faults());
    assert!(stage.clock_loop.decider.is_active(WHITE), "down is held");
    assert_eq!(stage.clock_loop.decider.update(Cause::Missed).view.phase, Phase::Paused);

    // It works again.
    stage.command(3, Command::Resume { side: None });
    stage.edge(monotonic_now(), false);
    level.store(false, Ordering::Relaxed);
    std::thread::sleep(std::time::Duration::from_millis(30));
    stage.settle();
    stage.causes();
    let press = monotonic_now();
    stage.edge(press, true);
    level.store(true, Ordering::Relaxed);
    stage.settle();
    assert_eq!(stage.causes(), [(Cause::Press(Side::White), press)]);
}

#[test]
fn a_board_that_is_back_and_gone_again_is_given_out_again() {
    let mut stage = stage(8);
    stage.edges = pipe_with(PipeFlags::NONBLOCK).unwrap().1;
    stage.settle();
    assert!(stage.gone.pop().is_some());
    stage.causes();
    let (line, _writer) = pipe_with(PipeFlags::NONBLOCK).unwrap();
    assert!(stage.fresh.push(Box::new(Gone(line))).is_ok());
    stage.settle();
    assert!(stage.gone.pop().is_some());
    assert_eq!(stage.causes(), []);
    assert!(stage.faults()[0].contains("the board is gone"));
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
fn latencies_are_counted_where_they_arise() {
    let mut stage = stage(64);
    stage.command(1, Command::Start);
    let health = Arc::clone(&stage.clock_loop.health);
    assert_eq!(health.edge_latency.buckets(), []);
    assert_eq!(health.decision_latency.buckets(), []);
    let stamp = Instant::from_nanos(monotonic_now().as_nanos() - 300_000);
    stage.edge(stamp, true);
    stage.level(true);
    let before = monotonic_now();
    stage.settle();
    let [(edge, 1)] = health.edge_latency.buckets()[..] else { panic!("one edge: {health:?}") };
    assert!(edge >= 300_000);
    let [(decided, 1)] = health.decision_latency.buckets()[..] else { panic!("one press") };
    // The settle time is in it.
    assert!(decided >= 1_000_000);
    let longest = monotonic_now().since(before).as_nanos() + 300_000;
    assert!(health.edge_latency.worst() <= longest && health.decision_latency.worst() <= longest);

    // Only what the timer woke up for can be late.
    let count = |health: &Health| -> u64 {
        health.wake_lateness.buckets().iter().map(|(_, count)| count).sum()
    };
    let woken = count(&health);
    stage.requests.ring_bell();
    stage.clock_loop.round().unwrap();
    assert_eq!(count(&health), woken);
    stage.edge(monotonic_now(), false);
    stage.level(false);
    stage.clock_loop.round().unwrap();
    stage.clock_loop.round().unwrap();
    assert_eq!(count(&health), woken + 1, "the release");
    assert!(health.wake_lateness.worst() < monotonic_now().since(before).as_nanos());
}

#[test]
fn a_rehearsal_leaves_no_trace() {
    let mut stage = stage(8);
    stage.clock_loop.rehearse().unwrap();
    assert_eq!(stage.causes(), []);
    let update = stage.clock_loop.decider.update(Cause::Missed);
    assert_eq!((update.revision, update.view.phase), (1, Phase::Ready));
    let health = &stage.clock_loop.health;
    assert_eq!(health.faults(), ["the clock loop has no real-time priority"]);
    assert_eq!((health.rejected.load(Ordering::Relaxed), health.wake_lateness.worst()), (0, 0));
    assert!(stage.clock_loop.wake.is_none(), "idle");
}

#[test]
fn the_pulse_tells_what_the_loop_waits_for() {
    use crate::rt::pulse::Stage;
    let mut stage = stage(8);
    stage.command(1, Command::Start);
    let flag = stage.clock_loop.decider.wake_at(monotonic_now());
    assert!(flag.is_some());
    let pulse = Arc::clone(&stage.clock_loop.pulse);
    let before = pulse.look().unwrap();
    assert_eq!(before.stage, Stage::Working, "a round is over and the next has not begun");
    let (bell, loop_thread) = (stage.requests, stage.clock_loop);
    let thread = std::thread::spawn(move || {
        let mut loop_thread = loop_thread;
        loop_thread.round().unwrap();
    });
    while pulse.look().unwrap().stage == Stage::Working {
        std::thread::yield_now();
    }
    assert_eq!(pulse.look().unwrap().stage, Stage::Parked { until: flag });
    assert_eq!(pulse.look().unwrap().sequence, before.sequence);
    bell.ring_bell();
    thread.join().unwrap();
    let after = pulse.look().unwrap();
    assert_eq!((after.stage, after.sequence), (Stage::Working, before.sequence + 1));
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

/// A flag a millisecond from the start, with White's button already down and its edge not there.
fn flag_with_a_button_down() -> (Stage, Instant) {
    let millisecond = Span::from_nanos(1_000_000);
    loop {
        let mut stage = stage(32);
        stage.start(Control::single(millisecond, Method::None));
        stage.level(true);
        let view = stage.clock_loop.decider.update(Cause::Missed).view;
        // Where this thread stood still for longer, the flag has fallen before the button was down.
        if view.phase == Phase::Running {
            return (stage, view.at.checked_add(millisecond).unwrap());
        }
    }
}

#[test]
fn a_flag_waits_for_the_edge_of_a_button_that_is_down() {
    let (mut stage, flag) = flag_with_a_button_down();
    let late = flag.checked_add(Span::from_nanos(3_000_000)).unwrap();
    while monotonic_now() < late {
        stage.clock_loop.round().unwrap();
    }
    assert_eq!(stage.updates.pop().map(|update| update.cause), None, "not decided");
    // The edge comes at last, with the stamp of its interrupt.
    stage.edge(Instant::from_nanos(flag.as_nanos() - 1), true);
    let first = loop {
        stage.clock_loop.round().unwrap();
        if let Some(update) = stage.updates.pop() {
            break update;
        }
    };
    assert_eq!(first.cause, Cause::Press(Side::White));
    assert_eq!(first.view.sides.white.remaining, Span::from_nanos(1));
}

#[test]
fn a_level_without_an_edge_cannot_hold_a_flag_for_ever() {
    let (mut stage, flag) = flag_with_a_button_down();
    let fallen = loop {
        stage.clock_loop.round().unwrap();
        if let Some(update) = stage.updates.pop() {
            break update;
        }
    };
    assert_eq!((fallen.cause, fallen.at), (Cause::Flag { side: Side::White, period: 1 }, flag));
    let held = monotonic_now().since(flag);
    assert!(held >= LONGEST_CANDIDATE, "{held:?}");
}

#[test]
fn a_level_without_an_edge_holds_the_first_gong_only() {
    let mut stage = stage(256);
    stage.start(Control::single(Span::ZERO, Method::Gong(Span::from_nanos(1_000_000))));
    stage.level(true);
    let later = |at: Instant, nanos| at.checked_add(Span::from_nanos(nanos)).unwrap();
    let due = monotonic_now();
    while monotonic_now() < later(due, 2_000_000) {}
    let held_at = monotonic_now();
    let again = stage.clock_loop.press_not_told(held_at);
    assert_eq!(again, Some(later(held_at, MARGIN.as_nanos())));
    // So long that no edge is on its way: from now on no gong waits for one, due or not yet.
    let long = later(held_at, LONGEST_CANDIDATE.as_nanos());
    assert_eq!(stage.clock_loop.press_not_told(long), None);
    stage.clock_loop.decide(long);
    assert_eq!(stage.clock_loop.press_not_told(long), None);
    let next = later(long, 10_000_000);
    assert!(stage.clock_loop.decider.is_due(next));
    assert_eq!(stage.clock_loop.press_not_told(next), None);
    // Once the level agrees again, the next press is waited for as the first was.
    stage.level(false);
    assert_eq!(stage.clock_loop.press_not_told(next), None);
    stage.level(true);
    assert!(stage.clock_loop.press_not_told(next).is_some());
    // Its edge tells, and nothing is held any more.
    stage.clock_loop.decider.edge(WHITE, Edge { at: next, active: true });
    assert_eq!(stage.clock_loop.press_not_told(next), None);
    assert_eq!(stage.clock_loop.untold_since, None);
}
