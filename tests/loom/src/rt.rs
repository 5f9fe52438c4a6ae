//! Files of `daemon/rt/src/rt`, with loom's atomics.

#[path = "../../../daemon/rt/src/rt/health/clock_rate.rs"]
pub mod clock_rate;
#[path = "../../../daemon/rt/src/rt/heartbeat/progress.rs"]
pub mod progress;

/// Replaces `daemon/rt/src/rt/atomic.rs`, the atomics of the daemon.
pub mod atomic {
    pub use loom::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
}
