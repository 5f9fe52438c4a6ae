//! `chip`: makes and removes simulated chips through configfs.

use super::{Doing, Failure, Result};
use std::fs;
use std::path::{Path, PathBuf};

const CONFIGFS: &str = "/sys/kernel/config/gpio-sim";

/// Makes a chip with a line for each name. Returns a text with the name of the device, the name of
/// the chip and the directory of its lines.
pub fn make(label: &str, names: &[String]) -> Result<String> {
    let chip = root()?.join(label);
    fs::create_dir(&chip).doing(|| format!("make the chip {}", chip.display()))?;
    build(&chip, label, names).inspect_err(|_| {
        // The caller gets the failure of `build`. The parts of the chip that were made are removed.
        let _ = take_down(&chip);
    })
}

/// Removes a chip.
pub fn remove(label: &str) -> Result<()> {
    let chip = root()?.join(label);
    if !chip.is_dir() {
        return Err(Failure::new(format!("there is no chip `{label}`: no {}", chip.display())));
    }
    take_down(&chip)
}

fn root() -> Result<PathBuf> {
    let root = PathBuf::from(CONFIGFS);
    if root.is_dir() {
        return Ok(root);
    }
    let why = "mount configfs at /sys/kernel/config and load gpio-sim (CONFIG_GPIO_SIM)";
    Err(Failure::new(format!("there is no {CONFIGFS}: {why}")))
}

fn build(chip: &Path, label: &str, names: &[String]) -> Result<String> {
    let bank = chip.join("bank0");
    fs::create_dir(&bank).doing(|| format!("make {}", bank.display()))?;
    set(&bank.join("num_lines"), &names.len().to_string())?;
    set(&bank.join("label"), label)?;
    for (offset, name) in names.iter().enumerate().filter(|(_, name)| *name != "-") {
        let line = bank.join(format!("line{offset}"));
        fs::create_dir(&line).doing(|| format!("make {}", line.display()))?;
        set(&line.join("name"), name)?;
    }
    set(&chip.join("live"), "1")?;
    let (device, chip) = (get(&chip.join("dev_name"))?, get(&bank.join("chip_name"))?);
    Ok(format!("{device} {chip} /sys/devices/platform/{device}/{chip}"))
}

/// Removes lines, then banks, then the chip, because configfs does not remove a directory in which
/// a user has made directories.
fn take_down(chip: &Path) -> Result<()> {
    // A chip that never became live refuses the 0, and can be removed nevertheless.
    let _ = set(&chip.join("live"), "0");
    for bank in made_in(chip, "bank")? {
        for line in made_in(&bank, "line")? {
            remove_dir(&line)?;
        }
        remove_dir(&bank)?;
    }
    remove_dir(chip)
}

fn made_in(dir: &Path, prefix: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).doing(|| format!("list {}", dir.display()))?;
    let made = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let named = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
        named && path.is_dir()
    });
    Ok(made.collect())
}

fn remove_dir(dir: &Path) -> Result<()> {
    fs::remove_dir(dir).doing(|| format!("remove {}", dir.display()))
}

fn set(path: &Path, value: &str) -> Result<()> {
    fs::write(path, value).doing(|| format!("write `{value}` to {}", path.display()))
}

fn get(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path).doing(|| format!("read {}", path.display()))?;
    Ok(text.trim_end().to_owned())
}
