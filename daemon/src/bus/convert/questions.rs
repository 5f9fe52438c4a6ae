//! Converts the open questions and their answers to the types of the D-Bus interface.

use clock_dbus::{Answer, Question};
use clock_engine::{Outcome, PerSide, Span, rules};
use clockd_rt::OpenQuestions;

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

fn answer(allowed: rules::Answer) -> Answer {
    let rules::Answer { ruling, side, award, phase, outcome, delta_ns } = allowed;
    let PerSide { white, black } = delta_ns;
    Answer {
        ruling,
        side,
        award_nsec: award.map(Span::as_nanos),
        white_delta_nsec: white,
        black_delta_nsec: black,
        phase,
        result: outcome.map_or("", Outcome::as_str).to_owned(),
    }
}
