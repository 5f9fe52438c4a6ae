//! Every text that people read names the source of a clause by its title, such as `old FIDE Laws 6.13`.
//!
//! In code, in `tests/laws` and in `docs/laws.md`, which explains them, S0 to S4 abbreviate the
//! sources. In all other texts such an abbreviation is accepted only as a value (`"S0"`, for the
//! parameter `cites`), or if the title follows it.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The documents, the manual pages (which have the help of the programs, too), the interface and
/// the shipped files.
const TEXTS: [&str; 12] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "configs",
    "controls",
    "dbus",
    "docs",
    "examples",
    "languages/texts",
    "systemd",
    "tests/transcripts",
];
const TEXT_FILES: [&str; 13] =
    ["1", "5", "8", "json", "jsonl", "md", "mjs", "py", "rst", "sh", "toml", "txt", "xml"];

/// The sources of the programs. Their string literals are messages.
const CODE: [&str; 5] = ["controls/src", "ctl/src", "daemon", "display/src", "engine/src"];

const TITLES: [&str; 5] = [
    "Chess Organisers' Handbook",
    "Summary of the chess clock",
    "FIDE Guidelines III",
    "Irish allegro rules",
    "FIDE Laws, Article 6",
];

#[test]
fn texts_have_the_titles_of_the_sources_of_clauses() {
    let mut faults = Vec::new();
    let mut read = 0;
    for place in TEXTS {
        for file in files(&repository().join(place), &TEXT_FILES) {
            // This document is generated from `tests/laws`, and its index explains the abbreviations.
            if file.ends_with("docs/laws.md") {
                continue;
            }
            read += 1;
            let text = fs::read_to_string(&file).expect("a text is UTF-8");
            faults.extend(unexplained(&text).into_iter().map(|fault| shown(&file, &fault)));
        }
    }
    assert!(read > 100, "only {read} files were read");
    assert!(faults.is_empty(), "a source without its title:\n{}", faults.join("\n"));
}

#[test]
fn messages_have_the_titles_of_the_sources_of_clauses() {
    let mut faults = Vec::new();
    let mut read = 0;
    for place in CODE {
        for file in files(&repository().join(place), &["rs"]) {
            let inside = file.strip_prefix(repository()).expect("a file of the repository");
            let is_test = |part: Component<'_>| {
                ["tests", "tests.rs"].iter().any(|test| part.as_os_str() == *test)
            };
            if inside.components().any(is_test) {
                continue;
            }
            read += 1;
            let text = fs::read_to_string(&file).expect("a source is UTF-8");
            let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            // A literal of several lines is read as one line.
            let text: String = text.split("\\\n").map(|part| format!("{} ", part.trim())).collect();
            // Only the engine has clauses that are not cited at once: `citation` is one of its functions.
            let is_engine = place == "engine/src";
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let faulty = lines.filter(|line| !only_clauses(line, is_engine));
            faults.extend(faulty.map(|line| shown(&file, line.trim())));
        }
    }
    assert!(read > 200, "only {read} files were read");
    assert!(faults.is_empty(), "a source without its title:\n{}", faults.join("\n"));
}

#[test]
fn an_abbreviation_is_found_in_texts_and_in_messages() {
    for text in
        ["(S3 5.3)", "under S0 `x`", "the rules S0 to\nS4", "S2\nIII.4", "S4 is", "`S0 6.9`"]
    {
        assert!(!unexplained(text).is_empty(), "{text}");
    }
    let explained = "cites = \"S0\", `S3`, S0 the Chess\n  Organisers' Handbook, S4 FIDE Laws, Article 6, \
                     S0 Chess Organisers\\(aq Handbook; USB S3x, AS3 1, NAS0";
    assert_eq!(unexplained(explained), [""; 0]);
    for line in [r#"format!("S0 6.9: {x}")"#, r#"    as S3 8 says \"#, r#"println!("see S0 6.4")"#]
    {
        assert!(!only_clauses(line, true), "{line}");
    }
    for line in
        [r#"Topic::A => article6("S0 6.4", "S4 6.4"),"#, r#"Switch, "S0 preface, S1, US 14H","#]
    {
        assert!(only_clauses(line, true), "{line}");
        assert!(!only_clauses(line, false), "{line}");
    }
    for line in
        [r#"citation("S2 III.6.2")"#, r#""S3 the Irish allegro rules, S4 FIDE Laws, Article 6""#]
    {
        assert!(only_clauses(line, false), "{line}");
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The file or the files in the folder `place` whose names end like this.
fn files(place: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    if place.is_dir() {
        let entries = fs::read_dir(place).expect("the folder can be read");
        let paths = entries.map(|entry| entry.expect("the folder can be read").path());
        return paths.flat_map(|path| files(&path, extensions)).collect();
    }
    let extension = place.extension().and_then(|extension| extension.to_str());
    let is_wanted = extension.is_some_and(|extension| extensions.contains(&extension));
    if is_wanted { vec![place.to_owned()] } else { Vec::new() }
}

/// The abbreviations of a text that are no values and that no title follows, each with what
/// follows it.
fn unexplained(text: &str) -> Vec<String> {
    let text = text.replace(r"\(aq", "'");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    abbreviations(&text)
        .filter(|&at| {
            let (before, rest) = (&text[..at], &text[at + 2..]);
            let is_quoted = |quote: char| before.ends_with(quote) && rest.starts_with(quote);
            !is_quoted('"') && !is_quoted('`') && !has_title(rest)
        })
        .map(|at| text[at..].chars().take(60).collect())
        .collect()
}

/// Whether the title of a source follows its abbreviation.
fn has_title(rest: &str) -> bool {
    let rest = rest.strip_prefix(" the").unwrap_or(rest);
    rest.strip_prefix(' ').is_some_and(|rest| TITLES.iter().any(|title| rest.starts_with(title)))
}

/// Whether each abbreviation in this line of code is in a string literal that has nothing but
/// clauses, or has its title. Outside the engine, a literal with clauses must be the argument of
/// `citation`.
fn only_clauses(line: &str, is_engine: bool) -> bool {
    abbreviations(line).all(|at| {
        let (before, rest) = line.split_at(at);
        let Some(start) = before.rfind('"') else { return false };
        let literal =
            format!("{}{}", &before[start + 1..], rest.split('"').next().unwrap_or_default());
        let is_clause = |part: &str| {
            let (word, number) = part.split_once(' ').unwrap_or((part, ""));
            word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
                && !number.contains([' ', ':'])
        };
        let is_cited = is_engine || before[..start].ends_with("citation(");
        has_title(&line[at + 2..]) || is_cited && literal.split(", ").all(is_clause)
    })
}

/// Where S0 to S8 begin in the text, as whole words.
fn abbreviations(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('S').map(|(at, _)| at).filter(|&at| {
        let mut rest = text[at + 1..].chars();
        let is_digit = rest.next().is_some_and(|digit| ('0'..='8').contains(&digit));
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        is_digit
            && !rest.next().is_some_and(is_part)
            && !text[..at].chars().next_back().is_some_and(is_part)
    })
}

fn shown(file: &Path, fault: &str) -> String {
    let file = file.strip_prefix(repository()).unwrap_or(file);
    format!("{}: {fault}", file.display())
}
