//! The word of a side or a caller.

use clock_dbus::Who;

/// `None` for nobody, which is null in JSON.
pub fn word(who: Who) -> Option<&'static str> {
    (who != Who::Nobody).then(|| who.as_str())
}
