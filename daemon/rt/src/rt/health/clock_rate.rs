//! The measured rate of CLOCK_MONOTONIC, shared between threads.

use crate::rt::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// The deviation of CLOCK_MONOTONIC from CLOCK_MONOTONIC_RAW in parts per billion. It is positive
/// if CLOCK_MONOTONIC runs fast. `rate_monitor.rs` of `clockd` measures it in windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// The deviation in the latest window.
    pub ppb: i64,
    /// The largest deviation of all windows, with its sign.
    pub worst_ppb: i64,
    /// Whether the rate is a fault.
    pub is_fault: bool,
}

/// The latest [`Rate`]. The task that measures the rate writes it. The clock loop reads whether it
/// is a fault, and the bus reads the rest.
#[derive(Debug, Default)]
pub struct ClockRate {
    ppb: AtomicI64,
    worst_ppb: AtomicI64,
    windows: AtomicU64,
    is_fault: AtomicBool,
}

impl ClockRate {
    /// Publishes a new rate, and counts one more measured window. Returns whether
    /// [`Rate::is_fault`] has changed. If so, the caller must notify the clock loop.
    pub fn publish(&self, rate: Rate) -> bool {
        self.ppb.store(rate.ppb, Ordering::Relaxed);
        self.worst_ppb.store(rate.worst_ppb, Ordering::Relaxed);
        // The number of windows is increased after the rates are stored, and with Release. So a
        // thread that sees the new number also sees the new rates.
        self.windows.fetch_add(1, Ordering::Release);
        // Relaxed is enough: the loop reads the value in every iteration, and the caller's
        // notification causes another iteration.
        self.is_fault.swap(rate.is_fault, Ordering::Relaxed) != rate.is_fault
    }

    /// How many windows have been measured since the start.
    pub fn windows(&self) -> u64 {
        self.windows.load(Ordering::Acquire)
    }

    /// The deviation in the latest window; `None` before the end of the first one.
    pub fn ppb(&self) -> Option<i64> {
        (self.windows() > 0).then(|| self.ppb.load(Ordering::Relaxed))
    }

    /// The largest deviation since the start, with its sign; `None` before the end of the first
    /// window.
    pub fn worst_ppb(&self) -> Option<i64> {
        (self.windows() > 0).then(|| self.worst_ppb.load(Ordering::Relaxed))
    }

    /// Whether the rate is a fault.
    pub fn is_fault(&self) -> bool {
        self.is_fault.load(Ordering::Relaxed)
    }
}
