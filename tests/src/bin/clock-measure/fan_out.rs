//! Measures how long a signal takes to reach 200 subscribers. A signal of the clock after a press
//! is compared with a signal of a bare zbus service, `clock-guest sender`, that has as many
//! properties and goes to the same subscribers.

use anyhow::{Context, Result, ensure};
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::Value;
use clock_tests::{Bench, FAST_DEBOUNCE, program};
use rustix::event::{PollFd, PollFlags, poll};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::process::{ChildStdin, Command, Stdio};

/// How many subscribers there are, and how many rounds are counted. In each round, each service
/// sends one signal.
const SUBSCRIBERS: usize = 200;
const ROUNDS: usize = 51;

/// The path of the bare service.
const PEER_PATH: &str = "/org/chessclock/Peer";

/// The settle time and the delivery window (the time that an edge can take to reach the clock loop)
/// together, in nanoseconds. The clock decides a press after this time.
const DECISION: u64 = 10_000 + 100_000;

pub fn measure() -> Result<()> {
    let bench = Bench::new()?;
    bench.configure(FAST_DEBOUNCE)?;
    let _bus = bench.bus()?;
    let _clockd = bench.clockd(&["--control", "blitz-3-2"])?;
    let mut subscribers = Vec::new();
    for _ in 0..SUBSCRIBERS {
        subscribers.push(subscribe(&bench)?);
    }
    let mut sender = start_sender(&bench)?;
    let mut buttons = bench.buttons()?;
    let (mut clock, mut bare) = (Vec::new(), Vec::new());
    // The two services alternate, so that a change of the machine's speed affects both alike.
    for (round, side) in ["black", "white"].into_iter().cycle().take(ROUNDS + 1).enumerate() {
        let sent = now();
        sender.write_all(b"\n")?;
        let bare_times = receive(&mut subscribers, sent)?;
        let pressed = buttons.edge(&format!("{side} down"))?;
        let clock_times = receive(&mut subscribers, pressed + DECISION)?;
        buttons.edge(&format!("{side} up"))?;
        // The first round is not counted, because both services still allocate memory in it.
        if round > 0 {
            bare.extend(bare_times);
            clock.extend(clock_times);
        }
    }
    println!(
        "press to D-Bus signal at {SUBSCRIBERS} subscribers, {ROUNDS} rounds (target: 2 times the bare one)"
    );
    let clock = report("the clock, from its decision", clock);
    let bare = report("a bare zbus service", bare);
    println!("  ratio of the medians {:.2}", clock / bare);
    bench.close()
}

/// A client that receives the `PropertiesChanged` of both services and nothing else.
fn subscribe(bench: &Bench) -> Result<RawClient> {
    let stream = UnixStream::connect(bench.folder().join("bus"))?;
    let mut client = RawClient::new(stream, rustix::process::geteuid().as_raw())?;
    for path in [clock_dbus::PATH, PEER_PATH] {
        let rule = format!("type='signal',member='PropertiesChanged',path='{path}'");
        client.ask_bus("AddMatch", vec![Value::text(rule)])?;
    }
    Ok(client)
}

/// Starts the bare service as a process of its own, because the clock is a process of its own, too.
fn start_sender(bench: &Bench) -> Result<ChildStdin> {
    let mut child = Command::new(program("clock-guest"))
        .arg("sender")
        .env("DBUS_SYSTEM_BUS_ADDRESS", bench.address())
        .stdin(Stdio::piped())
        .spawn()
        .context("cannot start clock-guest")?;
    // The sender ends when its standard input is closed.
    child.stdin.take().context("the sender's input")
}

/// Waits until every subscriber has received one signal. Returns for each the time from `sent` to
/// the receipt.
fn receive(subscribers: &mut [RawClient], sent: u64) -> Result<Vec<u64>> {
    let mut waiting: Vec<&mut RawClient> = subscribers.iter_mut().collect();
    let mut times = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let is_ready = {
            let mut sockets: Vec<PollFd<'_>> =
                waiting.iter().map(|client| PollFd::new(client.stream(), PollFlags::IN)).collect();
            let limit = rustix::time::Timespec { tv_sec: 30, tv_nsec: 0 };
            ensure!(poll(&mut sockets, Some(&limit))? > 0, "a subscriber receives nothing");
            sockets.iter().map(|socket| !socket.revents().is_empty()).collect::<Vec<bool>>()
        };
        let mut left = Vec::with_capacity(waiting.len());
        for (client, is_ready) in waiting.into_iter().zip(is_ready) {
            if is_ready {
                client.receive()?;
                times.push(now().saturating_sub(sent));
            } else {
                left.push(client);
            }
        }
        waiting = left;
    }
    Ok(times)
}

/// Prints the quantiles of `times`. Returns the median in microseconds.
fn report(name: &str, mut times: Vec<u64>) -> f64 {
    times.sort_unstable();
    let micros = |nanos: u64| std::time::Duration::from_nanos(nanos).as_secs_f64() * 1e6;
    let at = |hundredth: usize| micros(times[(times.len() - 1) * hundredth / 100]);
    println!("  {name:<28} median {:.0} µs, p99 {:.0} µs, max {:.0} µs", at(50), at(99), at(100));
    at(50)
}

/// CLOCK_MONOTONIC in nanoseconds, the clock of the stamps.
fn now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}
