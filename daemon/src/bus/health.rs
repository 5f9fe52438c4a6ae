//! `org.chessclock.Clock1.Health`: whether the clock can be relied on.

use super::callers::Callers;
use super::served::Members;
use super::shared_state::SharedState;
use crate::log::escaped;
use clock_dbus::argument::invalid;
use clock_dbus::{DigitHeight, Error, HealthProperties, State};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::task::AbortHandle;
use zbus::message::Header;
use zbus::names::OwnedUniqueName;
use zbus::{OwnedVariant, interface};

/// The largest size of `StorageError`, the reason why the record is not written, in bytes.
const ERROR_LIMIT: usize = 200;
/// The annotation that says whether changes of a property are signalled.
const EMITS_CHANGED: &str = "org.freedesktop.DBus.Property.EmitsChangedSignal";

/// The interface `org.chessclock.Clock1.Health`, which anyone may read: the [`HealthProperties`],
/// and the method with which the display reports the height of its digits.
pub struct HealthInterface {
    /// The state that all interfaces share. `SharedState::health` has the counters and histograms
    /// of the clock loop.
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
        // The bus adds a sender to each message. Only a message on a connection without a bus has
        // none, and this service has no such connection.
        if let Some(sender) = header.sender() {
            self.display.set(sender.to_owned().into(), digit_height);
        }
        Ok(())
    }
}

impl HealthInterface {
    fn read(&self) -> HealthProperties {
        let SharedState { health, record_status, .. } = &*self.shared;
        let storage_error = self.storage_error();
        // The loop can be ahead of the updates that were taken. If it had no room for an entry, the
        // update has the higher number.
        let latest_entry =
            health.latest_entry.load(Ordering::Acquire).max(self.shared.latest_entry());
        let digit_height = self.display.digit_height();
        let texts = |state: &State| state.faults.iter().map(|fault| fault.text.clone()).collect();
        HealthProperties {
            realtime_ok: health.realtime(),
            rejected_presses: health.rejected.load(Ordering::Relaxed),
            lost_edges: health.lost_edges.load(Ordering::Relaxed),
            stuck_buttons: health.stuck().map(|button| button.to_string()).collect(),
            edge_latency_nsec: health.edge_latency.buckets(),
            wake_lateness_nsec: health.wake_lateness.buckets(),
            decision_latency_nsec: health.decision_latency.buckets(),
            worst_lateness_nsec: health.wake_lateness.worst(),
            clock_rate_ppb: health.clock_rate.ppb().unwrap_or_default(),
            worst_clock_rate_ppb: health.clock_rate.worst_ppb().unwrap_or_default(),
            clock_rate_windows: health.clock_rate.windows(),
            faults: self.shared.read(texts),
            storage_ok: storage_error.is_empty(),
            storage_error,
            recorded_entries: record_status.committed(),
            uncommitted_entries: record_status.uncommitted(latest_entry),
            lost_entries: health.lost_entries.load(Ordering::Relaxed),
            record_bytes: record_status.bytes(),
            digit_height: digit_height.map_or(0, |height| height.micrometres),
            warnings: digit_height.and_then(DigitHeight::warning).into_iter().collect(),
        }
    }

    /// The reason why the record is not written; empty if the record is written.
    fn storage_error(&self) -> String {
        if !self.shared.commits.is_kept() {
            return "no record is kept".to_owned();
        }
        // The text of the error can contain a path, and so any character. U+0000 would not be valid
        // on the bus.
        let error = escaped(&self.shared.record_status.error().unwrap_or_default());
        error[..error.floor_char_boundary(ERROR_LIMIT)].to_owned()
    }
}

impl Members for HealthInterface {
    fn property(&self, name: &str, _: Option<&Header<'_>>) -> Option<zbus::Result<OwnedVariant>> {
        // This computes all properties to return one, because `HealthProperties` is filled as a
        // whole.
        self.read().property(name)
    }

    fn properties(&self, _: Option<&Header<'_>>) -> zbus::Result<HashMap<String, OwnedVariant>> {
        self.read().properties()
    }

    fn introspect(writer: &mut dyn Write, level: usize) -> fmt::Result {
        for (name, signature) in HealthProperties::PROPERTIES {
            write!(
                writer,
                r#"{:level$}<property name="{name}" type="{signature}" access="read">
{:level$}  <annotation name="{EMITS_CHANGED}" value="false"/>
{:level$}</property>
"#,
                "", "", ""
            )?;
        }
        Ok(())
    }
}

/// The latest report of the display. It is deleted when the program that sent it leaves the bus.
pub struct DisplayReport {
    latest: Arc<Mutex<Option<Report>>>,
    callers: Arc<Callers>,
}

struct Report {
    sender: OwnedUniqueName,
    /// `None` if the display does not know the height.
    digit_height: Option<DigitHeight>,
    /// The task that waits until the sender has left the bus, and then deletes the report.
    waiter: AbortHandle,
}

impl Drop for Report {
    fn drop(&mut self) {
        self.waiter.abort();
    }
}

impl DisplayReport {
    /// At first there is no report. `callers` is used to wait until a sender leaves the bus.
    pub fn new(callers: Arc<Callers>) -> DisplayReport {
        DisplayReport { latest: Arc::default(), callers }
    }

    /// Stores a report of the height of the digits, in micrometres; 0 if the height is not known.
    pub fn set(&self, sender: OwnedUniqueName, micrometres: u32) {
        let digit_height = (micrometres > 0).then_some(DigitHeight { micrometres });
        let mut latest = lock(&self.latest);
        match &mut *latest {
            Some(report) if report.sender == sender => report.digit_height = digit_height,
            _ => {
                let waiter = self.delete_when_left(sender.clone());
                *latest = Some(Report { sender, digit_height, waiter });
            }
        }
    }

    /// The height of the digits that was reported last; `None` if the height is not known or the
    /// program that reported it has left the bus.
    pub fn digit_height(&self) -> Option<DigitHeight> {
        lock(&self.latest).as_ref()?.digit_height
    }

    fn delete_when_left(&self, sender: OwnedUniqueName) -> AbortHandle {
        let (latest, callers) = (Arc::clone(&self.latest), Arc::clone(&self.callers));
        let waiter = tokio::spawn(async move {
            callers.left(&sender).await;
            lock(&latest).take_if(|report| report.sender == sender);
        });
        waiter.abort_handle()
    }
}

impl Drop for DisplayReport {
    /// Drops the latest report, and so ends its task `waiter`. That task has a clone of `latest`,
    /// so it would otherwise keep the report alive.
    fn drop(&mut self) {
        lock(&self.latest).take();
    }
}

fn lock(latest: &Mutex<Option<Report>>) -> MutexGuard<'_, Option<Report>> {
    latest.lock().expect("nothing panics while it holds the lock")
}
