//! The pure chess clock: time controls, flags, the rules of whose clock runs, in exact integer
//! nanoseconds.
//!
//! Instants come from outside (the kernel's edge timestamp, the caller's monotonic clock) and are
//! passed to every call. Between calls nothing changes the clock.
//!
//! ```
//! use clock_engine::{Clock, Control, Instant, Method, PerSide, Period, Side, Span};
//!
//! let increment = Method::Increment(Span::from_secs(3));
//! let five_plus_three = Control::single(Span::from_secs(300), increment);
//! let mut clock = Clock::new(five_plus_three, Instant::ZERO);
//! assert_eq!(clock.view(Instant::ZERO).sides[Side::White].remaining, Span::from_secs(303));
//!
//! clock.handle_press(Side::Black, Instant::from_nanos(0))?; // Black starts White's clock
//! clock.handle_press(Side::White, Instant::from_nanos(2_000_000_000))?;
//! let white = clock.view(Instant::from_nanos(2_000_000_000)).sides[Side::White];
//! assert_eq!((white.remaining, white.moves), (Span::from_secs(304), 1));
//! # Ok::<(), clock_engine::Refused>(())
//! ```
//!
//! How to drive it: call [`Clock::handle_timeout`] when [`Clock::poll_timeout`] is due, hand in
//! presses and commands in the order of their stamps, and take what happened from
//! [`Clock::poll_event`]. A call may come late: what was due earlier is decided first, at its own
//! exact instant.
//!
//! A game that has to go on after a restart: [`rules::Game`] and its commands are data with the
//! feature `serde`. Written to JSON or to a format that is not self-describing, such as postcard,
//! and read back, they are the same; what would break a rule of the clock later is refused when it
//! is read. Instants belong to one boot of the machine: after a power cut,
//! [`rules::Game::handle_power_cut`] pauses the game at the last instant that is known and moves it
//! to the axis of the new boot. An [`EarlierClock`] is a state to which the arbiter can restore the
//! clock.
//!
//! Absent on purpose: I/O, threads, logging, a clock of its own, floating-point numbers, and any
//! allocation (a [`Clock`] is a plain value of fixed size). The `text` feature adds control files
//! and durations as people write them, and needs an allocator.

#![cfg_attr(not(any(test, feature = "text")), no_std)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc)]

mod axis;
mod clock;
mod command;
mod control;
mod event;
mod refused;
pub mod rules;
mod side;
#[cfg(feature = "text")]
pub mod text;
mod time;
mod view;

pub use clock::{Clock, EarlierClock};
pub use command::{Caller, Command, Correction, Outcome};
pub use control::{
    Advance, AfterFlag, Control, ControlError, MAX_PERIODS, MIN_SLICE, Method, Overtime, Period,
    Terms,
};
pub use event::{Event, EventKind, MAX_EVENTS};
pub use refused::{OvertimeUnit, Reading, Refused};
pub use side::{PerSide, Side};
pub use time::{Instant, MAX_GIVEN, Span};
pub use view::{Counting, OvertimeLeft, PausedBy, Phase, SideView, View};
