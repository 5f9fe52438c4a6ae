//! `make card` has five lines for the clock's foot, with pictures; `docs/at-the-clock.md` is the page
//! for players.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use clock_languages::Language;
use clock_tests::program;

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).expect(path)
}

/// The parts of a text between two of these marks.
fn between<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark).skip(1).step_by(2)
}

fn make_card(language: &str) -> (PathBuf, Output) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("card");
    let output = Command::new(program("clock-card")).arg(&folder).arg(language).output().unwrap();
    (folder, output)
}

#[test]
fn the_card_has_each_line_twice_and_with_pictures() {
    let (folder, output) = make_card("de");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("de.html")).unwrap();
    let mut parts = page.split("<h1>Die Schachuhr</h1>");
    let (strip, steps) = (parts.next().unwrap(), parts.next().unwrap());
    let steps: Vec<&str> = steps.split("<section>").skip(1).collect();
    let lines = &Language::German.words().card.lines;
    assert_eq!(steps.len(), lines.len());
    let mut pictures = HashSet::new();
    for (line, step) in lines.iter().zip(steps) {
        let marked = |(part, text): (usize, &str)| match part % 2 {
            0 => text.to_owned(),
            _ => format!("<b>{text}</b>"),
        };
        let text: String = line.text.split("**").enumerate().map(marked).collect();
        assert!(
            strip.contains(&text) && step.contains(&text) && step.contains(line.about),
            "{text}"
        );
        let sources: Vec<&str> =
            between(step, "\"").filter(|text| text.ends_with(".png")).collect();
        assert!(!sources.is_empty(), "{text} has no picture");
        for source in sources {
            let picture = std::fs::read(folder.join(source)).unwrap();
            assert!(picture.starts_with(b"\x89PNG"), "{source}");
            assert!(pictures.insert(picture), "{source} shows what another picture shows");
        }
    }
    assert_eq!(page.matches(".png").count(), pictures.len());
}

#[test]
fn a_language_that_is_not_there_is_an_error() {
    let (_, output) = make_card("xx");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("xx"), "{said}");
}

#[test]
fn the_page_names_the_lines_of_the_menu_as_the_clock_does() {
    let words = read("languages/texts/en.toml");
    let page = read("docs/at-the-clock.md");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut named = 0;
    for line in between(&page, "**") {
        // The menu puts `White's time` together from the side and the rest, so `words` has only the
        // rest.
        let line = line.strip_prefix("White").unwrap_or(line);
        assert!(words.contains(line), "the menu has no line {line}");
        named += 1;
    }
    assert!(named > 10, "{named}");
}
