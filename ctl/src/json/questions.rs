//! The open questions, each with its answers, as `clockctl status --json` and `watch --json` print
//! them.

use clock_dbus::{Answer, Question};
use serde::Serialize;

use super::word::word;

/// Something that awaits an answer.
#[derive(Debug, Serialize)]
pub struct QuestionJson {
    pub kind: &'static str,
    pub side: Option<&'static str>,
    pub since_ns: u64,
    pub progress: Option<&'static str>,
    /// The answers that the rules allow now. The first one is the answer that an arbiter usually
    /// gives.
    pub answers: Vec<AnswerJson>,
}

/// An answer that the rules allow now, and what it does.
#[derive(Debug, Serialize)]
pub struct AnswerJson {
    /// The method on D-Bus.
    pub method: &'static str,
    pub word: String,
    pub side: Option<&'static str>,
    pub award_ns: Option<u64>,
    pub white_delta_ns: i64,
    pub black_delta_ns: i64,
    pub phase: &'static str,
    pub result: Option<String>,
}

impl From<&Question> for QuestionJson {
    fn from(question: &Question) -> Self {
        // Without `..`, the compiler reports every new field that is not handled here.
        let Question { kind, side, since_nsec, progress, answers } = question;
        QuestionJson {
            kind: kind.as_str(),
            side: word(*side),
            since_ns: *since_nsec,
            progress: Some(progress.as_str()).filter(|progress| !progress.is_empty()),
            answers: answers.iter().map(AnswerJson::from).collect(),
        }
    }
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> Self {
        let Answer {
            method,
            word,
            side,
            award_nsec,
            white_delta_nsec,
            black_delta_nsec,
            phase,
            result,
        } = answer;
        AnswerJson {
            method: method.as_str(),
            word: word.clone(),
            side: Some(side.as_str()).filter(|side| !side.is_empty()),
            award_ns: *award_nsec,
            white_delta_ns: *white_delta_nsec,
            black_delta_ns: *black_delta_nsec,
            phase: phase.as_str(),
            result: (!result.is_empty()).then(|| result.clone()),
        }
    }
}
