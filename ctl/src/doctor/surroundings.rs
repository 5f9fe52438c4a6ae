//! What is around the clock: the screen, the time service, the power, the configuration.

use clock_dbus::{DigitHeight, FaultCode};

use super::facts::{Checked, Facts, Power};
use super::finding::{Finding, Verdict};

/// Beyond this rate, the time of a game is wrong by more than a second in an hour and a half.
const RATE_LIMIT_PPB: u64 = 200_000;
/// From this temperature on, a Raspberry Pi lowers its frequency.
const HOT: i64 = 80_000;

/// Bits of the firmware: the voltage is too low, and anything else that slows the processor down,
/// now and since the start.
const LOW_NOW: u32 = 1 << 0;
const SLOW_NOW: u32 = 0b1110;
const SINCE_START: u32 = 0b1111 << 16;

pub fn findings(facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    if facts.clock.is_ok() {
        findings.extend([rate(facts), screen(facts)].into_iter().flatten());
    }
    findings.extend(time_service(facts));
    findings.extend(facts.machine.as_ref().and_then(|machine| machine.power.as_ref()).map(power));
    findings.extend(configuration(facts));
    findings
}

fn rate(facts: &Facts) -> Option<Finding> {
    let clock = facts.clock.as_ref().ok()?;
    let health = &clock.health;
    let finding = |verdict, value| {
        Finding::new("clock-rate", "the clock's rate against the hardware's", verdict, value)
    };
    if health.clock_rate_windows == 0 {
        let value = "not measured yet".to_owned();
        return Some(finding(Verdict::Unknown, value).with_remedy("ask again after some seconds"));
    }
    let ppm = |ppb: i64| {
        format!(
            "{}{}.{} ppm",
            if ppb < 0 { "-" } else { "+" },
            ppb.unsigned_abs() / 1000,
            ppb.unsigned_abs() / 100 % 10
        )
    };
    let value =
        format!("{}, worst {}", ppm(health.clock_rate_ppb), ppm(health.worst_clock_rate_ppb));
    let has_fault = clock.faults.iter().any(|fault| fault.known() == Some(FaultCode::ClockRate));
    let remedy = "sudo apt install chrony; systemd/README.md, \"The wall clock\"";
    Some(if has_fault || health.clock_rate_ppb.unsigned_abs() > RATE_LIMIT_PPB {
        finding(Verdict::Unfit, value).with_remedy(remedy)
    } else if health.worst_clock_rate_ppb.unsigned_abs() > RATE_LIMIT_PPB {
        finding(Verdict::Warning, value).with_remedy(remedy)
    } else {
        finding(Verdict::Fit, value)
    })
}

fn screen(facts: &Facts) -> Option<Finding> {
    let height = DigitHeight { micrometres: facts.clock.as_ref().ok()?.health.digit_height };
    let finding =
        |verdict, value| Finding::new("screen", "the digits on the screen", verdict, value);
    Some(match (height.micrometres, height.warning()) {
        (0, _) => finding(Verdict::Unknown, "no face has reported their height".to_owned())
            .with_remedy(
                "systemctl status clock-display; panel_mm in /etc/chess-clock/display.toml",
            ),
        (_, Some(warning)) => finding(Verdict::Warning, warning)
            .with_remedy("arrangement in /etc/chess-clock/display.toml; docs/face.md"),
        (_, None) => finding(Verdict::Fit, height.to_string()),
    })
}

/// The time of day is not the time of the game: it dates the record and starts games.
fn time_service(facts: &Facts) -> Option<Finding> {
    let finding = |verdict, value: &str| {
        Finding::new("time-service", "the time of day", verdict, value.to_owned())
    };
    let chrony = "sudo apt install chrony; systemd/README.md, \"The wall clock\"";
    let time = facts.system.time?;
    let has_drop_in = facts.machine.as_ref().is_none_or(|machine| machine.has_chrony_drop_in);
    let date = "date; the record and --start-at use the time of day";
    Some(if time.has_timesyncd {
        finding(Verdict::Warning, "systemd-timesyncd can change the clock's rate for 42 s")
            .with_remedy(chrony)
    } else if time.has_chrony && !has_drop_in {
        finding(Verdict::Warning, "chrony without /etc/chrony/conf.d/chess-clock.conf")
            .with_remedy("sudo make install; sudo systemctl restart chrony")
    } else if !time.is_synchronized {
        finding(Verdict::Warning, "not synchronized").with_remedy(date)
    } else {
        finding(Verdict::Fit, "synchronized")
    })
}

fn power(power: &Power) -> Finding {
    let finding = |verdict, value| Finding::new("power", "power and temperature", verdict, value);
    let supply = "use the power supply of the Raspberry Pi, and a short cable";
    let degrees = power.temperature.map(|thousandths| format!("{} °C", thousandths / 1000));
    let with_degrees = |text: &str| match &degrees {
        Some(degrees) => format!("{text}; {degrees}"),
        None => text.to_owned(),
    };
    let bits = power.throttled.unwrap_or_default();
    if power.is_low == Some(true) || bits & LOW_NOW != 0 {
        return finding(Verdict::Unfit, with_degrees("the voltage is too low")).with_remedy(supply);
    }
    if bits & SLOW_NOW != 0 || power.temperature.is_some_and(|temperature| temperature >= HOT) {
        return finding(
            Verdict::Warning,
            with_degrees("the processor is slowed down, because it is hot"),
        )
        .with_remedy("give it air, or a heat sink");
    }
    if bits & SINCE_START != 0 {
        let value =
            with_degrees("good now; since the start it was too low or the processor too hot");
        return finding(Verdict::Warning, value).with_remedy(supply);
    }
    match (power.throttled, power.is_low) {
        (None, None) => {
            finding(Verdict::Unknown, with_degrees("this machine does not report its voltage"))
        }
        _ => finding(Verdict::Fit, with_degrees("the voltage is good")),
    }
}

fn configuration(facts: &Facts) -> Option<Finding> {
    let finding =
        |verdict, value: String| Finding::new("configuration", "the configuration", verdict, value);
    let remedy = "correct the file; clockd --check; sudo systemctl restart clockd";
    let refused = facts.clock.as_ref().ok().and_then(|clock| {
        let is_it =
            |fault: &&clock_dbus::Fault| fault.known() == Some(FaultCode::ConfigurationRefused);
        clock.faults.iter().find(is_it)
    });
    if let Some(fault) = refused {
        // clockd says "the set-up file is refused" or "the configuration is refused".
        let remedy = match fault.text.starts_with("the set-up file ") {
            true => "correct chessclock.toml on the boot partition, then restart the machine",
            false => remedy,
        };
        return Some(finding(Verdict::Unfit, fault.text.clone()).with_remedy(remedy));
    }
    Some(match facts.machine.as_ref()?.configuration.as_ref()? {
        Checked::Good(said) => finding(Verdict::Fit, said.clone()),
        Checked::Wrong(said) => finding(Verdict::Unfit, said.clone()).with_remedy(remedy),
        Checked::Unknown(why) => {
            finding(Verdict::Unknown, why.clone()).with_remedy("sudo clockd --check")
        }
    })
}
