//! A device that may be missing or fail. It is opened again 2 s after a failure.

use std::fmt::Display;
use std::time::Duration;

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
mod tests {
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
