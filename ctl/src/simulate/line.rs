//! One line of a script.
//!
//! A line becomes a [`ScriptEvent`]. Claims and rulings need a rule profile. Without a profile,
//! only their names are recognised, so that they are answered differently from unknown events.

mod fields;

use clock_dbus::commands::{Meaning, *};
use clock_dbus::{Given, with_commands};
use clock_engine::rules::{Action, Attachment, GameCommand, LatePlayers, ResultGround, Ruling};
use clock_engine::text::points;
use clock_engine::{Caller, Command, Control, Correction, Side, Word};
use fields::Fields;
use serde_json::Value;

/// A well-formed line: an instant and an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Nanoseconds of the script's own monotonic clock.
    pub at_ns: u64,
    /// The event at that instant.
    pub event: ScriptEvent,
}

/// The event that a line names, with its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum ScriptEvent {
    /// A press of a player's button.
    Press(Side),
    /// A command of the arbiter or of a player.
    Command(GameCommand),
    /// The time control is replaced.
    ChangeTimeControl {
        /// The time control from now on.
        control: Control,
        /// Whether the turns so far are played again with it. If it is `false`, the times stay.
        recompute: bool,
        /// Whether the schedule of the tournament would suffer without the change.
        schedule_suffers: bool,
    },
    /// An event that does not change the clock: `show`, or a note for the record.
    Show,
    /// A `stop`, `pause` or `record-confirmation` by somebody who is neither a player nor the arbiter. The
    /// rules refuse it.
    Bystander,
    /// A claim or a ruling, which only a rule profile can decide.
    NeedsProfile(&'static str),
}

/// Whether the script is played under a rule profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// There is a profile: claims and rulings are events, too.
    Present,
    /// There is no profile: claims and rulings are refused, whatever their fields are. An event
    /// that is only a note for the record does nothing, but its fields are checked.
    Absent,
}

/// Reads a line, or says what is wrong with it.
pub fn parse(line: &[u8], rules: Rules) -> Result<ScriptLine, String> {
    if line.trim_ascii().is_empty() {
        return Err("empty line; expected a JSON object".to_owned());
    }
    let mut fields = Fields::parse(line)?;
    let at_ns = fields.number("at_ns")?;
    let name = fields.text("event")?;
    let event = event(&name, rules, &mut fields)?;
    if !matches!(event, ScriptEvent::NeedsProfile(_) | ScriptEvent::Bystander) {
        fields.finish(&name)?;
    }
    Ok(ScriptLine { at_ns, event })
}

/// Names that earlier scripts have, and the names of the same commands on the bus and in the record.
const EARLIER_NAMES: [(&str, &str); 14] = [
    ("add-time", "add"),
    ("answer-offer", "rule"),
    ("assistant", "set-assistant"),
    ("attach", "record-attachment"),
    ("change-control", "change-time-control"),
    ("confirm", "record-confirmation"),
    ("continue", "resume-adjourned"),
    ("default-ruling", "rule"),
    ("give-default-ruling", "rule"),
    ("give-ruling", "rule"),
    ("give-stop-ruling", "rule"),
    ("offer-answer", "rule"),
    ("penalty", "penalize"),
    ("stop-ruling", "rule"),
];

/// The events of the clock, which need no rule profile.
const OF_THE_CLOCK: &str = "start, press, pause, resume, set-time, add, set-moves, set-period, undo-press, \
    stop, reopen, change-time-control, show";

fn event(name: &str, rules: Rules, fields: &mut Fields) -> Result<ScriptEvent, String> {
    let earlier = EARLIER_NAMES.iter().find(|(earlier, _)| *earlier == name);
    let name = earlier.map_or(name, |(_, now)| *now);
    // Claims are not handled here, because their actions can name a bystander as the claimant.
    if rules == Rules::Present
        && matches!(name, "stop" | "pause" | "record-confirmation")
        && fields.is_by_bystander()
    {
        return Ok(ScriptEvent::Bystander);
    }
    match NAMES.split(", ").find(|known| *known == name) {
        Some(name) if rules == Rules::Absent => return without_rules(name, fields),
        None if OF_THE_CLOCK.split(", ").all(|known| known != name) => {
            let (name, with_rules) = (name.escape_debug(), NAMES);
            return Err(format!("no event `{name}`; expected {OF_THE_CLOCK}, {with_rules}"));
        }
        _ => {}
    }
    let command = match name {
        "press" => return Ok(ScriptEvent::Press(fields.word("side")?)),
        "show" => return Ok(ScriptEvent::Show),
        "change-time-control" => {
            return Ok(ScriptEvent::ChangeTimeControl {
                control: fields.control()?,
                recompute: fields.flag("recompute")?,
                schedule_suffers: fields.flag("schedule_suffers")?,
            });
        }
        "stop" => Command::Pause { by: Caller::Player(fields.word("by")?) }.into(),
        "result" => {
            let outcome = fields.word("result")?;
            let ground = ResultGround::from_reason(&fields.words("reason")?);
            Action::Result { outcome, ground }.into()
        }
        "resume-adjourned" => Action::ResumeAdjourned.into(),
        _ => match given(name, fields)? {
            Some(command) => command,
            None => Command::Set(correction(name, fields)?).into(),
        },
    };
    Ok(ScriptEvent::Command(command))
}

/// Words of rulings that earlier scripts have, and the words now.
const EARLIER_WORDS: [(&str, &str); 5] = [
    ("accept", "draw-accepted"),
    ("accepted", "draw-accepted"),
    ("agree", "increment-agreed"),
    ("refuse", "increment-refused"),
    ("refused", "draw-refused"),
];

/// Reads a command whose arguments determine it. In earlier scripts a ruling is the field `decision`
/// or `answer`, and `lost` has the side of the loser.
fn given(name: &str, fields: &mut Fields) -> Result<Option<GameCommand>, String> {
    if name == "rule" {
        for earlier in ["decision", "answer"] {
            fields.rename(earlier, "ruling", &EARLIER_WORDS);
        }
    }
    let Some(mut given) = command(name, fields)? else { return Ok(None) };
    if let Given::Rule { ruling, side, .. } = &mut given
        && *ruling == Ruling::Lost
        && let Some(loser) = side.and_then(LatePlayers::side)
    {
        (*ruling, *side) = (Ruling::lost_by(loser), None);
    }
    match given.meaning() {
        Ok(Meaning::Determined(command)) => Ok(Some(command)),
        Ok(Meaning::ByService(_)) => Ok(None),
        Err(clock_dbus::Error::InvalidArgument(message)) => Err(of_fields(&message)),
        Err(error) => Err(error.to_string()),
    }
}

/// The correction of one side.
fn correction(name: &str, fields: &mut Fields) -> Result<Correction, String> {
    let side: Side = fields.word("side")?;
    // Without `..`, the compiler reports every new field that is not handled here.
    let Correction {
        mut time,
        mut moves,
        mut period,
        mut overtime_periods,
        mut overtime_moves,
        on_move, // scripts reach a side on move by presses
    } = Correction::default();
    match name {
        "set-time" => time[side] = Some(fields.span("time_ns")?),
        "set-moves" => moves[side] = Some(fields.counter("moves")?),
        _ => {
            period[side] = Some(fields.counter("period")?);
            overtime_periods[side] = fields.optional_counter("periods_left")?;
            overtime_moves[side] = fields.optional_counter("moves_left")?;
        }
    }
    Ok(Correction { time, moves, period, overtime_periods, overtime_moves, on_move })
}

/// Reads an event of [`NAMES`] in a game without a rule profile.
fn without_rules(name: &'static str, fields: &mut Fields) -> Result<ScriptEvent, String> {
    match name {
        "result" => {
            fields.optional_text("reason")?;
            return Ok(ScriptEvent::Command(Command::Finish(fields.word("result")?).into()));
        }
        "arrive" => {
            fields.word::<Side>("side")?;
        }
        "set-assistant" => {
            fields.word::<Side>("side")?;
            fields.yes_or_no("accepted")?;
        }
        "incident" => {
            fields.word::<Side>("side")?;
            fields.text("kind")?;
        }
        "record-attachment" => {
            fields.word::<Attachment>("kind")?;
            fields.text("text")?;
            fields.optional_text("verified_by")?;
        }
        _ => return Ok(ScriptEvent::NeedsProfile(name)),
    }
    Ok(ScriptEvent::Show)
}

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
        fn command(event: &str, fields: &mut Fields) -> Result<Option<Given>, String> {
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

/// Rewrites a message about an argument of a command. The message then has the name and the value of the
/// field in the script: `points` in place of `half_points`.
fn of_fields(message: &str) -> String {
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

#[cfg(test)]
mod tests;
