//! Converts errors of the bus and of the clock service to failures.

use std::io;

use clock_dbus::Error as ClockError;
use clock_engine::text::{Format, plain_message};
use zbus::{DBusError, fdo};

use super::{Failure, Place};

/// The prefix of the names of the clock's own errors.
const REFUSALS: &str = "org.chessclock.Clock1.Error.";

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
                // A later version of the clock can have errors that this version does not know.
                Some(word) => {
                    Failure::Refused { code: kebab(word), message: message.unwrap_or_default() }
                }
                None => Failure::Protocol(format!("{name}: {}", message.unwrap_or_default())),
            },
            other => of_an_answer(other.to_string()),
        }
    }
}

/// The failure of an answer that cannot be decoded. Only an answer with the state has named fields,
/// and a clock is never changed by reading its state.
fn of_an_answer(what: String) -> Failure {
    let words = plain_message(&what, None, Format::Json);
    if what.starts_with("missing field") {
        Failure::OlderService(words)
    } else {
        Failure::Protocol(words)
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
        fdo::Error::ServiceUnknown(_) | fdo::Error::NameHasNoOwner(_) => {
            Failure::NoService(Place::default())
        }
        // The bus sends `NoReply` if the service has left the bus before it answered. The bus also
        // sends it after a timeout of its own, which is off by default.
        fdo::Error::NoReply(_) => Failure::ServiceGone,
        // The bus's text lists user ids and match rules, which do not help an arbiter.
        fdo::Error::AccessDenied(said) if said.starts_with("Rejected send message") => {
            Failure::Denied(String::new())
        }
        fdo::Error::AccessDenied(said) => Failure::Denied(said),
        fdo::Error::LimitsExceeded(message) => {
            Failure::Refused { code: "limits-exceeded".to_owned(), message }
        }
        fdo::Error::Timeout(_) | fdo::Error::TimedOut(_) => Failure::Timeout,
        fdo::Error::Disconnected(why) => Failure::Lost(why),
        fdo::Error::UnknownObject(what)
        | fdo::Error::UnknownInterface(what)
        | fdo::Error::UnknownMethod(what)
        | fdo::Error::UnknownProperty(what) => Failure::OlderService(what),
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

#[cfg(test)]
mod tests {
    use std::io;

    use clock_dbus::Error as ClockError;
    use zbus::fdo;

    use crate::failure::Failure;

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
            (ClockError::NoProfile(said()), "no-profile"),
            (ClockError::InvalidRules(said()), "invalid-rules"),
            (ClockError::InvalidControl(said()), "invalid-control"),
            (ClockError::InvalidArgument(said()), "invalid-argument"),
            (ClockError::Busy(said()), "busy"),
            (ClockError::UnknownCaller(said()), "unknown-caller"),
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
            (fdo::Error::LimitsExceeded(said()), "limits-exceeded", 5, false),
            (fdo::Error::TimedOut(said()), "timeout", 6, true),
            (fdo::Error::Timeout(said()), "timeout", 6, true),
            (fdo::Error::Disconnected(said()), "connection-lost", 7, true),
            (fdo::Error::InvalidArgs(said()), "protocol", 7, true),
            (fdo::Error::UnknownObject(said()), "older-service", 7, false),
            (fdo::Error::UnknownInterface(said()), "older-service", 7, false),
            (fdo::Error::UnknownMethod(said()), "older-service", 7, false),
            (fdo::Error::UnknownProperty(said()), "older-service", 7, false),
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
