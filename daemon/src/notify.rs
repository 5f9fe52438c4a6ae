//! What systemd is told: ready, stopping, and that the clock loop lives.

use crate::rt::{Pulse, Watcher};
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

/// Feeds the watchdog while the clock loop lives; does nothing where systemd set none.
///
/// One that hangs is left to starve: systemd then kills the service and starts it anew. A thread of
/// its own feeds: that the main thread waits for a slow disk is no reason to end a game.
pub fn start_feeding(pulse: Arc<Pulse>) -> io::Result<()> {
    let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) else {
        return Ok(());
    };
    let thread = std::thread::Builder::new().name("watchdog".into()).stack_size(STACK);
    thread.spawn(move || feed(&pulse, limit / 4))?;
    Ok(())
}

fn feed(pulse: &Pulse, every: Duration) {
    let mut watcher = Watcher::default();
    let mut dead = 0_u32;
    loop {
        std::thread::sleep(every);
        let seen = pulse.look();
        if seen.as_ref().is_ok_and(|seen| watcher.is_alive(*seen)) {
            tell(NotifyState::Watchdog);
            dead = 0;
            continue;
        }
        dead = dead.saturating_add(1);
        // One look alone may have come in the worst moment.
        if dead == 2 {
            tracing::error!(?seen, "the clock loop does not move");
        }
    }
}
