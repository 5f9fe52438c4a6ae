//! Changes each parameter of each shipped rule file, one at a time, and wants a case to fail.
//!
//! A parameter that no case of `tests/laws` notices could be wrong in a shipped rule file, or be
//! without effect, and nobody would see it. Parameters whose effect no script can show are listed in
//! `tests/laws/parameters.toml` with the tests that show them.

use crate::clauses::missing_test;
use crate::law_file::{self, Case, LawFile, Rules, Shown};
use crate::{check_with, game};
use clock_engine::text::{Origin, Parameter, RuleFile, RulePreset};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// The parameters whose effect no script can show.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    parameter: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    key: String,
    /// The values that no script can tell from others, as TOML; all values if there are none.
    #[serde(default)]
    values: Vec<String>,
    /// Why no script can show it.
    reason: String,
    /// The tests that show it: file, colon, function.
    tests: Vec<String>,
}

impl Exceptions {
    fn read() -> Result<Exceptions, String> {
        let file = "tests/laws/parameters.toml";
        let text = fs::read_to_string(law_file::folder().join("parameters.toml"));
        let text = text.map_err(|error| format!("{file}: {error}"))?;
        toml::from_str(&text).map_err(|error| format!("{file}: {error}"))
    }

    /// Everything that is wrong with the list itself.
    fn faults(&self) -> Vec<String> {
        let fault = |exception: &Exception| {
            let key = &exception.key;
            let mut faults = Vec::new();
            if !Parameter::ALL.iter().any(|parameter| parameter.key == key) {
                faults.push(format!("parameters.toml: no rule file has a parameter `{key}`"));
            }
            if exception.reason.trim().is_empty() || exception.tests.is_empty() {
                faults.push(format!("parameters.toml: `{key}` needs a reason and a test"));
            }
            faults.extend(exception.tests.iter().filter_map(|test| missing_test(test)));
            faults
        };
        self.parameter.iter().flat_map(fault).collect()
    }

    fn have(&self, key: &str, value: &str) -> bool {
        self.parameter.iter().any(|exception| {
            let values = &exception.values;
            exception.key == key && (values.is_empty() || values.iter().any(|v| v == value))
        })
    }
}

/// The rules of a case, read.
struct PlayedCase<'a> {
    case: &'a Case,
    rules: &'a Rules,
    file: RuleFile,
}

/// Checks that the list of exceptions is sound.
pub fn check_exceptions() -> Result<(), String> {
    let faults = Exceptions::read()?.faults();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Changes each parameter that this rule file sets itself. A change that no case notices is a fault.
pub fn check(preset: &RulePreset, files: &[LawFile]) -> Result<(), String> {
    let exceptions = Exceptions::read()?;
    let cases: Vec<PlayedCase> =
        files.iter().flat_map(|file| &file.cases).filter_map(played).collect();
    let profile = preset.read();
    let own = |parameter: &&Parameter| profile.origin(parameter) == Origin::Own;
    let mut unnoticed = Vec::new();
    for parameter in Parameter::ALL.iter().filter(own) {
        let others = parameter.others(&profile.profile).into_iter();
        for value in others.filter(|value| !exceptions.have(parameter.key, value)) {
            let changed =
                changed_text(&Rules::Profile(preset.name.to_owned()), parameter.key, &value);
            // Some values contradict other parameters of this file.
            if game::read_rules(&Rules::Text(changed)).is_ok()
                && !is_noticed(preset.name, parameter, &value, &cases)
            {
                unnoticed.push(format!("  {} = {value}", parameter.key));
            }
        }
    }
    if unnoticed.is_empty() {
        return Ok(());
    }
    let name = preset.name;
    Err(format!("no case fails if {name} is changed to one of\n{}", unnoticed.join("\n")))
}

/// The case with its rules, if a script shows it and it passes as it is.
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

/// These rules with another value for one parameter, which they do not set themselves.
fn changed_text(rules: &Rules, key: &str, value: &str) -> String {
    match rules {
        Rules::Profile(name) => {
            format!("name = \"Changed\"\ninherits = \"{name}\"\n{key} = {value}\n")
        }
        Rules::Text(text) => format!("{key} = {value}\n{text}"),
    }
}
