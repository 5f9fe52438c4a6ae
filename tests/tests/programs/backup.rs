//! `clockctl backup` with the real service and its record, on a folder that stands for the root of the
//! system, and on file systems that are too small, read-only or damaged.

use clock_tests::system_bus::MOUNTS;
use clock_tests::{Bench, Buttons, Program, program};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const KEYS: &str = "restrict ssh-ed25519 AAAA Vera\n";
const OWN: &str = "name = 'Club'\n[[periods]]\ntime = '7m'\nincrement = '3s'\n";

/// A clock whose files are below `root` in the folder of the bench.
struct Clock {
    bench: Bench,
    clockd: Option<Program>,
    _bus: Program,
}

impl Clock {
    /// A clock of board 12 with every kind of file that belongs to a backup, without a running service.
    fn set_up() -> Clock {
        let clock = Clock::bare();
        clock.write("etc/hostname", "clock-12\n");
        clock.write("etc/chess-clock/clockd.toml", "board = 12\ncontrol = '3+2'\n");
        clock.write("etc/chess-clock/display.toml", "[screen]\nrotation = 180\n");
        clock.write("etc/chess-clock/chessclock.applied", "sha256 = ''\npassphrase = 'sesame'\n");
        clock.write("etc/chess-clock/controls/club evening.toml", OWN);
        clock.write("etc/chess-clock/rules/club.toml", "inherits = 'fide-2023'\n");
        clock.write("etc/chess-clock/wiring/own.toml", "chip = 'x'\n");
        clock.write("etc/chess-clock/publish/broker", "-P password\n");
        clock.write("etc/chess-clock/authorized-keys/arbiter", KEYS);
        clock.write("var/lib/chess-clock/menu.json", "{\"silent\":true}");
        for secret in ["publish/broker", "chessclock.applied"] {
            let path = clock.path(&format!("etc/chess-clock/{secret}"));
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        clock
    }

    /// A clock that was just flashed.
    fn bare() -> Clock {
        let bench = Bench::in_memory().unwrap();
        let bus = bench.bus().unwrap();
        let clock = Clock { bench, clockd: None, _bus: bus };
        fs::create_dir_all(clock.path("var/lib/chess-clock")).unwrap();
        fs::create_dir_all(clock.path("etc/chess-clock")).unwrap();
        clock
    }

    fn path(&self, path: &str) -> PathBuf {
        self.bench.folder().join("root").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn start(&mut self) {
        let mut command = self.bench.clockd_command(&[]);
        command.env("STATE_DIRECTORY", self.path("var/lib/chess-clock"));
        self.clockd = Some(self.bench.start(command).unwrap());
    }

    fn stop(&mut self) {
        self.clockd = None;
    }

    fn buttons(&self) -> Buttons {
        self.bench.buttons().unwrap()
    }

    /// Plays a game with two presses to its end.
    fn play(&self, white: &str) {
        self.done(&["new", "3+2", "--white", white, "--force"]);
        self.done(&["start"]);
        for side in ["white", "black"] {
            self.buttons().press(side).unwrap();
        }
        self.done(&["pause"]);
        self.done(&["result", "1-0", "mate"]);
    }

    fn done(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = self.bench.clockctl(words);
        let path = std::env::var("PATH").unwrap();
        let programs = program("clockd").parent().unwrap().display().to_string();
        command.env("PATH", format!("{programs}:{path}")).current_dir(self.bench.folder());
        command.output().unwrap()
    }

    fn backup(&self, words: &[&str]) -> Output {
        self.run(&[&["backup"], words, &["--root", "root"]].concat())
    }

    /// Saves a backup. Returns the JSON.
    fn save(&self, words: &[&str]) -> Value {
        let output = self.backup(&[&["save"], words, &["--json"]].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs a command that must fail with this exit code and change nothing below the root. Returns its
    /// message.
    fn refused(&self, words: &[&str], exit: i32) -> String {
        let before = self.everything();
        let output = self.backup(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(exit), "{words:?}: {said}");
        assert_eq!(self.everything(), before, "{words:?}: {said}");
        said
    }

    /// The paths and contents below the root, without the files that the service writes all the time.
    fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let is_of_service =
                        self.clockd.is_some() && path.to_str().unwrap().contains("sqlite3");
                    let contents = if is_of_service { vec![] } else { fs::read(&path).unwrap() };
                    found.push((path, contents));
                }
            }
        }
        found.sort();
        found
    }

    /// The games on record, the newest first, by the names of White.
    fn games(&self) -> Vec<String> {
        let lines = self.done(&["log", "--games", "--json"]);
        let games = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        games.map(|game| game["white"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs the program tar, so that the test does not depend on our own reading and writing of tar files.
fn tar(folder: &Path, words: &str) -> String {
    let output = Command::new("tar").args(words.split(' ')).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "tar {words}: {output:?}");
    text(&output)
}

#[test]
fn a_clock_that_is_saved_in_a_game_comes_back_whole_on_another_machine() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    clock.done(&["new", "3+2", "--white", "Vera"]);
    clock.done(&["start"]);
    clock.buttons().press("white").unwrap();
    let saved = clock.save(&["."]);
    let file = saved["file"].as_str().unwrap();
    assert!(file.starts_with("./chess-clock-clock-12-12-20") && file.ends_with(".tar"), "{file}");
    assert_eq!((&saved["board"], &saved["host"]), (&"12".into(), &"clock-12".into()));
    // The first one is that of the configuration.
    let games = clock.games();
    assert_eq!(saved["games"], games.len());
    assert_eq!(clock.bench.status().unwrap()["phase"], "running", "the game went on");
    assert_eq!(mode(&clock.bench.folder().join(file)), 0o600);

    let mut other = Clock::bare();
    other.write("etc/chess-clock/clockd.toml", "board = 1\n");
    other.start();
    other.play("Someone");
    let file = clock.bench.folder().join(file).display().to_string();
    let tried = other.backup(&["load", &file, "-n"]);
    assert!(text(&tried).contains("/etc/chess-clock/clockd.toml: would be replaced"), "{tried:?}");
    assert_eq!(other.read("etc/chess-clock/clockd.toml"), "board = 1\n");
    other.stop();
    let loaded = other.backup(&["load", &file, "--json"]);
    let loaded: Value = serde_json::from_slice(&loaded.stdout).unwrap();
    assert_eq!(loaded["changed"].as_array().unwrap().len(), 9, "{loaded}");
    // What was there is kept.
    let before = PathBuf::from(loaded["before"].as_str().unwrap());
    let before = other.bench.folder().join(before);
    assert_eq!(mode(&before), 0o700);
    let earlier = fs::read_to_string(before.join("settings/clockd.toml")).unwrap();
    assert_eq!(earlier, "board = 1\n");
    let record = loaded["record_before"].as_str().unwrap();
    assert!(record.ends_with("record.sqlite3.replaced-1"), "{record}");

    other.start();
    assert_eq!(other.games(), games);
    // The game goes on, because this machine was not restarted since it was saved. On another machine it
    // would be paused.
    assert_eq!(other.bench.status().unwrap()["phase"], "running");
    assert!(other.done(&["status"]).contains("Vera"), "the game that was on the clock");
    for path in [
        "etc/chess-clock/clockd.toml",
        "etc/chess-clock/display.toml",
        "etc/chess-clock/controls/club evening.toml",
        "etc/chess-clock/rules/club.toml",
        "etc/chess-clock/publish/broker",
        "etc/chess-clock/authorized-keys/arbiter",
        "etc/chess-clock/chessclock.applied",
    ] {
        assert_eq!(other.read(path), clock.read(path), "{path}");
        let secret = path.contains("publish/") || path.ends_with("applied");
        assert_eq!(mode(&other.path(path)), if secret { 0o600 } else { 0o644 }, "{path}");
    }
    assert_eq!(mode(&other.path("etc/chess-clock/publish")), 0o700);
    let menu = fs::metadata(other.path("var/lib/chess-clock/menu.json")).unwrap();
    let folder = fs::metadata(other.path("var/lib/chess-clock")).unwrap();
    assert_eq!((menu.uid(), menu.gid()), (folder.uid(), folder.gid()));
    // After loading, nothing differs from the backup.
    other.stop();
    let again = other.backup(&["load", &file, "--json", "-n"]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["changed"], Value::Array(vec![]));
}

#[test]
fn a_backup_is_an_ordinary_tar_file_and_never_replaces_another_one() {
    let clock = Clock::set_up();
    symlink("/etc/shadow", clock.path("etc/chess-clock/controls/link.toml")).unwrap();
    clock.write("etc/chess-clock/rules/notes.txt", "no rules");
    let saved = clock.save(&["."]);
    assert_eq!(saved["games"], Value::Null, "there is no record yet");
    assert_eq!(saved["left_out"], serde_json::json!(["controls/link.toml", "rules/notes.txt"]));
    let folder = clock.bench.folder();
    let names = tar(folder, &format!("-tf {}", saved["file"].as_str().unwrap()));
    let names: Vec<&str> = names.lines().collect();
    assert_eq!(names.first(), Some(&"settings/authorized-keys/arbiter"));
    assert_eq!(names.last(), Some(&"manifest.json"));
    assert_eq!(names.len(), 10);
    let saved = clock.save(&[".", "--without-passwords"]);
    let fewer = tar(folder, &format!("-tf {}", saved["file"].as_str().unwrap()));
    let secret = ["settings/chessclock.applied", "settings/publish/broker"];
    let others = names.iter().filter(|name| !secret.contains(name));
    assert!(fewer.lines().eq(others.copied()), "{fewer}");
    // The name has the minute, so a second backup in the same minute gets a number.
    assert_ne!(clock.save(&["."])["file"], saved["file"]);
    clock.save(&["mine.tar"]);
    assert!(clock.refused(&["save", "mine.tar"], 1).contains("it exists already"));
    assert!(clock.refused(&["save", "missing"], 2).contains("missing: No such file"));
    assert!(clock.refused(&["load", "missing.tar"], 2).contains("missing.tar: No such file"));
    assert!(clock.refused(&["load", "."], 2).contains("several backups; give one: chess-clock-"));
    assert!(clock.refused(&["load", "root"], 2).contains("root: it has no chess-clock-"));
}

#[test]
fn no_backup_is_loaded_while_a_game_is_on_the_clock_or_the_service_runs() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    clock.save(&["a.tar"]);
    clock.done(&["new", "3+2"]);
    clock.done(&["start"]);
    let said = clock.refused(&["load", "a.tar"], 5);
    assert!(said.contains("a game is on the clock (a clock runs)"), "{said}");
    clock.done(&["pause"]);
    assert!(clock.refused(&["load", "a.tar"], 5).contains("the clocks are paused"));
    clock.done(&["result", "0-1", "mate"]);
    // With a root other than `/`, `clockctl` does not stop the service. The service still has the record
    // open, so the record cannot be replaced.
    clock.write("etc/chess-clock/display.toml", "");
    let said = clock.refused(&["load", "a.tar"], 2);
    assert!(said.contains("already open for writing"), "{said}");
    assert_eq!(clock.games().len(), 3);
}

#[test]
fn a_backup_that_was_changed_in_any_way_is_refused_and_changes_nothing() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    clock.save(&["good.tar"]);
    clock.stop();
    let folder = clock.bench.folder().to_owned();
    let good = fs::read(folder.join("good.tar")).unwrap();
    let said = |bytes: &[u8]| {
        fs::write(folder.join("bad.tar"), bytes).unwrap();
        clock.refused(&["load", "bad.tar"], 2)
    };
    let find = |text: &str| {
        let found = good.windows(text.len()).position(|bytes| bytes == text.as_bytes());
        found.unwrap_or_else(|| panic!("no {text}"))
    };
    // One bit is changed: in a name, in a size, in the record, in a setting, and in a sum.
    let places = ["record.sqlite3", "SQLite format 3", "increment = ", "\"sha256\": \"", "ustar"];
    for at in places.map(|text| find(text) + text.len() - 1).into_iter().chain([124, 40_000]) {
        let mut changed = good.clone();
        changed[at] ^= 1;
        said(&changed);
    }
    assert!(said(&good[..good.len() / 2]).contains("cut off"));
    assert!(said(&good[..512]).contains("nothing was changed"));
    assert!(said(b"").contains("it ends before its manifest"));
    assert!(said(&vec![b'x'; 4096]).contains("cannot be read"));

    let unpacked = folder.join("unpacked");
    let packed = |change: &dyn Fn(&Path), names: &str| {
        let _ = fs::remove_dir_all(&unpacked);
        fs::create_dir(&unpacked).unwrap();
        tar(&unpacked, "-xf ../good.tar");
        change(&unpacked);
        tar(&unpacked, &format!("-cf ../bad.tar --format=ustar {names}"));
        clock.refused(&["load", "bad.tar"], 2)
    };
    let all = "record.sqlite3 settings/clockd.toml manifest.json";
    assert!(packed(&|_| {}, all).contains("is missing"));
    assert!(packed(&|_| {}, "manifest.json settings/clockd.toml").contains("behind the manifest"));
    let linked = |folder: &Path| {
        fs::remove_file(folder.join("menu.json")).unwrap();
        symlink("/etc/shadow", folder.join("menu.json")).unwrap();
    };
    assert!(packed(&linked, "menu.json").contains("`menu.json` is no regular file"));
    let outside = |folder: &Path| fs::write(folder.join("passwd"), "x").unwrap();
    assert!(packed(&outside, "passwd").contains("`passwd` is no file of a clock"));
    assert!(packed(&|_| {}, "settings/../record.sqlite3 -P").contains("is no file of a clock"));
    let large = |folder: &Path| {
        fs::write(folder.join("settings/clockd.toml"), vec![b'#'; 70_000]).unwrap();
    };
    assert!(packed(&large, "settings/clockd.toml").contains("has 70000 bytes, more than 65536"));
    let newer = |folder: &Path| {
        let manifest = folder.join("manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(manifest, text.replace("\"chess_clock_backup\": 1", "\"chess_clock_backup\": 2"))
            .unwrap();
    };
    let refused = packed(&newer, "manifest.json");
    assert!(
        refused.contains("has the version 2; this program knows the versions 1 to 1"),
        "{refused}"
    );
}

/// Mounts a tmpfs of this size in KiB; `None` if the test may not mount.
fn small(folder: &Path, kibibytes: u32, options: &str) -> Option<Mounted> {
    fs::create_dir_all(folder).unwrap();
    let options = format!("size={kibibytes}k{options}");
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).output();
    match mount.is_ok_and(|output| output.status.success()) {
        true => Some(Mounted(folder.to_owned())),
        false if std::env::var_os("CI").is_some() => panic!("cannot mount"),
        false => {
            eprintln!("not run: nothing can be mounted");
            None
        }
    }
}

struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_or_read_only_place_has_nothing_of_a_backup() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    let folder = clock.bench.folder().join("stick");
    let entries = || fs::read_dir(&folder).unwrap().count();
    let failed = |code: &str, words: &str| {
        let output = clock.backup(&["save", "stick", "--json"]);
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&said["error"]["code"], &said["error"]["exit"]),
            (&code.into(), &1.into()),
            "{said}"
        );
        assert!(said["error"]["message"].as_str().unwrap().contains(words), "{said}");
        assert_eq!(entries(), 0);
    };
    let Some(_mounted) = small(&folder, 16, "") else { return };
    failed("full", "stick: it has no room for the backup; there is no backup");
    drop(_mounted);
    let _mounted = small(&folder, 4096, ",ro");
    failed("read-only", "stick: it cannot be written; there is no backup");
    drop(_mounted);
    let _mounted = small(&folder, 4096, "");
    clock.save(&["stick"]);
    assert_eq!(entries(), 1);
}

/// A loop device with a new file system of 8 MiB; `None` if the test may not create one.
struct Disk {
    device: String,
}

impl Disk {
    fn new(folder: &Path) -> Option<Disk> {
        let has_fat = fs::read_to_string("/proc/filesystems").is_ok_and(|it| it.contains("\tvfat"));
        let make = if has_fat { "mkfs.vfat disk.img" } else { "mkfs.ext4 -q disk.img" };
        let line = format!("truncate -s 8M disk.img && {make} >&2 && losetup -f --show disk.img");
        let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        let made =
            shell.args(["-c", &line]).env("PATH", path).current_dir(folder).output().unwrap();
        match made.status.success() {
            true => Some(Disk { device: text(&made).trim().to_owned() }),
            false if std::env::var_os("CI").is_some() => panic!("{made:?}"),
            false => {
                eprintln!("not run: no loop device");
                None
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["-d", &self.device]).output();
    }
}

fn mounts() -> String {
    fs::read_to_string("/proc/self/mounts").unwrap()
}

#[test]
fn a_stick_is_unmounted_after_the_backup_and_is_loaded_from() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    let _alone = MOUNTS.lock();
    let Some(disk) = Disk::new(clock.bench.folder()) else { return };
    let saved = clock.save(&[&disk.device]);
    assert_eq!(saved["stick"], disk.device.as_str());
    let name = saved["file"].as_str().unwrap();
    assert!(name.starts_with("chess-clock-clock-12-12-"), "{name}");
    assert!(!mounts().contains(&disk.device), "{}", mounts());
    // The backup is in the image file, and not only in the kernel's cache.
    let image = fs::read(clock.bench.folder().join("disk.img")).unwrap();
    let manifest = b"\"chess_clock_backup\": 1";
    assert!(image.windows(manifest.len()).any(|bytes| bytes == manifest));

    let other = Clock::bare();
    let loaded = other.backup(&["load", &disk.device, "-n"]);
    assert!(text(&loaded).starts_with(&format!("{name}: of clock-12, board 12, 20")), "{loaded:?}");
    assert!(!mounts().contains(&disk.device), "{}", mounts());
    clock.save(&[&disk.device]);
    let several = other.refused(&["load", &disk.device], 2);
    assert!(several.contains("it has several backups: chess-clock-"), "{several}");
    assert!(!mounts().contains(&disk.device), "{}", mounts());
    // A device without a file system and a mounted device are refused.
    let at = other.path("stick");
    fs::create_dir(&at).unwrap();
    assert!(Command::new("mount").arg(&disk.device).arg(&at).status().unwrap().success());
    let _mounted = Mounted(at.clone());
    let said = other.refused(&["save", &disk.device], 2);
    assert!(said.contains("it is mounted at") && said.contains("give that folder"), "{said}");
    drop(_mounted);
    fs::write(clock.bench.folder().join("disk.img"), vec![0; 1 << 20]).unwrap();
    let said = other.refused(&["save", &disk.device], 2);
    assert!(said.contains("it has no FAT, exFAT or ext4 file system"), "{said}");
}

/// A machine whose `/etc/chess-clock` and `/var/lib/chess-clock` are the folders of a clock. A script
/// stands for `systemctl`: it says that `clockd` runs if there is a file `active`, and writes its other
/// arguments to `systemctl.log`. `stop` sends its caller the signals of Ctrl-C and of a lost connection.
struct Machine<'a> {
    clock: &'a Clock,
}

const SYSTEMCTL: &str = "#!/bin/sh\n\
    [ \"$1\" != is-active ] || exec test -e active\n\
    echo \"$@\" >>systemctl.log\n\
    [ \"$1\" != stop ] || kill -HUP $PPID && kill -INT $PPID && kill -TERM $PPID\n";

impl Machine<'_> {
    fn of(clock: &Clock) -> Machine<'_> {
        let systemctl = clock.bench.folder().join("systemctl");
        fs::write(&systemctl, SYSTEMCTL).unwrap();
        fs::set_permissions(&systemctl, fs::Permissions::from_mode(0o755)).unwrap();
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

/// Whether the tests can make mount namespaces. Where `CI` is set, they must.
fn has_namespaces() -> bool {
    let made = Command::new("unshare").args(["--mount", "true"]).output();
    let can = made.is_ok_and(|output| output.status.success());
    assert!(can || std::env::var_os("CI").is_none(), "unshare --mount fails");
    if !can {
        eprintln!("not run: no mount namespace");
    }
    can
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
    fs::write(folder.join("bad.tar"), &good[..good.len() / 2]).unwrap();
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
    // A service that runs and is not on the bus can have a game.
    refused("touch active", "good.tar", "clockd runs, and whether a game is on the clock");
    assert_eq!(machine.log(), None);
    fs::remove_file(folder.join("active")).unwrap();
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
}

/// What a set-up file was applied belongs to the card. The name of the machine comes from the backup.
#[test]
fn the_set_up_file_of_the_card_counts_as_applied_after_a_load() {
    let clock = Clock::set_up();
    let applied = "etc/chess-clock/chessclock.applied";
    clock.write(
        applied,
        "sha256 = 'a'\nhost_name = 'clock-12'\nssid = 'Old'\npassphrase = 'sesame'\n",
    );
    clock.save(&["good.tar"]);
    clock
        .write(applied, "sha256 = 'b'\nhost_name = 'spare'\nssid = 'New'\npassphrase = 'secret'\n");
    let loaded = clock.backup(&["load", "good.tar"]);
    assert!(loaded.status.success(), "{loaded:?}");
    let expected =
        "sha256 = \"b\"\nhost_name = \"clock-12\"\nssid = \"New\"\npassphrase = \"secret\"\n";
    assert_eq!(clock.read(applied), expected);
}

/// Another process that writes a backup has locked its temporary file. One that was killed has not.
#[test]
fn two_backups_do_not_take_each_others_file() {
    let clock = Clock::set_up();
    let folder = clock.bench.folder().join("stick");
    fs::create_dir(&folder).unwrap();
    let of_other = File::create(folder.join("a.tar.part")).unwrap();
    rustix::fs::flock(&of_other, rustix::fs::FlockOperation::LockExclusive).unwrap();
    fs::write(folder.join("chess-clock-left.tar.part"), "left").unwrap();
    fs::write(folder.join("b.part"), "of somebody else").unwrap();
    let said = clock.refused(&["save", "stick/a.tar"], 1);
    assert!(said.contains("another backup is being written to stick/a.tar.part"), "{said}");
    clock.save(&["stick/c.tar"]);
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.tar.part", "b.part", "c.tar"]);
    drop(of_other);
    clock.save(&["stick/a.tar"]);
    assert!(!folder.join("a.tar.part").exists());
}

/// The JSON of `clockctl backup list`.
fn listed(clock: &Clock, words: &[&str]) -> Value {
    let output = clock.run(&[&["--json", "backup", "list"], words].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_backups_of_a_folder_are_listed_with_what_is_wrong_with_them() {
    let clock = Clock::set_up();
    let folder = clock.bench.folder().join("stick");
    fs::create_dir(&folder).unwrap();
    assert_eq!(listed(&clock, &["stick"])["backups"], Value::Array(vec![]));
    clock.save(&["stick/chess-clock-a.tar"]);
    let good = fs::read(folder.join("chess-clock-a.tar")).unwrap();
    let text = |bytes: &[u8], from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = bytes.windows(from.len()).position(|it| it == from.as_bytes()).unwrap();
        [&bytes[..at], to.as_bytes(), &bytes[at + to.len()..]].concat()
    };
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("chess-clock-older.tar", &text(&good, "\"made_at_s\": 17", "\"made_at_s\": 16"));
    write("chess-clock-cut.tar", &good[..1024]);
    write("chess-clock-newer.tar", &text(&good, "backup\": 1", "backup\": 2"));
    write("chess-clock-empty.tar", b"");
    write("chess-clock-\u{1b}[2J.tar", &good);
    write("notes.txt", &good);
    symlink("/etc/shadow", folder.join("chess-clock-link.tar")).unwrap();
    fs::create_dir(folder.join("chess-clock-folder.tar")).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("chess-clock-pipe.tar")).status().unwrap();
    assert!(made.success());

    let list = listed(&clock, &["stick"]);
    let backups = list["backups"].as_array().unwrap();
    let names: Vec<&str> = backups.iter().map(|it| it["file"].as_str().unwrap()).collect();
    let (first, rest) = names.split_at(2);
    assert_eq!(first, ["chess-clock-a.tar", "chess-clock-older.tar"]);
    let one = &backups[0];
    assert_eq!((&one["host"], &one["board"]), (&"clock-12".into(), &"12".into()));
    assert_eq!((&one["bytes"], &one["games"]), (&good.len().into(), &Value::Null));
    assert!(one["made_at"].as_str().unwrap().starts_with("20"), "{one}");
    let why = |name: &str| {
        let found = backups.iter().find(|it| it["file"] == format!("chess-clock-{name}.tar"));
        found.unwrap()["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(rest.len(), 6, "{names:?}");
    assert!(why("cut").contains("before its manifest"), "{}", why("cut"));
    assert!(why("newer").contains("has the version 2"));
    assert!(why("empty").contains("before its manifest"));
    assert!(why("link").contains("a symbolic link"));
    assert!(why("folder").contains("not a regular file"));
    assert!(why("pipe").contains("not a regular file"));
    let said = self::text(&clock.run(&["backup", "list", "stick"]));
    assert!(said.lines().count() == 9 && said.contains("cannot be loaded: "), "{said}");
    // A list changes nothing.
    assert_eq!(
        listed(&clock, &["stick/chess-clock-a.tar"])["backups"].as_array().unwrap().len(),
        1
    );
    assert_eq!(fs::read(folder.join("chess-clock-a.tar")).unwrap(), good);

    // Of very many files some are listed, and the others are counted.
    for number in 0..1200 {
        write(&format!("chess-clock-{number}.tar"), b"");
    }
    let list = listed(&clock, &["stick"]);
    assert_eq!(list["backups"].as_array().unwrap().len(), 100);
    assert_eq!(list["more"], 1208 - 100);
    let said = clock.refused(&["load", "../stick"], 2);
    assert!(said.contains("No such file"), "{said}");
    let said = clock.refused(&["load", "stick"], 2);
    assert!(said.contains(" and more") && said.len() < 2000, "{said}");
}

#[test]
fn a_backup_is_loaded_without_its_accounts() {
    let clock = Clock::set_up();
    clock.save(&["a.tar"]);
    let mut others = Vec::new();
    for path in ["publish/broker", "authorized-keys/arbiter", "chessclock.applied", "display.toml"]
    {
        let path = format!("etc/chess-clock/{path}");
        clock.write(&path, "");
        others.push(path);
    }
    let output = clock.backup(&["load", "a.tar", "--without-accounts", "--json"]);
    let loaded: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (display, accounts) = others.split_last().unwrap();
    assert!(accounts.iter().all(|path| clock.read(path).is_empty()), "{loaded}");
    assert!(!clock.read(display).is_empty());
    assert_eq!(loaded["left_out"].as_array().unwrap().len(), 3, "{loaded}");
    assert_eq!(loaded["changed"], serde_json::json!(["/etc/chess-clock/display.toml"]));
}

/// The answer to a request of the menu, and the exit code.
fn served(clock: &Clock, request: &str) -> (Value, Option<i32>) {
    let words = ["--json", "backup", "serve", "stick", "--root", "root"];
    let mut command = clock.bench.clockctl(&words);
    let programs = program("clockd").parent().unwrap().display().to_string();
    command.env("PATH", programs).current_dir(clock.bench.folder()).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // A program that has refused a request that is too long does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(request.as_bytes());
    let output = child.wait_with_output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code())
}

#[test]
fn a_request_of_the_menu_lists_the_backups_and_loads_one_of_them() {
    let mut clock = Clock::set_up();
    fs::create_dir(clock.bench.folder().join("stick")).unwrap();
    for number in 0..25 {
        clock.save(&[&format!("stick/chess-clock-{number}.tar")]);
    }
    let (list, exit) = served(&clock, "list\n");
    assert_eq!((list["backups"].as_array().unwrap().len(), exit), (20, Some(0)));
    assert_eq!(list["more"], 5);
    clock.write("etc/chess-clock/clockd.toml", "board = 1\n");
    clock.write("etc/chess-clock/publish/broker", "ours");
    let before = clock.everything();
    let refused = |request: &str, code: &str| {
        let (said, exit) = served(&clock, request);
        assert_eq!((&said["error"]["code"], exit), (&code.into(), Some(2)), "{request}: {said}");
        assert_eq!(clock.everything(), before);
        said["error"]["message"].as_str().unwrap().to_owned()
    };
    let outside = clock.bench.folder().join("chess-clock-outside.tar");
    fs::copy(clock.bench.folder().join("stick/chess-clock-1.tar"), &outside).unwrap();
    for request in [
        "load ../chess-clock-outside.tar\n",
        &format!("load {}\n", outside.display()),
        "load chess-clock-../../x.tar\n",
        "save\n",
        "list",
        &format!("load chess-clock-{}.tar\n", "x".repeat(300)),
        &"x".repeat(1 << 20),
    ] {
        assert!(refused(request, "usage").starts_with("the request: "));
    }
    refused("load chess-clock-outside.tar\n", "no-backup");
    let link = clock.bench.folder().join("stick/chess-clock-link.tar");
    symlink("../chess-clock-outside.tar", link).unwrap();
    assert!(refused("load chess-clock-link.tar\n", "damaged-backup").contains("symbolic link"));

    let (loaded, exit) = served(&clock, "load chess-clock-1.tar\n");
    assert_eq!((&loaded["file"], exit), (&"stick/chess-clock-1.tar".into(), Some(0)), "{loaded}");
    assert_eq!(clock.read("etc/chess-clock/clockd.toml"), "board = 12\ncontrol = '3+2'\n");
    assert_eq!(clock.read("etc/chess-clock/publish/broker"), "ours");
    clock.start();
    clock.done(&["new", "3+2"]);
    clock.done(&["start"]);
    let (said, exit) = served(&clock, "load chess-clock-1.tar\n");
    assert_eq!((&said["error"]["code"], exit), (&"game-under-way".into(), Some(5)));
}

#[test]
fn a_backup_for_the_menu_has_its_record_in_the_folder_of_the_record() {
    let clock = Clock::set_up();
    fs::create_dir(clock.bench.folder().join("stick")).unwrap();
    let text = clock.read("etc/chess-clock/clockd.toml");
    let load = |path: &str| {
        clock.write("etc/chess-clock/clockd.toml", &format!("{text}[record]\npath = '{path}'\n"));
        clock.save(&["stick/chess-clock-a.tar"]);
        clock.write("etc/chess-clock/clockd.toml", &text);
        let (said, _) = served(&clock, "load chess-clock-a.tar\n");
        fs::remove_file(clock.bench.folder().join("stick/chess-clock-a.tar")).unwrap();
        said["error"]["code"].as_str().map(str::to_owned)
    };
    for path in [
        "/home/vera/record.sqlite3",
        "/var/lib/chess-clock/../../../etc/record.sqlite3",
        "/var/lib/chess-clock/more/record.sqlite3",
        "/var/lib/chess-clock/other.json",
        "/var/lib/chess-clock.sqlite3",
        "record.sqlite3",
    ] {
        assert_eq!(load(path).as_deref(), Some("record-elsewhere"), "{path}");
    }
    assert_eq!(load("/var/lib/chess-clock/games.sqlite3"), None);
}
