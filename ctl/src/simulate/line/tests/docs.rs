//! Checks that `docs/simulate.md` describes every event and no other.

use super::*;

#[test]
fn the_page_has_every_event_and_no_other() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/simulate.md");
    let text = std::fs::read_to_string(path).unwrap();
    let events = |heading: &str| -> Vec<String> {
        let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(events("Events under a rule profile").join(", "), NAMES);
    let of_the_clock = events("Events of the clock");
    assert!(of_the_clock.len() > 10, "{of_the_clock:?}");
    let line = |event: &str| format!("{{\"at_ns\":0,\"event\":\"{event}\"}}");
    let unknown = parse(line("x").as_bytes(), Rules::Present).unwrap_err();
    for event in &of_the_clock {
        assert!(unknown.contains(event.as_str()), "{event}: {unknown}");
        let read = parse(line(event).as_bytes(), Rules::Present);
        assert!(read.as_ref().err().is_none_or(|error| error.contains("is missing")), "{read:?}");
    }
    let named = unknown.split_once("expected ").unwrap().1.split(", ").count();
    assert_eq!(named, of_the_clock.len() + NAMES.split(", ").count(), "{unknown}");
}
