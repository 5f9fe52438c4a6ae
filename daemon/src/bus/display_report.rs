//! What the display has reported of its screen.

use super::callers::Callers;
use clock_dbus::DigitHeight;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::task::AbortHandle;
use zbus::names::OwnedUniqueName;

/// The latest report, as long as the program that made it is on the bus.
pub struct DisplayReport {
    latest: Arc<Mutex<Option<Report>>>,
    callers: Arc<Callers>,
}

struct Report {
    sender: OwnedUniqueName,
    /// `None` if the display does not know it.
    digit_height: Option<DigitHeight>,
    /// Waits until the sender has left the bus, and deletes the report then.
    waiter: AbortHandle,
}

impl Drop for Report {
    fn drop(&mut self) {
        self.waiter.abort();
    }
}

impl DisplayReport {
    /// No report. The senders are among these callers.
    pub fn new(callers: Arc<Callers>) -> DisplayReport {
        DisplayReport { latest: Arc::default(), callers }
    }

    /// Notes a report of the height of the digits in micrometres; 0 if it is not known.
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

    /// The height of the digits, if a display on the bus has reported it.
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
    /// Ends the waiter, which has a share of the report.
    fn drop(&mut self) {
        lock(&self.latest).take();
    }
}

fn lock(latest: &Mutex<Option<Report>>) -> MutexGuard<'_, Option<Report>> {
    latest.lock().expect("nothing panics while it holds the lock")
}
