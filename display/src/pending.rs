//! Waits for a future that may not exist.

use std::future::{Future, pending};

/// Waits for the future, or for ever if there is none. This function can be cancelled at any time
/// if the future can.
pub async fn or_never<F: Future + Unpin>(future: &mut Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => pending().await,
    }
}
