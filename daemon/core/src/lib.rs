//! The core of clockd's clock loop, as plain values.
//!
//! [`LoopCore`] turns the edges and levels of the buttons' lines and the arbiter's commands into
//! updates, in the order of their stamps. It contains the debounce, the reordering of late edges,
//! the comparison of levels with edges, the revisions, the judgement of presses that arrive late,
//! the position of a rocker, and the continuation after a restart.
//!
//! The crate has no I/O, no thread, no allocation and no clock: every instant is passed in. It is
//! `no_std`, so the compiler refuses code that would read a clock or a descriptor. The thread
//! around the core, in the crate `clockd-rt`, reads the lines and the time, calls
//! [`LoopCore::advance`], publishes the updates, and waits until the instant that
//! [`LoopCore::wake_at`] returns. All instants ([`Instant`]) are nanoseconds of CLOCK_MONOTONIC.
//!
//! [`Instant`]: clock_engine::Instant

#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

mod button;
mod debounce;
mod loop_core;

pub use button::{Button, Edge, InputKind, LINES, LineReading, QUEUE};
pub use debounce::{Debounce, Decision, MAX_CANDIDATE_AGE, Times};
pub use loop_core::{
    Cause, Counts, Handled, Input, Inputs, LoopCore, LoopRequest, MENU_TIMEOUT, MenuClosed,
    MenuEvent, MenuOpening, MenuPress, MenuRequest, OpenQuestions, Output, PressBeforeFlag,
    PressLength, RELEASE_WITHIN, Refusal, Request, Restart, SHOWN_AFTER, Update, VersionedClock,
    name_of_command,
};

use clock_engine::Span;

/// The time that an edge usually needs at most, from its stamp until it reaches user space: 100 µs.
/// On a loaded machine, less than 70 µs were measured (docs/benchmarks.md). [`LoopCore::advance`]
/// decides nothing newer than `now − EDGE_DELIVERY_WINDOW`.
pub const EDGE_DELIVERY_WINDOW: Span = Span::from_nanos(100_000);
/// How many commands can wait for their answers at the same time. The sender of the commands
/// enforces this limit.
pub const MAX_REQUESTS: usize = 4;

/// A game without a rule profile.
#[cfg(test)]
fn game_without_rules(
    control: clock_engine::Control,
    at: clock_engine::Instant,
) -> clock_engine::rules::Game {
    let session = clock_engine::rules::Session::Unknown;
    let setup = clock_engine::rules::Setup { control, profile: None, session, force: false };
    clock_engine::rules::Game::new(&setup, at).expect("only a profile can refuse a control")
}
