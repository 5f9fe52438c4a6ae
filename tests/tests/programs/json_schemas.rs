//! What every verb prints with `--json` on a running service is as docs/schemas says. docs/json.md
//! names the definition of each verb.

use crate::help::Table;
use crate::hints::{self, STATES, VERBS};
use crate::python::{CLOCKCTL, RECORD, check_lines, run};
use std::collections::BTreeMap;

/// A schema, and the name of a definition in it; the name is empty for a whole schema.
type Definition = (String, String);

/// The definitions that docs/json.md names, by the verb, and its subcommand or option if there are
/// several. What holds for all verbs that give a command is under `every other verb`.
fn definitions() -> BTreeMap<String, Definition> {
    let page = include_str!("../../../docs/json.md");
    let mut found = BTreeMap::new();
    for row in page.lines().filter(|line| line.contains("](schemas/") && line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, verbs, _, schema, _] = cells[..] else { panic!("{row}") };
        let (_, file) = schema.split_once("](").unwrap();
        let (file, definition) = file.split_once(')').unwrap();
        let definition = (format!("docs/{file}"), definition.trim_matches([' ', '`']).to_owned());
        if verbs.starts_with("every other verb") {
            found.insert("every other verb".to_owned(), definition.clone());
        }
        for verb in verbs.split('`').skip(1).step_by(2) {
            found.insert(verb.to_owned(), definition.clone());
        }
    }
    assert!(found.len() > 15, "{found:?}");
    found
}

/// The definition of what this command line prints.
fn definition_of<'a>(definitions: &'a BTreeMap<String, Definition>, line: &str) -> &'a Definition {
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    let two = words.get(..2).map(|words| words.join(" ")).unwrap_or_default();
    let one = words.first().copied().unwrap_or("clockctl");
    let other = || &definitions["every other verb"];
    definitions.get(&two).or_else(|| definitions.get(one)).unwrap_or_else(other)
}

/// The printed lines, by their schemas.
#[derive(Default)]
struct Lines(BTreeMap<String, Vec<(String, String)>>);

impl Lines {
    fn add(&mut self, (schema, definition): &Definition, output: &str) {
        for line in output.lines() {
            let is_failure = line.starts_with(r#"{"error":{"code""#);
            let (schema, definition) = match is_failure {
                true => (CLOCKCTL, "failure"),
                false => (schema.as_str(), definition.as_str()),
            };
            let lines = self.0.entry(schema.to_owned()).or_default();
            lines.push((definition.to_owned(), line.to_owned()));
        }
    }

    /// Checks all lines, and that these definitions of a schema have a line.
    fn check(&self, schema: &str, definitions: &[&str]) {
        let lines = &self.0[schema];
        let borrowed: Vec<(&str, String)> =
            lines.iter().map(|(name, line)| (name.as_str(), line.clone())).collect();
        check_lines(schema, &borrowed);
        for definition in definitions {
            assert!(lines.iter().any(|(name, _)| name == definition), "no line of {definition}");
        }
    }
}

#[test]
fn both_examples_in_the_help_of_each_verb_fit_the_definition_of_the_verb() {
    let (table, definitions) = (Table::start(), definitions());
    let mut lines = Lines::default();
    for (verb, examples) in table.examples() {
        for example in examples {
            table.prepare(&example);
            // What is behind a pipe would read the JSON.
            let (before, command) = example.split_at(example.find("clockctl").unwrap());
            let command = command.split(['|', '#']).next().unwrap().trim_end();
            let line = before.to_owned() + &command.replacen("clockctl", "clockctl --json", 1);
            // `watch` ends when nobody reads what it prints.
            let line = if verb == "watch" { format!("{line} | head -n 1") } else { line };
            lines.add(definition_of(&definitions, command), &text(&table, &line));
        }
    }
    lines.add(&definitions["log --games"], &text(&table, "clockctl log --games --json"));
    lines.add(&definitions["log"], &text(&table, "clockctl log 2 --json"));
    let backups = text(&table, "clockctl backup list . --json");
    lines.add(&definitions["backup list"], &backups);
    lines.add(&definitions["clockctl"], &text(&table, "clockctl --json"));
    let of_clockctl = [
        "status",
        "command",
        "new",
        "failure",
        "name",
        "control",
        "rules",
        "hall-file",
        "setup-checked",
        "setup-boards",
        "backup-saved",
        "backup-list",
        "backup-loaded",
        "simulated",
    ];
    lines.check(CLOCKCTL, &of_clockctl);
    lines.check(RECORD, &["entry", "game", "export"]);
    for schema in ["docs/schemas/watch.schema.json", "docs/schemas/doctor.schema.json"] {
        let all: Vec<&str> = lines.0[schema].iter().map(|(_, line)| line.as_str()).collect();
        let said = run("schema/validate.py", &[schema], &all.join("\n"));
        assert_eq!(said, format!("{} lines\n", all.len()));
    }
}

fn text(table: &Table, line: &str) -> String {
    String::from_utf8(table.shell(line).stdout).unwrap()
}

/// A dry run prints what the command would print, and leaves the state for the next verb.
#[test]
fn every_verb_in_many_states_fits_its_definition() {
    let (table, definitions) = (hints::Table::start(), definitions());
    let mut lines = Lines::default();
    for state in STATES {
        table.set_up(state);
        for verb in ["status", "log"] {
            lines.add(&definitions[verb], &table.out(&format!("--json {verb}")));
        }
        for verb in VERBS.split("; ") {
            let definition = definition_of(&definitions, &format!("clockctl {verb}"));
            lines.add(definition, &table.out(&format!("-n --json {verb}")));
        }
    }
    lines.check(CLOCKCTL, &["status", "command", "new", "failure"]);
    lines.check(RECORD, &["entry"]);
}
