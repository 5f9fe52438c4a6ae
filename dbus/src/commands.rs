//! The commands of the arbiter, one row each. The table makes the methods of the service and of
//! [`ArbiterProxy`], the names of all commands, and [`Given`], which is a command with its arguments.

pub use crate::argument::{Argument, NAME_LIMIT, NotZero, TEXT_LIMIT, Text};
use crate::argument::{invalid, quoted};
use crate::{Completed, Result, one_line};
pub use crate::{Corrections, Method, Names, NewGame, OrMinus1, Proposal};
use clock_engine::Command;
use clock_engine::rules::{Action, Announcement, GameCommand, Penalty};
pub use clock_engine::rules::{
    Attachment, Claimant, Confirmation, Evidence, Ground, IncidentKind, LatePlayers, OfferAnswer,
    PenaltyCause, PenaltyKind, Ruling,
};
use clock_engine::text::ControlFile;
pub use clock_engine::{Caller, Outcome, Side, Span};

/// The largest number of half points that the arguments of a penalty may have. No rule profile
/// allows so many; the rule profile of the game sets the actual limit.
const HALF_POINTS_LIMIT: u32 = 1000;
/// The largest size of the text of a control file, in bytes.
pub const FILE_LIMIT: usize = ControlFile::LIMIT;
/// The largest size of an announcement, in bytes.
pub const ANNOUNCEMENT_LIMIT: usize = Announcement::LIMIT;

/// Passes all commands to the macro `$then`. A row is `Method "name" function(arguments)`: the method on the
/// bus, the name in the log and in the record, and the function of [`ArbiterProxy`]. After `=` is the engine's
/// command that the arguments alone determine; the service makes the others from the record, the library or
/// the names of the game.
///
/// The types in the rows are those that this module exports.
#[macro_export]
macro_rules! with_commands {
    ($then:ident) => {
        $then! {
            /// Starts White's clock.
            Start "start" start() = Command::Start;
            /// Stops both clocks.
            Pause "pause" pause(by: Option<Caller>)
                = Command::Pause { by: by.unwrap_or(Caller::Arbiter) };
            /// Starts a clock again.
            Resume "resume" resume(side: Option<Side>) = Command::Resume { side };
            /// Sets the clock up for a new game.
            New "new" new_game(game: NewGame);
            /// Corrects times, counters, periods and the side on move.
            Set "set" set(corrections: Corrections);
            /// Gives main time to a side or takes it.
            AddTime "add" add_time(side: Side, delta_nsec: NotZero)
                = Command::AddTime { side, delta_ns: delta_nsec.0 };
            /// Takes back the last completed move.
            UndoPress "undo-press" undo_press() = Command::UndoPress;
            /// Ends the game.
            Result "result" result(result: Outcome);
            /// Takes the result back.
            Reopen "reopen" reopen() = Command::Reopen;
            /// Calls the flags that are down.
            ClaimFlag "claim-flag" claim_flag(by: Claimant, evidence: Evidence)
                = Action::ClaimFlag { by, evidence };
            /// A player claims a draw.
            ClaimDraw "claim-draw" claim_draw(by: Claimant, ground: Ground, stop: bool, offer: Option<OfferAnswer>)
                = Action::ClaimDraw { by, ground, stop, offer };
            /// A player requests an increment.
            RequestIncrement "request-increment" request_increment(by: Claimant)
                = Action::RequestIncrement { by };
            /// Rules on an open question, or enters the opponent's answer to a draw offer.
            Rule "rule" rule(ruling: Ruling, side: Option<LatePlayers>, award_nsec: OrMinus1<Option<Span>>)
                = ruled(ruling, side, award_nsec.0)?;
            /// Applies a penalty.
            Penalize "penalize" penalize(
                side: Side, kind: PenaltyKind, time_nsec: Span, half_points: u32, cause: Option<PenaltyCause>
            ) = penalty(Penalty { side, kind, time: time_nsec, half_points, cause })?;
            /// The last completed move was illegal.
            IllegalMove "illegal-move" illegal_move(side: Side, claimed: bool, award_nsec: OrMinus1<Option<Span>>)
                = Action::IllegalMove { side, claimed, award: award_nsec.0 };
            /// A player has arrived at the board.
            Arrive "arrive" arrive(side: Side) = Action::Arrive(side);
            /// A player confirms something that needs both players.
            RecordConfirmation "record-confirmation" record_confirmation(by: Side, what: Option<Confirmation>)
                = Action::Confirm { by, what };
            /// Sends a claim to the designated arbiter.
            Refer "refer" refer() = Action::Refer;
            /// Attaches something to the record of the game.
            RecordAttachment "record-attachment" record_attachment(
                kind: Attachment, text: Text<TEXT_LIMIT>, verified_by: Option<Side>
            ) = attachment(kind, &text, verified_by)?;
            /// Notes that an assistant presses the clock for a player.
            SetAssistant "set-assistant" set_assistant(side: Side, accepted: bool)
                = Action::Assistant { side, accepted };
            /// Notes an incident.
            Incident "incident" incident(side: Side, kind: IncidentKind)
                = Action::Incident { side, kind };
            /// Adjourns the game.
            Adjourn "adjourn" adjourn(side: Side, sealed_move: Text<TEXT_LIMIT>)
                = Action::Adjourn { side };
            /// Takes an adjourned game up again.
            ResumeAdjourned "resume-adjourned" resume_adjourned(game: u64);
            /// Changes the increment or the delay for the rest of the game.
            ChangeMethod "change-method" change_method(method: Method, amount_nsec: Span, schedule_suffers: bool)
                = Action::ChangeMethod { method: time_method(method, amount_nsec)?, schedule_suffers };
            /// Changes the rule profile of the game.
            SetRules "set-rules" set_rules(rules: Text<NAME_LIMIT>);
            /// Replaces the time control.
            ChangeTimeControl "change-time-control" change_time_control(
                time_control: Text<NAME_LIMIT>, time_control_file: Text<FILE_LIMIT>, recompute: bool,
                schedule_suffers: bool
            );
            /// Decides which button is White's.
            SetButtons "set-buttons" set_buttons(exchanged: bool)
                = GameCommand::ExchangeButtons(exchanged);
            /// Tells the players something.
            Announce "announce" announce(text: Text<ANNOUNCEMENT_LIMIT>)
                = GameCommand::Announce(announcement(&text)?);
            /// Corrects names of the game on the clock.
            SetNames "set-names" set_names(names: Names);
            /// Sets the clock back to what it was right after an entry.
            Rewind "rewind" rewind(entry: u64);
            /// Takes over a game from another clock.
            Import "import" import(proposal: Proposal);
        }
    };
}

macro_rules! given {
    ($(
        $(#[$doc:meta])*
        $method:ident $name:literal $function:ident($($arg:ident: $type:ty),*) $(= $made:expr)?;
    )+) => {
        /// The names of all commands, as the causes of transitions, the log and the record have them.
        pub const COMMANDS: &[&str] = &[$($name),+];

        /// A command with its arguments.
        #[derive(Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "the XML documents each argument")]
        pub enum Given { $( $(#[$doc])* $method { $($arg: $type),* }, )+ }

        impl Given {
            /// The engine's command; `None` if the arguments alone do not determine it.
            ///
            /// # Errors
            ///
            /// [`Error::InvalidArgument`](crate::Error::InvalidArgument): two arguments contradict each
            /// other, or a text has a form that is not accepted.
            #[expect(unused_variables, reason = "some texts are only for the record")]
            pub fn command(&self) -> Result<Option<GameCommand>> {
                Ok(match self.clone() {
                    $( given!(@pattern $method $($arg)* $(= $made)?) => given!(@made $($made)?), )+
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
    (@pattern $method:ident $($arg:ident)* = $made:expr) => { Given::$method { $($arg),* } };
    (@pattern $method:ident $($arg:ident)*) => { Given::$method { .. } };
    (@made $made:expr) => { Some($made.into()) };
    (@made) => { None };
}
with_commands!(given);

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
        _ => Ok(Action::Attach { kind, verified_by }),
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
