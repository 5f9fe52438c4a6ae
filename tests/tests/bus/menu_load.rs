//! The load of a backup from the menu at the clock: the players press, and `clockctl backup serve` runs as
//! it does under `chess-clock-load.socket`. It finds the folders of the test in the places of those of
//! the machine. The test carries out what `clockctl` asks of systemd.

use super::menu::Table;
use clock_tests::{program, write_executable};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
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

/// A clock with a socket for loads.
struct Clock {
    table: Table,
    folder: PathBuf,
    /// What `clockctl` asks of systemd.
    orders: UnboundedReceiver<String>,
}

impl Clock {
    /// `None` if the test may not make a mount namespace.
    async fn start(menu: &str) -> Option<Clock> {
        let table = Table::with(menu).await;
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
        serve(&folder, table.fixture.bench.address());
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
        fs::read_to_string(self.folder.join("serve.log")).unwrap_or_default()
    }

    /// Saves a backup of the clock as it is, in this file of the stick.
    fn save(&self, file: &str) {
        let path = format!("stick/{file}");
        let mut command =
            self.table.fixture.bench.clockctl(&["backup", "save", &path, "--root", "root"]);
        command.env("PATH", program("clockd").parent().unwrap()).current_dir(&self.folder);
        let saved = command.output().unwrap();
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

    /// Opens the list of the backups, and returns its lines.
    async fn list(&mut self) -> Vec<String> {
        self.table.open().await;
        self.table.choose_all(&["Load backup", "Show"]).await;
        self.table.titled("Backups on the stick").await;
        self.table.lines().await
    }

    /// Chooses the backup whose line begins like this, and confirms.
    async fn load(&mut self, line: &str) {
        self.list().await;
        self.table.choose_all(&[line, "Yes"]).await;
    }

    /// Loads it, and expects the page that says why nothing was loaded.
    async fn refused(&mut self, line: &str) -> String {
        self.load(line).await;
        self.table.titled("Nothing was loaded").await;
        let said = self.table.said().await;
        self.table.choose_all(&["Back", "Leave"]).await;
        self.table.closed().await;
        said
    }

    fn faults(&self) -> Vec<String> {
        let status = self.table.fixture.bench.status().unwrap();
        let faults = status["faults"].as_array().unwrap().iter();
        faults.map(|fault| fault["text"].as_str().unwrap().to_owned()).collect()
    }
}

/// Serves the socket as systemd does: each connection starts the program, which has the connection as its
/// standard input and output.
fn serve(folder: &Path, address: String) {
    let listener = UnixListener::bind(folder.join("load.socket")).unwrap();
    let folder = folder.to_owned();
    let programs = program("clockd").parent().unwrap().display().to_string();
    let path = format!("{}:{programs}:{}", folder.display(), std::env::var("PATH").unwrap());
    std::thread::spawn(move || {
        while let Ok((connection, _)) = listener.accept() {
            let mut command = Command::new("unshare");
            command.args(["--mount", "sh", "-c", NAMESPACE, "sh"]);
            command.args(["--json", "backup", "serve", "stick"]);
            command.current_dir(&folder).env("PATH", &path);
            command.env("DBUS_SYSTEM_BUS_ADDRESS", &address);
            let log = File::options().append(true).create(true).open(folder.join("serve.log"));
            command.stderr(log.unwrap()).stdin(OwnedFd::from(connection.try_clone().unwrap()));
            command.stdout(OwnedFd::from(connection)).status().unwrap();
        }
    });
}

#[tokio::test]
async fn players_load_a_backup_with_the_buttons_alone() {
    let Some(mut clock) = Clock::start("").await else { return };
    let (keys, broker) = ("authorized-keys/arbiter", "publish/broker");
    let text = clock.with_board("12");
    clock.save_with(
        "chess-clock-a.tar",
        &[("clockd.toml", &text), (keys, "theirs"), (broker, "theirs"), ("rules/club.toml", RULES)],
    );
    fs::write(clock.folder.join(keys), "ours").unwrap();
    // A game more is on record than in the backup.
    clock.table.play("black").await;
    clock.table.play("call").await;
    let result = clock.table.fixture.bench.ctl(&["result", "1-0", "mate"]).unwrap();
    assert!(result.status.success(), "{result:?}");
    let new = clock.table.fixture.bench.ctl(&["new", "3+2"]).unwrap();
    assert!(new.status.success(), "{new:?}");
    assert!(clock.games().contains("1-0"), "{}", clock.games());

    let listed = clock.list().await;
    assert!(listed[0].starts_with("20") && listed[0].ends_with(" 12"), "{listed:?}");
    clock.table.choose(&listed[0]).await;
    let said = clock.table.said().await;
    assert!(said.starts_with("Board 12 clock-12 20"), "{said}");
    assert!(said.contains("Games: 1") && said.contains("are replaced"), "{said}");
    clock.table.choose("Yes").await;
    clock.table.titled("Loading the backup").await;
    assert!(clock.table.page.lines.join(" ").contains("the clock starts anew"));
    clock.restarted(|_| {}).await;
    assert_eq!(clock.table.fixture.bench.status().unwrap()["board"], "12");
    assert!(!clock.games().contains("1-0"), "{}", clock.games());
    assert_eq!(clock.read("rules/club.toml"), RULES);
    assert_eq!(clock.read(keys), "ours", "the keys of a backup are not loaded from the menu");
    assert!(!clock.folder.join(broker).exists(), "nor are its brokers");
    assert!(clock.read("before-load-1/settings/clockd.toml").contains("control"));
    assert!(clock.folder.join("state/record.sqlite3.replaced-1").exists());
    assert!(clock.table.state().await.faults.is_empty());
    // While a game is on the clock there is no such page.
    clock.table.play("black").await;
    clock.table.play("call").await;
    clock.table.open().await;
    clock.table.choose("More").await;
    assert!(!clock.table.lines().await.contains(&"Load backup from stick".to_owned()));
}

#[tokio::test]
async fn what_a_stranger_can_put_on_a_stick_is_refused_on_the_page() {
    let Some(mut clock) = Clock::start("").await else { return };
    let path = "[record]\npath = '/etc/cron.d/record.sqlite3'\n";
    let text = clock.read("clockd.toml").replace("[record]\n", path);
    assert!(text.contains(path));
    clock.save_with("chess-clock-elsewhere.tar", &[("clockd.toml", &text)]);
    let said = clock.refused("20").await;
    assert!(said.contains("record in another place"), "{said}");
    // The record of the backup was changed, which its manifest does not say.
    let path = clock.folder.join("stick/chess-clock-elsewhere.tar");
    clock.save("chess-clock-good.tar");
    fs::rename(clock.folder.join("stick/chess-clock-good.tar"), &path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[1000] ^= 1;
    fs::write(&path, bytes).unwrap();
    let said = clock.refused("20").await;
    assert!(said.contains("damaged") && said.contains("not as the manifest"), "{said}");
    // A file of 2 GiB, most of which is a hole.
    File::options().append(true).open(&path).unwrap().set_len(2 << 30).unwrap();
    let said = clock.refused("20").await;
    assert!(said.contains("2048 MiB"), "{said}");
    // The stick was exchanged after it was listed.
    clock.list().await;
    clock.table.choose("20").await;
    fs::remove_file(&path).unwrap();
    clock.table.choose("Yes").await;
    clock.table.titled("Nothing was loaded").await;
    assert!(clock.table.said().await.contains("no backup of a clock"));
    clock.table.choose_all(&["Back", "Leave"]).await;
    clock.table.closed().await;
    assert!(clock.orders.try_recv().is_err(), "the clock was not stopped");
    assert!(!clock.folder.join("before-load-1").exists());
}

/// The code of the clock is asked, and a backup has no other way to remove it.
#[tokio::test]
async fn the_code_of_the_clock_protects_it_from_a_backup_without_one() {
    let menu = "arbiter_code = 'wbwb'";
    let Some(mut clock) = Clock::start(menu).await else { return };
    let text = clock.read("clockd.toml").replace("arbiter_code", "# arbiter_code");
    clock.save_with("chess-clock-a.tar", &[("clockd.toml", &text)]);
    clock.table.open().await;
    clock.table.choose("Load backup").await;
    clock.table.enter_code("bbbb").await;
    assert_eq!(clock.table.page.title, "Arbiter's code");
    clock.table.enter_code("wbwb").await;
    clock.table.choose("Show").await;
    clock.table.titled("Backups on the stick").await;
}

/// If something fails after the service was stopped, nobody is there to hear the answer. The service
/// shows the reason after its start, and until a backup is loaded.
#[tokio::test]
async fn a_failure_after_the_stop_is_a_fault_after_the_start() {
    let Some(mut clock) = Clock::start("").await else { return };
    clock.save_with("chess-clock-a.tar", &[("rules/club.toml", RULES)]);
    clock.load("20").await;
    // The new file can be written, and cannot take its place any more.
    let breaks = |folder: &Path| fs::create_dir_all(folder.join("rules/club.toml")).unwrap();
    clock.restarted(breaks).await;
    let faults = clock.faults();
    let of_load = "what is there is taken: chess-clock-a.tar: not all files";
    assert!(faults.iter().any(|text| text.contains(of_load)), "{faults:?}");
    // The record of the backup is in its place, and the clock can be used.
    assert!(clock.folder.join("state/record.sqlite3.replaced-1").exists());

    fs::remove_dir(clock.folder.join("rules/club.toml")).unwrap();
    clock.load("20").await;
    clock.restarted(|_| {}).await;
    assert_eq!(clock.faults(), Vec::<String>::new());
    assert!(clock.folder.join("rules/club.toml").exists());
}

/// The check of a backup can take minutes, in which the menu can be left and a game started.
#[tokio::test]
async fn a_game_that_is_started_during_the_check_is_not_interrupted() {
    let Some(mut clock) = Clock::start("").await else { return };
    clock.save("chess-clock-a.tar");
    let clockd = clock.folder.join("clockd");
    let real = program("clockd");
    let script =
        format!("#!/bin/sh\nclockctl -q start || exit 1\nexec {} \"$@\"\n", real.display());
    write_executable(&clockd, &script);
    clock.load("20").await;
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
