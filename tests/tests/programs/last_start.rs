//! `sd-image/files/last-start`: what a start without a picture leaves on the boot partition.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../sd-image/files/last-start");

/// A machine with programs that say what those of a board would say.
struct Machine(tempfile::TempDir);

impl Machine {
    /// `active`: the units that systemd has started. `used`: whether a picture is sent to the screen.
    fn new(active: &[&str], used: bool) -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        let enabled = if used { "enabled\n" } else { "disabled\n" };
        for (file, text) in [
            ("boot/config.txt", ""),
            ("proc/uptime", "61.23 200.10\n"),
            ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0"),
            ("proc/cmdline", "smsc95xx.macaddr=B8:27:EB:11:22:33 bcm2709.serial=0x7a3f quiet\n"),
            ("sys/class/drm/card1-HDMI-A-1/status", "connected\n"),
            ("sys/class/drm/card1-HDMI-A-1/enabled", enabled),
            ("sys/class/drm/card1-HDMI-A-1/modes", ""),
            ("dev/gpiochip0", ""),
        ] {
            let path = machine.path(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let active = active.join("|");
        machine.program(
            "systemctl",
            &format!("case $*/ in *is-active*) case $3 in {active}) ;; *) exit 3 ;; esac ;; *--failed*) echo 'chess-clock-publish@menchik.service loaded failed failed Publisher for Menchik' ;; *) echo 'Result=timeout' ;; esac"),
        );
        machine.program(
            "journalctl",
            "case $* in *clock-display*) echo 'HDMI-A-1: a screen is connected, but' ;; *) echo Menchik ;; esac",
        );
        machine.program("clockctl", "echo 'board: Menchik'; echo 'fault: configuration-refused'");
        machine.program(
            "dmesg",
            "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo \"[$i] eth0: a line of the kernel that is as long as they usually are, and longer, \
             at 192.0.2.17, b8:27:eb:44:55:66, fe80::ba27:ebff:fe44:5566, for $i\"; done\n\
             echo 'usb 1-1: SerialNumber: 00249B0A1B2C'; \
             echo 'wlan0: associated with Club Menchik'; echo 'brcmfmac: Menchik'; echo 'systemd[1]: Hostname set to <club-12>.'; echo 'the last line'",
        );
        machine.program("dpkg-query", "echo clockd 0.1.0");
        machine
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.path("bin").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// What the program leaves on the boot partition.
    fn run(&self) -> Option<String> {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut program = Command::new("sh");
        program.arg(PROGRAM).arg(self.path("boot")).arg(self.0.path()).env("PATH", path);
        let output = program.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(self.path("boot/last-start.txt")).ok()
    }
}

const BOTH: [&str; 2] = ["clockd.service", "clock-display.service"];

#[test]
fn a_start_in_order_leaves_nothing_and_takes_an_earlier_report_away() {
    let machine = Machine::new(&BOTH, true);
    fs::write(machine.path("boot/last-start.txt"), "earlier\n").unwrap();
    assert_eq!(machine.run(), None);
    fs::write(machine.path("boot/debug.txt"), "").unwrap();
    assert!(machine.run().is_some());
}

/// A clock with modules has no screen.
#[test]
fn a_clock_with_modules_alone_leaves_nothing() {
    assert_eq!(
        Machine::new(&["clockd.service", "clock-display-devices.service"], false).run(),
        None
    );
    assert!(Machine::new(&["clock-display-devices.service"], false).run().is_some());
}

/// The face sends a picture to the first connector if the set-up file gives a mode.
#[test]
fn a_picture_for_a_screen_that_is_not_connected_leaves_a_report() {
    let machine = Machine::new(&BOTH, true);
    fs::write(machine.path("sys/class/drm/card1-HDMI-A-1/status"), "disconnected\n").unwrap();
    assert!(machine.run().is_some());
}

#[test]
fn a_start_without_clock_face_or_picture_leaves_a_report() {
    for (active, used) in [(&BOTH[..1], true), (&BOTH[1..], true), (&BOTH[..], false)] {
        let report = Machine::new(active, used).run().unwrap();
        for part in [
            "The last start of the chess clock, 61.23 s after the kernel\n",
            "Raspberry Pi 4 Model B Rev 1.5\n",
            "clockd 0.1.0\n",
            "Result=timeout\n",
            "card1-HDMI-A-1: connected, ",
            "HDMI-A-1: a screen is connected, but\n",
            "fault: configuration-refused\n",
            "chess-clock-publish@.service\n",
        ] {
            assert!(report.contains(part), "{part}: {report}");
        }
    }
}

#[test]
fn the_report_is_bounded_and_names_no_network_and_no_address() {
    let report = Machine::new(&[], false).run().unwrap();
    for hidden in
        ["enchik", "club-12", "192.0.2.17", "B8:27:EB", "b8:27:eb", "7a3f", "ba27", "00249B"]
    {
        assert!(!report.contains(hidden), "{hidden}");
    }
    assert!(
        report.contains("smsc95xx.macaddr=(address) bcm2709.serial=(number) quiet"),
        "{report}"
    );
    assert!(report.len() <= 64 << 10 && report.ends_with("the last line\n"), "{}", report.len());
}
