//! The health in words, and as JSON.

use clock_dbus::{DigitHeight, Fault, HealthProperties};
use serde::Serialize;

use super::properties::{Health, LastEntry, worst};
use crate::local_time::Zone;
use crate::text::{addressed, passed, plain};
use clockctl::times::millis;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Everything that is wrong, with one text for each thing. For a fault of the clock, it is the text
/// of the fault.
pub fn wrong(health: &Health) -> Vec<String> {
    let properties = &health.properties;
    let has = |code: &str| health.state.faults.iter().any(|fault| fault.code == code);
    let mut wrong: Vec<String> =
        health.state.faults.iter().map(|fault| fault.text.clone()).collect();
    if !properties.storage_ok && !has("no-record") {
        wrong.push(format!(
            "the record is not written: {}{}",
            properties.storage_error,
            unrecorded(health)
        ));
    }
    if properties.lost_entries > 0 && !has("record-lost") {
        let lost = properties.lost_entries;
        wrong.push(format!("{lost} entries of the record were lost since the service started"));
    }
    if !properties.realtime_ok && !has("no-realtime") {
        wrong.push("the clock loop has no real-time priority or no locked memory".to_owned());
    }
    for button in &properties.stuck_buttons {
        if !has(&format!("stuck-{button}")) {
            wrong.push(format!("the button {button} is stuck"));
        }
    }
    wrong
}

/// Since when the record is not written, if that is known, and how many entries wait in memory.
fn unrecorded(health: &Health) -> String {
    let waiting = match health.properties.uncommitted_entries {
        0 => String::new(),
        1 => "; 1 entry waits in memory".to_owned(),
        entries => format!("; {entries} entries wait in memory"),
    };
    match &health.last {
        Some(last) => format!("; {}{waiting}", since(last)),
        None => waiting,
    }
}

/// The health in words: first what is wrong, then the warnings and the figures.
pub fn text(health: &Health, wrong: &[String]) -> String {
    let mut text = match wrong.len() {
        0 if health.properties.warnings.is_empty() => "all is well\n".to_owned(),
        0 => "nothing is wrong\n".to_owned(),
        1 => "one thing is wrong\n".to_owned(),
        more => format!("{more} things are wrong\n"),
    };
    text.extend(wrong.iter().map(|wrong| format!("wrong: {}\n", addressed(&plain(wrong)))));
    let warnings = &health.properties.warnings;
    text.extend(warnings.iter().map(|warning| format!("warning: {}\n", plain(warning))));
    text.push('\n');
    text.extend(figures(health).iter().map(|(label, figure)| format!("{label:<13}  {figure}\n")));
    text
}

fn figures(health: &Health) -> Vec<(&'static str, String)> {
    let Health { properties, version, .. } = health;
    let realtime = if properties.realtime_ok { "yes" } else { "NO" };
    vec![
        ("real time", realtime.to_owned()),
        ("record", record(properties)),
        ("record size", size(properties.record_bytes)),
        ("lost entries", properties.lost_entries.to_string()),
        ("latency", latency(properties)),
        ("buttons", buttons(properties)),
        ("clock rate", rate(properties)),
        ("digits", digits(properties)),
        ("version", plain(version)),
    ]
}

fn record(properties: &HealthProperties) -> String {
    let HealthProperties { recorded_entries, uncommitted_entries, .. } = properties;
    let ok = if properties.storage_ok { "ok" } else { "NOT WRITTEN" };
    format!("{ok}; written up to entry {recorded_entries}, not yet written: {uncommitted_entries}")
}

fn size(bytes: u64) -> String {
    let (unit, name) = if bytes < MIB { (KIB, "KiB") } else { (MIB, "MiB") };
    let tenths = bytes.saturating_mul(10) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

fn latency(properties: &HealthProperties) -> String {
    let at_most = |histogram: &[(u64, u64)]| match worst(histogram) {
        Some(bound) => format!("at most {}", millis(bound)),
        None => "not measured".to_owned(),
    };
    format!(
        "wake-up at most {}, reading an edge {}, deciding a press {}",
        millis(properties.worst_lateness_nsec),
        at_most(&properties.edge_latency_nsec),
        at_most(&properties.decision_latency_nsec),
    )
}

fn buttons(properties: &HealthProperties) -> String {
    let stuck = match properties.stuck_buttons.as_slice() {
        [] => "none stuck".to_owned(),
        stuck => format!("STUCK: {}", plain(&stuck.join(", "))),
    };
    format!(
        "{stuck}; {} presses rejected, {} edges lost",
        properties.rejected_presses, properties.lost_edges
    )
}

fn rate(properties: &HealthProperties) -> String {
    if properties.clock_rate_windows == 0 {
        return "not measured yet".to_owned();
    }
    let ppm = |ppb: i64| {
        let tenths = ppb.unsigned_abs().div_ceil(100);
        let sign = if ppb < 0 { '-' } else { '+' };
        format!("{sign}{}.{} ppm", tenths / 10, tenths % 10)
    };
    format!("{}, worst {}", ppm(properties.clock_rate_ppb), ppm(properties.worst_clock_rate_ppb))
}

fn digits(properties: &HealthProperties) -> String {
    match properties.digit_height {
        0 => "of unknown height".to_owned(),
        micrometres => DigitHeight { micrometres }.to_string(),
    }
}

/// Says since when nothing is recorded, for example:
///
/// `nothing is recorded since 2026-11-22 21:58:03 (0:02:10 ago, entry 312)`.
pub fn since(last: &LastEntry) -> String {
    let when = Zone::system().text(last.wall_ns, last.at_ns);
    let ago = last.age_nsec.map(|age| format!("{} ago, ", passed(age))).unwrap_or_default();
    format!("nothing is recorded since {when} ({ago}entry {})", last.number)
}

/// The health for scripts.
#[derive(Serialize)]
pub struct HealthJson<'a> {
    ok: bool,
    realtime_ok: bool,
    storage_ok: bool,
    /// Null while the record is written.
    storage_error: Option<&'a str>,
    /// The number and the instant of the latest entry on record, while the record is not written.
    last_entry: Option<LastEntryJson>,
    recorded_entries: u64,
    uncommitted_entries: u64,
    lost_entries: u64,
    record_bytes: u64,
    worst_wake_lateness_ns: u64,
    /// The upper bound of the highest bucket with a value in the histogram of the edge latency;
    /// null while the histogram is empty. `worst_decision_latency_ns` is made in the same way.
    worst_edge_latency_ns: Option<u64>,
    worst_decision_latency_ns: Option<u64>,
    stuck_buttons: &'a [String],
    rejected_presses: u64,
    lost_edges: u64,
    /// Null until the rate was measured.
    clock_rate_ppb: Option<i64>,
    worst_clock_rate_ppb: Option<i64>,
    faults: &'a [Fault],
    /// Null while it is not known.
    digit_height_um: Option<u32>,
    warnings: &'a [String],
    version: &'a str,
}

/// When the latest entry on record happened.
#[derive(Serialize)]
struct LastEntryJson {
    entry: u64,
    at_ns: u64,
    wall_ns: Option<i64>,
    age_ns: Option<u64>,
}

impl<'a> HealthJson<'a> {
    pub fn new(health: &'a Health, ok: bool) -> HealthJson<'a> {
        let Health { properties, state, version, last } = health;
        let rate = |ppb| (properties.clock_rate_windows > 0).then_some(ppb);
        HealthJson {
            ok,
            realtime_ok: properties.realtime_ok,
            storage_ok: properties.storage_ok,
            storage_error: (!properties.storage_ok).then_some(&properties.storage_error),
            last_entry: last.as_ref().map(|last| LastEntryJson {
                entry: last.number,
                at_ns: last.at_ns,
                wall_ns: last.wall_ns,
                age_ns: last.age_nsec,
            }),
            recorded_entries: properties.recorded_entries,
            uncommitted_entries: properties.uncommitted_entries,
            lost_entries: properties.lost_entries,
            record_bytes: properties.record_bytes,
            worst_wake_lateness_ns: properties.worst_lateness_nsec,
            worst_edge_latency_ns: worst(&properties.edge_latency_nsec),
            worst_decision_latency_ns: worst(&properties.decision_latency_nsec),
            stuck_buttons: &properties.stuck_buttons,
            rejected_presses: properties.rejected_presses,
            lost_edges: properties.lost_edges,
            clock_rate_ppb: rate(properties.clock_rate_ppb),
            worst_clock_rate_ppb: rate(properties.worst_clock_rate_ppb),
            faults: &state.faults,
            digit_height_um: (properties.digit_height > 0).then_some(properties.digit_height),
            warnings: &properties.warnings,
            version,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MIB, size};
    use crate::verb::health::properties::worst;

    #[test]
    fn figures_are_rounded_towards_the_worse() {
        for (bytes, shown) in [
            (0, "0.0 KiB"),
            (4096, "4.0 KiB"),
            (50_000, "48.8 KiB"),
            (MIB - 1, "1023.9 KiB"),
            (MIB, "1.0 MiB"),
            (1_572_864, "1.5 MiB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
    }

    #[test]
    fn the_worst_value_is_in_the_last_bucket_with_one() {
        assert_eq!(worst(&[]), None);
        assert_eq!(worst(&[(1000, 0), (2000, 0)]), None);
        assert_eq!(worst(&[(1000, 5), (2000, 1), (4000, 0)]), Some(2000));
    }
}
