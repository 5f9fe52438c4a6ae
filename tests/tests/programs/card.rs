//! `make card` writes the page `docs/at-the-clock.md` as a card for the clock.

use std::path::PathBuf;
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/{path}")).expect(path)
}

/// The parts of a text between two of these marks.
fn between<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark).skip(1).step_by(2)
}

fn make_card(file: &str) -> (PathBuf, Output) {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    let output = Command::new("make")
        .args(["--silent", "-C", ROOT, "card"])
        .arg(format!("CARD={}", out.display()))
        .output()
        .unwrap();
    (out, output)
}

#[test]
fn the_card_has_every_step_of_the_page_with_its_picture() {
    let (out, output) = make_card("card.svg");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let card = std::fs::read_to_string(&out).unwrap();
    let page = read("docs/at-the-clock.md");
    let mut rest = card.as_str();
    let mut steps = 0;
    for step in page.lines().filter_map(|line| line.strip_prefix("## ")) {
        let heading = format!(">{}</text>", step.replace('\'', "&#x27;"));
        let at = rest.find(&heading).unwrap_or_else(|| panic!("no step {step}"));
        rest = &rest[at..];
        let picture = rest.find("xlink:href=\"data:image/png;base64,iVBOR");
        assert!(picture.is_some_and(|at| at < 400), "{step} has no picture");
        steps += 1;
    }
    assert!(steps >= 8, "{steps} steps");
    assert_eq!(card.matches("<image ").count(), steps);
    // The card refers to nothing but the pictures, which it contains, so nothing else is needed to
    // print it.
    let used = |text: &str| card.matches(text).count();
    assert_eq!(used("href=\""), steps);
    // Each word that is in bold on the page is on the card. The card breaks such texts into lines
    // only at spaces, so that no word is divided.
    for words in between(&page, "**").flat_map(str::split_whitespace) {
        assert!(card.contains(&words.replace('\'', "&#x27;")), "{words}");
    }
}

#[test]
fn the_page_names_the_lines_of_the_menu_as_the_clock_does() {
    let words = read("languages/src/en.rs");
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

#[test]
fn a_card_that_cannot_be_written_is_an_error() {
    let (_, output) = make_card("card.pdf");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("card.svg"), "{said}");
}
