//! Tests with a board whose lines share one descriptor and one queue, as with uAPI v2 of the
//! kernel's GPIO interface.

use super::*;
use std::sync::Mutex;

const BLACK: Button = Button::Player(Side::Black);
/// The size of an edge in the pipe, in bytes: the button's index, the stamp in nanoseconds and the
/// level, each as one word of 8 bytes.
const RECORD: usize = 24;

/// White's and Black's buttons on one pipe.
struct Shared {
    pipe: OwnedFd,
    levels: Arc<Mutex<[bool; LINES]>>,
}

impl Lines for Shared {
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>> {
        (button != Button::Call).then(|| self.pipe.as_fd())
    }

    fn share_descriptor(&self) -> bool {
        true
    }

    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES] {
        let mut buffer = [0; RECORD * LineReading::CAPACITY];
        let len = match rustix::io::read(&self.pipe, &mut buffer) {
            Ok(0) => return *wanted,
            Ok(len) => len,
            Err(rustix::io::Errno::AGAIN) => 0,
            Err(_) => return *wanted,
        };
        for record in buffer[..len].chunks_exact(RECORD) {
            let [index, at, active] = [0, 8, 16].map(|from| {
                u64::from_ne_bytes(record[from..from + 8].try_into().expect("eight bytes"))
            });
            let index = usize::try_from(index).unwrap();
            if wanted[index] {
                readings[index].push(Edge { at: Instant::from_nanos(at), active: active != 0 });
            }
        }
        readings.iter_mut().for_each(|reading| reading.drained = len < buffer.len());
        [false; LINES]
    }

    fn read_levels(&self, wanted: &[bool; LINES], readings: &mut [LineReading; LINES]) {
        let levels = self.levels.lock().unwrap();
        for index in (0..LINES).filter(|index| wanted[*index]) {
            readings[index].level = Some(levels[index]);
        }
    }
}

fn record(button: Button, at: Instant, active: bool) -> [u8; RECORD] {
    let words = [button.index() as u64, at.as_nanos(), u64::from(active)];
    std::array::from_fn(|byte| words[byte / 8].to_ne_bytes()[byte % 8])
}

struct SharedTest {
    test: TestLoop,
    edges: WritingEnd,
    levels: Arc<Mutex<[bool; LINES]>>,
}

/// A loop for which a board was opened. The loop has not taken the board yet.
fn opened_test() -> SharedTest {
    let mut test = test_loop(64);
    let (pipe, edges) = test_pipe();
    let levels = Arc::new(Mutex::new([false; LINES]));
    let board = Shared { pipe, levels: Arc::clone(&levels) };
    assert!(test.opened.push(Box::new(board)).is_ok());
    SharedTest { test, edges, levels }
}

fn shared_test() -> SharedTest {
    let mut shared = opened_test();
    shared.test.settle();
    assert_eq!(shared.test.causes().last().map(|(cause, _)| *cause), Some(Cause::BoardBack));
    shared
}

impl SharedTest {
    fn edge(&self, button: Button, at: Instant, active: bool) {
        self.edges.write(&record(button, at, active));
        self.levels.lock().unwrap()[button.index()] = active;
    }

    /// Writes `edges` edges of White's button; `edges` must be even. After the last one, the
    /// contact is open.
    fn noise(&self, edges: u32) {
        assert!(edges.is_multiple_of(2));
        let edge = |index| record(WHITE, monotonic_now(), index % 2 == 0);
        self.edges.write(&(0..edges).flat_map(edge).collect::<Vec<u8>>());
    }

    fn is_muted(&self) -> bool {
        self.test.clock_loop.core.is_muted(WHITE, monotonic_now())
    }
}

#[test]
fn the_edges_before_a_board_is_taken_make_no_press_even_if_its_queue_is_full() {
    let mut shared = opened_test();
    shared.noise(1_000);
    // Black's button is pressed and released before the loop takes the board.
    let released = monotonic_now();
    let pressed = Instant::from_nanos(released.as_nanos() - 2_000_000);
    shared.edge(BLACK, pressed, true);
    shared.edge(BLACK, released, false);
    shared.test.settle();
    let causes: Vec<Cause> = shared.test.causes().iter().map(|(cause, _)| *cause).collect();
    assert_eq!(causes, [Cause::BoardBack]);
}

#[test]
fn noise_on_a_line_leaves_the_other_lines_of_its_queue_readable() {
    let mut shared = shared_test();
    // White's line is noisy until it is muted. The noise goes on in every iteration after that.
    while !shared.is_muted() {
        shared.noise(60);
        shared.test.clock_loop.iterate().unwrap();
    }
    shared.test.causes();
    let muted = monotonic_now();
    let paced = loop {
        let next = shared.test.clock_loop.deadline.expect("the queue is read again");
        if !next.is_ahead {
            break next;
        }
        // A real deadline (`is_ahead`) comes first: 2 ms after the fault, the loop writes its state
        // into the retained memory.
        assert!(
            monotonic_now().since(muted) < Span::from_secs(10),
            "the queue is never read again"
        );
        shared.noise(2);
        shared.test.clock_loop.iterate().unwrap();
    };
    assert!(paced.at.since(monotonic_now()) <= SHARED_READ);
    let press = monotonic_now();
    shared.edge(BLACK, press, true);
    let mut iterations = 0;
    let pressed = loop {
        shared.noise(2);
        shared.test.clock_loop.iterate().unwrap();
        iterations += 1;
        let causes = shared.test.causes();
        let found = causes.iter().find(|(cause, _)| *cause == pressed(Side::Black));
        if let Some((_, at)) = found {
            break *at;
        }
        assert!(monotonic_now().since(press) < Span::from_secs(10), "the press is never read");
    };
    assert_eq!(pressed, press, "it keeps its own stamp");
    // The press is decided 1.1 ms after its stamp. If the noise woke the loop, it would iterate
    // hundreds of times by then.
    assert!(iterations < 30, "{iterations} iterations");
}

#[test]
fn the_queue_is_waited_for_again_after_the_noise() {
    let mut shared = shared_test();
    while !shared.is_muted() {
        shared.noise(60);
        shared.test.clock_loop.iterate().unwrap();
    }
    shared.edge(WHITE, monotonic_now(), false);
    shared.test.settle();
    assert!(!shared.is_muted() && shared.test.clock_loop.deadline.is_none());
    shared.test.causes();
    let press = monotonic_now();
    shared.edge(BLACK, press, true);
    // This iteration has no deadline, so only the descriptor can end its wait.
    shared.test.clock_loop.iterate().unwrap();
    shared.test.settle();
    assert_eq!(shared.test.causes(), [(pressed(Side::Black), press)]);
}

#[test]
fn a_shared_descriptor_that_hangs_up_is_one_board_that_is_gone() {
    let mut shared = shared_test();
    shared.edges = test_pipe().1;
    shared.test.settle();
    let causes = shared.test.causes();
    assert!(
        matches!(causes[..], [(Cause::BoardGone { button: WHITE, paused: false }, _)]),
        "{causes:?}"
    );
    assert!(shared.test.gone.pop().is_some());
    assert!(shared.test.clock_loop.deadline.is_none(), "it is waited for no more");
}
