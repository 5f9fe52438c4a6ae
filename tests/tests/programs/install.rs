//! `make install` installs every file at its place, and the programs that read the files understand
//! them. Some settings in the files are checked, too.

use clock_controls::RuleLibrary;
use std::path::{Path, PathBuf};
use std::process::Command;

const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The root of a package, as `make install` fills it.
struct Package(tempfile::TempDir);

impl Package {
    fn install() -> Package {
        let root = tempfile::tempdir().unwrap();
        let programs = tempfile::tempdir().unwrap();
        // What a program contains does not matter here.
        for program in ["clockd", "clockctl", "clock-display"] {
            std::fs::write(programs.path().join(program), "").unwrap();
        }
        let mut make = Command::new("make");
        make.args(["--silent", "-C", TREE, "install"])
            .arg(format!("DESTDIR={}", root.path().display()))
            .arg(format!("BINARIES={}", programs.path().display()));
        let output = make.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Package(root)
    }

    fn path(&self, installed: &str) -> PathBuf {
        self.0.path().join(installed.trim_start_matches('/'))
    }

    fn write(&self, installed: &str, text: &str) {
        let path = self.path(installed);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The rows of the table in systemd/README.md: the file, and where it is installed.
fn table() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(Path::new(TREE).join("systemd/README.md")).unwrap();
    let cell = |cell: &str| cell.trim().trim_matches('`').to_owned();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        (cell(cells[1]), cell(cells[2]))
    })
    .collect()
}

#[test]
fn every_file_of_the_table_is_installed_where_it_says_and_no_file_is_missing_in_it() {
    let package = Package::install();
    let table = table();
    for (file, place) in &table {
        let installed = package.path(place);
        // If `place` is a folder, the file is in it.
        let installed = if installed.is_dir() { installed.join(file) } else { installed };
        let read =
            |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(read(&installed), read(&Path::new(TREE).join("systemd").join(file)), "{place}");
    }
    let mut named: Vec<&str> = table.iter().map(|(file, _)| file.as_str()).collect();
    let folder = std::fs::read_dir(Path::new(TREE).join("systemd")).unwrap();
    let mut present: Vec<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    present.retain(|name| name != "README.md");
    named.sort_unstable();
    present.sort_unstable();
    assert_eq!(named, present);
}

#[test]
fn every_wiring_control_and_rule_file_is_installed_where_the_clock_looks_for_it() {
    let package = Package::install();
    for kind in ["wiring", "controls", "rules"] {
        let names = |folder: &Path| -> Vec<String> {
            let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
            let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
            let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
            names.sort_unstable();
            names
        };
        let ours = Path::new(TREE).join("configs").join(kind);
        let installed = package.path("/usr/share/chess-clock").join(kind);
        assert_eq!(names(&installed), names(&ours));
    }
}

#[test]
fn the_installed_rule_files_are_rule_profiles_and_inherit_from_each_other() {
    let package = Package::install();
    let library = RuleLibrary::new(vec![package.path("/usr/share/chess-clock/rules")]);
    let county = library.find("handbook-county").unwrap();
    assert_eq!(county.rules.inherited, ["fide-article-6"]);
    for (name, title) in library.list() {
        assert!(!title.starts_with("cannot be used"), "{name}: {title}");
    }
}

/// The shells find a completion by the name of its file.
#[test]
fn the_completions_are_where_the_shells_look_for_them() {
    let package = Package::install();
    for (file, place) in [
        ("clockctl.bash", "/usr/share/bash-completion/completions/clockctl"),
        ("_clockctl", "/usr/share/zsh/vendor-completions/_clockctl"),
        ("clockctl.fish", "/usr/share/fish/vendor_completions.d/clockctl.fish"),
    ] {
        let ours = std::fs::read(Path::new(TREE).join("ctl/completions").join(file)).unwrap();
        assert_eq!(std::fs::read(package.path(place)).unwrap(), ours, "{place}");
    }
}

/// The files below a folder, with their paths from it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|error| panic!("{next:?}: {error}")) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    files.sort_unstable();
    files
}

#[test]
fn the_manual_pages_are_in_the_folders_of_their_sections() {
    let package = Package::install();
    let man = package.path("/usr/share/man");
    let ours = files(&Path::new(TREE).join("docs/man"));
    let section = |page: &Path| page.extension().unwrap().to_str().unwrap().to_owned();
    let mut expected: Vec<PathBuf> =
        ours.iter().map(|page| Path::new(&format!("man{}", section(page))).join(page)).collect();
    expected.sort_unstable();
    assert_eq!(files(&man), expected);
    assert!(expected.len() >= 10, "{expected:?}");
}

#[test]
fn the_documents_and_the_licences_are_installed_with_the_pictures_that_they_show() {
    let package = Package::install();
    let folder = package.path("/usr/share/doc/chess-clock");
    let installed = files(&folder);
    for licence in ["LICENSE-APACHE", "LICENSE-MIT", "display/fonts/LICENSE-DejaVu.txt"] {
        assert!(installed.contains(&PathBuf::from(licence)), "{licence}");
    }
    let mut pictures = 0;
    for document in installed.iter().filter(|file| file.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(folder.join(document)).unwrap();
        assert_eq!(text, std::fs::read_to_string(Path::new(TREE).join(document)).unwrap());
        let shown = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for picture in shown.filter(|target| target.ends_with(".png") || target.ends_with(".svg")) {
            let path = folder.join(document).parent().unwrap().join(picture);
            assert!(path.exists(), "{document:?}: {picture}");
            pictures += 1;
        }
    }
    assert!(pictures > 10, "{pictures}");
    for document in
        ["docs/arbiter.md", "docs/dbus.rst", "docs/schemas/watch.schema.json", "docs/json.md"]
    {
        assert!(installed.contains(&PathBuf::from(document)), "{document}");
    }
}

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

    let sleep = config("systemd/sleep.conf");
    for kind in ["Suspend", "Hibernation", "SuspendThenHibernate", "HybridSleep"] {
        assert_eq!(setting(&sleep, &format!("Allow{kind}")), Some("no"), "{kind}");
    }
    package.write("/etc/systemd/sleep.conf.d/60-chess-clock.conf", "");
    assert_eq!(setting(&config("systemd/sleep.conf"), "AllowSuspend"), None);
}

/// The services, each with the highest exposure that it may have. The number is in tenths, as the
/// option `--threshold` of `systemd-analyze security` needs it.
const SERVICES: [(&str, &str); 5] = [
    ("clockd", "10"),
    ("clock-display", "13"),
    ("clock-display-console", "13"),
    ("clock-display-devices", "13"),
    // The publisher needs the network, which raises its exposure.
    ("chess-clock-publish@", "13"),
];

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

#[test]
fn systemd_understands_the_units() {
    let package = Package::install();
    if !has_systemd() {
        return;
    }
    for (service, _) in SERVICES {
        let path = package.path(unit_path(service).to_str().unwrap());
        let unit = std::fs::read_to_string(&path).unwrap();
        // The programs are not installed on this machine, so another program takes their place in
        // the unit.
        let installed =
            ["/usr/bin/clockd", "/usr/bin/clock-display", "/usr/libexec/chess-clock-publish"];
        let unit = installed.iter().fold(unit, |unit, program| unit.replace(program, "/bin/true"));
        // `RestartSteps` and `RestartMaxDelaySec` are new in systemd 254. An earlier version
        // ignores both, with a warning.
        let is_old = systemd_version() < 254;
        let known = |line: &&str| {
            !is_old
                || !(line.starts_with("RestartSteps=") || line.starts_with("RestartMaxDelaySec="))
        };
        let unit: String = unit.lines().filter(known).map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, unit).unwrap();
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
