//! Connects to the system bus of another machine: `ssh` runs `systemd-stdio-bridge` there, which
//! passes the bytes of the D-Bus connection on to the bus.
//!
//! No shell of the other machine sees a word of the command line, because commands go over D-Bus.
//! An account on the other machine can be limited to this use with
//! `command="systemd-stdio-bridge"` in its `authorized_keys`.

use std::{
    env,
    ffi::OsString,
    os::{fd::OwnedFd, unix::net::UnixStream},
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use clock_dbus::METHOD_TIMEOUT;
use tokio::{
    io::AsyncReadExt,
    process::{Child, Command},
    time::timeout,
};
use zbus::{
    Connection,
    connection::{AuthMechanism, Builder},
};

use crate::{failure::Failure, target::Host};

/// The longest wait for the first answer through a new connection of `ssh`. A Raspberry Pi Zero 2
/// needs a second for the cryptography of a new connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(8);
/// How long the messages of an `ssh` that has failed may take.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// The longest text that is kept of them, in bytes.
const WORDS_LIMIT: u64 = 2000;

/// Connects to the system bus of the host. `may_ask`: whether `ssh` may ask the user.
pub async fn connect(host: &Host, may_ask: bool) -> Result<Connection, Failure> {
    let failed = |why: String| Failure::NoHost { host: host.as_str().to_owned(), why };
    let (ours, theirs) = UnixStream::pair().map_err(|error| failed(error.to_string()))?;
    let mut ssh = start(host, theirs, may_ask).map_err(|error| failed(format!("ssh: {error}")))?;
    // The bridge does not know which user sends; the bus of the other machine knows the bridge's.
    let build = Builder::unix_stream(ours)
        .auth_mechanism(AuthMechanism::Anonymous)
        .method_timeout(METHOD_TIMEOUT)
        .build();
    match timeout(CONNECT_TIMEOUT, build).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => {
            let said = last_words(&mut ssh).await;
            Err(failed(if said.is_empty() { error.to_string() } else { said }))
        }
        Err(_) => {
            let _ = ssh.start_kill();
            Err(failed(format!("no answer within {} s", CONNECT_TIMEOUT.as_secs())))
        }
    }
}

/// Starts `ssh` with its input and its output at `socket`. It ends when the other end of the socket
/// is closed.
fn start(host: &Host, socket: UnixStream, may_ask: bool) -> std::io::Result<Child> {
    let output = OwnedFd::from(socket.try_clone()?);
    let mut command = Command::new(program());
    command.args(["-T", "-o", "ConnectTimeout=5", "-o", "ServerAliveInterval=5"]);
    command.args(["-o", "ServerAliveCountMax=2"]);
    if !may_ask {
        command.args(["-o", "BatchMode=yes"]);
    }
    if let Some(control) = control_path() {
        // Later connections to the same host need no new key exchange.
        command.args(["-o", "ControlMaster=auto", "-o", "ControlPersist=15m", "-o"]);
        command.arg(control);
    }
    command.args(["--", host.as_str(), "systemd-stdio-bridge"]);
    command.stdin(OwnedFd::from(socket)).stdout(output).stderr(Stdio::piped());
    command.spawn()
}

/// The program that is started instead of `ssh`: for tests, and for sites with another transport.
fn program() -> OsString {
    let given = env::var_os("CLOCKCTL_SSH").filter(|program| !program.is_empty());
    given.unwrap_or_else(|| "ssh".into())
}

/// The option that names the socket of a shared connection. Without a folder that only this user
/// can write, connections are not shared. `%C` is a digest of user, host and port.
fn control_path() -> Option<OsString> {
    let folder = PathBuf::from(env::var_os("XDG_RUNTIME_DIR")?);
    let mut option = OsString::from("ControlPath=");
    option.push(folder.join("clockctl-%C"));
    folder.is_absolute().then_some(option)
}

/// What `ssh` says about its failure, in one line.
async fn last_words(ssh: &mut Child) -> String {
    let mut said = Vec::new();
    if let Some(stderr) = ssh.stderr.take() {
        // Whatever came before the time is over is shown.
        let _ = timeout(LAST_WORDS, stderr.take(WORDS_LIMIT).read_to_end(&mut said)).await;
    }
    let _ = ssh.start_kill();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}
