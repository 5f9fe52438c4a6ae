//! What `clockctl ruling` says with and without a terminal alike.

use clock_dbus::State;

use crate::verb::command::Phrases;

pub const PHRASES: Phrases = Phrases { wanted: "give a ruling", done: "the ruling was given" };

/// Why nothing can be ruled on.
pub fn nothing_to_rule(state: &State) -> String {
    if state.rules.is_empty() {
        "nothing awaits a ruling: the game has no rule profile (clockctl set-rules sets one)"
            .to_owned()
    } else {
        "nothing awaits a ruling".to_owned()
    }
}
