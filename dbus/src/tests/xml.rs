//! Makes the XML: the template, in which the rows of the tables stand for its marks.
//!
//! A comment of a row is the text of the XML. A name in backquotes becomes a reference: `Phase` to a
//! property of the clock, `Method()` or `History.Method()` to a method, `Health:Name` to a property of
//! another interface. In the comment of a property of a side, "the side" is White or Black, and "the
//! opponent" the other one.

use super::compare;
use super::documentation::accepted;
use crate::commands::*;
use crate::{FaultCode, FurtherSignal, HealthProperties, INTERFACE_XML, State, with_commands};
use std::fmt::Write as _;
use zbus::Type;
use zbus::wire::Signature;

const TEMPLATE: &str = include_str!("../../org.chessclock.Clock1.template.xml");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/org.chessclock.Clock1.xml");
/// The longest line of a text. Arguments and items of lists are on one line each.
const WIDTH: usize = 108;

#[test]
fn the_xml_is_up_to_date() {
    compare(FILE, INTERFACE_XML, &made(), "UPDATE_XML");
}

fn made() -> String {
    let mut made = String::new();
    for line in TEMPLATE.lines() {
        let part = match line.trim() {
            "<!-- table: signals -->" => signals(),
            "<!-- table: state -->" => state(),
            "<!-- table: commands -->" => commands(),
            "<!-- table: health -->" => health(),
            "(table: causes)" => causes(),
            _ => format!("{line}\n"),
        };
        made.push_str(&part);
    }
    made
}

/// A row of the table of commands.
struct Command {
    method: &'static str,
    name: &'static str,
    comment: &'static [&'static str],
    arguments: Vec<Described>,
}

struct Described {
    name: &'static str,
    signature: &'static Signature,
    /// The words that the argument accepts, if it is a word.
    words: Vec<String>,
    comment: &'static [&'static str],
}

fn rows() -> Vec<Command> {
    macro_rules! rows {
        ($(
            $(#[doc = $doc:literal])*
            $method:ident $name:literal $function:ident($(
                $(#[doc = $arg_doc:literal])* $arg:ident: $type:ty,
            )*) $(= $made:expr)?;
        )+) => {
            vec![$( Command {
                method: stringify!($method),
                name: $name,
                comment: &[$($doc),*],
                arguments: vec![$( Described {
                    name: stringify!($arg),
                    signature: <<$type as Argument>::Wire<'_> as Type>::SIGNATURE,
                    words: accepted::<$type>().unwrap_or_default(),
                    comment: &[$($arg_doc),*],
                } ),*],
            } ),+]
        };
    }
    with_commands!(rows)
}

#[test]
fn a_command_has_one_name() {
    for Command { method, name, .. } in rows() {
        let words = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
        assert_eq!(words.collect::<String>(), method);
    }
}

/// The items of the list of causes.
fn causes() -> String {
    let items = rows().into_iter().map(|Command { method, name, .. }| {
        format!("      - \"{name}\": {method} was carried out.\n")
    });
    items.collect()
}

fn commands() -> String {
    rows().iter().map(command).collect()
}

fn command(command: &Command) -> String {
    let Command { method, arguments, .. } = command;
    let mut text = format!("    <!--\n      {method}:\n");
    for Described { name, words, comment, .. } in arguments {
        described(&mut text, name, &listed(&one_line(comment), words));
    }
    for (name, comment) in [
        ("revision", "The revision that the caller saw."),
        ("reason", "The reason, for the log."),
        ("new_revision", "The revision after the command."),
        ("recorded", "Whether the command is on record."),
        ("report", "What the command did, in a sentence that the log and the record have, too."),
    ] {
        described(&mut text, name, comment);
    }
    let mut parts = paragraphs(command.comment);
    // The keys of a dictionary follow the first paragraph.
    parts.splice(1..1, keys(method));
    write_all(&mut text, &parts);
    let _ = writeln!(text, "    -->\n    <method name=\"{method}\">");
    let given = arguments.iter().map(|argument| (argument.name, argument.signature));
    for (name, signature) in given.chain([("revision", u64::SIGNATURE), ("reason", str::SIGNATURE)])
    {
        arg(&mut text, name, signature, " direction=\"in\"");
    }
    for (name, signature) in [
        ("new_revision", u64::SIGNATURE),
        ("recorded", bool::SIGNATURE),
        ("report", str::SIGNATURE),
    ] {
        arg(&mut text, name, signature, " direction=\"out\"");
    }
    text + "    </method>\n"
}

/// The items for the keys of the dictionary that this command has; for `Import` those that it alone
/// has.
fn keys(method: &str) -> Vec<String> {
    let keys = match method {
        "New" => NewGame::DESCRIBED,
        "Set" => Corrections::DESCRIBED,
        "SetNames" => Names::DESCRIBED,
        "Import" => Proposal::DESCRIBED,
        _ => &[],
    };
    let of_others = NewGame::KEYS.into_iter().chain(Corrections::KEYS);
    let of_others: Vec<_> = of_others.filter(|_| method == "Import").collect();
    let own = keys.iter().filter(|(key, ..)| !of_others.contains(key));
    own.map(|(key, signature, comment)| {
        item(&format!("{key}, of type {signature}"), &one_line(comment))
    })
    .collect()
}

fn signals() -> String {
    let mut text = String::new();
    for ((name, arguments), (comment, comments)) in
        FurtherSignal::ALL.iter().zip(FurtherSignal::DESCRIBED)
    {
        let _ = writeln!(text, "    <!--\n      {name}:");
        for (argument, comment) in *comments {
            described(&mut text, argument, &one_line(comment));
        }
        let of_change =
            "#org.chessclock.Clock1:Sequence of this change, whose Transition is sent before.";
        described(&mut text, "sequence", of_change);
        write_all(&mut text, &paragraphs(comment));
        let _ = writeln!(text, "    -->\n    <signal name=\"{name}\">");
        for (argument, signature) in *arguments {
            arg(&mut text, argument, signature, "");
        }
        text.push_str("    </signal>\n");
    }
    text
}

fn state() -> String {
    let clock = State::DESCRIBED.iter().map(|(name, comment)| {
        let mut parts = paragraphs(comment);
        if *name == "Faults" {
            let codes = FaultCode::DESCRIBED.iter();
            parts.extend(
                codes.map(|(word, comment)| item(&format!("\"{word}\""), &one_line(comment))),
            );
        }
        property(name, &parts, State::PROPERTIES, None)
    });
    let sides = [("White", "Black"), ("Black", "White")];
    let sides = sides.into_iter().flat_map(|(side, opponent)| {
        State::OF_SIDE.iter().map(move |(name, comment)| {
            let parts = paragraphs(comment);
            let parts: Vec<_> = parts.iter().map(|part| of_side(part, side, opponent)).collect();
            property(&format!("{side}{name}"), &parts, State::PROPERTIES, None)
        })
    });
    clock.chain(sides).collect()
}

/// The text of a property of a side, for one of them.
fn of_side(text: &str, side: &str, opponent: &str) -> String {
    let mut text = text.replace("the opponent", opponent);
    for (name, _) in State::OF_SIDE {
        let reference = format!("#org.chessclock.Clock1:{side}{name}");
        text = text.replace(&format!("`{name}`"), &reference);
    }
    text.replace("The side", side).replace("the side", side)
}

fn health() -> String {
    let rows = HealthProperties::DESCRIBED.iter();
    rows.map(|(name, comment)| {
        property(name, &paragraphs(comment), HealthProperties::PROPERTIES, Some("false"))
    })
    .collect()
}

fn property(
    name: &str,
    parts: &[String],
    types: &[(&str, &Signature)],
    emits: Option<&str>,
) -> String {
    let (_, signature) = types.iter().find(|(listed, _)| *listed == name).unwrap();
    let mut text = format!("    <!--\n      {name}:\n");
    write_all(&mut text, parts);
    let tag =
        format!("    -->\n    <property name=\"{name}\" type=\"{signature}\" access=\"read\"");
    text.push_str(&tag);
    let Some(emits) = emits else { return text + "/>\n" };
    let _ = writeln!(
        text,
        ">\n      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"{emits}\"/>"
    );
    text + "    </property>\n"
}

fn described(text: &mut String, name: &str, comment: &str) {
    let _ = writeln!(text, "      @{name}: {}", references(comment));
}

fn arg(text: &mut String, name: &str, signature: &Signature, direction: &str) {
    let _ = writeln!(text, "      <arg name=\"{name}\" type=\"{signature}\"{direction}/>");
}

/// The description of an argument, followed by its words, if it names none.
fn listed(comment: &str, words: &[String]) -> String {
    let Some((last, others)) = words.split_last().filter(|_| !comment.contains('"')) else {
        return comment.to_owned();
    };
    let others: Vec<_> = others.iter().map(|word| format!("\"{word}\"")).collect();
    format!("{}: {} or \"{last}\".", comment.trim_end_matches('.'), others.join(", "))
}

/// An item of a list: a name, and the comment that describes it.
fn item(name: &str, comment: &str) -> String {
    let mut comment = comment.to_owned();
    let is_side = matches!(comment.split([' ', '\'']).next(), Some("White" | "Black"));
    if !is_side && comment.chars().nth(1).is_none_or(|second| !second.is_uppercase()) {
        comment[..1].make_ascii_lowercase();
    }
    format!("- {name}: {comment}")
}

fn one_line(comment: &[&str]) -> String {
    let [line] = &paragraphs(comment)[..] else { panic!("not one paragraph: {comment:?}") };
    line.clone()
}

/// The paragraphs and the items of lists of a comment, each on one line.
pub fn paragraphs(comment: &[&str]) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut continues = false;
    for line in comment.iter().map(|line| line.trim()) {
        match parts.last_mut() {
            _ if line.is_empty() => {}
            Some(part) if continues && !line.starts_with("- ") => {
                part.push(' ');
                part.push_str(line);
            }
            _ => parts.push(line.to_owned()),
        }
        continues = !line.is_empty();
    }
    parts
}

/// Writes paragraphs and items, with an empty line before each paragraph and each list.
fn write_all(text: &mut String, parts: &[String]) {
    let mut in_list = false;
    for part in parts {
        let is_item = part.starts_with("- ");
        if !(is_item && in_list) {
            text.push('\n');
        }
        in_list = is_item;
        let mut line = String::from("      ");
        for word in references(part).split(' ') {
            if !is_item && line.len() + word.len() > WIDTH {
                text.push_str(line.trim_end());
                text.push('\n');
                line.truncate(6);
            }
            line.push_str(word);
            line.push(' ');
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// The text with references in place of the names in backquotes.
fn references(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(index, part)| if index % 2 == 0 { part.to_owned() } else { reference(part) })
        .collect()
}

fn reference(name: &str) -> String {
    const CLOCK: &str = "org.chessclock.Clock1";
    let is_command = |method: &str| rows().iter().any(|row| row.method == method);
    match name.strip_suffix("()") {
        Some(method) if is_command(method) => format!("{CLOCK}.Arbiter.{name}"),
        Some(_) => format!("{CLOCK}.{name}"),
        None if name.starts_with(CLOCK) => format!("#{name}"),
        None if State::PROPERTIES.iter().any(|(property, _)| *property == name) => {
            format!("#{CLOCK}:{name}")
        }
        None if name.starts_with(':') => format!("#{CLOCK}:{name}"),
        None if name.contains(':') => format!("#{CLOCK}.{name}"),
        None => name.to_owned(),
    }
}
