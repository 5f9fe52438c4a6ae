//! Keeps the latest report of the display: the height of its digits.

use super::callers::Callers;
use clock_dbus::DigitHeight;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::task::AbortHandle;
use zbus::names::OwnedUniqueName;

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
