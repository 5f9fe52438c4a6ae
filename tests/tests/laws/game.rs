//! The games that the scripts are played on, and the rules of a case.

use crate::law_file::Rules;
use clock_controls::Library;
use clock_engine::text::{RuleFile, rule_preset};
use clockctl::simulate::Game;
use std::path::Path;

/// Why a game cannot begin.
#[derive(Debug)]
pub enum NoGame {
    /// The time control cannot be read.
    Control(String),
    /// The rules forbid the time control.
    Refused {
        /// The clause that forbids it.
        clause: String,
        message: String,
    },
}

impl NoGame {
    /// The message for people.
    pub fn message(self) -> String {
        match self {
            NoGame::Control(message) => message,
            NoGame::Refused { clause, message } => format!("{clause}: {message}"),
        }
    }
}

/// A new game with this time control.
pub fn new(control: &str, rules: &RuleFile) -> Result<Game, NoGame> {
    let control = Library::default().resolve(control, Path::new(""));
    let control = control.map_err(|error| NoGame::Control(error.to_string()))?.control;
    Game::with_rules(control, rules.profile).map_err(|refused| NoGame::Refused {
        clause: refused.clause().unwrap_or_default().to_owned(),
        message: refused.to_string(),
    })
}

/// Reads the rules of a case.
pub fn read_rules(rules: &Rules) -> Result<RuleFile, String> {
    let find = |name: &str| rule_preset(name).ok_or_else(|| format!("no rule profile `{name}`"));
    match rules {
        Rules::Profile(name) => find(name).map(|preset| preset.read()),
        Rules::Text(text) => {
            let text_of = |name: &str| find(name).map(|preset| preset.file.to_owned());
            RuleFile::parse(text, text_of).map_err(|error| format!("the rules: {error}"))
        }
    }
}
