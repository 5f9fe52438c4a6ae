//! A mistake in the configuration does not keep the clock from starting, and `clockd --check` names
//! it without a clock.

use clock_tests::system_bus::{MOUNTS, has_namespaces};
use clock_tests::{Bench, Program, Supervisor, eventually};
use serde_json::Value;
use std::process::Command;

/// A bench whose configuration names files of its own folder.
struct Fixture {
    bench: Bench,
    _bus: Program,
}

impl Fixture {
    fn new() -> Fixture {
        let bench = Bench::new().unwrap();
        for folder in ["controls", "rules", "state"] {
            std::fs::create_dir(bench.folder().join(folder)).unwrap();
        }
        let fixture = Fixture { _bus: bench.bus().unwrap(), bench };
        fixture.write("controls/ours.toml", "name = 'Ours'\n[[period]]\ntime = '7m'\n");
        fixture.write("rules/club.toml", "name = 'Club'\ninherits = 'fide-2023'\n");
        fixture.write("rules/juniors.toml", "name = 'Juniors'\ninherits = 'club'\n");
        fixture.write("clockd.toml", "control = 'ours'\nrules = 'juniors'\n");
        fixture
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.bench.folder().join(file), text).unwrap();
    }

    /// Starts a clock under a [`Supervisor`]. Its record is in the state folder.
    fn clock(&self) -> Supervisor {
        let (bench, state) = (&self.bench, self.bench.folder().join("state"));
        let arguments: Vec<_> =
            bench.clockd_command(&[]).get_args().map(ToOwned::to_owned).collect();
        let mut clock = Supervisor::new(bench.folder(), move || {
            let mut command = Command::new(clock_tests::program("clockd"));
            command.args(&arguments).env("STATE_DIRECTORY", &state);
            command
        })
        .unwrap();
        clock.start().unwrap();
        clock
    }

    /// Waits until the state folder has the configuration with this text.
    fn is_kept(&self, text: &str) {
        let path = self.bench.folder().join("state/last-configuration.json");
        eventually("the configuration is kept", || {
            std::fs::read_to_string(&path).ok()?.contains(text).then_some(())
        });
    }

    fn status(&self) -> Value {
        self.bench.status().unwrap()
    }

    /// The text of the fault that the configuration is refused; `None` if there is no such fault.
    fn fault(&self) -> Option<String> {
        let status = self.status();
        let faults = status["faults"].as_array().unwrap().clone();
        let fault = faults.into_iter().find(|fault| fault["code"] == "configuration-refused");
        fault.map(|fault| fault["text"].as_str().unwrap().to_owned())
    }
}

#[test]
fn a_running_game_comes_back_in_spite_of_a_mistake_in_the_configuration() {
    let fixture = Fixture::new();
    let mut clock = fixture.clock();
    fixture.is_kept("Juniors");
    fixture.bench.buttons().unwrap().press("black").unwrap();
    eventually("White's clock runs", || (fixture.status()["running"] == "white").then_some(()));
    let clockd_toml = fixture.bench.folder().join("clockd.toml").display().to_string();
    for (text, mistake) in [
        ("control = 'ours'\nbord = 'x'\n", "2:1: unknown key `bord`"),
        ("[captains]\nwhite = 'no body'\n", "2:9: `white`: no user `no body`"),
        ("control = 'theirs'\n", "1:11: `control`: no time control `theirs`"),
    ] {
        fixture.write("clockd.toml", text);
        clock.restart().unwrap();
        let status = fixture.status();
        assert_eq!((&status["running"], &status["rules"]), (&"white".into(), &"juniors".into()));
        let fault = fixture.fault().unwrap();
        let expected = format!("the last one that worked is taken: {clockd_toml}:{mistake}");
        assert!(fault.contains(&expected), "{fault}");
        clock.logged(&expected);
    }
    fixture.write("clockd.toml", "control = 'ours'\nrules = 'juniors'\n");
    clock.restart().unwrap();
    assert_eq!((fixture.fault(), &fixture.status()["running"]), (None, &"white".into()));
}

#[test]
fn the_last_configuration_that_worked_is_taken_as_a_whole() {
    let fixture = Fixture::new();
    let mut clock = fixture.clock();
    fixture.is_kept("Juniors");
    assert_eq!(clock.stop().unwrap(), 0);
    // The rule file `club`, which `juniors` inherits, is wrong, and another time control is
    // configured.
    fixture.write("rules/club.toml", "name = 'Club'\nclain_below = '2m'\n");
    fixture.write("clockd.toml", "control = '3+2'\nrules = 'juniors'\n");
    std::fs::remove_dir_all(fixture.bench.folder().join("state/games")).unwrap();
    clock.start().unwrap();
    let status = fixture.status();
    assert_eq!((&status["control"], &status["rules"]), (&"ours".into(), &"juniors".into()));
    let fault = fixture.fault().unwrap();
    assert!(fault.contains("juniors.toml:2:12: the inherited file `club`: 2:1: "), "{fault}");
}

#[test]
fn without_a_last_configuration_the_shipped_one_is_taken_without_buttons() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    bench.configure("bord = 'raspberry-pi'\n").unwrap();
    let _clockd = bench.start(bench.clockd_command_on_board()).unwrap();
    let status = bench.status().unwrap();
    assert_eq!((&status["control"], &status["rules"]), (&"5+3".into(), &"players-agree".into()));
    let faults: Vec<_> = status["faults"].as_array().unwrap().iter().collect();
    let text = |index: usize| faults[index]["text"].as_str().unwrap();
    assert_eq!(faults[0]["code"], "board-gone");
    assert!(
        text(1).contains("the shipped one is taken: ") && text(1).contains(":1:1: "),
        "{faults:?}"
    );
    bench.logged("it is not known how the buttons are wired");
}

#[test]
fn a_configuration_can_be_checked_without_a_clock() {
    let fixture = Fixture::new();
    let check = || fixture.bench.clockd_command(&["--check"]).output().unwrap();
    let output = check();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), said.as_str()),
        (Some(0), "time control ours (all moves in 0:07:00), rules juniors, no wiring\n")
    );
    fixture.write("controls/ours.toml", "name = 'Ours'\n[[period]]\ntime = '-7m'\n");
    let output = check();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("controls/ours.toml:3:8: `time`: `-7m` is negative"), "{said}");
    assert!(!fixture.bench.folder().join("state/last-configuration.json").exists());
}

/// A set-up file with a mistake is refused by `clockctl setup apply`, and clockd shows the reason until
/// the file is corrected. The configuration and the game are those that were set before.
#[test]
fn a_refused_set_up_file_is_a_fault_and_changes_nothing() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let root = bench.folder().join("root");
    std::fs::create_dir_all(root.join("etc")).unwrap();
    std::os::unix::fs::symlink(bench.folder(), root.join("etc/chess-clock")).unwrap();
    let (file, refused) = (bench.folder().join("chessclock.toml"), bench.folder().join("refused"));
    let apply = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new(clock_tests::program("clockctl"));
        command.args(["setup", "apply"]).arg(&file).arg("--root").arg(&root);
        command.arg("--refused").arg(&refused).output().unwrap().status.code().unwrap()
    };
    let start = || {
        let mut command = bench.clockd_command(&["--record", "none"]);
        command.env("CHESS_CLOCK_SET_UP_REFUSED", &refused);
        bench.start(command)
    };
    let shown = || {
        let status = bench.status().unwrap();
        let faults = status["faults"].as_array().unwrap().clone();
        let fault = faults.into_iter().find(|fault| fault["code"] == "configuration-refused");
        (status["board"].clone(), fault.map(|fault| fault["text"].as_str().unwrap().to_owned()))
    };
    assert_eq!(apply("board = 12\n"), 0);
    {
        let _clockd = start().unwrap();
        assert_eq!(shown(), ("12".into(), None));
    }
    assert_eq!(apply("board = 13\nbord = 1\n"), 2);
    {
        let _clockd = start().unwrap();
        let (board, fault) = shown();
        let place = format!("is taken: {}:2:1: unknown key `bord`", file.display());
        assert_eq!(board, "12");
        assert!(fault.as_ref().is_some_and(|text| text.contains(&place)), "{fault:?}");
        bench.logged(&place);
    }
    assert_eq!(apply("board = 13\n"), 0);
    let _clockd = start().unwrap();
    assert_eq!(shown(), ("13".into(), None));
}

/// The root of the Yocto layer's image is read-only. What a set-up file changes there is in the folders
/// on which its `/etc/fstab` mounts the data partition. The link to the time zone is not.
#[test]
fn a_set_up_file_is_applied_on_the_read_only_root_of_the_image() {
    let bench = Bench::in_memory().unwrap();
    let _alone = MOUNTS.lock();
    if !has_namespaces() {
        return;
    }
    let layer = concat!(env!("CARGO_MANIFEST_DIR"), "/../yocto/meta-chessclock/recipes-core");
    let table = std::fs::read_to_string(format!("{layer}/base-files/base-files/fstab")).unwrap();
    let mounted = table.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let (device, path) = (fields.next()?, fields.next()?);
        (device == "overlay" || device.starts_with("/data/")).then_some(path)
    });
    let mut script = String::from("mount --bind root root && mount -o remount,bind,ro root");
    for path in mounted {
        std::fs::create_dir_all(bench.folder().join(format!("root{path}"))).unwrap();
        script += &format!(" && mount -t tmpfs tmpfs root{path}");
    }
    for (file, text) in [
        ("etc/passwd", "arbiter:x:1:1::/:/bin/sh\n"),
        ("usr/libexec/iwd", ""),
        ("usr/share/zoneinfo/Europe/Dublin", "TZif2"),
    ] {
        let path = bench.folder().join("root").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let set_up = "host_name = 'clock-12'\ntime_zone = 'Europe/Dublin'\nboard = 12\nlanguage = 'ga'\n\
                  rotation = 180\n\
                  [wiring]\nchip = 'pinctrl-rp1'\ninput = 'rocker'\nwhite.line = 5\nblack.line = 6\n\
                  [arbiters]\nVera = 'ssh-ed25519 \
                  AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'\n\
                  [wifi]\ncountry = 'IE'\nssid = 'Club'\npassphrase = 'sesame open'\n";
    std::fs::write(bench.folder().join("chessclock.toml"), set_up).unwrap();
    script += &format!(
        " && for time in first second; do {} setup apply chessclock.toml --root root || exit; done \
         && cat root/etc/iwd/main.conf root/var/lib/iwd/Club.psk root/etc/chess-clock/clockd.toml",
        clock_tests::program("clockctl").display()
    );
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "sh", "-c", &script]).current_dir(bench.folder());
    let output = unshare.output().unwrap();
    let [said, error] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{error}");
    let stays = "clockctl: /etc/localtime: Read-only file system; the time zone stays as it is\n";
    assert_eq!(error, stays);
    for line in [
        "Country=IE",
        "Passphrase=sesame\\sopen",
        "board = \"12\"",
        "chessclock.toml: applied before",
    ] {
        assert!(said.lines().any(|it| it == line), "{line}: {said}");
    }
    assert!(!said.contains("/etc/hostname") && !said.contains("/etc/localtime"), "{said}");
}
