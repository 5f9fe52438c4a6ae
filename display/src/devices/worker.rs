//! Drives the devices. Nothing here reads a clock: the caller passes what the devices must show,
//! and the current time.

use std::fmt::Display;
use std::time::Duration;

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;

use super::buzzer::Buzzer;
use super::config::BuzzerConfig;
use super::lamps::{Lamps, Light};
use super::max7219::Modules;
use super::occasions::Occasions;
use super::retried::Retried;
use super::segments::{self, Digits, NO_SERVICE};
use crate::content::{Content, Side};

/// What the devices must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The digits of the modules at the buttons that are wired as White's and as Black's.
    pub digits: [Digits; 2],
    /// The states of the lamps that are wired as White's and as Black's.
    pub lights: [Light; 2],
    pub occasions: Occasions,
    /// Whether the buzzer may sound, as it was set in the menu.
    pub sound: bool,
}

impl Shown {
    /// What the devices must show for this content.
    pub fn of(content: &Content, occasions: Occasions, sound: bool) -> Shown {
        let digits = segments::encode(content);
        Shown { digits, lights: Light::of(content), occasions, sound }
    }

    /// What the devices show if no clock service has answered since the program started, and after
    /// [`Worker::end`].
    pub const NO_SERVICE: Shown = Shown {
        digits: NO_SERVICE,
        lights: [Light::Off; 2],
        occasions: Occasions([0; 5]),
        sound: true,
    };
}

/// The configured devices; `None` for a device that is not configured.
pub struct Worker<S, P> {
    pub segments: Option<(Retried<Modules<S>>, Side)>,
    pub lamps: Option<Retried<Lamps<P>>>,
    pub buzzer: Option<(Retried<Buzzer<P>>, BuzzerConfig)>,
    /// The occasions at the last update. Their sounds were passed to the buzzer, are disabled, or
    /// were dropped.
    pub heard: Occasions,
}

impl<S, P> Worker<S, P>
where
    S: SpiDevice<Error: Display>,
    P: OutputPin<Error: Display>,
{
    /// Whether any device is configured.
    pub fn has_devices(&self) -> bool {
        self.segments.is_some() || self.lamps.is_some() || self.buzzer.is_some()
    }

    /// Shows `shown` on the devices, and plays the sounds whose occasions are new. Returns the
    /// instant at which this function must be called again even if `shown` does not change.
    pub fn update(&mut self, shown: &Shown, now: Duration) -> Option<Duration> {
        let segments = self.segments.as_mut().and_then(|(segments, near)| {
            let [white, black] = shown.digits;
            let digits = match near {
                Side::White => [white, black],
                Side::Black => [black, white],
            };
            segments.with(now, |modules| modules.show(digits, now).map(|()| modules.next_refresh()))
        });
        let lamps = self.lamps.as_mut();
        let lamps = lamps.and_then(|lamps| lamps.with(now, |lamps| lamps.show(shown.lights, now)));
        let new = shown.occasions.since(std::mem::replace(&mut self.heard, shown.occasions));
        let buzzer = self.buzzer.as_mut().and_then(|(buzzer, config)| {
            // A sound whose occasion comes while the buzzer is not open is dropped, because a late
            // sound would mislead.
            if let Some(buzzer) = buzzer.device() {
                if !shown.sound {
                    buzzer.silence();
                }
                let new = new.filter(|_| shown.sound);
                new.filter(|sound| config.has(*sound)).for_each(|sound| buzzer.play(sound, now));
            }
            buzzer.with(now, |buzzer| buzzer.update(now))
        });
        [segments, lamps, buzzer].into_iter().flatten().min()
    }

    /// Updates the devices for the last time: silences the buzzer, and shows [`Shown::NO_SERVICE`].
    pub fn end(&mut self, now: Duration) {
        if let Some(buzzer) = self.buzzer.as_mut().and_then(|(buzzer, _)| buzzer.device()) {
            buzzer.silence();
        }
        self.update(&Shown { occasions: self.heard, ..Shown::NO_SERVICE }, now);
    }
}

#[cfg(test)]
mod tests;
