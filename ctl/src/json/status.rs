//! The state of the clock service, as `status --json`, `watch --json` and the commands of the
//! arbiter with `--json` print it.

use clock_dbus::{ClaimState, Fault, OvertimeLeft, PausedBy, SideState, State};
use serde::Serialize;

use super::questions::QuestionJson;
use super::state::{OvertimeJson, SideJson, StateJson};
use super::word::word;

/// The state of the clock service: [`StateJson`], and the keys that a simulated game does not have.
#[derive(Debug, Serialize)]
pub struct StatusJson {
    #[serde(flatten)]
    pub state: StateJson,
    pub on_move: Option<&'static str>,
    pub revision: u64,
    /// The number of this state. It grows by one with every change that the service publishes.
    pub sequence: u64,
    /// The name of the time control.
    pub control: String,
    /// The method that has replaced the methods of the time control, in words; `None` if none has.
    pub changed_method: Option<String>,
    /// The method of each side in its present period.
    pub method: BothMethodsJson,
    /// How many periods the time control has; `None` if the last period repeats without end.
    pub periods: Option<u32>,
    pub players: PlayersJson,
    /// The number of the board, the round and the name of the event, if they are known.
    pub board: Option<String>,
    pub round: Option<String>,
    pub event: Option<String>,
    pub result: Option<String>,
    pub arbiter_called_by: Option<&'static str>,
    pub counting: &'static str,
    pub limit_ns: LimitJson,
    /// The time left at and below which each side's time is low; 0 if it never is.
    pub low_ns: LowJson,
    pub out_of_time: OutOfTimeJson,
    pub notes: BothNotesJson,
    /// Why both clocks stand in the phase `paused`; `None` in every other phase.
    pub paused_by: Option<&'static str>,
    /// What the arbiter tells the players during this pause.
    pub announcement: Option<String>,
    pub faults: Vec<FaultJson>,
    pub rules: Option<String>,
    pub claim: Option<OpenClaimJson>,
    /// The side that sealed its move, while the game is adjourned; otherwise `None`.
    pub adjourned: Option<&'static str>,
    pub questions: Vec<QuestionJson>,
    /// Whether White uses the button that is wired as Black's.
    pub buttons_exchanged: bool,
    /// When the service starts White's clock, in nanoseconds since 1970; `None` if no start is
    /// scheduled.
    pub start_at_realtime_ns: Option<u64>,
    /// The number of the game in the record; `None` if no record is kept, or if the record has not
    /// been read yet.
    pub game_number: Option<u64>,
    /// Changes with the texts of the game: its time control, its rules and its names.
    pub texts_version: u64,
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

/// For each side, whether its final flag has fallen. `flag_ns` does not show this, because it can
/// be the flag of an earlier period.
#[derive(Debug, Serialize)]
pub struct OutOfTimeJson {
    pub white: bool,
    pub black: bool,
}

/// What the rules have noted of each player.
#[derive(Debug, Serialize)]
pub struct BothNotesJson {
    pub white: NotesJson,
    pub black: NotesJson,
}

/// What the rules have noted of a player: how many illegal moves were taken back, how many warnings
/// were given, whether a penalty is due before the game goes on, and the half points that the player
/// has lost and got by penalties. `late_ns` is how late the player is, and grows while he is absent.
#[derive(Debug, Serialize)]
pub struct NotesJson {
    pub illegal_moves: u32,
    pub warnings: u32,
    pub penalty_due: bool,
    pub half_points_off: u32,
    pub half_points_given: u32,
    pub late_ns: u64,
    pub absent: bool,
}

/// The limit of each side's time; `None` if the time is not counted up, or has no limit.
#[derive(Debug, Serialize)]
pub struct LimitJson {
    pub white: Option<u64>,
    pub black: Option<u64>,
}

/// The method of each side.
#[derive(Debug, Serialize)]
pub struct BothMethodsJson {
    pub white: MethodJson,
    pub black: MethodJson,
}

/// A method, such as `increment`, and its increment or delay.
#[derive(Debug, Serialize)]
pub struct MethodJson {
    pub kind: &'static str,
    pub amount_ns: u64,
}

/// The time left at and below which each side's time is low.
#[derive(Debug, Serialize)]
pub struct LowJson {
    pub white: u64,
    pub black: u64,
}

/// The players' names; empty if they are not known.
#[derive(Debug, Serialize)]
pub struct PlayersJson {
    pub white: String,
    pub black: String,
}

impl From<&State> for StatusJson {
    fn from(state: &State) -> Self {
        // Without `..`, the compiler reports every new field that is not handled here.
        let State {
            sequence,
            revision,
            at_nsec,
            phase,
            on_move,
            running,
            first_flag,
            arbiter_called_by,
            paused_by,
            announcement,
            faults,
            time_control,
            changed_method,
            periods,
            counting,
            white,
            black,
            board,
            round,
            event,
            result,
            rules,
            buttons_exchanged,
            // The question about the stop has its progress.
            resume_confirmed_by: _,
            start_at_realtime_nsec,
            game_number,
            texts_version,
            claim_by,
            claim_ground,
            claim_state,
            adjourned,
            questions,
        } = state;
        let (white, black) = (side(white), side(black));
        StatusJson {
            state: StateJson {
                at_ns: *at_nsec,
                phase: phase.as_str(),
                running: word(*running),
                white: white.json,
                black: black.json,
                first_flag: word(*first_flag),
                error: None,
                events: Vec::new(),
                rules: None,
            },
            on_move: word(*on_move),
            revision: *revision,
            sequence: *sequence,
            control: time_control.clone(),
            changed_method: known(changed_method),
            method: BothMethodsJson { white: white.method, black: black.method },
            periods: (*periods > 0).then_some(*periods),
            players: PlayersJson { white: white.player, black: black.player },
            board: known(board),
            round: known(round),
            event: known(event),
            result: known(result),
            arbiter_called_by: word(*arbiter_called_by),
            counting: counting.as_str(),
            limit_ns: LimitJson { white: white.limit_ns, black: black.limit_ns },
            low_ns: LowJson { white: white.low_ns, black: black.low_ns },
            out_of_time: OutOfTimeJson { white: white.out_of_time, black: black.out_of_time },
            notes: BothNotesJson { white: white.notes, black: black.notes },
            paused_by: (*paused_by != PausedBy::Nothing).then(|| paused_by.as_str()),
            announcement: known(announcement),
            faults: faults.iter().map(FaultJson::from).collect(),
            rules: known(rules),
            claim: (*claim_state != ClaimState::Nothing).then(|| OpenClaimJson {
                by: word(*claim_by),
                ground: claim_ground.clone(),
                state: claim_state.as_str(),
            }),
            adjourned: word(*adjourned),
            questions: questions.iter().map(QuestionJson::from).collect(),
            buttons_exchanged: *buttons_exchanged,
            start_at_realtime_ns: *start_at_realtime_nsec,
            game_number: *game_number,
            texts_version: *texts_version,
        }
    }
}

/// A text of the service; `None` if it is empty.
fn known(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// One side: its [`SideJson`], and the limit, the method, the low time, the final flag, the
/// notes and the player, which `StatusJson` shows under keys of their own.
struct SideKeys {
    json: SideJson,
    limit_ns: Option<u64>,
    method: MethodJson,
    low_ns: u64,
    out_of_time: bool,
    notes: NotesJson,
    player: String,
}

fn side(side: &SideState) -> SideKeys {
    // Without `..`, the compiler reports every new field that is not handled here.
    let SideState {
        remaining_nsec,
        limit_nsec,
        delay_nsec,
        method,
        method_nsec,
        low_nsec,
        moves,
        period,
        flag_nsec,
        out_of_time,
        overrun_nsec,
        overtime_periods: _, // in SideState::overtime
        overtime_moves: _,
        owed_nsec,
        illegal_moves,
        warnings,
        penalty_due,
        half_points_off,
        half_points_given,
        late_nsec,
        absent,
        ref player,
    } = *side;
    let json = SideJson {
        remaining_ns: remaining_nsec,
        delay_ns: delay_nsec,
        moves,
        period,
        // On the bus, -1 means that no flag has fallen. `clock_dbus` has converted it to `None`.
        flag_ns: flag_nsec,
        overrun_ns: overrun_nsec,
        overtime: side.overtime().map(|OvertimeLeft { periods, moves }| OvertimeJson {
            periods_left: periods,
            moves_left: moves,
        }),
        owed_ns: owed_nsec,
    };
    let notes = NotesJson {
        illegal_moves,
        warnings,
        penalty_due,
        half_points_off,
        half_points_given,
        late_ns: late_nsec,
        absent,
    };
    let method = MethodJson { kind: method.as_str(), amount_ns: method_nsec };
    SideKeys {
        json,
        limit_ns: limit_nsec,
        method,
        low_ns: low_nsec,
        out_of_time,
        notes,
        player: player.clone(),
    }
}

impl From<&Fault> for FaultJson {
    fn from(fault: &Fault) -> Self {
        let Fault { code, text } = fault;
        FaultJson { code: code.clone(), text: text.clone() }
    }
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Fault, FaultCode, Method, PausedBy, Phase, SideState, State, Who};

    use super::StatusJson;

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
                r#""revision":7,"sequence":31,"control":"rapid","changed_method":null,"#,
                r#""method":{"white":{"kind":"increment","amount_ns":5000000000},"#,
                r#""black":{"kind":"none","amount_ns":0}},"periods":2,"#,
                r#""players":{"white":"A \"B\"","black":""},"board":"12","round":null,"event":null,"result":"1-0","#,
                r#""arbiter_called_by":"arbiter","counting":"down","limit_ns":{"white":null,"black":null},"#,
                r#""low_ns":{"white":0,"black":8},"#,
                r#""out_of_time":{"white":true,"black":false},"#,
                r#""notes":{"white":{"illegal_moves":0,"warnings":0,"penalty_due":false,"half_points_off":0,"half_points_given":0,"late_ns":0,"absent":false},"#,
                r#""black":{"illegal_moves":0,"warnings":0,"penalty_due":false,"half_points_off":0,"half_points_given":0,"late_ns":0,"absent":false}},"paused_by":"board-gone","announcement":null,"#,
                r#""faults":[{"code":"board-gone","text":"check the \"cable\""},"#,
                r#"{"code":"no-realtime","text":"slow"}],"rules":null,"claim":null,"#,
                r#""adjourned":null,"questions":[],"buttons_exchanged":false,"start_at_realtime_ns":null,"game_number":null,"texts_version":0}"#,
            )
        );
    }

    #[test]
    fn nobody_and_nothing_are_null() {
        let line = serde_json::to_string(&StatusJson::from(&State::default())).unwrap();
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
            line.ends_with(
                r#""questions":[],"buttons_exchanged":false,"start_at_realtime_ns":null,"game_number":null,"texts_version":0}"#
            ),
            "{line}"
        );
    }
}
