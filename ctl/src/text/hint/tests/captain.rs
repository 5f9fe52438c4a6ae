//! The hints after refusals that concern a captain with the arbiter's authority.

use clock_dbus::{Phase, State};

use super::super::captain_hint;
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
    assert_eq!(captain_hint(message, &late), Some(Some(expected)));
    let other = captain_hint(message, &State::default());
    assert_eq!(other, Some(Some(format!("the same command with {reason}"))));
}

#[test]
fn a_captain_without_authority_is_told_what_a_player_can_do() {
    let message = "Black's captain plays at this board and has no authority here; the other captain, a \
                   designated player or a qualified arbiter decides (Chess Organisers' Handbook preface)";
    let with = |phase| State { phase, ..State::default() };
    let pause = "as a player: clockctl pause --by black".to_owned();
    assert_eq!(captain_hint(message, &with(Phase::Running)), Some(Some(pause)));
    assert_eq!(captain_hint(message, &with(Phase::Paused)), Some(None));
    assert_eq!(captain_hint("the game is over", &with(Phase::Running)), None);
}
