//! Tests with `loom` the values that the clock loop shares with other threads: in every
//! interleaving of the threads, and with every value that a load may return under the C11 memory
//! model. The processors of a Raspberry Pi (ARM) reorder loads and stores that x86, on which the
//! other tests usually run, keeps in order.
//!
//! The files of `daemon/rt/src/rt` are compiled a second time, with loom's atomics as `rt::atomic`;
//! those of `daemon/rt/src/retained` with loom's atomics as `memory`. No `--cfg loom` is needed, so
//! nothing else is built twice.
//!
//! | what | how |
//! |---|---|
//! | the heartbeat: wake-ups and state (`heartbeat/progress.rs`) | the code itself |
//! | the clock's rate (`health/clock_rate.rs`) | the code itself |
//! | the rings: push, notify, clear, pop (`channel.rs`) | the order of the calls, on a model of the ring and of the eventfd (`model.rs`) |
//! | the rings of the memory that outlives the daemon (`retained/ring.rs`) | the code itself; its eventfd as above |
//! | a fault that is set outside the loop, or stored before an update | the order of the calls, on the same model |
//!
//! Three things are not covered:
//!
//! - the code of `rtrb`, which cannot be compiled with loom's atomics. The model has the orderings
//!   that `rtrb` uses: each side stores its index with Release, and the other side loads it with
//!   Acquire.
//! - the kernel's eventfd and epoll. In the model, they are an atomic read-modify-write with
//!   AcqRel, because the kernel's lock orders memory in this way.
//! - the other counters of `health.rs`. They are single numbers, and nothing else depends on them.
//!
//! loom cannot show two things. It continues a release sequence with a later relaxed store of the
//! same thread, as C11 does and Rust does not. So it cannot show that `Progress::waits` needs
//! Release, too. In loom, a load never returns a value that is stored after it, which ARM allows.
//! So loom cannot show that the tail of a ring needs Release and Acquire. These keep the writer
//! from writing a word before the reader has finished with it.
//!
//! loom has no time, so a load may return an old value for ever. What must hold "at the latest
//! after some milliseconds" is therefore checked after the threads have been joined.

#![cfg(test)]

mod heartbeat;
mod model;
mod notifications;
mod retained;
pub mod rt;
