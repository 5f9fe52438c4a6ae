//! The state of the clock of a simulated game at one instant, and its events, as JSON.

use clock_dbus::SideState;
use serde::Serialize;

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

/// One event of a simulated game. Which keys it has depends on its kind.
#[derive(Debug, Default, Serialize)]
pub struct EventJson {
    pub at_ns: u64,
    pub kind: &'static str,
    /// The side that the event concerns.
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
    pub ruling: Option<&'static str>,
    /// The number of the player's illegal moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The kind of a penalty. `time_ns` or `points` is its amount.
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
