//! Changes of single keys in the text of a TOML file. Everything else in the file stays as it is,
//! comments included.

use clock_engine::text::{FileError, Place};
use std::ops::Range;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// A key, and the value that it gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Change<'a> {
    /// The name of the table; empty for a key before all tables.
    pub table: &'a str,
    pub key: &'a str,
    pub value: Value,
}

impl<'a> Change<'a> {
    pub fn new(table: &'a str, key: &'a str, value: impl Into<Value>) -> Change<'a> {
        Change { table, key, value: value.into() }
    }

    /// The value of this key in a file.
    fn found(&self, text: &str) -> Option<Value> {
        let mut root: toml::Table = toml::from_str(text).ok()?;
        match self.table {
            "" => root.remove(self.key),
            table => root.remove(table)?.as_table_mut()?.remove(self.key),
        }
    }
}

/// The text with these values.
///
/// # Errors
///
/// The text is no TOML, or has a key or a table in a form that cannot be changed.
pub fn changed(text: &str, changes: &[Change<'_>]) -> Result<String, FileError> {
    changes.iter().try_fold(text.to_owned(), |text, change| one_changed(&text, change))
}

/// The value of a key, with its position.
fn find<'a>(table: &DeTable<'a>, wanted: &str) -> Option<(Range<usize>, DeValue<'a>)> {
    let (_, value) = table.iter().find(|(name, _)| name.get_ref() == wanted)?;
    Some((value.span(), value.get_ref().clone()))
}

fn one_changed(text: &str, change: &Change<'_>) -> Result<String, FileError> {
    let root = DeTable::parse(text).map_err(|error| FileError::of_toml(text, &error))?;
    let Change { table, key, value } = change;
    let inside = match (*table, find(root.get_ref(), table)) {
        ("", _) => Some(root.get_ref().clone()),
        (_, Some((_, DeValue::Table(inside)))) => Some(inside),
        _ => None,
    };
    let changed = match inside.as_ref().and_then(|inside| find(inside, key)) {
        Some((_, DeValue::Table(_))) => None,
        Some((span, _)) => Some(format!("{}{value}{}", &text[..span.start], &text[span.end..])),
        None => Some(inserted(text, change, inside.is_some())),
    };
    // TOML can write a setting in many forms, and not all of them are handled here. So the result
    // is read again and compared.
    match changed {
        Some(changed) if change.found(&changed).as_ref() == Some(value) => Ok(changed),
        _ => {
            let name = if table.is_empty() { key.to_string() } else { format!("{table}.{key}") };
            let message = format!("`{name}` cannot be set in this form; expected {key} = {value}");
            let span = find(root.get_ref(), if table.is_empty() { key } else { table });
            let place = span.map_or(Place::START, |(span, _)| Place::new(text, span.start));
            Err(FileError { place, message })
        }
    }
}

/// The text with a new line for the key: below the example of the key in a comment, otherwise at the
/// beginning of its table.
fn inserted(text: &str, change: &Change<'_>, has_table: bool) -> String {
    let Change { table, key, value } = change;
    let line = format!("{key} = {value}\n");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_header = |line: &&str| line.trim_start().starts_with('[');
    let begin = match *table {
        "" => 0,
        table => {
            let header = format!("[{table}]");
            match lines.iter().position(|line| line.trim_start().starts_with(&header)) {
                Some(at) => at + 1,
                None if has_table => return text.to_owned(),
                None => {
                    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                    return format!("{text}{end}\n{header}\n{line}");
                }
            }
        }
    };
    let end = lines[begin..].iter().position(is_header).map(|at| begin + at);
    let end = end.unwrap_or(lines.len());
    let is_example = |line: &&str| {
        line.strip_prefix('#')
            .is_some_and(|rest| rest.trim_start().starts_with(&format!("{key} = ")))
    };
    let example = lines[begin..end].iter().position(is_example);
    let title =
        || lines[..end].iter().take_while(|line| line.starts_with(['#', '\u{feff}'])).count();
    let at = match example {
        Some(example) => begin + example + 1,
        None if begin == 0 => title(),
        None => begin,
    };
    let (before, after) = lines.split_at(at);
    let before = before.concat();
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{end}{line}{}", after.concat())
}

#[cfg(test)]
mod tests {
    use super::{Change, changed};

    fn set(text: &str, table: &str, key: &str, value: &str) -> String {
        changed(text, &[Change::new(table, key, value)]).unwrap()
    }

    #[test]
    fn a_value_is_replaced_and_all_else_stays() {
        let text = "# Ours.\nboard = '1'   # the first\n\n[menu]\nlanguage = \"en\" # English\n";
        assert_eq!(set(text, "", "board", "2"), text.replace("'1'", "\"2\""));
        assert_eq!(set(text, "menu", "language", "de"), text.replace("\"en\"", "\"de\""));
        let dotted = "menu.language = 'en'\n";
        assert_eq!(set(dotted, "menu", "language", "de"), "menu.language = \"de\"\n");
        let inline = "menu = { when = 'off', language = 'en' }\n";
        assert_eq!(set(inline, "menu", "language", "de"), inline.replace("'en'", "\"de\""));
    }

    #[test]
    fn a_new_key_is_below_its_example_or_at_the_beginning_of_its_table() {
        let example =
            "a = 1\n# Which.\n# board = \"12\"\n\n[menu]\n# language = 'x'\nwhen = 'off'\n";
        let expected = example.replace("\"12\"\n", "\"12\"\nboard = \"2\"\n");
        assert_eq!(set(example, "", "board", "2"), expected);
        let expected = example.replace("'x'\n", "'x'\nlanguage = \"de\"\n");
        assert_eq!(set(example, "menu", "language", "de"), expected);
        let titled = "# The file.\n\n[menu]\nwhen = 'off'\n";
        assert_eq!(
            set(titled, "", "board", "2"),
            titled.replace("file.\n", "file.\nboard = \"2\"\n")
        );
        let expected = titled.replace("[menu]\n", "[menu]\nlanguage = \"de\"\n");
        assert_eq!(set(titled, "menu", "language", "de"), expected);
        assert_eq!(set("", "", "board", "2"), "board = \"2\"\n");
        assert_eq!(set("a = 1", "menu", "language", "de"), "a = 1\n\n[menu]\nlanguage = \"de\"\n");
        assert_eq!(set("# only", "", "board", "2"), "# only\nboard = \"2\"\n");
    }

    #[test]
    fn a_form_that_cannot_be_changed_is_refused_and_never_guessed() {
        for (text, table, key, said) in [
            ("board = \n", "", "board", "1:9: "),
            ("a = 1\nboard.x = 1\n", "", "board", "2:1: `board` cannot be set in this form"),
            ("menu = { when = 'off' }\n", "menu", "language", "`menu.language` cannot be set"),
            ("menu = 3\n", "menu", "language", "`menu.language` cannot be set"),
            ("x = \"\"\"\n# board = 1\n\"\"\"\n", "", "board", "`board` cannot be set"),
        ] {
            let why = changed(text, &[Change::new(table, key, "x")]).unwrap_err().to_string();
            assert!(why.contains(said), "{text:?}: {why}");
        }
    }

    #[test]
    fn the_shipped_files_can_be_changed() {
        let files = [
            (
                include_str!("../../../configs/clockd.toml"),
                ["", "board", "", "wiring", "menu", "language"],
            ),
            (
                include_str!("../../../configs/display.toml"),
                ["screen", "arrangement", "screen", "theme", "", "wiring"],
            ),
        ];
        for (text, [a, b, c, d, e, f]) in files {
            let changes = [Change::new(a, b, "1"), Change::new(c, d, "2"), Change::new(e, f, "3")];
            let changed = changed(text, &changes).unwrap();
            let same = text.lines().filter(|line| changed.contains(line)).count();
            assert!(
                same + 3 >= text.lines().count()
                    && changed.lines().count() < text.lines().count() + 3
            );
        }
    }
}
