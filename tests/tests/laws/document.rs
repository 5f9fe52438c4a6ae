//! `docs/laws.md`: what the clock does for each clause, the tests that show it, and the command
//! that the arbiter types.

use crate::clauses::{Clause, Clauses, RuleSource};
use crate::law_file::{self, Case, Kind, LawFile, Shown};
use std::fmt::Write as _;
use std::fs;

const HEAD: &str = "\
# What the clock does for each clause of the rules

This file is generated from `tests/laws`: change `tests/laws/clauses.toml` or the cases, then run `make laws`.

For each clause of the source rules: the behaviour, what the arbiter types for it, and the tests that show it.
`cargo test -p clock-tests --test laws` runs the tests; a test that stands in another file runs with that file.
An *accepted* test shows what the clause allows, a *refused* one what it forbids. The index is by source and article; it has the
title for which each abbreviation stands, such as S0. Everything that the clock prints has the title.
";

/// Writes the document anew if the environment variable `UPDATE_LAWS` is set; otherwise checks that
/// it is up to date.
pub fn check_or_write(clauses: &Clauses, files: &[LawFile]) -> Result<(), String> {
    let path = law_file::repository().join("docs/laws.md");
    let text = write(clauses, files);
    if std::env::var_os("UPDATE_LAWS").is_some() {
        return fs::write(&path, text).map_err(|error| format!("docs/laws.md: {error}"));
    }
    let found = fs::read_to_string(&path).map_err(|error| format!("docs/laws.md: {error}"))?;
    if found == text { Ok(()) } else { Err("docs/laws.md is out of date; run `make laws`".into()) }
}

fn write(clauses: &Clauses, files: &[LawFile]) -> String {
    let mut text = format!("{HEAD}\n");
    for source in &clauses.source {
        write_index(&mut text, source, clauses);
    }
    for source in &clauses.source {
        let _ = write!(text, "\n## {}\n\n{}.\n", source.id, source.title);
        for clause in clauses_of(source, clauses) {
            write_clause(&mut text, clause, files);
        }
    }
    text
}

fn clauses_of<'a>(
    source: &'a RuleSource,
    clauses: &'a Clauses,
) -> impl Iterator<Item = &'a Clause> {
    let is_its =
        move |clause: &&Clause| clauses.source(clause).is_some_and(|its| its.id == source.id);
    clauses.clause.iter().filter(is_its)
}

/// Writes a line with a link to the source and to each of its clauses.
fn write_index(text: &mut String, source: &RuleSource, clauses: &Clauses) {
    let id = &source.id;
    let links: Vec<String> = clauses_of(source, clauses)
        .map(|clause| {
            let name = clause.name();
            format!("[{}](#{})", name[id.len()..].trim_start(), anchor(&name))
        })
        .collect();
    let (anchor, name) = (anchor(id), &source.name);
    let _ = writeln!(text, "- [{id}, {name}](#{anchor}): {}", links.join(" · "));
}

/// The fragment that GitHub gives to a heading: lower case, without punctuation, with hyphens in
/// place of spaces.
fn anchor(heading: &str) -> String {
    let is_kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    heading.chars().filter(is_kept).collect::<String>().to_lowercase().replace(' ', "-")
}

fn write_clause(text: &mut String, clause: &Clause, files: &[LawFile]) {
    let command = match clause.command.strip_prefix("clockctl") {
        Some(_) => format!("Command: `{}`", clause.command),
        None => format!("Done by {}", clause.command),
    };
    let _ = write!(text, "\n### {}\n\n{}\n\n{command}.\n\n", clause.name(), clause.behaviour);
    for kind in [Kind::Accepted, Kind::Refused] {
        let (word, reason) = match kind {
            Kind::Accepted => ("Accepted", &clause.no_accepted),
            Kind::Refused => ("Refused", &clause.no_refused),
        };
        let mut tests: Vec<String> =
            clause.cases(files).filter(|case| case.kind == kind).map(test).collect();
        if kind == Kind::Accepted {
            let other = |test: &String| test.split_once(": ").map(in_file);
            tests.extend(clause.tests.iter().filter_map(other));
        }
        let tests = match reason {
            Some(reason) => format!(" none. {reason}\n"),
            None => tests.iter().map(|test| format!("\n  - {test}")).collect::<String>() + "\n",
        };
        let _ = write!(text, "- {word}:{tests}");
    }
}

fn test(case: &Case) -> String {
    match &case.shown {
        Shown::RustTest(file) => in_file((file, &case.test)),
        Shown::Script(_) | Shown::RefusedControl { .. } => format!("`{}`", case.test),
    }
}

fn in_file((file, test): (&str, &str)) -> String {
    format!("`{test}` (`{file}`)")
}
