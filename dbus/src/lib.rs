//! The D-Bus interface of the chess clock, for every program that talks to it.
//!
//! The XML beside this crate, [`INTERFACE_XML`], is the specification. It is made from the tables in
//! this crate and from a template; a test compares the service's introspection data with it. This crate contains the names, the
//! wire types, the errors, the client proxies, and [`Follower`], which gives a client every state
//! once and in order.
//!
//! No signal is sent while a clock runs and nothing else happens. [`State`] says what the clock
//! showed at one instant, and whose clock runs; [`State::at`] computes what it shows at a later
//! instant if nothing else has happened by then.
//!
//! The crate leaves out two things on purpose. It has no method that presses a button, because the
//! players' buttons are hardware. It sets no timeout for calls: the caller sets one on its
//! connection, because zbus has none by default. The programs of this project set
//! [`METHOD_TIMEOUT`].
//!
//! # Example
//!
//! Shows White's time, and then stops the clocks for the arbiter.
//!
//! ```no_run
//! use clock_dbus::{ArbiterProxy, ClockProxy, Error, METHOD_TIMEOUT, Phase, Side, face_text};
//!
//! async fn pause() -> clock_dbus::Result<()> {
//!     let bus = zbus::connection::Builder::system().method_timeout(METHOD_TIMEOUT);
//!     let bus = bus.build().await?;
//!     let clock = ClockProxy::new(&bus).await?;
//!     let state = clock.get_state().await?;
//!     // The clock has run on since the latest change.
//!     let now = clock.get_timebase().await?.monotonic_nsec;
//!     let white = state.at(now).white;
//!     println!("White has {}", face_text(white.remaining_nsec));
//!     if let Some(fell_at) = white.flag_nsec {
//!         println!("White's flag fell {} ms ago", now.saturating_sub(fell_at) / 1_000_000);
//!     }
//!     if state.phase == Phase::Running {
//!         let arbiter = ArbiterProxy::new(&bus).await?;
//!         match arbiter.pause(None, state.revision, "a phone rang").await {
//!             Ok(done) => println!("paused; the revision is now {}", done.revision),
//!             // A flag fell, for example. Read the state again before another command is given.
//!             Err(Error::StaleRevision(message)) => eprintln!("not paused: {message}"),
//!             Err(error) => return Err(error),
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Units and clocks
//!
//! Every time and every instant is a whole number of nanoseconds, and its name ends in `nsec`. An
//! instant is a reading of `CLOCK_MONOTONIC` of the machine that the service runs on, not of the
//! client's machine. Instants of different boots cannot be compared. [`Timebase`] contains readings
//! of that clock and of the wall clock (`CLOCK_REALTIME`), taken together, and the identifier of
//! the boot. Only names with `realtime` are instants of the wall clock.
//!
//! # Absent values
//!
//! D-Bus has no empty value. An absent number in a [`State`], an [`Answer`], a [`MenuPage`] or a
//! [`MenuSettings`] is `None`, and -1 on the wire. The argument `award_nsec` of the methods
//! `Rule` and `IllegalMove` is an [`OrMinus1`]. The empty string, or [`Who::Nobody`], stands
//! for an absent name, word or side; an argument of a command is then `None`. A number that says by how much a time changes (`delta_nsec`)
//! can be negative, and is never absent. In the dictionaries [`NewGame`], [`Corrections`] and
//! [`Proposal`] an absent key is `None`.
//!
//! # Errors
//!
//! A method that fails returns [`Error`]. Each variant except [`Error::ZBus`] is an error of the
//! service. A call that returns one of these errors has changed nothing. [`Error::TimedOut`] is the
//! exception: it is unknown whether the call has changed anything. The message is one line in
//! English for people, and says what was given and what is accepted. [`Error::ZBus`] is an error of
//! the bus: the service is not there (`ServiceUnknown`), the bus does not allow the call
//! (`AccessDenied`), or no answer came in time. After a missing answer it is unknown whether a
//! command was carried out: read the state again, and compare its revision.
//!
//! A later version of the service can add properties, which this version ignores in a [`State`], and
//! words. A word that this version does not know is read as the default of its enumeration, such as
//! [`Who::Nobody`], or as `None`. The words of [`Phase`] and of [`Counting`] do not change: without
//! them a client cannot compute the times.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod absent;
pub mod argument;
mod button_test;
pub mod commands;
mod dictionary;
mod error;
mod fault;
mod follow;
mod health;
mod menu;
mod properties;
mod proxy;
mod question;
mod recorded;
mod signal;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod version;
mod words;

pub use absent::OrMinus1;
pub use button_test::{TestEnd, TestReadings, TestedBoard, TestedButton, TestedEdge, TestedPress};
pub use clock_engine::rules::{LatePlayers, QuestionKind, QuestionProgress, Ruling};
pub use clock_engine::{Counting, OvertimeLeft, Phase, Side};
pub use clock_languages::Language;
pub use commands::{ArbiterProxy, COMMANDS, Completed, Given};
pub use dictionary::{Corrections, ImportedFrom, Names, NewGame, Proposal, STATE_LIMIT};
pub use error::{Error, Result};
pub use fault::{Fault, FaultCode, PausedBy};
pub use follow::{Followed, Follower};
pub use health::{DigitHeight, HealthProperties};
pub use menu::{MenuButton, MenuHint, MenuPage, MenuProperties, MenuSettings, MenuState};
pub use proxy::{
    ButtonTestProxy, ClockProxy, FaultListChangedArgs, FaultListChangedStream, HealthProxy,
    HistoryProxy, MenuProxy, TransitionArgs, TransitionStream,
};
pub use question::{Answer, ClaimState, Question};
pub use recorded::{RecordedEvent, RecordedSide, RecordedState};
pub use signal::{Argument, FurtherSignal};
pub use state::{Changes, INSTANTS, SideState, State, Timebase};
pub use text::{face_has_letters, face_text, one_line};
pub use version::version;
pub use words::{Method, Who};

/// The well-known bus name of the clock service.
pub const SERVICE: &str = "org.chessclock.Clock1";
/// A second well-known bus name of the service, with the same object and interfaces. The bus policy
/// lets only members of the group `arbiter` send to it, so no other user can fill its queue on the
/// bus. A program that gives commands sends them to this name, and also the reads that it makes
/// before a command.
pub const ARBITER_SERVICE: &str = "org.chessclock.Clock1.Arbiter";
/// The path of the object with all interfaces.
pub const PATH: &str = "/org/chessclock/Clock1";
/// The path of a second object, which has [`CLOCK_INTERFACE`] and [`ARBITER_INTERFACE`]. Its commands
/// are not carried out, but played on a copy of the clock that belongs to the caller's connection,
/// and it answers with the state of that copy.
pub const DRY_RUN_PATH: &str = "/org/chessclock/Clock1/DryRun";
/// The interface of the clock's state, which anyone may read.
pub const CLOCK_INTERFACE: &str = "org.chessclock.Clock1";
/// The interface of the arbiter's commands. The bus policy lets only members of the group `arbiter`
/// call its methods.
pub const ARBITER_INTERFACE: &str = "org.chessclock.Clock1.Arbiter";
/// The interface of the record of the games, which anyone may read.
pub const HISTORY_INTERFACE: &str = "org.chessclock.Clock1.History";
/// The interface that reports whether the clock can be trusted.
pub const HEALTH_INTERFACE: &str = "org.chessclock.Clock1.Health";
/// The interface of the menu at the clock, which anyone may read.
pub const MENU_INTERFACE: &str = "org.chessclock.Clock1.Menu";
/// The interface of the test of the buttons. The bus policy lets only the group `arbiter` and root
/// call its methods.
pub const BUTTON_TEST_INTERFACE: &str = "org.chessclock.Clock1.ButtonTest";
/// The specification of all interfaces, in D-Bus introspection format.
pub const INTERFACE_XML: &str = include_str!("../org.chessclock.Clock1.xml");
/// How long the programs of this project wait for an answer. The service itself answers
/// [`Error::TimedOut`] after 3 s. Without a timeout zbus waits for ever.
pub const METHOD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);
