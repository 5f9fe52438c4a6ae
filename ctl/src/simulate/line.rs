//! One line of a script.
//!
//! A line becomes a [`ScriptEvent`]. Claims and rulings need a rule profile. Without a profile,
//! only their names are recognised, so that they are answered differently from unknown events.

mod actions;
mod fields;

use clock_dbus::Given;
use clock_dbus::commands::Meaning;
use clock_engine::rules::{Action, Attachment, GameCommand, LatePlayers, ResultGround, Ruling};
use clock_engine::{Caller, Command, Control, Correction, Side};
use fields::Fields;

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
    match actions::NAMES.split(", ").find(|known| *known == name) {
        Some(name) if rules == Rules::Absent => return without_rules(name, fields),
        None if OF_THE_CLOCK.split(", ").all(|known| known != name) => {
            let (name, with_rules) = (name.escape_debug(), actions::NAMES);
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
    let Some(mut given) = actions::command(name, fields)? else { return Ok(None) };
    if let Given::Rule { ruling, side, .. } = &mut given
        && *ruling == Ruling::Lost
        && let Some(loser) = side.and_then(LatePlayers::side)
    {
        (*ruling, *side) = (Ruling::lost_by(loser), None);
    }
    match given.meaning() {
        Ok(Meaning::Determined(command)) => Ok(Some(command)),
        Ok(Meaning::ByService(_)) => Ok(None),
        Err(clock_dbus::Error::InvalidArgument(message)) => Err(actions::of_fields(&message)),
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

/// Reads an event of [`actions::NAMES`] in a game without a rule profile.
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

#[cfg(test)]
mod tests;
