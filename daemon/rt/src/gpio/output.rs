//! A spare line that acts as a button: the loopback test presses a button of the clock with it.
//!
//! The line is driven as a button drives its wire: it is pulled to the level of a pressed button or
//! left open, and never driven to the other level. So a real button on the same wire can be pressed
//! at the same time without a short circuit.

use super::{GpioError, chip, v2::offset};
use clock_wiring::LineName;
use gpiocdev_uapi::v2::{self, LineConfig, LineFlags, LineRequest, LineValues, Offsets};
use std::fs::File;
use std::io;

/// The label that the kernel shows for the line.
const CONSUMER: &str = "clockd-loopback";

/// A line that this process drives.
pub struct OutputLine {
    request: File,
}

impl OutputLine {
    /// Requests a line of the first of these chips that the machine has. It is left open at first.
    /// `active_low` says whether a button that is pressed connects its line to ground.
    pub fn open(
        chips: &[String],
        line: &LineName,
        active_low: bool,
    ) -> Result<OutputLine, GpioError> {
        let chip = chip::find(chips)?;
        let refused = |source: io::Error| GpioError::Output {
            chip: chip.label().to_owned(),
            line: line.to_string(),
            reason: match source.raw_os_error() {
                Some(libc::EBUSY) => "another program or driver has the line".to_owned(),
                _ => source.to_string(),
            },
            source,
        };
        let device = File::open(chip.path()).map_err(refused)?;
        let Some(offset) = offset(&device, chip.num_lines(), line).map_err(refused)? else {
            return Err(GpioError::NoOutput {
                chip: chip.label().to_owned(),
                line: line.to_string(),
                found: format!("lines 0 to {}", chip.num_lines().saturating_sub(1)),
            });
        };
        let flags = match active_low {
            true => LineFlags::OUTPUT | LineFlags::OPEN_DRAIN | LineFlags::ACTIVE_LOW,
            false => LineFlags::OUTPUT | LineFlags::OPEN_SOURCE,
        };
        let request = LineRequest {
            offsets: Offsets::from_slice(&[offset]),
            consumer: CONSUMER.into(),
            config: LineConfig { flags, ..LineConfig::default() },
            num_lines: 1,
            ..LineRequest::default()
        };
        let request = v2::get_line(&device, request).map_err(|error| chip::v2_error(&error));
        Ok(OutputLine { request: request.map_err(refused)? })
    }

    /// Pulls the line to the level of a pressed button, or leaves it open.
    pub fn set(&self, pressed: bool) -> io::Result<()> {
        let mut values = LineValues::default();
        values.set(0, pressed);
        v2::set_line_values(&self.request, &values).map_err(|error| chip::v2_error(&error))
    }
}
