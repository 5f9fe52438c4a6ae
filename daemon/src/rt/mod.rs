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
mod inbox;
mod outbox;
mod sched;

pub use debounce::Times;
pub use desk::{Cause, Refusal, Request, Update};
pub use health::Health;
pub use sched::keep_mappings_small;

use crate::clock::monotonic_now;
use crate::gpio::{Button, Lines};
use channel::{Receiver, Sender, channel};
use clock_engine::Control;
use cycle::ClockLoop;
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

/// The rest of the daemon's end of the loop.
pub struct Running {
    /// Where commands go in.
    pub requests: Sender<Request>,
    /// Where updates come out.
    pub updates: Receiver<Update>,
    /// The clock as it is at the start.
    pub first: Update,
    /// What the loop tells about itself.
    pub health: Arc<Health>,
    /// Why the loop has no real-time priority, if it has none.
    pub not_realtime: Option<io::Error>,
    /// Comes when the loop has ended, which it never should.
    pub ended: oneshot::Receiver<io::Error>,
}

/// Starts the clock loop on a thread of its own.
pub fn spawn(control: Control, times: Times, lines: Box<dyn Lines>) -> io::Result<Running> {
    let (requests, requests_in) = channel(REQUESTS)?;
    let (updates_out, updates) = channel(UPDATES)?;
    let health = Arc::new(Health::default());
    let now = monotonic_now();
    let mut levels = [false; Button::ALL.len()];
    for button in Button::ALL {
        levels[button.index()] = lines.fd(button).is_some() && lines.level(button)?;
    }
    let decider = Decider::new(control, times, levels, now);
    let first = decider.update(Cause::Started);
    let clock_loop = ClockLoop::new(decider, lines, requests_in, updates_out, Arc::clone(&health))?;
    let (started, wait) = std::sync::mpsc::channel();
    let (end, ended) = oneshot::channel();
    let thread = std::thread::Builder::new().name("clock-loop".into()).stack_size(STACK);
    thread.spawn(move || {
        // The spawner waits for this; nobody is left to tell if it has gone.
        let _ = started.send(sched::enter_realtime());
        let _ = end.send(clock_loop.run());
    })?;
    let priority = wait.recv().map_err(io::Error::other)?;
    // Now that all the loop touches is there.
    let not_realtime = priority.and(sched::lock_memory()).err();
    health.set_realtime(not_realtime.is_none());
    Ok(Running { requests, updates, first, health, not_realtime, ended })
}
