//! A `dbus-daemon` of one test's own.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use rustix::process::{Pid, Signal, kill_process};

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// Runs until dropped.
pub struct PrivateBus {
    pub dir: PathBuf,
    daemon: Child,
}

impl PrivateBus {
    pub fn start() -> Self {
        PrivateBus::with_policy("")
    }

    /// `policy`: rules that come after those that allow everything.
    pub fn with_policy(policy: &str) -> Self {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("clockctl-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let config = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path={}/bus</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_type="method_call"/>
                <allow receive_type="method_return"/>
                <allow receive_type="error"/>
                <allow receive_type="signal"/>
                <allow own="*"/>
              </policy>
              <policy context="mandatory">{policy}</policy>
            </busconfig>"#,
            dir.display()
        );
        fs::write(dir.join("bus.conf"), config).unwrap();
        let daemon = spawn(&dir);
        PrivateBus { dir, daemon }
    }

    pub fn address(&self) -> String {
        format!("unix:path={}/bus", self.dir.display())
    }

    /// Ends the bus and starts another at the same address.
    pub fn restart(&mut self) {
        self.end();
        self.daemon = spawn(&self.dir);
    }

    pub fn end(&mut self) {
        self.daemon.kill().unwrap();
        self.daemon.wait().unwrap();
        let _ = fs::remove_file(self.dir.join("bus"));
    }

    /// The bus process stands still: its socket is there, and nothing answers.
    pub fn stop(&self) {
        kill_process(Pid::from_child(&self.daemon), Signal::STOP).unwrap();
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
        let _ = fs::remove_dir_all(&self.dir);
    }
}

fn spawn(dir: &std::path::Path) -> Child {
    let mut daemon = Command::new("dbus-daemon")
        .arg(format!("--config-file={}/bus.conf", dir.display()))
        .args(["--nofork", "--nopidfile", "--print-address"])
        // It complains of limits it may not raise.
        .stderr(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("dbus-daemon is installed");
    // It prints its address when it listens.
    let mut address = String::new();
    BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
    assert!(address.starts_with("unix:path="), "{address:?}");
    daemon
}
