//! A width that a format string takes from a variable ends the program if it is above 65,535. So
//! only code whose widths are constants, or are limited right before, has such a format string; text
//! from outside is aligned with `text::padded` of `clockctl`.

use std::fs;
use std::path::Path;

/// The sources of the programs.
const CODE: [&str; 8] = [
    "controls/src",
    "ctl/src",
    "daemon",
    "dbus/src",
    "display/src",
    "engine/src",
    "languages/src",
    "wiring/src",
];

/// The files with such a format string, and where the width comes from.
const ALLOWED: [(&str, &str); 10] = [
    ("ctl/src/help.rs", "the names of the verbs"),
    ("ctl/src/text/next.rs", "commands of clockctl itself"),
    ("ctl/src/verb/hall.rs", "the digits of a number, limited by DIGITS_LIMIT"),
    ("daemon/menu/src/digits.rs", "the digits of the menu's layouts"),
    ("daemon/src/bus/clock.rs", "the level in the introspection"),
    ("daemon/src/bus/health.rs", "the level in the introspection"),
    ("daemon/src/bus/menu.rs", "the level in the introspection"),
    ("daemon/src/bus/served.rs", "the level in the introspection"),
    ("display/src/paint/compact.rs", "the width of a mark of the face"),
    ("engine/src/time.rs", "the digits of a fraction of a second"),
];

/// Whether the line has a width from a variable, such as `{name:<width$}` or `{:1$}`.
fn has_width(line: &str) -> bool {
    line.match_indices('$').any(|(at, _)| {
        let before = line[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let is_named = before.len() < at;
        let spec = before.trim_end_matches(['<', '>', '^', '0', '#', '+', '.', '*', ' ', '-']);
        is_named
            && spec.ends_with(':')
            && spec.contains('{')
            && line[at + 1..].starts_with(['}', '.', '?'])
    })
}

fn look(root: &Path, path: &Path, found: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder of sources") {
            look(root, &entry.expect("an entry").path(), found);
        }
    } else if path.extension().is_some_and(|end| end == "rs") {
        let text = fs::read_to_string(path).expect("a source");
        if text.lines().any(has_width) {
            found.push(path.strip_prefix(root).expect("below it").display().to_string());
        }
    }
}

#[test]
fn no_width_of_a_format_string_comes_from_outside() {
    for line in ["{a:<width$}", "{:1$}", "{cell:>w$} x", "{n:0width$}", "{x:.digits$}"] {
        assert!(has_width(line), "{line}");
    }
    for line in ["{a:<10}", "$name:ident", "${a}", "{ $($x),+ $}", "cost: 5$}"] {
        assert!(!has_width(line), "{line}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in CODE {
        look(&root, &root.join(folder), &mut found);
    }
    found.sort();
    assert_eq!(found, ALLOWED.map(|(file, _)| file.to_owned()));
}
