//! The chess clock without any I/O: time controls, flags, and the rules that decide whose clock
//! runs, in exact integer nanoseconds.
//!
//! Instants come from outside (the kernel's edge timestamp, the caller's monotonic clock) and are
//! passed to every call. Between calls nothing changes the clock. The module [`rules`] adds rule
//! profiles, claims, rulings and penalties.
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
//! To use a [`Clock`], call [`Clock::handle_timeout`] when [`Clock::poll_timeout`] is due, hand in
//! presses and commands in the order of their stamps, and take what happened from
//! [`Clock::poll_event`]. A call may come late: everything that was due earlier is decided first,
//! each at its own exact instant.
//!
//! [`rules::Game`] and its commands can be serialised, so that a game can go on after a restart. They
//! are read back unchanged from JSON and from formats that are not self-describing, such as
//! postcard. Data that would break a rule of the clock later are refused when they are read. Instants
//! belong to one boot of the machine: after a power cut, [`rules::Game::handle_power_cut`] pauses the
//! game at the last known instant and moves it to the axis of the new boot. An [`EarlierClock`] is a
//! state to which the arbiter can restore the clock.
//!
//! The crate deliberately has no I/O, no threads, no logging, no clock of its own, no
//! floating-point numbers and no allocation (a [`Clock`] is a plain value of fixed size). The
//! `text` feature adds control files and durations as people write them, and needs an allocator.

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
mod words;

pub(crate) use clock::ClockState;
pub use clock::{
    Clock, EarlierClock, Recompute, ReplayedTurns, TurnEvent, TurnEvents, UnknownTurns,
};
pub use command::{Caller, Command, Correction, Outcome};
pub use control::{
    AfterFlag, Control, ControlError, MAX_PERIODS, MIN_SLICE, Method, Overtime, Period, PeriodEnd,
    Terms,
};
pub use event::{Event, EventKind, MAX_EVENTS};
pub use refused::{ControlUnfit, OvertimeUnit, Reading, Refused};
pub use side::{PerSide, Side};
pub use time::{Instant, MAX_GIVEN, ShownTime, Span};
pub use view::{Counting, OvertimeLeft, PausedBy, Phase, SideView, View};
pub use words::Word;
