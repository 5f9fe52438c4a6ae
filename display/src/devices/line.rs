//! A GPIO line as an output pin, through uAPI v2 of the kernel's GPIO character device.
//!
//! The pins of linux-embedded-hal use uAPI v1, which a kernel can lack (`CONFIG_GPIO_CDEV_V1` is
//! off by default from Linux 7.1). Every kernel from 5.10 on has v2.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clock_wiring::LineName;
use embedded_hal::digital::{Error, ErrorKind, ErrorType, OutputPin, PinState};
use gpiocdev_uapi::v2::{
    self, ChipInfo, LineConfig, LineFlags, LineRequest, LineValues, Name, Offsets,
};

/// The name with which the kernel lists this program as the user of a line, for example in
/// `gpioinfo`.
const CONSUMER: &str = "clock-display";

/// A GPIO line that is an output. It is off until it is set.
pub struct OutputLine(File);

/// The error of the kernel when a line cannot be set.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LineError(#[from] v2::Error);

pub struct Chip {
    device: File,
    info: ChipInfo,
}

impl Chip {
    /// Finds a chip by its label, because the numbers of chips can change between kernels. A name
    /// or a path is accepted, too. If the machine has several of the wanted chips, the one that
    /// comes first in `wanted` is used.
    pub fn find(wanted: &[String]) -> anyhow::Result<Chip> {
        let mut found = Vec::new();
        let mut chips = Vec::new();
        for path in paths() {
            match Chip::open(&path) {
                Ok(chip) => {
                    found.push(format!("{} ({})", text(&chip.info.name), text(&chip.info.label)));
                    chips.push((path, chip));
                }
                // The chip that cannot be opened may be the wanted one. So the error at the end of
                // this function says why it could not be opened.
                Err(error) => found.push(format!("{} ({error})", path.display())),
            }
        }
        let position = wanted.iter().find_map(|wanted| {
            chips.iter().position(|(path, chip)| {
                [text(&chip.info.label), text(&chip.info.name)].contains(wanted)
                    || path.to_str() == Some(wanted)
            })
        });
        if let Some(position) = position {
            return Ok(chips.swap_remove(position).1);
        }
        let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
        let wanted: Vec<_> = wanted.iter().map(|label| format!("`{label}`")).collect();
        bail!("no GPIO chip {}; this machine has {found}", wanted.join(" or "))
    }

    fn open(path: &Path) -> anyhow::Result<Chip> {
        let device = File::open(path)?;
        let info = v2::get_chip_info(&device)?;
        Ok(Chip { device, info })
    }

    /// Requests a line as an output that is off.
    pub fn output(&self, line: &LineName) -> anyhow::Result<OutputLine> {
        let label = text(&self.info.label);
        let offset = self.offset(line)?.ok_or_else(|| {
            let last = self.info.num_lines.saturating_sub(1);
            anyhow!("GPIO chip `{label}` has no line {line}; it has lines 0 to {last}")
        })?;
        let request = LineRequest {
            offsets: Offsets::from_slice(&[offset]),
            consumer: CONSUMER.into(),
            config: LineConfig { flags: LineFlags::OUTPUT, ..LineConfig::default() },
            num_lines: 1,
            ..LineRequest::default()
        };
        let file = v2::get_line(&self.device, request);
        Ok(OutputLine(file.with_context(|| format!("line {line} of GPIO chip `{label}`"))?))
    }

    fn offset(&self, line: &LineName) -> anyhow::Result<Option<u32>> {
        let lines = self.info.num_lines;
        let name = match line {
            LineName::Offset(offset) => return Ok((*offset < lines).then_some(*offset)),
            LineName::Name(name) => name,
        };
        for offset in 0..lines {
            if v2::get_line_info(&self.device, offset)?.name.as_os_str() == name.as_str() {
                return Ok(Some(offset));
            }
        }
        Ok(None)
    }
}

/// The paths of all GPIO chips.
fn paths() -> Vec<PathBuf> {
    let is_chip =
        |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("gpiochip");
    let entries = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.filter(is_chip).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn text(name: &Name) -> String {
    name.as_os_str().to_string_lossy().into_owned()
}

impl Error for LineError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl ErrorType for OutputLine {
    type Error = LineError;
}

impl OutputLine {
    fn set(&self, on: bool) -> Result<(), LineError> {
        Ok(v2::set_line_values(&self.0, &LineValues::from_slice(&[on]))?)
    }
}

impl OutputPin for OutputLine {
    fn set_low(&mut self) -> Result<(), LineError> {
        self.set(false)
    }

    fn set_high(&mut self) -> Result<(), LineError> {
        self.set(true)
    }
}

/// How often a pin is set even if its state does not change. Only an attempt to set the pin shows
/// that its chip is gone and must be opened again. If the loss of the chip were noticed only at the
/// next gong, the gong would not sound.
pub const REFRESH: Duration = Duration::from_secs(2);

/// A pin. `set` is the state to which the pin was last set, and the instant at which it was set;
/// `None` if the pin was never set, and after an error.
pub struct Output<P> {
    pin: P,
    set: Option<(bool, Duration)>,
}

impl<P: OutputPin> Output<P> {
    pub fn new(pin: P) -> Output<P> {
        Output { pin, set: None }
    }

    /// Sets the pin if it was never set, if its state changes, if it was last set [`REFRESH`] ago
    /// or earlier, or if the last attempt failed. Returns the instant at which it must be set
    /// again.
    pub fn set(&mut self, on: bool, now: Duration) -> Result<Duration, P::Error> {
        let at = match self.set.take() {
            Some((before, at)) if before == on && now < at + REFRESH => at,
            _ => {
                self.pin.set_state(PinState::from(on))?;
                now
            }
        };
        self.set = Some((on, at));
        Ok(at + REFRESH)
    }

    /// The state to which the pin was last set; `None` if that is not known.
    #[cfg(test)]
    pub fn is_on(&self) -> Option<bool> {
        self.set.map(|(on, _)| on)
    }
}

#[cfg(test)]
mod tests {
    use embedded_hal_mock::eh1::MockError;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::*;

    #[test]
    fn a_missing_chip_is_named_with_what_there_is() {
        let wanted = ["pinctrl-nowhere".to_owned(), "pinctrl-elsewhere".to_owned()];
        let error = Chip::find(&wanted).err().expect("no such chip").to_string();
        let begin = "no GPIO chip `pinctrl-nowhere` or `pinctrl-elsewhere`; this machine has ";
        assert!(error.starts_with(begin), "{error}");
    }

    #[test]
    fn what_is_no_chip_is_refused() {
        let error = Chip::open(Path::new("/dev/null")).err().expect("no chip");
        assert_eq!(error.to_string(), "Inappropriate ioctl for device (os error 25)");
    }

    #[test]
    fn a_pin_is_set_when_it_changes_and_every_two_seconds_and_after_an_error() {
        let error = MockError::Io(std::io::ErrorKind::NotConnected);
        let set = Transaction::set;
        let mut pin = Mock::new(&[
            set(State::High),
            set(State::Low),
            set(State::Low),
            set(State::High).with_error(error.clone()),
            set(State::High),
        ]);
        let mut output = Output::new(pin.clone());
        for (at, on, again) in [
            (1000, true, Ok(3000)),
            (1500, true, Ok(3000)),
            (2000, false, Ok(4000)),
            (3999, false, Ok(4000)),
            (4000, false, Ok(6000)),
            (5000, true, Err(error)),
            (5001, true, Ok(7001)),
        ] {
            let again = again.map(Duration::from_millis);
            assert_eq!(output.set(on, Duration::from_millis(at)), again, "{at}");
        }
        pin.done();
    }
}
