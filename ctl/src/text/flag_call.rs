//! The call of a flag that only a player can call, and whether a claim has concluded the game.

use clock_dbus::{Phase, Question, QuestionKind, Ruling, Side, State};

/// The command with which the opponent calls the flag of this question. `None` if the question is
/// about no flag, if the arbiter may call the flag, or if it has been called already.
///
/// The state does not say who may call a flag, and the answers show it: an arbiter who may call the
/// flag has the call among them, and a called flag has the loss or the ruling that the moves were
/// not made. Where nobody supervises, no question has an answer. The clocks stand there once the
/// flag is called, and the result comes next.
pub fn flag_call(state: &State, question: &Question) -> Option<String> {
    let is_of_flag = matches!(question.kind, Some(QuestionKind::MovesMade | QuestionKind::Flag));
    let is_called_or_arbiters = question.answers.iter().any(|answer| {
        matches!(answer.ruling, Some(Ruling::Call | Ruling::NotMade)) || !answer.result.is_empty()
    });
    let has_no_answers = |question: &Question| question.answers.is_empty();
    let is_without_arbiter = state.questions.iter().all(has_no_answers);
    let is_stopped_for_good = is_without_arbiter && state.phase == Phase::Ruling;
    if !is_of_flag || is_called_or_arbiters || is_stopped_for_good || is_concluded(state) {
        return None;
    }
    let flagged = question.side.side()?;
    Some(format!("clockctl flag --by {}", flagged.other().as_str()))
}

/// The command with which a player calls the flag that is down, as far as only a player can.
pub fn open_flag_call(state: &State) -> Option<String> {
    state.questions.iter().find_map(|question| flag_call(state, question))
}

/// Whether a claim has concluded the game, which then waits for the designated arbiter. Where points
/// of penalties are on record there is an arbiter at the board, and a claim concludes nothing.
pub fn is_concluded(state: &State) -> bool {
    let concludes = |of: &Question| of.kind == Some(QuestionKind::Claim) && of.answers.is_empty();
    !has_points(state) && state.questions.iter().any(concludes)
}

/// Whether points of penalties are on record, with which some results are not possible.
pub fn has_points(state: &State) -> bool {
    let has = |side| {
        let side = state.side(side);
        side.half_points_off > 0 || side.half_points_given > 0
    };
    Side::BOTH.into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Phase, Question, QuestionKind, QuestionProgress, State, Who};

    use super::{flag_call, open_flag_call};
    use crate::rulings::tests;

    fn flag(side: Who) -> Question {
        let (kind, progress) = (Some(QuestionKind::Flag), QuestionProgress::Nothing);
        Question { kind, side, since_nsec: 0, progress, answers: Vec::new() }
    }

    fn with(phase: Phase, questions: Vec<Question>) -> State {
        State { phase, ..tests::standing(questions) }
    }

    #[test]
    fn the_opponent_of_the_flagged_player_calls_the_flag() {
        for (flagged, command) in
            [(Who::White, "clockctl flag --by black"), (Who::Black, "clockctl flag --by white")]
        {
            let running = with(Phase::Running, vec![flag(flagged)]);
            assert_eq!(open_flag_call(&running).as_deref(), Some(command));
        }
    }

    #[test]
    fn nobody_calls_a_flag_that_the_arbiter_calls_or_that_has_ended_the_play() {
        let state = tests::flag_and_postponed_claim();
        assert_eq!(flag_call(&state, &state.questions[0]), None);
        let ended = with(Phase::Ruling, vec![flag(Who::White)]);
        assert_eq!(open_flag_call(&ended), None);
        let claim = Question { kind: Some(QuestionKind::Claim), ..flag(Who::Black) };
        let concluded = with(Phase::Ruling, vec![claim, flag(Who::White)]);
        assert_eq!(open_flag_call(&concluded), None);
    }
}
