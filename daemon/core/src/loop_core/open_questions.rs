//! The open questions with the answers that the rules allow, in the form that an update contains.
//!
//! An update has a fixed size, so it has room for the largest number of answers. Each answer takes
//! 32 bytes here; in the engine it takes twice that.

use clock_engine::rules::{
    Action, Answer, Decision, DefaultRuling, Game, LatePlayers, Loser, OfferAnswer, Question,
    Questions, StopRuling,
};
use clock_engine::{Instant, Outcome, PerSide, Phase, Span};

/// The largest number of answers to all questions together: 2 to an illegal move, 4 to a claim, 4
/// to a request, 3 to the order of the flags, 6 to the moves made, 3 to a stop, 2 to each late
/// player.
const MAX_ANSWERS: usize = 26;

/// The command that gives an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerBy {
    /// A ruling; the second value says who has lost.
    Rule(Decision, Loser),
    /// A ruling on a stop.
    RuleStop(StopRuling),
    /// A ruling on a late arrival of these players.
    RuleDefault(DefaultRuling, LatePlayers),
    /// The opponent's answer to a draw offer.
    AnswerOffer(OfferAnswer),
    /// The arbiter's call of a flag.
    ClaimFlag,
}

/// An answer that the rules allow, and its effects.
#[derive(Clone, Copy, Debug)]
pub struct OfferedAnswer {
    /// The command that gives the answer.
    pub by: AnswerBy,
    /// The time that the command must award to a player; `None` if the command awards no time.
    pub award: Option<Span>,
    /// The phase after the answer.
    pub phase: Phase,
    /// The result after the answer.
    pub outcome: Option<Outcome>,
    /// The change of the time shown for each side, in nanoseconds.
    pub delta_ns: PerSide<i64>,
}

/// An [`OfferedAnswer`] in 32 bytes, with the index of its question among the open questions.
#[derive(Clone, Copy, Debug)]
struct Packed {
    question: u8,
    by: AnswerBy,
    phase: Phase,
    outcome: Option<Outcome>,
    /// The time that the command must award, in nanoseconds; -1 if it awards none. With an
    /// `Option`, `Packed` would take more than 32 bytes.
    award_ns: i64,
    delta_ns: PerSide<i64>,
}

impl Packed {
    fn unpacked(self) -> OfferedAnswer {
        let Packed { question: _, by, phase, outcome, award_ns, delta_ns } = self;
        let award = u64::try_from(award_ns).ok().map(Span::from_nanos);
        OfferedAnswer { by, award, phase, outcome, delta_ns }
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
            let offered = answers.iter().filter_map(|answer| packed(number, &answer));
            for (place, answer) in places.by_ref().zip(offered) {
                *place = Some(answer);
            }
        }
        open
    }

    /// The questions, the most urgent first. Each comes with its answers.
    pub fn iter(&self) -> impl Iterator<Item = (Question, impl Iterator<Item = OfferedAnswer>)> {
        (0..).zip(self.questions.iter()).map(|(number, question)| {
            let of_this = move |answer: &Packed| answer.question == number;
            let answers = self.answers.iter().copied().flatten().filter(of_this);
            (question, answers.map(Packed::unpacked))
        })
    }
}

fn packed(question: u8, answer: &Answer) -> Option<Packed> {
    let (by, award) = match answer.action {
        Action::Rule { decision, side, award } => (AnswerBy::Rule(decision, side), award),
        Action::RuleStop(ruling) => (AnswerBy::RuleStop(ruling), None),
        Action::RuleDefault { side, ruling } => (AnswerBy::RuleDefault(ruling, side), None),
        Action::AnswerOffer(answer) => (AnswerBy::AnswerOffer(answer), None),
        Action::ClaimFlag { .. } => (AnswerBy::ClaimFlag, None),
        // No other action is an answer to a question.
        _ => return None,
    };
    let award_ns = award.map_or(-1, |award| i64::try_from(award.as_nanos()).unwrap_or(i64::MAX));
    // The action itself is not stored, because `by` and `award_ns` contain it.
    let Answer { action: _, phase, outcome, delta_ns } = *answer;
    Some(Packed { question, by, phase, outcome, award_ns, delta_ns })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_32_bytes() {
        assert_eq!(size_of::<Option<Packed>>(), 32);
    }
}
