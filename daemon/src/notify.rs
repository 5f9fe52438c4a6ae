//! Notifies systemd: ready, stopping, and that the clock loop is alive.

use crate::rt::{Heartbeat, LivenessCheck, Priority, enter_realtime};
use sd_notify::NotifyState;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Enough for a message and a line of the log. Locked memory is counted by the size of its
/// mappings.
const STACK: usize = 128 * 1024;

/// Reports that the service is ready.
pub fn ready() {
    notify(NotifyState::Ready);
}

/// Reports that the service is stopping.
pub fn stopping() {
    notify(NotifyState::Stopping);
}

fn notify(state: NotifyState<'_>) {
    // Outside systemd there is nothing to notify.
    let _ = sd_notify::notify(&[state]);
}

/// Feeds the watchdog while the clock loop is alive. Without a watchdog it does nothing.
///
/// If the loop hangs, the watchdog is not fed, and systemd kills and restarts the service. A
/// separate thread feeds the watchdog, so that a main thread that waits for a slow disk does not
/// end a game. The thread has a low real-time priority, so that programs that use the whole processor
/// do not end a game either.
pub fn start_feeding(heartbeat: Arc<Heartbeat>) -> io::Result<()> {
    let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) else {
        return Ok(());
    };
    let thread = std::thread::Builder::new().name("watchdog".into()).stack_size(STACK);
    thread.spawn(move || feed(&heartbeat, limit / 4))?;
    Ok(())
}

fn feed(heartbeat: &Heartbeat, every: Duration) {
    if let Err(reason) = enter_realtime(Priority::WATCHDOG) {
        tracing::warn!(
            %reason,
            "the watchdog's thread has no real-time priority: on a busy machine clockd can be restarted \
             although it works"
        );
    }
    let mut liveness = LivenessCheck::default();
    let mut failures = 0_u32;
    loop {
        std::thread::sleep(every);
        let seen = heartbeat.observe();
        if seen.as_ref().is_ok_and(|seen| liveness.is_alive(*seen)) {
            notify(NotifyState::Watchdog);
            failures = 0;
            continue;
        }
        failures = failures.saturating_add(1);
        // One failed observation can be a coincidence, so only the second one is logged.
        if failures == 2 {
            tracing::error!(?seen, "the clock loop does not move");
        }
    }
}
