//! The events that are commands. A command whose arguments determine it has a field for each of them;
//! its row in the table of commands says which.

use super::fields::Fields;
use clock_dbus::commands::*;
use clock_dbus::{Given, with_commands};
use clock_engine::Word;
use clock_engine::text::points;
use serde_json::Value;

/// The events that are commands under a rule profile.
pub const NAMES: &str = "claim-flag, claim-draw, request-increment, rule, illegal-move, penalize, arrive, \
    record-confirmation, record-attachment, refer, set-assistant, incident, adjourn, resume-adjourned, \
    change-method, result";

macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $method:ident $name:literal $function:ident($(
            $(#[$arg_doc:meta])* $arg:ident: $type:ty,
        )*) $(= $made:expr)?;
    )+) => {
        /// Reads the command of this event; `None` if its arguments alone do not determine it.
        pub fn command(event: &str, fields: &mut Fields) -> Result<Option<Given>, String> {
            $( command!(event fields $name $method ($($arg: $type),*) $(= $made)?); )+
            Ok(None)
        }
    };
}
macro_rules! command {
    (
        $event:ident $fields:ident $name:literal $method:ident ($($arg:ident: $type:ty),*) = $made:expr
    ) => {
        if $event == $name {
            return Ok(Some(Given::$method {
                $($arg: <$type as Field>::read($fields, &name(stringify!($arg)))?),*
            }));
        }
    };
    ($($row:tt)*) => {};
}
with_commands!(commands);

/// The name of the field for an argument with this name.
fn name(argument: &str) -> String {
    match argument {
        "half_points" => "points".to_owned(),
        "sealed_move" => "move".to_owned(),
        _ => argument.replace("_nsec", "_ns"),
    }
}

/// Replaces the name and the value of an argument at the beginning of a message by those of the
/// field of a script.
pub fn of_fields(message: &str) -> String {
    let number = message.strip_prefix("half_points = ").and_then(|rest| rest.split_once(' '));
    match number.and_then(|(number, rest)| Some((number.parse().ok()?, rest))) {
        Some((half_points, rest)) => format!("points = \"{}\" {rest}", points(half_points)),
        None => message.replace("_nsec", "_ns"),
    }
}

/// The type of an argument, as a field.
trait Field: Sized {
    fn read(fields: &mut Fields, name: &str) -> Result<Self, String>;
}

macro_rules! words {
    ($($type:ident),+) => { $(
        impl Field for $type {
            fn read(fields: &mut Fields, name: &str) -> Result<$type, String> {
                fields.word(name)
            }
        }
    )+ };
}
words!(Attachment, Ground, IncidentKind, Method, PenaltyKind, Ruling, Side);

impl<T: Word> Field for Option<T> {
    fn read(fields: &mut Fields, name: &str) -> Result<Option<T>, String> {
        match name {
            // A script has no draw offer before a claim.
            "offer" => Ok(None),
            _ => fields.optional(name, Fields::word),
        }
    }
}

impl Field for Evidence {
    fn read(fields: &mut Fields, name: &str) -> Result<Evidence, String> {
        Ok(fields.optional(name, Fields::word)?.unwrap_or(Evidence::Flag))
    }
}

impl Field for Claimant {
    fn read(fields: &mut Fields, _: &str) -> Result<Claimant, String> {
        fields.claimant()
    }
}

impl Field for bool {
    fn read(fields: &mut Fields, name: &str) -> Result<bool, String> {
        match name {
            "accepted" | "exchanged" => fields.yes_or_no(name),
            _ => Ok(fields.optional(name, Fields::yes_or_no)?.unwrap_or(name == "stop")),
        }
    }
}

impl Field for Span {
    fn read(fields: &mut Fields, name: &str) -> Result<Span, String> {
        Ok(fields.optional(name, Fields::span)?.unwrap_or(Span::ZERO))
    }
}

impl Field for OrMinus1<Option<Span>> {
    fn read(fields: &mut Fields, name: &str) -> Result<Self, String> {
        fields.optional(name, Fields::span).map(OrMinus1)
    }
}

impl Field for NotZero {
    fn read(fields: &mut Fields, name: &str) -> Result<NotZero, String> {
        fields.take(name, "an integer of nanoseconds", Value::as_i64).map(NotZero)
    }
}

impl Field for u32 {
    fn read(fields: &mut Fields, name: &str) -> Result<u32, String> {
        match name {
            // The argument is in half points.
            "points" => Ok(fields.optional(name, Fields::half_points)?.unwrap_or(0)),
            _ => fields.counter(name),
        }
    }
}

impl<const LIMIT: usize> Field for Text<LIMIT> {
    fn read(fields: &mut Fields, name: &str) -> Result<Self, String> {
        if name != "move" {
            return fields.words(name).map(Text);
        }
        let number_or_text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
            _ => value.as_u64().map(|number| number.to_string()),
        };
        fields.take(name, "a number or a text", number_or_text).map(Text)
    }
}
