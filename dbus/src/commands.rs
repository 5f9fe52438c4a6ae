//! The commands of the arbiter. Their table makes the methods of the service and of [`ArbiterProxy`],
//! the names of all commands, and [`Given`], which is a command with its arguments.

mod table;

pub use crate::argument::{Argument, NAME_LIMIT, NotZero, TEXT_LIMIT, Text};
use crate::argument::{invalid, quoted};
pub use crate::{Corrections, Method, Names, NewGame, OrMinus1, Proposal};
use crate::{Result, one_line};
use clock_engine::Command;
use clock_engine::rules::{Action, Announcement, GameCommand, Penalty};
pub use clock_engine::rules::{
    Attachment, Claimant, Confirmation, Evidence, Ground, IncidentKind, LatePlayers, OfferAnswer,
    PenaltyCause, PenaltyKind, Ruling,
};
use clock_engine::text::ControlFile;
pub use clock_engine::{Caller, Outcome, Side, Span};
use serde::{Deserialize, Serialize};
use zbus::Type;

/// The largest number of half points that the arguments of a penalty may have. No rule profile
/// allows so many; the rule profile of the game sets the actual limit.
const HALF_POINTS_LIMIT: u32 = 1000;
/// The largest size of the text of a control file, in bytes.
pub const FILE_LIMIT: usize = ControlFile::LIMIT;
/// The largest size of an announcement, in bytes.
pub const ANNOUNCEMENT_LIMIT: usize = Announcement::LIMIT;

macro_rules! given {
    ($(
        $(#[$doc:meta])*
        $method:ident $name:literal $function:ident($(
            $(#[$arg_doc:meta])* $arg:ident: $type:ty,
        )*) $(= $made:expr)?;
    )+) => {
        /// The names of all commands, as the causes of transitions, the log and the record have them.
        pub const COMMANDS: &[&str] = &[$($name),+];

        /// A command with its arguments.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Given { $(
            $(#[$doc])*
            $method { $( $(#[$arg_doc])* $arg: $type ),* },
        )+ }

        impl Given {
            /// What the command is for the engine.
            ///
            /// # Errors
            ///
            /// [`Error::InvalidArgument`](crate::Error::InvalidArgument): two arguments contradict each
            /// other, or a text has a form that is not accepted.
            #[expect(unused_variables, reason = "some texts are only for the record")]
            pub fn meaning(&self) -> Result<Meaning> {
                Ok(match self.clone() {
                    $( Given::$method { $($arg),* } => meaning!($method { $($arg),* } $(= $made)?), )+
                })
            }
        }

        /// The interface `org.chessclock.Clock1.Arbiter`.
        #[zbus::proxy(
            interface = "org.chessclock.Clock1.Arbiter",
            default_service = "org.chessclock.Clock1.Arbiter",
            default_path = "/org/chessclock/Clock1"
        )]
        pub trait Arbiter {}

        #[expect(clippy::missing_errors_doc, reason = "the XML says when a command is refused")]
        #[expect(clippy::too_many_arguments, reason = "flat calls, as the XML has them")]
        impl ArbiterProxy<'_> {
            $(
                $(#[$doc])*
                pub async fn $function(
                    &self,
                    $($arg: impl Into<$type>,)*
                    revision: u64,
                    reason: &str,
                ) -> Result<Completed> {
                    self.give(Given::$method { $($arg: $arg.into()),* }, revision, reason).await
                }
            )+

            /// Gives this command for the clock with this revision.
            pub async fn give(
                &self,
                given: Given,
                revision: u64,
                reason: &str,
            ) -> Result<Completed> {
                let bus = self.inner();
                Ok(match given {
                    $( Given::$method { $($arg),* } => {
                        let body = ($($arg.write(),)* revision, reason);
                        bus.call(stringify!($method), &body).await?
                    } )+
                })
            }
        }
    };
}
macro_rules! meaning {
    ($method:ident { $($arg:ident),* } = $made:expr) => { Meaning::Determined($made.into()) };
    ($method:ident { $($arg:ident),* }) => { Meaning::ByService(ByService::$method { $($arg),* }) };
}
crate::with_commands!(given);

/// What a command is for the engine.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one of them at a time is on its way to the clock")]
pub enum Meaning {
    /// The arguments determine the engine's command.
    Determined(GameCommand),
    /// The service makes the engine's command.
    ByService(ByService),
}

// Takes the rows one by one, and keeps those without the engine's command.
macro_rules! by_service {
    (@kept $({ $($kept:tt)* })*) => {
        /// The commands whose arguments do not determine the engine's command.
        #[derive(Clone, Debug, PartialEq)]
        pub enum ByService { $($($kept)*),* }
    };
    (
        @kept $({ $($kept:tt)* })*
        $(#[$doc:meta])* $method:ident $name:literal $function:ident($($args:tt)*) = $made:expr; $($rows:tt)*
    ) => {
        by_service! { @kept $({ $($kept)* })* $($rows)* }
    };
    (
        @kept $({ $($kept:tt)* })*
        $(#[$doc:meta])* $method:ident $name:literal $function:ident($($args:tt)*); $($rows:tt)*
    ) => {
        by_service! { @kept $({ $($kept)* })* { $(#[$doc])* $method { $($args)* } } $($rows)* }
    };
    ($($rows:tt)+) => { by_service! { @kept $($rows)+ } };
}
crate::with_commands!(by_service);

/// A ruling. A ruling on a late arrival names the late players.
fn ruled(ruling: Ruling, side: Option<LatePlayers>, award: Option<Span>) -> Result<Action> {
    if ruling.is_on_lateness() && side.is_none() {
        return Err(invalid(format!(
            "side is empty with the ruling {ruling}; expected white, black or both"
        )));
    }
    Ok(Action::Rule { ruling, side, award })
}

/// A penalty. It has a time of 0 if its kind gives or takes no time, and no points if its kind has
/// none.
fn penalty(penalty: Penalty) -> Result<Action> {
    let Penalty { kind, time, half_points, .. } = penalty;
    if !kind.has_time() && !time.is_zero() {
        let nsec = time.as_nanos();
        return Err(invalid(format!("time_nsec = {nsec} with the kind {kind}; expected 0")));
    }
    match (kind.has_points(), half_points) {
        (false, 1..) => {
            Err(invalid(format!("half_points = {half_points} with the kind {kind}; expected 0")))
        }
        (_, 0..=HALF_POINTS_LIMIT) => Ok(Action::Penalize(penalty)),
        _ => Err(invalid(format!(
            "half_points = {half_points}; expected at most {HALF_POINTS_LIMIT}"
        ))),
    }
}

fn attachment(
    kind: Attachment,
    text: &Text<TEXT_LIMIT>,
    verified_by: Option<Side>,
) -> Result<Action> {
    match text.0.trim() {
        "" => Err(invalid("text is empty; expected what is attached")),
        _ => Ok(Action::RecordAttachment { kind, verified_by }),
    }
}

/// The time method with this time for each move. The time must be 0 for `none`, and at least 1 ns for
/// each other word.
fn time_method(method: Method, amount: Span) -> Result<clock_engine::Method> {
    use clock_engine::Method as Engine;
    let (word, nsec) = (method.as_str(), amount.as_nanos());
    match (method, amount.is_zero()) {
        (Method::None, true) => Ok(Engine::None),
        (Method::None, false) => {
            Err(invalid(format!("amount_nsec = {nsec} with the method none; expected 0")))
        }
        (_, true) => {
            Err(invalid(format!("amount_nsec = 0 with the method {word}; expected 1 or more")))
        }
        (Method::Increment, _) => Ok(Engine::Increment(amount)),
        (Method::Delay, _) => Ok(Engine::Delay(amount)),
        (Method::Bronstein, _) => Ok(Engine::Bronstein(amount)),
    }
}

/// An announcement; `None` for the empty text, which takes an announcement back.
fn announcement(text: &Text<ANNOUNCEMENT_LIMIT>) -> Result<Option<Announcement>> {
    if text.0.is_empty() {
        return Ok(None);
    }
    match Announcement::new(&text.0).filter(|_| one_line(&text.0) == text.0) {
        Some(announcement) => Ok(Some(announcement)),
        None => Err(invalid(format!(
            "text = {}; expected one line, with single blanks between words, and without characters \
             that control a terminal or the direction of text",
            quoted(&text.0)
        ))),
    }
}

/// A command that was carried out: what each method of the arbiter's interface returns.
#[derive(Clone, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Completed {
    /// The revision after the command.
    pub revision: u64,
    /// Whether the entry of the command was on record when the service answered. The service waits
    /// for the entry for at most 500 ms; it does not wait if no record is kept, or if 16 answers
    /// wait already. If the value is `false`, the command was carried out all the same, but its
    /// entry can be lost, for example by a power cut.
    pub recorded: bool,
    /// What the command did, in a sentence that the log and the record have, too.
    pub report: String,
}
