//! Provides what the face shows now, and waits until that changes. Each output has its own
//! presenter.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clock_languages::Face;
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

use crate::battery::{Battery, SUPPLIES};
use crate::content::Content;
use crate::language::LanguageChoice;
use crate::link::{LastKnown, Link, Up};
use crate::low_time::LowTime;
use crate::next_change::{monotonic_now, next_change};
use crate::pending::or_never;

/// How often the battery is read.
const BATTERY_INTERVAL: Duration = Duration::from_secs(30);

/// How long the machine counts as starting, in nanoseconds of CLOCK_MONOTONIC, which is 0 at the start
/// of the kernel.
const START: u64 = 30_000_000_000;

/// Whether the machine was switched on less than 30 s ago. A service that has not answered may then
/// still be starting.
pub fn machine_starts() -> bool {
    monotonic_now() < START
}

/// Converts what is known of the clock to the content of an output.
pub struct Presenter {
    link: watch::Receiver<Link>,
    language: LanguageChoice,
    low_time: LowTime,
    battery: Option<Battery>,
    read_battery: Interval,
    /// The task that reads the battery; `None` while the battery is not being read. The task has
    /// its own thread, because a battery whose hardware answers late must not delay the times.
    reading: Option<JoinHandle<Option<Battery>>>,
    /// The instant at which the content changes next without a signal of the service, on
    /// `CLOCK_MONOTONIC` in nanoseconds; `None` if there is no such instant. [`Presenter::content`]
    /// sets it.
    change: Option<u64>,
}

impl Presenter {
    pub fn new(
        link: watch::Receiver<Link>,
        language: LanguageChoice,
        low_time: LowTime,
    ) -> Presenter {
        let mut read_battery = interval(BATTERY_INTERVAL);
        read_battery.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Presenter {
            link,
            language,
            low_time,
            battery: None,
            read_battery,
            reading: None,
            change: None,
        }
    }

    /// What is known of the clock.
    pub fn link(&self) -> watch::Ref<'_, Link> {
        self.link.borrow()
    }

    /// Waits until the service has answered for the first time.
    pub async fn answered(&mut self) {
        // Waiting fails if nobody follows the service any more. `changed` reports that.
        let _ = self.link.wait_for(Link::has_answered).await;
    }

    /// The present content of the face. [`Presenter::changed`] waits for a change of this content.
    pub fn content(&mut self) -> Content {
        let link = self.link.borrow_and_update();
        let words = self.language.words(link.settings().language);
        let (content, change) = match &*link {
            Link::Down(None) => without_service(words, monotonic_now()),
            Link::Down(Some(last)) => {
                // `Link::settings` returns the settings.
                let LastKnown { state, rules, settings: _ } = &**last;
                (Content::last_known(state, *rules, words), None)
            }
            Link::Up(up) => {
                let Up {
                    state,
                    rules,
                    // `shot` reads this field from the link.
                    rules_asked: _,
                    // The buzzer reads this field from the link.
                    signals: _,
                    // `Link::settings` returns this field.
                    settings: _,
                    page,
                } = &**up;
                let shown = self.low_time.applied_to(state.at(monotonic_now()));
                let content = Content::of(&shown, *rules, words).with_menu(page.as_ref());
                (content, next_change(&shown))
            }
        };
        drop(link);
        self.change = change;
        content.with_battery(self.battery)
    }

    /// Waits until [`Presenter::content`] may return another content than at its last call. Fails
    /// if nobody follows the service any more.
    pub async fn changed(&mut self) -> anyhow::Result<()> {
        tokio::select! {
            link = self.link.changed() => link.context("the bus is no longer followed"),
            () = sleep_until(self.change) => Ok(()),
            _ = self.read_battery.tick(), if self.reading.is_none() => {
                self.reading = Some(spawn_blocking(|| Battery::discharging(Path::new(SUPPLIES))));
                Ok(())
            }
            battery = or_never(&mut self.reading) => {
                self.battery = battery.unwrap_or_default();
                self.reading = None;
                Ok(())
            }
        }
    }
}

/// The content at the instant `now` while no service has answered, and the instant at which this
/// content changes; `None` if only an answer changes it.
fn without_service(words: &'static Face, now: u64) -> (Content, Option<u64>) {
    match now < START {
        true => (Content::Starting(words), Some(START)),
        false => (Content::NoService(words), None),
    }
}

/// Sleeps until an instant of `CLOCK_MONOTONIC`, or for ever if there is none.
async fn sleep_until(instant: Option<u64>) {
    match instant {
        Some(instant) => {
            sleep(Duration::from_nanos(instant.saturating_sub(monotonic_now()))).await;
        }
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::EN;

    #[test]
    fn a_machine_that_was_just_switched_on_starts_and_later_lacks_the_service() {
        let words = EN;
        let second = 1_000_000_000;
        assert_eq!(without_service(words, second), (Content::Starting(words), Some(30 * second)));
        assert_eq!(without_service(words, 30 * second), (Content::NoService(words), None));
    }
}
