//! The line about the game as a whole: faults, a call to the arbiter, where the game stands.

use clock_dbus::{FaultCode, Phase, State, Who, one_line};

/// The line about the game as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The same thing said ever shorter; the first that fits is shown.
    pub texts: Vec<String>,
    pub urgency: Urgency,
    /// The most serious fault for the players in a word or two, for where no line is left.
    pub fault: Option<&'static str>,
}

/// How much the line has to stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    Normal,
    /// Both clocks stand, or the arbiter was called: to be seen from afar.
    Notice,
    /// Something is wrong with the equipment in the players' hands.
    Fault,
}

/// One thing to say, in full and in a word or two.
struct Words {
    long: String,
    short: String,
}

impl Words {
    fn new(long: impl Into<String>, short: impl Into<String>) -> Words {
        Words { long: long.into(), short: short.into() }
    }
}

impl Status {
    pub(super) fn of(state: &State) -> Status {
        let fault = fault(state);
        let call = called(state);
        let phase = phase(state);
        let urgency = match (&fault, &call, state.phase) {
            (Some(_), _, _) => Urgency::Fault,
            (None, None, Phase::Running | Phase::Ready) => Urgency::Normal,
            (None, _, _) => Urgency::Notice,
        };
        let short = fault.map(|(_, short)| short);
        let fault = fault.map(|(long, short)| Words::new(long, short));
        Status { texts: texts(fault, call, phase), urgency, fault: short }
    }
}

/// Everything in full; then the game in a word; then without the game; then only the first thing.
fn texts(fault: Option<Words>, call: Option<Words>, phase: Words) -> Vec<String> {
    let before: Vec<Words> = fault.into_iter().chain(call).collect();
    let longs: Vec<&str> = before.iter().map(|words| words.long.as_str()).collect();
    let shorts: Vec<&str> = before.iter().map(|words| words.short.as_str()).collect();
    let join = |first: &[&str], last: &str| [first, &[last]].concat().join(" - ");
    let mut texts = vec![join(&longs, &phase.long), join(&longs, &phase.short)];
    match before.first() {
        None => texts.extend(phase.short.split(' ').next().map(str::to_owned)),
        Some(first) => texts.extend([
            longs.join(" - "),
            shorts.join(" - "),
            first.long.clone(),
            first.short.clone(),
        ]),
    }
    texts
}

/// The most serious fault that concerns the players: one of the equipment they press. All others
/// are the arbiter's, who has them from `clockctl status`. No word prompts about moves (FIDE 12.6).
fn fault(state: &State) -> Option<(&'static str, &'static str)> {
    state.faults.iter().filter_map(|fault| fault.known()).min().and_then(|code| match code {
        FaultCode::BoardGone => Some(("BUTTONS NOT CONNECTED", "NO BUTTONS")),
        FaultCode::StuckWhite => Some(("WHITE'S BUTTON IS STUCK", "W STUCK")),
        FaultCode::StuckBlack => Some(("BLACK'S BUTTON IS STUCK", "B STUCK")),
        FaultCode::StuckCall => Some(("THE CALL BUTTON IS STUCK", "CALL STUCK")),
        FaultCode::RockerCrossed => Some(("THE ROCKER'S WIRING IS WRONG", "BAD ROCKER")),
        FaultCode::LatePress
        | FaultCode::EdgesDropped
        | FaultCode::Noise
        | FaultCode::UpdatesLost
        | FaultCode::NoRealtime => None,
    })
}

fn called(state: &State) -> Option<Words> {
    let long = match state.arbiter_called_by {
        Who::Nobody => return None,
        Who::White => "ARBITER CALLED (White)",
        Who::Black => "ARBITER CALLED (Black)",
        Who::Arbiter | Who::Button => "ARBITER CALLED",
    };
    Some(Words::new(long, "ARBITER"))
}

fn phase(state: &State) -> Words {
    match state.phase {
        Phase::Running => {
            let control = one_line(&state.time_control);
            Words::new(control.clone(), control)
        }
        Phase::Ready => Words::new(
            "READY - White's clock starts when Black presses or the arbiter starts",
            "READY",
        ),
        Phase::Paused => Words::new("PAUSED", "PAUSED"),
        Phase::Ruling => Words::new("AWAITING A RULING", "AWAITING"),
        Phase::Over => {
            let result = one_line(&state.result);
            Words::new(format!("RESULT {result}"), result)
        }
    }
}
