//! Sets the backlight of the screen by the time of day, or as the menu says.
//!
//! [`schedule`] reads the table of `display.toml` and decides the brightness for each time of day,
//! and `device` writes it to the devices in sysfs. The backlight is not dimmed during a
//! game. The face reads the time of day and the devices every 30 s (2 s after a failure). So it
//! finds by itself that the machine's clock or a device has changed. It finds a change of the time
//! zone some minutes later, because jiff caches the time zone for 5 min.

mod device;
pub mod schedule;

use std::path::PathBuf;
use std::time::Duration;

use clock_dbus::{MenuSettings, Phase};
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

/// The folder in sysfs that has an entry for each backlight.
const BACKLIGHTS: &str = "/sys/class/backlight";
/// How often the time of day and the devices are read, except after a failure.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// The time from a failure until the devices are read again. When the machine starts, the face can
/// run before udev has given it access to the device.
const RETRY: Duration = Duration::from_secs(2);
/// The longest time that the task of [`start`] waits for the first answer of the clock service
/// before it sets the backlight. If it did not wait, a face that is started during a game could
/// first dim the backlight.
const FIRST_ANSWER: Duration = Duration::from_secs(2);

/// Starts a task that sets the backlight. Without a schedule in the configuration, it sets nothing
/// until the menu says a brightness.
pub(crate) fn start(config: &Config, link: watch::Receiver<Link>) {
    let schedule = config.backlight_schedule;
    let folder = BACKLIGHTS.into();
    tokio::spawn(Backlight { schedule, folder, now: WallClock::read, report }.follow(link));
}

#[derive(Clone)]
struct WallClock {
    now: Timestamp,
    /// Without `/etc/localtime` the time zone is UTC.
    zone: TimeZone,
    /// Whether the machine knows the wall time.
    is_known: bool,
}

impl WallClock {
    fn read() -> WallClock {
        let (now, zone) = (Timestamp::now(), TimeZone::system());
        WallClock { now, zone, is_known: clock_wall_time::is_known() }
    }

    /// The local time of day, if it is known.
    fn time_of_day(&self) -> Option<TimeOfDay> {
        let time = self.now.to_zoned(self.zone.clone()).time();
        let time = TimeOfDay::new(time.hour().unsigned_abs(), time.minute().unsigned_abs());
        time.filter(|_| self.is_known)
    }
}

/// The brightness that was set in the menu, until the end of the local day on which it was set.
fn of_menu(settings: MenuSettings, now: Timestamp, zone: &TimeZone) -> Option<Percent> {
    let MenuSettings { sound: _, brightness_percent, set_at_realtime_nsec, language: _ } = settings;
    let set_at = Timestamp::from_nanosecond(set_at_realtime_nsec?.into()).ok()?;
    let day = |instant: Timestamp| instant.to_zoned(zone.clone()).date();
    let is_today = day(set_at) == day(now);
    Percent::try_from(i64::from(brightness_percent?)).ok().filter(|_| is_today)
}

/// Whether a game is in progress. The backlight is then not dimmed, because the players need to
/// read their times. A game that is paused or awaits a ruling is in progress, too. While no service
/// answers, the last known state counts, so that a restart of the service changes nothing.
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

/// Sets the brightness of the backlight devices.
struct Backlight {
    schedule: Option<Schedule>,
    /// The folder in sysfs with the backlight devices.
    folder: PathBuf,
    now: fn() -> WallClock,
    report: Report,
}

impl Backlight {
    /// The brightness to set: that of the menu, otherwise that of the schedule. If there is
    /// neither, it is full if a brightness was set before (`was_set`), because the menu's
    /// brightness has then ended; otherwise `None`.
    fn wanted(&self, link: &Link, was_set: bool) -> Option<Percent> {
        let clock = (self.now)();
        let of_schedule = self
            .schedule
            .map(|schedule| schedule.percent(clock.time_of_day(), game_in_progress(link)));
        of_menu(link.settings(), clock.now, &clock.zone)
            .or(of_schedule)
            .or(was_set.then_some(Percent::FULL))
    }

    /// Sets the backlight until the program ends.
    async fn follow(self, mut link: watch::Receiver<Link>) {
        let _ = timeout(FIRST_ANSWER, link.wait_for(Link::has_answered)).await;
        let mut said = String::new();
        let mut was_set = false;
        loop {
            let wanted = self.wanted(&link.borrow_and_update(), was_set);
            let Some(percent) = wanted else {
                let any = |link: &Link| self.wanted(link, was_set).is_some();
                if link.wait_for(any).await.is_err() {
                    return;
                }
                continue;
            };
            was_set = true;
            let folder = self.folder.clone();
            // A device on I2C can block its caller. A separate thread waits for it, so that the
            // picture is not delayed.
            let Ok(look) = spawn_blocking(move || device::set(&folder, percent)).await else {
                return;
            };
            if said != look.message {
                (self.report)(&look.message);
                said = look.message;
            }
            let next = Instant::now() + if look.failed { RETRY } else { LOOK_AGAIN };
            if self.until_another(wanted, next, &mut link).await.is_err() {
                return;
            }
        }
    }

    /// Waits until the wanted brightness differs from `percent`, but no longer than until the
    /// instant `next`. The wanted brightness is computed at once, and again at each change of
    /// `link`.
    async fn until_another(
        &self,
        percent: Option<Percent>,
        next: Instant,
        link: &mut watch::Receiver<Link>,
    ) -> Result<(), watch::error::RecvError> {
        let another = link.wait_for(|link| self.wanted(link, percent.is_some()) != percent);
        tokio::select! {
            found = another => found.map(|_| ()),
            () = sleep_until(next) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
