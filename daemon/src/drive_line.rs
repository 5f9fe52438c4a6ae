//! `clockd --drive-line`: drives a spare line as a button would, for `clockctl doctor --loopback`.
//!
//! It is a process of its own, because only root may drive lines: the service has the right to
//! watch those of the buttons, and `clockctl` has no right to any. It reads lines such as `down
//! 60000000` from standard input: after so many nanoseconds, it sets the level and answers with the
//! readings of CLOCK_MONOTONIC before and after that. At the end of the input it lets go of the
//! line. It says `ready` first, or `error: …` instead of an answer, and ends.

use crate::args::Args;
use crate::config::Configuration;
use crate::service::Failure;
use clock_wiring::LineName;
use clockd_rt::clock::monotonic_now;
use clockd_rt::gpio::OutputLine;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// The longest line of the input, in bytes.
const LINE_LIMIT: u64 = 64;
/// The longest wait before a change of the level.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// What is driven.
enum Wire {
    /// A line of a GPIO chip.
    Gpio(OutputLine),
    /// The attribute `pull` of a line of the kernel's gpio-sim, and whether a pressed button pulls
    /// its line down.
    Pull(File, bool),
    /// A button of a simulated board.
    Simulated(BufReader<UnixStream>, String),
}

/// Drives the line until the input ends.
pub fn run(args: &Args, line: &str) -> Result<(), Failure> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut driven = open(args, line);
    let answer = match &driven {
        Ok(_) => "ready".to_owned(),
        Err(why) => format!("error: {why}"),
    };
    writeln!(output, "{answer}").and_then(|()| output.flush())?;
    let Ok(wire) = &mut driven else { return Err(Failure::Line) };
    let done = serve(wire, &mut input, &mut output);
    // The button is up at the end, whatever ended the input.
    wire.set(false).and(done)?;
    Ok(())
}

fn serve(wire: &mut Wire, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    loop {
        let mut line = String::new();
        if input.by_ref().take(LINE_LIMIT).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let done = order(&line).and_then(|(wait, pressed)| {
            std::thread::sleep(wait);
            let before = monotonic_now();
            wire.set(pressed).map_err(|error| format!("the line cannot be set: {error}"))?;
            Ok((before, monotonic_now()))
        });
        match done {
            Ok((before, after)) => {
                writeln!(output, "{} {}", before.as_nanos(), after.as_nanos())?;
                output.flush()?;
            }
            Err(why) => {
                writeln!(output, "error: {why}")?;
                output.flush()?;
                return Err(io::Error::other(why));
            }
        }
    }
}

/// Reads an order such as `down 60000000`.
fn order(line: &str) -> Result<(Duration, bool), String> {
    let wrong = || format!("`{}`; expected down NSEC or up NSEC", line.trim_end().escape_debug());
    let (word, wait) = line.trim_end().split_once(' ').ok_or_else(wrong)?;
    let pressed = match word {
        "down" => true,
        "up" => false,
        _ => return Err(wrong()),
    };
    let wait = Duration::from_nanos(wait.parse().map_err(|_| wrong())?);
    match wait <= LONGEST_WAIT {
        true => Ok((wait, pressed)),
        false => Err(format!("{word} after {wait:?}; expected at most {LONGEST_WAIT:?}")),
    }
}

/// Opens what `line` names: `sim:PATH:BUTTON`, `pull:PATH`, `LINE` or `CHIP:LINE`. Without a chip,
/// the line is one of the chip of the configured wiring.
fn open(args: &Args, line: &str) -> Result<Wire, String> {
    if let Some((path, button)) = line.strip_prefix("sim:").and_then(|rest| rest.rsplit_once(':')) {
        let stream = UnixStream::connect(path)
            .map_err(|error| format!("no simulated board at {path}: {error}"))?;
        return Ok(Wire::Simulated(BufReader::new(stream), button.to_owned()));
    }
    if !rustix::process::geteuid().is_root() {
        return Err("only root may drive a line: use sudo".to_owned());
    }
    let configuration = Configuration::load(args.config.as_deref(), None, true);
    let configuration = configuration.map_err(|error| error.to_string())?;
    let wiring = configuration.wiring.map(|file| file.wiring);
    let active_low = wiring.as_ref().is_none_or(|wiring| wiring.active_low);
    if let Some(path) = line.strip_prefix("pull:") {
        let file = File::options().write(true).open(Path::new(path));
        return Ok(Wire::Pull(file.map_err(|error| format!("{path}: {error}"))?, active_low));
    }
    let (chips, line) = match (line.split_once(':'), wiring) {
        (Some((chip, line)), _) => (vec![chip.to_owned()], line),
        (None, Some(wiring)) => (wiring.chips, line),
        (None, None) => {
            return Err(format!("line {line} of which chip? No wiring is configured; CHIP:{line}"));
        }
    };
    let name = match line.parse() {
        Ok(offset) => LineName::Offset(offset),
        Err(_) => LineName::Name(line.to_owned()),
    };
    OutputLine::open(&chips, &name, active_low).map(Wire::Gpio).map_err(|error| error.to_string())
}

impl Wire {
    fn set(&mut self, pressed: bool) -> io::Result<()> {
        match self {
            Wire::Gpio(line) => line.set(pressed),
            Wire::Pull(file, active_low) => {
                let word = if pressed == *active_low { "pull-down" } else { "pull-up" };
                file.write_all_at(word.as_bytes(), 0)
            }
            Wire::Simulated(socket, button) => {
                let word = if pressed { "down" } else { "up" };
                socket.get_mut().write_all(format!("{button} {word}\n").as_bytes())?;
                let mut answer = String::new();
                socket.by_ref().take(2 * LINE_LIMIT).read_line(&mut answer)?;
                match answer.starts_with("ok ") {
                    true => Ok(()),
                    false => Err(io::Error::other(answer.trim_end().to_owned())),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_a_level_and_a_wait() {
        assert_eq!(order("down 7\n"), Ok((Duration::from_nanos(7), true)));
        assert_eq!(order("up 10000000000\n"), Ok((LONGEST_WAIT, false)));
        for (line, part) in [
            ("", "expected down NSEC or up NSEC"),
            ("down", "expected down NSEC or up NSEC"),
            ("left 7", "expected down NSEC or up NSEC"),
            ("up -7", "expected down NSEC or up NSEC"),
            ("up 10000000001", "expected at most 10s"),
        ] {
            let refused = order(line).unwrap_err();
            assert!(refused.contains(part), "{refused}");
        }
    }
}
