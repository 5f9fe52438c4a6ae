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

    /// The sections of `config.txt` in which a line is, in their order.
    fn sections_of(&self, wanted: &str) -> Vec<String> {
        let (mut section, mut found) = ("[all]".to_owned(), Vec::new());
        for line in self.read(CONFIG).lines() {
            if line.starts_with('[') {
                line.clone_into(&mut section);
            } else if line == wanted {
                found.push(section.clone());
            }
        }
        found
    }
}

/// Which kernel a board starts with, as the firmware reads `config.txt`.
const RT_KERNEL: &str = "kernel=kernel8_rt.img";
const RT_BOARDS: [&str; 2] = ["[pi4]", "[pi5]"];
/// What an earlier version wrote while the real-time kernel was installed.
const EARLIER_BLOCK: &str = "\
# BEGIN chess-clock: changed by its upgrades, until somebody else changes it.
[all]
# No rainbow, and no waiting.
disable_splash=1
boot_delay=0
# The buttons of wiring/raspberry-pi.toml: inputs with pull-up resistors from
# the start on, so that a line does not float until clockd requests it.
gpio=17,22,27=ip,pu
dtparam=watchdog=on
kernel=kernel8_rt.img
# END chess-clock
";

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

/// The USB driver of Raspberry Pi's own kernel can hang under PREEMPT_RT at the start of a Raspberry Pi 3 or Zero 2 (raspberrypi/linux,
/// issues 5809, 5692 and 4377).
#[test]
fn the_real_time_kernel_is_chosen_for_the_boards_that_start_with_it_while_it_is_there() {
    let root = Root::raspberry_pi_os();
    root.run("add");
    let without = root.files();
    assert_eq!(root.sections_of(RT_KERNEL), [""; 0]);
    root.write("boot/firmware/kernel8_rt.img", "");
    root.run("add");
    assert_eq!(root.sections_of(RT_KERNEL), RT_BOARDS);
    // What is added below the block counts for every board.
    let config = format!("{}dtparam=spi=on\n", root.read(CONFIG));
    root.write(CONFIG, &config);
    assert_eq!(root.sections_of("dtparam=spi=on"), ["[all]"]);
    root.write(CONFIG, config.strip_suffix("dtparam=spi=on\n").unwrap());
    fs::remove_file(root.path("boot/firmware/kernel8_rt.img")).unwrap();
    root.run("add");
    assert_eq!(root.files(), without);

    let config = format!("kernel=kernel8.img\n{THEIR_CONFIG}");
    let root = Root::new(&[(CONFIG, &config), ("boot/firmware/kernel8_rt.img", "")]);
    root.run("add");
    assert_eq!(root.sections_of(RT_KERNEL), [""; 0]);
}

#[test]
fn the_sections_of_boards_are_taken_back_and_replace_a_line_for_every_board() {
    let config = format!("{THEIR_CONFIG}{EARLIER_BLOCK}arm_boost=1\n");
    let files = [
        (CONFIG, config.as_str()),
        ("boot/firmware/kernel8_rt.img", ""),
        ("var/lib/chess-clock-boot/block", EARLIER_BLOCK),
    ];
    let root = Root::new(&files);
    assert_eq!(root.sections_of(RT_KERNEL), ["[all]"]);
    assert!(root.run("add").contains("settings of the firmware in"));
    assert_eq!(root.sections_of(RT_KERNEL), RT_BOARDS);
    assert_eq!(root.read(CONFIG).matches("# BEGIN chess-clock").count(), 1);
    root.run("remove");
    assert_eq!(root.read(CONFIG), format!("{THEIR_CONFIG}arm_boost=1\n"));
}

#[test]
fn the_firmware_chooses_no_mode_of_the_screen_adds_no_border_and_starts_fast() {
    let root = Root::raspberry_pi_os();
    root.run("add");
    for line in ["disable_fw_kms_setup=1", "disable_overscan=1", "initial_turbo=30"] {
        assert_eq!(root.sections_of(line), ["[all]"], "{line}");
    }
    // The kernel of Raspberry Pi would leave an output as it is when the face ends, such as a buzzer that sounds.
    assert_eq!(root.sections_of("dtparam=strict_gpiod"), ["[all]"]);
}

#[test]
fn the_governor_is_kept_from_the_script_of_raspberry_pi_os() {
    const GOVERNOR: &str = "etc/default/cpu_governor";
    let root = Root::raspberry_pi_os();
    root.run("add");
    assert!(!root.path(GOVERNOR).exists(), "there is no such script");
    root.run("remove");
    root.write("etc/init.d/raspi-config", "");
    root.write("etc/default/keyboard", "");
    let before = root.files();
    root.run("add");
    assert_eq!(root.read(GOVERNOR), "CPU_DEFAULT_GOVERNOR=performance\n");
    root.run("remove");
    assert!(root.files().iter().all(|(path, _)| !path.ends_with(GOVERNOR)));
    assert_eq!(root.files().len(), before.len());

    // The file of Raspberry Pi OS 12 has comments only.
    let comments = "# CPU_DEFAULT_GOVERNOR=\"powersave\"\n";
    root.write(GOVERNOR, comments);
    root.run("add");
    assert_eq!(root.read(GOVERNOR), format!("{comments}CPU_DEFAULT_GOVERNOR=performance\n"));
    root.run("remove");
    assert_eq!(root.read(GOVERNOR), comments);
    root.write(GOVERNOR, comments.trim_end());
    root.run("add");
    assert_eq!(root.read(GOVERNOR), format!("{comments}CPU_DEFAULT_GOVERNOR=performance\n"));
    root.run("remove");

    // It had the same text before.
    root.write(GOVERNOR, "CPU_DEFAULT_GOVERNOR=performance\n");
    root.run("add");
    root.run("remove");
    assert_eq!(root.read(GOVERNOR), "CPU_DEFAULT_GOVERNOR=performance\n");
    // What the administrator takes back stays taken back.
    fs::remove_file(root.path(GOVERNOR)).unwrap();
    root.run("add");
    root.write(GOVERNOR, "CPU_DEFAULT_GOVERNOR=ondemand\n");
    root.run("add");
    assert_eq!(root.read(GOVERNOR), "CPU_DEFAULT_GOVERNOR=ondemand\n");
}

/// The kernel of Debian 13 has no driver for the card reader of a Raspberry Pi 5, whose firmware starts every kernel that has a device
/// tree for it. The hook of `raspi-firmware` copies all device trees of a new kernel.
#[test]
fn a_new_kernel_brings_no_device_tree_of_the_raspberry_pi_5_to_the_card() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        return;
    }
    let folder = "usr/lib/linux-image-6.12.200+deb13-rt-arm64/broadcom";
    let control = "Package: linux-image-6.12.200\nVersion: 1\nArchitecture: all\nMaintainer: test <test@example.org>\nDescription: test\n";
    let trees = [
        "bcm2711-rpi-4-b.dtb",
        "bcm2712-rpi-5-b.dtb",
        "bcm2712-d-rpi-5-b.dtb",
        "bcm2837-rpi-3-b.dtb",
    ];
    let package = Root::new(&[("DEBIAN/control", control)]);
    for tree in trees {
        package.write(&format!("{folder}/{tree}"), "");
    }
    let root = Root::new(&[("var/lib/dpkg/status", ""), ("var/lib/dpkg/available", "")]);
    fs::create_dir_all(root.path("var/lib/dpkg/updates")).unwrap();
    fs::create_dir_all(root.path("var/lib/dpkg/info")).unwrap();
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let deb = root.path("kernel.deb");
    run(Command::new("dpkg-deb").arg("--build").args([package.0.path(), &deb]));
    let settings = Path::new(PROGRAM).with_file_name("../sd-image/files/dpkg.cfg");
    let settings = fs::read_to_string(settings).unwrap();
    let settings = settings.lines().filter(|line| !line.starts_with('#'));
    let mut dpkg = Command::new("dpkg");
    dpkg.arg("--root").arg(root.0.path()).args(["--force-not-root", "--log=/dev/null"]);
    run(dpkg.args(settings.map(|line| format!("--{line}"))).arg("--unpack").arg(&deb));
    let unpacked = fs::read_dir(root.path(folder)).unwrap().map(|it| it.unwrap().file_name());
    let mut unpacked: Vec<_> = unpacked.map(|name| name.into_string().unwrap()).collect();
    unpacked.sort();
    assert_eq!(unpacked, [trees[0], trees[3]]);
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
