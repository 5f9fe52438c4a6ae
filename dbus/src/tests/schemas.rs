//! Makes the parts of the JSON Schemas that describe a state, from the rows of [`State`] and from the
//! fields of what a state contains.
//!
//! In a list of keys, what is made begins at the first key of the structure and ends with the list; keys
//! before it are written by hand, as is the rest of the files. The description of a key is the first
//! sentence of its comment, in the terms of JSON: a property has the name of its key, and what is absent
//! is null.

use super::xml::paragraphs;
use super::{Field, compare};
use crate::argument::{BOARD_LIMIT, NAME_LIMIT};
use crate::{
    Answer, ClaimState, Counting, Fault, INSTANTS, LatePlayers, Method, Question, Side, SideState,
    State, Who,
};
use clock_engine::{Outcome, Word};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/schemas");

#[test]
fn the_schemas_are_up_to_date() {
    for (name, of_state) in [("watch", "line"), ("clockctl", "status-keys")] {
        let file = format!("{FOLDER}/{name}.schema.json");
        let committed = std::fs::read_to_string(&file).unwrap();
        compare(&file, &committed, &made(&committed, of_state), "UPDATE_SCHEMAS");
    }
}

/// The schema with new lists of keys. `of_state` is the name of the definition of a state.
fn made(schema: &str, of_state: &str) -> String {
    let definitions = [
        (of_state, State::FIELDS),
        ("side", SideState::FIELDS),
        ("question", Question::FIELDS),
        ("answer", Answer::FIELDS),
        ("fault", Fault::FIELDS),
    ];
    let (mut made, mut lists) = (String::new(), 0);
    let (mut fields, mut in_list): (&[Field], bool) = (&[], false);
    for line in schema.lines() {
        if let Some(name) = name_at("    ", line) {
            let definition = definitions.iter().find(|(defined, _)| *defined == name);
            fields = definition.map_or(&[], |(_, fields)| fields);
        }
        in_list &= line.starts_with("        ");
        let key = name_at("        ", line);
        if in_list {
            continue;
        }
        in_list = fields.iter().any(|field| Some(field.key()) == key);
        if !in_list {
            made.push_str(&format!("{line}\n"));
            continue;
        }
        lists += 1;
        let keys = fields.iter().map(|field| match line.contains("\": ") {
            true => format!("        {}", field.property(schema)),
            false => format!("        \"{}\"", field.key()),
        });
        made.push_str(&(keys.collect::<Vec<_>>().join(",\n") + "\n"));
    }
    let defined = definitions.iter().filter(|(name, _)| defines(schema, name)).count();
    assert_eq!(lists, 2 * defined, "lists of keys; expected `required` and `properties` of each");
    made
}

/// The name with which this line begins after the indent.
fn name_at<'a>(indent: &str, line: &'a str) -> Option<&'a str> {
    line.strip_prefix(indent)?.strip_prefix('"')?.split('"').next()
}

fn defines(schema: &str, name: &str) -> bool {
    schema.lines().any(|line| name_at("    ", line) == Some(name))
}

/// A definition of the schema, or in its place what would be defined.
fn definition(schema: &str, name: &str) -> String {
    match name.strip_suffix("-or-null") {
        _ if defines(schema, name) => format!(r##""$ref": "#/$defs/{name}""##),
        Some(value) => {
            format!(r#""oneOf": [{{{}}}, {{"type": "null"}}]"#, definition(schema, value))
        }
        None if name == "fault" => object(schema, Fault::FIELDS),
        None => panic!("{name} is not defined"),
    }
}

fn object(schema: &str, fields: &[Field]) -> String {
    let required: Vec<_> = fields.iter().map(|field| format!("\"{}\"", field.key())).collect();
    let properties: Vec<_> = fields.iter().map(|field| field.property(schema)).collect();
    let (required, properties) = (required.join(", "), properties.join(", "));
    format!(r#""type": "object", "required": [{required}], "properties": {{{properties}}}"#)
}

impl Field {
    /// The key in JSON.
    fn key(&self) -> &'static str {
        let renamed = self.serde.split_once("rename = \"");
        renamed.and_then(|(_, name)| name.split('"').next()).unwrap_or(self.name)
    }

    /// Whether the default value is null in JSON.
    fn is_default_null(&self) -> bool {
        self.serde.contains("or_null")
    }

    fn is_nullable(&self) -> bool {
        // Of these, null is a word of a later service. The schema does not promise what stands for one.
        let is_word = matches!(self.of, "Option<QuestionKind>" | "Option<Ruling>");
        self.is_default_null() || self.of.starts_with("Option<") && !is_word
    }

    fn property(&self, schema: &str) -> String {
        let (key, values, description) = (self.key(), self.values(schema), self.description());
        format!(r#""{key}": {{{values}, "description": {description:?}}}"#)
    }

    /// What the schema says of the values.
    fn values(&self, schema: &str) -> String {
        let or_null = if self.is_nullable() { "-or-null" } else { "" };
        let defined = |name: &str| definition(schema, &format!("{name}{or_null}"));
        let list = |of| format!(r#""type": "array", "items": {{{}}}"#, definition(schema, of));
        let key = self.key();
        match self.of.trim_start_matches("Option<").trim_end_matches('>') {
            "bool" => self.of_type("boolean"),
            "i64" => self.of_type("integer"),
            "u64" if INSTANTS.contains(&key) => defined("instant"),
            "u64" if key.ends_with("_ns") => defined("span"),
            "u32" | "u64" => {
                let least = u8::from(self.is_default_null());
                format!("{}, \"minimum\": {least}", self.of_type("integer"))
            }
            "String" if key == "result" => {
                format!("{}, {}", self.of_type("string"), self.words::<Outcome>())
            }
            // A later version can have further words.
            "String" | "PausedBy" | "QuestionKind" | "QuestionProgress" | "Ruling" => self.text(),
            "Who" if key == "arbiter_called_by" => self.words::<Who>(),
            "Who" => self.words::<Side>(),
            "LatePlayers" => self.words::<LatePlayers>(),
            "ClaimState" => self.words::<ClaimState>(),
            "Counting" => self.words::<Counting>(),
            "Method" => self.words::<Method>(),
            "Phase" => defined("phase"),
            "SideState" => defined("side"),
            "Vec<Fault" => list("fault"),
            "Vec<Question" => list("question"),
            "Vec<Answer" => list("answer"),
            other => panic!("{key}: how does the schema describe the type {other}?"),
        }
    }

    fn of_type(&self, name: &str) -> String {
        match self.is_nullable() {
            true => format!(r#""type": ["{name}", "null"]"#),
            false => format!(r#""type": "{name}""#),
        }
    }

    fn text(&self) -> String {
        let longest = match self.key() {
            "board" | "round" => BOARD_LIMIT,
            "text" => 200, // of a fault
            _ => NAME_LIMIT,
        };
        format!("{}, \"maxLength\": {longest}", self.of_type("string"))
    }

    fn words<T: Word>(&self) -> String {
        let words = T::ALL.iter().map(|word| word.as_str()).filter(|word| !word.is_empty());
        let mut words: Vec<_> = words.map(|word| format!("\"{word}\"")).collect();
        if self.is_nullable() {
            words.push("null".to_owned());
        }
        format!(r#""enum": [{}]"#, words.join(", "))
    }

    fn description(&self) -> String {
        let first = paragraphs(self.comment).swap_remove(0);
        let (sentence, _) = first.split_once(". ").unwrap_or((&first, ""));
        let parts = sentence.trim_end_matches(['.', ':']).split('`').enumerate();
        let parts = parts.map(|(index, part)| if index % 2 == 0 { part } else { key_of(part) });
        let mut text = parts.collect::<String>() + ".";
        if self.is_default_null() {
            for absent in ["; \"\" ", "; empty ", "; 0 "] {
                text = text.replace(absent, "; null ");
            }
        }
        text.replace(" -1 ", " null ")
    }
}

/// The key of a property or a field of the state; another name as it is.
fn key_of(name: &str) -> &str {
    let of_clock = State::DESCRIBED.iter().zip(State::FIELDS);
    let mut all = of_clock.chain(State::OF_SIDE.iter().zip(SideState::FIELDS));
    all.find(|((property, _), field)| [*property, field.name].contains(&name))
        .map_or(name, |(_, field)| field.key())
}
