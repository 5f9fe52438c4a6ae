//! The JSON objects that `clockctl --json` prints.
//!
//! Scripts depend on the names of the keys and on their order. The order of the fields here is the
//! order in the output.

mod questions;

use clock_dbus::{ClaimState, Fault, OvertimeLeft, PausedBy, SideState, State, Who};
use serde::Serialize;

pub use questions::{AnswerJson, QuestionJson};

/// The clock at one instant: of the service, or of a simulated game.
#[derive(Debug, Serialize)]
pub struct StateJson {
    pub at_ns: u64,
    pub phase: &'static str,
    pub running: Option<&'static str>,
    pub white: SideJson,
    pub black: SideJson,
    pub first_flag: Option<&'static str>,
    pub error: Option<RefusalJson>,
    pub events: Vec<EventJson>,
    /// Only in a simulated game under a rule profile.
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

/// One side of [`StateJson`].
#[derive(Debug, Serialize)]
pub struct SideJson {
    pub remaining_ns: u64,
    pub delay_ns: u64,
    pub moves: u32,
    pub period: u32,
    pub flag_ns: Option<u64>,
    pub overrun_ns: u64,
    pub overtime: Option<OvertimeJson>,
    pub owed_ns: u64,
}

/// What is left of a side's overtime.
#[derive(Debug, Serialize)]
pub struct OvertimeJson {
    pub periods_left: u32,
    pub moves_left: u32,
}

/// Why an event of a simulated game was refused.
#[derive(Debug, Serialize)]
pub struct RefusalJson {
    pub code: &'static str,
    pub clause: Option<&'static str>,
    pub message: String,
    /// The number of the script's line, if the line itself is malformed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// One event of a simulated game. Which keys it has depends on its kind.
#[derive(Debug, Default, Serialize)]
pub struct EventJson {
    pub at_ns: u64,
    pub kind: &'static str,
    /// The side that it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    /// Who called or claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// The ground of a draw claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// The number of the player's illegal moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The kind of a penalty, and its time or its points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<&'static str>,
}

impl EventJson {
    /// An event of this kind without further data.
    pub fn new(kind: &'static str) -> EventJson {
        EventJson { kind, ..EventJson::default() }
    }
}

/// What the clock service knows beyond [`StateJson`].
#[derive(Debug, Serialize)]
pub struct StatusJson {
    #[serde(flatten)]
    pub state: StateJson,
    pub on_move: Option<&'static str>,
    pub revision: u64,
    /// The number of this state, which counts every published change.
    pub sequence: u64,
    pub control: String,
    /// None if the last period repeats without end.
    pub periods: Option<u32>,
    pub players: PlayersJson,
    pub result: Option<String>,
    pub arbiter_called_by: Option<&'static str>,
    pub counting: &'static str,
    pub limit_ns: LimitJson,
    pub out_of_time: OutOfTimeJson,
    /// None in every phase but `paused`.
    pub paused_by: Option<&'static str>,
    pub faults: Vec<FaultJson>,
    pub rules: Option<String>,
    pub claim: Option<OpenClaimJson>,
    /// The side that sealed its move, while the game is adjourned.
    pub adjourned: Option<&'static str>,
    pub questions: Vec<QuestionJson>,
    /// White uses the button that is wired as Black's.
    pub buttons_exchanged: bool,
}

/// The answer to a command: the state after it.
#[derive(Debug, Serialize)]
pub struct CommandJson {
    #[serde(flatten)]
    pub status: StatusJson,
    /// Whether the command is on record. If not, it was carried out all the same.
    pub recorded: bool,
}

impl CommandJson {
    /// The state after a command.
    pub fn new(after: &State, recorded: bool) -> CommandJson {
        CommandJson { status: after.into(), recorded }
    }
}

/// The open draw claim of the clock service.
#[derive(Debug, Serialize)]
pub struct OpenClaimJson {
    pub by: Option<&'static str>,
    pub ground: String,
    pub state: &'static str,
}

/// What is wrong with the clock: a word for scripts, and a text with the remedy.
#[derive(Debug, Serialize)]
pub struct FaultJson {
    pub code: String,
    pub text: String,
}

/// Whether a side's flag is final. The instant of a flag does not tell.
#[derive(Debug, Serialize)]
pub struct OutOfTimeJson {
    pub white: bool,
    pub black: bool,
}

/// The limit of each side's time, if it is counted up and has a limit.
#[derive(Debug, Serialize)]
pub struct LimitJson {
    pub white: Option<u64>,
    pub black: Option<u64>,
}

/// The players' names; empty if they are not known.
#[derive(Debug, Serialize)]
pub struct PlayersJson {
    pub white: String,
    pub black: String,
}

/// One line of `watch`. The cause is null for a state that was read.
#[derive(Debug, Serialize)]
pub struct WatchJson<'a> {
    #[serde(flatten)]
    pub status: StatusJson,
    pub cause: Option<&'a str>,
}

/// The line of `watch` while there is no clock service.
#[derive(Debug, Serialize)]
pub struct ServiceJson {
    pub service: bool,
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

impl From<&State> for StatusJson {
    fn from(state: &State) -> Self {
        StatusJson {
            state: StateJson {
                at_ns: state.at_nsec,
                phase: state.phase.as_str(),
                running: word(state.running),
                white: state.side(Who::White).into(),
                black: state.side(Who::Black).into(),
                first_flag: word(state.first_flag),
                error: None,
                events: Vec::new(),
                rules: None,
            },
            on_move: word(state.on_move),
            revision: state.revision,
            sequence: state.sequence,
            control: state.time_control.clone(),
            periods: (state.periods > 0).then_some(state.periods),
            players: PlayersJson {
                white: state.white_player.clone(),
                black: state.black_player.clone(),
            },
            result: (!state.result.is_empty()).then(|| state.result.clone()),
            arbiter_called_by: word(state.arbiter_called_by),
            counting: state.counting.as_str(),
            limit_ns: LimitJson {
                white: state.side(Who::White).limit_nsec,
                black: state.side(Who::Black).limit_nsec,
            },
            out_of_time: OutOfTimeJson {
                white: state.white_out_of_time,
                black: state.black_out_of_time,
            },
            paused_by: (state.paused_by != PausedBy::Nothing).then(|| state.paused_by.as_str()),
            faults: state.faults.iter().map(FaultJson::from).collect(),
            rules: (!state.rules.is_empty()).then(|| state.rules.clone()),
            claim: (state.claim_state != ClaimState::Nothing).then(|| OpenClaimJson {
                by: word(state.claim_by),
                ground: state.claim_ground.clone(),
                state: state.claim_state.as_str(),
            }),
            adjourned: word(state.adjourned),
            questions: state.questions.iter().map(QuestionJson::from).collect(),
            buttons_exchanged: state.buttons_exchanged,
        }
    }
}

impl From<&Fault> for FaultJson {
    fn from(fault: &Fault) -> Self {
        FaultJson { code: fault.code.clone(), text: fault.text.clone() }
    }
}

impl From<SideState> for SideJson {
    fn from(side: SideState) -> Self {
        SideJson {
            remaining_ns: side.remaining_nsec,
            delay_ns: side.delay_nsec,
            moves: side.moves,
            period: side.period,
            // Negative on the bus means that no flag has fallen.
            flag_ns: u64::try_from(side.flag_nsec).ok(),
            overrun_ns: side.overrun_nsec,
            overtime: side.overtime.map(OvertimeJson::from),
            owed_ns: side.owed_nsec,
        }
    }
}

impl From<OvertimeLeft> for OvertimeJson {
    fn from(left: OvertimeLeft) -> Self {
        OvertimeJson { periods_left: left.periods, moves_left: left.moves }
    }
}

fn word(who: Who) -> Option<&'static str> {
    (who != Who::Nobody).then(|| who.as_str())
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Fault, FaultCode, PausedBy, Phase, State, Who};

    use super::{StatusJson, WatchJson};

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
            white_remaining_nsec: 0,
            white_moves: 12,
            white_period: 1,
            white_flag_nsec: 4_999_999_999,
            white_out_of_time: true,
            white_overrun_nsec: 1,
            white_overtime_periods: 0,
            white_overtime_moves: 3,
            black_remaining_nsec: u64::MAX,
            black_delay_nsec: 3,
            black_moves: 11,
            black_period: 2,
            black_flag_nsec: -1,
            black_owed_nsec: 7,
            white_player: "A \"B\"".to_owned(),
            result: "1-0".to_owned(),
            paused_by: PausedBy::BoardGone,
            faults: vec![
                Fault::new(FaultCode::BoardGone, "check the \"cable\""),
                Fault::new(FaultCode::NoRealtime, "slow"),
            ],
            ..State::default()
        }
    }

    #[test]
    fn keys_and_their_order_are_fixed() {
        let line = serde_json::to_string(&StatusJson::from(&running())).unwrap();
        assert_eq!(
            line,
            concat!(
                r#"{"at_ns":5000000000,"phase":"running","running":"black","#,
                r#""white":{"remaining_ns":0,"delay_ns":0,"moves":12,"period":1,"#,
                r#""flag_ns":4999999999,"overrun_ns":1,"#,
                r#""overtime":{"periods_left":0,"moves_left":3},"owed_ns":0},"#,
                r#""black":{"remaining_ns":18446744073709551615,"delay_ns":3,"moves":11,"#,
                r#""period":2,"flag_ns":null,"overrun_ns":0,"overtime":null,"owed_ns":7},"#,
                r#""first_flag":"white","error":null,"events":[],"on_move":"black","#,
                r#""revision":7,"sequence":31,"control":"rapid","periods":2,"#,
                r#""players":{"white":"A \"B\"","black":""},"result":"1-0","#,
                r#""arbiter_called_by":"arbiter","counting":"down","limit_ns":{"white":null,"black":null},"#,
                r#""out_of_time":{"white":true,"black":false},"paused_by":"board-gone","#,
                r#""faults":[{"code":"board-gone","text":"check the \"cable\""},"#,
                r#"{"code":"no-realtime","text":"slow"}],"rules":null,"claim":null,"#,
                r#""adjourned":null,"questions":[],"buttons_exchanged":false}"#,
            )
        );
    }

    #[test]
    fn nobody_and_nothing_are_null() {
        let status = StatusJson::from(&State::default());
        let line = serde_json::to_string(&WatchJson { status, cause: None }).unwrap();
        let keys = [
            "running",
            "first_flag",
            "on_move",
            "periods",
            "result",
            "arbiter_called_by",
            "paused_by",
            "rules",
            "claim",
            "adjourned",
        ];
        for key in keys {
            assert!(line.contains(&format!(r#""{key}":null"#)), "{key}: {line}");
        }
        assert!(
            line.ends_with(r#""questions":[],"buttons_exchanged":false,"cause":null}"#),
            "{line}"
        );
    }
}
