//! A game under a rule profile: what the tests of the rules have in common.

use super::*;
use clock_dbus::commands::{Claimant, Ground, OfferAnswer, Side};
use clock_dbus::{Answer, Question, QuestionKind, Result, Ruling};
use clock_engine::rules::citation;
use clock_tests::DEADLINE;

pub const SECOND: u64 = 1_000_000_000;
/// A control that is standard chess with a quickplay finish: one period of 90 minutes without an
/// increment.
pub const G90: &str = "name = 'G/90'\n[[period]]\ntime = '90m'\n";

/// A new game with the text of a control file under the rule profile of this name.
pub fn game_under(rules: &str, control: &str) -> NewGame {
    NewGame {
        time_control_file: Some(control.to_owned()),
        rules: Some(rules.to_owned()),
        ..NewGame::default()
    }
}

/// A clock whose folder has these rule files, each with its name and text.
pub async fn fixture_with_rules(files: &[(&str, &str)]) -> Fixture {
    let bench = Bench::new().unwrap();
    let folder = bench.folder().join("rules");
    std::fs::create_dir(&folder).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
    fixture_on(bench, &[]).await
}

impl Fixture {
    /// Sets up a game and returns the state in the phase ready.
    pub async fn set_up(&self, game: NewGame) -> State {
        let revision = self.state().await.revision;
        self.arbiter().await.new_game(game, revision, "").await.unwrap();
        let state = self.state().await;
        assert_eq!(state.phase, Phase::Ready);
        state
    }

    /// Sets up a game, corrects its clocks and starts White's.
    pub async fn start_with(&self, game: NewGame, corrections: Corrections) -> State {
        let arbiter = self.arbiter().await;
        let revision = self.set_up(game).await.revision;
        let revision = arbiter.set(corrections, revision, "").await.unwrap().revision;
        arbiter.start(revision, "").await.unwrap();
        self.state().await
    }

    /// A player claims a draw after an offer that was refused, and stops the clocks.
    pub async fn claim_draw(
        &self,
        side: Side,
        ground: Ground,
        revision: u64,
        reason: &str,
    ) -> Result<Completed> {
        let (by, offer) = (Claimant::Player(side), OfferAnswer::Refused);
        self.arbiter().await.claim_draw(by, ground, true, offer, revision, reason).await
    }

    /// Polls the state until `awaited` returns `true` for it. Returns this state.
    pub async fn state_when(&self, what: &str, awaited: impl Fn(&State) -> bool) -> State {
        let start = std::time::Instant::now();
        loop {
            let state = self.state().await;
            if awaited(&state) {
                return state;
            }
            assert!(start.elapsed() < DEADLINE, "{what}: {state:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The line of the log with this text, once it is there.
    #[track_caller]
    pub fn logged(&self, text: &str) -> String {
        self.bench.logged(text)
    }

    /// Asserts that the rules refused a command, that the message ends with `clause` and the title
    /// of its source, and that the state is still `before`. Returns the message.
    pub async fn assert_refused(
        &self,
        done: Result<Completed>,
        clause: &str,
        before: &State,
    ) -> String {
        let message = match done {
            Err(Error::RefusedByRules(message)) => message,
            other => panic!("not refused by the rules ({clause}): {other:?}"),
        };
        assert!(message.ends_with(&format!("({})", citation(clause))), "{message}");
        assert_eq!(self.state().await, *before, "{message}");
        message
    }
}

/// The open question of this kind.
#[track_caller]
pub fn question(state: &State, kind: QuestionKind) -> &Question {
    let found = state.questions.iter().find(|question| question.kind == Some(kind));
    found.unwrap_or_else(|| panic!("no question {kind:?}: {:?}", state.questions))
}

/// The first answer with this word.
#[track_caller]
pub fn answer<'a>(question: &'a Question, word: &str) -> &'a Answer {
    let found = question.answers.iter().find(|answer| answer.ruling == Ruling::from_word(word));
    found.unwrap_or_else(|| panic!("no answer {word}: {question:?}"))
}

/// A parameter of a rule file, or a text of its table `guidance`, as it is written there.
#[track_caller]
pub fn rule<'a>(file: &'a toml::Table, name: &str) -> &'a str {
    let value = match name.strip_prefix("guidance.") {
        Some(kind) => file["guidance"].get(kind),
        None => file.get(name),
    };
    value.and_then(toml::Value::as_str).unwrap_or_else(|| panic!("no {name} in {file}"))
}

impl Fixture {
    /// The resolved file of the profile in force.
    pub async fn rule_file(&self) -> toml::Table {
        self.clock().await.get_rules().await.unwrap().1.parse().unwrap()
    }
}
