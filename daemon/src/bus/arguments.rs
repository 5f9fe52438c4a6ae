//! The errors for arguments that name something which does not exist or cannot be read.

use clock_dbus::Error;
use clock_dbus::argument::{invalid, shortened};

/// The error for a time control that does not exist or cannot be read.
pub fn invalid_control(problem: &str) -> Error {
    Error::InvalidControl(shortened(problem))
}

/// The error for a rule profile that does not exist or cannot be read.
pub fn invalid_rules(problem: &str) -> Error {
    Error::InvalidRules(shortened(problem))
}

/// The error if the state in the key `State` of `Import` cannot be imported.
pub fn invalid_state(problem: &str) -> Error {
    invalid(shortened(&format!("State: {problem}")))
}

/// The error for a record that cannot be read.
pub fn no_record(problem: &str) -> Error {
    Error::NoRecord(shortened(problem))
}
