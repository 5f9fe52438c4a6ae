//! What the log says of the arbiter's commands.

use clock_dbus::Error;
use zbus::message::Header;

/// One command: who gave it, why, and what came of it.
pub struct LogEntry {
    verb: &'static str,
    reason: String,
    sender: String,
    outcome: Outcome,
}

enum Outcome {
    Done { revision: u64 },
    Refused(String),
    Unknown(String),
}

impl LogEntry {
    /// The entry of the command with this header and this answer.
    pub fn new(
        verb: &'static str,
        reason: &str,
        header: &Header<'_>,
        done: &Result<u64, Error>,
    ) -> LogEntry {
        let outcome = match done {
            Ok(revision) => Outcome::Done { revision: *revision },
            Err(Error::TimedOut(error)) => Outcome::Unknown(error.clone()),
            Err(error) => Outcome::Refused(error.to_string()),
        };
        let sender = header.sender().map(|sender| sender.to_string()).unwrap_or_default();
        LogEntry { verb, reason: reason.to_owned(), sender, outcome }
    }

    /// Writes the entry. Without a user id, the caller had left the bus before it could be asked.
    pub fn write(self, uid: Option<u32>) {
        let LogEntry { verb, reason, sender, outcome } = self;
        match outcome {
            Outcome::Done { revision } => {
                tracing::info!(verb, uid, sender, reason, revision, "command carried out");
            }
            Outcome::Unknown(error) => {
                tracing::error!(
                    verb,
                    uid,
                    sender,
                    reason,
                    error,
                    "the outcome of a command is unknown"
                );
            }
            Outcome::Refused(error) => {
                tracing::warn!(verb, uid, sender, reason, error, "command refused");
            }
        }
    }
}
