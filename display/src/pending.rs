//! Waiting for something that may not have begun.

use std::future::{Future, pending};

/// Waits for the future; for ever if there is none. It can be cancelled at any time if the future
/// can.
pub async fn or_never<F: Future + Unpin>(future: &mut Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => pending().await,
    }
}
