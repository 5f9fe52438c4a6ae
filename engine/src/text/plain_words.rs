//! Messages of the libraries that read files (serde, the parsers of TOML and of JSON) and of the
//! operating system, in words for somebody who does not program.

use std::io;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The most characters of a wrong value that a message repeats.
const SHOWN: usize = 60;

/// What a file calls a value with keys of its own: `a table` in TOML, `an object` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

impl Format {
    fn table(self) -> &'static str {
        match self {
            Format::Toml => "a table",
            Format::Json => "an object",
        }
    }
}

/// The message of serde or of a parser in plain words. If the value of a key is wrong and the key is
/// known, the message names the key.
///
/// ```
/// use clock_engine::text::{Format, plain_message};
/// let message = "invalid value: integer `-1`, expected u32";
/// assert_eq!(
///     plain_message(message, Some("keep_games"), Format::Toml),
///     "`keep_games` is `-1`; expected a whole number from 0 to 4294967295"
/// );
/// assert_eq!(plain_message("missing field `host`", None, Format::Json), "missing key `host`");
/// ```
pub fn plain_message(message: &str, key: Option<&str>, format: Format) -> String {
    let message = message.replace('\n', "; ");
    if let Some((given, expected)) = wrong_value(&message, format) {
        let is = key.map_or_else(|| "found".to_owned(), |key| format!("`{key}` is"));
        return format!("{is} {given}; expected {expected}");
    }
    if let Some(wrong) = wrong_key(&message) {
        return wrong;
    }
    let words = PARSERS.iter().find(|(theirs, _)| message.starts_with(theirs));
    let words =
        words.map_or_else(|| message.replace(", expected nothing", ""), |(_, ours)| (*ours).into());
    match key {
        Some(key) if !words.contains(&format!("`{key}`")) => format!("`{key}`: {words}"),
        _ => words,
    }
}

/// What is given and what is expected, if the message says that a value is wrong.
fn wrong_value(message: &str, format: Format) -> Option<(String, String)> {
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        let (given, expected) = rest.rsplit_once(", expected ")?;
        return Some((shortened(given), expected.to_owned()));
    }
    if let Some(rest) = message.strip_prefix("invalid length ") {
        let (count, wanted) = rest.rsplit_once(", expected ")?;
        return Some((format!("a list of {count} values"), expected(wanted, format)));
    }
    let rest =
        ["invalid type: ", "invalid value: "].iter().find_map(|it| message.strip_prefix(it))?;
    let (given, wanted) = rest.rsplit_once(", expected ")?;
    if (given, wanted, format) == ("map", "a sequence", Format::Toml) {
        let list = "a list of them, each begun with double brackets as in [[period]]";
        return Some(("a single table".to_owned(), list.to_owned()));
    }
    Some((found(given, format), expected(wanted, format)))
}

/// The value that was found, without its type.
fn found(given: &str, format: Format) -> String {
    let value = |mark: char| Some(&given[given.find(mark)?..=given.rfind(mark)?]);
    match given {
        "map" => format.table().to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit value" | "Option value" => "null".to_owned(),
        text if text.starts_with("string ") => shortened(&text["string ".len()..]),
        text if text.contains('`') => shortened(value('`').unwrap_or(text)),
        other => format!("another kind of value ({other})"),
    }
}

/// What is expected, without the name of a type.
fn expected(wanted: &str, format: Format) -> String {
    let whole = |least: i64, most: u32| format!("a whole number from {least} to {most}");
    let count = |text: &str| text.rsplit(' ').next().unwrap_or_default().to_owned();
    match wanted {
        "u8" => whole(0, u8::MAX.into()),
        "u16" => whole(0, u16::MAX.into()),
        "u32" => whole(0, u32::MAX),
        "i8" => whole(i8::MIN.into(), 127),
        "i16" => whole(i16::MIN.into(), 32_767),
        "i32" => whole(i32::MIN.into(), 2_147_483_647),
        "u64" | "u128" | "usize" => "a whole number of 0 or more".to_owned(),
        "i64" | "i128" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "string" | "str" | "path string" | "a borrowed string" | "a character" => {
            "text in quotation marks".to_owned()
        }
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "variant identifier" | "field identifier" => "a word in quotation marks".to_owned(),
        "a map" => format.table().to_owned(),
        text if text.starts_with("struct ") => format.table().to_owned(),
        text if text.starts_with("enum ") => "a word in quotation marks".to_owned(),
        text if text.starts_with("an array of length") || text.contains("tuple") => {
            format!("a list of {} values", count(text))
        }
        other => other.to_owned(),
    }
}

/// What is wrong with a key, if the message says that one is.
fn wrong_key(message: &str) -> Option<String> {
    if let Some(rest) = message.strip_prefix("unknown field") {
        return Some(format!("unknown key{rest}"));
    }
    if let Some(rest) = message.strip_prefix("missing field") {
        return Some(format!("missing key{rest}"));
    }
    let twice = message.strip_prefix("duplicate field ")?;
    Some(format!("{twice} is given twice"))
}

/// How messages of the parsers begin, and the words for them.
const PARSERS: &[(&str, &str)] = &[
    ("string values must be quoted", "text without quotation marks; expected them, as in \"5m\""),
    ("invalid boolean", "a word that is neither true nor false; text needs quotation marks"),
    ("invalid time", DATE),
    ("invalid date", DATE),
    ("EOF while parsing", "the text ends too early"),
    ("trailing characters", "there is more text after the end"),
    ("expected value", "no value; expected one"),
    ("expected ident", "a word without quotation marks; expected true, false or null"),
    ("key must be a string", "a key without quotation marks; expected them"),
    ("recursion limit exceeded", "more than 128 values inside each other"),
    ("control character", "a control character in a text"),
    ("lone leading surrogate", "an escape \\u that stands for no character"),
    ("unexpected end of hex escape", "an escape \\u that stands for no character"),
    ("integer number overflowed", "a number that is too large, or no number"),
    ("number out of range", "a number that is too large"),
    ("data did not match any variant", "a value of another kind than expected"),
];

const DATE: &str = "a time without quotation marks; expected them, as in \"1:30:00\"";

/// Cuts a value to [`SHOWN`] characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The message of the TOML parser about the text at `span` in plain words.
pub(super) fn of_toml(text: &str, span: Range<usize>, message: &str) -> String {
    let given = text.get(span.clone()).unwrap_or_default();
    if message == "duplicate key" {
        return format!("`{}` is given twice", shortened(given));
    }
    let key = key_at(text, span.start);
    let message = match message.contains("$__toml_private_datetime") {
        true => "invalid date",
        false => message,
    };
    plain_message(message, key.as_deref(), Format::Toml)
}

/// The key whose value is at this byte of a TOML text; `None` if no value is there.
///
/// ```
/// use clock_engine::text::key_at;
/// assert_eq!(key_at("[record]\nkeep_games = -1\n", 22).as_deref(), Some("keep_games"));
/// ```
pub fn key_at(text: &str, offset: usize) -> Option<String> {
    let key = match DeTable::parse(text) {
        Ok(root) => key_in(text, root.get_ref(), offset),
        Err(_) => key_of_line(text, offset),
    };
    // A key in quotation marks can be any text.
    key.map(|key| shortened(&key.escape_debug().to_string()))
}

fn key_in(text: &str, table: &DeTable<'_>, offset: usize) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        value_at(text, value, offset)?.or_else(|| Some(key.get_ref().to_string()))
    })
}

/// `None` if the place is not in this value; otherwise the key inside the value that the place
/// belongs to, if there is one.
fn value_at(text: &str, value: &Spanned<DeValue<'_>>, offset: usize) -> Option<Option<String>> {
    let before = text.get(..value.span().start).unwrap_or_default().trim_end_matches([' ', '\t']);
    let (inner, has_key) = match value.get_ref() {
        DeValue::Table(table) => (key_in(text, table, offset), before.ends_with('=')),
        DeValue::Array(list) => {
            let inner = list.iter().find_map(|value| value_at(text, value, offset)).flatten();
            (inner, before.ends_with('='))
        }
        _ => (None, true),
    };
    // The place of a header such as [wifi] or [[board]] is that of no value.
    let is_here = has_key && value.span().contains(&offset);
    (inner.is_some() || is_here).then_some(inner)
}

/// The key of the line with this place, if the line is `key = …`. The text is not TOML.
fn key_of_line(text: &str, offset: usize) -> Option<String> {
    let begin = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let (key, _) = text.get(begin..)?.lines().next()?.split_once('=')?;
    let key = key.trim();
    let is_key = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let is_before = text.get(begin..offset)?.contains('=');
    (is_before && !key.is_empty() && key.chars().all(is_key)).then(|| key.to_owned())
}

/// The text with the words of the operating system in it replaced by plain ones, without their
/// numbers. A message can have passed through several programs and places before it is shown, so
/// this finds each error in the text.
///
/// ```
/// use clock_engine::text::plain_system_errors;
/// let error = std::fs::read("/nowhere").unwrap_err();
/// assert_eq!(plain_system_errors(&format!("/nowhere: {error}")), "/nowhere: there is no such file");
/// ```
pub fn plain_system_errors(text: &str) -> String {
    const MARK: &str = " (os error ";
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(MARK) {
        let error = after.split_once(')').and_then(|(number, after)| {
            let error = io::Error::from_raw_os_error(number.parse().ok()?);
            let whole = error.to_string();
            let words = before.strip_suffix(whole.strip_suffix(&format!("{MARK}{number})"))?)?;
            Some((words, error, after))
        });
        match error {
            Some((before, error, after)) => {
                plain.push_str(before);
                plain.push_str(&words_of(&error));
                rest = after;
            }
            None => {
                plain.push_str(before);
                plain.push_str(MARK);
                rest = after;
            }
        }
    }
    plain + rest
}

/// An error of the operating system in words.
fn words_of(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::IsADirectory => "it is a folder",
        io::ErrorKind::NotADirectory => "a part of the path is no folder",
        io::ErrorKind::AlreadyExists => "it exists already",
        io::ErrorKind::StorageFull => "no space is left on the storage",
        io::ErrorKind::InvalidFilename => "the name is too long",
        _ => {
            let text = error.to_string();
            return text.rsplit_once(" (os error ").map_or(text.clone(), |(text, _)| text.into());
        }
    };
    words.to_owned()
}

#[cfg(test)]
mod tests;
