//! Rule profiles as JSON.

use clock_controls::NamedRules;
use clock_engine::text::{Origin, Parameter, Situation};
use serde::Serialize;
use std::collections::BTreeMap;

/// A rule profile.
#[derive(Serialize)]
pub struct RulesJson {
    name: String,
    title: String,
    /// The inherited files, the nearest first.
    inherits: Vec<String>,
    parameters: Vec<ParameterJson>,
    /// The texts for the arbiter, by situation.
    guidance: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct ParameterJson {
    key: &'static str,
    /// The value as a rule file contains it.
    value: String,
    /// The name of the file that sets the parameter; null if no file sets it, or if the file is not
    /// known.
    from: Option<String>,
    clauses: &'static str,
    meaning: &'static str,
}

/// The profile of a file that was checked; `None` if the file is wrong.
#[derive(Serialize)]
pub struct FoundJson {
    rules: Option<RulesJson>,
}

impl FoundJson {
    pub fn of(named: Option<&NamedRules>) -> FoundJson {
        let shown = |named: &NamedRules| RulesJson::new(&Shown::with_files(named.clone()));
        FoundJson { rules: named.map(shown) }
    }
}

impl RulesJson {
    pub fn new(shown: &Shown) -> RulesJson {
        let named = &shown.named;
        let parameters = Parameter::ALL.iter().map(|parameter| ParameterJson {
            key: parameter.key,
            value: parameter.value(named.profile()),
            from: shown.origin(parameter).map(str::to_owned),
            clauses: parameter.clauses,
            meaning: parameter.meaning,
        });
        let guidance = Situation::ALL.iter().filter_map(|situation| {
            Some((situation.as_str(), named.rules.guidance.get(*situation)?.to_owned()))
        });
        RulesJson {
            name: named.name.clone(),
            title: named.rules.name.clone(),
            inherits: named.rules.inherited.clone(),
            parameters: parameters.collect(),
            guidance: guidance.collect(),
        }
    }
}

/// A rule profile that is shown.
pub struct Shown {
    pub named: NamedRules,
    /// Whether it is known which file sets a parameter.
    pub files_known: bool,
}

impl Shown {
    pub fn with_files(named: NamedRules) -> Shown {
        Shown { named, files_known: true }
    }

    /// The file that sets a parameter; `None` if no file sets it, or if the file is not known.
    pub fn origin(&self, parameter: &Parameter) -> Option<&str> {
        match self.named.rules.origin(parameter) {
            _ if !self.files_known => None,
            Origin::Own => Some(&self.named.name),
            Origin::Inherited(name) => Some(name),
            Origin::Default => None,
        }
    }
}
