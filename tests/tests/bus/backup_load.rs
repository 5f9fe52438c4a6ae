//! The load of a backup on the machine of a clock that runs. `clockctl backup load` finds the folders of
//! the test in the places of those of the machine. The test carries out what `clockctl` asks of systemd.

use super::menu::Table;
use clock_tests::{program, write_executable};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tokio::io::copy_bidirectional;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Writes its words into a pipe, and waits for the exit code.
/// If the test fails, it does not wait for ever.
const SYSTEMCTL: &str = "#!/bin/sh\n\
    exec timeout 60 sh -c 'echo \"$*\" >orders; read code <answers; exit \"$code\"' sh \"$@\"\n";

/// Runs `clockctl` with these arguments in a mount namespace of its own.
const NAMESPACE: &str = "mount -t tmpfs tmpfs /etc && mkdir /etc/chess-clock && \
    mount --bind . /etc/chess-clock && mount -t tmpfs tmpfs /var/lib && mkdir /var/lib/chess-clock && \
    mount --bind state /var/lib/chess-clock && mount -t tmpfs tmpfs /run && mkdir /run/chess-clock && \
    mount --bind run /run/chess-clock && exec clockctl \"$@\"";

const RULES: &str = "inherits = 'fide-2023'\n";

/// A clock whose backups are loaded.
struct Clock {
    table: Table,
    folder: PathBuf,
    /// What `clockctl` asks of systemd.
    orders: UnboundedReceiver<String>,
}

impl Clock {
    /// `None` if the test may not make a mount namespace.
    async fn start() -> Option<Clock> {
        let table = Table::with("").await;
        let folder = table.fixture.bench.folder().to_owned();
        for path in ["stick", "run", "root/var/lib", "root/etc"] {
            fs::create_dir_all(folder.join(path)).unwrap();
        }
        write_executable(&folder.join("systemctl"), SYSTEMCTL);
        for (link, to) in [("root/var/lib/chess-clock", "state"), ("root/etc/chess-clock", "")] {
            std::os::unix::fs::symlink(folder.join(to), folder.join(link)).unwrap();
        }
        fs::write(folder.join("root/etc/hostname"), "clock-12\n").unwrap();
        let tried = ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/etc"];
        let tried = Command::new("unshare").args(tried).status();
        if !tried.is_ok_and(|status| status.success()) {
            assert!(std::env::var_os("CI").is_none(), "no mount namespace");
            eprintln!("not run: no mount namespace");
            return None;
        }
        for pipe in ["orders", "answers"] {
            let path = folder.join(pipe);
            mknodat(CWD, &path, FileType::Fifo, Mode::RWXU, 0).unwrap();
        }
        let (sender, orders) = unbounded_channel();
        let pipe = folder.join("orders");
        std::thread::spawn(move || {
            // The end of the file is the end of the order.
            while let Ok(line) = fs::read_to_string(&pipe) {
                if sender.send(line.trim_end().to_owned()).is_err() {
                    return;
                }
            }
        });
        Some(Clock { table, folder, orders })
    }

    /// Waits for this order of `clockctl` to systemd.
    async fn ordered(&mut self, expected: &str) {
        let order = tokio::time::timeout(clock_tests::DEADLINE, self.orders.recv()).await;
        assert_eq!(order.expect(expected).as_deref(), Some(expected), "{}", self.log());
    }

    fn answer(&self, code: &str) {
        let mut answers = File::options().write(true).open(self.folder.join("answers")).unwrap();
        writeln!(answers, "{code}").unwrap();
    }

    /// What the programs have printed on standard error.
    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("load.log")).unwrap_or_default()
    }

    /// Saves a backup of the clock as it is, in this file of the stick.
    fn save(&self, file: &str) {
        let path = format!("stick/{file}");
        let mut command =
            self.table.fixture.bench.clockctl(&["backup", "save", &path, "--root", "root"]);
        let saved = command.current_dir(&self.folder).output().unwrap();
        assert!(saved.status.success(), "{saved:?}");
    }

    /// Saves a backup of a clock on which these files have other contents.
    fn save_with(&self, file: &str, changes: &[(&str, &str)]) {
        let before: Vec<_> =
            changes.iter().map(|(path, _)| fs::read(self.folder.join(path)).ok()).collect();
        for (path, contents) in changes {
            let path = self.folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        self.save(file);
        for ((path, _), before) in changes.iter().zip(before) {
            match before {
                Some(before) => fs::write(self.folder.join(path), before).unwrap(),
                None => fs::remove_file(self.folder.join(path)).unwrap(),
            }
        }
    }

    /// The service is stopped and started, as `clockctl` orders it; `between` is called in between.
    async fn restarted(&mut self, between: impl FnOnce(&Path)) {
        self.ordered("stop clockd.service").await;
        self.table.stop();
        between(&self.folder);
        self.answer("0");
        self.ordered("start clockd.service").await;
        self.table.start().await;
        self.answer("0");
        let faces = ["clock-display", "clock-display-console", "clock-display-devices"];
        let faces: String = faces.iter().map(|face| format!(" {face}.service")).collect();
        self.ordered(&format!("try-restart{faces}")).await;
        self.answer("0");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap_or_default()
    }

    fn with_board(&self, board: &str) -> String {
        format!("board = \"{board}\"\n{}", self.read("clockd.toml"))
    }

    /// The games on record, as `clockctl log` prints them.
    fn games(&self) -> String {
        let output = self.table.fixture.bench.ctl(&["log", "--games"]).unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Begins to load the backup.
    fn load(&self) {
        self.load_on(&self.table.fixture.bench.address());
    }

    /// Begins to load the backup with this address of the bus.
    fn load_on(&self, bus: &str) {
        let programs = program("clockd").parent().unwrap().display().to_string();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{programs}:{path}", self.folder.display());
        let log = File::options().append(true).create(true).open(self.folder.join("load.log"));
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", NAMESPACE, "sh"]);
        command.args(["--json", "backup", "load", "stick"]);
        command.current_dir(&self.folder).env("PATH", path).stderr(log.unwrap());
        command.env("DBUS_SYSTEM_BUS_ADDRESS", bus);
        std::thread::spawn(move || command.output().unwrap());
    }

    fn faults(&self) -> Vec<String> {
        let status = self.table.fixture.bench.status().unwrap();
        let faults = status["faults"].as_array().unwrap().iter();
        faults.map(|fault| fault["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_clock_starts_anew_with_the_games_and_settings_of_a_backup() {
    let Some(mut clock) = Clock::start().await else { return };
    let text = clock.with_board("12");
    clock.save_with("chess-clock-a.tar", &[("clockd.toml", &text), ("rules/club.toml", RULES)]);
    // A game more is on record than in the backup.
    clock.table.play("black").await;
    clock.table.play("call").await;
    let result = clock.table.fixture.bench.ctl(&["result", "1-0", "mate"]).unwrap();
    assert!(result.status.success(), "{result:?}");
    let new = clock.table.fixture.bench.ctl(&["new", "3+2"]).unwrap();
    assert!(new.status.success(), "{new:?}");
    assert!(clock.games().contains("1-0"), "{}", clock.games());

    clock.load();
    clock.restarted(|_| {}).await;
    assert_eq!(clock.table.fixture.bench.status().unwrap()["board"], "12");
    assert!(!clock.games().contains("1-0"), "{}", clock.games());
    assert_eq!(clock.read("rules/club.toml"), RULES);
    assert!(clock.read("before-load-1/settings/clockd.toml").contains("control"));
    assert!(clock.folder.join("state/games.replaced-1").exists());
    assert!(clock.table.state().await.faults.is_empty());
}

/// If something fails after the service was stopped, the service shows the reason after its start, and
/// until a backup is loaded.
#[tokio::test]
async fn a_failure_after_the_stop_is_a_fault_after_the_start() {
    let Some(mut clock) = Clock::start().await else { return };
    clock.save_with("chess-clock-a.tar", &[("rules/club.toml", RULES)]);
    clock.load();
    // The new file can be written, and cannot take its place any more.
    let breaks = |folder: &Path| fs::create_dir_all(folder.join("rules/club.toml")).unwrap();
    clock.restarted(breaks).await;
    let faults = clock.faults();
    let of_load = "what is there is taken: chess-clock-a.tar: not all files";
    assert!(faults.iter().any(|text| text.contains(of_load)), "{faults:?}");
    // The record of the backup is in its place, and the clock can be used.
    assert!(clock.folder.join("state/games.replaced-1").exists());

    fs::remove_dir(clock.folder.join("rules/club.toml")).unwrap();
    clock.load();
    clock.restarted(|_| {}).await;
    assert_eq!(clock.faults(), Vec::<String>::new());
    assert!(clock.folder.join("rules/club.toml").exists());
}

/// The check of a backup can take minutes, in which a game can be started.
#[tokio::test]
async fn a_game_that_is_started_during_the_check_is_not_interrupted() {
    let Some(mut clock) = Clock::start().await else { return };
    clock.save("chess-clock-a.tar");
    // `clockctl` connects to the bus before it checks the record, and after that.
    let bus = clock.folder.join("bus-of-load");
    let listener = UnixListener::bind(&bus).unwrap();
    clock.load_on(&format!("unix:path={}", bus.display()));
    for connection in 1..=2 {
        let (mut from, _) = listener.accept().await.unwrap();
        if connection == 2 {
            let started = clock.table.fixture.bench.ctl(&["start"]).unwrap();
            assert!(started.status.success(), "{started:?}");
        }
        let mut to = UnixStream::connect(clock.folder.join("bus")).await.unwrap();
        tokio::spawn(async move { copy_bidirectional(&mut from, &mut to).await });
    }
    clock.table.state_when("a game", |state| state.phase == clock_dbus::Phase::Running).await;
    let refused = async {
        while !clock.log().contains("a game is on the clock (a clock runs)") {
            tokio::task::yield_now().await;
        }
    };
    let refused = tokio::time::timeout(clock_tests::DEADLINE, refused).await;
    assert!(refused.is_ok(), "{}", clock.log());
    assert!(clock.orders.try_recv().is_err());
    assert_eq!(clock.table.state().await.phase, clock_dbus::Phase::Running);
}
