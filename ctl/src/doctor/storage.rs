//! The record: whether it is written, and the disk that it is on.

use super::facts::{Facts, Storage};
use super::finding::{Finding, Verdict};

/// The most that the record of 2,000 games takes.
const RECORD_BYTES: u64 = 200 << 20;
/// A command waits at most 500 ms for the disk. A disk that takes this long on average is worn out
/// or too slow.
const SLOW_MILLISECONDS: u64 = 200;

pub fn findings(facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Ok(clock) = &facts.clock {
        let health = &clock.health;
        let finding =
            |verdict, value| Finding::new("record", "the record of the games", verdict, value);
        let remedy = "docs/reliability.md, \"The storage fails or the record is damaged\"; clockctl log shows the latest entry \
            on record";
        findings.push(match (health.storage_ok, health.lost_entries) {
            (true, 0) => {
                let value = format!("written up to entry {}", health.recorded_entries);
                finding(Verdict::Fit, value)
            }
            (true, lost) => {
                let entries = if lost == 1 { "entry was" } else { "entries were" };
                let value =
                    format!("written, but {lost} {entries} lost since the service was started");
                finding(Verdict::Warning, value).with_remedy(remedy)
            }
            (false, _) => {
                let waiting = match health.uncommitted_entries {
                    1 => "1 entry waits in memory".to_owned(),
                    entries => format!("{entries} entries wait in memory"),
                };
                let value = format!("not written: {}; {waiting}", health.storage_error);
                finding(Verdict::Unfit, value).with_remedy(remedy)
            }
        });
    }
    let Some(machine) = &facts.machine else { return findings };
    let storage = machine.storage.as_ref();
    // The service of another bus can have its record elsewhere.
    if storage.is_none() && facts.bus.is_system {
        let value = "the folder of the record is missing".to_owned();
        let finding = Finding::new("disk", "the disk of the record", Verdict::Unknown, value);
        findings.push(finding.with_remedy("sudo systemd-tmpfiles --create chess-clock.conf"));
    }
    findings.extend(storage.map(disk));
    findings.extend(storage.and_then(latency));
    findings
}

fn disk(storage: &Storage) -> Finding {
    let finding = |verdict, value| Finding::new("disk", "the disk of the record", verdict, value);
    let folder = &storage.folder;
    if ["tmpfs", "ramfs"].contains(&storage.kind.as_str()) {
        let kind = &storage.kind;
        let value =
            format!("{folder} is in memory ({kind}): a power cut loses the game and the record");
        return finding(Verdict::Warning, value)
            .with_remedy("docs/reliability.md, \"The power is cut\"");
    }
    if storage.is_read_only {
        let value = format!("{folder} can only be read");
        return finding(Verdict::Unfit, value)
            .with_remedy("dmesg | grep -i ext4; systemd/README.md, \"The record's folder\"");
    }
    let value = format!("{} MiB are free in {folder}", storage.free_bytes >> 20);
    match storage.free_bytes {
        RECORD_BYTES.. => finding(Verdict::Fit, value),
        _ => finding(Verdict::Warning, value)
            .with_remedy("make room, or lower keep_games in /etc/chess-clock/clockd.toml"),
    }
}

/// How long the disk takes to write what it has cached. Without a flush nothing is known of it.
fn latency(storage: &Storage) -> Option<Finding> {
    let flushes = storage.flushes.filter(|flushes| flushes.count > 0)?;
    let average = flushes.milliseconds / flushes.count;
    let value = format!("{average} ms on average, {} times since the start", flushes.count);
    let finding =
        |verdict, value| Finding::new("sync", "how long the disk takes to sync", verdict, value);
    Some(match average {
        0..SLOW_MILLISECONDS => finding(Verdict::Fit, value),
        _ => finding(Verdict::Warning, value)
            .with_remedy("use a memory card for endurance, or an SSD"),
    })
}
