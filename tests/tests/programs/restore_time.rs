//! `systemd/chess-clock-restore-time`: the wall clock does not go back across starts of a machine without a battery-backed clock.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, SystemTime};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../systemd/chess-clock-restore-time");
const SAVED: u64 = 1_795_500_000;

/// To which time the script sets the clock of a machine whose clock shows `now`; `None` if it leaves the clock alone. `clocks` are
/// the times of the battery-backed clocks, of which an empty one cannot be read.
fn set_to(saved: Option<u64>, now: u64, clocks: &[&str]) -> Option<String> {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("wall-time");
    if let Some(saved) = saved {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(saved);
        fs::File::create(&file).unwrap().set_modified(time).unwrap();
    }
    for (number, time) in clocks.iter().enumerate() {
        let folder = root.path().join(format!("sys/class/rtc/rtc{number}"));
        fs::create_dir_all(&folder).unwrap();
        if !time.is_empty() {
            fs::write(folder.join("since_epoch"), format!("{time}\n")).unwrap();
        }
    }
    // A program `date` that knows the time of this machine, and notes to which time it is set.
    let date = root.path().join("date");
    let text = format!(
        "#!/bin/sh\ncase $1 in +%s) echo {now} ;; -s) echo \"$2\" >{}/set ;; esac\n",
        root.path().display()
    );
    fs::write(&date, text).unwrap();
    fs::set_permissions(&date, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", root.path().display());
    let mut script = Command::new("sh");
    script.arg(PROGRAM).arg(&file).arg(root.path().join("sys")).env("PATH", path);
    let output = script.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let set = fs::read_to_string(root.path().join("set")).ok().map(|set| set.trim().to_owned());
    assert_eq!(set.is_some(), !output.stdout.is_empty(), "{output:?}");
    set
}

#[test]
fn the_wall_clock_is_only_set_forward_and_never_against_a_battery_backed_clock() {
    let forward = Some(format!("@{SAVED}"));
    // systemd sets a clock without a battery to the time of its own build.
    let build = 1_776_000_000;
    for (saved, now, clocks, wanted) in [
        (Some(SAVED), build, &[] as &[&str], forward.clone()),
        (Some(SAVED), SAVED - 1, &[], forward.clone()),
        (Some(SAVED), SAVED, &[], None),
        (Some(SAVED), SAVED + 3600, &[], None),
        (None, build, &[], None),
        // Its battery is missing or empty.
        (Some(SAVED), build, &["30"], forward.clone()),
        (Some(SAVED), build, &[""], forward.clone()),
        // The clock was set from it: the date of the machine was corrected by hand since the last start.
        (Some(SAVED), build, &["1776000002"], None),
        (Some(SAVED), build, &["30", "1776000600"], None),
        (Some(SAVED), build, &["30", "1776000601"], forward),
    ] {
        assert_eq!(set_to(saved, now, clocks), wanted, "{saved:?} {now} {clocks:?}");
    }
}
