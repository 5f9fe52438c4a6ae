mod button_test;
mod memory;
mod no_allocation;
mod shared_descriptor;

use super::*;
use crate::gpio::v1::{decode, encode, read_queues};
use crate::retained::RetainedMemory;
use crate::rt::channel::channel;
use crate::rt::test_pipe::{WritingEnd, test_pipe};
use crate::rt::{EntryFrame, Rate};
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Control, EventKind, Method, Phase, Side};
use clockd_core::Inputs;
use clockd_core::{Edge, LineReading, QUEUE};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::AtomicBool;

/// A board with White's button only. A pipe carries records of edges as the kernel writes them; the
/// level is set separately.
struct Pipe {
    pipe: OwnedFd,
    level: Arc<AtomicBool>,
}

impl Lines for Pipe {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        (button == Button::Player(Side::White)).then(|| self.pipe.as_fd())
    }

    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES] {
        read_queues(wanted, readings, |_, edges| {
            let mut buffer = [0; 16 * QUEUE];
            match rustix::io::read(&self.pipe, &mut buffer) {
                Ok(len) => Ok(decode(&buffer[..len], edges)),
                Err(rustix::io::Errno::AGAIN) => Ok(0),
                Err(errno) => Err(errno.into()),
            }
        })
    }

    fn read_levels(&self, _: &[bool; LINES], readings: &mut [LineReading; LINES]) {
        readings[WHITE.index()].level = Some(self.level.load(Ordering::Relaxed));
    }
}

struct TestLoop {
    clock_loop: ClockLoop,
    heartbeat: Arc<Heartbeat>,
    edges: WritingEnd,
    level: Arc<AtomicBool>,
    requests: Sender<NotedRequest>,
    updates: Receiver<Update>,
    traced: Receiver<Traced>,
    opened: Sender<Box<dyn Lines>>,
    gone: Receiver<Box<dyn Lines>>,
}

/// The cause of a press that completed a move or started the game.
fn pressed(side: Side) -> Cause {
    EventKind::Press { side, accepted: true }.into()
}

fn pipe_board() -> (Box<dyn Lines>, WritingEnd, Arc<AtomicBool>) {
    let (pipe, edges) = test_pipe();
    let level = Arc::new(AtomicBool::new(false));
    (Box::new(Pipe { pipe, level: Arc::clone(&level) }), edges, level)
}

fn test_loop(room: usize) -> TestLoop {
    test_loop_with(room, Inputs::default())
}

fn test_loop_with(room: usize, inputs: Inputs) -> TestLoop {
    let (lines, edges, level) = pipe_board();
    let test = test_loop_on(room, inputs, Some(lines));
    TestLoop { edges, level, ..test }
}

/// A loop with the board `lines`, or without a board. Its ring has room for `room` updates.
fn test_loop_on(room: usize, inputs: Inputs, lines: Option<Box<dyn Lines>>) -> TestLoop {
    let (_, edges, level) = pipe_board();
    let (requests, requests_in) = channel(MAX_REQUESTS).unwrap();
    let (updates_out, updates) = channel(room).unwrap();
    let (_, menu_requests) = channel(1).unwrap();
    let (menu, _) = channel(1).unwrap();
    let (traced_out, traced) = channel(crate::rt::TRACED).unwrap();
    let (opened, opened_boards) = channel(2).unwrap();
    let (gone_boards, gone) = channel(2).unwrap();
    let control = Control::single(Span::from_secs(60), Method::None);
    let mut reader = LineReader::new();
    let levels = lines.map(|lines| reader.attach(lines).unwrap());
    let health = Arc::new(Health::default());
    health.set_board_missing(levels.is_none());
    let core = LoopCore::new(
        crate::rt::game_without_rules(control, monotonic_now()),
        inputs,
        levels,
        monotonic_now(),
    );
    let channels = Channels {
        requests: requests_in,
        menu_requests,
        updates: updates_out,
        menu,
        traced: traced_out,
        opened_boards,
        gone_boards,
    };
    let heartbeat = Arc::new(Heartbeat::new().unwrap());
    let entries = entry_log(Arc::clone(&health));
    let clock_loop =
        ClockLoop::new(Box::new(core), reader, channels, entries, health, Arc::clone(&heartbeat))
            .unwrap();
    TestLoop { clock_loop, heartbeat, edges, level, requests, updates, traced, opened, gone }
}

/// An entry log in new memory that nothing reads.
fn entry_log(health: Arc<Health>) -> EntryLog {
    let memory = RetainedMemory::create([0; 16], crate::rt::FORMAT).unwrap();
    let parts = memory.split().unwrap();
    EntryLog::new(parts.entries.0, parts.snapshot.0, parts.wakeups.0, health)
}

const WHITE: Button = Button::Player(Side::White);

impl TestLoop {
    /// Writes an edge of White's button.
    fn edge(&self, at: Instant, active: bool) {
        self.edges.write(&encode(Edge { at, active }));
    }

    /// Sets the level of White's button.
    fn level(&self, active: bool) {
        self.level.store(active, Ordering::Relaxed);
    }

    fn lost_edges(&self) -> u64 {
        self.clock_loop.health.lost_edges.load(Ordering::Relaxed)
    }

    /// Whether the next iteration has no deadline within one second.
    fn is_settled(&self) -> bool {
        let soon = monotonic_now().checked_add(Span::from_secs(1)).unwrap();
        self.clock_loop.deadline.is_none_or(|deadline| deadline.at > soon)
    }

    /// Runs at least one iteration, and further ones until `is_settled` returns `true`. After that,
    /// everything is decided, including the end of a glitch.
    fn settle(&mut self) {
        self.requests.notify();
        self.clock_loop.iterate().unwrap();
        while !self.is_settled() {
            self.clock_loop.iterate().unwrap();
        }
    }

    fn command(&mut self, revision: u64, command: impl Into<GameCommand>) {
        let request =
            Request { id: revision, at: monotonic_now(), revision, command: command.into() };
        assert!(self.requests.push(request.into()).is_ok());
        self.settle();
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
    let mut test = test_loop(8);
    let start = monotonic_now().as_nanos();
    // The edges fill the queue and end with a release, but the button is down. So an edge was
    // dropped.
    for index in 0..16 {
        test.edge(Instant::from_nanos(start + index), index % 2 == 0);
    }
    test.level(true);
    test.settle();
    assert_eq!(test.lost_edges(), 1);
    assert!(test.clock_loop.health.faults()[0].contains("dropped edges"));
    assert!(test.causes().iter().any(|(cause, _)| *cause == Cause::Fault));
    assert!(test.clock_loop.core.is_active(WHITE));
}

#[test]
fn an_edge_that_stands_for_several_counts_with_its_own_stamp() {
    // The contact closed, opened and closed again. The kernel queued one edge for these changes,
    // with the wrong direction.
    let mut test = test_loop(8);
    let start = monotonic_now();
    test.edge(start, false);
    test.level(true);
    test.settle();
    assert_eq!(test.lost_edges(), 1);
    let faults = test.clock_loop.health.faults();
    assert!(!faults.iter().any(|fault| fault.contains("dropped")), "it is made good: {faults:?}");
    let ignored = EventKind::Press { side: Side::White, accepted: false };
    assert_eq!(test.causes(), [(ignored.into(), start)]);
    // The opposite of the case before: the edge is to active, but the contact is open. This is no
    // press, even if the edge is read late.
    let mut test = test_loop(8);
    let start = Instant::from_nanos(monotonic_now().as_nanos() - 2_000_000);
    test.edge(start, true);
    test.settle();
    let causes = test.causes();
    assert!(causes.iter().all(|(cause, _)| *cause == Cause::Fault), "{causes:?}");
    assert_eq!((test.lost_edges(), test.clock_loop.core.counts().rejected), (1, 1));
}

#[test]
fn a_level_ahead_of_an_edge_on_its_way_waits_for_the_edge() {
    let mut test = test_loop(8);
    let start = monotonic_now();
    test.edge(start, true);
    // The button is released already, but the edge of the release is not in its queue yet.
    test.clock_loop.iterate().unwrap();
    assert!(test.clock_loop.core.is_active(WHITE));
    test.edge(monotonic_now(), false);
    test.settle();
    assert_eq!(test.lost_edges(), 0);
    assert!(!test.clock_loop.core.is_active(WHITE));
}

#[test]
fn a_level_that_never_agrees_does_not_stop_decisions() {
    // The level of the line is wrong, and each edge arrives before the wait for a delayed edge has
    // ended.
    let mut test = test_loop(64);
    let start = monotonic_now();
    let command = Command::Start;
    assert!(
        test.requests
            .push(Request { id: 1, at: start, revision: 1, command: command.into() }.into())
            .is_ok()
    );
    let mut answered = None;
    while answered.is_none() && monotonic_now().since(start) < Span::from_secs(5) {
        let now = monotonic_now();
        test.edge(now, true);
        test.edge(now, false);
        test.level(true);
        test.requests.notify();
        test.clock_loop.iterate().unwrap();
        answered = test.updates.pop().and_then(|update| update.answer);
    }
    assert!(answered.is_some());
}

#[test]
fn a_board_that_goes_away_pauses_the_clock_and_is_handed_out_to_be_closed() {
    let mut test = test_loop(8);
    test.command(1, Command::Start);
    let (line, _writer) = test_pipe();
    test.clock_loop.reader.attach_unread(Box::new(Gone(line)));
    let before = monotonic_now();
    test.settle();
    let causes = test.causes();
    let unplugged = Cause::BoardGone { button: WHITE, paused: true };
    let [(Cause::Command("start", None), _), (cause, at)] = causes[..] else {
        panic!("{causes:?}")
    };
    assert!(cause == unplugged && at > before && at < monotonic_now(), "{causes:?}");
    let update = test.clock_loop.core.update(Cause::Missed);
    assert_eq!((update.view.phase, update.revision), (Phase::Paused, 3));
    assert!(test.faults()[0].contains("not connected"), "{:?}", test.faults());
    assert!(test.gone.pop().is_some(), "it is closed outside");
    assert!(test.clock_loop.reader.lines().is_none(), "it is waited for no more");
}

#[test]
fn a_board_that_is_missing_at_the_start_is_a_fault_until_it_is_opened() {
    let mut test = test_loop_on(8, Inputs::default(), None);
    assert!(test.faults()[0].contains("not connected"), "{:?}", test.faults());
    test.clock_loop.prefault().unwrap();
    test.command(1, Command::Start);
    let refused = test.updates.pop().and_then(|update| update.answer);
    assert_eq!(refused, Some((1, Err(crate::rt::Refusal::BoardGone))));
    let (lines, edges, level) = pipe_board();
    (test.edges, test.level) = (edges, level);
    assert!(test.opened.push(lines).is_ok());
    test.settle();
    assert!(!test.faults().iter().any(|fault| fault.contains("not connected")));
    assert_eq!(test.causes().last().map(|(cause, _)| *cause), Some(Cause::BoardBack));
    test.command(1, Command::Start);
    assert_eq!(test.causes()[0].0, Cause::Command("start", None));
}

#[test]
fn the_last_edges_of_a_line_that_hangs_up_count_and_it_is_no_longer_waited_for() {
    let mut test = test_loop(8);
    test.command(1, Command::Start);
    test.causes();
    let press = monotonic_now();
    test.edge(press, true);
    test.level(true);
    // Waits until the contact has been closed for the settle time (1 ms). Only then does the line
    // hang up.
    while monotonic_now().since(press) < Span::from_nanos(1_000_000) {}
    // The assignment drops the writing end, so the line hangs up.
    test.edges = test_pipe().1;
    test.settle();
    let causes = test.causes();
    let [first, (Cause::BoardGone { button: WHITE, paused: true }, gone)] = causes[..] else {
        panic!("{causes:?}");
    };
    // The press came first, so its move counts, and Black's clock is paused.
    assert_eq!(first, (pressed(Side::White), press));
    assert!(gone > press);
    assert!(test.clock_loop.reader.lines().is_none());
    assert!(!test.clock_loop.core.is_active(WHITE), "what is not read is not down");
}

#[test]
fn a_board_that_is_back_starts_from_its_levels_and_the_game_stays_paused() {
    let mut test = test_loop(8);
    test.command(1, Command::Start);
    let (lines, edges, level) = pipe_board();
    test.edges = edges;
    test.settle();
    drop(test.gone.pop());
    test.causes();
    assert!(test.faults()[0].contains("not connected"), "{:?}", test.faults());

    // The button was pressed while it was not read. All its edges are from before the loop takes
    // the board.
    level.store(true, Ordering::Relaxed);
    let now = monotonic_now().as_nanos();
    for (millis, active) in [(40, true), (30, false), (1, true)] {
        test.edge(Instant::from_nanos(now - millis * 1_000_000), active);
    }
    assert!(test.opened.push(lines).is_ok());
    test.opened.notify();
    test.clock_loop.iterate().unwrap();
    test.settle();
    assert_eq!(
        test.causes().iter().map(|(cause, _)| *cause).collect::<Vec<_>>(),
        [Cause::BoardBack]
    );
    assert!(
        !test.faults().iter().any(|fault| fault.contains("not connected")),
        "{:?}",
        test.faults()
    );
    assert!(test.clock_loop.core.is_active(WHITE), "down is held");
    assert_eq!(test.clock_loop.core.update(Cause::Missed).view.phase, Phase::Paused);

    // The button works again.
    test.command(3, Command::Resume { side: None });
    test.edge(monotonic_now(), false);
    level.store(false, Ordering::Relaxed);
    std::thread::sleep(std::time::Duration::from_millis(60));
    test.settle();
    test.causes();
    let press = monotonic_now();
    test.edge(press, true);
    level.store(true, Ordering::Relaxed);
    test.settle();
    assert_eq!(test.causes(), [(pressed(Side::White), press)]);
}

#[test]
fn a_board_that_is_back_and_gone_again_is_handed_out_again() {
    let mut test = test_loop(8);
    test.edges = test_pipe().1;
    test.settle();
    assert!(test.gone.pop().is_some());
    test.causes();
    let (line, _writer) = test_pipe();
    assert!(test.opened.push(Box::new(Gone(line))).is_ok());
    test.settle();
    assert!(test.gone.pop().is_some());
    assert_eq!(test.causes(), []);
    assert!(test.faults()[0].contains("not connected"));
}

/// A line whose chip was unplugged.
struct Gone(OwnedFd);

impl Lines for Gone {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        (button == Button::Player(Side::White)).then(|| self.0.as_fd())
    }

    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        _: &mut [LineReading; LINES],
    ) -> [bool; LINES] {
        *wanted
    }

    fn read_levels(&self, _: &[bool; LINES], _: &mut [LineReading; LINES]) {}
}

#[test]
fn each_histogram_counts_its_own_latency() {
    let mut test = test_loop(64);
    test.command(1, Command::Start);
    let health = Arc::clone(&test.clock_loop.health);
    assert_eq!(health.edge_latency.buckets(), []);
    assert_eq!(health.decision_latency.buckets(), []);
    let stamp = Instant::from_nanos(monotonic_now().as_nanos() - 300_000);
    test.edge(stamp, true);
    test.level(true);
    let before = monotonic_now();
    test.settle();
    let [(edge, 1)] = health.edge_latency.buckets()[..] else { panic!("one edge: {health:?}") };
    assert!(edge >= 300_000);
    let [(decided, 1)] = health.decision_latency.buckets()[..] else { panic!("one press") };
    // The latency includes the settle time.
    assert!(decided >= 1_000_000);
    let longest = monotonic_now().since(before).as_nanos() + 300_000;
    assert!(health.edge_latency.worst() <= longest && health.decision_latency.worst() <= longest);

    // The lateness is recorded only for a wake-up at a deadline, not for a wake-up by a request.
    let count = |health: &Health| -> u64 {
        health.wake_lateness.buckets().iter().map(|(_, count)| count).sum()
    };
    let woken = count(&health);
    test.requests.notify();
    test.clock_loop.iterate().unwrap();
    assert_eq!(count(&health), woken);
    test.edge(monotonic_now(), false);
    test.level(false);
    test.clock_loop.iterate().unwrap();
    test.clock_loop.iterate().unwrap();
    assert_eq!(count(&health), woken + 1, "the release");
    assert!(health.wake_lateness.worst() < monotonic_now().since(before).as_nanos());
}

#[test]
fn prefaulting_does_not_change_the_clock() {
    let mut test = test_loop(8);
    test.clock_loop.prefault().unwrap();
    assert_eq!(test.causes(), []);
    let update = test.clock_loop.core.update(Cause::Missed);
    assert_eq!((update.revision, update.view.phase), (1, Phase::Ready));
    let health = &test.clock_loop.health;
    assert!(health.faults().is_empty(), "{:?}", health.faults());
    assert_eq!((health.rejected.load(Ordering::Relaxed), health.wake_lateness.worst()), (0, 0));
    assert!(test.clock_loop.deadline.is_none(), "idle");
}

#[test]
fn the_heartbeat_shows_what_the_loop_waits_for() {
    use crate::rt::heartbeat::LoopState;
    let mut test = test_loop(8);
    test.command(1, Command::Start);
    let flag = test.clock_loop.deadline.map(|deadline| deadline.at);
    assert!(flag.is_some());
    let heartbeat = Arc::clone(&test.heartbeat);
    let before = heartbeat.observe().unwrap();
    assert_eq!(before.state, LoopState::Working, "one iteration is over, the next has not begun");
    let (requests, clock_loop) = (test.requests, test.clock_loop);
    let thread = std::thread::spawn(move || {
        let mut clock_loop = clock_loop;
        clock_loop.iterate().unwrap();
    });
    while heartbeat.observe().unwrap().state == LoopState::Working {
        std::thread::yield_now();
    }
    let waiting = heartbeat.observe().unwrap();
    assert_eq!(waiting.state, LoopState::Waiting { until: flag });
    assert_eq!(waiting.wake_ups, before.wake_ups);
    requests.notify();
    thread.join().unwrap();
    let after = heartbeat.observe().unwrap();
    assert_eq!((after.state, after.wake_ups), (LoopState::Working, before.wake_ups + 1));
}

#[test]
fn a_fault_that_is_set_outside_the_loop_is_published_by_one_notified_iteration() {
    let mut test = test_loop(8);
    let notifier = test.requests.notifier();
    for (is_fault, texts) in [(true, 1), (false, 0)] {
        let rate = Rate { is_fault, ..Rate::default() };
        assert!(test.clock_loop.health.clock_rate.publish(rate));
        notifier.notify();
        test.clock_loop.iterate().unwrap();
        let causes: Vec<Cause> = test.causes().into_iter().map(|(cause, _)| cause).collect();
        assert_eq!((causes, test.faults().len()), (vec![Cause::Fault], texts));
        assert!(test.clock_loop.deadline.is_none(), "the loop is idle again");
    }
}

#[test]
fn another_number_of_the_game_on_record_makes_one_update() {
    let mut test = test_loop(8);
    test.clock_loop.health.renumbered.store(true, Ordering::Release);
    for expected in [vec![Cause::GameNumber], vec![]] {
        test.requests.notify();
        test.clock_loop.iterate().unwrap();
        let causes: Vec<Cause> = test.causes().into_iter().map(|(cause, _)| cause).collect();
        assert_eq!(causes, expected);
    }
}

#[test]
fn a_reader_that_is_too_slow_gets_every_answer_and_then_the_latest_state() {
    let mut test = test_loop(1);
    for (id, command) in [(1, Command::Start), (2, Command::Start), (3, Command::Start)] {
        let request = Request { id, at: monotonic_now(), revision: 1, command: command.into() };
        assert!(test.requests.push(request.into()).is_ok());
    }
    test.requests.notify();
    while !test.clock_loop.out.updates.is_behind() {
        test.clock_loop.iterate().unwrap();
    }
    let (mut answers, mut last) = (Vec::new(), None);
    loop {
        while let Some(update) = test.updates.pop() {
            answers.extend(update.answer.map(|(id, done)| (id, done.is_ok())));
            last = Some(update.cause);
        }
        if last == Some(Cause::Missed) {
            break;
        }
        test.clock_loop.iterate().unwrap();
    }
    // The next iteration runs at once, to publish the lost updates as a fault.
    assert!(test.clock_loop.deadline.is_some_and(|deadline| deadline.at <= monotonic_now()));
    test.clock_loop.iterate().unwrap();
    assert_eq!(test.updates.pop().map(|update| update.cause), Some(Cause::Fault));
    // The first command starts the clock, so the others are stale.
    assert_eq!(answers, [(1, true), (2, false), (3, false)]);
    assert!(!test.clock_loop.out.updates.is_behind());
}
