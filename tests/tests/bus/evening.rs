//! What the tests of whole games ("evenings") have in common. The arbiter reads the state before
//! each command, the players press their buttons, and the test checks the signals.

use super::*;
use clock_dbus::{ClaimState, QuestionKind, Result};
use clock_engine::rules::citation;
use clock_tests::{Buttons, DEADLINE};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Debounce times so short that a move takes a fraction of a millisecond.
const FAST: &str = "[debounce]\nsettle = \"10us\"\nlongest_bounce = \"10us\"\nrelease = \"10us\"\n";

/// A clock under a rule profile, the players' buttons, and the signals of the rules that the
/// service has sent.
pub struct Evening {
    pub fixture: Fixture,
    pub buttons: Buttons,
    signals: UnboundedReceiver<String>,
}

impl Evening {
    /// A game with the text of this control file, under the rule profile of this name.
    pub async fn begin(rules: &str, control: &str) -> Evening {
        let bench = Bench::new().unwrap();
        bench.configure(FAST).unwrap();
        let fixture = fixture_on(bench, &[]).await;
        let game = NewGame {
            time_control_file: Some(control.to_owned()),
            rules: Some(rules.to_owned()),
            white_player: Some("Vera Menchik".to_owned()),
            black_player: Some("Sonja Graf".to_owned()),
            ..NewGame::default()
        };
        fixture.arbiter().await.new_game(game, 1, "round 1").await.unwrap();
        let signals = follow(&fixture.connection).await;
        let buttons = fixture.bench.buttons().unwrap();
        Evening { fixture, buttons, signals }
    }

    pub async fn state(&self) -> State {
        self.fixture.state().await
    }

    /// Completes a move of each side, White's first, this many times.
    pub fn moves(&mut self, count: u32) {
        for _ in 0..count {
            self.buttons.tap("white").unwrap();
            self.buttons.tap("black").unwrap();
        }
    }

    /// Waits until `is` returns `true` for the state. Returns this state.
    pub async fn state_when(&self, what: &str, is: impl Fn(&State) -> bool) -> State {
        self.fixture.state_when(what, is).await
    }

    /// Waits for a signal that `follow` writes as `expected`.
    pub async fn signalled(&mut self, expected: &str) {
        let wait = async {
            while let Some(signal) = self.signals.recv().await {
                if signal == expected {
                    return;
                }
            }
            panic!("the signals ended before {expected}");
        };
        tokio::time::timeout(DEADLINE, wait).await.unwrap_or_else(|_| panic!("no {expected}"));
    }

    /// Waits until the log contains `last`. Then returns the lines of the log that form an
    /// arbiter's report, each without the part that says who gave the command.
    pub fn report(&self, last: &str) -> Vec<String> {
        self.fixture.bench.logged(last);
        let log = self.fixture.bench.log();
        let lines = log.lines().filter_map(|line| {
            let (report, by) = line.strip_prefix("clockd: ")?.split_once(" [")?;
            by.starts_with("arbiter, ").then(|| report.to_owned())
        });
        lines.collect()
    }
}

/// Asserts that the report has these lines in this order. A `#` stands for the digits of a reading.
#[track_caller]
pub fn assert_report(report: &[String], expected: &[&str]) {
    let without_readings = |line: &String| -> String {
        let mut text = String::new();
        for word in line.split(' ') {
            let digits = word.trim_start_matches('+').trim_end_matches(',');
            let is_reading = digits.contains(':') && digits.contains('.');
            let is_reading =
                is_reading && digits.chars().all(|c| c.is_ascii_digit() || ":.".contains(c));
            let shown = if is_reading { word.replace(digits, "#") } else { word.to_owned() };
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(&shown);
        }
        text
    };
    let report: Vec<String> = report.iter().map(without_readings).collect();
    assert_eq!(report, expected);
}

/// Asserts that the rules refused a command, and that the message ends with this clause and the
/// title of its source.
#[track_caller]
pub fn assert_refused(done: Result<Completed>, clause: &str) {
    let cited = format!("({})", citation(clause));
    assert!(matches!(&done, Err(Error::RefusedByRules(m)) if m.ends_with(&cited)), "{done:?}");
}

/// What a question is about, and the words of its answers.
pub fn asked(state: &State) -> Vec<(QuestionKind, Who, Vec<&str>)> {
    let mut asked = Vec::new();
    for question in &state.questions {
        let words = question.answers.iter().map(|answer| answer.ruling.unwrap().as_str());
        asked.push((question.kind.unwrap(), question.side, words.collect()));
    }
    asked
}

/// Who has made the open claim, its ground and its state.
pub fn claim(state: &State) -> (Who, &str, ClaimState) {
    (state.claim_by, &state.claim_ground, state.claim_state)
}

/// The signals of the rules from now on, each written as its name and its first arguments, such as
/// `RulingGiven reject white`.
async fn follow(connection: &Connection) -> UnboundedReceiver<String> {
    let rule = MatchRule::builder().msg_type(Type::Signal).path(clock_dbus::PATH).build().unwrap();
    let mut signals = MessageStream::for_match_rule(rule, connection, None).await.unwrap();
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = signals.next().await {
            let header = message.header();
            let name = header.member().unwrap().to_string();
            let body = message.body();
            let arguments = match name.as_str() {
                "ClaimMade" | "RulingGiven" | "PenaltyApplied" | "IncidentNoted" => {
                    let (first, second, ..): (String, String, u64, u64) =
                        body.deserialize().unwrap();
                    format!("{first} {second}")
                }
                "IllegalMoveNoted" => {
                    let (side, number, ..): (String, u32, u64, u64) = body.deserialize().unwrap();
                    format!("{side} {number}")
                }
                "ArbiterCalled" | "DefaultDue" => {
                    let (first, ..): (String, u64, u64) = body.deserialize().unwrap();
                    first
                }
                "FlagFell" => {
                    let (side, period, _, first, _): (String, u32, u64, bool, u64) =
                        body.deserialize().unwrap();
                    format!("{side} {period} {first}")
                }
                _ => continue,
            };
            // The receiver is gone when the test is over.
            let _ = sender.send(format!("{name} {arguments}"));
        }
    });
    receiver
}
