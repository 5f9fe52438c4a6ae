//! The battery of the clock, if it has one.
//!
//! The kernel shows power supplies in `/sys/class/power_supply`
//! (`Documentation/ABI/testing/sysfs-class-power`). FIDE's standard for electronic clocks requires
//! a warning before a battery is empty.

use std::fs;
use std::path::Path;

use clock_languages::Face;

/// The folder in which the kernel shows the power supplies.
pub const SUPPLIES: &str = "/sys/class/power_supply";
/// A battery that lasts for this many minutes, or less, is low. FIDE's standard asks for a warning
/// ten hours before the battery is empty.
const LOW_MINUTES: u32 = 600;
/// A battery with this charge in percent, or less, is low if it is not known how many minutes the
/// battery lasts. With half of its charge, a UPS board for a Raspberry Pi lasts for about an hour.
const LOW_PERCENT: u8 = 50;
/// A battery that lasts for this many minutes, or less, is nearly empty.
const NEARLY_EMPTY_MINUTES: u32 = 30;
/// A battery with this charge in percent, or less, is nearly empty.
const NEARLY_EMPTY_PERCENT: u8 = 15;

/// A battery from which the clock runs at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battery {
    /// The charge in percent, from 0 to 100.
    pub percent: u8,
    /// How many minutes the battery lasts at the present load; `None` if the hardware does not
    /// tell.
    pub minutes: Option<u32>,
}

/// How urgent it is to connect a power supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Ample,
    Low,
    NearlyEmpty,
}

impl Battery {
    pub fn level(self) -> Level {
        let minutes = self.minutes.unwrap_or(u32::MAX);
        if self.percent <= NEARLY_EMPTY_PERCENT || minutes <= NEARLY_EMPTY_MINUTES {
            Level::NearlyEmpty
        } else if self.minutes.map_or(self.percent <= LOW_PERCENT, |left| left <= LOW_MINUTES) {
            Level::Low
        } else {
            Level::Ample
        }
    }

    /// The text of the face about the battery: how long it lasts, rounded down to hours or to ten
    /// minutes, or else its charge.
    pub fn text(self, words: &Face) -> String {
        let left = match self.minutes {
            None => format!("{} %", self.percent),
            Some(minutes) if minutes >= 120 => format!("{} h", minutes / 60),
            Some(minutes) => format!("{} min", minutes / 10 * 10),
        };
        let text = match self.level() {
            Level::NearlyEmpty => words.battery_low,
            Level::Ample | Level::Low => words.battery,
        };
        text.with([&left])
    }

    /// The battery in the folder `supplies` that has the lowest charge. A battery counts only if it
    /// supplies the computer, is being discharged, and has a charge that can be read. Returns
    /// `None` if no battery counts, or if the folder cannot be read.
    pub fn discharging(supplies: &Path) -> Option<Battery> {
        let entries = fs::read_dir(supplies).ok()?;
        entries
            .filter_map(|entry| {
                let supply = entry.ok()?.path();
                let value = |name: &str| {
                    let text = fs::read_to_string(supply.join(name)).ok()?;
                    Some(text.trim().to_owned())
                };
                let supplies_computer = value("scope").is_none_or(|scope| scope != "Device");
                let discharges = value("status").is_some_and(|status| status == "Discharging");
                if value("type")? != "Battery" || !supplies_computer || !discharges {
                    return None;
                }
                let percent: u8 = value("capacity")?.parse().ok()?;
                let minutes = minutes(|name| value(name)?.parse().ok());
                Some(Battery { percent: percent.min(100), minutes })
            })
            .min_by_key(|battery| battery.percent)
    }
}

/// How many minutes a battery lasts, from the values that its driver has: the seconds that the
/// hardware estimates, or else the energy in µWh and the power in µW, or the charge in µAh and the
/// current in µA. Some drivers give a current that is drawn as a negative number.
fn minutes(value: impl Fn(&str) -> Option<i64>) -> Option<u32> {
    let estimated = |name| value(name).filter(|seconds| *seconds > 0).map(|seconds| seconds / 60);
    let computed = |amount, rate| {
        let rate = value(rate)?.checked_abs().filter(|rate| *rate > 0)?;
        value(amount)?.checked_mul(60)?.checked_div(rate)
    };
    let minutes = estimated("time_to_empty_avg")
        .or_else(|| estimated("time_to_empty_now"))
        .or_else(|| computed("energy_now", "power_now"))
        .or_else(|| computed("charge_now", "current_now"))?;
    u32::try_from(minutes).ok()
}

#[cfg(test)]
mod tests {
    use clock_languages::Language;

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
            Some(Battery { percent: 34, minutes: None })
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
    fn the_time_that_is_left_is_estimated_or_computed() {
        let battery = [("type", "Battery"), ("status", "Discharging"), ("capacity", "70")];
        for (values, minutes) in [
            (&[("time_to_empty_now", "36000")][..], Some(600)),
            (&[("time_to_empty_avg", "7200"), ("time_to_empty_now", "1")], Some(120)),
            (&[("time_to_empty_avg", "0"), ("energy_now", "24000000")], None),
            (&[("energy_now", "24000000"), ("power_now", "6000000")], Some(240)),
            (&[("charge_now", "5000000"), ("current_now", "-1000000")], Some(300)),
            (&[("charge_now", "5000000"), ("current_now", "0")], None),
            (&[("charge_now", "-5000000"), ("current_now", "1")], None),
        ] {
            let found = found(&[("x", &[&battery, values].concat())]);
            assert_eq!(found, Some(Battery { percent: 70, minutes }), "{values:?}");
        }
    }

    #[test]
    fn the_warning_comes_ten_hours_before_the_end_if_the_hardware_tells_it() {
        for (percent, minutes, level, text) in [
            (90, Some(601), Level::Ample, "battery 10 h"),
            (90, Some(600), Level::Low, "battery 10 h"),
            (90, Some(119), Level::Low, "battery 110 min"),
            (90, Some(31), Level::Low, "battery 30 min"),
            (90, Some(30), Level::NearlyEmpty, "BATTERY LOW 30 min"),
            (15, Some(601), Level::NearlyEmpty, "BATTERY LOW 10 h"),
            (51, None, Level::Ample, "battery 51 %"),
            (50, None, Level::Low, "battery 50 %"),
            (16, None, Level::Low, "battery 16 %"),
            (15, None, Level::NearlyEmpty, "BATTERY LOW 15 %"),
        ] {
            let battery = Battery { percent, minutes };
            assert_eq!((battery.level(), &*battery.text(Language::English.face())), (level, text));
        }
    }
}
