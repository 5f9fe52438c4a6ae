//! `tests/laws/parameters.toml`: the parameters of rule files whose effect no script can show.

use crate::clauses::missing_test;
use crate::law_file::{self, LawFile};
use crate::parameters::Change;
use clock_engine::text::Parameter;
use serde::Deserialize;
use std::fs;

/// The parameters whose effect no script can show.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exceptions {
    parameter: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    key: String,
    /// The rule files in which no script can show the effect of the parameter; all rule files if
    /// the list is empty.
    #[serde(default)]
    rules: Vec<String>,
    /// The values of the parameter that no script can tell from others, as TOML; if the list is
    /// empty, no script can tell any two values apart.
    #[serde(default)]
    values: Vec<String>,
    /// Why no script can show the effect of the parameter.
    reason: String,
    /// The tests that show the effect of the parameter: file, colon, function; or the name of a
    /// case.
    tests: Vec<String>,
}

impl Exceptions {
    /// Reads the list.
    pub fn read() -> Result<Exceptions, String> {
        let file = "tests/laws/parameters.toml";
        let text = fs::read_to_string(law_file::folder().join("parameters.toml"));
        let text = text.map_err(|error| format!("{file}: {error}"))?;
        toml::from_str(&text).map_err(|error| format!("{file}: {error}"))
    }

    /// Everything that is wrong with the list of exceptions. `unnoticed` has the changes that no
    /// case notices.
    pub fn faults(&self, files: &[LawFile], unnoticed: &[&Change]) -> Vec<String> {
        let is_case =
            |test: &str| files.iter().flat_map(|file| &file.cases).any(|case| case.test == test);
        let fault = |exception: &Exception| {
            let key = &exception.key;
            let mut faults = Vec::new();
            if !Parameter::ALL.iter().any(|parameter| parameter.key == key) {
                faults.push(format!("parameters.toml: no rule file has a parameter `{key}`"));
            }
            if !unnoticed.iter().any(|change| exception.has(change)) {
                faults.push(format!("parameters.toml: scripts show every change of `{key}`"));
            }
            if exception.reason.trim().is_empty() || exception.tests.is_empty() {
                faults.push(format!("parameters.toml: `{key}` needs a reason and a test"));
            }
            let tests = exception.tests.iter().filter(|test| !is_case(test));
            faults.extend(tests.filter_map(|test| missing_test(test)));
            faults
        };
        self.parameter.iter().flat_map(fault).collect()
    }

    /// Whether this change is in the list.
    pub fn have(&self, change: &Change) -> bool {
        self.parameter.iter().any(|exception| exception.has(change))
    }
}

impl Exception {
    fn has(&self, change: &Change) -> bool {
        let has = |all: &[String], one: &str| all.is_empty() || all.iter().any(|some| some == one);
        self.key == change.key && has(&self.rules, change.rules) && has(&self.values, &change.value)
    }
}
