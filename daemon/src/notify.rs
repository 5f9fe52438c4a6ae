//! Notifies systemd: ready, stopping, and that the clock loop is alive.

use crate::rt::{Heartbeat, LivenessCheck};
use sd_notify::NotifyState;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Enough for a message and a line of the log; locked memory is counted by the size of its mappings.
const STACK: usize = 128 * 1024;

/// The service is up.
pub fn ready() {
    tell(NotifyState::Ready);
}

/// The service ends.
pub fn stopping() {
    tell(NotifyState::Stopping);
}

fn tell(state: NotifyState<'_>) {
    // Outside systemd there is nobody to tell.
    let _ = sd_notify::notify(&[state]);
}

/// Feeds the watchdog while the clock loop is alive; does nothing where systemd set no watchdog.
///
/// When the loop hangs, the watchdog is not fed, and systemd kills the service and starts it again.
/// A thread of its own feeds it, so that a main thread that waits for a slow disk does not end a
/// game.
pub fn start_feeding(heartbeat: Arc<Heartbeat>) -> io::Result<()> {
    let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) else {
        return Ok(());
    };
    let thread = std::thread::Builder::new().name("watchdog".into()).stack_size(STACK);
    thread.spawn(move || feed(&heartbeat, limit / 4))?;
    Ok(())
}

fn feed(heartbeat: &Heartbeat, every: Duration) {
    let mut liveness = LivenessCheck::default();
    let mut failures = 0_u32;
    loop {
        std::thread::sleep(every);
        let seen = heartbeat.observe();
        if seen.as_ref().is_ok_and(|seen| liveness.is_alive(*seen)) {
            tell(NotifyState::Watchdog);
            failures = 0;
            continue;
        }
        failures = failures.saturating_add(1);
        // A single observation may have come at an unlucky moment.
        if failures == 2 {
            tracing::error!(?seen, "the clock loop does not move");
        }
    }
}
