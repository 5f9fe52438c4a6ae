//! `docs/controls.md` lists every key of a control file, and its example is one.

use super::*;

fn document() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/controls.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_page_has_every_key_and_no_other() {
    let text = document();
    for (heading, file) in
        [("The control", "unknown_key = 1\n"), ("A period", "[[period]]\nunknown_key = 1\n")]
    {
        let error = ControlFile::parse(file).unwrap_err().to_string();
        let keys = error.split_once("expected one of ").expect("the keys are listed").1;
        let mut keys: Vec<&str> = keys.split('`').skip(1).step_by(2).collect();
        let (_, section) = text.split_once(&format!("\n## {heading}\n")).expect(heading);
        let section = section.split("\n## ").next().unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let mut listed: Vec<&str> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
        keys.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, keys, "{heading}");
    }
}

#[test]
fn the_example_of_the_page_is_the_shipped_control() {
    let text = document();
    let example: String = text
        .lines()
        .skip_while(|line| !line.starts_with("    name = "))
        .take_while(|line| line.starts_with("    ") || line.is_empty())
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    let shipped = crate::text::presets().iter().find(|preset| preset.name == "fide-standard");
    assert_eq!(ControlFile::parse(&example).unwrap(), shipped.unwrap().read());
}
