//! The backlight of the screen, by time of day.
//!
//! `config` is what `display.toml` says, [`schedule`] which brightness that gives at a time of day,
//! `device` writes it to the devices that the kernel shows in sysfs. They are looked at every 30 s,
//! so that a change of the time zone, of the clock or of the device needs no message.

pub mod config;
mod device;
pub mod schedule;

use std::path::PathBuf;
use std::time::Duration;

use clock_dbus::Phase;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout};

use crate::config::Config;
use crate::devices::Report;
use crate::link::Link;
use crate::messages::report;
use schedule::{Percent, Schedule, TimeOfDay};

/// Where the kernel shows the backlights.
const BACKLIGHTS: &str = "/sys/class/backlight";
/// How long after the last look the time of day and the devices are looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// The same after a failure. At the start of the machine, the face can be there before udev has
/// given it the device.
const RETRY: Duration = Duration::from_secs(2);
/// How long the first look waits for the answer of the service, so that a face that starts in a
/// game is not dimmed before.
const FIRST_ANSWER: Duration = Duration::from_secs(2);
/// 2025-01-01, in seconds since 1970, as `clockctl` has it for the record. An earlier time is that
/// of a machine that was not told the time since it started.
const KNOWN_SINCE: i64 = 1_735_689_600;

/// Sets the backlight from now on, if the configuration says so.
pub(crate) fn start(config: &Config, link: watch::Receiver<Link>) {
    if let Some(schedule) = config.backlight_schedule {
        let folder = BACKLIGHTS.into();
        tokio::spawn(Backlight { schedule, folder, local_time, report }.follow(link));
    }
}

/// The time of day in the zone of this machine; `None` if the machine does not know it. Without
/// `/etc/localtime` the zone is UTC.
fn local_time() -> Option<TimeOfDay> {
    time_of_day(Timestamp::now(), TimeZone::system())
}

fn time_of_day(now: Timestamp, zone: TimeZone) -> Option<TimeOfDay> {
    let time = now.to_zoned(zone).time();
    let time = TimeOfDay::new(time.hour().unsigned_abs(), time.minute().unsigned_abs());
    time.filter(|_| now.as_second() >= KNOWN_SINCE)
}

/// Whether players need to read their times: a game that is paused or awaits a ruling is one, too.
/// Without a service, the last known state counts, so that nothing changes while the service is
/// restarted.
fn game_in_progress(link: &Link) -> bool {
    let phase = match link {
        Link::Up(up) => up.state.phase,
        Link::Down(Some(last)) => last.state.phase,
        Link::Down(None) => return false,
    };
    match phase {
        Phase::Running | Phase::Paused | Phase::Ruling => true,
        Phase::Ready | Phase::Over => false,
    }
}

/// What sets the backlight.
struct Backlight {
    schedule: Schedule,
    /// The folder with the devices.
    folder: PathBuf,
    local_time: fn() -> Option<TimeOfDay>,
    report: Report,
}

impl Backlight {
    fn wanted(&self, link: &Link) -> Percent {
        self.schedule.percent((self.local_time)(), game_in_progress(link))
    }

    /// Follows the clock and the time of day until nobody follows the service any more.
    async fn follow(self, mut link: watch::Receiver<Link>) {
        let _ = timeout(FIRST_ANSWER, link.wait_for(Link::has_answered)).await;
        let mut said = String::new();
        loop {
            let percent = self.wanted(&link.borrow_and_update());
            let folder = self.folder.clone();
            // A chip on I2C can keep its caller waiting, and the picture must not wait with it.
            let Ok(look) = spawn_blocking(move || device::set(&folder, percent)).await else {
                return;
            };
            if said != look.message {
                (self.report)(&look.message);
                said = look.message;
            }
            let next = Instant::now() + if look.failed { RETRY } else { LOOK_AGAIN };
            if self.until_another(percent, next, &mut link).await.is_err() {
                return;
            }
        }
    }

    /// Waits until another brightness is wanted, but only until `next`.
    async fn until_another(
        &self,
        percent: Percent,
        next: Instant,
        link: &mut watch::Receiver<Link>,
    ) -> Result<(), watch::error::RecvError> {
        let another = link.wait_for(|link| self.wanted(link) != percent);
        tokio::select! {
            found = another => found.map(|_| ()),
            () = sleep_until(next) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
