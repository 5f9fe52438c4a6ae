//! The log entries of the arbiter's commands.

use crate::game::{Capacity, Done};
use clock_dbus::{Error, one_line};
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
            Err(error) => Outcome::Refused(error.to_string()),
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
