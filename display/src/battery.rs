//! The battery of the clock, if it has one.
//!
//! The kernel shows power supplies in `/sys/class/power_supply`
//! (`Documentation/ABI/testing/sysfs-class-power`). FIDE's standard for electronic clocks requires
//! a warning before a battery is empty.

use std::fs;
use std::path::Path;

/// The folder in which the kernel shows the power supplies.
pub const SUPPLIES: &str = "/sys/class/power_supply";
/// A battery with this charge in percent, or with less, is low. From this charge on, a UPS board
/// for a Raspberry Pi lasts for about twenty minutes.
const LOW: u8 = 15;

/// A battery from which the clock runs at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battery {
    /// The charge in percent, from 0 to 100.
    pub percent: u8,
}

impl Battery {
    /// Whether the charge is at most 15 percent.
    pub fn is_low(self) -> bool {
        self.percent <= LOW
    }

    /// The text of the face about the battery.
    pub fn text(self) -> String {
        let word = if self.is_low() { "BATTERY LOW" } else { "battery" };
        format!("{word} {} %", self.percent)
    }

    /// The battery in the folder `supplies` that has the lowest charge. A battery counts only if it
    /// supplies the computer, is being discharged, and has a charge that can be read. Returns
    /// `None` if no battery counts, or if the folder cannot be read.
    pub fn discharging(supplies: &Path) -> Option<Battery> {
        let entries = fs::read_dir(supplies).ok()?;
        entries
            .filter_map(|entry| {
                let supply = entry.ok()?.path();
                let value = |name| {
                    let text = fs::read_to_string(supply.join(name)).ok()?;
                    Some(text.trim().to_owned())
                };
                let supplies_computer = value("scope").is_none_or(|scope| scope != "Device");
                let discharges = value("status").is_some_and(|status| status == "Discharging");
                if value("type")? != "Battery" || !supplies_computer || !discharges {
                    return None;
                }
                let percent: u8 = value("capacity")?.parse().ok()?;
                Some(Battery { percent: percent.min(100) })
            })
            .min_by_key(|battery| battery.percent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(supplies: &[(&str, &[(&str, &str)])]) -> Option<Battery> {
        let folder = tempfile::tempdir().unwrap();
        for (name, values) in supplies {
            fs::create_dir(folder.path().join(name)).unwrap();
            for (value, text) in *values {
                fs::write(folder.path().join(name).join(value), format!("{text}\n")).unwrap();
            }
        }
        Battery::discharging(folder.path())
    }

    #[test]
    fn the_battery_that_is_used_up_first_counts() {
        let battery =
            |status, percent| [("type", "Battery"), ("status", status), ("capacity", percent)];
        assert_eq!(
            found(&[
                ("mains", &[("type", "Mains"), ("online", "0")]),
                ("one", &battery("Discharging", "80")),
                ("other", &battery("Discharging", "34")),
                ("charged", &battery("Charging", "3")),
                (
                    "mouse",
                    &[
                        ("type", "Battery"),
                        ("scope", "Device"),
                        ("status", "Discharging"),
                        ("capacity", "1")
                    ]
                ),
            ]),
            Some(Battery { percent: 34 })
        );
    }

    #[test]
    fn what_cannot_be_read_is_no_battery() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("x", &[("type", "Battery"), ("status", "Discharging")])]), None);
        let garbage = [("type", "Battery"), ("status", "Discharging"), ("capacity", "much")];
        assert_eq!(found(&[("x", &garbage)]), None);
        assert_eq!(Battery::discharging(Path::new("/nonexistent")), None);
    }

    #[test]
    fn a_low_battery_is_told_in_capitals() {
        assert_eq!(Battery { percent: 16 }.text(), "battery 16 %");
        assert_eq!(Battery { percent: 15 }.text(), "BATTERY LOW 15 %");
    }
}
