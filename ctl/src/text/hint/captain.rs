//! The next command after a refusal that concerns a captain with the arbiter's authority.

use clock_dbus::{Phase, State};

use crate::text::questions;

/// What a captain can do after a refusal with this message. The outer `None` means that the message
/// does not concern a captain, the inner one that no command helps: somebody else decides.
pub fn hint(message: &str, state: &State) -> Option<Option<String>> {
    if let Some((captain, _)) = message.split_once(" plays at this board and has no authority here")
    {
        let side = if captain.starts_with("White") { "white" } else { "black" };
        let is_running = state.phase == Phase::Running;
        return Some(is_running.then(|| format!("as a player: clockctl pause --by {side}")));
    }
    // The message contains the name of the arbiter, as in `a qualified arbiter is present: A. Judge; consult A. Judge first`.
    let (_, present) = message.split_once("a qualified arbiter is present: ")?;
    let (name, _) = present.split_once("; consult ")?;
    let reason = consulted(name);
    let answers = questions::commands(state);
    let answers: Vec<String> = answers.iter().map(|answer| format!("{answer} {reason}")).collect();
    Some(Some(match answers.is_empty() {
        true => format!("the same command with {reason}"),
        false => format!("then: {}", answers.join(" or ")),
    }))
}

/// The option with which a captain says that he has consulted the arbiter of this name, as a shell
/// reads it.
pub fn consulted(name: &str) -> String {
    format!("--reason 'consulted {}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Phase, State};

    use super::hint;
    use crate::rulings::tests;

    #[test]
    fn a_ruling_after_the_consultation_is_named_with_its_reason() {
        let message = "a qualified arbiter is present: A. O'Hara; consult A. O'Hara first, and name A. O'Hara in \
                       the reason, such as \"consulted A. O'Hara\" (Chess Organisers' Handbook preface)";
        let late =
            State { questions: vec![tests::both_late().questions.remove(0)], ..tests::both_late() };
        let reason = r"--reason 'consulted A. O'\''Hara'";
        let expected = format!(
            "then: clockctl rule waive --side white {reason} or clockctl rule forfeit --side both {reason}"
        );
        assert_eq!(hint(message, &late), Some(Some(expected)));
        let other = hint(message, &State::default());
        assert_eq!(other, Some(Some(format!("the same command with {reason}"))));
    }

    #[test]
    fn a_captain_without_authority_is_told_what_a_player_can_do() {
        let message = "Black's captain plays at this board and has no authority here; the other captain, a \
                       designated player or a qualified arbiter decides (Chess Organisers' Handbook preface)";
        let with = |phase| State { phase, ..State::default() };
        let pause = "as a player: clockctl pause --by black".to_owned();
        assert_eq!(hint(message, &with(Phase::Running)), Some(Some(pause)));
        assert_eq!(hint(message, &with(Phase::Paused)), Some(None));
        assert_eq!(hint("the game is over", &with(Phase::Running)), None);
    }
}
