//! A private `dbus-daemon` for tests and for the demonstration, and a bus client that sends any
//! bytes.

pub mod raw_client;

pub use raw_client::RawClient;
use std::io::{self, BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The address of a bus that listens on this socket.
pub fn address(socket: &Path) -> String {
    format!("unix:path={}", socket.display())
}

/// Starts a bus that listens on `socket`; clients can connect when this returns.
///
/// The bus allows everything to the user who started it, except what the rules in `policy` forbid.
/// These rules are XML of the configuration of dbus-daemon, which is written beside the socket. If
/// the thread that calls this function ends, the kernel kills the bus.
pub fn start(socket: &Path, policy: &str) -> io::Result<Child> {
    let address = address(socket);
    // A killed bus leaves its socket behind, which a new one cannot bind.
    let _ = std::fs::remove_file(socket);
    let config = socket.with_extension("conf");
    std::fs::write(&config, CONFIG.replace("ADDRESS", &address).replace("POLICY", policy))?;
    let mut command = Command::new("dbus-daemon");
    command
        .arg(format!("--config-file={}", config.display()))
        .args(["--nofork", "--nopidfile", "--print-address=1"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        // The warnings about limits that only root can raise are discarded.
        .stderr(Stdio::null());
    // SAFETY: the closure makes one system call only, which is allowed between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let signal = Some(rustix::process::Signal::KILL);
            Ok(rustix::process::set_parent_process_death_signal(signal)?)
        });
    }
    let mut daemon = command.spawn()?;
    // dbus-daemon prints its address when it has begun to listen.
    let mut line = String::new();
    if let Some(output) = daemon.stdout.take() {
        BufReader::new(output).read_line(&mut line)?;
    }
    if line.starts_with("unix:") {
        return Ok(daemon);
    }
    let _ = daemon.kill();
    let _ = daemon.wait();
    Err(io::Error::other(format!("dbus-daemon does not listen at {address}")))
}

/// The bus has the type `session`: it serves one user and starts no service on demand.
const CONFIG: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>ADDRESS</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <policy context="mandatory">POLICY</policy>
</busconfig>
"#;

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn a_bus_starts_again_at_the_socket_of_a_killed_one() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("bus");
        for _ in 0..2 {
            let mut bus = start(&socket, "").unwrap();
            assert!(socket.exists());
            bus.kill().unwrap();
            bus.wait().unwrap();
        }
    }

    #[test]
    fn a_socket_that_cannot_be_bound_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        // A Unix socket's path has at most 107 bytes.
        let error = start(&folder.path().join("x".repeat(150)), "").unwrap_err().to_string();
        assert!(error.starts_with("dbus-daemon does not listen at unix:path="), "{error}");
    }
}
