//! One line of a script.
//!
//! A line becomes a [`ScriptEvent`]. Claims and rulings need a rule profile. Without a profile,
//! only their names are recognised, so that they are answered differently from unknown events.

mod actions;
mod fields;

use clock_engine::rules::{Action, Attachment};
use clock_engine::{Caller, Command, Control, Correction, Side};
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
pub enum ScriptEvent {
    /// A press of a player's button.
    Press(Side),
    /// A command of the arbiter.
    Command(Command),
    /// An action under the rule profile.
    Action(Action),
    /// The time control is replaced.
    ChangeControl {
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
const EARLIER_NAMES: [(&str, &str); 10] = [
    ("add-time", "add"),
    ("assistant", "set-assistant"),
    ("attach", "record-attachment"),
    ("change-control", "change-time-control"),
    ("confirm", "record-confirmation"),
    ("continue", "resume-adjourned"),
    ("default-ruling", "rule"),
    ("offer-answer", "rule"),
    ("penalty", "penalize"),
    ("stop-ruling", "rule"),
];

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
    if let Some(event) = of_the_clock(name, fields)? {
        return Ok(event);
    }
    let found = match rules {
        Rules::Present => actions::action(name, fields)?.map(ScriptEvent::Action),
        Rules::Absent => without_rules(name, fields)?,
    };
    found.ok_or_else(|| {
        format!(
            "no event `{}`; expected start, press, pause, resume, set-time, add, set-moves, \
             set-period, undo-press, stop, reopen, change-time-control, show, {}",
            name.escape_debug(),
            actions::NAMES.join(", ")
        )
    })
}

/// An event that is the same with and without a rule profile.
fn of_the_clock(name: &str, fields: &mut Fields) -> Result<Option<ScriptEvent>, String> {
    let command = match name {
        "press" => return Ok(Some(ScriptEvent::Press(fields.word("side")?))),
        "show" => return Ok(Some(ScriptEvent::Show)),
        "change-time-control" => {
            return Ok(Some(ScriptEvent::ChangeControl {
                control: fields.control()?,
                recompute: fields.flag("recompute")?,
                schedule_suffers: fields.flag("schedule_suffers")?,
            }));
        }
        "start" => Command::Start,
        "pause" => {
            Command::Pause { by: fields.optional("by", Fields::word)?.unwrap_or(Caller::Arbiter) }
        }
        "resume" => Command::Resume { side: fields.optional("side", Fields::word)? },
        "set-time" | "set-moves" | "set-period" => Command::Correct(correction(name, fields)?),
        "add" => Command::AddTime {
            side: fields.word("side")?,
            delta_ns: fields.take("delta_ns", "an integer of nanoseconds", Value::as_i64)?,
        },
        "undo-press" => Command::UndoPress,
        "stop" => Command::Pause { by: Caller::Player(fields.word("by")?) },
        "reopen" => Command::Reopen,
        _ => return Ok(None),
    };
    Ok(Some(ScriptEvent::Command(command)))
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

/// Reads the events that [`of_the_clock`] does not read, in a game without a rule profile.
fn without_rules(name: &str, fields: &mut Fields) -> Result<Option<ScriptEvent>, String> {
    match name {
        "result" => {
            fields.optional_text("reason")?;
            return Ok(Some(ScriptEvent::Command(Command::Finish(fields.word("result")?))));
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
        other => {
            let name = actions::NAMES.iter().copied().find(|name| *name == other);
            return Ok(name.map(ScriptEvent::NeedsProfile));
        }
    }
    Ok(Some(ScriptEvent::Show))
}

#[cfg(test)]
mod tests;
