//! `clockctl -H`: a real `sshd` on this machine, and stand-ins for hosts that do not answer.

use super::{Clock, Ran, command, ran};
use clock_tests::{Program, eventually, write_executable};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// An `sshd` whose hosts are the clocks with the names `board-1`, `board-2` and so on.
struct Sshd {
    folder: tempfile::TempDir,
    _servers: Vec<Program>,
}

/// Writes a file that only its owner may read.
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o600)).unwrap();
}

fn key(path: &Path) {
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path);
    assert!(keygen.status().unwrap().success());
}

/// A port of the loopback interface that is free now.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Sshd {
    /// Servers for the clocks. If `forced`, the account may only use the bus, as
    /// docs/arbiter.md recommends; otherwise the words of `ssh` are carried out.
    fn start(clocks: &[&Clock], forced: bool) -> Sshd {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["host", "user"] {
            key(&path(name));
        }
        // `sshd` wants it, also without its privileges.
        let _ = std::fs::create_dir("/run/sshd");
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let user = String::from_utf8(user).unwrap();
        let mut config = String::new();
        let servers = clocks.iter().enumerate().map(|(index, clock)| {
            let number = index + 1;
            let bridge = format!("/usr/bin/systemd-stdio-bridge --bus-path={}", clock.bench.address());
            // Without a forced command, the name of the bridge is found in PATH.
            let programs = path(&format!("bin-{number}"));
            std::fs::create_dir(&programs).unwrap();
            write_executable(
                &programs.join("systemd-stdio-bridge"),
                &format!("#!/bin/sh\nexec {bridge}\n"),
            );
            let command = if forced { format!("ForceCommand {bridge}\n") } else { String::new() };
            let port = free_port();
            let text = format!(
                "ListenAddress 127.0.0.1\nPort {port}\nHostKey {0}/host\nAuthorizedKeysFile {0}/user.pub\n\
                 PasswordAuthentication no\nUsePAM no\nPidFile none\nStrictModes no\nMaxStartups 100\n\
                 SetEnv PATH={1}:/usr/bin:/bin\n{command}",
                folder.path().display(),
                programs.display(),
            );
            write(&path(&format!("sshd-{number}")), &text);
            config += &format!(
                "Host board-{number}\n  HostName 127.0.0.1\n  Port {port}\n  User {}\n",
                user.trim()
            );
            let mut sshd = Command::new("/usr/sbin/sshd");
            sshd.args(["-D", "-e", "-f"]).arg(path(&format!("sshd-{number}")));
            let server = Program::start(sshd.stderr(std::process::Stdio::null())).unwrap();
            eventually("sshd listens", || std::net::TcpStream::connect(("127.0.0.1", port)).ok());
            server
        });
        let servers = servers.collect();
        config += &format!(
            "Host *\n  IdentityFile {0}/user\n  UserKnownHostsFile {0}/known\n  StrictHostKeyChecking accept-new\n",
            folder.path().display()
        );
        write(&path("config"), &config);
        let client = format!("#!/bin/sh\nexec ssh -F {} \"$@\"\n", path("config").display());
        write_executable(&path("ssh"), &client);
        Sshd { folder, _servers: servers }
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = command(self.folder.path(), arguments);
        command.env("CLOCKCTL_SSH", self.folder.path().join("ssh"));
        // The sockets of shared connections are here.
        command.env("XDG_RUNTIME_DIR", self.folder.path());
        ran(command)
    }

    /// Lets two more hosts exist: `hang` never answers, `refuse` refuses the connection.
    fn add_bad_hosts(&self) {
        let path = self.folder.path().join("ssh");
        let ssh = std::fs::read_to_string(&path).unwrap();
        let bad = "#!/bin/sh\ncase \"$*\" in\n*hang*) exec sleep 60 ;;\n\
                   *refuse*) echo 'connect to host refuse: Connection refused' >&2; exit 255 ;;\nesac\n";
        write_executable(&path, &ssh.replace("#!/bin/sh\n", bad));
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        // A shared connection outlives the command that has opened it.
        for entry in std::fs::read_dir(self.folder.path()).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with("clockctl-") {
                let mut exit = Command::new("ssh");
                exit.args(["-O", "exit", "-o"]);
                exit.arg(format!("ControlPath={}", entry.path().display())).arg("any");
                let _ = exit.stderr(std::process::Stdio::null()).status();
            }
        }
    }
}

#[test]
fn commands_reach_clocks_through_ssh_unchanged_with_a_forced_command_and_without() {
    let clocks = [Clock::start(), Clock::start()];
    for forced in [true, false] {
        let sshd = Sshd::start(&[&clocks[0], &clocks[1]], forced);
        let control = "40/90, G/30, +30";
        let name = "O'Kelly \"$(id)\" \\ `id`";
        let arguments = ["-H", "board-1,board-2", "new", control, "--white", name];
        let new = sshd.run(&arguments);
        assert_eq!((new.exit, new.out.lines().count()), (0, 2), "{new:?}");
        for clock in &clocks {
            let state = clock.bench.status().unwrap();
            assert_eq!(state["white"]["player"], name);
            assert_eq!(state["white"]["remaining_ns"], 5_430_000_000_000_u64);
        }
        // A shell could take a quote in the name of a host for something else, so no board is asked.
        let quote = sshd.run(&["-H", "o'kelly,board-2", "status"]);
        assert_eq!((quote.exit, quote.out.as_str()), (2, ""), "{quote:?}");
        assert!(quote.err.contains("it has the character '; expected HOST"), "{quote:?}");
        let one = sshd.run(&["-H", "board-1", "add", "white", "2m"]);
        assert_eq!(one.exit, 0, "{one:?}");
        assert_eq!(clocks[0].white_nsec(), 5_550_000_000_000);
    }
}

#[test]
fn a_host_that_hangs_or_refuses_does_not_hold_the_others_up() {
    let clock = Clock::start();
    let sshd = Sshd::start(&[&clock], true);
    sshd.add_bad_hosts();
    let many = sshd.run(&["-H", "hang,refuse,board-1", "--deadline", "3", "start"]);
    assert_eq!(many.exit, 9, "{many:?}");
    assert!(many.out.starts_with("board-1  The game is started"), "{many:?}");
    assert!(many.err.contains("hang: no answer within 3 s"), "{many:?}");
    assert!(many.err.contains("refuse: cannot start White's clock: cannot reach"), "{many:?}");
    assert!(many.err.contains("Connection refused"), "{many:?}");
    let again = "  clockctl --boards hang,refuse -H hang,refuse,board-1 --deadline 3 start\n";
    assert!(many.err.ends_with(again), "{many:?}");
    let other = sshd.run(&["-H", "hang,refuse,board-1", "--boards", "board-1@1,board-1", "start"]);
    assert!(other.exit == 5 && other.err.contains("the clock has changed since"), "{other:?}");
    let one = sshd.run(&["-H", "refuse", "status"]);
    assert_eq!((one.exit, one.out.as_str()), (7, ""), "{one:?}");
    assert_eq!(sshd.run(&["-H", "-oProxyCommand=id", "status"]).exit, 2);
}
