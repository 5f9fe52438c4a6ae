//! `org.chessclock.Clock1`: the state of the clock, for anyone to read.

use super::arguments;
use super::shared_state::SharedState;
use crate::clock::{boot_id, monotonic_now, realtime_now};
use clock_dbus::{
    ClaimState, Counting, Error, Fault, PausedBy, Phase, Question, State, Timebase, Who,
};
use std::sync::Arc;
use zbus::interface;
use zbus::message::Header;
use zbus::object_server::SignalEmitter;

/// The interface for anyone to read.
pub struct ClockInterface {
    /// The present state.
    pub shared: Arc<SharedState>,
}

// The methods without arguments take the header, because zbus otherwise ignores given arguments.
#[interface(name = "org.chessclock.Clock1", introspection_docs = false)]
impl ClockInterface {
    #[zbus(out_args("state"))]
    fn get_state(&self, #[zbus(header)] _header: Header<'_>) -> State {
        self.shared.state()
    }

    #[zbus(out_args("timebase"))]
    fn get_timebase(&self, #[zbus(header)] _header: Header<'_>) -> Timebase {
        Timebase {
            monotonic_nsec: monotonic_now().as_nanos(),
            realtime_nsec: realtime_now(),
            boot_id: boot_id().to_owned(),
        }
    }

    #[zbus(out_args("name", "file"))]
    fn get_time_control(&self, #[zbus(header)] _header: Header<'_>) -> (String, String) {
        let game = self.shared.game();
        (game.control, game.control_text)
    }

    #[zbus(out_args("file"))]
    fn read_time_control(&self, name: &str) -> Result<String, Error> {
        let name = arguments::name("name", name)?;
        let known = self.shared.controls.find(name);
        known.map(|known| known.text).map_err(|problem| arguments::invalid_control(&problem))
    }

    #[zbus(out_args("controls"))]
    fn list_time_controls(&self, #[zbus(header)] _header: Header<'_>) -> Vec<(String, String)> {
        self.shared.controls.list()
    }

    #[zbus(out_args("name", "file"))]
    fn get_rules(&self, #[zbus(header)] _header: Header<'_>) -> (String, String) {
        let rules = self.shared.game().rules;
        rules.map(|rules| (rules.name.clone(), rules.rules.to_toml())).unwrap_or_default()
    }

    #[zbus(out_args("rules"))]
    fn list_rules(&self, #[zbus(header)] _header: Header<'_>) -> Vec<(String, String)> {
        self.shared.rules.list()
    }

    #[zbus(out_args("file"))]
    fn read_rules(&self, name: &str) -> Result<String, Error> {
        let name = arguments::name("name", name)?;
        let known = self.shared.rules.find(name);
        let known = known.map_err(|problem| arguments::invalid_rules(&problem))?;
        Ok(known.rules.to_toml())
    }

    #[zbus(signal)]
    async fn transition(emitter: &SignalEmitter<'_>, cause: &str, state: State)
    -> zbus::Result<()>;

    #[zbus(signal)]
    async fn flag_fell(
        emitter: &SignalEmitter<'_>,
        side: Who,
        period: u32,
        at_nsec: u64,
        first: bool,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn arbiter_called(
        emitter: &SignalEmitter<'_>,
        by: Who,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    // Not `FaultsChanged`, which is what zbus calls a change of the property `Faults`.
    #[zbus(signal)]
    async fn fault_list_changed(
        emitter: &SignalEmitter<'_>,
        faults: Vec<Fault>,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn claim_made(
        emitter: &SignalEmitter<'_>,
        by: Who,
        ground: &str,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn ruling_given(
        emitter: &SignalEmitter<'_>,
        decision: &str,
        side: Who,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn penalty_applied(
        emitter: &SignalEmitter<'_>,
        side: Who,
        kind: &str,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn illegal_move_noted(
        emitter: &SignalEmitter<'_>,
        side: Who,
        number: u32,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn default_due(
        emitter: &SignalEmitter<'_>,
        side: Who,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn incident_noted(
        emitter: &SignalEmitter<'_>,
        side: Who,
        kind: &str,
        at_nsec: u64,
        sequence: u64,
    ) -> zbus::Result<()>;

    #[zbus(property(emits_changed_signal = "const"))]
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    #[zbus(property)]
    fn sequence(&self) -> u64 {
        self.shared.state().sequence
    }

    #[zbus(property)]
    fn revision(&self) -> u64 {
        self.shared.state().revision
    }

    #[zbus(property, name = "AtNSec")]
    fn at_nsec(&self) -> u64 {
        self.shared.state().at_nsec
    }

    #[zbus(property)]
    fn phase(&self) -> Phase {
        self.shared.state().phase
    }

    #[zbus(property)]
    fn on_move(&self) -> Who {
        self.shared.state().on_move
    }

    #[zbus(property)]
    fn running(&self) -> Who {
        self.shared.state().running
    }

    #[zbus(property)]
    fn first_flag(&self) -> Who {
        self.shared.state().first_flag
    }

    #[zbus(property)]
    fn arbiter_called_by(&self) -> Who {
        self.shared.state().arbiter_called_by
    }

    #[zbus(property)]
    fn paused_by(&self) -> PausedBy {
        self.shared.state().paused_by
    }

    #[zbus(property)]
    fn faults(&self) -> Vec<Fault> {
        self.shared.state().faults
    }

    #[zbus(property)]
    fn time_control(&self) -> String {
        self.shared.state().time_control
    }

    #[zbus(property)]
    fn periods(&self) -> u32 {
        self.shared.state().periods
    }

    #[zbus(property)]
    fn counting(&self) -> Counting {
        self.shared.state().counting
    }

    #[zbus(property, name = "WhiteRemainingNSec")]
    fn white_remaining_nsec(&self) -> u64 {
        self.shared.state().white_remaining_nsec
    }

    #[zbus(property, name = "WhiteLimitNSec")]
    fn white_limit_nsec(&self) -> i64 {
        self.shared.state().white_limit_nsec
    }

    #[zbus(property, name = "WhiteDelayNSec")]
    fn white_delay_nsec(&self) -> u64 {
        self.shared.state().white_delay_nsec
    }

    #[zbus(property)]
    fn white_moves(&self) -> u32 {
        self.shared.state().white_moves
    }

    #[zbus(property)]
    fn white_period(&self) -> u32 {
        self.shared.state().white_period
    }

    #[zbus(property, name = "WhiteFlagNSec")]
    fn white_flag_nsec(&self) -> i64 {
        self.shared.state().white_flag_nsec
    }

    #[zbus(property)]
    fn white_out_of_time(&self) -> bool {
        self.shared.state().white_out_of_time
    }

    #[zbus(property, name = "WhiteOverrunNSec")]
    fn white_overrun_nsec(&self) -> u64 {
        self.shared.state().white_overrun_nsec
    }

    #[zbus(property)]
    fn white_overtime_periods(&self) -> i64 {
        self.shared.state().white_overtime_periods
    }

    #[zbus(property)]
    fn white_overtime_moves(&self) -> i64 {
        self.shared.state().white_overtime_moves
    }

    #[zbus(property, name = "WhiteOwedNSec")]
    fn white_owed_nsec(&self) -> u64 {
        self.shared.state().white_owed_nsec
    }

    #[zbus(property, name = "BlackRemainingNSec")]
    fn black_remaining_nsec(&self) -> u64 {
        self.shared.state().black_remaining_nsec
    }

    #[zbus(property, name = "BlackLimitNSec")]
    fn black_limit_nsec(&self) -> i64 {
        self.shared.state().black_limit_nsec
    }

    #[zbus(property, name = "BlackDelayNSec")]
    fn black_delay_nsec(&self) -> u64 {
        self.shared.state().black_delay_nsec
    }

    #[zbus(property)]
    fn black_moves(&self) -> u32 {
        self.shared.state().black_moves
    }

    #[zbus(property)]
    fn black_period(&self) -> u32 {
        self.shared.state().black_period
    }

    #[zbus(property, name = "BlackFlagNSec")]
    fn black_flag_nsec(&self) -> i64 {
        self.shared.state().black_flag_nsec
    }

    #[zbus(property)]
    fn black_out_of_time(&self) -> bool {
        self.shared.state().black_out_of_time
    }

    #[zbus(property, name = "BlackOverrunNSec")]
    fn black_overrun_nsec(&self) -> u64 {
        self.shared.state().black_overrun_nsec
    }

    #[zbus(property)]
    fn black_overtime_periods(&self) -> i64 {
        self.shared.state().black_overtime_periods
    }

    #[zbus(property)]
    fn black_overtime_moves(&self) -> i64 {
        self.shared.state().black_overtime_moves
    }

    #[zbus(property, name = "BlackOwedNSec")]
    fn black_owed_nsec(&self) -> u64 {
        self.shared.state().black_owed_nsec
    }

    #[zbus(property)]
    fn white_player(&self) -> String {
        self.shared.state().white_player
    }

    #[zbus(property)]
    fn black_player(&self) -> String {
        self.shared.state().black_player
    }

    #[zbus(property)]
    fn result(&self) -> String {
        self.shared.state().result
    }

    #[zbus(property)]
    fn rules(&self) -> String {
        self.shared.state().rules
    }

    #[zbus(property)]
    fn buttons_exchanged(&self) -> bool {
        self.shared.state().buttons_exchanged
    }

    #[zbus(property)]
    fn claim_by(&self) -> Who {
        self.shared.state().claim_by
    }

    #[zbus(property)]
    fn claim_ground(&self) -> String {
        self.shared.state().claim_ground
    }

    #[zbus(property)]
    fn claim_state(&self) -> ClaimState {
        self.shared.state().claim_state
    }

    #[zbus(property)]
    fn adjourned(&self) -> Who {
        self.shared.state().adjourned
    }

    #[zbus(property)]
    fn questions(&self) -> Vec<Question> {
        self.shared.state().questions
    }
}
