//! A private `dbus-daemon` for one test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use tempfile::TempDir;

/// A folder that is removed when the test ends.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = tempfile::Builder::new().prefix("clock-display-").tempdir();
        Folder(folder.expect("a new folder"))
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// A running `dbus-daemon`; killed when dropped.
pub struct Bus {
    daemon: Child,
    pub address: String,
}

impl Bus {
    /// Starts a bus that listens on `socket`, and waits until it does.
    pub fn start(socket: &Path) -> Bus {
        let daemon = clock_test_bus::start(socket, "").expect("dbus-daemon is installed");
        Bus { daemon, address: clock_test_bus::address(socket) }
    }

    /// Sends a signal, such as `STOP`, to the `dbus-daemon`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.daemon.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
