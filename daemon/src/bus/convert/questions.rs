//! Converts the open questions and their answers to the types of the D-Bus interface.

use super::words::{phase, who};
use clock_dbus::{Answer, AnswerMethod, AnswerSide, Question, QuestionKind, QuestionProgress};
use clock_engine::rules::LatePlayers;
use clock_engine::{Outcome, PerSide, Side, Span, rules};
use clockd_rt::{AnswerBy, OfferedAnswer, OpenQuestions};

/// The open questions, the most urgent first.
pub fn questions(open: &OpenQuestions) -> Vec<Question> {
    open.iter().map(|(asked, answers)| question(asked, answers.map(answer).collect())).collect()
}

fn question(asked: rules::Question, answers: Vec<Answer>) -> Question {
    // The patterns have no `..`, here and below. So if the engine gets a new field, the code does
    // not compile until this module handles the field.
    let rules::Question { kind: of, side, since, progress: done } = asked;
    Question {
        kind: kind(of),
        side: who(side),
        since_nsec: since.as_nanos(),
        progress: progress(done),
        answers,
    }
}

fn answer(offered: OfferedAnswer) -> Answer {
    let OfferedAnswer { by, award, phase: after, outcome, delta_ns: PerSide { white, black } } =
        offered;
    let (method, word) = method(by);
    let side = side(by);
    Answer {
        method,
        word: word.to_owned(),
        side,
        award_nsec: award.map(Span::as_nanos),
        white_delta_nsec: white,
        black_delta_nsec: black,
        phase: phase(after),
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
        AnswerBy::RuleDefault(_, late) => match late {
            LatePlayers::White => AnswerSide::White,
            LatePlayers::Black => AnswerSide::Black,
            LatePlayers::Both => AnswerSide::Both,
        },
        AnswerBy::RuleStop(_) | AnswerBy::AnswerOffer(_) | AnswerBy::ClaimFlag => {
            AnswerSide::Nobody
        }
    }
}

fn progress(progress: rules::QuestionProgress) -> QuestionProgress {
    match progress {
        rules::QuestionProgress::Nothing => QuestionProgress::Nothing,
        rules::QuestionProgress::White => QuestionProgress::White,
        rules::QuestionProgress::Black => QuestionProgress::Black,
        rules::QuestionProgress::Both => QuestionProgress::Both,
        rules::QuestionProgress::Resuming => QuestionProgress::Resuming,
        rules::QuestionProgress::Referred => QuestionProgress::Referred,
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
        for engine in rules::QuestionProgress::ALL {
            assert_eq!(progress(*engine).as_str(), engine.as_str());
        }
        assert_eq!(rules::QuestionProgress::ALL.len(), QuestionProgress::ALL.len());
    }
}
