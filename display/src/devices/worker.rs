//! Drives the devices. Nothing here reads a clock: the caller passes what the devices must show,
//! and the current time.

use std::fmt::Display;
use std::time::Duration;

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;

use super::buzzer::Buzzer;
use super::lamps::{Lamps, Light};
use super::max7219::Modules;
use super::occasions::Occasions;
use super::segments::{self, Digits, NO_SERVICE};
use super::wiring::BuzzerConfig;
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

/// How long after a failure the device is opened again.
pub const RETRY: Duration = Duration::from_secs(2);

pub type Open<T> = Box<dyn FnMut() -> anyhow::Result<T> + Send>;
/// A function that reports a message to the person who maintains the hardware.
pub type Report = fn(&str);

/// A device that is opened when it is first used, and again [`RETRY`] after a failure. If the same
/// failure comes several times in a row, it is reported only once. When the device works again,
/// that is reported, too.
pub struct Retried<T> {
    name: &'static str,
    open: Open<T>,
    report: Report,
    device: Option<T>,
    /// The earliest instant at which the device is opened again, if it is not open.
    retry_at: Duration,
    /// The failure that was last reported and has not ended.
    failure: Option<String>,
}

impl<T> Retried<T> {
    pub fn new(name: &'static str, open: Open<T>, report: Report) -> Retried<T> {
        Retried { name, open, report, device: None, retry_at: Duration::ZERO, failure: None }
    }

    pub fn device(&mut self) -> Option<&mut T> {
        self.device.as_mut()
    }

    /// Calls `action` with the device. Opens the device first if it is not open and [`RETRY`] has
    /// passed since the last failure. Returns the instant at which this function must be called
    /// again: the result of `action`, or after a failure the instant of the next attempt.
    pub fn with<E: Display>(
        &mut self,
        now: Duration,
        action: impl FnOnce(&mut T) -> Result<Option<Duration>, E>,
    ) -> Option<Duration> {
        if self.device.is_none() && now < self.retry_at {
            return Some(self.retry_at);
        }
        match self.attempt(action) {
            Ok(next) => {
                if self.failure.take().is_some() {
                    (self.report)(&format!("{}: works again", self.name));
                }
                next
            }
            Err(failure) => {
                self.device = None;
                self.retry_at = now + RETRY;
                if self.failure.as_ref() != Some(&failure) {
                    (self.report)(&format!(
                        "{}: {failure}; it is tried again every 2 s",
                        self.name
                    ));
                    self.failure = Some(failure);
                }
                Some(self.retry_at)
            }
        }
    }

    fn attempt<E: Display>(
        &mut self,
        action: impl FnOnce(&mut T) -> Result<Option<Duration>, E>,
    ) -> Result<Option<Duration>, String> {
        let device = match &mut self.device {
            Some(device) => device,
            None => self.device.insert((self.open)().map_err(|error| format!("{error:#}"))?),
        };
        action(device).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod retried_tests {
    use std::sync::Mutex;

    use super::*;

    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

    fn said() -> Vec<String> {
        std::mem::take(&mut SAID.lock().unwrap())
    }

    #[test]
    fn a_failure_is_reported_once_and_the_device_is_opened_again_after_two_seconds() {
        let mut attempts = 0;
        let open: Open<u32> = Box::new(move || {
            attempts += 1;
            match attempts {
                1 | 2 => Err(anyhow::anyhow!("no such file").context("/dev/spidev0.0")),
                3 => Err(anyhow::anyhow!("busy")),
                opened => Ok(opened),
            }
        });
        let mut device =
            Retried::new("segments", open, |line| SAID.lock().unwrap().push(line.into()));
        let seconds = Duration::from_secs;
        let works = |_: &mut u32| Ok::<_, &str>(None);
        let missing = "segments: /dev/spidev0.0: no such file; it is tried again every 2 s";
        assert_eq!(device.with(seconds(10), works), Some(seconds(12)));
        assert_eq!(said(), [missing]);
        // At 11.999 s the device is not opened, because 2 s have not passed. The attempt at 12 s
        // fails as before, and the attempt at 14 s fails in another way.
        assert_eq!(device.with(Duration::from_millis(11_999), works), Some(seconds(12)));
        assert_eq!(device.with(seconds(12), works), Some(seconds(14)));
        assert_eq!(said(), [""; 0]);
        assert_eq!(device.with(seconds(14), works), Some(seconds(16)));
        assert_eq!(said(), ["segments: busy; it is tried again every 2 s"]);
        assert_eq!(device.device(), None);
        // The device is used right after it was opened.
        let next = device.with(seconds(16), |opened| {
            assert_eq!(*opened, 4);
            Ok::<_, &str>(Some(seconds(17)))
        });
        assert_eq!((next, device.device()), (Some(seconds(17)), Some(&mut 4)));
        assert_eq!(said(), ["segments: works again"]);
        assert_eq!(device.with(seconds(17), works), None);
        assert_eq!(said(), [""; 0]);
        // The device fails at 18 s while it is used. At 20 s it is opened again, and fails again.
        for at in [18, 20] {
            let fails = |_: &mut u32| Err("gone");
            assert_eq!(device.with(seconds(at), fails), Some(seconds(at + 2)));
            assert_eq!(device.device(), None);
        }
        assert_eq!(said(), ["segments: gone; it is tried again every 2 s"]);
    }
}

#[cfg(test)]
mod tests;
