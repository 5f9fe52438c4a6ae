//! The D-Bus interface of the chess clock, for every program that talks to it.
//!
//! The XML beside this crate, [`INTERFACE_XML`], is the specification; a test compares the service's
//! introspection data with it. This crate contains the names, the wire types, the errors, the client
//! proxies, and [`Follower`], which gives a client every state once and in order.
//!
//! No signal is sent while a clock only runs. [`State`] says what the clock showed at one instant of
//! `CLOCK_MONOTONIC` on the machine of the service, and which side runs; [`State::at`] computes what
//! it shows at any later instant.
//!
//! Two things are absent on purpose: a method that presses a button, because the players' buttons
//! are hardware, and a timeout of calls, which the caller sets on its connection (zbus has none by
//! default).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod completed;
mod dictionary;
mod digit_height;
mod error;
mod fault;
mod follow;
mod proxy;
mod question;
mod signal;
mod state;
mod text;

pub use completed::Completed;
pub use dictionary::{Corrections, NewGame, Proposal, ReadAs, Source};
pub use digit_height::DigitHeight;
pub use error::{Error, Result};
pub use fault::{Fault, FaultCode, PausedBy};
pub use follow::{Followed, Follower};
pub use proxy::{
    ArbiterProxy, ClockProxy, FaultListChangedArgs, FaultListChangedStream, HealthProxy,
    HistoryProxy, TransitionArgs, TransitionStream,
};
pub use question::{Answer, AnswerMethod, ClaimState, Question, QuestionKind};
pub use signal::{Argument, FurtherSignal};
pub use state::{Changes, Counting, OvertimeLeft, Phase, SideState, State, Timebase, Who};
pub use text::{face_text, one_line};

/// The well-known bus name of the clock service.
pub const SERVICE: &str = "org.chessclock.Clock1";
/// The one object of the service.
pub const PATH: &str = "/org/chessclock/Clock1";
/// The interface anyone may read.
pub const CLOCK_INTERFACE: &str = "org.chessclock.Clock1";
/// The interface of the arbiter's commands (bus policy: group `arbiter`).
pub const ARBITER_INTERFACE: &str = "org.chessclock.Clock1.Arbiter";
/// The interface of the record of the games, which anyone may read.
pub const HISTORY_INTERFACE: &str = "org.chessclock.Clock1.History";
/// The interface that reports whether the clock can be trusted.
pub const HEALTH_INTERFACE: &str = "org.chessclock.Clock1.Health";
/// The specification of all interfaces, in D-Bus introspection format.
pub const INTERFACE_XML: &str = include_str!("../org.chessclock.Clock1.xml");
/// How long our clients wait for an answer. Without a timeout zbus waits for ever.
pub const METHOD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);
