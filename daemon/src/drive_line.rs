//! `clockd --drive-line`: drives a spare line as a button would, for `clockctl doctor --loopback`.
//!
//! It is a process of its own, because only root may drive lines: the service has the right to
//! watch those of the buttons, and `clockctl` has no right to any. It says `ready` and reads orders
//! from standard input:
//!
//! - `down WAIT UNTIL`: after WAIT nanoseconds, it presses the button. If CLOCK_MONOTONIC has passed
//!   UNTIL by then, it does not, and answers `late`: the press might be one of a game.
//! - `up WAIT`: after WAIT nanoseconds, it releases the button.
//!
//! It answers with the readings of CLOCK_MONOTONIC before and after it has set the level. Instead of
//! an answer it says `error: …`, or `denied: …` without the right to drive a line, and ends. When the
//! other end of the input is closed, it releases the button at once and ends, so that no press comes
//! after `clockctl` has ended.

use crate::args::Args;
use crate::config::Configuration;
use crate::service::Failure;
use clock_engine::Instant;
use clock_wiring::LineName;
use clockd_rt::clock::monotonic_now;
use clockd_rt::gpio::OutputLine;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
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

/// An order: after the wait, the button is pressed, unless the instant has passed by then, or
/// released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Down { wait: Duration, until: Instant },
    Up { wait: Duration },
}

/// Drives the line until the input ends.
pub fn run(args: &Args, line: &str) -> Result<(), Failure> {
    let (stdin, mut output) = (io::stdin(), io::stdout().lock());
    let mut driven = open(args, line);
    let answer = match &driven {
        Ok(_) => "ready",
        Err(why) => why,
    };
    writeln!(output, "{answer}").and_then(|()| output.flush())?;
    let Ok(wire) = &mut driven else { return Err(Failure::Line) };
    let done = serve(wire, &mut stdin.lock(), stdin.as_fd(), &mut output);
    // The button is up at the end, whatever ended the input.
    wire.set(false).and(done)?;
    Ok(())
}

/// Carries out the orders of the input, whose descriptor is `ends`.
fn serve(
    wire: &mut Wire,
    input: &mut impl BufRead,
    ends: BorrowedFd<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    loop {
        let mut line = String::new();
        if input.by_ref().take(LINE_LIMIT).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answer = match order(&line) {
            Ok(Order::Down { wait, .. } | Order::Up { wait }) if !passes(wait, ends)? => {
                return Ok(());
            }
            Ok(order) => carried_out(order, wire),
            Err(why) => Err(why),
        };
        let text = answer.as_ref().map_or_else(|why| format!("error: {why}"), Clone::clone);
        writeln!(output, "{text}").and_then(|()| output.flush())?;
        if let Err(why) = answer {
            return Err(io::Error::other(why));
        }
    }
}

/// Sets the level. Returns the answer.
fn carried_out(order: Order, wire: &mut Wire) -> Result<String, String> {
    let before = monotonic_now();
    if matches!(order, Order::Down { until, .. } if before > until) {
        return Ok("late".to_owned());
    }
    let set = wire.set(matches!(order, Order::Down { .. }));
    set.map_err(|error| format!("the line cannot be set: {error}"))?;
    Ok(format!("{} {}", before.as_nanos(), monotonic_now().as_nanos()))
}

/// Waits for this time. Returns `false` if the other end of the input is closed in the meantime.
fn passes(wait: Duration, ends: BorrowedFd<'_>) -> io::Result<bool> {
    let begin = std::time::Instant::now();
    loop {
        let left = wait.saturating_sub(begin.elapsed());
        if left.is_zero() {
            return Ok(true);
        }
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        // Without an event to wait for, only the end of the input is reported.
        let mut polled = [PollFd::from_borrowed_fd(ends, PollFlags::empty())];
        match poll(&mut polled, Some(&left)) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads an order such as `up 60000000`.
fn order(line: &str) -> Result<Order, String> {
    let line = line.trim_end();
    let wrong = || format!("`{}`; expected down NSEC UNTIL or up NSEC", line.escape_debug());
    let number = |word: &str| word.parse::<u64>().map_err(|_| wrong());
    let mut words = line.split(' ');
    let (word, wait, until) = (words.next(), words.next(), words.next());
    let wait = Duration::from_nanos(number(wait.ok_or_else(wrong)?)?);
    if wait > LONGEST_WAIT {
        return Err(format!("`{line}` waits for {wait:?}; expected at most {LONGEST_WAIT:?}"));
    }
    match (word, until, words.next()) {
        (Some("down"), Some(until), None) => {
            Ok(Order::Down { wait, until: Instant::from_nanos(number(until)?) })
        }
        (Some("up"), None, None) => Ok(Order::Up { wait }),
        _ => Err(wrong()),
    }
}

/// Opens what `line` names: `sim:PATH:BUTTON`, `pull:PATH`, `LINE` or `CHIP:LINE`. Without a chip,
/// the line is one of the chip of the configured wiring. The error is the first line of the output.
fn open(args: &Args, line: &str) -> Result<Wire, String> {
    if !line.starts_with("sim:") && !rustix::process::geteuid().is_root() {
        return Err("denied: only root may drive a line: use sudo".to_owned());
    }
    opened(args, line).map_err(|why| format!("error: {why}"))
}

fn opened(args: &Args, line: &str) -> Result<Wire, String> {
    if let Some((path, button)) = line.strip_prefix("sim:").and_then(|rest| rest.rsplit_once(':')) {
        let stream = UnixStream::connect(path)
            .map_err(|error| format!("no simulated board at {path}: {error}"))?;
        return Ok(Wire::Simulated(BufReader::new(stream), button.to_owned()));
    }
    let configuration = Configuration::load(args.config.as_deref(), None, true);
    let configuration = configuration.map_err(|error| error.to_string())?;
    let wiring = configuration.wiring.map(|file| file.wiring);
    let active_low = wiring.as_ref().is_none_or(|wiring| wiring.active_low);
    if let Some(path) = line.strip_prefix("pull:") {
        return pull(path).map(|file| Wire::Pull(file, active_low));
    }
    let (chips, line) = match (line.split_once(':'), wiring) {
        (Some((chip, line)), _) => (vec![chip.to_owned()], line),
        (None, Some(wiring)) => (wiring.chips, line),
        (None, None) => {
            return Err(format!(
                "line {line} of which chip? no wiring is configured: CHIP:{line} names it"
            ));
        }
    };
    let name = match line.parse() {
        Ok(offset) => LineName::Offset(offset),
        Err(_) => LineName::Name(line.to_owned()),
    };
    OutputLine::open(&chips, &name, active_low).map(Wire::Gpio).map_err(|error| error.to_string())
}

/// Opens the attribute `pull` of a line of gpio-sim. No other file is written to.
fn pull(path: &str) -> Result<File, String> {
    let failed = |error: io::Error| format!("{path}: {error}");
    let real = std::fs::canonicalize(path).map_err(failed)?;
    if !real.starts_with("/sys") || !real.ends_with("pull") {
        return Err(format!("{path}: expected the file pull of a line of gpio-sim in /sys"));
    }
    File::options().write(true).open(real).map_err(failed)
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
    use std::io::PipeReader;
    use std::thread;

    #[test]
    fn an_order_is_a_level_and_a_wait() {
        let (wait, until) = (Duration::from_nanos(7), Instant::from_nanos(9));
        assert_eq!(order("down 7 9\n"), Ok(Order::Down { wait, until }));
        assert_eq!(order("up 10000000000\n"), Ok(Order::Up { wait: LONGEST_WAIT }));
        for (line, part) in [
            ("", "expected down NSEC UNTIL or up NSEC"),
            ("down", "expected down NSEC UNTIL or up NSEC"),
            ("down 7", "expected down NSEC UNTIL or up NSEC"),
            ("down 7 9 11", "expected down NSEC UNTIL or up NSEC"),
            ("left 7", "expected down NSEC UNTIL or up NSEC"),
            ("up 7 9", "expected down NSEC UNTIL or up NSEC"),
            ("up -7", "expected down NSEC UNTIL or up NSEC"),
            ("up 10000000001", "expected at most 10s"),
        ] {
            let refused = order(line).unwrap_err();
            assert!(refused.contains(part), "{refused}");
        }
    }

    /// Serves the orders of this input on a file, and writes the answers to `output`. Returns what was
    /// written to the file.
    fn served(input: PipeReader, mut output: impl Write) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pull");
        let mut wire = Wire::Pull(File::create(&path).unwrap(), true);
        let ends = input.try_clone().unwrap();
        serve(&mut wire, &mut BufReader::new(input), ends.as_fd(), &mut output).unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_press_is_made_before_its_instant_and_not_after_it() {
        for (until, word) in [(u64::MAX, "pull-down"), (0, "")] {
            let ((input, mut orders), (answers, output)) =
                (io::pipe().unwrap(), io::pipe().unwrap());
            let writes = thread::spawn(|| served(input, output));
            writeln!(orders, "down 1000000 {until}").unwrap();
            let mut answer = String::new();
            BufReader::new(answers).read_line(&mut answer).unwrap();
            drop(orders);
            assert_eq!(writes.join().unwrap(), word);
            assert_eq!(answer == "late\n", word.is_empty(), "{answer}");
        }
    }

    #[test]
    fn no_press_is_made_after_the_other_end_of_the_input_is_closed() {
        let (input, mut orders) = io::pipe().unwrap();
        writeln!(orders, "down 9000000000 {}", u64::MAX).unwrap();
        drop(orders);
        let (begin, mut answers) = (std::time::Instant::now(), Vec::new());
        assert_eq!((served(input, &mut answers).as_str(), answers.len()), ("", 0));
        assert!(begin.elapsed() < LONGEST_WAIT / 2, "{:?}", begin.elapsed());
    }

    #[test]
    fn only_the_attribute_of_gpio_sim_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pull");
        std::fs::write(&path, "kept").unwrap();
        let refused = pull(path.to_str().unwrap()).unwrap_err();
        assert!(refused.contains("expected the file pull of a line of gpio-sim"), "{refused}");
        let refused = pull("/sys/kernel/profiling").unwrap_err();
        assert!(refused.contains("gpio-sim") || refused.contains("No such file"), "{refused}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "kept");
    }
}
