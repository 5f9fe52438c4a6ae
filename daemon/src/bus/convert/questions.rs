//! The open questions and their answers on the wire.

use super::{phase, who};
use crate::rt::{AnswerBy, OpenQuestions};
use clock_dbus::{Answer, AnswerMethod, Question, QuestionKind};
use clock_engine::{Outcome, Span, rules};

/// The open questions, the most urgent first.
pub fn questions(open: &OpenQuestions) -> Vec<Question> {
    let question = |(question, answers): (rules::Question, _)| Question {
        kind: kind(question.kind),
        side: who(question.side),
        since_nsec: question.since.as_nanos(),
        answers,
    };
    open.iter().map(|(asked, answers)| question((asked, answers.map(answer).collect()))).collect()
}

fn answer(offered: crate::rt::OfferedAnswer) -> Answer {
    let (method, word) = method(offered.by);
    Answer {
        method,
        word: word.to_owned(),
        award_nsec: offered.award().map(Span::as_nanos),
        white_delta_nsec: offered.delta_ns.white,
        black_delta_nsec: offered.delta_ns.black,
        phase: phase(offered.phase),
        result: offered.outcome.map_or("", Outcome::as_str).to_owned(),
    }
}

fn method(by: AnswerBy) -> (AnswerMethod, &'static str) {
    match by {
        AnswerBy::Rule(decision) => (AnswerMethod::Rule, decision.as_str()),
        AnswerBy::RuleStop(ruling) => (AnswerMethod::RuleStop, ruling.as_str()),
        AnswerBy::RuleDefault(ruling) => (AnswerMethod::RuleDefault, ruling.as_str()),
        AnswerBy::AnswerOffer(answer) => (AnswerMethod::AnswerOffer, answer.as_str()),
        AnswerBy::ClaimFlag => (AnswerMethod::ClaimFlag, "arbiter"),
    }
}

fn kind(kind: rules::QuestionKind) -> QuestionKind {
    match kind {
        rules::QuestionKind::IllegalMove => QuestionKind::IllegalMove,
        rules::QuestionKind::Claim => QuestionKind::Claim,
        rules::QuestionKind::Request => QuestionKind::Request,
        rules::QuestionKind::FlagOrder => QuestionKind::FlagOrder,
        rules::QuestionKind::MovesMade => QuestionKind::MovesMade,
        rules::QuestionKind::Flag => QuestionKind::Flag,
        rules::QuestionKind::Stop => QuestionKind::Stop,
        rules::QuestionKind::Default => QuestionKind::Default,
        rules::QuestionKind::PostponedClaim => QuestionKind::PostponedClaim,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_kinds_are_those_of_the_engine() {
        for engine in rules::QuestionKind::ALL {
            assert_eq!(kind(*engine).as_str(), engine.as_str());
        }
        assert_eq!(rules::QuestionKind::ALL.len(), QuestionKind::ALL.len());
    }
}
