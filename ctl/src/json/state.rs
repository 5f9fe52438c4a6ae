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
