//! Prints states and transitions, each once.

use std::sync::mpsc::Sender;

use clock_dbus::{Fault, State};

use crate::{
    cli::Options,
    json::{ServiceJson, WatchJson},
    out, text,
};

/// The cause printed for a state that was read.
const NOW: &str = "now";

/// Turns states into lines for the writer.
pub struct Printer {
    json: bool,
    quiet: bool,
    lines: Sender<String>,
    shown: Shown,
    /// The faults printed so far.
    faults: Vec<Fault>,
    /// The instant from which the times in the lines count.
    since: Option<u64>,
    /// The last state that was read, until a transition arrives that is newer.
    read: Option<State>,
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
            read: None,
        }
    }

    /// Whether anything was printed yet.
    pub fn has_shown(&self) -> bool {
        self.shown != Shown::Nothing
    }

    /// Whether the last line was about a clock.
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

    /// Prints a state that was read.
    pub fn snapshot(&mut self, state: State) {
        self.print(None, &state);
        self.read = Some(state);
    }

    /// Prints a transition, unless the state that was read includes it already.
    pub fn transition(&mut self, cause: &str, state: State) {
        if self.read.as_ref().is_some_and(|read| includes(read, &state)) {
            return;
        }
        self.read = None;
        self.print(Some(cause), &state);
    }

    fn print(&mut self, cause: Option<&str>, state: &State) {
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

/// Whether a state that was read includes a transition.
///
/// The revision and the moves show it, not the instants: a press has the instant of its first edge,
/// which may be earlier than the instant at which the state was read without it.
fn includes(read: &State, transition: &State) -> bool {
    let key = |state: &State| {
        (state.revision, u64::from(state.white_moves) + u64::from(state.black_moves))
    };
    // Gongs, overtime and faults change neither revision nor moves.
    let rest = |state: &State| {
        (state.phase, state.running, state.white_overtime_periods, state.black_overtime_periods)
    };
    let same = rest(read) == rest(transition) && read.faults == transition.faults;
    key(transition) < key(read) || (key(transition) == key(read) && same)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use clock_dbus::{Fault, FaultCode, Phase, State, Who};

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
            read: None,
        };
        (printer, written)
    }

    fn state(revision: u64, moves: u32, at_nsec: u64) -> State {
        State { revision, white_moves: moves, at_nsec, ..State::default() }
    }

    #[test]
    fn a_transition_that_the_state_includes_is_not_shown_again() {
        let (mut printer, written) = printer();
        printer.snapshot(state(4, 2, 100));
        printer.transition("start", state(3, 0, 10));
        printer.transition("press", state(4, 1, 50));
        printer.transition("press", state(4, 2, 90));
        assert_eq!(written.try_iter().count(), 1);
        // Its instant is before the state was read, but the state does not include it.
        printer.transition("press", state(4, 3, 99));
        printer.transition("press", state(4, 4, 200));
        assert_eq!(written.try_iter().count(), 2);
    }

    #[test]
    fn a_change_of_phase_is_shown_even_with_the_same_counters() {
        let (mut printer, written) = printer();
        printer.snapshot(state(4, 2, 100));
        let running = State { phase: Phase::Running, running: Who::White, ..state(4, 2, 100) };
        printer.transition("press", running);
        assert_eq!(written.try_iter().count(), 2);
    }

    #[test]
    fn overtime_is_shown_even_with_the_same_counters() {
        let (mut printer, written) = printer();
        printer.snapshot(state(4, 2, 100));
        let overtime = State { white_overtime_periods: 3, ..state(4, 2, 90) };
        printer.transition("overtime", overtime);
        assert_eq!(written.try_iter().count(), 2);
    }

    #[test]
    fn a_fault_is_shown_once_and_again_after_an_absence() {
        let (mut printer, written) = printer();
        let fault = Fault::new(FaultCode::BoardGone, "no buttons");
        let broken = |moves| State { faults: vec![fault.clone()], ..state(4, moves, 100) };
        printer.snapshot(state(4, 2, 100));
        // Neither the revision nor the counters have changed.
        printer.transition("fault", broken(2));
        printer.transition("press", broken(3));
        printer.transition("fault", state(4, 3, 100));
        printer.no_service();
        printer.snapshot(broken(3));
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
        printer.snapshot(state(1, 0, 5));
        printer.no_service();
        let lines: Vec<String> = written.try_iter().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "no clock service\n");
        assert_eq!(lines[2], "no clock service\n");
    }

    #[test]
    fn a_clock_machine_started_anew_counts_from_zero() {
        let (mut printer, written) = printer();
        printer.snapshot(state(9, 0, 60_000_000_000));
        printer.no_service();
        printer.snapshot(state(1, 0, 2_000_000_000));
        printer.transition("start", state(2, 0, 3_000_000_000));
        let last = written.try_iter().last().unwrap();
        assert!(last.trim_start().starts_with("+0:00:01.0"), "{last}");
    }
}
