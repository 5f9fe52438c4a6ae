//! The health of the fake clock service.

use clock_dbus::DigitHeight;
use zbus::interface;

use super::Service;

/// The health properties that the fake returns. A test can change them.
#[derive(Clone)]
pub struct Vitals {
    pub realtime_ok: bool,
    pub storage_error: &'static str,
    pub uncommitted: u64,
    pub lost: u64,
    pub stuck: Vec<String>,
    pub rate_windows: u64,
    pub digit_height: u32,
}

impl Default for Vitals {
    fn default() -> Vitals {
        let stuck = Vec::new();
        Vitals {
            realtime_ok: true,
            storage_error: "",
            uncommitted: 0,
            lost: 0,
            stuck,
            rate_windows: 120,
            digit_height: 21_500,
        }
    }
}

pub(super) struct Health(pub(super) Service);

impl Health {
    fn vitals(&self) -> Vitals {
        self.0.script.lock().unwrap().vitals.clone()
    }
}

#[interface(name = "org.chessclock.Clock1.Health")]
impl Health {
    #[zbus(property)]
    fn realtime_ok(&self) -> bool {
        self.vitals().realtime_ok
    }

    #[zbus(property)]
    fn rejected_presses(&self) -> u64 {
        12
    }

    #[zbus(property)]
    fn lost_edges(&self) -> u64 {
        0
    }

    #[zbus(property)]
    fn stuck_buttons(&self) -> Vec<String> {
        self.vitals().stuck
    }

    #[zbus(property, name = "EdgeLatencyNSec")]
    fn edge_latency_nsec(&self) -> Vec<(u64, u64)> {
        vec![(10_000, 40), (20_000, 2), (40_000, 0)]
    }

    #[zbus(property, name = "WakeLatenessNSec")]
    fn wake_lateness_nsec(&self) -> Vec<(u64, u64)> {
        vec![(10_000, 41), (100_000, 1)]
    }

    #[zbus(property, name = "DecisionLatencyNSec")]
    fn decision_latency_nsec(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    #[zbus(property, name = "WorstLatenessNSec")]
    fn worst_lateness_nsec(&self) -> u64 {
        80_001
    }

    #[zbus(property)]
    fn clock_rate_ppb(&self) -> i64 {
        -3_150
    }

    #[zbus(property)]
    fn worst_clock_rate_ppb(&self) -> i64 {
        5_000
    }

    #[zbus(property)]
    fn clock_rate_windows(&self) -> u64 {
        self.vitals().rate_windows
    }

    #[zbus(property)]
    fn faults(&self) -> Vec<String> {
        Vec::new()
    }

    #[zbus(property)]
    fn storage_ok(&self) -> bool {
        self.vitals().storage_error.is_empty()
    }

    #[zbus(property)]
    fn storage_error(&self) -> String {
        self.vitals().storage_error.to_owned()
    }

    #[zbus(property)]
    fn recorded_entries(&self) -> u64 {
        56
    }

    #[zbus(property)]
    fn uncommitted_entries(&self) -> u64 {
        self.vitals().uncommitted
    }

    #[zbus(property)]
    fn lost_entries(&self) -> u64 {
        self.vitals().lost
    }

    #[zbus(property)]
    fn record_bytes(&self) -> u64 {
        1_572_864
    }

    #[zbus(property)]
    fn digit_height(&self) -> u32 {
        self.vitals().digit_height
    }

    #[zbus(property)]
    fn warnings(&self) -> Vec<String> {
        let height = DigitHeight { micrometres: self.vitals().digit_height };
        height.warning().into_iter().collect()
    }
}
