use clock_dbus::{
    Answer, AnswerMethod, AnswerSide, ClaimState, Phase, Question, QuestionKind, QuestionProgress,
    Side, SideState, State, Who,
};
use clock_engine::rules::{Decision, DefaultRuling, LatePlayers, OfferAnswer, StopRuling};

use super::{AllowedRuling, Ruling, Word, allowed};

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

fn answer(method: AnswerMethod, word: &str) -> Answer {
    Answer {
        method,
        word: word.to_owned(),
        side: AnswerSide::Nobody,
        award_nsec: None,
        white_delta_nsec: 0,
        black_delta_nsec: 0,
        phase: Phase::Paused,
        result: String::new(),
    }
}

fn over(word: &str, result: &str) -> Answer {
    Answer {
        phase: Phase::Over,
        result: result.to_owned(),
        ..answer(AnswerMethod::GiveRuling, word)
    }
}

fn lost(side: AnswerSide, result: &str) -> Answer {
    Answer { side, ..over("lost", result) }
}

fn question(kind: QuestionKind, side: Who, answers: Vec<Answer>) -> Question {
    let progress = QuestionProgress::Nothing;
    Question { kind, side, since_nsec: 58 * SECOND, progress, answers }
}

/// A state in which White has claimed a draw under The Chess Organisers' Handbook.
pub fn claim() -> State {
    let rule = |word| answer(AnswerMethod::GiveRuling, word);
    let two_minutes = 120_000_000_000;
    let answers = vec![
        Answer { black_delta_nsec: two_minutes, ..rule("reject") },
        rule("postpone"),
        Answer {
            award_nsec: Some(120_000_000_000),
            black_delta_nsec: two_minutes,
            ..rule("postpone")
        },
        over("drawn", "1/2-1/2"),
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
    let flag = vec![
        answer(AnswerMethod::ClaimFlag, "arbiter"),
        answer(AnswerMethod::GiveRuling, "made"),
        over("drawn", "1/2-1/2"),
    ];
    let postponed = vec![over("drawn", "1/2-1/2"), lost(AnswerSide::White, "0-1")];
    standing(vec![
        question(QuestionKind::MovesMade, Who::White, flag),
        question(QuestionKind::PostponedClaim, Who::White, postponed),
    ])
}

/// Both players are late.
pub fn both_late() -> State {
    let answers = |late: Who| {
        let default = |side, word| Answer { side, ..answer(AnswerMethod::GiveDefaultRuling, word) };
        vec![default(late.into(), "waive"), default(AnswerSide::Both, "forfeit")]
    };
    standing(vec![
        question(QuestionKind::Default, Who::White, answers(Who::White)),
        question(QuestionKind::Default, Who::Black, answers(Who::Black)),
    ])
}

/// The answer with this word. The answer `lost` says that Black has lost.
fn offered(method: AnswerMethod, word: &str) -> Answer {
    match word {
        "lost" => lost(AnswerSide::Black, "1-0"),
        "waive" | "forfeit" => Answer { side: AnswerSide::White, ..answer(method, word) },
        word => answer(method, word),
    }
}

fn keys_and_words(state: &State) -> Vec<(char, String)> {
    let pair = |allowed: AllowedRuling| (allowed.key, allowed.ruling.word().to_owned());
    allowed(state).into_iter().map(pair).collect()
}

fn pairs(expected: &[(char, &str)]) -> Vec<(char, String)> {
    expected.iter().map(|(key, word)| (*key, (*word).to_owned())).collect()
}

#[test]
fn every_ruling_has_a_key_of_its_own_in_the_order_of_the_clock() {
    let expected = [('r', "reject"), ('p', "postpone"), ('t', "postpone"), ('d', "drawn")];
    assert_eq!(keys_and_words(&claim()), pairs(&expected));
    let expected = [('w', "waive"), ('f', "forfeit"), ('1', "waive")];
    assert_eq!(keys_and_words(&both_late()), pairs(&expected));
    let rulings: Vec<Ruling> =
        allowed(&both_late()).into_iter().map(|allowed| allowed.ruling).collect();
    let default = |side, ruling| Ruling::Default { side, ruling };
    assert_eq!(rulings[1], default(LatePlayers::Both, DefaultRuling::Forfeit));
    assert_eq!(rulings[2], default(LatePlayers::Black, DefaultRuling::Waive));
}

#[test]
fn a_ruling_that_answers_two_questions_is_listed_once() {
    let expected = [('c', "call"), ('m', "made"), ('d', "drawn"), ('l', "white-loses")];
    assert_eq!(keys_and_words(&flag_and_postponed_claim()), pairs(&expected));
    let questions: Vec<usize> =
        allowed(&flag_and_postponed_claim()).iter().map(|allowed| allowed.question).collect();
    assert_eq!(questions, [0, 0, 0, 1]);
}

/// For each question, every ruling gets a letter of its own word as its key, and not a digit. No
/// key is `q`, which leaves the dialogue.
#[test]
fn no_question_has_two_rulings_with_one_letter() {
    use AnswerMethod::*;
    for answers in [
        &[(GiveRuling, "lost"), (GiveRuling, "drawn")][..],
        &[
            (AnswerOffer, "refused"),
            (AnswerOffer, "accepted"),
            (GiveRuling, "agree"),
            (GiveRuling, "refuse"),
        ],
        &[(GiveRuling, "order-unknown"), (GiveRuling, "lost"), (GiveRuling, "drawn")],
        &[
            (ClaimFlag, "arbiter"),
            (GiveRuling, "made"),
            (GiveRuling, "not-made"),
            (GiveRuling, "not-established"),
            (GiveRuling, "lost"),
            (GiveRuling, "drawn"),
        ],
        &[
            (GiveStopRuling, "valid"),
            (GiveStopRuling, "not-obvious"),
            (GiveStopRuling, "obviously-invalid"),
        ],
        &[(GiveDefaultRuling, "waive"), (GiveDefaultRuling, "forfeit")],
        &[(GiveRuling, "drawn"), (GiveRuling, "reject"), (GiveRuling, "lost")],
    ] {
        let answers: Vec<Answer> =
            answers.iter().map(|(method, word)| offered(*method, word)).collect();
        let count = answers.len();
        let state = standing(vec![question(QuestionKind::Flag, Who::White, answers)]);
        let allowed = allowed(&state);
        assert_eq!(allowed.len(), count);
        for ruling in &allowed {
            assert!(ruling.key.is_ascii_lowercase() && ruling.key != 'q', "{ruling:?}");
            assert!(ruling.ruling.word().contains(ruling.key), "{ruling:?}");
        }
    }
}

#[test]
fn a_word_on_the_command_line_becomes_its_ruling() {
    let ruling = |text: &str, award, side| {
        Word::parse(text).and_then(|word| word.ruling(&claim(), award, side))
    };
    let decision = |decision, award_nsec| Ruling::Decision { decision, award_nsec };
    assert_eq!(ruling("reject", None, None), Ok(decision(Decision::Reject, None)));
    assert_eq!(ruling("postpone", Some(0), None), Ok(decision(Decision::Postpone, Some(0))));
    assert_eq!(ruling("call", None, None), Ok(Ruling::Call));
    assert_eq!(ruling("white-loses", None, None), Ok(Ruling::Loses(Side::White)));
    assert_eq!(ruling("black-loses", None, None), Ok(Ruling::Loses(Side::Black)));
    assert_eq!(ruling("draw-refused", None, None), Ok(Ruling::Offer(OfferAnswer::Refused)));
    let invalid = Ruling::Stop(StopRuling::ObviouslyInvalid);
    assert_eq!(ruling("obviously-invalid", None, None), Ok(invalid));
    let forfeit = Ruling::Default { side: LatePlayers::Black, ruling: DefaultRuling::Forfeit };
    assert_eq!(ruling("forfeit", None, Some(LatePlayers::Black)), Ok(forfeit));
    for (text, award, side, says) in [
        ("valid", Some(1), None, "--award goes with"),
        ("reject", None, Some(LatePlayers::White), "--side goes with"),
        ("forfeit", None, None, "nobody has passed the default time"),
        ("rejected", None, None, "a ruling is on a flag"),
        ("lost", None, None, "white-loses, black-loses"),
        ("won", None, None, "white-loses, black-loses"),
        ("accept", None, None, "increment-agreed, increment-refused"),
        ("accepted", None, None, "draw-accepted, draw-refused"),
        ("agree", None, None, "increment-agreed, increment-refused"),
    ] {
        let error = ruling(text, award, side).unwrap_err();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn the_late_player_is_known_if_it_is_only_one() {
    let forfeit = |state: &State| Word::parse("forfeit").unwrap().ruling(state, None, None);
    let mut state = both_late();
    assert!(forfeit(&state).unwrap_err().contains("both players are late"));
    state.questions.remove(0);
    let expected = Ruling::Default { side: LatePlayers::Black, ruling: DefaultRuling::Forfeit };
    assert_eq!(forfeit(&state), Ok(expected));
}
