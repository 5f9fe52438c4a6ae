//! systemd and chrony understand the installed units and settings, and these say what they must.

use super::{Package, TREE};
use clock_tests::write_executable;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether systemd is installed. Without systemd, no program on this machine reads the installed
/// units and settings.
fn has_systemd() -> bool {
    Command::new("systemd-analyze").arg("--version").output().is_ok()
}

/// The version of systemd, such as 252.
fn systemd_version() -> u32 {
    let output = Command::new("systemd-analyze").arg("--version").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.split_whitespace().nth(1).unwrap().split('.').next().unwrap().parse().unwrap()
}

/// The effective value of a setting in what `systemd-analyze cat-config` prints: the last one.
fn setting<'a>(config: &'a str, key: &str) -> Option<&'a str> {
    config.lines().rev().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
}

#[test]
fn the_settings_of_the_journal_and_of_suspend_take_effect_on_raspberry_pi_os() {
    let package = Package::install();
    if !has_systemd() {
        return;
    }
    let config = |name: &str| {
        let root = format!("--root={}", package.path("").display());
        let output = Command::new("systemd-analyze").args([&root, "cat-config", name]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let storage = |kind| format!("[Journal]\nStorage={kind}\n");
    package.write(
        "/usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf",
        &storage("volatile"),
    );
    let journald = config("systemd/journald.conf");
    assert_eq!(setting(&journald, "Storage"), Some("persistent"));
    assert_eq!(setting(&journald, "SyncIntervalSec"), Some("15s"));
    assert_eq!(setting(&journald, "SystemMaxUse"), Some("256M"));
    // raspi-config writes this file if the administrator chooses a storage. This choice must take
    // precedence.
    package.write(
        "/etc/systemd/journald.conf.d/80-raspi-config-journal-storage.conf",
        &storage("none"),
    );
    assert_eq!(setting(&config("systemd/journald.conf"), "Storage"), Some("none"));

    let manager = config("systemd/system.conf");
    assert_eq!(setting(&manager, "RuntimeWatchdogSec"), Some("10s"));
    assert_eq!(setting(&manager, "CtrlAltDelBurstAction"), Some("none"));

    let sleep = config("systemd/sleep.conf");
    for kind in ["Suspend", "Hibernation", "SuspendThenHibernate", "HybridSleep"] {
        assert_eq!(setting(&sleep, &format!("Allow{kind}")), Some("no"), "{kind}");
    }
    package.write("/etc/systemd/sleep.conf.d/60-chess-clock.conf", "");
    assert_eq!(setting(&config("systemd/sleep.conf"), "AllowSuspend"), None);
}

/// The services, each with the highest exposure that it may have. The number is in tenths, as the
/// option `--threshold` of `systemd-analyze security` needs it.
const SERVICES: [(&str, &str); 8] = [
    // It may ask whether the wall clock is right (adjtimex), which ProtectClock=yes would forbid.
    ("clockd", "13"),
    ("clock-display", "13"),
    ("clock-display-console", "13"),
    ("clock-display-devices", "13"),
    // The publisher needs the network, which raises its exposure.
    ("chess-clock-publish@", "13"),
    // It changes the configuration of the whole system at the start, and does not listen to anybody.
    ("chess-clock-set-up", "30"),
    // It sets the wall clock at the start, and does not listen to anybody.
    ("chess-clock-restore-time", "25"),
    // It mounts a stick, and answers clockd alone.
    ("chess-clock-backup@", "25"),
];

/// The services that root runs.
const OF_ROOT: [&str; 3] =
    ["chess-clock-set-up", "chess-clock-restore-time", "chess-clock-backup@"];

fn unit_path(service: &str) -> PathBuf {
    Path::new("/usr/lib/systemd/system").join(format!("{service}.service"))
}

#[test]
fn a_clock_that_spins_or_hangs_is_replaced_within_a_second() {
    let package = Package::install();
    let path = package.path(unit_path("clockd").to_str().unwrap());
    let unit = std::fs::read_to_string(path).unwrap();
    let milliseconds =
        |key| -> u32 { setting(&unit, key).unwrap().strip_suffix("ms").unwrap().parse().unwrap() };
    // While the loop spins on the only processor, the watchdog's thread does not run, so
    // `LimitRTTIME` must end the loop first.
    assert!(milliseconds("LimitRTTIME") < milliseconds("WatchdogSec"));
    assert!(milliseconds("WatchdogSec") + milliseconds("RestartSec") <= 600);
    assert_eq!(setting(&unit, "WatchdogSignal"), Some("SIGKILL"));
}

#[test]
fn the_first_restarts_are_immediate_and_a_clock_that_cannot_start_is_started_once_a_second() {
    let package = Package::install();
    let path = package.path(unit_path("clockd").to_str().unwrap());
    let unit = std::fs::read_to_string(path).unwrap();
    let number = |key, unit_of_time| -> f64 {
        setting(&unit, key).unwrap().strip_suffix(unit_of_time).unwrap().parse().unwrap()
    };
    let (first, most) = (number("RestartSec", "ms"), 1000.0 * number("RestartMaxDelaySec", "s"));
    let steps = number("RestartSteps", "");
    // The formula of systemd (`service_restart_usec_next`).
    let delay =
        |restart: f64| first * (most / first).powf((restart - 1.0) / steps).min(most / first);
    assert!(delay(30.0) < 10.0, "{}", delay(30.0));
    assert!((delay(steps + 1.0) - 1000.0).abs() < 1e-6, "{}", delay(steps + 1.0));
    // The number of restarts is not limited.
    assert_eq!(setting(&unit, "StartLimitIntervalSec"), Some("0"));
}

/// The text of a unit with which this machine can check it.
fn known_here(unit: &str) -> String {
    // The programs need not be installed on this machine, so another program takes their place.
    let installed = [
        "/usr/bin/clockd",
        "/usr/bin/clock-display",
        "/usr/bin/clockctl",
        "/usr/libexec/chess-clock-publish",
        "/usr/libexec/chess-clock-restore-time",
    ];
    let unit = installed.iter().fold(unit.to_owned(), |unit, it| unit.replace(it, "/bin/true"));
    let unit = unit.replace("=udevadm ", "=/bin/true ").replace("=systemctl ", "=/bin/true ");
    // These settings and the version of systemd that they are new in. An earlier version ignores
    // them, with a warning.
    let new = [("OpenFile=", 253), ("RestartSteps=", 254), ("RestartMaxDelaySec=", 254)];
    let version = systemd_version();
    // With any other folder, systemd would wait for the mount of /tmp.
    let unit = match version {
        ..257 => unit.replace("PrivateTmp=disconnected", "PrivateTmp=no"),
        _ => unit,
    };
    let known =
        |line: &&str| !new.iter().any(|(key, since)| line.starts_with(key) && version < *since);
    unit.lines().filter(known).map(|line| format!("{line}\n")).collect()
}

#[test]
fn systemd_understands_the_settings_of_an_image() {
    let package = Package::install();
    package.make_image();
    if !has_systemd() {
        return;
    }
    let folder = |name: &str| package.path(name).join("systemd/system");
    let folders = [folder("/etc"), folder("/usr/lib")];
    let drop_ins = std::fs::read_dir(&folders[0]).unwrap().map(|entry| entry.unwrap().path());
    let drop_ins: Vec<PathBuf> = drop_ins.filter(|path| path.is_dir()).collect();
    for folder in folders.iter().chain(&drop_ins) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && !path.is_symlink() {
                let text = known_here(&std::fs::read_to_string(&path).unwrap());
                std::fs::write(&path, text).unwrap();
            }
        }
    }
    // The empty path at the end stands for the folders of this machine.
    let path = format!("{}:{}:", folders[0].display(), folders[1].display());
    let units = ["chess-clock-first.target", "clockd.service", "clock-display.service"];
    let mut verify = Command::new("systemd-analyze");
    verify.args(["verify", "--man=no"]).args(units).env("SYSTEMD_UNIT_PATH", path);
    let verify = verify.output().unwrap();
    let said = String::from_utf8_lossy(&verify.stderr);
    assert!(verify.status.success(), "{said}");
    for named in units.iter().copied().chain(["chess-clock-", "dbus."]) {
        assert!(!said.contains(named), "{said}");
    }
}

#[test]
fn systemd_understands_the_units() {
    let package = Package::install();
    if !has_systemd() {
        return;
    }
    for (service, _) in SERVICES {
        let path = package.path(unit_path(service).to_str().unwrap());
        let unit = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, known_here(&unit)).unwrap();
        let verify =
            Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&path).output();
        let verify = verify.unwrap();
        let said = String::from_utf8_lossy(&verify.stderr);
        assert!(verify.status.success() && !said.contains(service), "{said}");
    }
}

/// A later version of systemd can know more settings, and gives a higher figure to a unit that does
/// not use them. So the version is printed with the figure.
#[test]
fn the_sandboxes_expose_no_more_than_they_may() {
    let package = Package::install();
    let analyze = |arguments: &[&str]| {
        let output = Command::new("systemd-analyze").args(arguments).output();
        output.expect("systemd-analyze is needed: `sh tests/setup.sh test` installs it")
    };
    let version = String::from_utf8(analyze(&["--version"]).stdout).unwrap();
    for (service, highest) in SERVICES {
        let path = package.path(unit_path(service).to_str().unwrap());
        let threshold = format!("--threshold={highest}");
        let output = analyze(&["security", "--offline=true", &threshold, path.to_str().unwrap()]);
        let said = String::from_utf8_lossy(&output.stdout);
        let figure = said.lines().last().unwrap_or_default();
        println!("{}: {figure}", version.lines().next().unwrap_or_default());
        // systemd-analyze gives a template an instance of its own.
        assert!(figure.contains(&format!("level for {service}")), "{said}");
        assert!(output.status.success(), "above {highest}: {said}");
    }
}

/// dbus-daemon ends the connection of a user whom it cannot look up. It could not look up a dynamic user
/// of systemd 257 on Debian 13, with or without libnss-systemd.
#[test]
fn every_user_of_a_service_is_made_at_the_installation() {
    let package = Package::install();
    let users = package.path("/usr/lib/sysusers.d/chess-clock.conf");
    let users = std::fs::read_to_string(users).unwrap();
    for (service, _) in SERVICES.into_iter().filter(|(service, _)| !OF_ROOT.contains(service)) {
        let unit = std::fs::read_to_string(package.path(unit_path(service).to_str().unwrap()));
        let unit = unit.unwrap();
        let user = setting(&unit, "User").unwrap_or_else(|| panic!("{service} has no user"));
        let line = format!("u {user} - ");
        assert!(users.lines().any(|it| it.starts_with(&line)), "{service}: no {user} in {users}");
        assert_eq!(setting(&unit, "DynamicUser"), None, "{service}");
    }
}

/// A program that may open the GPIO chip can request every line that no other program holds. So the
/// face must not be allowed to open it.
#[test]
fn the_face_on_the_screen_cannot_take_the_lines_of_the_buttons() {
    let package = Package::install();
    for service in ["clock-display", "clock-display-console"] {
        let unit = std::fs::read_to_string(package.path(unit_path(service).to_str().unwrap()));
        let settings = unit.unwrap();
        let settings = settings.lines().filter(|line| !line.starts_with('#'));
        let gpio: Vec<&str> = settings.filter(|line| line.contains("gpio")).collect();
        assert!(gpio.is_empty(), "{service}: {gpio:?}");
    }
    let users = package.path("/usr/lib/sysusers.d/chess-clock.conf");
    let users = std::fs::read_to_string(users).unwrap();
    assert!(!users.lines().any(|line| line == "m clock-display gpio"), "{users}");
}

/// systemd looks the name of a kind of devices up when it starts the unit, and allows nothing if no driver has that name yet.
/// Where the driver is a module, only the number allows the devices that come later: 153 is SPIDEV_MAJOR of the kernel, whose
/// driver is a module in Raspberry Pi OS. The names below are of drivers that are never modules of a kernel that the clock
/// runs on, or whose device starts the unit.
#[test]
fn a_device_is_allowed_also_if_its_driver_is_loaded_after_the_unit_is_started() {
    let package = Package::install();
    let allowed = |service: &str| -> Vec<String> {
        let unit = std::fs::read_to_string(package.path(unit_path(service).to_str().unwrap()));
        let unit = unit.unwrap();
        let devices = unit.lines().filter_map(|line| line.strip_prefix("DeviceAllow="));
        devices.map(str::to_owned).collect()
    };
    assert_eq!(allowed("clock-display"), ["char-drm rw", "char-153 rw"]);
    assert_eq!(allowed("clock-display-devices"), ["char-gpiochip rw", "char-153 rw"]);
    assert_eq!(allowed("clockd"), ["char-gpiochip rw"]);
}

/// ProtectClock=yes is a filter of its own that forbids adjtimex() also where it changes nothing, and `@privileged` contains it.
/// Only a process with CAP_SYS_TIME can set a clock with it.
#[test]
fn the_programs_that_date_something_may_ask_whether_the_wall_clock_is_right_and_set_none() {
    let package = Package::install();
    let asks = [
        "clockd",
        "clock-display",
        "clock-display-console",
        "clock-display-devices",
        "chess-clock-backup@",
    ];
    for service in asks {
        let unit = std::fs::read_to_string(package.path(unit_path(service).to_str().unwrap()));
        let unit = unit.unwrap();
        assert_eq!(setting(&unit, "ProtectClock"), None, "{service}");
        let filters: Vec<&str> =
            unit.lines().filter_map(|line| line.strip_prefix("SystemCallFilter=")).collect();
        // The last one counts for its calls.
        assert_eq!(filters.last(), Some(&"adjtimex clock_adjtime clock_adjtime64"), "{service}");
        assert!(!filters.concat().contains("settime"), "{filters:?}");
        let capabilities = setting(&unit, "CapabilityBoundingSet").expect("a bounded set");
        assert!(!capabilities.contains("CAP_SYS_TIME"), "{service}: {capabilities}");
    }
}

#[test]
fn the_clock_starts_without_the_disk_of_the_record_and_without_the_display() {
    let package = Package::install();
    let path = package.path(unit_path("clockd").to_str().unwrap());
    let unit = std::fs::read_to_string(path).unwrap();
    // If the unit had one of these keys, clockd could not start without the disk.
    for key in ["StateDirectory", "RequiresMountsFor", "Requires", "BindsTo", "Requisite", "PartOf"]
    {
        assert_eq!(setting(&unit, key), None, "{key}");
    }
    assert!(!unit.contains("clock-display"));
    // The hyphen is needed: without it, the service could not start while the folder does not
    // exist.
    assert_eq!(setting(&unit, "ReadWritePaths"), Some("-/var/lib/chess-clock"));
}

/// Runs the command of the unit with a program `sleep` that takes no time, and that makes the connector when it is called
/// for the third time.
#[test]
fn the_rest_of_an_image_waits_up_to_5_s_for_a_connector() {
    let unit = Path::new(TREE).join("systemd/image/chess-clock-rest.service");
    let unit = std::fs::read_to_string(unit).unwrap();
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStartPre=-/bin/sh -c "));
    let root = tempfile::tempdir().unwrap();
    let (drm, slept) = (root.path().join("sys/class/drm"), root.path().join("slept"));
    let command = line.unwrap().trim_matches('\'').replace("$$", "$");
    let command = command.replace("/sys/class/drm", &drm.display().to_string());
    let path = format!("{}:{}", root.path().display(), std::env::var("PATH").unwrap());
    let sleeps = |connector: &str| -> Vec<f64> {
        let (slept, connector) = (slept.display(), drm.join(connector));
        let program = format!(
            "#!/bin/sh\necho $1 >>{slept}; [ $(wc -l <{slept}) != 3 ] || mkdir {}\n",
            connector.display()
        );
        write_executable(&root.path().join("sleep"), &program);
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).env("PATH", &path).status().unwrap();
        let slept = std::fs::read_to_string(root.path().join("slept")).unwrap_or_default();
        slept.lines().map(|seconds| seconds.parse().unwrap()).collect()
    };
    // A card that only renders has no connector.
    std::fs::create_dir_all(drm.join("card0")).unwrap();
    let all = sleeps("renderD128");
    assert!((all.iter().sum::<f64>() - 5.0).abs() < 1e-6, "{all:?}");
    std::fs::remove_file(&slept).unwrap();
    assert_eq!(sleeps("card1-HDMI-A-1"), [0.1; 3]);
    std::fs::remove_file(&slept).unwrap();
    assert!(sleeps("card1-HDMI-A-1").is_empty());
}

#[test]
fn chrony_steps_the_wall_clock_and_slews_within_what_is_no_fault() {
    let path = Path::new(TREE).join("systemd/chrony-chess-clock.conf");
    let text = std::fs::read_to_string(&path).unwrap();
    let directives: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(directives, [vec!["makestep", "0.1", "-1"], vec!["maxslewrate", "50"]]);
    if let Ok(output) = Command::new("chronyd").arg("-p").arg("-f").arg(&path).output() {
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(printed, "makestep 0.1 -1\nmaxslewrate 50\n");
    }
}
