//! The line about the game as a whole: faults, a call to the arbiter, where the game stands.

use clock_dbus::{FaultCode, Phase, State, Who, one_line};

/// The line about the game as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The same line from the longest text to the shortest. The first that fits is shown.
    pub texts: Vec<String>,
    pub urgency: Urgency,
    /// The most serious fault for the players, in one or two words, for a display without room for
    /// this line.
    pub fault: Option<&'static str>,
}

/// How much the line has to stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    Normal,
    /// Both clocks stand, or the arbiter was called. It must be visible from far away.
    Notice,
    /// The players' equipment has a fault.
    Fault,
}

/// One part of the line: the full text and a text of one or two words.
struct Phrase {
    long: String,
    short: String,
}

impl Phrase {
    fn new(long: impl Into<String>, short: impl Into<String>) -> Phrase {
        Phrase { long: long.into(), short: short.into() }
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
        let fault = fault.map(|(long, short)| Phrase::new(long, short));
        Status { texts: texts(fault, call, phase), urgency, fault: short }
    }
}

/// From the longest text to the shortest: everything in full; the phase in a word; without the phase;
/// the most important part alone.
fn texts(fault: Option<Phrase>, call: Option<Phrase>, phase: Phrase) -> Vec<String> {
    let before: Vec<Phrase> = fault.into_iter().chain(call).collect();
    let longs: Vec<&str> = before.iter().map(|phrase| phrase.long.as_str()).collect();
    let shorts: Vec<&str> = before.iter().map(|phrase| phrase.short.as_str()).collect();
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

/// The most serious fault of the equipment that the players press. The other faults concern only the
/// arbiter, who reads them in `clockctl status`. No text prompts about moves (FIDE 12.6).
fn fault(state: &State) -> Option<(&'static str, &'static str)> {
    state.faults.iter().filter_map(|fault| fault.known()).min().and_then(|code| match code {
        FaultCode::BoardGone => Some(("BUTTONS NOT CONNECTED", "NO BUTTONS")),
        FaultCode::StuckWhite => Some(("WHITE'S BUTTON IS STUCK", "W STUCK")),
        FaultCode::StuckBlack => Some(("BLACK'S BUTTON IS STUCK", "B STUCK")),
        FaultCode::StuckCall => Some(("THE CALL BUTTON IS STUCK", "CALL STUCK")),
        FaultCode::RockerCrossed => Some(("THE ROCKER'S WIRING IS WRONG", "BAD ROCKER")),
        FaultCode::PressBeforeFlag
        | FaultCode::LatePress
        | FaultCode::ClockRate
        | FaultCode::EdgesDropped
        | FaultCode::Noise
        | FaultCode::UpdatesLost
        | FaultCode::NoRealtime => None,
    })
}

fn called(state: &State) -> Option<Phrase> {
    let long = match state.arbiter_called_by {
        Who::Nobody => return None,
        Who::White => "ARBITER CALLED (White)",
        Who::Black => "ARBITER CALLED (Black)",
        Who::Arbiter | Who::Button => "ARBITER CALLED",
    };
    Some(Phrase::new(long, "ARBITER"))
}

fn phase(state: &State) -> Phrase {
    match state.phase {
        Phase::Running => {
            let control = one_line(&state.time_control);
            Phrase::new(control.clone(), control)
        }
        Phase::Ready => Phrase::new(
            "READY - White's clock starts when Black presses or the arbiter starts",
            "READY",
        ),
        Phase::Paused => Phrase::new("PAUSED", "PAUSED"),
        Phase::Ruling => Phrase::new("AWAITING A RULING", "AWAITING"),
        Phase::Over => {
            let result = one_line(&state.result);
            Phrase::new(format!("RESULT {result}"), result)
        }
    }
}
