//! The atomic types for the values that the clock loop shares with other threads.
//!
//! `tests/loom` compiles the code of these values a second time with loom's atomic types in place
//! of those of the standard library, and runs it in every order that the memory model allows. Most
//! of these orders never occur on x86, but can occur on ARM.

pub use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
