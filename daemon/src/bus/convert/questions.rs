//! Converts the open questions and their answers to the types of the D-Bus interface.

use clock_dbus::{Answer, AnswerMethod, AnswerSide, Question};
use clock_engine::{Outcome, PerSide, Side, Span, rules};
use clockd_rt::{AnswerBy, OfferedAnswer, OpenQuestions};

/// The open questions, the most urgent first.
pub fn questions(open: &OpenQuestions) -> Vec<Question> {
    open.iter().map(|(asked, answers)| question(asked, answers.map(answer).collect())).collect()
}

fn question(asked: rules::Question, answers: Vec<Answer>) -> Question {
    // The patterns have no `..`, here and below. So if the engine gets a new field, the code does
    // not compile until this module handles the field.
    let rules::Question { kind, side, since, progress } = asked;
    Question { kind, side: side.into(), since_nsec: since.as_nanos(), progress, answers }
}

fn answer(offered: OfferedAnswer) -> Answer {
    let OfferedAnswer { by, award, phase, outcome, delta_ns: PerSide { white, black } } = offered;
    let (method, word) = method(by);
    let side = side(by);
    Answer {
        method,
        word: word.to_owned(),
        side,
        award_nsec: award.map(Span::as_nanos),
        white_delta_nsec: white,
        black_delta_nsec: black,
        phase,
        result: outcome.map_or("", Outcome::as_str).to_owned(),
    }
}

fn method(by: AnswerBy) -> (AnswerMethod, &'static str) {
    match by {
        AnswerBy::Rule(decision, _) => (AnswerMethod::GiveRuling, decision.as_str()),
        AnswerBy::RuleStop(ruling) => (AnswerMethod::GiveStopRuling, ruling.as_str()),
        AnswerBy::RuleDefault(ruling, _) => (AnswerMethod::GiveDefaultRuling, ruling.as_str()),
        AnswerBy::AnswerOffer(answer) => (AnswerMethod::AnswerOffer, answer.as_str()),
        AnswerBy::ClaimFlag => (AnswerMethod::ClaimFlag, "arbiter"),
    }
}

fn side(by: AnswerBy) -> AnswerSide {
    match by {
        AnswerBy::Rule(_, loser) => match loser.side() {
            Some(Side::White) => AnswerSide::White,
            Some(Side::Black) => AnswerSide::Black,
            None => AnswerSide::Nobody,
        },
        AnswerBy::RuleDefault(_, late) => late.into(),
        AnswerBy::RuleStop(_) | AnswerBy::AnswerOffer(_) | AnswerBy::ClaimFlag => {
            AnswerSide::Nobody
        }
    }
}
