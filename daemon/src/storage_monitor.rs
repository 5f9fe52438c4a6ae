//! Notices that the storage of the record does not answer.
//!
//! While the recorder's thread waits for the storage, it cannot report the delay. So the main
//! thread checks once a second. It wakes the clock loop up only when the fault begins. When the
//! storage has answered, the recorder ends the fault.

use crate::game::RecordStatus;
use clockd_rt::Health;
use clockd_rt::channel::Notifier;
use clockd_rt::clock;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The interval between two checks.
const INTERVAL: Duration = Duration::from_secs(1);

/// Checks for ever. If the storage does not answer, sets the fault `Health::storage_failed` and
/// notifies `clock_loop`.
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
