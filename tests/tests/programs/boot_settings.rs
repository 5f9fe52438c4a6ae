//! `debian/chess-clock-boot`: what the package `chess-clock` changes on the boot partition, and takes back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../debian/chess-clock-boot");
const COMMAND_LINE: &str = "boot/firmware/cmdline.txt";
const CONFIG: &str = "boot/firmware/config.txt";
const OPTIONS: &str = "quiet loglevel=3 fbcon=map:9 vt.global_cursor_default=0 \
                       systemd.show_status=false panic=5 cpufreq.default_governor=performance";
/// What a new card of Raspberry Pi OS has.
const THEIR_LINE: &str = "console=serial0,115200 console=tty1 root=PARTUUID=1c-02 rootwait";
const THEIR_CONFIG: &str = "dtparam=audio=on\n[cm4]\notg_mode=1\n";

/// The root of a system with some files.
struct Root(tempfile::TempDir);

impl Root {
    fn new(files: &[(&str, &str)]) -> Root {
        let root = Root(tempfile::tempdir().unwrap());
        for (file, text) in files {
            root.write(file, text);
        }
        root
    }

    fn raspberry_pi_os() -> Root {
        let line = format!("{THEIR_LINE}\n");
        Root::new(&[(COMMAND_LINE, line.as_str()), (CONFIG, THEIR_CONFIG)])
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Runs the program, and returns what it printed.
    fn run(&self, verb: &str) -> String {
        let mut program = Command::new("sh");
        let output =
            program.args([PROGRAM, verb]).env("DPKG_ROOT", self.0.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    }

    /// Every file and link with its contents, by name.
    fn files(&self) -> Vec<(PathBuf, String)> {
        fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_symlink() {
                    found.push((path.clone(), format!("-> {:?}", fs::read_link(&path).unwrap())));
                } else if path.is_dir() {
                    walk(&path, found);
                } else {
                    found.push((path.clone(), fs::read_to_string(&path).unwrap()));
                }
            }
        }
        let mut found = Vec::new();
        walk(self.0.path(), &mut found);
        found.sort();
        found
    }

    fn kernel_line(&self) -> bool {
        self.read(CONFIG).lines().any(|line| line == "kernel=kernel8_rt.img")
    }
}

#[test]
fn a_second_run_changes_nothing_and_a_removal_leaves_the_files_as_they_were() {
    let root = Root::raspberry_pi_os();
    let before = root.files();
    let said = root.run("add");
    assert!(said.contains("options of the kernel in /boot/firmware/cmdline.txt: quiet"), "{said}");
    assert!(said.contains("settings of the firmware in /boot/firmware/config.txt"), "{said}");
    assert!(said.ends_with("restart the computer: sudo reboot\n"), "{said}");
    assert_eq!(root.read(COMMAND_LINE), format!("{THEIR_LINE} {OPTIONS}\n"));
    let config = root.read(CONFIG);
    assert!(config.starts_with(&format!("{THEIR_CONFIG}# BEGIN chess-clock")), "{config}");
    assert!(config.contains("\n[all]\n") && config.contains("\ngpio=17,22,27=ip,pu\n"), "{config}");

    let after = root.files();
    assert_eq!(root.run("add"), "");
    assert_eq!(root.files(), after);

    let said = root.run("remove");
    assert!(said.contains("removed from /boot/firmware/cmdline.txt: quiet"), "{said}");
    assert_eq!(root.files(), before);
    assert_eq!(root.run("remove"), "");
}

#[test]
fn what_the_administrator_set_or_took_back_stays() {
    let line = format!("loglevel=7 fbcon=rotate:1 quiet {THEIR_LINE}");
    let root = Root::new(&[(COMMAND_LINE, &line), (CONFIG, THEIR_CONFIG)]);
    root.run("add");
    let added = "fbcon=map:9 vt.global_cursor_default=0 systemd.show_status=false panic=5 cpufreq.default_governor=performance";
    assert_eq!(root.read(COMMAND_LINE), format!("{line} {added}\n"));

    root.write(COMMAND_LINE, &root.read(COMMAND_LINE).replace(" fbcon=map:9", ""));
    root.write(CONFIG, &root.read(CONFIG).replace("boot_delay=0", "boot_delay=1"));
    let before = (root.read(COMMAND_LINE), root.read(CONFIG));
    let said = root.run("add");
    assert!(said.contains("config.txt: the settings of the clock were changed by hand"), "{said}");
    assert_eq!((root.read(COMMAND_LINE), root.read(CONFIG)), before);

    root.run("remove");
    assert_eq!(root.read(COMMAND_LINE), format!("{line}\n"));
    assert_eq!(root.read(CONFIG), THEIR_CONFIG);
}

#[test]
fn the_settings_of_an_earlier_version_are_replaced() {
    let root = Root::raspberry_pi_os();
    root.run("add");
    for file in [CONFIG, "var/lib/chess-clock-boot/block"] {
        root.write(file, &root.read(file).replace("gpio=17,22,27", "gpio=5,6"));
    }
    assert!(root.run("add").contains("settings of the firmware in"));
    assert!(root.read(CONFIG).contains("gpio=17,22,27=ip,pu"));
    assert_eq!(root.read(CONFIG).matches("# BEGIN chess-clock").count(), 1);
}

#[test]
fn files_of_other_systems_are_changed_without_damage() {
    // With the line ends of Windows, without an end of the last line, and with a second line, which the firmware ignores.
    let line = format!("{THEIR_LINE}\r\nignored");
    let root = Root::new(&[(COMMAND_LINE, &line), (CONFIG, "dtparam=audio=on\r\narm_boost=1")]);
    root.run("add");
    assert_eq!(root.read(COMMAND_LINE), format!("{THEIR_LINE} {OPTIONS}\nignored"));
    assert!(root.read(CONFIG).starts_with("dtparam=audio=on\narm_boost=1\n# BEGIN"));
}

#[test]
fn a_computer_without_these_files_gets_none() {
    let root = Root::new(&[]);
    root.run("add");
    assert!(!root.path("boot").exists());
    // On a Raspberry Pi the partition is not mounted.
    root.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0");
    let said = root.run("add");
    assert!(said.contains("there is no /boot/firmware/config.txt; mount the boot"), "{said}");
    assert!(!root.path("boot").exists());
}

#[test]
fn the_real_time_kernel_is_chosen_while_it_is_there() {
    let root = Root::raspberry_pi_os();
    root.run("add");
    assert!(!root.kernel_line());
    root.write("boot/firmware/kernel8_rt.img", "");
    root.run("add");
    assert!(root.kernel_line());
    fs::remove_file(root.path("boot/firmware/kernel8_rt.img")).unwrap();
    root.run("add");
    assert!(!root.kernel_line());

    let config = format!("kernel=kernel8.img\n{THEIR_CONFIG}");
    let root = Root::new(&[(CONFIG, &config), ("boot/firmware/kernel8_rt.img", "")]);
    root.run("add");
    assert!(!root.kernel_line());
}

/// Debian's hook writes both files of the boot partition from these.
#[test]
fn where_debian_writes_the_boot_partition_its_own_settings_are_changed() {
    let hook = ("etc/kernel/postinst.d/z50-raspi-firmware", "cat /etc/default/raspi-extra-cmdline");
    let theirs = ("etc/default/raspi-firmware", "#CMA=64M\n");
    let root = Root::new(&[hook, theirs, (COMMAND_LINE, THEIR_LINE), (CONFIG, THEIR_CONFIG)]);
    let before = root.files();
    root.run("add");
    assert_eq!(root.read("etc/default/raspi-extra-cmdline"), format!("{OPTIONS}\n"));
    assert!(root.read("etc/default/raspi-firmware-custom").starts_with("# BEGIN chess-clock"));
    assert_eq!(
        (root.read(COMMAND_LINE).as_str(), root.read(CONFIG).as_str()),
        (THEIR_LINE, THEIR_CONFIG)
    );
    root.run("remove");
    assert_eq!(root.files(), before);
}

#[test]
fn the_desktop_is_left_out_once_and_comes_back() {
    let links = [
        ("default.target", "/usr/lib/systemd/system/graphical.target"),
        ("display-manager.service", "/usr/lib/systemd/system/lightdm.service"),
    ];
    let root = Root::new(&[]);
    let units = root.path("etc/systemd/system");
    fs::create_dir_all(&units).unwrap();
    fs::create_dir_all(root.path("usr/lib/systemd/system")).unwrap();
    for target in ["graphical.target", "multi-user.target", "ctrl-alt-del.target"] {
        root.write(&format!("usr/lib/systemd/system/{target}"), "[Unit]\nAllowIsolate=yes\n");
    }
    for (name, target) in links {
        std::os::unix::fs::symlink(target, units.join(name)).unwrap();
    }
    let default = || fs::read_link(units.join("default.target")).unwrap();
    root.run("add");
    assert!(default().ends_with("multi-user.target"));
    assert_eq!(fs::read_link(units.join("ctrl-alt-del.target")).unwrap(), Path::new("/dev/null"));
    root.run("remove");
    assert!(default().ends_with("graphical.target"));
    assert!(!units.join("ctrl-alt-del.target").is_symlink());

    // The administrator wants the desktop back.
    root.run("add");
    fs::remove_file(units.join("default.target")).unwrap();
    std::os::unix::fs::symlink(links[0].1, units.join("default.target")).unwrap();
    root.run("add");
    assert!(default().ends_with("graphical.target"));
}

/// The firmware ignores the rest of a longer line, and the lines must be those of the wiring that the clock has at first.
#[test]
fn the_settings_are_those_of_the_wiring_and_short_enough() {
    let root = Root::raspberry_pi_os();
    root.run("add");
    let config = root.read(CONFIG);
    assert!(config.lines().all(|line| line.len() <= 80), "{config}");
    let wiring = Path::new(PROGRAM).with_file_name("../configs/wiring/raspberry-pi.toml");
    let wiring: toml::Table = toml::from_str(&fs::read_to_string(wiring).unwrap()).unwrap();
    let mut lines: Vec<i64> =
        ["white", "black", "call"].map(|it| wiring[it]["line"].as_integer().unwrap()).into();
    lines.sort_unstable();
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    assert!(config.contains(&format!("gpio={}=ip,pu\n", lines.join(","))), "{config}");
}
