//! What awaits an answer, as `clockctl status --json` and `watch --json` print it.

use clock_dbus::{Answer, Question};
use serde::Serialize;

use super::word::word;

/// Something that awaits an answer.
#[derive(Debug, Serialize)]
pub struct QuestionJson {
    pub kind: &'static str,
    pub side: Option<&'static str>,
    pub since_ns: u64,
    /// The answers that the rules allow now, the usual one first.
    pub answers: Vec<AnswerJson>,
}

/// An answer that the rules allow now, and what it does.
#[derive(Debug, Serialize)]
pub struct AnswerJson {
    /// The method on D-Bus.
    pub method: &'static str,
    pub word: String,
    pub award_ns: Option<i64>,
    pub white_delta_ns: i64,
    pub black_delta_ns: i64,
    pub phase: &'static str,
    pub result: Option<String>,
}

impl From<&Question> for QuestionJson {
    fn from(question: &Question) -> Self {
        QuestionJson {
            kind: question.kind.as_str(),
            side: word(question.side),
            since_ns: question.since_nsec,
            answers: question.answers.iter().map(AnswerJson::from).collect(),
        }
    }
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> Self {
        AnswerJson {
            method: answer.method.as_str(),
            word: answer.word.clone(),
            // Negative on the bus means that no award is named.
            award_ns: (answer.award_nsec >= 0).then_some(answer.award_nsec),
            white_delta_ns: answer.white_delta_nsec,
            black_delta_ns: answer.black_delta_nsec,
            phase: answer.phase.as_str(),
            result: (!answer.result.is_empty()).then(|| answer.result.clone()),
        }
    }
}
