//! The files of `tests/laws`: one for each clause, with the cases that show it.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The folder of the law files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("laws")
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the crate is a folder of the repository").to_owned()
}

/// A file of `tests/laws`.
#[derive(Clone, Debug)]
pub struct LawFile {
    /// The file's name without its ending, such as `s0_6_8a`.
    pub stem: String,
    /// The clause, such as `S0 6.8a`.
    pub clause: String,
    /// What the clause demands, in one sentence.
    pub title: String,
    pub cases: Vec<Case>,
}

/// One case of a clause. It becomes one test.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the test: the file's stem, then the case's name.
    pub test: String,
    pub kind: Kind,
    pub shown: Shown,
}

/// Whether a case shows what the clause allows or what it refuses.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Accepted,
    Refused,
}

/// How a case is shown.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A script of `clockctl simulate`.
    Script(Script),
    /// The control is refused with `clause`, so no script can begin.
    RefusedControl { game: GameSetup, clause: String },
    /// A Rust test with the name of the case. The value is the path of its file.
    RustTest(String),
}

/// The control and the rules of a game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    pub control: String,
    pub rules: Rules,
}

/// The rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The name of a shipped profile.
    Profile(String),
    /// The text of a rule file.
    Text(String),
}

/// A script and where it stands.
#[derive(Clone, Debug)]
pub struct Script {
    pub game: GameSetup,
    /// The file, as it is named in messages.
    pub file: String,
    /// The number of the file's line on which the script begins.
    pub first_line: usize,
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    clause: Spanned<String>,
    title: String,
    #[serde(default)]
    case: Vec<Spanned<RawCase>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    name: String,
    kind: Kind,
    rules: Option<String>,
    rules_text: Option<String>,
    control: Option<String>,
    script: Option<Spanned<String>>,
    refused_control: Option<String>,
    test: Option<String>,
}

/// Reads every law file. A file that cannot be read gives its stem and a message.
pub fn read_all() -> Vec<Result<LawFile, (String, String)>> {
    let entries = fs::read_dir(folder()).expect("the folder of the law files");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    let stem = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let laws = paths.iter().filter(|path| !is_list(&stem(path)));
    laws.map(|path| {
        let stem = stem(path);
        let text = fs::read_to_string(path).map_err(|error| error.to_string());
        text.and_then(|text| parse(&stem, &text)).map_err(|message| (stem, message))
    })
    .collect()
}

/// Whether the TOML file with this stem is a list and not a law file.
fn is_list(stem: &str) -> bool {
    ["clauses", "parameters"].contains(&stem)
}

/// Reads a law file. A message names the file and, unless it says that the title is empty, the
/// line.
pub fn parse(stem: &str, text: &str) -> Result<LawFile, String> {
    let file = format!("tests/laws/{stem}.toml");
    let raw: RawFile = toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
    let line = |offset: usize| text[..offset].matches('\n').count() + 1;
    let expected = stem_of(raw.clause.get_ref());
    if stem != expected {
        let (line, clause) = (line(raw.clause.span().start), raw.clause.get_ref());
        return Err(format!("{file}:{line}: the clause `{clause}` belongs in {expected}.toml"));
    }
    if raw.title.trim().is_empty() {
        return Err(format!("{file}: `title` is empty; expected the behaviour in one sentence"));
    }
    let mut cases = Vec::new();
    let mut names = BTreeSet::new();
    for raw in raw.case {
        let at = format!("{file}:{}", line(raw.span().start));
        let raw = raw.into_inner();
        if !names.insert(raw.name.clone()) {
            return Err(format!("{at}: two cases are called `{}`", raw.name));
        }
        let start = raw.script.as_ref().map_or(0, |script| {
            let start = script.span().start;
            // The first line break after the opening quotes does not belong to the script.
            let quotes = &text[start..];
            line(start) + usize::from(quotes.trim_start_matches(['\'', '"']).starts_with('\n'))
        });
        cases.push(case(stem, &file, start, raw).map_err(|message| format!("{at}: {message}"))?);
    }
    Ok(LawFile { stem: stem.to_owned(), clause: raw.clause.into_inner(), title: raw.title, cases })
}

/// The name of the file of a clause: `S0 6.8a` stands in `s0_6_8a.toml`, `S1 ¶4` in `s1_p4.toml`.
pub fn stem_of(clause: &str) -> String {
    let words = clause.replace('¶', "p").to_lowercase();
    let words = words.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

fn case(stem: &str, file: &str, first_line: usize, raw: RawCase) -> Result<Case, String> {
    let letters = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    if raw.name.is_empty() || !raw.name.chars().all(|letter| letters(letter) || letter == '_') {
        return Err(format!("`name` is `{}`; expected small letters, digits and _", raw.name));
    }
    let script = raw.script.map(Spanned::into_inner);
    let rules = match (raw.rules, raw.rules_text) {
        (Some(name), None) => Some(Rules::Profile(name)),
        (None, Some(text)) => Some(Rules::Text(text)),
        (None, None) => None,
        (Some(_), Some(_)) => return Err("both `rules` and `rules_text` are given".to_owned()),
    };
    let game = match (rules, raw.control) {
        (Some(rules), Some(control)) => Some(GameSetup { control, rules }),
        (None, None) => None,
        _ => return Err("a game needs a `control`, and `rules` or `rules_text`".to_owned()),
    };
    let shown = match (game, script, raw.refused_control, raw.test) {
        (Some(game), Some(text), None, None) => {
            Shown::Script(Script { game, file: file.to_owned(), first_line, text })
        }
        (Some(game), None, Some(clause), None) => Shown::RefusedControl { game, clause },
        (None, None, None, Some(path)) => Shown::RustTest(path),
        _ => {
            let ways = "expected a game with a `script`, a game with `refused_control`, or `test`";
            return Err(format!("`{}`: {ways}", raw.name));
        }
    };
    if raw.kind == Kind::Accepted && matches!(shown, Shown::RefusedControl { .. }) {
        return Err(format!("`{}` is accepted and has `refused_control`", raw.name));
    }
    Ok(Case { test: format!("{stem}_{}", raw.name), kind: raw.kind, shown })
}
