//! The D-Bus interface of the chess clock: what other programs depend on.
//!
//! The specification is the XML beside this crate, [`INTERFACE_XML`]; the daemon's live
//! introspection is compared with it in the tests. Here stand the names, the wire types, the
//! errors and the client proxies.
//!
//! Nothing on this bus ticks. [`State`] says what a clock showed at one instant of the clock
//! machine's `CLOCK_MONOTONIC` and which side runs; [`State::at`] works out any later instant.
//!
//! Absent on purpose: a method that presses a button (the players' buttons are hardware), and a
//! time-out of its own (set one on the connection: zbus has none by default).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod error;
mod fault;
mod proxy;
mod state;
mod text;

pub use error::{Error, Result};
pub use fault::{Fault, FaultCode, PausedBy};
pub use proxy::{
    ArbiterProxy, ClockProxy, FaultsChangedArgs, FaultsChangedStream, HealthProxy, TransitionArgs,
    TransitionStream,
};
pub use state::{
    Changes, Corrections, Counting, NewGame, OvertimeLeft, Phase, SideState, State, Timebase, Who,
};
pub use text::{face_text, one_line};

/// The well-known bus name of the clock service.
pub const SERVICE: &str = "org.chessclock.Clock1";
/// The one object of the service.
pub const PATH: &str = "/org/chessclock/Clock1";
/// The interface anyone may read.
pub const CLOCK_INTERFACE: &str = "org.chessclock.Clock1";
/// The interface of the arbiter's commands (bus policy: group `arbiter`).
pub const ARBITER_INTERFACE: &str = "org.chessclock.Clock1.Arbiter";
/// The interface that says whether the clock can be trusted.
pub const HEALTH_INTERFACE: &str = "org.chessclock.Clock1.Health";
/// The specification of all interfaces, in D-Bus introspection format.
pub const INTERFACE_XML: &str = include_str!("../org.chessclock.Clock1.xml");
/// How long a client waits for an answer before it says so; zbus waits for ever.
pub const METHOD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);
