//! A load on the machine of the clock, where the service is stopped and started.

use super::*;
use clock_tests::{program, write_executable};

/// A machine whose `/etc/chess-clock` and `/var/lib/chess-clock` are the folders of a clock. A script
/// stands for `systemctl`: it says that `clockd` is in the state in the file `state`, and writes its other
/// arguments to `systemctl.log`. `stop` sends its caller the signals of Ctrl-C and of a lost connection, and
/// copies the reason that the face would show if its caller were killed.
struct Machine<'a> {
    clock: &'a Clock,
}

const SYSTEMCTL: &str = "#!/bin/sh\n\
    [ \"$1\" != is-active ] || { cat state; exec grep -qx active state; }\n\
    echo \"$@\" >>systemctl.log\n\
    [ \"$1\" = stop ] || exit 0\n\
    cp /run/chess-clock/load-failed interrupted\n\
    kill -HUP $PPID && kill -INT $PPID && kill -TERM $PPID\n";

impl Machine<'_> {
    fn of(clock: &Clock) -> Machine<'_> {
        let systemctl = clock.bench.folder().join("systemctl");
        write_executable(&systemctl, SYSTEMCTL);
        fs::write(clock.bench.folder().join("state"), "inactive\n").unwrap();
        Machine { clock }
    }

    /// Loads a backup after the shell command `first`. In a mount namespace of its own, the folders of the
    /// clock take the place of this machine's folders.
    fn load(&self, first: &str, file: &str) -> Output {
        let folder = self.clock.bench.folder();
        let binds = ["etc", "var/lib"].map(|parent| {
            format!(
                "mount -t tmpfs tmpfs /{parent} && mkdir /{parent}/chess-clock && \
                 mount --bind root/{parent}/chess-clock /{parent}/chess-clock"
            )
        });
        let line = format!(
            "mount -t tmpfs tmpfs /run && {} && {first} && exec clockctl backup load {file}",
            binds.join(" && ")
        );
        let programs = program("clockd").parent().unwrap().display().to_string();
        let path = format!("{}:{programs}:{}", folder.display(), std::env::var("PATH").unwrap());
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "sh", "-c", &line]).current_dir(folder).env("PATH", path);
        unshare.env("DBUS_SYSTEM_BUS_ADDRESS", self.clock.bench.address()).output().unwrap()
    }

    /// What `systemctl` was asked to do.
    fn log(&self) -> Option<String> {
        fs::read_to_string(self.clock.bench.folder().join("systemctl.log")).ok()
    }
}

/// The service is stopped only after the whole backup was checked. Afterwards the service is started, and
/// the faces that run are restarted, also if the connection of the user is lost meanwhile.
#[test]
fn on_the_machine_itself_the_clock_is_stopped_and_started_with_systemctl() {
    let clock = Clock::set_up();
    clock.save(&["good.tar"]);
    clock.write("etc/chess-clock/clockd.toml", "board = 1\n");
    let folder = clock.bench.folder();
    let good = fs::read(folder.join("good.tar")).unwrap();
    fs::write(folder.join("bad.tar"), &good[..520]).unwrap();
    let machine = Machine::of(&clock);
    let _alone = MOUNTS.lock();
    if !has_namespaces() {
        return;
    }
    let refused = |first: &str, file: &str, words: &str| {
        let output = machine.load(first, file);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(words), "{output:?}");
        assert_eq!(clock.read("etc/chess-clock/clockd.toml"), "board = 1\n");
    };
    refused("true", "bad.tar", "cut off");
    // A service that runs and is not on the bus can have a game, and for one that waits for its restart
    // systemd keeps it. Without an answer of systemd, neither is known.
    let words = "clockd runs or is about to be started, and whether a game is on the clock";
    for state in ["active", "activating", "deactivating", "reloading", ""] {
        refused(&format!("echo {state} >state"), "good.tar", words);
    }
    assert_eq!(machine.log(), None);
    fs::write(folder.join("state"), "failed\n").unwrap();
    let read_only = "mount -o remount,bind,ro /etc/chess-clock";
    refused(read_only, "good.tar", "Read-only file system");
    let again = "stop clockd.service\nstart clockd.service\n\
        try-restart clock-display.service clock-display-console.service clock-display-devices.service\n";
    assert_eq!(machine.log().unwrap(), again);

    let loaded = machine.load("true", "good.tar");
    assert!(loaded.status.success(), "{loaded:?}");
    // This machine has no service that would answer.
    let said = String::from_utf8_lossy(&loaded.stderr);
    assert!(said.contains("the backup is loaded, and the clock does not answer yet"), "{said}");
    assert_eq!(clock.read("etc/chess-clock/clockd.toml"), "board = 12\ncontrol = '3+2'\n");
    assert_eq!(machine.log().unwrap(), [again, again].concat());
    let interrupted = fs::read_to_string(folder.join("interrupted")).unwrap();
    assert_eq!(interrupted, "good.tar: the load was interrupted, load it again\n");
}

/// The folder of the wiring is a link to nothing, so its file cannot be written. The other settings are not
/// replaced, and neither is the record.
#[test]
fn a_setting_that_cannot_be_written_leaves_all_as_it_was() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    clock.stop();
    clock.save(&["good.tar"]);
    clock.write("etc/chess-clock/clockd.toml", "board = 1\n");
    fs::remove_dir_all(clock.path("etc/chess-clock/wiring")).unwrap();
    symlink("nothing", clock.path("etc/chess-clock/wiring")).unwrap();
    let state = || {
        let names = |folder: &str| {
            let entries = fs::read_dir(clock.path(folder)).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let record = fs::metadata(clock.path("var/lib/chess-clock/games")).unwrap().ino();
        (record, names("var/lib/chess-clock"), names("etc/chess-clock"))
    };
    let before = state();
    let output = clock.backup(&["load", "good.tar"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("/etc/chess-clock/wiring/own.toml: "), "{said}");
    assert!(said.contains("; nothing was changed"), "{said}");
    assert_eq!((output.status.code(), state()), (Some(2), before));
    assert_eq!(clock.read("etc/chess-clock/clockd.toml"), "board = 1\n");
}
