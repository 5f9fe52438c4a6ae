//! Client proxies of the interfaces. The XML documents each member.
#![allow(missing_docs)]

use crate::{Corrections, Fault, NewGame, Result, State, Timebase, Who};

/// `org.chessclock.Clock1`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1",
    default_service = "org.chessclock.Clock1",
    default_path = "/org/chessclock/Clock1"
)]
pub trait Clock {
    fn get_state(&self) -> Result<State>;
    fn get_timebase(&self) -> Result<Timebase>;
    fn get_time_control(&self) -> Result<(String, String)>;
    fn read_time_control(&self, name: &str) -> Result<String>;
    fn list_time_controls(&self) -> Result<Vec<(String, String)>>;

    fn get_rules(&self) -> Result<(String, String)>;
    fn list_rules(&self) -> Result<Vec<(String, String)>>;
    fn read_rules(&self, name: &str) -> Result<String>;

    #[zbus(signal)]
    fn transition(&self, cause: &str, state: State) -> zbus::Result<()>;
    #[zbus(signal)]
    fn flag_fell(
        &self,
        side: Who,
        period: u32,
        at_nsec: u64,
        first: bool,
        sequence: u64,
    ) -> zbus::Result<()>;
    #[zbus(signal)]
    fn arbiter_called(&self, by: Who, at_nsec: u64, sequence: u64) -> zbus::Result<()>;
    #[zbus(signal)]
    fn fault_list_changed(
        &self,
        faults: Vec<Fault>,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    fn claim_made(&self, by: Who, ground: &str, at_nsec: u64, sequence: u64) -> zbus::Result<()>;
    #[zbus(signal)]
    fn ruling_given(
        &self,
        decision: &str,
        side: Who,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;
    #[zbus(signal)]
    fn penalty_applied(
        &self,
        side: Who,
        kind: &str,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;
    #[zbus(signal)]
    fn illegal_move_noted(
        &self,
        side: Who,
        number: u32,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;
    #[zbus(signal)]
    fn default_due(&self, side: Who, at_nsec: u64, sequence: u64) -> zbus::Result<()>;
    #[zbus(signal)]
    fn incident_noted(
        &self,
        side: Who,
        kind: &str,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(property(emits_changed_signal = "const"))]
    fn version(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn faults(&self) -> zbus::Result<Vec<Fault>>;
}

/// `org.chessclock.Clock1.Arbiter`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1.Arbiter",
    default_service = "org.chessclock.Clock1",
    default_path = "/org/chessclock/Clock1"
)]
pub trait Arbiter {
    fn start(&self, revision: u64, reason: &str) -> Result<u64>;
    fn pause(&self, by: Who, revision: u64, reason: &str) -> Result<u64>;
    fn resume(&self, side: Who, revision: u64, reason: &str) -> Result<u64>;
    #[zbus(name = "New")]
    fn new_game(&self, game: NewGame, revision: u64, reason: &str) -> Result<u64>;
    fn set(&self, corrections: Corrections, revision: u64, reason: &str) -> Result<u64>;
    fn add_time(&self, side: Who, delta_nsec: i64, revision: u64, reason: &str) -> Result<u64>;
    fn undo_press(&self, revision: u64, reason: &str) -> Result<u64>;
    fn result(&self, result: &str, revision: u64, reason: &str) -> Result<u64>;
    fn reopen(&self, revision: u64, reason: &str) -> Result<u64>;

    fn claim_flag(&self, by: &str, evidence: &str, revision: u64, reason: &str) -> Result<u64>;
    fn claim_draw(
        &self,
        by: &str,
        ground: &str,
        stop: bool,
        offer: &str,
        revision: u64,
        reason: &str,
    ) -> Result<u64>;
    fn request_increment(&self, by: &str, revision: u64, reason: &str) -> Result<u64>;
    fn answer_offer(&self, answer: &str, revision: u64, reason: &str) -> Result<u64>;
    fn rule(&self, decision: &str, award_nsec: i64, revision: u64, reason: &str) -> Result<u64>;
    fn rule_stop(&self, ruling: &str, revision: u64, reason: &str) -> Result<u64>;
    fn rule_default(&self, side: Who, ruling: &str, revision: u64, reason: &str) -> Result<u64>;
    #[allow(clippy::too_many_arguments, reason = "a flat call, as the XML has it")]
    fn penalize(
        &self,
        side: Who,
        kind: &str,
        time_nsec: u64,
        half_points: u32,
        cause: &str,
        revision: u64,
        reason: &str,
    ) -> Result<u64>;
    fn illegal_move(
        &self,
        side: Who,
        claimed: bool,
        award_nsec: i64,
        revision: u64,
        reason: &str,
    ) -> Result<u64>;
    fn arrive(&self, side: Who, revision: u64, reason: &str) -> Result<u64>;
    fn confirm(&self, by: Who, what: &str, revision: u64, reason: &str) -> Result<u64>;
    fn refer(&self, revision: u64, reason: &str) -> Result<u64>;
    fn attach(
        &self,
        kind: &str,
        text: &str,
        verified_by: Who,
        revision: u64,
        reason: &str,
    ) -> Result<u64>;
    fn assistant(&self, side: Who, accepted: bool, revision: u64, reason: &str) -> Result<u64>;
    fn incident(&self, side: Who, kind: &str, revision: u64, reason: &str) -> Result<u64>;
    fn adjourn(&self, side: Who, sealed_move: &str, revision: u64, reason: &str) -> Result<u64>;
    #[zbus(name = "Continue")]
    fn continue_game(&self, revision: u64, reason: &str) -> Result<u64>;
    fn change_method(
        &self,
        method: &str,
        amount_nsec: u64,
        schedule_suffers: bool,
        revision: u64,
        reason: &str,
    ) -> Result<u64>;
    fn set_rules(&self, rules: &str, revision: u64, reason: &str) -> Result<u64>;
    fn exchange_buttons(&self, exchanged: bool, revision: u64, reason: &str) -> Result<u64>;
}

/// `org.chessclock.Clock1.Health`.
#[zbus::proxy(
    interface = "org.chessclock.Clock1.Health",
    default_service = "org.chessclock.Clock1",
    default_path = "/org/chessclock/Clock1"
)]
pub trait Health {
    #[zbus(property(emits_changed_signal = "false"))]
    fn realtime_ok(&self) -> zbus::Result<bool>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn rejected_presses(&self) -> zbus::Result<u64>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn lost_edges(&self) -> zbus::Result<u64>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn stuck_buttons(&self) -> zbus::Result<Vec<String>>;
    #[zbus(property(emits_changed_signal = "false"), name = "EdgeLatencyNSec")]
    fn edge_latency_nsec(&self) -> zbus::Result<Vec<(u64, u64)>>;
    #[zbus(property(emits_changed_signal = "false"), name = "WakeLatenessNSec")]
    fn wake_lateness_nsec(&self) -> zbus::Result<Vec<(u64, u64)>>;
    #[zbus(property(emits_changed_signal = "false"), name = "DecisionLatencyNSec")]
    fn decision_latency_nsec(&self) -> zbus::Result<Vec<(u64, u64)>>;
    #[zbus(property(emits_changed_signal = "false"), name = "WorstLatenessNSec")]
    fn worst_lateness_nsec(&self) -> zbus::Result<u64>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn clock_rate_ppb(&self) -> zbus::Result<i64>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn worst_clock_rate_ppb(&self) -> zbus::Result<i64>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn clock_rate_windows(&self) -> zbus::Result<u64>;
    #[zbus(property(emits_changed_signal = "false"))]
    fn faults(&self) -> zbus::Result<Vec<String>>;
}
