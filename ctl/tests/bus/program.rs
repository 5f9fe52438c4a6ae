//! Runs the built `clockctl`: to its end, or a verb such as `watch` until it is ended.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::private_bus::PrivateBus;

/// The longest wait for a program. It is long enough for any machine, so only a fault exceeds it.
pub const DEADLINE: Duration = Duration::from_secs(30);

pub fn clockctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clockctl"));
    command.env_remove("DBUS_SYSTEM_BUS_ADDRESS").env_remove("DBUS_SESSION_BUS_ADDRESS");
    command.env_remove("CLOCKCTL_HALL");
    // The machine of the tests may not know the time of day.
    command.env("CHESS_CLOCK_WALL_TIME", "known");
    command.stdin(Stdio::null());
    command
}

/// What a run printed, and its exit code.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub out: String,
    pub err: String,
    pub exit: i32,
}

pub fn run(bus: &PrivateBus, args: &[&str]) -> Ran {
    finish(on_bus(bus, args))
}

/// A run on this bus. The bus is named as the system bus, so that the commands in the texts have no
/// address.
pub fn on_bus(bus: &PrivateBus, args: &[&str]) -> Command {
    let mut command = clockctl();
    command.env("DBUS_SYSTEM_BUS_ADDRESS", bus.address()).args(args);
    command
}

pub fn finish(mut command: Command) -> Ran {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(command.output()));
    let output: Output = receiver.recv_timeout(DEADLINE).expect("it ends in time").unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        exit: output.status.code().expect("it exits by itself"),
    }
}

/// A running `clockctl watch`.
pub struct Watching {
    pub child: Child,
    lines: Option<Receiver<String>>,
}

impl Watching {
    pub fn start(bus: &PrivateBus, args: &[&str]) -> Self {
        Watching::start_verb(bus, "watch", args)
    }

    /// Starts the verb `verb`, which runs, as `watch` does, until it is ended.
    pub fn start_verb(bus: &PrivateBus, verb: &str, args: &[&str]) -> Self {
        let mut watching = Watching::unread_verb(bus, verb, args);
        let stdout = watching.child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            // Once the receiver is gone, the next line ends this thread and closes the pipe.
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        watching.lines = Some(lines);
        watching
    }

    /// Starts `clockctl watch` with a pipe that nobody reads yet.
    pub fn unread(bus: &PrivateBus, args: &[&str]) -> Self {
        Watching::unread_verb(bus, "watch", args)
    }

    fn unread_verb(bus: &PrivateBus, verb: &str, args: &[&str]) -> Self {
        let child = on_bus(bus, &[&[verb], args].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Watching { child, lines: None }
    }

    pub fn line(&self) -> String {
        self.lines.as_ref().unwrap().recv_timeout(DEADLINE).expect("a line comes in time")
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until the program ends. Returns the rest of its output, and its exit code.
    pub fn end(mut self) -> Ran {
        wait_until("it ends", || self.child.try_wait().unwrap().is_some());
        let exit = self.child.wait().unwrap().code().expect("it exits by itself");
        let mut err = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let out = self.lines.take().map_or_else(String::new, |lines| lines.iter().collect());
        Ran { out, err, exit }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a condition by polling.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < DEADLINE, "{what}: not in time");
        thread::sleep(Duration::from_millis(2));
    }
}
