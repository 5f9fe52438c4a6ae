//! The clock loop and how the rest of the daemon talks to it.
//!
//! One thread owns the engine. Everything else sends it requests over a wait-free ring and gets
//! whole updates back the same way.

mod board;
pub mod channel;
mod cycle;
mod debounce;
mod decide;
mod desk;
mod health;
mod histogram;
mod inbox;
mod outbox;
mod pulse;
mod rehearsal;
mod rocker;
mod sched;

pub use debounce::Times;
pub use decide::Inputs;
pub use desk::{Cause, Refusal, Request, Update};
pub use health::{Fault, FaultSet, Health};
pub use pulse::{Pulse, Watcher};
pub use sched::keep_mappings_small;

use crate::clock::monotonic_now;
use crate::gpio::Lines;
use board::Board;
use channel::{Receiver, Sender, channel};
use clock_engine::Control;
use cycle::{ClockLoop, Ends};
use decide::Decider;
use std::io;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Far more than the loop needs; locked memory is counted by the size of its mappings.
const STACK: usize = 1024 * 1024;
/// More commands than this never wait at once: arbiters type.
const REQUESTS: usize = 16;
/// Minutes of blitz: only a reader that hangs lets this fill.
const UPDATES: usize = 256;
/// There is one board; a second place, so that there is always one free.
const BOARDS: usize = 2;

/// The rest of the daemon's end of the loop.
pub struct Running {
    /// Where commands go in.
    pub requests: Sender<Request>,
    /// Where updates come out.
    pub updates: Receiver<Update>,
    /// The clock as it is at the start.
    pub first: Update,
    /// Boards that have gone come out here, and go in once they are back.
    pub boards: Boards,
    /// What the loop tells about itself.
    pub health: Arc<Health>,
    /// Whether the loop lives.
    pub pulse: Arc<Pulse>,
    /// Why the loop has no real-time priority, if it has none.
    pub not_realtime: Option<io::Error>,
    /// Comes when the loop has ended, which it never should.
    pub ended: oneshot::Receiver<io::Error>,
}

/// The outside's ends of the rings for boards: to open and to close one may wait, so that is done
/// there.
pub struct Boards {
    /// Boards that are gone; closed by being dropped.
    pub gone: Receiver<Box<dyn Lines>>,
    /// A board opened again.
    pub fresh: Sender<Box<dyn Lines>>,
}

/// Starts the clock loop on a thread of its own.
pub fn spawn(control: Control, inputs: Inputs, lines: Box<dyn Lines>) -> io::Result<Running> {
    let (requests, requests_in) = channel(REQUESTS)?;
    let (updates_out, updates) = channel(UPDATES)?;
    let health = Arc::new(Health::default());
    let (fresh, fresh_in) = channel(BOARDS)?;
    let (gone_out, gone) = channel(BOARDS)?;
    let pulse = Arc::new(Pulse::new()?);
    let mut board = Board::empty();
    let levels = board.plug_in(lines)?;
    let decider = Decider::new(control, inputs, levels, monotonic_now());
    let first = decider.update(Cause::Started);
    let ends =
        Ends { requests: requests_in, updates: updates_out, fresh: fresh_in, gone: gone_out };
    let mut clock_loop =
        ClockLoop::new(decider, board, ends, Arc::clone(&health), Arc::clone(&pulse))?;
    let (started, wait) = std::sync::mpsc::channel();
    let (end, ended) = oneshot::channel();
    let thread = std::thread::Builder::new().name("clock-loop".into()).stack_size(STACK);
    let ends_with = EndsWith(Arc::clone(&pulse));
    thread.spawn(move || {
        let _ends_with = ends_with;
        let priority = sched::enter_realtime();
        let rehearsed = clock_loop.rehearse();
        // The spawner waits for this; nobody is left to tell if it has gone.
        let _ = started.send((priority, rehearsed));
        let _ = end.send(clock_loop.run());
    })?;
    let (priority, rehearsed) = wait.recv().map_err(io::Error::other)?;
    rehearsed?;
    // Now that all the loop touches is there.
    let not_realtime = priority.and(sched::lock_memory()).err();
    health.set_realtime(not_realtime.is_none());
    let boards = Boards { gone, fresh };
    Ok(Running { requests, updates, first, boards, health, pulse, not_realtime, ended })
}

/// However the thread ends, its pulse stops.
struct EndsWith(Arc<Pulse>);

impl Drop for EndsWith {
    fn drop(&mut self) {
        self.0.end();
    }
}
