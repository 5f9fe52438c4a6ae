//! Every clause that the product cites is an article of the edition that it names.

use crate::clauses::{Clauses, RuleSource};
use crate::law_file::repository;
use clock_engine::rules::{GameRefused, RuleSource as Cites, Topic, clause};
use clock_engine::text::{Parameter, rule_presets};
use clock_engine::{Phase, Refused, Span};
use std::fs;
use std::path::{Path, PathBuf};

/// The sources that form the edition which a profile with this source cites.
fn edition(cites: Cites) -> &'static [&'static str] {
    match cites {
        Cites::Handbook => &["S0"],
        // The Handbook prints the articles of the old FIDE Laws to which Article 6 refers.
        Cites::Article6 => &["S4", "S0"],
        // Guidelines III are part of the Laws of 2023.
        Cites::Fide2023 | Cites::GuidelinesIii => &["FIDE", "S2"],
        // The FIDE Laws of the time hold where the Irish allegro rules say nothing (their rule 2).
        Cites::Allegro => &["S3", "S4", "S0"],
        Cites::UsChess => &["US"],
        Cites::NoSource => &[],
    }
}

/// The clauses that a game whose profile cites this source can name, each with what it is about.
fn cited(source: Cites) -> Vec<(String, &'static str)> {
    let of_rules =
        Topic::ALL.iter().filter_map(|topic| Some((format!("{topic:?}"), clause(*topic, source)?)));
    let second = Span::from_secs(1);
    let of_clock = [
        Refused::NotReady(Phase::Running),
        Refused::NotRunning(Phase::Paused),
        Refused::NotPaused(Phase::Running),
        Refused::NotOver(Phase::Running),
        Refused::GameOver,
        Refused::WhiteBegins,
        Refused::CutTooLarge { cut: second, left: second },
    ]
    .into_iter()
    .filter_map(|refused| {
        let clause = GameRefused::Clock { refused, source: Some(source) }.clause()?;
        Some((format!("{refused:?}"), clause))
    });
    of_rules.chain(of_clock).collect()
}

fn source<'a>(clauses: &'a Clauses, id: &str) -> Result<&'a RuleSource, String> {
    let found = clauses.source.iter().find(|source| source.id == id);
    found.ok_or_else(|| format!("clauses.toml has no source {id}"))
}

/// What is wrong with the clauses that a profile with this source cites.
fn faults_of(cites: Cites, clauses: &Clauses) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (about, clause) in cited(cites) {
        let (id, article) = clause.split_once(' ').ok_or("a clause without an article")?;
        if !edition(cites).contains(&id) || !source(clauses, id)?.has(article) {
            faults.push(format!("cites = \"{cites}\", {about}: {clause}"));
        }
    }
    Ok(faults)
}

/// Checks the clauses that the code cites under each shipped profile, and under each source.
pub fn check_code(clauses: &Clauses) -> Result<(), String> {
    let mut faults = Vec::new();
    let shipped = rule_presets().iter().map(|preset| preset.read().profile.cites);
    for cites in shipped.chain(Cites::ALL.iter().copied()) {
        let cited = cited(cites);
        if (cites == Cites::NoSource) != cited.is_empty() {
            faults.push(format!("cites = \"{cites}\": {} clauses", cited.len()));
        }
        faults.extend(faults_of(cites, clauses)?);
    }
    for parameter in Parameter::ALL {
        for clause in parameter.clauses.split(", ").filter(|clause| clause.contains(' ')) {
            let (id, article) = clause.split_once(' ').ok_or("a clause without an article")?;
            if !source(clauses, id)?.has(article) {
                faults.push(format!("the parameter {}: {clause}", parameter.key));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// The documents and shipped files that cite clauses.
const CITING: [&str; 4] = ["docs", "configs", "README.md", "ARCHITECTURE.md"];

/// Checks the clauses in documents and shipped files: their edition is named, and has them.
pub fn check_documents(clauses: &Clauses) -> Result<(), String> {
    let (mut faults, mut found) = (Vec::new(), 0);
    for place in CITING {
        for file in texts(&repository().join(place)) {
            let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
            for (title, article) in citations(&text) {
                found += 1;
                let cited = format!("{title} {article}");
                if !clauses.source.iter().any(|source| source.has_cited(&cited)) {
                    faults.push(format!("{}: {cited}", file.display()));
                }
            }
        }
    }
    if found < 150 {
        return Err(format!("only {found} clauses were found"));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn texts(place: &Path) -> Vec<PathBuf> {
    if place.is_dir() {
        let entries = fs::read_dir(place).expect("the folder can be read");
        return entries.flat_map(|entry| texts(&entry.expect("an entry").path())).collect();
    }
    let extension = place.extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| ["md", "toml"].contains(&extension)) {
        vec![place.to_owned()]
    } else {
        Vec::new()
    }
}

/// The titles of the sources, as they stand before an article. `FIDE Laws` without an edition is no
/// title, and so a fault.
const TITLES: [&str; 7] = [
    "Chess Organisers' Handbook",
    "old FIDE Laws",
    "FIDE Laws 2023",
    "FIDE Laws",
    "FIDE Guidelines",
    "Irish allegro rules",
    "US Chess rules",
];

/// The articles that stand after a title, each with the title: `FIDE Laws 2023 9.2, A.3`.
fn citations(text: &str) -> Vec<(&'static str, String)> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "#").collect();
    let mut all = Vec::new();
    for start in 0..words.len() {
        let rest = &words[start..];
        let title = TITLES.iter().find(|title| {
            let mut wanted = title.split(' ').zip(rest);
            let count = title.split(' ').count();
            rest.len() > count
                && wanted.all(|(wanted, word)| word.trim_start_matches(['(', '`', '"']) == wanted)
        });
        let Some(title) = title else { continue };
        // `FIDE Laws` is also the end of `old FIDE Laws`.
        let is_old = start > 0 && words[start - 1].ends_with("old");
        if *title == "FIDE Laws" && is_old {
            continue;
        }
        for word in &rest[title.split(' ').count()..] {
            let article = word.trim_end_matches([',', '.', ':', ';', ')', '`', '"', '|']);
            if !is_article(article) {
                break;
            }
            all.push((*title, article.to_owned()));
            // Only a comma leads to another article of the same source.
            if !word.ends_with(',') {
                break;
            }
        }
    }
    all
}

/// Whether this word is the number of an article: `6.13a`, `A.5.1.1`, `III.3`, `13C`, `7`.
fn is_article(word: &str) -> bool {
    let begins = |c: char| c.is_ascii_digit();
    let appendix = ["A.", "B.", "I.", "III."]
        .iter()
        .any(|part| word.strip_prefix(part).is_some_and(|rest| rest.starts_with(begins)));
    let number = word.starts_with(begins)
        && word.chars().all(|c| c.is_ascii_digit() || c == '.' || c.is_ascii_alphabetic())
        && word.len() < 8;
    // A year is no article.
    (appendix || number) && word != "2023" && word != "1996"
}
