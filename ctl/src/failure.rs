//! What can go wrong, as an exit code, a word for scripts and a sentence for people.

use std::{io, process::ExitCode};

use clap::error::ErrorKind;
use clock_dbus::{Error as ClockError, METHOD_TIMEOUT};
use zbus::{DBusError, fdo};

use crate::{
    cli::Options,
    json::{FailureBody, FailureJson},
    out, text,
};

/// Where the service's own refusals live on the bus.
const REFUSALS: &str = "org.chessclock.Clock1.Error.";

/// Why a verb could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense.
    Usage(String),
    /// The bus is there, the clock service is not.
    NoService,
    /// The clock service left before it answered.
    ServiceGone,
    /// The bus or the service forbids it; what it said, if it said anything of use.
    Denied(String),
    /// The clock refuses: the word of the error's name, and the clock's message.
    Refused { code: String, message: String },
    /// No answer from the service or, later on, from the bus.
    Timeout,
    /// The service answered that its clock loop did not answer it.
    ClockTimeout(String),
    /// The bus took the connection and then said nothing.
    BusSilent { bus: String },
    /// There is no bus to be had.
    NoBus { bus: String, why: String },
    /// The connection broke.
    Lost(String),
    /// An answer this tool does not understand.
    Protocol(String),
    /// Files that were checked cannot be used; each was said where it stood.
    FilesWrong(String),
    /// A script had malformed lines; each was answered where it stood.
    MalformedScript,
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// The exit code; part of the contract with scripts.
    pub fn exit(&self) -> u8 {
        match self {
            Failure::Output(_) | Failure::MalformedScript => 1,
            Failure::Usage(_) | Failure::FilesWrong(_) => 2,
            Failure::NoService | Failure::ServiceGone => 3,
            Failure::Denied(_) => 4,
            Failure::Refused { .. } => 5,
            Failure::Timeout | Failure::ClockTimeout(_) | Failure::BusSilent { .. } => 6,
            Failure::NoBus { .. } | Failure::Lost(_) | Failure::Protocol(_) => 7,
        }
    }

    /// The word for scripts.
    pub fn code(&self) -> &str {
        match self {
            Failure::Usage(_) => "usage",
            Failure::FilesWrong(_) => "files-wrong",
            Failure::NoService => "no-service",
            Failure::ServiceGone => "service-gone",
            Failure::Denied(_) => "denied",
            Failure::Refused { code, .. } => code,
            Failure::Timeout => "timeout",
            Failure::ClockTimeout(_) => "timed-out",
            Failure::BusSilent { .. } => "bus-silent",
            Failure::NoBus { .. } => "no-bus",
            Failure::Lost(_) => "connection-lost",
            Failure::Protocol(_) => "protocol",
            Failure::MalformedScript => "malformed-script",
            Failure::Output(_) => "output",
        }
    }

    /// Whether a command that failed so may nevertheless have been carried out.
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

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = METHOD_TIMEOUT.as_secs();
        match self {
            Failure::Usage(message) | Failure::FilesWrong(message) => f.write_str(message),
            Failure::NoService => f.write_str(
                "no clock service on this bus: is clockd running? (systemctl status clockd)",
            ),
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
            Failure::Refused { code, message } if code == "stale-revision" => write!(
                f,
                "refused: {message}; look at the clock (clockctl status) before you try again"
            ),
            Failure::Refused { code, message } if code == "confirm-on-move" => {
                write!(f, "refused: {message} (clockctl resume --side white, or black)")
            }
            Failure::Refused { code, message } if code == "game-under-way" => write!(
                f,
                "refused: {message} (clockctl result ends it, clockctl new --force gives it up)"
            ),
            Failure::Refused { message, .. } => write!(f, "refused: {message}"),
            Failure::Timeout => write!(
                f,
                "no answer within {seconds} s: clockd or the bus hangs (systemctl status clockd)"
            ),
            Failure::ClockTimeout(message) => write!(f, "the clock did not answer: {message}"),
            Failure::BusSilent { bus } => {
                write!(f, "the bus at {bus} did not answer within {seconds} s: does it hang?")
            }
            Failure::NoBus { bus, why } => {
                write!(
                    f,
                    "cannot reach the bus at {bus}: {why}: is it running? (--bus names another)"
                )
            }
            Failure::Lost(why) => write!(f, "the connection to the bus broke: {why}"),
            Failure::Protocol(what) => {
                write!(f, "unexpected answer: {what}: are clockd and clockctl of the same version?")
            }
            Failure::MalformedScript => f.write_str("malformed lines in the script"),
            Failure::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl From<ClockError> for Failure {
    fn from(error: ClockError) -> Self {
        match error {
            ClockError::ZBus(error) => error.into(),
            ClockError::TimedOut(message) => Failure::ClockTimeout(message),
            refusal => Failure::Refused {
                code: kebab(refusal.name().as_str().trim_start_matches(REFUSALS)),
                message: refusal.description().unwrap_or_default().to_owned(),
            },
        }
    }
}

impl From<zbus::Error> for Failure {
    fn from(error: zbus::Error) -> Self {
        match error {
            zbus::Error::InputOutput(error) if error.kind() == io::ErrorKind::TimedOut => {
                Failure::Timeout
            }
            zbus::Error::InputOutput(error) => Failure::Lost(error.to_string()),
            zbus::Error::FDO(error) => of_the_bus(*error),
            zbus::Error::MethodError(name, message, _) => match name.strip_prefix(REFUSALS) {
                // A refusal this version has no name for is a refusal all the same.
                Some(word) => {
                    Failure::Refused { code: kebab(word), message: message.unwrap_or_default() }
                }
                None => Failure::Protocol(format!("{name}: {}", message.unwrap_or_default())),
            },
            other => Failure::Protocol(other.to_string()),
        }
    }
}

impl From<fdo::Error> for Failure {
    fn from(error: fdo::Error) -> Self {
        match error {
            fdo::Error::ZBus(error) => error.into(),
            error => of_the_bus(error),
        }
    }
}

fn of_the_bus(error: fdo::Error) -> Failure {
    match error {
        fdo::Error::ServiceUnknown(_) | fdo::Error::NameHasNoOwner(_) => Failure::NoService,
        // What the bus says when the callee left; its own time-out is off by default.
        fdo::Error::NoReply(_) => Failure::ServiceGone,
        // The text of the bus lists uids and match rules: no help to an arbiter.
        fdo::Error::AccessDenied(said) if said.starts_with("Rejected send message") => {
            Failure::Denied(String::new())
        }
        fdo::Error::AccessDenied(said) => Failure::Denied(said),
        fdo::Error::Timeout(_) | fdo::Error::TimedOut(_) => Failure::Timeout,
        fdo::Error::Disconnected(why) => Failure::Lost(why),
        other => Failure::Protocol(other.to_string()),
    }
}

fn kebab(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

/// Says what went wrong and gives the exit code.
pub fn report(error: &anyhow::Error, options: &Options) -> ExitCode {
    let (code, exit) = match error.downcast_ref::<Failure>() {
        Some(failure) => (failure.code(), failure.exit()),
        None => ("internal", 1),
    };
    let message = format!("{error:#}");
    eprintln!("clockctl: {}", text::plain(&message));
    // Lines of a script and files to check have one answer each; nothing follows them.
    let answered =
        matches!(error.downcast_ref(), Some(Failure::MalformedScript | Failure::FilesWrong(_)));
    if options.json && !options.quiet && !answered {
        report_json(code, &message, exit);
    }
    ExitCode::from(exit)
}

/// Says what is wrong with the command line; prints help when that is what was asked for.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // With standard output or error closed there is nobody left to tell.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let message = usage_line(&error.render().to_string());
    eprintln!("clockctl: {message}");
    // The options could not be read; what they would have said about JSON still counts.
    if std::env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json") {
        report_json("usage", &message, 2);
    }
    ExitCode::from(2)
}

/// The gist of what clap says, on one line: without the usage, which `--help` has.
fn usage_line(rendered: &str) -> String {
    let paragraphs = rendered.trim_start_matches("error: ").split("\n\n");
    let gist: Vec<String> = paragraphs
        .filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more information"))
        .map(text::plain)
        .collect();
    format!("{} (clockctl --help tells more)", gist.join("; "))
}

fn report_json(code: &str, message: &str, exit: u8) {
    let object = FailureJson { error: FailureBody { code, message, exit } };
    // Standard error has the same words already.
    let _ = out::print_json(&object);
}

#[cfg(test)]
mod tests {
    use std::io;

    use clock_dbus::Error as ClockError;
    use zbus::fdo;

    use super::Failure;

    fn words(error: impl Into<Failure>) -> (String, u8, bool) {
        let failure = error.into();
        (failure.code().to_owned(), failure.exit(), failure.leaves_in_doubt())
    }

    fn said() -> String {
        "said".to_owned()
    }

    #[test]
    fn every_refusal_of_the_clock_has_its_word_and_exit_5() {
        let table = [
            (ClockError::StaleRevision(said()), "stale-revision"),
            (ClockError::NotPaused(said()), "not-paused"),
            (ClockError::NotReady(said()), "not-ready"),
            (ClockError::NotRunning(said()), "not-running"),
            (ClockError::GameOver(said()), "game-over"),
            (ClockError::GameUnderWay(said()), "game-under-way"),
            (ClockError::ConfirmOnMove(said()), "confirm-on-move"),
            (ClockError::BoardGone(said()), "board-gone"),
            (ClockError::RefusedByRules(said()), "refused-by-rules"),
            (ClockError::InvalidControl(said()), "invalid-control"),
            (ClockError::InvalidArgument(said()), "invalid-argument"),
        ];
        for (error, code) in table {
            assert_eq!(words(error), (code.to_owned(), 5, false));
        }
        assert_eq!(words(ClockError::TimedOut(said())), ("timed-out".to_owned(), 6, true));
    }

    #[test]
    fn every_error_of_the_bus_has_its_exit() {
        let table = [
            (fdo::Error::ServiceUnknown(said()), "no-service", 3, false),
            (fdo::Error::NameHasNoOwner(said()), "no-service", 3, false),
            (fdo::Error::NoReply(said()), "service-gone", 3, true),
            (fdo::Error::AccessDenied(said()), "denied", 4, false),
            (fdo::Error::TimedOut(said()), "timeout", 6, true),
            (fdo::Error::Timeout(said()), "timeout", 6, true),
            (fdo::Error::Disconnected(said()), "connection-lost", 7, true),
            (fdo::Error::UnknownMethod(said()), "protocol", 7, true),
        ];
        for (error, code, exit, doubt) in table {
            let expected = (code.to_owned(), exit, doubt);
            assert_eq!(words(error.clone()), expected);
            assert_eq!(words(zbus::Error::from(error.clone())), expected);
            assert_eq!(words(ClockError::from(zbus::Error::from(error))), expected);
        }
    }

    #[test]
    fn io_errors_are_time_outs_or_a_lost_connection() {
        let error = |kind: io::ErrorKind| zbus::Error::from(io::Error::from(kind));
        assert_eq!(words(error(io::ErrorKind::TimedOut)).1, 6);
        assert_eq!(words(error(io::ErrorKind::BrokenPipe)).1, 7);
        assert_eq!(words(zbus::Error::InvalidReply).1, 7);
    }

    #[test]
    fn a_denial_of_the_bus_is_put_in_plain_words() {
        let rejected = "Rejected send message, 1 matched rules; type=...".to_owned();
        let shown = Failure::from(fdo::Error::AccessDenied(rejected)).to_string();
        assert!(shown.contains("group \"arbiter\"") && !shown.contains("Rejected"), "{shown}");
        let shown = Failure::from(fdo::Error::AccessDenied("not your board".to_owned()));
        assert_eq!(shown.to_string(), "denied: not your board");
    }
}
