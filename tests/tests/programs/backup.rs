//! `clockctl backup` with the real service and its record, on a folder that stands for the root of the
//! system, and on file systems that are too small, read-only or damaged.

mod machine;
mod places;
mod requests;

use clock_tests::system_bus::{MOUNTS, has_namespaces};
use clock_tests::{Bench, Buttons, Program};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const KEYS: &str = "restrict ssh-ed25519 AAAA Vera\n";
const OWN: &str = "name = 'Club'\n[[periods]]\ntime = '7m'\nincrement = '3s'\n";

/// A clock whose files are below `root` in the folder of the bench.
struct Clock {
    bench: Bench,
    clockd: Option<Program>,
    _bus: Program,
}

impl Clock {
    /// A clock of board 12 with every kind of file that belongs to a backup, and with keys and passwords, which
    /// do not; without a running service.
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
        self.bench.clockctl(words).current_dir(self.bench.folder()).output().unwrap()
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
                        self.clockd.is_some() && path.to_str().unwrap().contains("/games/");
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
    assert_eq!(loaded["changed"].as_array().unwrap().len(), 6, "{loaded}");
    // What was there is kept.
    let before = PathBuf::from(loaded["before"].as_str().unwrap());
    let before = other.bench.folder().join(before);
    assert_eq!(mode(&before), 0o700);
    let earlier = fs::read_to_string(before.join("settings/clockd.toml")).unwrap();
    assert_eq!(earlier, "board = 1\n");
    let record = loaded["record_before"].as_str().unwrap();
    assert!(record.ends_with("games.replaced-1"), "{record}");

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
        "etc/chess-clock/wiring/own.toml",
    ] {
        assert_eq!(other.read(path), clock.read(path), "{path}");
        assert_eq!(mode(&other.path(path)), 0o644, "{path}");
    }
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
    let output = clock.backup(&["save", ".", "--json"]);
    let saved: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(saved["games"], Value::Null, "there is no record yet");
    let said = String::from_utf8_lossy(&output.stderr);
    for path in ["controls/link.toml", "rules/notes.txt"] {
        assert!(said.contains(&format!("left out: /etc/chess-clock/{path}\n")), "{said}");
    }
    let folder = clock.bench.folder();
    let names = tar(folder, &format!("-tf {}", saved["file"].as_str().unwrap()));
    let expected = "settings/clockd.toml\nsettings/controls/club evening.toml\nsettings/display.toml\n\
                    settings/rules/club.toml\nsettings/wiring/own.toml\nmenu.json\nmanifest.json\n";
    assert_eq!(names, expected, "no keys of arbiters and no passwords");
    // The name has the minute, so a second backup in the same minute gets a number.
    assert_ne!(clock.save(&["."])["file"], saved["file"]);
    clock.save(&["mine.tar"]);
    assert!(clock.refused(&["save", "mine.tar"], 1).contains("it exists already"));
    assert!(clock.refused(&["save", "missing"], 2).contains("missing: there is no such file"));
    assert!(
        clock.refused(&["load", "missing.tar"], 2).contains("missing.tar: there is no such file")
    );
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
    assert!(said.contains("in use by another process"), "{said}");
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
    // One bit is changed: in a name, in the record, in a setting, in a sum, and in a size.
    let places = ["games/000001", "\"kind\":\"", "increment = ", "\"sha256\": \"", "ustar"];
    for at in places.map(|text| find(text) + text.len() - 1).into_iter().chain([124]) {
        let mut changed = good.clone();
        changed[at] ^= 1;
        said(&changed);
    }
    assert!(said(&good[..find("\"kind\":")]).contains("cut off"));
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
    let all = "games/000001.jsonl settings/clockd.toml manifest.json";
    assert!(packed(&|_| {}, all).contains("not those of its manifest"));
    assert!(packed(&|_| {}, "manifest.json settings/clockd.toml").contains("behind the manifest"));
    let linked = |folder: &Path| {
        fs::remove_file(folder.join("menu.json")).unwrap();
        symlink("/etc/shadow", folder.join("menu.json")).unwrap();
    };
    assert!(packed(&linked, "menu.json").contains("`menu.json` is no regular file"));
    let outside = |folder: &Path| fs::write(folder.join("passwd"), "x").unwrap();
    assert!(packed(&outside, "passwd").contains("`passwd` is no file of a clock"));
    assert!(packed(&|_| {}, "settings/../menu.json -P").contains("is no file of a clock"));
    let large = |folder: &Path| {
        fs::write(folder.join("settings/clockd.toml"), vec![b'#'; 70_000]).unwrap();
    };
    assert!(packed(&large, "settings/clockd.toml").contains("has 70000 bytes, more than 65536"));
    let newer = |folder: &Path| {
        let manifest = folder.join("manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(manifest, text.replace("\"chess_clock_backup\": 2", "\"chess_clock_backup\": 3"))
            .unwrap();
    };
    let refused = packed(&newer, "manifest.json");
    assert!(refused.contains("has the version 3; this program knows the version 2"), "{refused}");
}
