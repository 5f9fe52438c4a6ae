//! What other programs, files and habits rely on is still there: see docs/compatibility.md.
//!
//! The list of what was promised is `tests/promises.txt`. It only grows: with `UPDATE_PROMISES=1` the
//! test adds what is new, and never removes a line.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use zbus_xml::{Arg, ArgDirection, Node};

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder of the project whose names end with `ending`, as name and text.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(tree().join(folder)).unwrap().map(Result::unwrap);
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let chosen = named.filter(|(name, _)| name.ends_with(ending));
    chosen.map(|(name, path)| (name, fs::read_to_string(path).unwrap())).collect()
}

fn arguments(args: &[Arg<'_>], direction: ArgDirection) -> String {
    let is_of = |arg: &&Arg<'_>| arg.direction().unwrap_or(ArgDirection::In) == direction;
    let types: String = args.iter().filter(is_of).map(|arg| arg.ty().to_string()).collect();
    format!("({types})")
}

/// Methods, signals and properties with their types, and the names of the errors. An interface is
/// part of the name.
fn of_the_bus() -> Vec<String> {
    let xml = fs::read_to_string(tree().join("dbus/org.chessclock.Clock1.xml")).unwrap();
    let node = Node::try_from(xml.as_str()).unwrap();
    let mut promised = Vec::new();
    for interface in node.interfaces() {
        let of = interface.name();
        for method in interface.methods() {
            let takes = arguments(method.args(), ArgDirection::In);
            let gives = arguments(method.args(), ArgDirection::Out);
            promised.push(format!("D-Bus method {of}.{} {takes} -> {gives}", method.name()));
        }
        for signal in interface.signals() {
            let types: String = signal.args().iter().map(|arg| arg.ty().to_string()).collect();
            promised.push(format!("D-Bus signal {of}.{} ({types})", signal.name()));
        }
        for property in interface.properties() {
            promised.push(format!("D-Bus property {of}.{} {}", property.name(), *property.ty()));
        }
    }
    let errors = fs::read_to_string(tree().join("dbus/src/error.rs")).unwrap();
    let names = errors.lines().filter_map(|line| line.trim().strip_suffix("(String),"));
    promised.extend(names.map(|name| format!("D-Bus error org.chessclock.Clock1.Error.{name}")));
    promised
}

/// Every key of each JSON Schema, with its type or its values.
fn of_the_schemas() -> Vec<String> {
    let mut promised = Vec::new();
    for (name, text) in files("docs/schemas", ".schema.json") {
        keys(&serde_json::from_str(&text).unwrap(), &name, &mut promised);
    }
    promised
}

/// Adds a line for each key of the objects that `schema` describes, also of those inside. `place` is the
/// name of the file, followed by the definitions and keys that lead to `schema`.
fn keys(schema: &Value, place: &str, promised: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                if let ("properties", Some(properties)) = (name.as_str(), member.as_object()) {
                    for (key, described) in properties {
                        let place = format!("{place} {key}");
                        promised
                            .extend(accepted(described).map(|it| format!("JSON {place}: {it}")));
                        keys(described, &place, promised);
                    }
                } else if name == "$defs" {
                    for (name, described) in member.as_object().unwrap() {
                        promised.extend(
                            accepted(described).map(|it| format!("JSON {place} #{name}: {it}")),
                        );
                        keys(described, &format!("{place} #{name}"), promised);
                    }
                } else {
                    keys(member, place, promised);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, place, promised)),
        _ => {}
    }
}

/// The types of the values that a key can have or, if the values are fixed, each value. If the schema
/// says neither, only `present`.
fn accepted(described: &Value) -> impl Iterator<Item = String> {
    let mut accepted = Vec::new();
    for keyword in ["type", "enum", "const", "$ref"] {
        match &described[keyword] {
            Value::Array(several) => accepted.extend(several.iter().map(Value::to_string)),
            Value::Null => {}
            one => accepted.push(one.to_string()),
        }
    }
    if accepted.is_empty() {
        accepted.push("present".to_owned());
    }
    accepted.into_iter()
}

/// The verbs, options, keys, files and variables of the manual pages, and the exit codes.
fn of_the_manual_pages() -> Vec<String> {
    let mut promised = Vec::new();
    for ending in [".1", ".5", ".8"] {
        for (page, text) in files("docs/man", ending) {
            let (mut section, mut is_named) = (String::new(), false);
            for line in text.lines() {
                let plain = plain(line);
                if let Some(title) = plain.strip_prefix(".SH ").or(plain.strip_prefix(".SS ")) {
                    section = title.trim_matches('"').to_owned();
                    if section.starts_with("clockctl ") {
                        promised.push(format!("{page} {section}"));
                    }
                } else if is_named {
                    // A key without its example, an option without its value.
                    for name in plain.split(" = ").take(1).flat_map(|names| names.split(", ")) {
                        let name = name.split(" <").next().unwrap_or_default();
                        promised.push(format!("{page} {section}: {name}"));
                    }
                } else if section == "EXIT STATUS" && !line.starts_with('.') {
                    let codes = plain.split(", ").filter_map(|part| part.split(' ').next());
                    let codes = codes.filter(|code| code.parse::<u8>().is_ok());
                    promised.extend(codes.map(|code| format!("{page} {section}: {code}")));
                }
                is_named = plain == ".TP";
            }
        }
    }
    promised
}

/// The line without fonts and escapes; see groff_man(7).
fn plain(line: &str) -> String {
    let fonts = ["\\fB", "\\fI", "\\fR", "\\"];
    let marked = line.replace("\\(ti", "~").replace("\\(aq", "'");
    fonts.iter().fold(marked, |line, font| line.replace(font, ""))
}

/// The names of the shipped files that a configuration can name.
fn of_the_shipped_files() -> Vec<String> {
    let mut promised = Vec::new();
    for folder in ["controls", "rules", "wiring"] {
        for (name, _) in files(&format!("configs/{folder}"), ".toml") {
            promised.push(format!("file {folder}/{name}"));
        }
    }
    promised
}

#[test]
fn everything_that_was_promised_is_still_there() {
    let path = tree().join("tests/promises.txt");
    let listed = fs::read_to_string(&path).unwrap_or_default();
    let promised: BTreeSet<&str> = listed.lines().collect();
    let now =
        [of_the_bus(), of_the_schemas(), of_the_manual_pages(), of_the_shipped_files()].concat();
    let now: BTreeSet<&str> = now.iter().map(String::as_str).collect();
    assert!(now.len() > 500, "only {} things were found", now.len());

    let gone: Vec<_> = promised.difference(&now).collect();
    assert!(gone.is_empty(), "promised in tests/promises.txt, and no longer there: {gone:#?}");
    let new: Vec<_> = now.difference(&promised).collect();
    if std::env::var_os("UPDATE_PROMISES").is_some() {
        let all: Vec<&str> = now.into_iter().collect();
        fs::write(path, all.join("\n") + "\n").unwrap();
    } else {
        assert!(new.is_empty(), "new, so UPDATE_PROMISES=1 must add it to the list: {new:#?}");
    }
}
