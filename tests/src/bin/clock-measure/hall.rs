//! Measures `clockctl --hall` with forty clocks, and with stand-ins for 400 and 2,000: the clocks are
//! reached through a stand-in for `ssh`, and board 41 is clock 1 again.

mod stand_in;

use anyhow::{Context, Result, ensure};
use clock_tests::{Bench, Program, processor_time, program};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::fmt::Write as _;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use self::stand_in::Hosts;
use super::report;

pub use self::stand_in::run as stand_in;

/// The number of clocks.
const CLOCKS: usize = 40;

/// How often each command is run.
const RUNS: usize = 11;

/// How long the live table is watched.
const WATCHED: Duration = Duration::from_secs(20);

/// The delay of each direction: 2 ms for clock 1 up to 80 ms for clock 40.
fn delay(clock: usize) -> Duration {
    Duration::from_millis(2 * clock as u64)
}

/// The forty clocks, each on a bus of its own.
struct Clocks {
    hosts: Hosts,
    folder: tempfile::TempDir,
    _programs: Vec<(Program, Program)>,
    benches: Vec<Bench>,
}

pub fn measure() -> Result<()> {
    let clocks = Clocks::start()?;
    println!("clockctl --hall, {CLOCKS} clocks, each direction 2 to 80 ms (target: 1.10)");
    let hall = clocks.hosts(CLOCKS)?;
    let slowest = CLOCKS.to_string();
    let (mut all, mut one) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        all.push(super::time(&mut clocks.status(&hall, &[])?)?);
        one.push(super::time(&mut clocks.status(&hall, &["--boards", &slowest])?)?);
    }
    let all = report("all of them", all);
    let one = report("the slowest alone", one);
    println!("  ratio of the medians {:.2}", all / one);

    println!("clockctl --hall status with stand-ins for more clocks, at most 100 at a time");
    for count in [400, 2_000] {
        let hall = clocks.hosts(count)?;
        let used = used(clocks.status(&hall, &[])?)?;
        println!(
            "  {count:>5} clocks          {:.2} s, processor {:.2} s, memory {:.1} MB at most",
            used.elapsed.as_secs_f64(),
            used.processor.as_secs_f64(),
            used.peak_memory
        );
    }

    println!("clockctl --hall watch, {CLOCKS} clocks that run (target: 5 % of a processor)");
    let direct = clocks.buses()?;
    for bench in &clocks.benches {
        ensure!(bench.ctl(&["start"])?.status.success(), "a clock does not start");
    }
    println!("  processor            {:.2} %", clocks.watched(&direct)? * 100.0);
    Ok(())
}

impl Clocks {
    fn start() -> Result<Clocks> {
        let folder = tempfile::tempdir()?;
        let (mut programs, mut benches) = (Vec::new(), Vec::new());
        for _ in 0..CLOCKS {
            let bench = Bench::in_memory()?;
            let bus = bench.bus()?;
            programs.push((bench.clockd(&["--control", "fide-standard"])?, bus));
            benches.push(bench);
        }
        let hosts = Hosts::listen(folder.path(), benches.iter().map(Bench::address))?;
        Ok(Clocks { hosts, folder, _programs: programs, benches })
    }

    /// Writes a hall file with `count` boards that are reached through the stand-in.
    fn hosts(&self, count: usize) -> Result<String> {
        self.write(count, |board| format!("host = \"board-{board}\""))
    }

    /// Writes a hall file with the buses of the clocks.
    fn buses(&self) -> Result<String> {
        self.write(CLOCKS, |board| format!("bus = \"{}\"", self.benches[board - 1].address()))
    }

    fn write(&self, count: usize, address: impl Fn(usize) -> String) -> Result<String> {
        let mut text = String::new();
        for board in 1..=count {
            write!(text, "[[board]]\nboard = \"{board}\"\n{}\n", address(board))?;
        }
        let path = self.folder.path().join(format!("hall-{count}.toml"));
        std::fs::write(&path, text)?;
        Ok(path.display().to_string())
    }

    fn status(&self, hall: &str, boards: &[&str]) -> Result<Command> {
        self.hosts.warm()?;
        let mut command = Command::new(program("clockctl"));
        command.args(["--hall", hall]).args(boards).arg("status").envs(self.hosts.variables()?);
        command.stdin(Stdio::null());
        Ok(command)
    }

    /// The share of a processor that the live table takes on a terminal of 50 rows.
    fn watched(&self, hall: &str) -> Result<f64> {
        let size = PtySize { rows: 50, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pty = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(program("clockctl"));
        command.args(["--hall", hall, "watch"]);
        command.env("TERM", "xterm");
        let mut watch = pty.slave.spawn_command(command)?;
        let mut screen = pty.master.try_clone_reader()?;
        let (seen, is_seen) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            // The terminal ends with an error when the program has gone.
            while let Ok(len) = screen.read(&mut buffer) {
                if len == 0 || seen.send(len).is_err() {
                    break;
                }
            }
        });
        is_seen.recv_timeout(Duration::from_secs(10)).context("the table does not appear")?;
        let pid = watch.process_id().context("the live table has ended")?;
        // The connections are made and the first picture is drawn in this time.
        thread::sleep(Duration::from_secs(5));
        is_seen.try_iter().count();
        let (start, before) = (Instant::now(), processor_time(pid)?);
        thread::sleep(WATCHED);
        let used = processor_time(pid)?.saturating_sub(before);
        let share = used.as_secs_f64() / start.elapsed().as_secs_f64();
        let pictures = is_seen.try_iter().count();
        println!("  pictures             {:.1} a second", pictures as f64 / WATCHED.as_secs_f64());
        watch.kill()?;
        watch.wait()?;
        Ok(share)
    }
}

/// What a command used.
struct Used {
    elapsed: Duration,
    /// The processor time of `clockctl` and of the stand-ins.
    processor: Duration,
    /// The largest resident set of `clockctl`, in megabytes.
    peak_memory: f64,
}

/// Runs the command. Its use is read every 5 ms; what it uses after the last reading is missing.
fn used(mut command: Command) -> Result<Used> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let mut used = Used { elapsed: Duration::ZERO, processor: Duration::ZERO, peak_memory: 0.0 };
    while child.try_wait()?.is_none() {
        // A program that has just ended has no such line.
        if let (Ok(time), Ok(memory)) =
            (processor_time(child.id()), super::megabytes(child.id(), "status", "VmHWM:"))
        {
            (used.processor, used.peak_memory) = (time, memory);
        }
        thread::sleep(Duration::from_millis(5));
    }
    used.elapsed = start.elapsed();
    ensure!(child.wait()?.success(), "a board did not answer");
    Ok(used)
}
