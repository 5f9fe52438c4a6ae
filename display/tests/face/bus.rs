//! A bus daemon of the test's own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory that goes with its test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("clock-display-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a fresh directory");
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running `dbus-daemon`; killed when dropped.
pub struct Bus {
    daemon: Child,
    pub address: String,
}

impl Bus {
    /// Starts a daemon that listens on `socket`, and waits until it does.
    pub fn start(socket: &Path) -> Bus {
        // A killed daemon leaves its socket behind, and the next could not bind it.
        let _ = std::fs::remove_file(socket);
        let config = socket.with_extension("conf");
        let address = format!("unix:path={}", socket.display());
        std::fs::write(&config, CONFIG.replace("ADDRESS", &address)).expect("a config file");
        let mut daemon = Command::new("dbus-daemon")
            .arg("--nofork")
            .arg("--print-address")
            .arg(format!("--config-file={}", config.display()))
            .stdout(Stdio::piped())
            // It grumbles about limits only root can raise.
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is installed");
        let mut said = String::new();
        let stdout = daemon.stdout.take().expect("stdout is piped");
        // It prints its address once it listens.
        BufReader::new(stdout).read_line(&mut said).expect("an address");
        assert!(said.starts_with("unix:"), "dbus-daemon said '{said}'");
        Bus { daemon, address }
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

const CONFIG: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>ADDRESS</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#;
