//! One line of a script.
//!
//! A line becomes a [`Step`]. Events of the script format that this version cannot play are recognised
//! by name, so that they are answered differently from unknown events.

use clock_engine::{Caller, Command, Correction, Outcome, Side, Span};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// A well-formed line: an instant and a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Nanoseconds of the script's own monotonic clock.
    pub at_ns: u64,
    /// The step at that instant.
    pub step: Step,
}

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "the engine's commands are as large; one lives at a time"
)]
pub enum Step {
    /// A press of a player's button.
    Press(Side),
    /// A command of the arbiter.
    Command(Command),
    /// An event that does not change the clock: it is shown, or a note for the record is made.
    Show,
    /// A claim or a ruling, which only a rule profile can decide.
    NeedsProfile(&'static str),
    /// An event of the script format that this version cannot play.
    NotYet(&'static str),
}

/// The events of claims and rulings, which are refused without a profile.
const PROFILE_EVENTS: [&str; 9] = [
    "claim-flag",
    "claim-draw",
    "request-increment",
    "offer-answer",
    "rule",
    "illegal-move",
    "stop-ruling",
    "default-ruling",
    "confirm",
];

/// The other events that come with later versions.
const LATER_EVENTS: [&str; 3] = ["penalty", "adjourn", "continue"];

/// Reads a line, or says what is wrong with it.
pub fn parse(line: &[u8]) -> Result<Line, String> {
    if line.trim_ascii().is_empty() {
        return Err("empty line; expected a JSON object".to_owned());
    }
    let mut fields =
        serde_json::from_slice(line).map(|Object(map)| Fields(map)).map_err(without_line_number)?;
    let at_ns = fields.number("at_ns")?;
    let event = fields.text("event")?;
    let step = step(&event, &mut fields)?;
    if !matches!(step, Step::NeedsProfile(_) | Step::NotYet(_)) {
        fields.finish(&event)?;
    }
    Ok(Line { at_ns, step })
}

fn step(event: &str, fields: &mut Fields) -> Result<Step, String> {
    let command = match event {
        "press" => return Ok(Step::Press(fields.side("side")?)),
        "show" => return Ok(Step::Show),
        "start" => Command::Start,
        "pause" => Command::Pause { by: fields.caller()? },
        "resume" => {
            Command::Resume { side: fields.has("side").then(|| fields.side("side")).transpose()? }
        }
        "set-time" => {
            let (side, time) = (fields.side("side")?, fields.number("time_ns")?);
            let mut correction = Correction::default();
            correction.time[side] = Some(Span::from_nanos(time));
            Command::Correct(correction)
        }
        "set-moves" => {
            let side = fields.side("side")?;
            let mut correction = Correction::default();
            correction.moves[side] = Some(fields.counter("moves")?);
            Command::Correct(correction)
        }
        "set-period" => {
            let side = fields.side("side")?;
            let mut correction = Correction::default();
            correction.period[side] = Some(fields.counter("period")?);
            correction.overtime_periods[side] = fields.optional_counter("periods_left")?;
            correction.overtime_moves[side] = fields.optional_counter("moves_left")?;
            Command::Correct(correction)
        }
        "add-time" => Command::AddTime {
            side: fields.side("side")?,
            delta_ns: fields.take("delta_ns", "an integer of nanoseconds", Value::as_i64)?,
        },
        "undo-press" => Command::UndoPress,
        "stop" => Command::Pause { by: Caller::Player(fields.side("by")?) },
        "reopen" => Command::Reopen,
        "result" => {
            fields.optional_text("reason")?;
            Command::Finish(fields.outcome()?)
        }
        other => return record_only(other, fields),
    };
    Ok(Step::Command(command))
}

/// Events that are only noted for the record and do not change the clock.
fn record_only(event: &str, fields: &mut Fields) -> Result<Step, String> {
    match event {
        "arrive" => {
            fields.side("side")?;
        }
        "assistant" => {
            fields.side("side")?;
            fields.take("accepted", "true or false", Value::as_bool)?;
        }
        "incident" => {
            fields.side("side")?;
            fields.text("kind")?;
        }
        "attach" => {
            fields.word("kind", &["position", "scoresheet", "details", "witness"])?;
            fields.text("text")?;
            fields.optional_text("verified_by")?;
        }
        other => return known_by_name(other),
    }
    Ok(Step::Show)
}

fn known_by_name(event: &str) -> Result<Step, String> {
    let find = |names: &[&'static str]| names.iter().copied().find(|name| *name == event);
    if let Some(name) = find(&PROFILE_EVENTS) {
        return Ok(Step::NeedsProfile(name));
    }
    find(&LATER_EVENTS).map(Step::NotYet).ok_or_else(|| {
        format!(
            "no event `{}`; expected start, press, pause, resume, set-time, add-time, set-moves, \
             set-period, undo-press, stop, arrive, assistant, \
             incident, attach, result, reopen or show",
            event.escape_debug()
        )
    })
}

/// The JSON parser's message without its line number, which is always 1.
fn without_line_number(error: serde_json::Error) -> String {
    let message = error.to_string();
    let column = error.column();
    match message.rsplit_once(" at line ") {
        Some((what, _)) if column > 0 => format!("{what} at column {column}"),
        Some((what, _)) => what.to_owned(),
        None => message,
    }
}

/// A JSON object in which every key occurs once. A repeated key is refused.
struct Object(Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object such as {\"at_ns\": 0, \"event\": \"show\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Object, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = pairs.next_entry::<String, Value>()? {
            if map.contains_key(&key) {
                let key = key.escape_debug();
                return Err(de::Error::custom(format_args!("`{key}` is given twice")));
            }
            map.insert(key, value);
        }
        Ok(Object(map))
    }
}

/// The fields of a line that have not been read yet.
struct Fields(Map<String, Value>);

impl Fields {
    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<T, String> {
        match self.0.remove(name) {
            Some(value) => read(&value)
                .ok_or_else(|| format!("`{name}` is {}; expected {expected}", truncated(&value))),
            None => Err(format!("`{name}` is missing; expected {expected}")),
        }
    }

    fn number(&mut self, name: &str) -> Result<u64, String> {
        self.take(name, "an integer of nanoseconds, 0 or more", Value::as_u64)
    }

    fn text(&mut self, name: &str) -> Result<String, String> {
        self.take(name, "a string", |value| value.as_str().map(str::to_owned))
    }

    /// A field that must be one of these words.
    fn word(&mut self, name: &str, words: &[&str]) -> Result<(), String> {
        let expected = format!("one of \"{}\"", words.join("\", \""));
        self.take(name, &expected, |value| {
            value.as_str().filter(|word| words.contains(word)).map(|_| ())
        })
    }

    fn optional_text(&mut self, name: &str) -> Result<Option<String>, String> {
        if self.has(name) { self.text(name).map(Some) } else { Ok(self.0.remove(name).and(None)) }
    }

    fn side(&mut self, name: &str) -> Result<Side, String> {
        self.take(name, "\"white\" or \"black\"", |value| match value.as_str()? {
            "white" => Some(Side::White),
            "black" => Some(Side::Black),
            _ => None,
        })
    }

    fn counter(&mut self, name: &str) -> Result<u32, String> {
        let expected = "an integer from 0 to 4294967295";
        self.take(name, expected, |value| value.as_u64().and_then(|n| u32::try_from(n).ok()))
    }

    fn optional_counter(&mut self, name: &str) -> Result<Option<u32>, String> {
        self.has(name).then(|| self.counter(name)).transpose()
    }

    fn caller(&mut self) -> Result<Caller, String> {
        if !self.has("by") {
            self.0.remove("by");
            return Ok(Caller::Arbiter);
        }
        self.take("by", "\"arbiter\", \"white\" or \"black\"", |value| match value.as_str()? {
            "arbiter" => Some(Caller::Arbiter),
            "white" => Some(Caller::Player(Side::White)),
            "black" => Some(Caller::Player(Side::Black)),
            _ => None,
        })
    }

    fn outcome(&mut self) -> Result<Outcome, String> {
        self.take("result", "\"1-0\", \"0-1\", \"1/2-1/2\" or \"0-0\"", |value| {
            Outcome::from_text(value.as_str()?)
        })
    }

    /// Refuses fields that do not belong to the event.
    fn finish(&self, event: &str) -> Result<(), String> {
        match self.0.iter().find(|(_, value)| !value.is_null()) {
            Some((name, _)) => {
                Err(format!("`{}` does not belong to the event {event}", name.escape_debug()))
            }
            None => Ok(()),
        }
    }
}

/// A value as it was given, cut to 40 characters.
fn truncated(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 {
        return text;
    }
    text.chars().take(40).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
