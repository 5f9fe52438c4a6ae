//! The open questions with the answers that the rules allow, in the form that an update contains.
//!
//! An update has a fixed size, so it has room for the largest number of answers. Each answer takes
//! 32 bytes here; in the engine it takes twice that.

use clock_engine::rules::{Answer, Game, LatePlayers, Question, Questions, Ruling};
use clock_engine::{Instant, Outcome, PerSide, Phase, Span};

/// The largest number of answers to all questions together: 2 to an illegal move, 4 to a claim, 4
/// to a request, 3 to the order of the flags, 6 to the moves made, 3 to a stop, 2 to each late
/// player.
const MAX_ANSWERS: usize = 26;

/// An [`Answer`] in 32 bytes, with the index of its question among the open questions.
#[derive(Clone, Copy, Debug)]
struct Packed {
    question: u8,
    ruling: Ruling,
    side: Option<LatePlayers>,
    phase: Phase,
    outcome: Option<Outcome>,
    /// The award in nanoseconds; -1 without an award. With an `Option`, `Packed` would take more than
    /// 32 bytes.
    award_ns: i64,
    delta_ns: PerSide<i64>,
}

impl Packed {
    fn new(question: u8, answer: &Answer) -> Packed {
        let Answer { ruling, side, award, phase, outcome, delta_ns } = *answer;
        let in_ns = |award: Span| i64::try_from(award.as_nanos()).unwrap_or(i64::MAX);
        Packed {
            question,
            ruling,
            side,
            phase,
            outcome,
            award_ns: award.map_or(-1, in_ns),
            delta_ns,
        }
    }

    fn answer(self) -> Answer {
        let Packed { question: _, ruling, side, phase, outcome, award_ns, delta_ns } = self;
        let award = u64::try_from(award_ns).ok().map(Span::from_nanos);
        Answer { ruling, side, award, phase, outcome, delta_ns }
    }
}

/// The open questions with their answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenQuestions {
    questions: Questions,
    answers: [Option<Packed>; MAX_ANSWERS],
}

impl OpenQuestions {
    /// The open questions of this game at `at`.
    pub fn of(game: &Game, at: Instant) -> OpenQuestions {
        let mut open = OpenQuestions { questions: game.questions(), answers: [None; MAX_ANSWERS] };
        let mut places = open.answers.iter_mut();
        for (number, question) in (0..).zip(open.questions.iter()) {
            let answers = game.answers(&question, at);
            let offered = answers.iter().map(|answer| Packed::new(number, &answer));
            for (place, answer) in places.by_ref().zip(offered) {
                *place = Some(answer);
            }
        }
        open
    }

    /// The questions, the most urgent first. Each comes with its answers.
    pub fn iter(&self) -> impl Iterator<Item = (Question, impl Iterator<Item = Answer>)> {
        (0..).zip(self.questions.iter()).map(|(number, question)| {
            let of_this = move |answer: &Packed| answer.question == number;
            let answers = self.answers.iter().copied().flatten().filter(of_this);
            (question, answers.map(Packed::answer))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_32_bytes() {
        assert_eq!(size_of::<Option<Packed>>(), 32);
    }
}
