//! Players who press their buttons until the clock is gone.

use clock_dbus::Who;
use clock_tests::Buttons;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a button is down, and then up: five times the debounce times of the test.
const HOLD: Duration = Duration::from_micros(50);
/// The largest number of presses of one thread. Without this limit, the increments of many presses
/// would lengthen the game.
const MOST: usize = 40;

/// What a thread of presses has done.
#[derive(Debug, Default)]
pub struct Presses {
    /// The presses that the simulated board has answered with their stamps.
    pub answered: Vec<(Who, u64)>,
    /// The press that was sent last, if no answer to it came.
    pub unanswered: Option<Who>,
}

/// A thread that presses the buttons in turn.
pub struct Pressing {
    thread: JoinHandle<Presses>,
    /// Receives one `()` for each answered press.
    answered: Receiver<()>,
}

impl Pressing {
    /// Starts a thread that presses the buttons in turn. The first press is that of `first`.
    pub fn start(socket: PathBuf, first: Who) -> Pressing {
        let (report, answered) = channel();
        let thread = std::thread::spawn(move || press_while_it_lives(&socket, first, &report));
        Pressing { thread, answered }
    }

    /// Waits until this many presses have been answered.
    pub fn wait_for(&self, presses: u64) {
        for _ in 0..presses {
            self.answered.recv_timeout(clock_tests::DEADLINE).unwrap();
        }
    }

    /// Waits for the end of the thread, after the clock has been killed.
    pub fn join(self) -> Presses {
        self.thread.join().unwrap()
    }
}

fn press_while_it_lives(socket: &Path, first: Who, report: &Sender<()>) -> Presses {
    let mut presses = Presses::default();
    let Ok(mut buttons) = Buttons::open(socket) else { return presses };
    let mut side = first;
    while presses.answered.len() < MOST {
        presses.unanswered = Some(side);
        let answer = buttons.send(&format!("{} down", side.as_str())).ok();
        let Some(stamp) = answer.as_deref().and_then(|answer| answer.strip_prefix("ok ")) else {
            return presses;
        };
        presses.answered.push((side, stamp.parse().unwrap()));
        presses.unanswered = None;
        // The receiver may be gone.
        let _ = report.send(());
        hold();
        if buttons.send(&format!("{} up", side.as_str())).is_err() {
            return presses;
        }
        hold();
        side = if side == Who::White { Who::Black } else { Who::White };
    }
    presses
}

fn hold() {
    let start = Instant::now();
    while start.elapsed() < HOLD {}
}
