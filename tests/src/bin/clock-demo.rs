//! `make demo`: the real programs on a private bus, with simulated buttons.
//!
//! In a terminal, the face fills the terminal and its keys are the buttons. Without a terminal, or
//! with `--scripted`, a short scripted game is played without the face, and each transition is
//! printed.

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use clock_controls::{Argument, Library, NamedControl};
use clock_tests::{Bench, DEADLINE, Program, child_processes, program};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

/// Plays with the chess clock: real programs, a private bus, simulated buttons.
#[derive(Parser)]
struct Args {
    /// The time control: a name, a control file, or a notation such as 3+2 or '40/90, G/30, +30'
    /// [default: 5+3, as a new clock starts; scripted: one second and 0.2 s a move].
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: Option<String>,
    /// The folder for the sockets of the bus and the buttons [default: a temporary folder].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Play the scripted game even in a terminal.
    #[arg(long)]
    scripted: bool,
}

/// The configuration of a new clock, with which two people play without an arbiter.
const SHIPPED: &str = include_str!("../../../configs/clockd.toml");
const WIRING: &str = include_str!("../../../configs/wiring/raspberry-pi.toml");

/// The control of the scripted game if no other one is given. It is so short that a flag falls
/// within seconds.
const SCRIPTED_CONTROL: &str = "\
name = \"One second and 0.2 s a move\"
[[period]]
time = \"1s\"
increment = \"200ms\"
";

/// The signal that ended the demonstration, or 0.
static STOPPED: AtomicI32 = AtomicI32::new(0);

fn main() -> ExitCode {
    let done = demo(&Args::parse());
    match (STOPPED.load(Ordering::SeqCst), done) {
        (0, Ok(())) => ExitCode::SUCCESS,
        (0, Err(error)) => {
            eprintln!("demo: {error:#}");
            ExitCode::FAILURE
        }
        // After a signal, an error only means that the programs have ended.
        (signal, _) => ExitCode::from(128_u8.saturating_add(u8::try_from(signal).unwrap_or(0))),
    }
}

/// Runs the demonstration. Every program that is started here is killed when it is dropped, and the
/// temporary folder is removed last.
fn demo(args: &Args) -> Result<()> {
    if let Some(argument) = &args.control {
        echo_notation(argument)?;
    }
    end_on_signals()?;
    let bench = match &args.dir {
        Some(folder) => Bench::within(folder)?,
        None => Bench::new()?,
    };
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let played = if terminal && !args.scripted {
        face(&bench, args.control.as_deref())
    } else {
        script(&bench, args.control.as_deref())
    };
    bench.close()?;
    played
}

/// Prints how a notation was read, or refuses it before anything is started. `clockd` checks names
/// and files.
fn echo_notation(argument: &str) -> Result<()> {
    if Library::default().classify(argument, Path::new("")) == Argument::Notation {
        let control = NamedControl::from_notation(argument)?;
        println!("`{}` means {}", control.name, control.describe());
    }
    Ok(())
}

/// Passes a signal on to the programs as SIGTERM, so that the face restores the terminal. The
/// demonstration then ends because its programs have ended.
fn end_on_signals() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [mut interrupt, mut terminate, mut hangup] = {
        let _inside = runtime.enter();
        let [a, b, c] = kinds.map(signal);
        [a?, b?, c?]
    };
    std::thread::spawn(move || {
        let number = runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => SignalKind::interrupt(),
                _ = terminate.recv() => SignalKind::terminate(),
                _ = hangup.recv() => SignalKind::hangup(),
            }
        });
        STOPPED.store(number.as_raw_value(), Ordering::SeqCst);
        // The signal is sent to all child processes again and again, because a further one may be
        // starting.
        loop {
            for pid in child_processes().into_iter().filter_map(Pid::from_raw) {
                // The process may have ended already.
                let _ = kill_process(pid, Signal::TERM);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    Ok(())
}

fn face(bench: &Bench, control: Option<&str>) -> Result<()> {
    let _bus = bench.bus()?;
    bench.configure(SHIPPED)?;
    let [state, wiring] = ["state", "wiring"].map(|name| bench.folder().join(name));
    std::fs::create_dir_all(&state)?;
    std::fs::create_dir_all(&wiring)?;
    std::fs::write(wiring.join("raspberry-pi.toml"), WIRING)?;
    let mut command = bench.clockd_command(&[]);
    command.env("STATE_DIRECTORY", state);
    command.args(control.iter().flat_map(|control| ["--control", control]));
    let _clockd = bench.start(command)?;
    println!("From another terminal, as the arbiter:");
    println!("    {} --bus {} status", program("clockctl").display(), bench.address());
    let mut face = Program::start(
        Command::new(program("clock-display"))
            .args(["--terminal", "--bus", &bench.address(), "--demo"])
            .arg(bench.socket()),
    )?;
    let code = face.wait()?;
    ensure!(code == 0, "the face ended with status {code}");
    Ok(())
}

fn script(bench: &Bench, control: Option<&str>) -> Result<()> {
    println!(
        "A game is played through the real programs, on a bus of their own at {}",
        bench.address()
    );
    let file = bench.folder().join("one-second.toml");
    std::fs::write(&file, SCRIPTED_CONTROL)?;
    let file = file.display().to_string();
    let _bus = bench.bus()?;
    let record = bench.folder().join("games").display().to_string();
    let control = control.unwrap_or(&file);
    let mut clockd = bench.clockd(&["--control", control, "--record", &record])?;
    let watch = Watch::start(bench)?;
    play(bench)?;
    watch.until(" over ")?;
    // `watch` is ended here. If it still ran at the end of `clockd`, it would report that end.
    drop(watch);
    println!();
    run(bench, &["status"])?;
    clockd.signal(Signal::TERM)?;
    let code = clockd.wait()?;
    ensure!(code == 0, "clockd ended with status {code}");
    println!("\nThe result stands; nothing of this game is left behind.");
    Ok(())
}

/// `clockctl watch`, whose lines are printed.
struct Watch {
    _program: Program,
    lines: mpsc::Receiver<String>,
}

impl Watch {
    /// Starts `clockctl watch`, which has subscribed to the signals when this returns.
    fn start(bench: &Bench) -> Result<Watch> {
        let mut program = Program::start(bench.clockctl(&["watch"]).stdout(Stdio::piped()))?;
        let output = BufReader::new(program.stdout().context("its output is piped")?).lines();
        let (printed, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.map_while(Result::ok) {
                println!("{line}");
                // The receiver may be gone; the line is printed anyway.
                let _ = printed.send(line);
            }
        });
        let watch = Watch { _program: program, lines };
        watch.until("")?;
        Ok(watch)
    }

    /// Waits until `clockctl watch` has printed a line with this text in it.
    fn until(&self, text: &str) -> Result<()> {
        loop {
            let line = self.lines.recv_timeout(DEADLINE);
            if line.context("clockctl watch prints nothing more")?.contains(text) {
                return Ok(());
            }
        }
    }
}

/// Plays ten moves, pauses and resumes the game, waits for White's flag, and enters the result.
fn play(bench: &Bench) -> Result<()> {
    let mut buttons = bench.buttons()?;
    buttons.press("black")?;
    for side in ["white", "black"].into_iter().cycle().take(10) {
        pause(Duration::from_millis(100));
        buttons.press(side)?;
    }
    run(bench, &["pause", "--by", "white", "--reason", "a queen is missing", "-q"])?;
    pause(Duration::from_millis(300));
    run(bench, &["resume", "-q"])?;
    let start = Instant::now();
    while bench.status()?["phase"] != "ruling" {
        if start.elapsed() > Duration::from_secs(60) {
            bail!("no flag fell; with a control of your own it may need longer");
        }
        pause(Duration::from_millis(50));
    }
    run(bench, &["result", "0-1", "--reason", "White's time was used up", "-q"])
}

/// Sleeps, unless a signal has come.
fn pause(moment: Duration) {
    if STOPPED.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(moment);
    }
}

fn run(bench: &Bench, arguments: &[&str]) -> Result<()> {
    let mut command = bench.clockctl(arguments);
    let status = command.status().context("cannot run clockctl")?;
    ensure!(status.success(), "clockctl {} ended with {status}", arguments.join(" "));
    Ok(())
}
