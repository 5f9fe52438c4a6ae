//! What is shown, and what has been shown already.

use std::sync::mpsc::Sender;

use clock_dbus::{Fault, State};

use crate::{
    cli::Options,
    json::{ServiceJson, WatchJson},
    out, text,
};

/// The cause written for a state that no transition brought.
const NOW: &str = "now";

/// The lines that go out.
pub struct View {
    json: bool,
    quiet: bool,
    lines: Sender<String>,
    shown: Shown,
    /// The faults told so far.
    faults: Vec<Fault>,
    /// The instant the times in the lines count from.
    since: Option<u64>,
    /// The last state read, until the first transition that goes beyond it.
    read: Option<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Service,
    NoService,
}

impl View {
    pub fn new(options: &Options, lines: Sender<String>) -> Self {
        View {
            json: options.json,
            quiet: options.quiet,
            lines,
            shown: Shown::Nothing,
            faults: Vec::new(),
            since: None,
            read: None,
        }
    }

    /// Whether anything was said yet.
    pub fn has_shown(&self) -> bool {
        self.shown != Shown::Nothing
    }

    /// Whether the last thing said was about a clock.
    pub fn has_service(&self) -> bool {
        self.shown == Shown::Service
    }

    /// Says once that there is no clock to watch.
    pub fn no_service(&mut self) {
        if self.shown == Shown::NoService {
            return;
        }
        self.shown = Shown::NoService;
        self.faults.clear();
        if self.json {
            self.put(out::json_line(&ServiceJson { service: false }));
        } else {
            self.put(Ok("no clock service\n".to_owned()));
        }
    }

    /// Shows a state that was read.
    pub fn snapshot(&mut self, state: State) {
        self.line(None, &state);
        self.read = Some(state);
    }

    /// Shows a transition, unless the state read already holds it.
    pub fn transition(&mut self, cause: &str, state: State) {
        if self.read.as_ref().is_some_and(|read| holds(read, &state)) {
            return;
        }
        self.read = None;
        self.line(Some(cause), &state);
    }

    fn line(&mut self, cause: Option<&str>, state: &State) {
        self.shown = Shown::Service;
        // A clock machine that was started anew counts from zero again.
        let since = self.since.unwrap_or(state.at_nsec).min(state.at_nsec);
        self.since = Some(since);
        if self.json {
            self.put(out::json_line(&WatchJson { status: state.into(), cause }));
        } else {
            let cause = cause.unwrap_or(NOW);
            self.put(Ok(text::watch_line(state.at_nsec - since, cause, state)));
            for line in text::fault_lines(&self.faults, &state.faults) {
                self.put(Ok(line));
            }
            self.faults.clone_from(&state.faults);
        }
    }

    fn put(&self, line: anyhow::Result<String>) {
        if self.quiet {
            return;
        }
        let line = line.expect("a structure with string keys always turns into JSON");
        // A writer that has ended ends the watching; nothing is lost that could be shown.
        let _ = self.lines.send(line);
    }
}

/// Whether a state read holds a transition already.
///
/// Revision and presses tell, not the instants: a press is dated back to its first edge, which
/// may be before the instant at which the state was read without it.
fn holds(read: &State, transition: &State) -> bool {
    let key = |state: &State| {
        (state.revision, u64::from(state.white_moves) + u64::from(state.black_moves))
    };
    // Gongs, overtime and faults change neither.
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

    use super::{Shown, View};

    fn view() -> (View, Receiver<String>) {
        let (lines, written) = channel();
        let view = View {
            json: false,
            quiet: false,
            lines,
            shown: Shown::Nothing,
            faults: Vec::new(),
            since: None,
            read: None,
        };
        (view, written)
    }

    fn state(revision: u64, moves: u32, at_nsec: u64) -> State {
        State { revision, white_moves: moves, at_nsec, ..State::default() }
    }

    #[test]
    fn a_transition_that_the_state_read_holds_is_not_shown_again() {
        let (mut view, written) = view();
        view.snapshot(state(4, 2, 100));
        view.transition("start", state(3, 0, 10));
        view.transition("press", state(4, 1, 50));
        view.transition("press", state(4, 2, 90));
        assert_eq!(written.try_iter().count(), 1);
        // Dated back before the state was read, and yet not in it.
        view.transition("press", state(4, 3, 99));
        view.transition("press", state(4, 4, 200));
        assert_eq!(written.try_iter().count(), 2);
    }

    #[test]
    fn a_change_of_phase_is_shown_even_with_the_same_counters() {
        let (mut view, written) = view();
        view.snapshot(state(4, 2, 100));
        let running = State { phase: Phase::Running, running: Who::White, ..state(4, 2, 100) };
        view.transition("press", running);
        assert_eq!(written.try_iter().count(), 2);
    }

    #[test]
    fn overtime_is_shown_even_with_the_same_counters() {
        let (mut view, written) = view();
        view.snapshot(state(4, 2, 100));
        let overtime = State { white_overtime_periods: 3, ..state(4, 2, 90) };
        view.transition("overtime", overtime);
        assert_eq!(written.try_iter().count(), 2);
    }

    #[test]
    fn a_fault_is_told_once_and_again_after_an_absence() {
        let (mut view, written) = view();
        let fault = Fault::new(FaultCode::BoardGone, "no buttons");
        let broken = |moves| State { faults: vec![fault.clone()], ..state(4, moves, 100) };
        view.snapshot(state(4, 2, 100));
        // Neither the revision nor the counters have changed.
        view.transition("fault", broken(2));
        view.transition("press", broken(3));
        view.transition("fault", state(4, 3, 100));
        view.no_service();
        view.snapshot(broken(3));
        let lines: Vec<String> = written.try_iter().collect();
        let told: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        let starts = ["+", "+", "fault     no buttons", "+", "+", "fault     board-gone is over"];
        let after = ["no clock service", "+", "fault     no buttons"];
        let expected: Vec<&str> = starts.into_iter().chain(after).collect();
        assert_eq!(told.len(), expected.len(), "{lines:?}");
        assert!(
            told.iter().zip(expected).all(|(line, start)| line.starts_with(start)),
            "{lines:?}"
        );
    }

    #[test]
    fn an_absence_is_told_once() {
        let (mut view, written) = view();
        view.no_service();
        view.no_service();
        view.snapshot(state(1, 0, 5));
        view.no_service();
        let lines: Vec<String> = written.try_iter().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "no clock service\n");
        assert_eq!(lines[2], "no clock service\n");
    }

    #[test]
    fn a_clock_machine_started_anew_counts_from_zero() {
        let (mut view, written) = view();
        view.snapshot(state(9, 0, 60_000_000_000));
        view.no_service();
        view.snapshot(state(1, 0, 2_000_000_000));
        view.transition("start", state(2, 0, 3_000_000_000));
        let last = written.try_iter().last().unwrap();
        assert!(last.trim_start().starts_with("+0:00:01.0"), "{last}");
    }
}
