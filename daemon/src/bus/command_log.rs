//! The log entries of the arbiter's commands.

use crate::game::{Capacity, Done};
use clock_dbus::{Error, one_line};
use zbus::DBusError as _;
use zbus::message::Header;

/// What the log says about a command: the verb, the reason, the sender and the outcome.
pub struct LogEntry {
    verb: &'static str,
    reason: String,
    sender: String,
    outcome: Outcome,
}

enum Outcome {
    Done(Done),
    Refused(String),
    Unknown(String),
}

/// The words of a refusal, without the name of the D-Bus error.
fn words(refusal: &Error) -> String {
    match refusal.description() {
        Some(words) if !words.is_empty() => words.to_owned(),
        _ => refusal.to_string(),
    }
}

impl LogEntry {
    /// The log entry of the command with this header and this result.
    pub fn new(
        verb: &'static str,
        reason: &str,
        header: &Header<'_>,
        done: Result<Done, &Error>,
    ) -> LogEntry {
        let outcome = match done {
            Ok(done) => Outcome::Done(done),
            Err(Error::TimedOut(error)) => Outcome::Unknown(error.clone()),
            Err(error) => Outcome::Refused(words(error)),
        };
        let sender = header.sender().map(|sender| sender.to_string()).unwrap_or_default();
        LogEntry { verb, reason: reason.to_owned(), sender, outcome }
    }

    /// Writes the log entry. `uid` is `None` if the bus did not give the caller's user id, for
    /// example because the caller had left.
    pub fn write(self, uid: Option<u32>, capacity: Capacity) {
        let LogEntry { verb, reason, sender, outcome } = self;
        let capacity = capacity.to_string();
        match outcome {
            Outcome::Done(Done { revision, report, .. }) => {
                let by = uid.map_or_else(|| "nobody knows".to_owned(), |uid| format!("uid {uid}"));
                let why = match one_line(&reason) {
                    why if why.is_empty() => String::new(),
                    why => format!(": {why}"),
                };
                tracing::info!(
                    verb,
                    uid,
                    capacity,
                    sender,
                    reason,
                    revision,
                    "{report} [{capacity}, {by}{why}]"
                );
            }
            Outcome::Unknown(error) => {
                tracing::error!(
                    verb,
                    uid,
                    capacity,
                    sender,
                    reason,
                    error,
                    "the outcome of a command is unknown"
                );
            }
            Outcome::Refused(error) => {
                tracing::warn!(verb, uid, capacity, sender, reason, error, "command refused");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clock_dbus::Error;

    use super::words;

    #[test]
    fn a_refusal_is_logged_in_words() {
        let refusal = Error::NotPaused("stop the clocks first (old FIDE Laws 6.13)".to_owned());
        assert_eq!(words(&refusal), "stop the clocks first (old FIDE Laws 6.13)");
        let without_words = Error::NotPaused(String::new());
        assert!(words(&without_words).contains("NotPaused"));
    }
}
