//! The programs in examples/ follow a clock over a restart of the service.

use crate::TREE;
use clock_tests::{Bench, Program, eventually, program};
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a started example has printed so far.
struct Example {
    program: Program,
    log: PathBuf,
}

impl Drop for Example {
    fn drop(&mut self) {
        let group = i32::try_from(self.program.id()).ok().and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
}

impl Example {
    fn start(bench: &Bench, mut command: Command) -> Example {
        let log = bench.folder().join("example.log");
        let file = fs::File::create(&log).unwrap();
        command.env("DBUS_SYSTEM_BUS_ADDRESS", bench.address()).stdin(Stdio::null());
        command.stdout(file.try_clone().unwrap()).stderr(file);
        // The shell starts further processes, which outlive it.
        command.process_group(0);
        Example { program: Program::start(&mut command).unwrap(), log }
    }

    /// Waits until the latest line is `line`.
    fn shows(&self, line: &str) {
        let read = || fs::read_to_string(&self.log).unwrap();
        clock_tests::eventually_ok(line, || {
            let text = read();
            if text.lines().last() == Some(line) { Ok(()) } else { Err(text) }
        });
    }

    /// White's time in the latest line, in whole seconds, if it shows a running clock.
    fn shown(&self) -> Option<u64> {
        let text = fs::read_to_string(&self.log).unwrap();
        let line = text.lines().last()?.strip_suffix("running")?;
        let (minutes, seconds) = line.strip_prefix("White ")?.split(' ').next()?.split_once(':')?;
        Some(minutes.parse::<u64>().unwrap() * 60 + seconds.parse::<u64>().unwrap())
    }

    /// Waits until White's time of a running clock is the one that the clock itself shows. The time of
    /// the clock is read between two lines of the example, however long that takes on a busy machine. A
    /// line shows whole seconds, rounded up, and is up to 1.2 s old, because the example in shell prints
    /// one each second.
    fn shows_the_time_of(&self, bench: &Bench) {
        const SECOND: u64 = 1_000_000_000;
        eventually("the right time", || {
            let before = self.shown()?;
            let status = bench.status().unwrap();
            let left = status["white"]["remaining_ns"].as_u64().unwrap();
            let after = self.shown()?;
            let is_right =
                left <= before * SECOND + SECOND / 10 && after * SECOND <= left + 22 * SECOND / 10;
            (is_right && after < 181).then_some(())
        });
    }
}

fn follows_over_a_restart(command: impl FnOnce(&Bench) -> Command) {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let command = command(&bench);
    let mut clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let example = Example::start(&bench, command);
    example.shows("White 3:02  Black 3:02  ready");
    assert!(bench.ctl(&["start"]).unwrap().status.success());
    example.shows_the_time_of(&bench);
    clockd.kill().unwrap();
    example.shows("no clock service");
    let _clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    example.shows("White 3:02  Black 3:02  ready");
    assert!(bench.ctl(&["start"]).unwrap().status.success());
    example.shows_the_time_of(&bench);
    assert!(bench.ctl(&["pause"]).unwrap().status.success());
    assert!(bench.ctl(&["set", "--white-time", "1:00:00"]).unwrap().status.success());
    assert!(bench.ctl(&["set", "--black-time", "0:00:07.01"]).unwrap().status.success());
    example.shows("White 1:00:00  Black 7.1  paused");
}

fn example(name: &str) -> PathBuf {
    Path::new(TREE).join("examples").join(name)
}

#[test]
fn the_example_in_rust() {
    follows_over_a_restart(|_| Command::new(program("examples/follow")));
}

#[test]
fn the_example_in_shell() {
    follows_over_a_restart(|_| {
        let mut command = Command::new("sh");
        command.arg(example("follow.sh"));
        command
    });
}

#[test]
#[ignore = "needs dbus-fast: `make live-boards` installs it"]
fn the_example_in_python() {
    follows_over_a_restart(|_| {
        let mut command = Command::new(Path::new(TREE).join("target/examples/python/bin/python"));
        command.arg(example("follow.py"));
        command
    });
}

#[test]
#[ignore = "needs @jellybrick/dbus-next: `make live-boards` installs it"]
fn the_example_in_javascript() {
    follows_over_a_restart(|_| {
        // Node looks for libraries beside the program.
        let folder = Path::new(TREE).join("target/examples/javascript");
        let copy = folder.join("follow.mjs");
        fs::copy(example("follow.mjs"), &copy).unwrap();
        let mut command = Command::new("node");
        command.arg(copy);
        command
    });
}
