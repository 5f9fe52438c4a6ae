use clock_dbus::{
    Answer, ClaimState, Given, LatePlayers, OrMinus1, Phase, Question, QuestionKind,
    QuestionProgress, Ruling, SideState, State, Who,
};

use super::{allowed, given};

const SECOND: u64 = 1_000_000_000;

/// A state in which White is on move and has 1:12.25 left, and Black has 2:30.
pub fn standing(questions: Vec<Question>) -> State {
    State {
        sequence: 40,
        revision: 7,
        at_nsec: 100 * SECOND,
        phase: Phase::Ruling,
        on_move: Who::White,
        time_control: "36/75, G/15".to_owned(),
        periods: 2,
        white: SideState {
            remaining_nsec: 72 * SECOND + SECOND / 4,
            moves: 50,
            period: 2,
            ..SideState::default()
        },
        black: SideState {
            remaining_nsec: 150 * SECOND,
            moves: 49,
            period: 2,
            ..SideState::default()
        },
        rules: "handbook-county".to_owned(),
        questions,
        ..State::default()
    }
}

fn answer(ruling: Ruling) -> Answer {
    Answer {
        ruling: Some(ruling),
        side: None,
        award_nsec: None,
        white_delta_nsec: 0,
        black_delta_nsec: 0,
        phase: Phase::Paused,
        result: String::new(),
    }
}

fn over(ruling: Ruling, result: &str) -> Answer {
    Answer { phase: Phase::Over, result: result.to_owned(), ..answer(ruling) }
}

fn question(kind: QuestionKind, side: Who, answers: Vec<Answer>) -> Question {
    let progress = QuestionProgress::Nothing;
    Question { kind: Some(kind), side, since_nsec: 58 * SECOND, progress, answers }
}

/// A state in which White has claimed a draw under The Chess Organisers' Handbook.
pub fn claim() -> State {
    let two_minutes = 120_000_000_000;
    let answers = vec![
        Answer { black_delta_nsec: two_minutes, ..answer(Ruling::Reject) },
        answer(Ruling::Postpone),
        Answer {
            award_nsec: Some(120_000_000_000),
            black_delta_nsec: two_minutes,
            ..answer(Ruling::Postpone)
        },
        over(Ruling::Drawn, "1/2-1/2"),
    ];
    State {
        claim_by: Who::White,
        claim_ground: "no-effort".to_owned(),
        claim_state: ClaimState::Called,
        ..standing(vec![question(QuestionKind::Claim, Who::White, answers)])
    }
}

/// White's flag is down while a claim is postponed.
pub fn flag_and_postponed_claim() -> State {
    let flag = vec![answer(Ruling::Call), answer(Ruling::Made), over(Ruling::Drawn, "1/2-1/2")];
    let postponed = vec![over(Ruling::Drawn, "1/2-1/2"), over(Ruling::WhiteLoses, "0-1")];
    standing(vec![
        question(QuestionKind::MovesMade, Who::White, flag),
        question(QuestionKind::PostponedClaim, Who::White, postponed),
    ])
}

/// Both players are late.
pub fn both_late() -> State {
    let answers = |late| {
        let default = |side, ruling| Answer { side: Some(side), ..answer(ruling) };
        vec![default(late, Ruling::Waive), default(LatePlayers::Both, Ruling::Forfeit)]
    };
    standing(vec![
        question(QuestionKind::Default, Who::White, answers(LatePlayers::White)),
        question(QuestionKind::Default, Who::Black, answers(LatePlayers::Black)),
    ])
}

fn words(state: &State) -> Vec<String> {
    allowed(state).iter().map(|allowed| allowed.ruling.to_string()).collect()
}

#[test]
fn the_rulings_are_listed_in_the_order_of_the_clock() {
    assert_eq!(words(&claim()), ["reject", "postpone", "postpone", "drawn"]);
    assert_eq!(words(&both_late()), ["waive", "forfeit", "waive"]);
    let late: Vec<_> = allowed(&both_late()).iter().map(|allowed| allowed.answer.side).collect();
    assert_eq!(late, [LatePlayers::White, LatePlayers::Both, LatePlayers::Black].map(Some));
}

#[test]
fn a_ruling_that_answers_two_questions_is_listed_once() {
    assert_eq!(words(&flag_and_postponed_claim()), ["call", "made", "drawn", "white-loses"]);
    let questions: Vec<usize> =
        allowed(&flag_and_postponed_claim()).iter().map(|allowed| allowed.question).collect();
    assert_eq!(questions, [0, 0, 0, 1]);
}

#[test]
fn a_ruling_of_the_command_line_has_what_belongs_to_it() {
    let white = Some(LatePlayers::White);
    for (ruling, side, award_nsec) in [
        (Ruling::Reject, None, None),
        (Ruling::Postpone, None, Some(0)),
        (Ruling::WhiteLoses, None, None),
        (Ruling::Forfeit, white, None),
    ] {
        let expected = Given::Rule { ruling, side, award_nsec: award_nsec.into() };
        assert_eq!(given(ruling, side, award_nsec, &claim()), Ok(expected));
    }
    for (ruling, side, award, says) in [
        (Ruling::Valid, None, Some(1), "--award goes with"),
        (Ruling::Reject, white, None, "--side goes with"),
        (Ruling::Forfeit, None, None, "nobody has passed the default time"),
    ] {
        let error = given(ruling, side, award, &claim()).unwrap_err();
        assert!(error.contains(says), "{ruling}: {error}");
    }
}

#[test]
fn the_late_player_is_known_if_it_is_only_one() {
    let forfeit = |state: &State| given(Ruling::Forfeit, None, None, state);
    let mut state = both_late();
    assert!(forfeit(&state).unwrap_err().contains("both players are late"));
    state.questions.remove(0);
    let (side, award_nsec) = (Some(LatePlayers::Black), OrMinus1(None));
    assert_eq!(forfeit(&state), Ok(Given::Rule { ruling: Ruling::Forfeit, side, award_nsec }));
}
