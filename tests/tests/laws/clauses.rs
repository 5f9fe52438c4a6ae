//! The list of the clauses, `tests/laws/clauses.toml`, and what it demands of the law files.

use crate::law_file::{self, Case, Kind, LawFile};
use clock_engine::rules::citation;
use clock_tests::program;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::LazyLock;

/// The clauses of the source rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clauses {
    pub source: Vec<RuleSource>,
    pub clause: Vec<Clause>,
}

/// A source of rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSource {
    /// The word with which the clauses of this source begin, such as `S0`.
    pub id: String,
    /// The short title.
    pub name: String,
    pub title: String,
    /// The articles of the edition.
    #[serde(default)]
    pub articles: Vec<String>,
}

impl RuleSource {
    /// Whether the edition has this article, or a part of it: `6.11` if the list has `6.11.1`.
    pub fn has(&self, article: &str) -> bool {
        self.articles.iter().any(|listed| is_or_has(listed, article))
    }

    /// As [`RuleSource::has`], for an article that is given with the title of the source.
    pub fn has_cited(&self, cited: &str) -> bool {
        let with_title = |article| citation(&format!("{} {article}", self.id)).to_string();
        self.articles.iter().any(|article| is_or_has(&with_title(article), cited))
    }
}

/// Whether `listed` is the article `wanted`, or a part of it.
fn is_or_has(listed: &str, wanted: &str) -> bool {
    let rest = listed.strip_prefix(wanted).filter(|_| !wanted.is_empty());
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|c: char| c == '.' || c.is_ascii_lowercase())
    })
}

/// A clause, or a topic of one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Source and article, such as `S0 6.8a`.
    pub clause: String,
    /// The part of the clause that this entry is about. The tests of this part are the cases whose
    /// names begin with the topic.
    pub topic: Option<String>,
    pub behaviour: String,
    /// The command line that the arbiter types for this clause, or who does what the clause demands
    /// if there is no command, such as `the clock itself`.
    pub command: String,
    /// Why the clause can have no accepted case.
    pub no_accepted: Option<String>,
    /// Why the clause can have no refused case.
    pub no_refused: Option<String>,
    /// Tests outside `tests/laws` that show the clause: file, colon, function.
    #[serde(default)]
    pub tests: Vec<String>,
}

/// Whether the edition of its source has the clause that a refusal cites, which is given with the
/// title of the source.
pub fn is_listed(clause: &str) -> bool {
    static SOURCES: LazyLock<Vec<RuleSource>> =
        LazyLock::new(|| Clauses::read().map_or_else(|_| Vec::new(), |list| list.source));
    SOURCES.iter().any(|source| source.has_cited(clause))
}

impl Clauses {
    /// Reads the list.
    pub fn read() -> Result<Clauses, String> {
        let file = "tests/laws/clauses.toml";
        let text = fs::read_to_string(law_file::folder().join("clauses.toml"));
        let text = text.map_err(|error| format!("{file}: {error}"))?;
        toml::from_str(&text).map_err(|error| format!("{file}: {error}"))
    }

    /// Everything that is wrong with the list of clauses, or missing in that list or in the law
    /// files.
    pub fn faults(&self, files: &[LawFile]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut entries = BTreeSet::new();
        for clause in &self.clause {
            if !entries.insert(clause.name()) {
                faults.push(format!("{} is listed twice", clause.name()));
            }
            if self.source(clause).is_none() {
                faults.push(format!("{}: the source is not listed", clause.name()));
            }
            if clause.behaviour.trim().is_empty() || clause.command.trim().is_empty() {
                faults.push(format!("{}: behaviour or command is empty", clause.name()));
            }
            faults.extend(clause.missing_cases(files));
            faults.extend(clause.tests.iter().filter_map(|test| missing_test(test)));
        }
        for file in files {
            faults.extend(self.unlisted(file));
        }
        faults
    }

    /// The commands that the list of clauses names and `clockctl` does not have. Empty if all
    /// exist.
    pub fn unknown_commands(&self) -> Vec<String> {
        let commands: BTreeSet<&str> = self
            .clause
            .iter()
            .filter_map(|clause| clause.command.strip_prefix("clockctl"))
            .collect();
        let fault = |words: &&str| {
            let words: Vec<&str> = words.split_whitespace().chain(["--help"]).collect();
            let output = Command::new(program("clockctl")).args(&words).output().expect("it runs");
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            (!output.status.success()).then(|| format!("clockctl {}: {error}", words.join(" ")))
        };
        commands.iter().filter_map(fault).collect()
    }

    /// The source of a clause.
    pub fn source(&self, clause: &Clause) -> Option<&RuleSource> {
        let belongs = |source: &&RuleSource| clause.clause.starts_with(&format!("{} ", source.id));
        self.source.iter().find(belongs)
    }

    /// A fault that names the cases of a law file that belong to no entry of the list of clauses;
    /// `None` if every case belongs to an entry.
    fn unlisted(&self, file: &LawFile) -> Option<String> {
        let listed = |case: &Case| self.clause.iter().any(|clause| clause.has(file, case));
        let cases: Vec<&str> =
            file.cases.iter().filter(|case| !listed(case)).map(|case| &*case.test).collect();
        if cases.is_empty() {
            return None;
        }
        Some(format!("{}: no clause of clauses.toml has {}", file.clause, cases.join(", ")))
    }
}

impl Clause {
    /// The clause with its topic, if it has one.
    pub fn name(&self) -> String {
        match &self.topic {
            Some(topic) => format!("{}, {}", self.clause, topic.replace('_', " ")),
            None => self.clause.clone(),
        }
    }

    /// The cases of this clause.
    pub fn cases<'a>(&'a self, files: &'a [LawFile]) -> impl Iterator<Item = &'a Case> {
        let cases = |file: &'a LawFile| file.cases.iter().map(move |case| (file, case));
        files.iter().flat_map(cases).filter(|(file, case)| self.has(file, case)).map(|pair| pair.1)
    }

    fn has(&self, file: &LawFile, case: &Case) -> bool {
        let name = case.test[file.stem.len()..].trim_start_matches('_');
        let in_topic = |topic: &String| name.strip_prefix(&**topic)?.strip_prefix('_').map(|_| ());
        self.clause == file.clause
            && self.topic.as_ref().is_none_or(|topic| in_topic(topic).is_some())
    }

    fn missing_cases(&self, files: &[LawFile]) -> Vec<String> {
        let has = |kind: Kind| self.cases(files).any(|case| case.kind == kind);
        let fault = |has: bool, reason: &Option<String>, kind: &str| match reason {
            Some(reason) if has => Some(format!("has {kind} cases, but also a reason: {reason}")),
            Some(reason) if reason.trim().is_empty() => Some(format!("`no_{kind}` is empty")),
            None if !has => Some(format!("has no {kind} case and no reason in `no_{kind}`")),
            _ => None,
        };
        let accepted = has(Kind::Accepted) || !self.tests.is_empty();
        let faults = [
            fault(accepted, &self.no_accepted, "accepted"),
            fault(has(Kind::Refused), &self.no_refused, "refused"),
        ];
        faults.into_iter().flatten().map(|fault| format!("{}: {fault}", self.name())).collect()
    }
}

/// Returns a fault if this entry of `tests`, a file and a function, names no existing test;
/// otherwise `None`.
pub fn missing_test(test: &str) -> Option<String> {
    let Some((file, function)) = test.split_once(": ") else {
        return Some(format!("`{test}`: expected a file, a colon and a function"));
    };
    check_that_rust_test_stands(file, function).err()
}

/// Returns an error if no function with the name `test` stands in the file `path` of the
/// repository.
pub fn check_that_rust_test_stands(path: &str, test: &str) -> Result<(), String> {
    let text = fs::read_to_string(law_file::repository().join(path));
    let text = text.map_err(|error| format!("{path}: {error}"))?;
    let stands = text.contains(&format!("fn {test}("));
    if stands { Ok(()) } else { Err(format!("no test `{test}` stands in {path}")) }
}
