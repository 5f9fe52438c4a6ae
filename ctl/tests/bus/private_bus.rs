//! A private `dbus-daemon` for one test.

use std::path::{Path, PathBuf};
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Runs until dropped.
pub struct PrivateBus {
    folder: TempDir,
    policy: String,
    daemon: Child,
}

impl PrivateBus {
    pub fn start() -> Self {
        PrivateBus::with_policy("")
    }

    /// Starts a bus that allows everything except what the rules in `policy` forbid.
    pub fn with_policy(policy: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("clockctl-").tempdir().unwrap();
        let daemon = clock_test_bus::start(&folder.path().join("bus"), policy).unwrap();
        PrivateBus { folder, policy: policy.to_owned(), daemon }
    }

    /// A folder that is removed with the bus.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn socket(&self) -> PathBuf {
        self.folder().join("bus")
    }

    pub fn address(&self) -> String {
        clock_test_bus::address(&self.socket())
    }

    /// Ends the bus and starts another at the same address.
    pub fn restart(&mut self) {
        self.end();
        self.daemon = clock_test_bus::start(&self.socket(), &self.policy).unwrap();
    }

    pub fn end(&mut self) {
        self.daemon.kill().unwrap();
        self.daemon.wait().unwrap();
        let _ = std::fs::remove_file(self.socket());
    }

    /// Stops the bus process. Its socket is still there, but nothing answers.
    pub fn stop(&self) {
        kill_process(Pid::from_child(&self.daemon), Signal::STOP).unwrap();
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
