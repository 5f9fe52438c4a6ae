//! `make bench`: measures the memory of `clockd`, the run time of `clockctl status` for one clock and
//! for a hall, and how long signals to many subscribers take. `clock-measure hall` measures only
//! the hall. Each time is compared with that of a similar program in the
//! same run.

mod fan_out;
mod hall;

use anyhow::{Context, Result, ensure};
use clock_tests::Bench;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each command is run.
const RUNS: usize = 51;

fn main() -> Result<()> {
    if hall::stand_in()? {
        return Ok(());
    }
    if std::env::args().nth(1).as_deref() == Some("hall") {
        return hall::measure();
    }
    let bench = Bench::new()?;
    let _bus = bench.bus()?;
    let clockd = bench.clockd(&["--control", "blitz-3-2"])?;
    println!("clockd, proportional share of memory (target: 6 MB at most)");
    println!("  just started      {:>6.2} MB", pss(clockd.id())?);
    let mut buttons = bench.buttons()?;
    for side in ["black", "white"].into_iter().cycle().take(101) {
        buttons.press(side)?;
    }
    println!("  after 100 moves   {:>6.2} MB", pss(clockd.id())?);

    // The two commands alternate, so that a change of the machine's speed affects both alike.
    let (mut status, mut peer) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        status.push(time(&mut bench.clockctl(&["status"]))?);
        peer.push(time(&mut gdbus(&bench.address()))?);
    }
    println!("clockctl status, whole process (target: 20 ms at most), {RUNS} runs");
    let status = report("clockctl status", status);
    let peer = report("gdbus call GetState", peer);
    println!("  ratio of the medians {:.2}", status / peer);
    bench.close()?;
    fan_out::measure()?;
    hall::measure()
}

fn gdbus(address: &str) -> Command {
    let mut command = Command::new("gdbus");
    command.args(["call", "--address", address, "--dest", "org.chessclock.Clock1"]);
    command.args(["--object-path", "/org/chessclock/Clock1"]);
    command.args(["--method", "org.chessclock.Clock1.GetState"]);
    command
}

fn time(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status()?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(start.elapsed())
}

/// Prints the minimum, the median and the maximum of `times`. Returns the median in milliseconds.
fn report(name: &str, mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let millis = |time: &Duration| time.as_secs_f64() * 1e3;
    let median = times.get(times.len() / 2).map_or(0.0, millis);
    let (first, last) = (times.first().map_or(0.0, millis), times.last().map_or(0.0, millis));
    println!("  {name:<20} min {first:.2} ms, median {median:.2} ms, max {last:.2} ms");
    median
}

/// The proportional set size of a process, in megabytes.
fn pss(pid: u32) -> Result<f64> {
    megabytes(pid, "smaps_rollup", "Pss:")
}

/// The size in the line of `/proc/PID/FILE` that begins with `key`, in megabytes.
fn megabytes(pid: u32, file: &str, key: &str) -> Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/{file}"))?;
    let line = text.lines().find(|line| line.starts_with(key));
    let line = line.with_context(|| format!("no line {key}"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1).context("no number")?.parse()?;
    Ok(kilobytes * 1024.0 / 1e6)
}
