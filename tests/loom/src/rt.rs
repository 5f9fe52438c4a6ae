//! Files of `daemon/src/rt`, with loom's atomics.

#[path = "../../../daemon/src/rt/health/clock_rate.rs"]
pub mod clock_rate;
#[path = "../../../daemon/src/rt/heartbeat/liveness.rs"]
pub mod liveness;
#[path = "../../../daemon/src/rt/heartbeat/progress.rs"]
pub mod progress;

/// Replaces `daemon/src/rt/atomic.rs`, the atomics of the daemon.
pub mod atomic {
    pub use loom::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
}
