//! What the arbiter's commands return.

use serde::{Deserialize, Serialize};
use zbus::Type;

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
