//! Changes each parameter that a shipped rule file sets itself, one at a time, and expects that a
//! case fails.
//!
//! A parameter that no case of `tests/laws` notices could be wrong in a shipped rule file, or be
//! without effect, and nobody would see it. Parameters whose effect no script can show are listed
//! in `tests/laws/parameters.toml` with the tests that show them.

use crate::exceptions::Exceptions;
use crate::law_file::{Case, LawFile, Rules, Shown};
use crate::other_values::others;
use crate::{check_with, game};
use clock_engine::text::{Origin, Parameter, RuleFile, RulePreset, rule_presets};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A parameter of a shipped rule file and another value for it.
pub struct Change {
    /// The name of the rule file.
    pub rules: &'static str,
    /// The parameter's key.
    pub key: &'static str,
    /// The other value, as TOML.
    pub value: String,
}

/// A case, with its rules and the rule file that was read from them.
struct PlayedCase<'a> {
    case: &'a Case,
    rules: &'a Rules,
    file: RuleFile,
}

/// The changes of shipped rule files that no case notices.
pub struct Unnoticed {
    files: Arc<Vec<LawFile>>,
    /// For each shipped rule file, the list of its changes that no case notices. A list is computed
    /// when it is first needed.
    changes: Vec<OnceLock<Vec<Change>>>,
}

impl Unnoticed {
    /// The changes of a shipped rule file that no case of these law files notices. The list of a
    /// rule file is computed when it is first needed.
    pub fn by(files: Arc<Vec<LawFile>>) -> Unnoticed {
        let changes = rule_presets().iter().map(|_| OnceLock::new()).collect();
        Unnoticed { files, changes }
    }

    /// Changes each parameter that this rule file sets itself. A change that no case notices is a
    /// fault, unless it is an exception.
    pub fn check(&self, preset: usize) -> Result<(), String> {
        let exceptions = Exceptions::read()?;
        let unnoticed: Vec<String> = self
            .of(preset)
            .iter()
            .filter(|change| !exceptions.have(change))
            .map(|change| format!("  {} = {}", change.key, change.value))
            .collect();
        if unnoticed.is_empty() {
            return Ok(());
        }
        let name = rule_presets()[preset].name;
        Err(format!("no case fails if {name} is changed to one of\n{}", unnoticed.join("\n")))
    }

    /// Checks that the list of exceptions is sound, and that every parameter is set by a shipped
    /// rule file. A parameter that no file sets would not be changed, and so not be checked.
    pub fn check_exceptions(&self) -> Result<(), String> {
        let unnoticed: Vec<&Change> = (0..self.changes.len()).flat_map(|n| self.of(n)).collect();
        let mut faults = Exceptions::read()?.faults(&self.files, &unnoticed);
        let set = |parameter: &Parameter| {
            rule_presets().iter().any(|preset| preset.read().origin(parameter) == Origin::Own)
        };
        let unset = Parameter::ALL.iter().filter(|parameter| !set(parameter));
        faults.extend(unset.map(|parameter| format!("no rule file sets `{}`", parameter.key)));
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
    }

    fn of(&self, preset: usize) -> &[Change] {
        self.changes[preset].get_or_init(|| unnoticed(&rule_presets()[preset], &self.files))
    }
}

/// The changes of this rule file that no case notices.
fn unnoticed(preset: &RulePreset, files: &[LawFile]) -> Vec<Change> {
    let cases: Vec<PlayedCase> =
        files.iter().flat_map(|file| &file.cases).filter_map(played).collect();
    let profile = preset.read();
    let mut changes = Vec::new();
    for parameter in Parameter::ALL {
        if profile.origin(parameter) != Origin::Own {
            continue;
        }
        for value in others(&parameter.accepted(), &parameter.value(&profile.profile)) {
            let rules = Rules::Profile(preset.name.to_owned());
            let changed = Rules::Text(changed_text(&rules, parameter.key, &value));
            // Some values contradict other parameters of this file.
            let is_possible = game::read_rules(&changed).is_ok();
            if is_possible && !is_noticed(preset.name, parameter, &value, &cases) {
                changes.push(Change { rules: preset.name, key: parameter.key, value });
            }
        }
    }
    changes
}

/// The case with its rules. `None` if a Rust test shows the case, or if it fails with its own
/// rules.
fn played(case: &Case) -> Option<PlayedCase<'_>> {
    let rules = match &case.shown {
        Shown::Script(script) => &script.game.rules,
        Shown::RefusedControl { game, .. } => &game.rules,
        Shown::RustTest(_) => return None,
    };
    let file = game::read_rules(rules).ok()?;
    check_with(case, &file).ok()?;
    Some(PlayedCase { case, rules, file })
}

/// Whether a case fails once this rule file has another value for the parameter.
fn is_noticed(name: &str, parameter: &Parameter, value: &str, cases: &[PlayedCase]) -> bool {
    let mut read: BTreeMap<String, Option<RuleFile>> = BTreeMap::new();
    let depends = |played: &&PlayedCase| match played.file.origin(parameter) {
        Origin::Own => *played.rules == Rules::Profile(name.to_owned()),
        Origin::Inherited(from) => from == name,
        Origin::Default => false,
    };
    cases.iter().filter(depends).any(|played| {
        let text = changed_text(played.rules, parameter.key, value);
        let changed = read
            .entry(text)
            .or_insert_with_key(|text| game::read_rules(&Rules::Text(text.clone())).ok());
        changed.as_ref().is_some_and(|changed| check_with(played.case, changed).is_err())
    })
}

/// These rules with another value for one parameter. Rules that are given as a text must not set
/// the parameter themselves.
pub fn changed_text(rules: &Rules, key: &str, value: &str) -> String {
    match rules {
        Rules::Profile(name) => {
            format!("name = \"Changed\"\ninherits = \"{name}\"\n{key} = {value}\n")
        }
        Rules::Text(text) => format!("{key} = {value}\n{text}"),
    }
}
