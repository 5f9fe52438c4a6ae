//! `org.chessclock.Clock1.Health`: whether the clock can be relied on.

use super::arguments::invalid;
use super::display_report::DisplayReport;
use super::shared_state::SharedState;
use clock_dbus::{DigitHeight, Error};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use zbus::interface;
use zbus::message::Header;

/// The largest size of the reason why the record is not written, in bytes.
const ERROR_LIMIT: usize = 200;

/// The interface that anyone may read. The display reports its screen to it.
pub struct HealthInterface {
    /// The state with the counters and histograms of the clock loop.
    pub shared: Arc<SharedState>,
    /// The report of the display.
    pub display: DisplayReport,
}

#[interface(name = "org.chessclock.Clock1.Health", introspection_docs = false)]
impl HealthInterface {
    fn report_display(
        &self,
        digit_height: u32,
        #[zbus(header)] header: Header<'_>,
    ) -> Result<(), Error> {
        let largest = DigitHeight::LARGEST.micrometres;
        if digit_height > largest {
            return Err(invalid(format!(
                "digit_height = {digit_height}; expected 0 to {largest} micrometres"
            )));
        }
        // A message has no sender only on a connection without a bus, which this service does not
        // have.
        if let Some(sender) = header.sender() {
            self.display.set(sender.to_owned().into(), digit_height);
        }
        Ok(())
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn realtime_ok(&self) -> bool {
        self.shared.health.realtime()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn rejected_presses(&self) -> u64 {
        self.shared.health.rejected.load(Ordering::Relaxed)
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn lost_edges(&self) -> u64 {
        self.shared.health.lost_edges.load(Ordering::Relaxed)
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn stuck_buttons(&self) -> Vec<String> {
        self.shared.health.stuck().map(|button| button.to_string()).collect()
    }

    #[zbus(property(emits_changed_signal = "false"), name = "EdgeLatencyNSec")]
    fn edge_latency_nsec(&self) -> Vec<(u64, u64)> {
        self.shared.health.edge_latency.buckets()
    }

    #[zbus(property(emits_changed_signal = "false"), name = "WakeLatenessNSec")]
    fn wake_lateness_nsec(&self) -> Vec<(u64, u64)> {
        self.shared.health.wake_lateness.buckets()
    }

    #[zbus(property(emits_changed_signal = "false"), name = "DecisionLatencyNSec")]
    fn decision_latency_nsec(&self) -> Vec<(u64, u64)> {
        self.shared.health.decision_latency.buckets()
    }

    #[zbus(property(emits_changed_signal = "false"), name = "WorstLatenessNSec")]
    fn worst_lateness_nsec(&self) -> u64 {
        self.shared.health.wake_lateness.worst()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn clock_rate_ppb(&self) -> i64 {
        self.shared.health.clock_rate.ppb().unwrap_or_default()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn worst_clock_rate_ppb(&self) -> i64 {
        self.shared.health.clock_rate.worst_ppb().unwrap_or_default()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn clock_rate_windows(&self) -> u64 {
        self.shared.health.clock_rate.windows()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn faults(&self) -> Vec<String> {
        self.shared.read(|state| state.faults.iter().map(|fault| fault.text.clone()).collect())
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn storage_ok(&self) -> bool {
        self.storage_error().is_empty()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn storage_error(&self) -> String {
        if !self.shared.commits.is_kept() {
            return "no record is kept".to_owned();
        }
        let error = self.shared.record_status.error().unwrap_or_default();
        error[..error.floor_char_boundary(ERROR_LIMIT)].to_owned()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn recorded_entries(&self) -> u64 {
        self.shared.record_status.committed()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn uncommitted_entries(&self) -> u64 {
        self.shared.record_status.uncommitted(self.shared.latest_entry())
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn lost_entries(&self) -> u64 {
        self.shared.health.lost_entries.load(Ordering::Relaxed)
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn record_bytes(&self) -> u64 {
        self.shared.record_status.bytes()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn digit_height(&self) -> u32 {
        self.display.digit_height().map_or(0, |height| height.micrometres)
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn warnings(&self) -> Vec<String> {
        self.display.digit_height().and_then(DigitHeight::warning).into_iter().collect()
    }
}
