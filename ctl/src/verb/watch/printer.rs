//! Prints the lines of `clockctl watch`: states, faults, and that there is no clock service.

use std::sync::mpsc::Sender;

use clock_dbus::{Fault, State};

use crate::{
    json::{ServiceJson, WatchJson},
    options::Options,
    out, text,
};

/// The word that is printed as the cause of the first state that is read from a service.
const NOW: &str = "now";

/// Turns states into lines for the writer.
pub struct Printer {
    json: bool,
    quiet: bool,
    lines: Sender<String>,
    shown: Shown,
    /// The faults of the state that was printed last; empty with `--json`, and while there is no
    /// clock service.
    faults: Vec<Fault>,
    /// The instant from which the times in the lines count.
    since: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Service,
    NoService,
}

impl Printer {
    pub fn new(options: &Options, lines: Sender<String>) -> Self {
        Printer {
            json: options.json,
            quiet: options.quiet,
            lines,
            shown: Shown::Nothing,
            faults: Vec::new(),
            since: None,
        }
    }

    /// Whether anything was printed yet.
    pub fn has_shown(&self) -> bool {
        self.shown != Shown::Nothing
    }

    /// Whether the last line showed the state of a clock. If not, it showed that there is no
    /// service, or nothing was printed yet.
    pub fn has_service(&self) -> bool {
        self.shown == Shown::Service
    }

    /// Prints, once, that there is no clock service.
    pub fn no_service(&mut self) {
        if self.shown == Shown::NoService {
            return;
        }
        self.shown = Shown::NoService;
        self.faults.clear();
        if self.json {
            self.send(out::json_line(&ServiceJson { service: false }));
        } else {
            self.send(Ok("no clock service\n".to_owned()));
        }
    }

    /// Prints a state with its cause. `cause` is `None` for the first state that is read from a
    /// service. A state that was read again because signals were missing has the cause `missed`.
    pub fn state(&mut self, cause: Option<&str>, state: &State) {
        self.shown = Shown::Service;
        // After a restart of the clock's machine, CLOCK_MONOTONIC begins at zero again.
        let since = self.since.unwrap_or(state.at_nsec).min(state.at_nsec);
        self.since = Some(since);
        if self.json {
            self.send(out::json_line(&WatchJson { status: state.into(), cause }));
        } else {
            let cause = cause.unwrap_or(NOW);
            self.send(Ok(text::watch_line(state.at_nsec - since, cause, state)));
            for line in text::fault_lines(&self.faults, &state.faults) {
                self.send(Ok(line));
            }
            self.faults.clone_from(&state.faults);
        }
    }

    fn send(&self, line: anyhow::Result<String>) {
        if self.quiet {
            return;
        }
        let line = line.expect("a structure with string keys always turns into JSON");
        // Sending fails after the writer has ended, which also ends `watch`.
        let _ = self.lines.send(line);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use clock_dbus::{Fault, FaultCode, State};

    use super::{Printer, Shown};

    fn printer() -> (Printer, Receiver<String>) {
        let (lines, written) = channel();
        let printer = Printer {
            json: false,
            quiet: false,
            lines,
            shown: Shown::Nothing,
            faults: Vec::new(),
            since: None,
        };
        (printer, written)
    }

    fn state(sequence: u64, at_nsec: u64) -> State {
        State { sequence, at_nsec, ..State::default() }
    }

    #[test]
    fn a_fault_is_shown_once_and_again_after_an_absence() {
        let (mut printer, written) = printer();
        let fault = Fault::new(FaultCode::BoardGone, "no buttons");
        let broken = |sequence| State { faults: vec![fault.clone()], ..state(sequence, 100) };
        printer.state(None, &state(4, 100));
        printer.state(Some("fault"), &broken(5));
        printer.state(Some("press"), &broken(6));
        printer.state(Some("fault"), &state(7, 100));
        printer.no_service();
        printer.state(None, &broken(1));
        let lines: Vec<String> = written.try_iter().collect();
        let printed: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        let starts = ["+", "+", "fault     no buttons", "+", "+", "fault     board-gone is over"];
        let after = ["no clock service", "+", "fault     no buttons"];
        let expected: Vec<&str> = starts.into_iter().chain(after).collect();
        assert_eq!(printed.len(), expected.len(), "{lines:?}");
        assert!(
            printed.iter().zip(expected).all(|(line, start)| line.starts_with(start)),
            "{lines:?}"
        );
    }

    #[test]
    fn an_absence_is_shown_once() {
        let (mut printer, written) = printer();
        printer.no_service();
        printer.no_service();
        printer.state(None, &state(1, 5));
        printer.no_service();
        let lines: Vec<String> = written.try_iter().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "no clock service\n");
        assert_eq!(lines[2], "no clock service\n");
    }

    #[test]
    fn a_clock_machine_started_anew_counts_from_zero() {
        let (mut printer, written) = printer();
        printer.state(None, &state(9, 60_000_000_000));
        printer.no_service();
        printer.state(None, &state(1, 2_000_000_000));
        printer.state(Some("start"), &state(2, 3_000_000_000));
        let last = written.try_iter().last().unwrap();
        assert!(last.trim_start().starts_with("+0:00:01.0"), "{last}");
    }
}
