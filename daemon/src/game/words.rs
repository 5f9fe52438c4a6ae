//! The words for the causes of changes.

use clockd_rt::Cause;

/// The word that the bus and the record use for this cause; `None` if an update with this cause
/// does not change the state.
pub fn cause(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::Press(_) => Some("press"),
        Cause::Flag { .. } => Some("flag"),
        Cause::Period { .. } => Some("period"),
        Cause::Overtime { .. } => Some("overtime"),
        Cause::Gong(_) => Some("gong"),
        Cause::SetBack => Some("set-back"),
        Cause::Call => Some("call"),
        Cause::Command(name) => Some(name),
        Cause::Fault
        | Cause::BoardGone { .. }
        | Cause::BoardBack
        | Cause::PressBeforeFlag(_)
        | Cause::Restarted => Some("fault"),
        Cause::GameNumber => Some("game-number"),
        Cause::Missed => Some("missed"),
        Cause::DefaultDue(_) => Some("default-due"),
        Cause::ScoreOff(_) => Some("score-off"),
        Cause::Hold(_) => Some("hold"),
        Cause::IgnoredPress(_) | Cause::Late(_) | Cause::Refused | Cause::Started => None,
    }
}
