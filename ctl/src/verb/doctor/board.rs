//! What `clockctl doctor --report` says of this machine beside the findings. Every path is below `root`, so that
//! tests can make a machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::doctor::tester_report::{Board, Connector};

/// The options of the kernel that are shown. The others can have addresses and serial numbers.
const OPTIONS: [&str; 12] = [
    "quiet",
    "loglevel",
    "fbcon",
    "video",
    "cma",
    "panic",
    "console",
    "systemd.unit",
    "systemd.show_status",
    "cpufreq.default_governor",
    "dwc_otg.fiq_enable",
    "dwc_otg.fiq_fsm_enable",
];
/// The units whose start is of interest.
const UNITS: [&str; 6] = [
    "clockd.service",
    "clock-display.service",
    "chess-clock-set-up.service",
    "var-lib-chess\\x2dclock.mount",
    "chess-clock-rest.service",
    "multi-user.target",
];
/// How long `systemctl` may take.
const LIMIT: Duration = Duration::from_secs(3);

pub async fn read(root: &Path) -> Board {
    let properties = ["--property=Id", "--property=ActiveEnterTimestampMonotonic"];
    let started = systemctl(&[&["show"], properties.as_slice(), &UNITS].concat()).await;
    let failed = ["list-units", "--failed", "--plain", "--no-legend", "--no-pager"];
    let failed = systemctl(&failed).await;
    Board { started: started_at(&started), failed: first_words(&failed), ..of_files(root) }
}

/// What the files of the machine say.
fn of_files(root: &Path) -> Board {
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let release = text("etc/os-release");
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let is_shown = |option: &&str| OPTIONS.contains(&option.split('=').next().unwrap_or_default());
    let options = text("proc/cmdline");
    Board {
        distribution: name.map(|name| name.trim_matches('"').to_owned()),
        options: options.split_whitespace().filter(is_shown).map(str::to_owned).collect(),
        chips: entries(root, "sys/bus/gpio/devices").iter().filter_map(|path| chip(path)).collect(),
        connectors: entries(root, "sys/class/drm")
            .iter()
            .filter_map(|path| connector(path))
            .collect(),
        ..Board::default()
    }
}

fn entries(root: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

fn name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// The chip, its device and the driver of that.
fn chip(path: &Path) -> Option<String> {
    let device = fs::canonicalize(path).ok()?.parent()?.to_owned();
    let events = fs::read_to_string(device.join("uevent")).unwrap_or_default();
    let driver = events.lines().find_map(|line| line.strip_prefix("DRIVER="));
    let driver = driver.unwrap_or("unknown");
    Some(format!("{}: {}, driver {driver}", name(path)?, name(&device)?))
}

/// A connector, which has a folder such as `card1-HDMI-A-1`.
fn connector(path: &Path) -> Option<Connector> {
    let folder = name(path)?;
    let (_, name) = folder.strip_prefix("card")?.split_once('-')?;
    let text = |file: &str| fs::read_to_string(path.join(file)).unwrap_or_default();
    let mut modes: Vec<String> = text("modes").lines().map(str::to_owned).collect();
    modes.dedup();
    Some(Connector {
        name: name.to_owned(),
        status: text("status").trim().to_owned(),
        is_used: text("enabled").trim() == "enabled",
        modes,
        edid: fs::read(path.join("edid")).unwrap_or_default(),
    })
}

/// What `systemctl` prints; nothing if there is no systemd.
async fn systemctl(arguments: &[&str]) -> String {
    let mut command = Command::new("systemctl");
    command.args(arguments).kill_on_drop(true);
    match timeout(LIMIT, command.output()).await {
        Ok(Ok(output)) => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => String::new(),
    }
}

/// The units of `systemctl show` that were started, with the times in microseconds.
fn started_at(shown: &str) -> Vec<(String, u64)> {
    let unit = |block: &str| {
        let value = |key| block.lines().find_map(|line| line.strip_prefix(key));
        let time = value("ActiveEnterTimestampMonotonic=")?.parse().ok()?;
        Some((value("Id=")?.to_owned(), time))
    };
    let mut units: Vec<(String, u64)> = shown.split("\n\n").filter_map(unit).collect();
    units.retain(|(_, time)| *time > 0);
    units.sort_by_key(|(_, time)| *time);
    units
}

fn first_words(lines: &str) -> Vec<String> {
    lines.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_read_without_what_could_name_somebody() {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n"),
            ("etc/hostname", "club-menchik\n"),
            (
                "proc/cmdline",
                "smsc95xx.macaddr=B8:27:EB:11:22:33 quiet video=HDMI-A-1:1024x600M@60 systemd.hostname=club-menchik\n",
            ),
            ("sys/devices/fe200000.gpio/uevent", "DRIVER=pinctrl-bcm2835\n"),
            ("sys/devices/fe200000.gpio/gpiochip0/uevent", ""),
            ("sys/class/drm/card1/dev", "226:1\n"),
            ("sys/class/drm/card1-HDMI-A-1/status", "connected\n"),
            ("sys/class/drm/card1-HDMI-A-1/enabled", "enabled\n"),
            ("sys/class/drm/card1-HDMI-A-1/modes", "1024x600\n1024x600\n800x600\n"),
            ("sys/class/drm/card1-HDMI-A-2/status", "disconnected\n"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(root.path().join("sys/bus/gpio/devices")).unwrap();
        std::os::unix::fs::symlink(
            "../../../devices/fe200000.gpio/gpiochip0",
            root.path().join("sys/bus/gpio/devices/gpiochip0"),
        )
        .unwrap();
        let board = of_files(root.path());
        assert_eq!(board.distribution.as_deref(), Some("Debian GNU/Linux 13 (trixie)"));
        assert_eq!(board.options, ["quiet", "video=HDMI-A-1:1024x600M@60"]);
        assert_eq!(board.chips, ["gpiochip0: fe200000.gpio, driver pinctrl-bcm2835"]);
        let [first, second] = board.connectors.as_slice() else { panic!("two connectors") };
        assert_eq!((first.name.as_str(), first.status.as_str()), ("HDMI-A-1", "connected"));
        assert!(first.is_used && !second.is_used);
        assert_eq!(first.modes, ["1024x600", "800x600"]);
    }

    #[test]
    fn the_starts_of_units_are_in_their_order() {
        let shown = "Id=b.service\nActiveEnterTimestampMonotonic=9000000\n\n\
                     Id=never.service\nActiveEnterTimestampMonotonic=0\n\n\
                     ActiveEnterTimestampMonotonic=700\nId=a.service\n";
        let units = [("a.service".to_owned(), 700), ("b.service".to_owned(), 9_000_000)];
        assert_eq!(started_at(shown), units);
        assert_eq!(first_words("iwd.service loaded failed failed x\n\n"), ["iwd.service"]);
    }
}
