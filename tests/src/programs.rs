//! Starts and stops the built programs, and the test bench on which they run together.

use crate::{Buttons, eventually};
use anyhow::{Context, Result, bail};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// The environment variable that says whether the machine knows the wall time. The machine of the tests
/// may have neither a time service nor a battery-backed clock.
pub const WALL_TIME: &str = "CHESS_CLOCK_WALL_TIME";

/// How long `clockd` may take until it is ready.
const START: Duration = Duration::from_secs(30);

/// A started program, which is killed when it is dropped.
pub struct Program {
    child: Child,
    name: String,
}

impl Program {
    /// Starts a program. If the thread that calls this function ends, the kernel kills the program.
    pub fn start(command: &mut Command) -> Result<Program> {
        use std::os::unix::process::CommandExt;
        let name = command.get_program().to_string_lossy().into_owned();
        // SAFETY: the closure makes one system call only, which is allowed between fork and exec.
        unsafe {
            command.pre_exec(|| {
                let signal = Some(rustix::process::Signal::KILL);
                Ok(rustix::process::set_parent_process_death_signal(signal)?)
            });
        }
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Program { child, name })
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The program's standard output, if that was piped and has not been taken yet.
    pub fn stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: rustix::process::Signal) -> Result<()> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal)
            .with_context(|| format!("cannot signal {}", self.name))
    }

    /// Kills the program as `kill -9` does, and waits until the program is gone.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill().with_context(|| format!("cannot kill {}", self.name))?;
        self.child.wait()?;
        Ok(())
    }

    /// Waits until the program ends by itself. Returns its exit code, or 128 + N if signal N
    /// ended it.
    pub fn wait(&mut self) -> Result<i32> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.child.wait()?;
        Ok(status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(-1))
    }

    /// Whether the program still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path of the built program of this name. It is in the folder of the running program or, under
/// `cargo test`, in the folder above.
///
/// Under `cargo test` the programs are built first, because cargo builds only those of the package
/// whose tests it runs.
pub fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let exe = std::env::current_exe().expect("a running program has a path");
        let folder = exe.parent().expect("it lies in a folder");
        if !folder.ends_with("deps") {
            return folder.to_owned();
        }
        let folder = folder.parent().expect("deps lies in the profile's folder");
        build(folder.ends_with("release"));
        folder.to_owned()
    });
    folder.join(name)
}

fn build(release: bool) {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The examples need the dependencies of tests. With these, cargo enables the same features of
    // all dependencies as for the tests. Without the examples, cargo would build most dependencies
    // again.
    cargo.args(["build", "--quiet", "--locked", "--workspace"]);
    cargo.args(["--bins", "--examples"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    if release {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs the tests, so it runs");
    assert!(status.success(), "the programs cannot be built");
}

/// A test bench: a folder with a private bus, simulated buttons and a configuration.
pub struct Bench {
    folder: PathBuf,
    temporary: Option<tempfile::TempDir>,
}

impl Bench {
    /// A bench in a new temporary folder, which is removed with the bench.
    pub fn new() -> Result<Bench> {
        Bench::new_within(&std::env::temp_dir())
    }

    /// As `new`, but in the file system in memory at /dev/shm, or in /tmp if there is no /dev/shm.
    /// It is for a test that needs each command to be on record before it is answered: the answer
    /// comes after 500 ms at the latest, and writing to a disk that other programs use can take
    /// longer.
    pub fn in_memory() -> Result<Bench> {
        let memory = Path::new("/dev/shm");
        Bench::new_within(if memory.is_dir() { memory } else { Path::new("/tmp") })
    }

    fn new_within(folder: &Path) -> Result<Bench> {
        let temporary = tempfile::Builder::new().prefix("chess-clock-").tempdir_in(folder)?;
        let bench = Bench { folder: temporary.path().to_owned(), temporary: Some(temporary) };
        bench.configure("")?;
        Ok(bench)
    }

    /// A bench in an existing folder, which is not removed.
    pub fn within(folder: &Path) -> Result<Bench> {
        let bench = Bench { folder: folder.to_owned(), temporary: None };
        bench.configure("")?;
        Ok(bench)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The address of the bus.
    pub fn address(&self) -> String {
        clock_test_bus::address(&self.folder.join("bus"))
    }

    /// The socket of the simulated buttons.
    pub fn socket(&self) -> PathBuf {
        self.folder.join("buttons")
    }

    /// Starts the bus; clients can connect when this returns.
    pub fn bus(&self) -> Result<Program> {
        self.bus_with("")
    }

    /// As [`Bench::bus`]. `policy` has further rules for the bus. It is XML, as in a configuration
    /// file of dbus-daemon.
    pub fn bus_with(&self, policy: &str) -> Result<Program> {
        let daemon = clock_test_bus::start(&self.folder.join("bus"), policy)
            .context("cannot start dbus-daemon")?;
        Ok(Program { child: daemon, name: "dbus-daemon".to_owned() })
    }

    /// The command that starts `clockd` on this bench, with more arguments.
    pub fn clockd_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program("clockd"));
        command.args(["--bus", &self.address()]);
        command.arg("--gpio").arg(format!("sim:{}", self.socket().display()));
        // Without this argument, `clockd` would read the configuration of this machine.
        command.arg("--config").arg(self.config());
        command.args(arguments).stdin(Stdio::null()).env_remove("NOTIFY_SOCKET");
        command.env(WALL_TIME, "known");
        command
    }

    fn config(&self) -> PathBuf {
        self.folder.join("clockd.toml")
    }

    /// Writes the configuration for every `clockd` that is started from now on.
    pub fn configure(&self, text: &str) -> Result<()> {
        std::fs::write(self.config(), text).context("cannot write clockd.toml")
    }

    /// The command that starts `clockd` with the lines of the configured wiring.
    pub fn clockd_command_on_board(&self) -> Command {
        let mut command = Command::new(program("clockd"));
        command.args(["--bus", &self.address(), "--config"]).arg(self.config());
        command.stdin(Stdio::null()).env_remove("NOTIFY_SOCKET");
        command.env(WALL_TIME, "known");
        command
    }

    /// Starts `clockd` with simulated buttons and more arguments; see [`Bench::start`].
    pub fn clockd(&self, arguments: &[&str]) -> Result<Program> {
        self.start(self.clockd_command(arguments))
    }

    /// Starts `clockd`, with its log in `clockd.log`. `clockd` is ready when this returns.
    pub fn start(&self, mut command: Command) -> Result<Program> {
        let notify = self.folder.join("notify");
        // An earlier call of this function leaves its socket behind.
        let _ = std::fs::remove_file(&notify);
        let ready = UnixDatagram::bind(&notify)?;
        // With these permissions, a clock that runs as another user can write to the socket, too.
        // Only users who can enter the folder reach the socket: the owner of a temporary folder,
        // unless the test opens the folder to others.
        std::fs::set_permissions(&notify, std::fs::Permissions::from_mode(0o666))?;
        ready.set_read_timeout(Some(Duration::from_millis(50)))?;
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.join("clockd.log"))?;
        let mut clockd = Program::start(command.env("NOTIFY_SOCKET", &notify).stderr(log))?;
        let start = std::time::Instant::now();
        let mut message = [0; 64];
        while start.elapsed() < START {
            match ready.recv(&mut message) {
                Ok(len) if message[..len].starts_with(b"READY=1") => return Ok(clockd),
                _ if !clockd.runs() => break,
                _ => {}
            }
        }
        bail!("clockd does not start:\n{}", self.log());
    }

    /// The log of `clockd` so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("clockd.log")).unwrap_or_default()
    }

    /// Waits for the first line of the log with this text. `clockd` writes its log in a thread of its
    /// own, so an answer of `clockd` can be here before the lines that were logged before it.
    #[track_caller]
    pub fn logged(&self, text: &str) -> String {
        eventually(text, || {
            let log = self.log();
            log.lines().find(|line| line.contains(text)).map(str::to_owned)
        })
    }

    /// Connects to the simulated buttons.
    pub fn buttons(&self) -> Result<Buttons> {
        Buttons::open(&self.socket())
    }

    /// The command that runs `clockctl` on the bus of this bench. It is named as the system bus, so
    /// that the commands in the texts have no address.
    pub fn clockctl(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program("clockctl"));
        command.env("DBUS_SYSTEM_BUS_ADDRESS", self.address()).args(arguments);
        command.env(WALL_TIME, "known").stdin(Stdio::null());
        command
    }

    /// Runs `clockctl` to its end.
    pub fn ctl(&self, arguments: &[&str]) -> Result<Output> {
        self.clockctl(arguments).output().context("cannot run clockctl")
    }

    /// The object that `clockctl status --json` prints.
    pub fn status(&self) -> Result<serde_json::Value> {
        let output = self.ctl(&["status", "--json"])?;
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("clockctl status --json printed {output:?}"))
    }

    /// Returns the command lines of all processes but this one that have the path of the bench's
    /// folder in their command line or their environment.
    pub fn processes(&self) -> Vec<String> {
        let needle = self.folder.display().to_string();
        let own = std::process::id().to_string();
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            // A process that has ended meanwhile has none of the files.
            let text = |file: &str| {
                let mut text = Vec::new();
                let read = std::fs::File::open(entry.path().join(file));
                let _ = read.and_then(|mut file| file.read_to_end(&mut text));
                String::from_utf8_lossy(&text).replace('\0', " ")
            };
            let line = text("cmdline");
            let is_of_bench = line.contains(&needle) || text("environ").contains(&needle);
            if is_of_bench && entry.file_name() != *own {
                found.push(line);
            }
        }
        found
    }

    /// Removes a temporary folder now, and reports if that fails.
    pub fn close(mut self) -> Result<()> {
        match self.temporary.take() {
            Some(temporary) => Ok(temporary.close()?),
            None => Ok(()),
        }
    }
}

/// The process ids of the children of this process, also of those that have ended and were not
/// waited for.
pub fn child_processes() -> Vec<i32> {
    let own = std::process::id().to_string();
    let parent = |stat: &str| {
        // The name in brackets may contain spaces and brackets; state and parent follow it.
        let rest = stat.rsplit(')').next()?;
        rest.split_whitespace().nth(1).map(str::to_owned)
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let (Some(pid), true) = (pid, parent(&stat).as_deref() == Some(&own)) {
            found.push(pid);
        }
    }
    found
}

/// The processor time of a process and of the processes that it has waited for, from /proc/PID/stat
/// (proc_pid_stat(5)), in steps of 10 ms.
pub fn processor_time(pid: u32) -> Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in brackets can contain spaces. After it, `utime`, `stime`, `cutime` and `cstime` are the
    // fields 12 to 15.
    let rest = stat.rsplit(')').next().context("no fields")?;
    let fields = rest.split_whitespace().skip(11).take(4).map(str::parse::<u64>);
    let ticks: u64 = fields.sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(10 * ticks))
}
