//! What systemd is told: ready, stopping, and that the clock loop lives.

use crate::rt::{Pulse, Watcher};
use sd_notify::NotifyState;
use std::io;
use tokio::time::MissedTickBehavior;

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
/// One that hangs is left to starve: systemd then kills the service and starts it anew.
pub async fn feed(pulse: &Pulse) -> io::Result<()> {
    let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) else {
        return std::future::pending().await;
    };
    let mut ticks = tokio::time::interval(limit / 4);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut watcher = Watcher::default();
    let mut lived = true;
    loop {
        ticks.tick().await;
        let seen = pulse.look()?;
        let lives = watcher.is_alive(seen);
        if lives {
            tell(NotifyState::Watchdog);
        } else if lived {
            tracing::error!(?seen, "the clock loop does not move");
        }
        lived = lives;
    }
}
