//! A language file: its keys, its places of values and its lengths are checked, and its texts are
//! written as Rust.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

mod limits {
    #![allow(dead_code, reason = "the limits of the card are checked by a test")]
    include!("../src/limits.rs");
}
use limits::{ACTION_LENGTH, LINE_LENGTH};

/// A structure: the path of its module, its name, and its fields in groups of one kind.
type Structure = (&'static str, &'static str, &'static [(&'static [&'static str], &'static str)]);

/// Makes data of `structure.rs`.
macro_rules! structure {
    ($( mod $module:ident { $(
        $(#[$doc:meta])* $name:ident { $( $($field:ident)+: $kind:ty; )+ }
    )+ } )+) => {
        const STRUCTURES: &[Structure] = &[ $( $( (
            concat!("crate::", stringify!($module)),
            stringify!($name),
            &[ $( (&[$(stringify!($field)),+], stringify!($kind)) ),+ ],
        ), )+ )+ ];
    };
}
include!("../src/structure.rs");

const SIDES: Structure = ("crate", "Sides", &[(&["white", "black"], "Text")]);

/// The constants of the language with this code, or the mistakes in its file: each with the name of
/// the file, the line and the key.
pub fn checked(code: &str, file: &str) -> Result<String, Vec<String>> {
    let mut check = Check { code, file, mistakes: Vec::new(), texts: String::new() };
    let words = match DeTable::parse(file) {
        Ok(table) => check.table(&STRUCTURES[0], None, "", table.get_ref(), 0),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            check.mistake(at, "", error.message())
        }
    };
    let (texts, name) = (check.texts, code.to_uppercase());
    match check.mistakes.is_empty() {
        true => Ok(format!(
            "pub static {name}: crate::words::Words = {words};\n\
             pub static TEXTS_{name}: &[crate::NamedText] = &[{texts}];\n"
        )),
        false => Err(check.mistakes),
    }
}

fn inside<'a>(kind: &'a str, before: &str, after: &str) -> Option<&'a str> {
    kind.strip_prefix(before)?.strip_suffix(after)
}

struct Check<'a> {
    code: &'a str,
    file: &'a str,
    mistakes: Vec<String>,
    /// All texts with their keys and kinds, as Rust.
    texts: String,
}

impl Check<'_> {
    /// Notes a mistake at this place in the file. The text of Rust is empty then.
    fn mistake(&mut self, at: usize, key: &str, what: &str) -> String {
        let line = self.file[..at].matches('\n').count() + 1;
        let colon = if key.is_empty() { "" } else { ": " };
        self.mistakes.push(format!("{}.toml:{line}: {key}{colon}{what}", self.code));
        String::new()
    }

    /// A structure as Rust. `kind` replaces the kind of its fields.
    fn table(
        &mut self,
        (module, name, groups): &Structure,
        kind: Option<&str>,
        path: &str,
        table: &DeTable<'_>,
        at: usize,
    ) -> String {
        let fields =
            || groups.iter().flat_map(|(fields, kind)| fields.iter().map(|it| (*it, *kind)));
        let key_of =
            |field: &str| if path.is_empty() { field.into() } else { format!("{path}.{field}") };
        for key in table.keys() {
            if fields().all(|(field, _)| field != key.get_ref()) {
                self.mistake(key.span().start, &key_of(key.get_ref()), "there is no such key");
            }
        }
        let mut rust = format!("{module}::{name} {{ ");
        for (field, of_field) in fields() {
            let (key, kind) = (key_of(field), kind.unwrap_or(of_field).replace(' ', ""));
            let found = table.get_key_value(field);
            let value = match found {
                Some((name, value)) => self.value(&kind, &key, value, name.span().start),
                None if kind.starts_with("Option<") && self.code == "en" => "None".to_owned(),
                None => self.mistake(at, &key, "this key is missing"),
            };
            rust += &format!("{field}: {value}, ");
        }
        rust + "}"
    }

    /// A value of this kind as Rust.
    fn value(&mut self, kind: &str, key: &str, value: &Spanned<DeValue<'_>>, at: usize) -> String {
        if let Some(kind) = inside(kind, "Option<", ">") {
            return format!("Some({})", self.value(kind, key, value, at));
        }
        if let Some((kind, count)) = inside(kind, "[", "]").and_then(|list| list.rsplit_once(';')) {
            let list = value.get_ref().as_array().map_or(&[][..], |list| &list[..]);
            if list.len().to_string() != count {
                self.mistake(at, key, &format!("a list of {count} is needed"));
            }
            let each = list.iter().map(|value| self.value(kind, key, value, value.span().start));
            return format!("[{}]", each.collect::<Vec<_>>().join(", "));
        }
        let (structure, kind_of_fields) = match inside(kind, "Sides![", "]") {
            Some(kind) => (Some(&SIDES), Some(kind)),
            None => (STRUCTURES.iter().find(|(_, name, _)| *name == kind), None),
        };
        match (structure, value.get_ref()) {
            (Some(structure), DeValue::Table(table)) => {
                self.table(structure, kind_of_fields, key, table, at)
            }
            (Some(_), _) => self.mistake(at, key, "a table is needed"),
            (None, DeValue::String(text)) => self.text(kind, key, text, value.span().start),
            (None, _) => self.mistake(at, key, "a text is needed"),
        }
    }

    /// A text of this kind as Rust.
    fn text(&mut self, kind: &str, key: &str, text: &str, at: usize) -> String {
        let name = kind.split('!').next().unwrap_or(kind);
        self.texts +=
            &format!("crate::NamedText {{ key: {key:?}, kind: {name:?}, text: {text:?} }}, ");
        let rust = mistake_in(kind, key, text).map_or_else(|| template(kind, text), Err);
        rust.unwrap_or_else(|mistake| self.mistake(at, key, &mistake))
    }
}

/// The text with its places for values as Rust, or what is wrong with the places.
fn template(kind: &str, text: &str) -> Result<String, String> {
    let places = inside(kind, "With![", "]").map(|places| places.split(',').collect());
    let places: Vec<&str> = places.unwrap_or_default();
    let (mut missing, mut filled, mut after) = (places.clone(), String::new(), text);
    let mut at = Vec::new();
    while let Some((literal, rest)) = after.split_once('{') {
        let (place, rest) = rest.split_once('}').unwrap_or((rest, ""));
        let Some(index) = places.iter().position(|it| *it == place && missing.contains(it)) else {
            return Err(format!("the place {{{place}}} is unknown or there twice"));
        };
        missing.retain(|it| *it != place);
        filled += literal;
        at.push((filled.len(), index));
        after = rest;
    }
    filled += after;
    match missing.first() {
        Some(place) => Err(format!("the place {{{place}}} is missing")),
        None if places.is_empty() => Ok(format!("{text:?}")),
        None => Ok(format!("crate::Template {{ text: {filled:?}, places: {at:?} }}")),
    }
}

/// What is wrong with a text of this kind, apart from its places.
fn mistake_in(kind: &str, key: &str, text: &str) -> Option<String> {
    let length = |text: &str| text.chars().count();
    let longest_word = || text.split(' ').map(length).max().unwrap_or_default();
    let (long, most, what) = match kind {
        "Line" => (length(text), LINE_LENGTH, "characters"),
        "Action" => (length(text), ACTION_LENGTH, "characters"),
        _ if key.starts_with("menu.") => (longest_word(), LINE_LENGTH, "characters in a word"),
        _ => (0, 0, ""),
    };
    let is_unusual = |c: char| c.is_control() || (c == '\u{a0}' && key.starts_with("menu."));
    if long > most {
        Some(format!("{long} {what}, and at most {most} are possible"))
    } else if text.is_empty() && kind != "Remedy" {
        Some("the text is empty".to_owned())
    } else if text.trim() != text && kind != "Separator" {
        Some("the text begins or ends with a blank".to_owned())
    } else if text.contains(is_unusual) || (text.contains("  ") && key.starts_with("menu.")) {
        Some("the text has two blanks, or a character that is not shown".to_owned())
    } else {
        None
    }
}
