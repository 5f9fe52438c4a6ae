//! Opens the devices that the configuration names.

use anyhow::Context;
use linux_embedded_hal::SpidevDevice;
use linux_embedded_hal::spidev::{SpiModeFlags, Spidev, SpidevOptions};

use super::buzzer::Buzzer;
use super::lamps::Lamps;
use super::line::{Chip, OutputLine};
use super::max7219::Modules;
use super::occasions::Occasions;
use super::wiring::DevicePath;
use super::worker::Worker;
use super::worker::{Report, Retried};
use crate::config::Config;

/// The clock frequency of the SPI bus. A MAX7219 accepts 10 MHz, but not at the end of a cable with
/// a level shifter. At 1 MHz, the 13 transactions of 32 bits that write all registers of both
/// modules take less than a millisecond.
const SPI_HZ: u32 = 1_000_000;

/// Creates a [`Worker`] for the devices of the configuration, without opening them.
pub fn worker(config: &Config, report: Report) -> Worker<SpidevDevice, OutputLine> {
    let segments = config.segments.device.clone().map(|device| {
        let brightness = config.segments.brightness.0;
        let open = move || spi(&device).map(|spi| Modules::new(spi, brightness));
        (Retried::new("seven segments", Box::new(open), report), config.segments.first_module)
    });
    let wired = config.wired_lines.as_ref();
    let lamps = wired.and_then(|wired| {
        let (chips, [white, black]) = (wired.chips.clone(), wired.lamps.clone()?);
        let open = move || {
            let chip = Chip::find(&chips)?;
            Ok(Lamps::new([chip.output(&white)?, chip.output(&black)?]))
        };
        Some(Retried::new("lamps", Box::new(open), report))
    });
    let buzzer = wired.and_then(|wired| {
        let (chips, line) = (wired.chips.clone(), wired.buzzer.clone()?);
        let open = move || Ok(Buzzer::new(Chip::find(&chips)?.output(&line)?));
        Some((Retried::new("buzzer", Box::new(open), report), config.buzzer.clone()))
    });
    Worker { segments, lamps, buzzer, heard: Occasions::default() }
}

fn spi(device: &DevicePath) -> anyhow::Result<SpidevDevice> {
    let name = || device.as_ref().display().to_string();
    let mut spi = Spidev::open(device).with_context(name)?;
    let options = SpidevOptions::new()
        .bits_per_word(8)
        .max_speed_hz(SPI_HZ)
        .mode(SpiModeFlags::SPI_MODE_0)
        .build();
    spi.configure(&options).with_context(name)?;
    Ok(SpidevDevice(spi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_spi_device_is_named() {
        for (path, wanted) in [
            ("/dev/nowhere0.0", "/dev/nowhere0.0: No such file or directory (os error 2)"),
            ("/dev/null", "/dev/null: Inappropriate ioctl for device (os error 25)"),
        ] {
            let device = DevicePath::try_from(std::path::PathBuf::from(path)).unwrap();
            let error = spi(&device).err().expect("no SPI device");
            assert_eq!(format!("{error:#}"), wanted);
        }
    }
}
