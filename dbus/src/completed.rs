//! What the arbiter's commands return.

use serde::{Deserialize, Serialize};
use zbus::Type;

/// A command that was carried out: what each method of the arbiter's interface returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Completed {
    /// The revision after the command.
    pub revision: u64,
    /// Whether the command was written to the storage within 500 ms. If not, it was carried out all
    /// the same, and a power cut could still lose it.
    pub recorded: bool,
}
