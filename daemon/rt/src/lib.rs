//! The thread of `clockd`'s clock loop, and what it needs of the system: the buttons' lines
//! ([`gpio`]), the memory that outlives the process ([`retained`]), and the clocks ([`clock`]).
//!
//! [`spawn`] starts the loop. It waits, reads the lines and the requests, lets the core (the crate
//! `clockd_core`) decide, and publishes the updates. The rest of the daemon exchanges values with
//! it over wait-free rings ([`channel`]).
//!
//! The crate contains all code between a press and its decision that the engine and the core do
//! not contain, and nothing of the bus, the record, the configuration and the menu. So it can be
//! compiled for speed, and the crate `clockd`, which is large, for size alone (`profile.release` in
//! the workspace's `Cargo.toml`).

#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod clock;
#[cfg(test)]
#[path = "../../../engine/tests/counting/mod.rs"]
mod counting;
pub mod gpio;
pub mod passed_fds;
#[cfg(test)]
mod residency;
pub mod retained;
mod rt;

pub use rt::{
    BoardChannels, Cause, Checksum, Entry, EntryFrame, EntryLog, FORMAT, Fault, Health, Heartbeat,
    Input, Inputs, LivenessCheck, MAX_ENTRY, MAX_REQUESTS, Note, NotedRequest, OpenQuestions,
    Priority, Rate, Refusal, Request, Restart, RunningLoop, Since, Start, TRACED, Times, Traced,
    Update, VersionedClock, begins_game, channel, enter_realtime, keep_mappings_small,
    name_of_command, release_stack, sets_game, spawn,
};
