//! A private bus with the rules of a system bus, the shipped policy of the clock, and users of its
//! own.
//!
//! The policy names users and groups, which a bus looks up in /etc/passwd and /etc/group. The bus
//! is started in a mount namespace in which these two files are replaced by files of the test, so
//! that nothing is changed on this machine. This needs root. Connecting as another user needs root,
//! too.

use crate::Program;
use anyhow::{Context, Result, ensure};
use clock_bus_policy::User;
use clock_test_bus::RawClient;
use rustix::process::{Gid, Uid};
use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// The programs that can be a system bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusProgram {
    /// The reference implementation.
    DbusDaemon,
    /// The implementation that several distributions use for the system bus.
    DbusBroker,
}

impl BusProgram {
    /// The name of the program that passes the messages on.
    pub fn name(self) -> &'static str {
        match self {
            BusProgram::DbusDaemon => "dbus-daemon",
            BusProgram::DbusBroker => "dbus-broker",
        }
    }
}

/// A line of /etc/passwd.
struct Account {
    name: String,
    /// The user id. The user's own group has the same id.
    id: u32,
    /// Further groups.
    groups: Vec<u32>,
}

/// The users and groups of the sysusers file, and those whom an installation adds.
pub struct Users {
    users: Vec<Account>,
    groups: Vec<(String, u32)>,
}

/// The id of the first group, and of the user of the same name; the next groups have the next ids.
/// `root` and `nobody` have their usual ids.
const FIRST_ID: u32 = 61_000;

impl Users {
    /// Reads the lines `u`, `g` and `m` of a sysusers file. `others` are more users: the name of
    /// each, and the name of a further group, if the user has one.
    pub fn new(sysusers: &str, others: &[(&str, Option<&str>)]) -> Users {
        let mut users = Users { users: Vec::new(), groups: Vec::new() };
        let nobody = Account { name: "nobody".to_owned(), id: 65_534, groups: Vec::new() };
        users.users.push(nobody);
        users.users.push(Account { name: "root".to_owned(), id: 0, groups: Vec::new() });
        for line in sysusers.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["u", name, ..] => users.add_user(name),
                ["g", name, ..] => drop(users.group(name)),
                ["m", user, group] => users.add_to_group(user, group),
                _ => {}
            }
        }
        for (name, group) in others {
            users.add_user(name);
            if let Some(group) = group {
                users.add_to_group(name, group);
            }
        }
        users
    }

    /// The user with this name.
    pub fn find(&self, name: &str) -> Result<User> {
        let found = self.users.iter().find(|user| user.name == name);
        let Account { id, groups, .. } = found.with_context(|| format!("no user {name}"))?;
        let groups = groups.iter().map(|id| Gid::from_raw(*id)).collect();
        Ok(User { id: Uid::from_raw(*id), group: Gid::from_raw(*id), groups })
    }

    fn group(&mut self, name: &str) -> u32 {
        if let Some((_, id)) = self.groups.iter().find(|(known, _)| known == name) {
            return *id;
        }
        let count = u32::try_from(self.groups.len()).expect("few groups");
        self.groups.push((name.to_owned(), FIRST_ID + count));
        FIRST_ID + count
    }

    fn add_user(&mut self, name: &str) {
        if self.users.iter().all(|user| user.name != name) {
            let id = self.group(name);
            self.users.push(Account { name: name.to_owned(), id, groups: Vec::new() });
        }
    }

    fn add_to_group(&mut self, user: &str, group: &str) {
        let id = self.group(group);
        self.add_user(user);
        let user = self.users.iter_mut().find(|known| known.name == user);
        user.expect("just added").groups.push(id);
    }

    fn passwd(&self) -> String {
        let line = |user: &Account| format!("{0}:x:{1}:{1}::/:/bin/false\n", user.name, user.id);
        self.users.iter().map(line).collect()
    }

    fn group_file(&self) -> String {
        let members = |id| {
            let is_in = |user: &&Account| user.groups.contains(&id);
            let names: Vec<&str> =
                self.users.iter().filter(is_in).map(|user| user.name.as_str()).collect();
            names.join(",")
        };
        let line = |(name, id): &(String, u32)| format!("{name}:x:{id}:{}\n", members(*id));
        let own: String = self.groups.iter().map(line).collect();
        format!("root:x:0:\nnogroup:x:65534:\n{own}")
    }
}

/// A running bus.
pub struct SystemBus {
    program: Program,
    socket: PathBuf,
    /// The socket to which dbus-broker logs. dbus-broker does not start without it, and waits while
    /// it is full.
    journal: PathBuf,
}

/// A new mount namespace copies all mounts of this moment, and a file system that is mounted in it
/// stays in use after it was unmounted elsewhere. So a test that mounts a disk and one that makes a
/// namespace hold this lock in turn.
pub static MOUNTS: Mutex<()> = Mutex::new(());

/// Whether the tests can make mount namespaces. Where `CI` is set, they must.
pub fn has_namespaces() -> bool {
    let made = Command::new("unshare").args(["--mount", "true"]).output();
    let can = made.is_ok_and(|output| output.status.success());
    assert!(can || std::env::var_os("CI").is_none(), "unshare --mount fails");
    if !can {
        eprintln!("not run: no mount namespace");
    }
    can
}

impl SystemBus {
    /// Starts a bus whose files are in `folder`, with the clock's policy in the file `policy`, and,
    /// if it is `dbus-broker`, with the limit that an image of the clock gives it.
    /// Every user can then enter `folder` and write in it.
    pub fn start(
        folder: &Path,
        which: BusProgram,
        users: &Users,
        policy: &Path,
    ) -> Result<SystemBus> {
        let _alone = MOUNTS.lock();
        let (socket, config) = (folder.join("bus"), folder.join("system-bus.conf"));
        fs::set_permissions(folder, fs::Permissions::from_mode(0o1777))?;
        let text = CONFIG
            .replace("SOCKET", &socket.display().to_string())
            .replace("POLICY", &policy.display().to_string())
            .replace("LIMIT", if which == BusProgram::DbusBroker { broker_limit() } else { "" });
        fs::write(&config, text)?;
        fs::write(folder.join("passwd"), users.passwd())?;
        fs::write(folder.join("group"), users.group_file())?;
        let journal = folder.join("journal");
        let _ = (fs::remove_file(&socket), fs::remove_file(&journal));
        let journal_reader = UnixDatagram::bind(&journal)?;
        std::thread::spawn(move || while journal_reader.recv(&mut [0]).is_ok_and(|len| len > 0) {});
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-ec", IN_NAMESPACE, "sh"]).arg(folder);
        let program = match which {
            BusProgram::DbusDaemon => {
                command.arg("dbus-daemon").arg(format!("--config-file={}", config.display()));
                command.args(["--nofork", "--nopidfile"]);
                Program::start(command.stdin(Stdio::null()).stderr(Stdio::null()))?
            }
            BusProgram::DbusBroker => {
                // `dbus-broker-launch` gets the socket as systemd would pass it, and connects to
                // its own bus as a client.
                let listener = UnixListener::bind(&socket)?;
                fs::set_permissions(&socket, fs::Permissions::from_mode(0o666))?;
                command
                    .arg("dbus-broker-launch")
                    .arg(format!("--config-file={}", config.display()));
                command.args(["--scope=system"]);
                command.env("DBUS_SYSTEM_BUS_ADDRESS", clock_test_bus::address(&socket));
                Program::start(command.stdin(OwnedFd::from(listener)))?
            }
        };
        let mut bus = SystemBus { program, socket, journal };
        bus.wait().with_context(|| format!("{which:?} does not start"))?;
        Ok(bus)
    }

    /// Waits until the bus answers.
    fn wait(&mut self) -> Result<()> {
        let start = std::time::Instant::now();
        loop {
            let connected = UnixStream::connect(&self.socket);
            match connected.and_then(|stream| RawClient::new(stream, 0)) {
                Ok(_) => return Ok(()),
                Err(error) => {
                    ensure!(self.program.runs(), "the bus has ended: {error}");
                    ensure!(start.elapsed() < crate::DEADLINE, "the bus does not answer: {error}");
                }
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    /// The process that was started. The bus itself can be a process that this one has started.
    pub fn id(&self) -> u32 {
        self.program.id()
    }

    /// The socket on which the bus listens.
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}

impl Drop for SystemBus {
    fn drop(&mut self) {
        // An empty datagram ends the thread that reads the log. If sending fails, the thread has
        // ended already.
        let _ = UnixDatagram::unbound().and_then(|socket| socket.send_to(&[], &self.journal));
    }
}

/// Makes `command` run as this user.
pub fn run_as(command: &mut Command, user: User) {
    use std::os::unix::process::CommandExt;
    // SAFETY: the closure makes three system calls only, which is allowed between fork and exec.
    unsafe {
        command.pre_exec(move || user.become_in_this_thread());
    }
}

/// Whether the tests that need other users can be run. If not, this function prints that to
/// standard error, or panics if the environment variable `CI` is set.
pub fn can_be_other_users(test: &str) -> bool {
    if rustix::process::geteuid().is_root() {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "{test} needs root, and CI must run it");
    // eprintln! is not used, because its text is not shown for a test that passes.
    let _ =
        writeln!(io::stderr(), "NOT RUN: {test} needs root, to connect to a bus as other users");
    false
}

/// The limit that an image of the clock gives `dbus-broker`: the element of the shipped file.
fn broker_limit() -> &'static str {
    let shipped = include_str!("../../systemd/image/dbus-broker.conf");
    let mut lines = shipped.lines().filter(|line| line.trim_start().starts_with("<limit "));
    lines.next().expect("the shipped file has a limit")
}

/// The shell script that `unshare` runs. Its first argument is the folder with the files of the
/// test. The command that starts the bus follows.
const IN_NAMESPACE: &str = r#"
    folder=$1
    shift
    mount --bind "$folder/passwd" /etc/passwd
    mount --bind "$folder/group" /etc/group
    mount -t tmpfs tmpfs /run
    mkdir -p /run/systemd/journal
    : >/run/systemd/journal/socket
    mount --bind "$folder/journal" /run/systemd/journal/socket
    LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&0
"#;

/// The rules of system.conf in dbus 1.14 and 1.16 that matter for these tests, then the clock's
/// policy. The rules for containers, for activation by systemd and for root's statistics are left
/// out.
const CONFIG: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=SOCKET</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
    <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"
          send_member="UpdateActivationEnvironment"/>
    <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Debug.Stats"/>
  </policy>
  <policy user="root">
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Monitoring"/>
  </policy>
  <include>POLICY</include>
  LIMIT
</busconfig>
"#;
