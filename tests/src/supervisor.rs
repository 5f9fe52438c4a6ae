//! Does for one service what systemd's service manager does: it receives the notifications, keeps
//! descriptors while the service is restarted, and kills a service that does not feed its watchdog.

use crate::{Program, eventually};
use anyhow::{Context, Result, bail, ensure};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recvmsg, sockopt,
};
use rustix::process::{Pid, Signal, kill_process};
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the service may take until it is ready.
const START: Duration = Duration::from_secs(30);
/// How long the manager waits for a message before it looks at the watchdog.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A service and its manager. Both end when this is dropped.
pub struct Supervisor {
    command: Box<dyn Fn() -> Command>,
    socket: PathBuf,
    log: PathBuf,
    watchdog: Option<Duration>,
    service: Option<Program>,
    manager: Arc<Mutex<Manager>>,
    thread: Option<JoinHandle<()>>,
}

/// How a service ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The watchdog was not fed in time, or the service triggered it.
    Watchdog,
    /// The service ended with this exit code. If signal N ended it, the code is 128 + N.
    Code(i32),
}

/// What the manager's thread knows.
#[derive(Default)]
struct Manager {
    /// The process of the service. It is set to `None` before the process is waited for, because
    /// another process may have its number after that.
    service: Option<Pid>,
    ready: bool,
    /// The instant until which the service must feed the watchdog. `None` without a watchdog,
    /// before the service is ready, and once it has said that it stops or was killed.
    deadline: Option<Instant>,
    limit: Option<Duration>,
    killed_by_watchdog: bool,
    feeds: u64,
    stores: u64,
    kept: Vec<(String, OwnedFd)>,
    ends: bool,
}

impl Supervisor {
    /// A service manager for the program of the command that `command` returns.
    /// [`Supervisor::start`] starts the program. The manager's socket and the log lie in `folder`.
    /// The output of the program goes into the log.
    pub fn new(folder: &Path, command: impl Fn() -> Command + 'static) -> Result<Supervisor> {
        let (socket, log) = (folder.join("manager"), folder.join("clockd.log"));
        let notifications = UnixDatagram::bind(&socket)?;
        notifications.set_read_timeout(Some(LOOK_EVERY))?;
        sockopt::set_socket_passcred(&notifications, true)?;
        let manager = Arc::new(Mutex::new(Manager::default()));
        let shared = Arc::clone(&manager);
        let thread = Some(std::thread::spawn(move || manage(&notifications, &shared)));
        let command = Box::new(command);
        Ok(Supervisor { command, socket, log, watchdog: None, service: None, manager, thread })
    }

    /// As [`Supervisor::new`], for a fixed command. Only the program and the arguments of the
    /// command are used, and not its folder or its environment.
    pub fn of_command(folder: &Path, command: &Command) -> Result<Supervisor> {
        let program = command.get_program().to_owned();
        let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        Supervisor::new(folder, move || {
            let mut command = Command::new(&program);
            command.args(&arguments);
            command
        })
    }

    /// Gives the service a watchdog with this limit, as `WatchdogSec=` does, from its next start
    /// on.
    pub fn watchdog(&mut self, limit: Duration) {
        self.watchdog = Some(limit);
    }

    /// Starts the service with the descriptors that are kept for it. The service is ready when this
    /// returns.
    pub fn start(&mut self) -> Result<()> {
        ensure!(self.service.is_none(), "the service runs already");
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        let mut command = self.with_kept_descriptors((self.command)());
        command.env("NOTIFY_SOCKET", &self.socket).env_remove("WATCHDOG_PID");
        match self.watchdog {
            Some(limit) => command.env("WATCHDOG_USEC", limit.as_micros().to_string()),
            None => command.env_remove("WATCHDOG_USEC"),
        };
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        {
            // The lock is held until the manager knows the process of the service. So no
            // notification of that process is handled before the manager knows it.
            let mut manager = self.manager();
            let service = Program::start(&mut command)?;
            manager.service = Pid::from_raw(i32::try_from(service.id())?);
            (manager.ready, manager.killed_by_watchdog) = (false, false);
            (manager.deadline, manager.limit) = (None, self.watchdog);
            drop(manager);
            self.service = Some(service);
        }
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < START {
            if self.manager().ready {
                return Ok(());
            }
            if !self.service.as_mut().is_some_and(Program::runs) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.manager().service = None;
        self.service = None;
        bail!("the service does not become ready:\n{}", self.log())
    }

    /// The command, run by a shell that gives it the kept descriptors from number 3 on, and sets
    /// LISTEN_PID to the number of the command's process.
    fn with_kept_descriptors(&self, command: Command) -> Command {
        let manager = self.manager();
        let own = std::process::id();
        let mut script = "LISTEN_PID=$$; export LISTEN_PID; exec".to_owned();
        for (index, (_, fd)) in manager.kept.iter().enumerate() {
            // The shell opens the same file again. Copying the descriptor to its number before the
            // exec would not be safe: until then the standard library has descriptors of its own in
            // the child, which may have this number.
            script.push_str(&format!(" {}<>/proc/{own}/fd/{}", index + 3, fd.as_raw_fd()));
        }
        script.push_str("; exec \"$@\"");
        let names: Vec<&str> = manager.kept.iter().map(|(name, _)| name.as_str()).collect();
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh"]).arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            shell.current_dir(folder);
        }
        shell.env("LISTEN_FDS", names.len().to_string()).env("LISTEN_FDNAMES", names.join(":"));
        if names.is_empty() {
            shell.env_remove("LISTEN_FDS").env_remove("LISTEN_FDNAMES");
        }
        shell
    }

    /// Kills the service as `kill -9` does, and waits until it is gone.
    pub fn kill(&mut self) -> Result<()> {
        let Some(mut service) = self.service.take() else { bail!("no service runs") };
        self.manager().service = None;
        service.kill()
    }

    /// Kills the service and starts it again with the descriptors that were kept.
    pub fn restart(&mut self) -> Result<()> {
        self.kill()?;
        self.start()
    }

    /// Waits until the service has ended by itself or by its watchdog. `None` if it has not ended
    /// after `at_most`.
    pub fn wait_for_end(&mut self, at_most: Duration) -> Result<Option<End>> {
        let start = Instant::now();
        let Some(service) = self.service.as_mut() else { bail!("no service runs") };
        while start.elapsed() < at_most {
            let mut manager = lock(&self.manager);
            if !service.runs() {
                manager.service = None;
                let code = service.wait()?;
                let end = if manager.killed_by_watchdog { End::Watchdog } else { End::Code(code) };
                drop(manager);
                self.service = None;
                return Ok(Some(end));
            }
            drop(manager);
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(None)
    }

    /// Stops the service as `systemctl stop` does, and closes the descriptors that are kept.
    /// Returns the exit code of the service.
    pub fn stop(&mut self) -> Result<i32> {
        let Some(service) = self.service.as_ref() else { bail!("no service runs") };
        service.signal(Signal::TERM)?;
        let end = self.wait_for_end(START)?;
        self.manager().kept.clear();
        match end {
            Some(End::Code(code)) => Ok(code),
            other => bail!("the service does not stop: {other:?}\n{}", self.log()),
        }
    }

    /// The running service.
    pub fn service(&self) -> Result<&Program> {
        self.service.as_ref().context("no service runs")
    }

    /// A copy of the descriptor that is kept under this name.
    pub fn kept(&self, name: &str) -> Result<Option<OwnedFd>> {
        let manager = self.manager();
        let found = manager.kept.iter().find(|(kept, _)| kept == name);
        Ok(found.map(|(_, fd)| fd.try_clone()).transpose()?)
    }

    /// Closes all descriptors that are kept, like a manager that keeps none.
    pub fn forget_kept(&mut self) {
        self.manager().kept.clear();
    }

    /// How often the watchdog was fed.
    pub fn feeds(&self) -> u64 {
        self.manager().feeds
    }

    /// How many descriptors were sent to be kept.
    pub fn stores(&self) -> u64 {
        self.manager().stores
    }

    /// The output of the service so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until the output of the service has this text.
    #[track_caller]
    pub fn logged(&self, text: &str) {
        eventually(text, || self.log().contains(text).then_some(()));
    }

    fn manager(&self) -> MutexGuard<'_, Manager> {
        lock(&self.manager)
    }
}

/// Locks the manager even if a thread has panicked while it held the lock. That panic was reported
/// already.
fn lock(manager: &Mutex<Manager>) -> MutexGuard<'_, Manager> {
    manager.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        {
            let mut manager = self.manager();
            (manager.service, manager.ends) = (None, true);
        }
        self.service = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = std::fs::remove_file(&self.socket);
    }
}

/// The manager's thread.
fn manage(notifications: &UnixDatagram, shared: &Mutex<Manager>) {
    loop {
        let received = receive(notifications);
        let mut manager = lock(shared);
        if manager.ends {
            return;
        }
        if let Some(message) = received {
            manager.take(message);
        }
        manager.look_at_watchdog();
    }
}

/// A notification.
struct Message {
    text: String,
    fds: Vec<OwnedFd>,
    sender: Option<Pid>,
}

/// The next notification; `None` if none comes within [`LOOK_EVERY`].
fn receive(notifications: &UnixDatagram) -> Option<Message> {
    let mut bytes = [0; 4096];
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(8), ScmCredentials(1))];
    let mut attached = RecvAncillaryBuffer::new(&mut room);
    let mut buffers = [IoSliceMut::new(&mut bytes)];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = recvmsg(notifications, &mut buffers, &mut attached, flags).ok()?;
    let mut message = Message { text: String::new(), fds: Vec::new(), sender: None };
    for part in attached.drain() {
        match part {
            RecvAncillaryMessage::ScmRights(fds) => message.fds.extend(fds),
            RecvAncillaryMessage::ScmCredentials(sender) => message.sender = Some(sender.pid),
            _ => {}
        }
    }
    if received.flags.contains(ReturnFlags::TRUNC) {
        return None;
    }
    message.text = String::from_utf8_lossy(&bytes[..received.bytes]).into_owned();
    Some(message)
}

impl Manager {
    fn take(&mut self, message: Message) {
        let has = |line: &str| message.text.lines().any(|found| found == line);
        let name = message.text.lines().find_map(|line| line.strip_prefix("FDNAME="));
        let name = name.unwrap_or("stored").to_owned();
        if has("FDSTOREREMOVE=1") {
            self.kept.retain(|(kept, _)| *kept != name);
        }
        if has("FDSTORE=1") {
            self.stores += 1;
            self.kept.extend(message.fds.into_iter().map(|fd| (name.clone(), fd)));
        }
        // A notification of another process, such as one that is gone, says nothing about the
        // service that runs now.
        if message.sender.is_none() || message.sender != self.service {
            return;
        }
        let text = message.text;
        let has = |line: &str| text.lines().any(|found| found == line);
        let is_fed = has("WATCHDOG=1");
        self.feeds += u64::from(is_fed);
        if has("READY=1") {
            self.ready = true;
        }
        if is_fed || has("READY=1") {
            self.deadline = self.limit.map(|limit| Instant::now() + limit);
        }
        if has("WATCHDOG=trigger") && self.limit.is_some() {
            self.deadline = Some(Instant::now());
        }
        if has("STOPPING=1") {
            self.limit = None;
            self.deadline = None;
        }
    }

    fn look_at_watchdog(&mut self) {
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now())
            && let Some(service) = self.service
        {
            self.deadline = None;
            self.killed_by_watchdog = true;
            // The service has not been waited for, so no other process can have its number yet.
            let _ = kill_process(service, Signal::KILL);
        }
    }
}
