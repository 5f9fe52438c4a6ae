//! Notices that the storage of the record does not answer.
//!
//! The recorder's thread waits then, so it cannot say so itself. This runs on the main thread. The clock loop is woken
//! only when the fault comes; the recorder wakes it when the storage has answered.

use crate::clock;
use crate::recorder::RecordStatus;
use crate::rt::Health;
use crate::rt::channel::Notifier;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The interval between two looks.
const INTERVAL: Duration = Duration::from_secs(1);

/// Looks for ever.
pub async fn serve(
    status: Arc<RecordStatus>,
    health: Arc<Health>,
    clock_loop: Notifier,
) -> Infallible {
    loop {
        tokio::time::sleep(INTERVAL).await;
        if status.notice_delay(clock::monotonic_now(), &health) {
            tracing::error!("the storage of the record does not answer; the clock goes on");
            clock_loop.notify();
        }
    }
}
