//! Sets the brightness of the backlights through sysfs
//! (`Documentation/ABI/stable/sysfs-class-backlight`).

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::schedule::Percent;

/// The types of devices in the order in which the kernel's documentation prefers them: firmware
/// knows the panel best, and the driver of the graphics chip (`raw`) knows only its own registers.
/// Any other type comes after these.
const TYPES: [&str; 3] = ["firmware", "platform", "raw"];

/// The result of setting the devices once.
#[derive(Debug, PartialEq, Eq)]
pub struct Look {
    /// A message for the log. It does not change as long as the same devices have the same
    /// failures.
    pub message: String,
    /// Whether a device could not be set, or the folder could not be read. It is no failure if
    /// there is no device, as with a screen on HDMI.
    pub failed: bool,
}

/// Sets the brightness of the devices in `folder` to `percent`. A device that has this brightness
/// already is not written. If there are devices of several types, only those of the most preferred
/// type are set, because devices of different types can control the same panel. Returns a message
/// about these devices, and whether there was a failure.
pub fn set(folder: &Path, percent: Percent) -> Look {
    let devices = match preferred(folder) {
        Ok(devices) => devices,
        Err(error) => {
            let message = format!("backlight: {}: {error}", folder.display());
            return Look { message, failed: true };
        }
    };
    if devices.is_empty() {
        let message = "backlight: the screen has none whose brightness can be set".into();
        return Look { message, failed: false };
    }
    let mut failed = false;
    let outcomes: Vec<String> = devices
        .iter()
        .map(|device| {
            let name = device.file_name().unwrap_or_default().display();
            match set_one(device, percent) {
                Ok(()) => format!("{name} is set"),
                Err(error) => {
                    failed = true;
                    format!("{name}: {error}; it is tried again every 2 s")
                }
            }
        })
        .collect();
    Look { message: format!("backlight: {}", outcomes.join(", ")), failed }
}

/// The devices of the most preferred type, in the order of their names.
fn preferred(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        // If the folder does not exist, the kernel has no driver for any backlight, so there are no
        // devices.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let ranked: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .map(|device| (rank(&device), device))
        .collect();
    let best = ranked.iter().map(|(rank, _)| *rank).min();
    let mut devices: Vec<PathBuf> =
        ranked.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, path)| path).collect();
    devices.sort();
    Ok(devices)
}

/// The index of a device's type in [`TYPES`]; the length of `TYPES` for any other type, or if the
/// type cannot be read.
fn rank(device: &Path) -> usize {
    let kind = fs::read_to_string(device.join("type")).unwrap_or_default();
    TYPES.iter().position(|known| *known == kind.trim()).unwrap_or(TYPES.len())
}

fn set_one(device: &Path, percent: Percent) -> Result<(), String> {
    let highest = number(device, "max_brightness")?;
    if highest == 0 {
        return Err("max_brightness is 0; expected 1 or more".into());
    }
    let level = level(highest, percent);
    if number(device, "brightness")? == level {
        return Ok(());
    }
    let file = device.join("brightness");
    // If the file is missing, the device is gone. Opening must then fail, and must not create a
    // file.
    File::options()
        .write(true)
        .truncate(true)
        .open(file)
        .and_then(|mut file| file.write_all(level.to_string().as_bytes()))
        .map_err(|error| format!("brightness cannot be set: {error}"))
}

/// Converts `percent` to a level, where 100 percent is the level `highest`. The level is rounded
/// up, so it is at least 1, unless `highest` is 0.
fn level(highest: u32, percent: Percent) -> u32 {
    let level = (u64::from(highest) * u64::from(percent.get())).div_ceil(100);
    u32::try_from(level).unwrap_or(highest)
}

/// Reads the number in the file `name` of a device.
fn number(device: &Path, name: &str) -> Result<u32, String> {
    let text = fs::read_to_string(device.join(name)).map_err(|error| format!("{name}: {error}"))?;
    let text = text.trim();
    text.parse().map_err(|_| format!("{name} is `{text}`; expected a number"))
}

#[cfg(test)]
mod tests;
