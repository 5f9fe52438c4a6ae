//! Why a verb failed: an exit code and a code for scripts, and a sentence for people.

mod from_bus;

use std::{fmt, io};

use clock_dbus::METHOD_TIMEOUT;
use clock_engine::text::plain_system_errors;

/// The code of a refusal because the record has no such game, entry or move.
pub const NOT_FOUND: &str = "not-found";

/// Where a clock service is missing. The answer differs: an arbiter at a laptop has named no clock, and
/// one in the hall has no shell on the clock's machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// On the bus that the command line names; also where nothing else is known.
    #[default]
    Bus,
    /// On this machine, because the command line names no clock.
    Here,
    /// On another machine.
    Host,
}

/// Why a verb could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The command line, or a file that it names, is wrong.
    Usage(String),
    /// No clock service is on the bus.
    NoService(Place),
    /// The clock service left before it answered.
    ServiceGone,
    /// The bus or the service denies the call. The text is the message of the denial. It is empty
    /// if that message would not help the user.
    Denied(String),
    /// The clock refuses the command. `code` is the error's name in kebab case, `message` the
    /// clock's text.
    Refused { code: String, message: String },
    /// Neither the service nor the bus answered in time.
    Timeout,
    /// The service answered, but its clock loop did not answer the service.
    ClockTimeout(String),
    /// The bus accepted the connection and then did not answer.
    BusSilent { bus: String },
    /// The bus cannot be reached.
    NoBus {
        bus: String,
        why: String,
        /// Whether there is nothing at the address.
        is_missing: bool,
    },
    /// `ssh` cannot reach the other machine, or the other machine has no bus for it.
    NoHost { host: String, why: String },
    /// The connection broke.
    Lost(String),
    /// The clock or the bus gave an answer that this tool does not understand.
    Protocol(String),
    /// The service lacks something that this tool needs, such as a method or a field of the state.
    /// The command was not carried out.
    OlderService(String),
    /// Some checked files cannot be used. Each one has been reported already.
    FilesWrong(String),
    /// A script had malformed lines. The answer to each one has already said why it is malformed.
    MalformedScript,
    /// The clock or its record was read and printed, but something is wrong with it: the clock has
    /// a fault, or the record was changed.
    NotInOrder(String),
    /// The user was asked and did not agree.
    NotAgreed(String),
    /// Standard output cannot be written.
    Output(io::Error),
    /// No USB stick is connected, several are connected, or the stick cannot be used.
    Stick { code: &'static str, message: String },
    /// A backup cannot be loaded. Nothing was changed.
    NotLoaded { code: &'static str, message: String },
    /// A backup could not be written completely, and the incomplete file was removed; or not all of a
    /// backup or of a set-up file could be taken over.
    Incomplete { code: &'static str, message: String },
}

impl Failure {
    /// The code of this error in the JSON output, and the exit code of the program.
    pub fn codes_of(error: &anyhow::Error) -> (&str, u8) {
        match error.downcast_ref::<Failure>() {
            Some(failure) => (failure.code(), failure.exit()),
            None => ("internal", 1),
        }
    }

    /// Whether the verb has printed its whole answer before it failed with this error. The answer is one
    /// line for each line of the script, the result for each checked file, or the findings or the record
    /// that are not in order. No error object may follow such an answer.
    pub fn has_answer(error: &anyhow::Error) -> bool {
        use Failure::{FilesWrong, MalformedScript, NotInOrder};
        matches!(error.downcast_ref(), Some(MalformedScript | FilesWrong(_) | NotInOrder(_)))
    }

    /// Whether the record has no such game, entry or move. After every other failure of a read, it is
    /// not known what is on record.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Failure::Refused { code, .. } if code == NOT_FOUND)
    }

    /// Enters into the failure where the clock of this run was looked for.
    pub fn look_at(error: &mut anyhow::Error, looked_at: Place) {
        if let Some(Failure::NoService(place)) = error.downcast_mut() {
            *place = looked_at;
        }
    }

    /// The exit code. Scripts rely on it.
    pub fn exit(&self) -> u8 {
        match self {
            Failure::Output(_)
            | Failure::MalformedScript
            | Failure::NotAgreed(_)
            | Failure::Incomplete { .. } => 1,
            Failure::Usage(_)
            | Failure::FilesWrong(_)
            | Failure::Stick { .. }
            | Failure::NotLoaded { .. } => 2,
            Failure::NoService(_) | Failure::ServiceGone => 3,
            Failure::Denied(_) => 4,
            Failure::Refused { .. } => 5,
            Failure::Timeout | Failure::ClockTimeout(_) | Failure::BusSilent { .. } => 6,
            Failure::NoBus { .. }
            | Failure::NoHost { .. }
            | Failure::Lost(_)
            | Failure::Protocol(_)
            | Failure::OlderService(_) => 7,
            Failure::NotInOrder(_) => 8,
        }
    }

    /// The code of the failure in the JSON output. Scripts rely on it.
    pub fn code(&self) -> &str {
        match self {
            Failure::Usage(_) => "usage",
            Failure::FilesWrong(_) => "files-wrong",
            Failure::NoService(_) => "no-service",
            Failure::ServiceGone => "service-gone",
            Failure::Denied(_) => "denied",
            Failure::Refused { code, .. } => code,
            Failure::Stick { code, .. }
            | Failure::NotLoaded { code, .. }
            | Failure::Incomplete { code, .. } => code,
            Failure::Timeout => "timeout",
            Failure::ClockTimeout(_) => "timed-out",
            Failure::BusSilent { .. } => "bus-silent",
            Failure::NoBus { .. } => "no-bus",
            Failure::NoHost { .. } => "no-host",
            Failure::Lost(_) => "connection-lost",
            Failure::Protocol(_) => "protocol",
            Failure::OlderService(_) => "older-service",
            Failure::MalformedScript => "malformed-script",
            Failure::NotInOrder(_) => "not-in-order",
            Failure::NotAgreed(_) => "not-agreed",
            Failure::Output(_) => "output",
        }
    }

    /// Whether it is possible that the command was carried out in spite of this failure.
    pub fn leaves_in_doubt(&self) -> bool {
        matches!(
            self,
            Failure::ServiceGone
                | Failure::Timeout
                | Failure::ClockTimeout(_)
                | Failure::Lost(_)
                | Failure::Protocol(_)
        )
    }
}

impl std::error::Error for Failure {}

/// The message, in which the errors of the operating system are in plain words.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_message(&mut text)?;
        f.write_str(&plain_system_errors(&text))
    }
}

impl Failure {
    fn write_message(&self, f: &mut impl fmt::Write) -> fmt::Result {
        let seconds = METHOD_TIMEOUT.as_secs();
        match self {
            Failure::Usage(message)
            | Failure::Stick { message, .. }
            | Failure::NotLoaded { message, .. }
            | Failure::Incomplete { message, .. }
            | Failure::FilesWrong(message)
            | Failure::NotAgreed(message)
            | Failure::NotInOrder(message) => f.write_str(message),
            Failure::NoService(place) => f.write_str(match place {
                Place::Here => {
                    "there is no clock on this machine: name one with -H HOST or --hall FILE; on the \
                     clock itself systemctl status clockd says why"
                }
                Place::Bus => {
                    "no clock service on this bus: is clockd running? (systemctl status clockd)"
                }
                Place::Host => {
                    "no clock service on that machine: is it a clock, and has it started completely?"
                }
            }),
            Failure::ServiceGone => f.write_str(
                "the clock service left before it answered: see systemctl status clockd",
            ),
            Failure::Denied(said) if said.is_empty() => f.write_str(
                "denied: the bus lets only the group \"arbiter\" do this; id -nG shows your groups",
            ),
            Failure::Denied(said) => write!(f, "denied: {said}"),
            Failure::Refused { code, message } if message.is_empty() => {
                write!(f, "refused: {code}")
            }
            Failure::Refused { message, .. } => write!(f, "refused: {message}"),
            Failure::Timeout => write!(
                f,
                "no answer within {seconds} s: clockd or the bus hangs (systemctl status clockd)"
            ),
            Failure::ClockTimeout(message) => write!(f, "the clock did not answer: {message}"),
            Failure::BusSilent { bus } => {
                write!(f, "the bus at {bus} did not answer within {seconds} s: does it hang?")
            }
            Failure::NoBus { bus, why, .. } => {
                write!(
                    f,
                    "cannot reach the bus at {bus}: {why}: is it running? (--bus names another)"
                )
            }
            Failure::NoHost { host, why } => write!(f, "cannot reach the clock at {host}: {why}"),
            Failure::Lost(why) => write!(f, "the connection to the bus broke: {why}"),
            Failure::Protocol(what) => {
                write!(
                    f,
                    "unexpected answer: {what}: are clockd --version and clockctl --version the same?"
                )
            }
            Failure::OlderService(what) => write!(
                f,
                "the clock's clockd is older than clockctl: {what}; install both from one version \
                 (this clockctl: {})",
                clock_dbus::version()
            ),
            Failure::MalformedScript => f.write_str("malformed lines in the script"),
            Failure::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}
