//! A game in virtual time: the engine alone, with one answer for each line.

use super::line::{self, Line, Step};
use crate::json::{EventJson, OvertimeJson, RefusalJson, SideJson, StateJson};
use clock_engine::{Clock, Control, EventKind, Instant, Method, Refused, SideView};

/// The largest number of events of one line. A gong gives events for as long as nobody stops it.
const MOST_EVENTS: usize = 10_000;

/// A clock that is played by a script.
pub struct Game {
    clock: Clock,
    /// The instant of the latest well-formed line.
    now: Instant,
    /// Whether a line was malformed.
    pub malformed: bool,
}

impl Game {
    /// A new game at the script's instant 0.
    pub fn new(control: Control) -> Game {
        Game { clock: Clock::new(control, Instant::ZERO), now: Instant::ZERO, malformed: false }
    }

    /// Plays line `number` of the script, counted from 1.
    pub fn play(&mut self, number: u64, text: &[u8]) -> StateJson {
        let line = line::parse(text).and_then(|line| {
            if line.at_ns >= self.now.as_nanos() {
                return Ok(line);
            }
            let last = self.now.as_nanos();
            Err(format!(
                "`at_ns` is {}; expected {last} or more: time does not go back",
                line.at_ns
            ))
        });
        match line {
            Ok(line) => self.play_well_formed(line),
            Err(message) => self.answer_malformed(number, &message),
        }
    }

    /// The answer to a malformed line: the clock as of the latest well-formed line, and the reason.
    pub fn answer_malformed(&mut self, number: u64, message: &str) -> StateJson {
        self.malformed = true;
        let error = RefusalJson {
            code: "bad-input",
            clause: None,
            message: format!("line {number}: {message}"),
            line: Some(number),
        };
        self.state(Vec::new(), Some(error))
    }

    fn play_well_formed(&mut self, line: Line) -> StateJson {
        let at = Instant::from_nanos(line.at_ns);
        let before = self.clock;
        let mut events = Vec::new();
        let gong = matches!(self.clock.control().periods()[0].method.white, Method::Gong(_));
        while let Some(due) = self.clock.poll_timeout().filter(|due| *due <= at) {
            // More gongs can be due than the clock keeps events for, so they are decided one by one.
            // `due` is never before the latest instant handled, so the call is never refused.
            let _ = self.clock.handle_timeout(if gong { due } else { at });
            self.take_events(&mut events);
            if events.len() > MOST_EVENTS {
                self.clock = before;
                let (last, given) = (self.now.as_nanos(), line.at_ns);
                let message = format!(
                    "more than {MOST_EVENTS} events lie between `at_ns` {last} and {given}; look \
                     at the clock in between with {{\"event\": \"show\"}}"
                );
                return self.state(Vec::new(), Some(refusal("too-many-events", None, message)));
            }
        }
        self.now = at;
        let error = self.step(line.step);
        self.take_events(&mut events);
        self.state(events, error)
    }

    fn step(&mut self, step: Step) -> Option<RefusalJson> {
        let done = match step {
            Step::Press(side) => self.clock.handle_press(side, self.now),
            Step::Command(command) => self.clock.handle_command(command, self.now),
            Step::Show => self.clock.handle_timeout(self.now),
            Step::NeedsProfile(name) => {
                let message = format!("{name} needs a rule profile, and none is given (--rules)");
                return Some(refusal("no-profile", None, message));
            }
            Step::NotYet(name) => {
                let message = format!("{name} is not available in this version of the clock");
                return Some(refusal("not-available", None, message));
            }
        };
        done.err()
            .map(|refused: Refused| refusal(refused.code(), refused.clause(), refused.to_string()))
    }

    fn take_events(&mut self, events: &mut Vec<EventJson>) {
        while let Some(event) = self.clock.poll_event() {
            let (kind, side, period, accepted) = match event.kind {
                EventKind::Flag { side, period } => ("flag", side, Some(period), None),
                EventKind::Period { side, period } => ("period", side, Some(period), None),
                EventKind::Press { side, accepted } => ("press", side, None, Some(accepted)),
                EventKind::Gong { side } => ("gong", side, None, None),
                // Scripts have no call button: a caller is named in `pause`. Overtime is shown by
                // `overtime` of its side.
                EventKind::Call { .. } | EventKind::Overtime { .. } => continue,
            };
            let at_ns = event.at.as_nanos();
            events.push(EventJson { at_ns, kind, side: side.as_str(), period, accepted });
        }
    }

    fn state(&self, events: Vec<EventJson>, error: Option<RefusalJson>) -> StateJson {
        let view = self.clock.view(self.now);
        StateJson {
            at_ns: view.at.as_nanos(),
            phase: view.phase.as_str(),
            running: view.running().map(|side| side.as_str()),
            white: side(&view.sides.white),
            black: side(&view.sides.black),
            first_flag: view.first_flag.map(|side| side.as_str()),
            error,
            events,
        }
    }
}

fn refusal(code: &'static str, clause: Option<&'static str>, message: String) -> RefusalJson {
    RefusalJson { code, clause, message, line: None }
}

fn side(view: &SideView) -> SideJson {
    SideJson {
        remaining_ns: view.remaining.as_nanos(),
        delay_ns: view.delay.as_nanos(),
        moves: view.moves,
        period: view.period,
        flag_ns: view.flag.map(Instant::as_nanos),
        overrun_ns: view.overrun.as_nanos(),
        overtime: view
            .overtime
            .map(|left| OvertimeJson { periods_left: left.periods, moves_left: left.moves }),
        owed_ns: view.owed.as_nanos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::{Overtime, Span};

    #[test]
    fn a_silence_with_more_gongs_than_an_answer_holds_is_refused_and_changes_nothing() {
        let slice = Span::from_secs(10);
        let mut game = Game::new(Control::single(Span::ZERO, Method::Gong(slice)));
        let mut play = |number, line: &str| game.play(number, line.as_bytes());
        assert!(play(1, r#"{"at_ns": 0, "event": "start"}"#).error.is_none());
        let whole = play(2, r#"{"at_ns": 100000000000000, "event": "show"}"#);
        assert!(whole.error.is_none());
        assert_eq!(whole.events.len(), 10_000);
        let error = play(3, r#"{"at_ns": 18446744073709551615, "event": "show"}"#).error;
        let error = error.expect("more than anyone reads");
        assert_eq!((error.code, error.line), ("too-many-events", None));
        assert!(error.message.contains("more than 10000 events"), "{}", error.message);
        let after = play(4, r#"{"at_ns": 100000000000000, "event": "show"}"#);
        assert!(after.error.is_none() && after.events.is_empty());
        assert!(!game.malformed, "the line itself is good");
    }

    #[test]
    fn a_silence_with_any_number_of_overtime_periods_is_answered() {
        let time = Span::from_nanos(1_000_000);
        let overtime = Overtime { periods: u32::MAX, time, moves: 1 };
        let mut game = Game::new(Control::single(Span::ZERO, Method::Overtime(overtime)));
        game.play(1, br#"{"at_ns": 0, "event": "start"}"#);
        let answer = game.play(2, br#"{"at_ns": 2000000000500000, "event": "show"}"#);
        let left = answer.white.overtime.expect("in overtime");
        assert_eq!(left.periods_left, u32::MAX - 2_000_000_000);
        assert_eq!((answer.white.remaining_ns, answer.white.flag_ns), (500_000, None));
        let answer = game.play(3, br#"{"at_ns": 18446744073709551615, "event": "show"}"#);
        assert_eq!(answer.white.flag_ns, Some(u64::from(u32::MAX) * 1_000_000));
        assert_eq!(answer.white.overtime.expect("in overtime").periods_left, 0);
    }
}
