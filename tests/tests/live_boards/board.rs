//! One board: a clock with simulated buttons, and its publisher, started again as systemd does it.

use crate::TREE;
use crate::broker::Broker;
use clock_tests::{Bench, Buttons, Program, program, write_executable};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// By how many seconds both clocks of the last board are ahead.
pub const HOUR: i128 = 3600;

/// Starts the publisher again, as `Restart=always` does.
const SUPERVISED: &str = r#"while :; do "$0" "$1"; sleep 1; done"#;

/// Adds an hour to every instant, as if the clocks of the machine were an hour ahead.
const AHEAD: &str = r#"
import re, sys
for line in sys.stdin:
    later = lambda found: '"' + str(int(found[1]) + 3600 * 10**9) + '"'
    print(re.sub(r'"(\d{9,20})"', later, line), end="", flush=True)
"#;

pub struct Board {
    pub topic: String,
    bench: Bench,
    _bus: Program,
    clock: Program,
    buttons: Buttons,
    publisher: Option<Child>,
}

impl Board {
    /// Starts the clock with this number, from 0, and its publisher. The instants that the last of
    /// the six clocks publishes are an hour ahead. Those with an even number publish over TLS.
    pub fn start(broker: &Broker, number: usize) -> Board {
        let bench = Bench::in_memory().unwrap();
        let bus = bench.bus().unwrap();
        let clock = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
        let buttons = bench.buttons().unwrap();
        let topic = format!("chessclock/machine-{number}");
        let mut board = Board { topic, bench, _bus: bus, clock, buttons, publisher: None };
        board.write(number, &broker.options(number.is_multiple_of(2)));
        let shown = (number + 1).to_string();
        let [white, black] = ["Anna", "Bo"].map(|name| format!("{name} {shown}"));
        let names = ["--white", &white, "--black", &black];
        let place = ["--board", &shown, "--round", "3", "--event", "Winter Cup"];
        board.ctl(&[&["new"][..], &names, &place].concat());
        board.publish();
        board
    }

    fn write(&self, number: usize, options: &str) {
        let folder = self.bench.folder();
        fs::write(folder.join("mosquitto_pub"), options).unwrap();
        fs::write(folder.join("ahead.py"), AHEAD).unwrap();
        let ahead = format!("| python3 {}/ahead.py", folder.display());
        let filter = if number + 1 == crate::BOARDS { &ahead } else { "" };
        let script = format!(
            "#!/bin/sh\nexec 2>>{}/ctl.log\n{} --bus {} \"$@\" {filter}\n",
            folder.display(),
            program("clockctl").display(),
            self.bench.address()
        );
        let clockctl = folder.join("clockctl");
        write_executable(&clockctl, &script);
    }

    /// Sets up a new game in which White has this name.
    pub fn set_up(&mut self, white: &str) {
        self.ctl(&["new", "--white", white, "--round", "3"]);
    }

    pub fn ctl(&self, arguments: &[&str]) {
        let output = self.bench.ctl(arguments).unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    pub fn status(&self) -> Value {
        self.bench.status().unwrap()
    }

    /// Presses a button. Returns the instant of the press.
    pub fn press(&mut self, side: &str) -> u64 {
        self.buttons.press(side).unwrap()
    }

    pub fn publish(&mut self) {
        let folder = self.bench.folder();
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        let path = std::env::var("PATH").unwrap();
        let script = std::path::Path::new(TREE).join("systemd/chess-clock-publish");
        let mut command = Command::new("bash");
        command.args(["-c", SUPERVISED]).arg(script).arg(&self.topic);
        command.env("PATH", format!("{}:{path}", folder.display()));
        command.env("XDG_CONFIG_HOME", folder).stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log).process_group(0);
        self.publisher = Some(command.spawn().unwrap());
    }

    /// Returns what the publisher has written for the journal.
    pub fn publisher_log(&self) -> String {
        fs::read_to_string(self.bench.folder().join("log")).unwrap()
    }

    pub fn stop_publishing(&mut self) {
        if let Some(mut publisher) = self.publisher.take() {
            // All programs of the publisher are in its group, as they are in one unit for systemd.
            let _ = kill_process_group(Pid::from_child(&publisher), Signal::KILL);
            publisher.wait().unwrap();
        }
    }

    pub fn kill_clock(&mut self) {
        self.clock.kill().unwrap();
    }

    pub fn start_clock(&mut self) {
        self.clock = self.bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop_publishing();
    }
}
