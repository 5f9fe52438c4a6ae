//! Measures the time from an edge's stamp until another program has printed the edge.

use crate::button::{Button, now};
use crate::presses::Presses;
use anyhow::{Context, Result, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

#[derive(clap::Args)]
pub struct Observe {
    #[command(flatten)]
    presses: Presses,
    /// The program. It prints a line for each edge that ends with its CLOCK_MONOTONIC stamp, in
    /// seconds with nine decimals.
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

impl Observe {
    /// Prints for each edge the time from its stamp until the program has printed a line for it.
    pub fn run(self) -> Result<()> {
        let buttons = self.presses.buttons()?;
        let mut program = Watched::start(&self.program)?;
        program.wait_for_first(&buttons[0])?;
        let mut latencies = Vec::new();
        self.presses.play(&buttons, |_| {
            let stamp = program.stamp().context("an edge that the program did not print")?;
            latencies.push(now().saturating_sub(stamp));
            Ok(())
        })?;
        for nsec in latencies {
            println!("{}", serde_json::json!({ "nsec": nsec }));
        }
        Ok(())
    }
}

/// The program, which is killed when this is dropped.
struct Watched {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Watched {
    fn start(program: &[String]) -> Result<Watched> {
        let mut child = Command::new(&program[0])
            .args(&program[1..])
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| program.join(" "))?;
        let output = BufReader::new(child.stdout.take().context("its output")?);
        Ok(Watched { child, output })
    }

    /// Changes the line until the program prints an edge, which shows that the program reads the
    /// line. The contact is open at the end.
    fn wait_for_first(&mut self, button: &Button) -> Result<()> {
        for _ in 0..100 {
            button.press()?;
            button.release()?;
            let mut printed = false;
            while self.readable(200)? {
                printed = true;
                self.line()?;
            }
            if printed {
                return Ok(());
            }
        }
        bail!("the program prints no edge")
    }

    fn stamp(&mut self) -> Result<u64> {
        if self.output.buffer().is_empty() && !self.readable(5000)? {
            bail!("nothing within 5 s");
        }
        stamp(&self.line()?)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }

    fn readable(&self, millis: i64) -> Result<bool> {
        if !self.output.buffer().is_empty() {
            return Ok(true);
        }
        let mut fds = [PollFd::new(self.output.get_ref(), PollFlags::IN)];
        let limit = Timespec { tv_sec: millis / 1000, tv_nsec: millis % 1000 * 1_000_000 };
        Ok(poll(&mut fds, Some(&limit))? > 0)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the seconds at the end of a line, such as `… 12.345678901`. Returns them in nanoseconds.
fn stamp(line: &str) -> Result<u64> {
    let number = line.split_whitespace().next_back().context("an empty line")?;
    let (seconds, nanos) = number.split_once('.').with_context(|| format!("no stamp: {line}"))?;
    Ok(seconds.parse::<u64>()? * 1_000_000_000 + nanos.parse::<u64>()?)
}
