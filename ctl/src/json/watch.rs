//! The lines of `clockctl watch --json`. `docs/schemas/watch.schema.json` describes them.

use clock_dbus::{INSTANTS, State};
use serde::Serialize;
use serde_json::{Map, Value};

/// The version of the format of a line. It is raised by a change after which a reader of the earlier
/// version can no longer read the lines. A new key alone does not raise it.
const FORMAT: u32 = 1;

/// The kind of a line that has a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WatchKind {
    /// The state that was read at the start or that a change has made; if there is no clock service,
    /// the last known state.
    State,
    /// The latest state again. It says that the clock service has just answered a call.
    Heartbeat,
}

/// One line of `watch`.
#[derive(Debug, Serialize)]
pub struct WatchJson<'a> {
    format: u32,
    pub kind: WatchKind,
    /// Whether this is only the last known state, because there is no clock service.
    pub stale: bool,
    /// The cause of the latest change; `now` if the state was read.
    pub cause: &'a str,
    /// The name of the machine; `None` if the service runs on another machine than `clockctl`.
    pub machine: Option<&'a str>,
    pub boot_id: &'a str,
    /// The instant at which the line was sent, on CLOCK_MONOTONIC of the service's machine.
    sent_ns: String,
    /// The same instant on CLOCK_REALTIME of that machine.
    sent_realtime_ns: String,
    /// The instant `at_ns` on CLOCK_REALTIME of that machine.
    at_realtime_ns: String,
    #[serde(flatten)]
    state: Map<String, Value>,
}

/// The instant at which a line is sent: on CLOCK_MONOTONIC and on CLOCK_REALTIME of the service's
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub monotonic_nsec: u64,
    pub realtime_nsec: u64,
}

/// The type of [`NO_STATE_YET`].
#[derive(Debug, Serialize)]
pub struct NoStateJson {
    format: u32,
    kind: &'static str,
    stale: bool,
}

/// The line that is printed if there has been no clock service since `watch` was started.
pub const NO_STATE_YET: NoStateJson = NoStateJson { format: FORMAT, kind: "nothing", stale: true };

impl<'a> WatchJson<'a> {
    /// A line of the kind `state` that is not stale. The machine is not known.
    pub fn new(state: &State, cause: &'a str, boot_id: &'a str, sent: Sent) -> Self {
        let since = sent.monotonic_nsec.saturating_sub(state.at_nsec);
        WatchJson {
            format: FORMAT,
            kind: WatchKind::State,
            stale: false,
            cause,
            machine: None,
            boot_id,
            sent_ns: sent.monotonic_nsec.to_string(),
            sent_realtime_ns: sent.realtime_nsec.to_string(),
            at_realtime_ns: sent.realtime_nsec.saturating_sub(since).to_string(),
            state: with_instants_as_texts(state),
        }
    }
}

/// The keys and values of a state. Its instants are texts, because a number of JavaScript is exact
/// only up to 2^53. In nanoseconds that is 104 days, and instants of the wall clock are much larger. A
/// span is at most 2000 hours (an hourglass with the times of both sides), so it is a number.
fn with_instants_as_texts(state: &State) -> Map<String, Value> {
    let Ok(Value::Object(mut object)) = serde_json::to_value(state) else {
        unreachable!("a structure with string keys turns into an object")
    };
    write_instants(&mut object);
    object
}

fn write_instants(object: &mut Map<String, Value>) {
    for (key, value) in object {
        match value {
            Value::Number(instant) if INSTANTS.contains(&key.as_str()) => {
                *value = Value::String(instant.to_string());
            }
            Value::Object(object) => write_instants(object),
            Value::Array(items) => {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(write_instants);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Question, QuestionKind, QuestionProgress, SideState, State, Who};
    use serde_json::json;

    use super::{Sent, WatchJson};

    /// Instants beyond 2^53 keep each of their digits.
    #[test]
    fn instants_are_texts_and_spans_are_numbers() {
        let at_nsec = 9_007_199_254_740_993;
        let question = Question {
            kind: Some(QuestionKind::MovesMade),
            side: Who::White,
            since_nsec: at_nsec - 1,
            progress: QuestionProgress::Nothing,
            answers: Vec::new(),
        };
        let state = State {
            at_nsec,
            white: SideState {
                flag_nsec: Some(at_nsec - 2),
                remaining_nsec: 5,
                ..SideState::default()
            },
            start_at_realtime_nsec: Some(1_795_375_800_000_000_001),
            questions: vec![question],
            ..State::default()
        };
        let sent = Sent { monotonic_nsec: at_nsec + 3, realtime_nsec: 1_795_375_800_000_000_007 };
        let line = serde_json::to_value(WatchJson::new(&state, "press", "boot", sent)).unwrap();
        let instants = [
            (&line["at_ns"], "9007199254740993"),
            (&line["sent_ns"], "9007199254740996"),
            (&line["sent_realtime_ns"], "1795375800000000007"),
            (&line["at_realtime_ns"], "1795375800000000004"),
            (&line["white"]["flag_ns"], "9007199254740991"),
            (&line["start_at_realtime_ns"], "1795375800000000001"),
            (&line["questions"][0]["since_ns"], "9007199254740992"),
        ];
        for (value, digits) in instants {
            assert_eq!(*value, digits, "{line}");
        }
        assert_eq!((&line["white"]["remaining_ns"], &line["format"]), (&json!(5), &json!(1)));
    }
}
