//! The reasons why the arbiter is awaited, as the status line names them.

use clock_dbus::{ClaimState, Phase, QuestionKind, State, Who};
use clock_languages::{Face, Sign};

use super::Phrase;
use crate::rules::Rules;

/// The signs: the reasons why the arbiter is awaited. They are, in this order, a call, a draw claim
/// and a passed default time. The face shows no other question that the arbiter has to answer.
///
/// In a game without an arbiter nobody can be called.
pub(super) fn signs(shown: &State, rules: Rules, words: &'static Face) -> Vec<Phrase> {
    let called =
        called(shown).filter(|_| rules.has_arbiter).map(|by| phrase(&words.signs.called, by));
    // A game that is over has a result, so the arbiter decides neither a claim nor a default time.
    // A call can still be open.
    if shown.phase == Phase::Over {
        return called.into_iter().collect();
    }
    let claim = match shown.claim_state {
        ClaimState::Nothing => None,
        ClaimState::Called => Some(phrase(&words.signs.claim, shown.claim_by)),
        ClaimState::Pending => Some(phrase(&words.signs.claim_pending, shown.claim_by)),
    };
    let late = late(shown).map(|side| phrase(&words.signs.late, side));
    [called, claim, late].into_iter().flatten().collect()
}

/// The texts of a sign. If `by` is a player, the longest one names the side.
fn phrase(sign: &'static Sign, by: Who) -> Phrase {
    let of_side = match by {
        Who::White => Some(sign.white),
        Who::Black => Some(sign.black),
        Who::Nobody | Who::Arbiter | Who::Button => None,
    };
    Phrase::of(of_side.into_iter().chain([sign.nobody]), sign.short)
}

/// Who called the arbiter; `None` if nobody did.
fn called(shown: &State) -> Option<Who> {
    Some(shown.arbiter_called_by).filter(|by| *by != Who::Nobody)
}

/// The player who is later than the default time, or `Nobody` if both are; `None` if no player is.
fn late(shown: &State) -> Option<Who> {
    let of_lateness = shown.questions.iter().filter(|it| it.kind == Some(QuestionKind::Default));
    let late: Vec<Who> = of_lateness.map(|question| question.side).collect();
    match late[..] {
        [] => None,
        [side] => Some(side),
        _ => Some(Who::Nobody),
    }
}
