//! A mosquitto with the shipped example of its configuration: clocks publish with a password over
//! TLS, browsers read over WebSocket.

use crate::TREE;
use clock_tests::{Program, eventually};
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Broker {
    folder: tempfile::TempDir,
    clocks: u16,
    plain: u16,
    browsers: u16,
    running: Program,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

impl Broker {
    pub fn start() -> Broker {
        let folder = tempfile::tempdir().unwrap();
        let [clocks, plain, browsers] = [free_port(), free_port(), free_port()];
        write_configuration(folder.path(), [clocks, plain, browsers]);
        let running = mosquitto(folder.path(), [clocks, plain, browsers]);
        Broker { folder, clocks, plain, browsers, running }
    }

    /// The address of the page, with this broker in its query.
    pub fn page(&self) -> String {
        let page = Path::new(TREE).join("examples/live-boards/index.html");
        let page = fs::canonicalize(page).unwrap();
        format!("file://{}?broker=ws://127.0.0.1:{}", page.display(), self.browsers)
    }

    /// What the file in /etc/chess-clock/publish says for this broker, with or without TLS.
    pub fn options(&self, tls: bool) -> String {
        if !tls {
            return format!("-h 127.0.0.1\n-p {}\n-u clock\n-P secret\n", self.plain);
        }
        let authority = self.file("ca.crt");
        format!(
            "-h localhost\n-p {}\n--cafile {}\n-u clock\n-P secret\n",
            self.clocks,
            authority.display()
        )
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Kills the broker, calls `meanwhile`, and starts the broker again. It has no retained
    /// messages then.
    pub fn restart(&mut self, meanwhile: impl FnOnce()) {
        self.running.kill().unwrap();
        meanwhile();
        self.running = mosquitto(self.folder.path(), [self.clocks, self.plain, self.browsers]);
    }

    /// Returns the retained messages whose topics match this filter. Each line is a topic, a space and
    /// the payload.
    pub fn retained(&self, filter: &str) -> String {
        let mut command = Command::new("mosquitto_sub");
        command.args(["-h", "localhost", "-p", &self.clocks.to_string(), "-u", "clock"]);
        command.args(["-P", "secret", "--cafile"]).arg(self.file("ca.crt"));
        command.args(["-v", "-t", filter, "--retained-only", "-W", "2"]);
        // It ends with an error when the time of -W is over.
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }
}

/// The shipped configuration, with the ports and the files of the test.
fn write_configuration(folder: &Path, [clocks, plain, browsers]: [u16; 3]) {
    let examples = Path::new(TREE).join("examples/live-boards");
    let shipped = fs::read_to_string(examples.join("mosquitto.conf")).unwrap();
    let place = folder.display().to_string();
    let ours = shipped
        .replace("listener 8883", &format!("listener {clocks} 127.0.0.1"))
        .replace("listener 9001", &format!("listener {browsers} 127.0.0.1"))
        .replace("/etc/mosquitto/certs", &place)
        .replace("/etc/mosquitto", &place);
    assert!(!ours.contains("/etc/"), "{ours}");
    let plain = format!(
        "listener {plain} 127.0.0.1\nallow_anonymous false\npassword_file {place}/passwords\n"
    );
    // Otherwise the broker gives up root, and can no longer read the folder of the test.
    fs::write(folder.join("mosquitto.conf"), format!("user root\n{ours}\n{plain}")).unwrap();
    fs::copy(examples.join("readers.acl"), folder.join("readers.acl")).unwrap();
    run(Command::new("mosquitto_passwd")
        .args(["-b", "-c"])
        .arg(folder.join("passwords"))
        .args(["clock", "secret"]));
    // A certificate that is its own authority.
    run(Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
        .args(["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
        .arg("-keyout")
        .arg(folder.join("broker.key"))
        .arg("-out")
        .arg(folder.join("broker.crt"))
        .stderr(Stdio::null()));
    fs::copy(folder.join("broker.crt"), folder.join("ca.crt")).unwrap();
}

fn mosquitto(folder: &Path, ports: [u16; 3]) -> Program {
    let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let mut command = Command::new("/usr/sbin/mosquitto");
    command.arg("-c").arg(folder.join("mosquitto.conf")).stdin(Stdio::null()).stderr(log);
    let running = Program::start(&mut command).unwrap();
    eventually("mosquitto listens", || {
        ports.iter().all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok()).then_some(())
    });
    running
}
