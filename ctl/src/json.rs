//! The JSON objects that `clockctl --json` prints.
//!
//! Scripts depend on the names of the keys. The keys of a state are those of [`State`].

mod watch;

use clock_dbus::{SideState, State};
use serde::Serialize;

pub use watch::{NO_STATE_YET, Sent, WatchJson, WatchKind};

/// The answer to a command: the state after the command, whether the command is on record, what it
/// did, and both sides before it.
#[derive(Debug, Serialize)]
pub struct CommandJson {
    #[serde(flatten)]
    pub state: State,
    /// Whether the command is on record. If not, it was carried out all the same.
    pub recorded: bool,
    /// What the command did, in words.
    pub done: String,
    /// Both sides right before the command.
    pub before: SidesJson,
    /// Whether this is what the command would do, and nothing was done. Left out otherwise.
    #[serde(rename = "dry_run", skip_serializing_if = "is_false")]
    pub is_dry_run: bool,
    /// Whether the clock was as wanted before, so that no command was sent. Left out otherwise.
    #[serde(rename = "already", skip_serializing_if = "is_false")]
    pub is_already: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Both sides of a clock.
#[derive(Debug, Serialize)]
pub struct SidesJson {
    pub white: SideState,
    pub black: SideState,
}

impl CommandJson {
    /// The states before and after a command that did `done`.
    pub fn new(before: &State, after: &State, recorded: bool, done: String) -> CommandJson {
        let before = SidesJson { white: before.white.clone(), black: before.black.clone() };
        CommandJson {
            state: after.clone(),
            recorded,
            done,
            before,
            is_dry_run: false,
            is_already: false,
        }
    }
}

/// The answer to `new`: the state of the new game, and the options that were not given.
#[derive(Debug, Serialize)]
pub struct NewGameJson {
    #[serde(flatten)]
    pub command: CommandJson,
    /// The options that were not given: some of `control`, `rules`, `event` and `board`, and `buttons` if
    /// they stay exchanged. Their values are those of the game before; that of `board` can also come from
    /// the configuration.
    pub as_before: Vec<&'static str>,
    /// The options that were given for the game before and not for this one: `white`, `black`, `round`,
    /// `captain-plays`, `present-arbiter`. They hold for one game.
    pub dropped: Vec<&'static str>,
}

/// The output of a command that failed.
#[derive(Debug, Serialize)]
pub struct FailureJson<'a> {
    pub error: FailureBody<'a>,
}

/// What went wrong: a code for scripts, a message for people, and the exit code.
#[derive(Debug, Serialize)]
pub struct FailureBody<'a> {
    pub code: &'a str,
    pub message: &'a str,
    pub exit: u8,
}

/// The state of the clock of a simulated game at one instant.
#[derive(Debug, Serialize)]
pub struct StateJson {
    pub at_ns: u64,
    pub phase: &'static str,
    pub running: Option<&'static str>,
    pub white: SideState,
    pub black: SideState,
    pub first_flag: Option<&'static str>,
    pub error: Option<RefusalJson>,
    pub events: Vec<EventJson>,
    /// Only a simulated game under a rule profile has the keys of [`RulesJson`].
    #[serde(flatten)]
    pub rules: Option<RulesJson>,
}

/// What a rule profile adds to [`StateJson`].
#[derive(Debug, Serialize)]
pub struct RulesJson {
    pub result: Option<&'static str>,
    pub claim: Option<ClaimJson>,
    /// The most urgent question that awaits an answer.
    pub question: Option<&'static str>,
}

/// The open draw claim.
#[derive(Debug, Serialize)]
pub struct ClaimJson {
    pub by: &'static str,
    pub ground: &'static str,
    pub state: &'static str,
}

/// Why an event of a simulated game was refused.
#[derive(Debug, Serialize)]
pub struct RefusalJson {
    pub code: &'static str,
    /// The clause that forbids the event, with the title of its source.
    pub clause: Option<String>,
    pub message: String,
    /// The number of the script's line that is malformed. The key is absent if the line is well
    /// formed and its event was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

clock_dbus::json_keys! {
    /// One event of a simulated game. Which keys it has depends on its kind: docs/simulate.md
    /// describes them.
    #[derive(Debug, Default, Serialize)]
    EventJson {
        at_ns: u64, kind: &'static str;
        side: &'static str,
        by: &'static str,
        period: u32,
        accepted: bool,
        ground: &'static str,
        ruling: &'static str,
        number: u32,
        penalty: &'static str,
        time_ns: u64,
        points: String,
        cause: &'static str,
    }
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Fault, FaultCode, Method, PausedBy, Phase, SideState, State, Who};
    use serde_json::{Value, json};

    fn running() -> State {
        State {
            revision: 7,
            sequence: 31,
            at_nsec: 5_000_000_000,
            phase: Phase::Running,
            on_move: Who::Black,
            running: Who::Black,
            first_flag: Who::White,
            arbiter_called_by: Who::Arbiter,
            time_control: "rapid".to_owned(),
            periods: 2,
            white: SideState {
                remaining_nsec: 0,
                method: Method::Increment,
                method_nsec: 5_000_000_000,
                moves: 12,
                period: 1,
                flag_nsec: Some(4_999_999_999),
                out_of_time: true,
                overrun_nsec: 1,
                overtime_periods: Some(0),
                overtime_moves: Some(3),
                player: "A \"B\"".to_owned(),
                ..SideState::default()
            },
            black: SideState {
                remaining_nsec: u64::MAX,
                delay_nsec: 3,
                low_nsec: 8,
                moves: 11,
                period: 2,
                flag_nsec: None,
                owed_nsec: 7,
                ..SideState::default()
            },
            board: "12".to_owned(),
            result: "1-0".to_owned(),
            paused_by: PausedBy::BoardGone,
            faults: vec![
                Fault::new(FaultCode::BoardGone, "check the \"cable\""),
                Fault::new(FaultCode::NoRealtime, "slow"),
            ],
            ..State::default()
        }
    }

    /// The schemas and tests/promises.txt have all keys.
    #[test]
    fn a_value_that_is_absent_is_null_and_others_have_all_their_digits() {
        let state = serde_json::to_value(running()).unwrap();
        for (key, value) in [
            ("/sequence", json!(31)),
            ("/at_ns", json!(5_000_000_000_u64)),
            ("/phase", json!("running")),
            ("/first_flag", json!("white")),
            ("/paused_by", json!("board-gone")),
            ("/announcement", Value::Null),
            ("/faults/0", json!({"code": "board-gone", "text": "check the \"cable\""})),
            ("/control", json!("rapid")),
            ("/claim_state", Value::Null),
            ("/start_at_realtime_ns", Value::Null),
            ("/questions", json!([])),
            ("/white/flag_ns", json!(4_999_999_999_u64)),
            ("/white/overtime_periods", json!(0)),
            ("/white/player", json!("A \"B\"")),
            ("/black/remaining_ns", json!(u64::MAX)),
            ("/black/method", json!("none")),
            ("/black/flag_ns", Value::Null),
            ("/black/overtime_periods", Value::Null),
            ("/black/player", json!("")),
        ] {
            assert_eq!(state.pointer(key), Some(&value), "{key}");
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        for state in [running(), State::default()] {
            let line = serde_json::to_string(&state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&line).unwrap(), state, "{line}");
        }
    }
}
