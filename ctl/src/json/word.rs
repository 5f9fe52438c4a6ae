//! The word of a side or a caller.

use clock_dbus::Who;

/// Returns the word of a side or a caller; `None` for [`Who::Nobody`], which becomes null in JSON.
pub fn word(who: Who) -> Option<&'static str> {
    (who != Who::Nobody).then(|| who.as_str())
}
