//! Notifies systemd that the service is ready, that it is stopping, and that the clock loop is
//! alive.

use clockd_rt::retained::AliveStamp;
use clockd_rt::{Heartbeat, LivenessCheck, Priority, enter_realtime};
use sd_notify::NotifyState;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The size of the stack of the watchdog's thread: enough for a message to systemd and a line of
/// the log. It is not larger, because the limit on locked memory counts the whole stack, even the
/// part that is never used.
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
    // Outside systemd there is nothing to notify, so an error is ignored.
    let _ = sd_notify::notify(&[state]);
}

/// The longest interval between two observations of the clock loop. If the process is killed, the
/// next process takes the instant of the last observation for the instant of the kill. So the error
/// of that instant is at most this interval.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Starts a thread that observes the clock loop every 100 ms, or more often if the watchdog needs
/// it. While the loop is alive, the thread feeds the watchdog, if there is one. If the loop has
/// also read everything that has arrived, the thread writes into `alive` the instant up to which
/// everything is decided.
///
/// If two successive observations find the loop hanging, the thread triggers the watchdog, and
/// systemd kills and restarts the service. If the process hangs as a whole, systemd restarts it
/// after the time limit of the watchdog. The main thread does not feed the watchdog, so that the
/// service is not killed while that thread waits for a slow disk. The watchdog's thread has a low
/// real-time priority, so that the service is also not killed while other programs use the whole
/// processor.
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
            // If the process is killed now, a press that is unread or undecided is lost. So the
            // instant in `alive` must stay earlier than the press.
            if let Some(decided_until) = seen.decided_until {
                alive.set(decided_until);
            }
            if has_watchdog {
                notify(NotifyState::Watchdog);
            }
            failures = 0;
            continue;
        }
        failures = failures.saturating_add(1);
        // A single failed observation can be a coincidence, so the watchdog is triggered only at
        // the second failure in a row.
        if failures == 2 {
            tracing::error!(?seen, "the clock loop does not move");
            if has_watchdog {
                // systemd kills the process now, instead of after the time limit of the watchdog.
                notify(NotifyState::WatchdogTrigger);
            }
        }
    }
}
