//! Notifies systemd: ready, stopping, and that the clock loop is alive.

use crate::retained::AliveStamp;
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

/// The longest time between two looks at the clock loop. After a kill nothing tells the instant of
/// the kill; the last look tells it with this precision.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Looks at the clock loop every 100 ms, or more often if the watchdog needs it. While the loop is
/// alive, it feeds the watchdog, if there is one. If the loop has also read all that has arrived,
/// this instant is written into `alive`.
///
/// If the loop hangs, the watchdog is not fed but triggered at the second look that finds it
/// hanging, and systemd kills and restarts the service. The limit of the watchdog is for a process
/// that hangs as a whole. A separate thread feeds the watchdog, so that a main thread that waits
/// for a slow disk does not end a game. The thread has a low real-time priority, so that programs
/// that use the whole processor do not end a game either.
pub fn start_feeding(heartbeat: Arc<Heartbeat>, alive: AliveStamp) -> io::Result<()> {
    let limit = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero());
    let every = limit.map_or(LOOK_EVERY, |limit| LOOK_EVERY.min(limit / 4));
    let thread = std::thread::Builder::new().name("watchdog".into()).stack_size(STACK);
    thread.spawn(move || watch(&heartbeat, &alive, every, limit.is_some()))?;
    Ok(())
}

fn watch(heartbeat: &Heartbeat, alive: &AliveStamp, every: Duration, has_watchdog: bool) {
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
        if let Some(seen) = seen.as_ref().ok().filter(|seen| liveness.is_alive(**seen)) {
            // A press that is unread now may never be read, so the stamp must be earlier than the
            // press.
            if !seen.unread {
                alive.set(seen.now);
            }
            if has_watchdog {
                notify(NotifyState::Watchdog);
            }
            failures = 0;
            continue;
        }
        failures = failures.saturating_add(1);
        // One failed observation can be a coincidence, so only the second one counts.
        if failures == 2 {
            tracing::error!(?seen, "the clock loop does not move");
            if has_watchdog {
                // systemd ends the process now, and not only after the limit of the watchdog.
                notify(NotifyState::WatchdogTrigger);
            }
        }
    }
}
