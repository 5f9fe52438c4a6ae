//! `docs/rules.md` lists every parameter, every situation and every shipped profile as they are in
//! the code, and its example is a rule file.

use super::*;

/// The rows of the table under this heading of `docs/rules.md` that begin with a word in backticks.
fn rows(heading: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).expect(heading);
    let section = section.split("\n## ").next().unwrap();
    section.lines().filter(|line| line.starts_with("| `")).map(str::to_owned).collect()
}

#[test]
fn the_page_has_every_parameter_with_its_values_and_clauses() {
    let shipped = rule_preset("fide-article-6").unwrap().read().profile;
    let expected: Vec<String> = Parameter::ALL
        .iter()
        .map(|parameter| {
            let Parameter { key, meaning, .. } = parameter;
            let clauses = parameter.citations();
            let base = parameter.value(&shipped);
            // The page says once how a duration is written.
            let accepted = parameter.accepted().replace(r#" such as "0:02:00" or "2m""#, "");
            let accepted = accepted.replace(r#" such as "0:02:00""#, "");
            format!("| `{key}` | {meaning} | {accepted} | `{base}` | {clauses} |")
        })
        .collect();
    // If the rows differ, the message of the failing test lists the rows that `docs/rules.md` must
    // have.
    assert!(rows("The parameters") == expected, "expected\n{}", expected.join("\n"));
}

#[test]
fn the_page_has_every_situation_and_every_shipped_profile() {
    let first_cells = |heading: &str| -> Vec<String> {
        let cell = |row: String| row.split('`').nth(1).unwrap().to_owned();
        rows(heading).into_iter().map(cell).collect()
    };
    let situations: Vec<&str> = Situation::ALL.iter().map(|situation| situation.as_str()).collect();
    assert_eq!(first_cells("Texts for the arbiter"), situations);
    let presets: Vec<&str> = rule_presets().iter().map(|preset| preset.name).collect();
    assert_eq!(first_cells("The shipped profiles"), presets);
}

#[test]
fn the_example_of_the_page_is_a_rule_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules.md");
    let text = std::fs::read_to_string(path).unwrap();
    let example: String = text
        .lines()
        .skip_while(|line| *line != "    name = \"Example league\"")
        .take_while(|line| line.starts_with("    ") || line.is_empty())
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    let file = RuleFile::parse(&example, text_of).unwrap();
    assert_eq!(file.inherited, ["handbook-county", "fide-article-6"]);
    assert_eq!(file.profile.default_after, Span::from_secs(1800));
}
