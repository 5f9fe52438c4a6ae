//! The atomics of the values that the clock loop shares with other threads.
//!
//! `tests/loom` compiles these values a second time with loom's atomics in place of these, and runs
//! them in every order that the memory model allows. x86 hides most of these orders; ARM shows
//! them.

pub use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
