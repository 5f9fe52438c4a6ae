//! The open questions of a game under a rule profile, and the answers that the profile allows.

use crate::{Who, or_minus_1, or_null};
use clock_engine::rules::{LatePlayers, QuestionKind, QuestionProgress};
use clock_engine::{Phase, Side, words};
use serde::{Deserialize, Serialize};
use zbus::Type;

words! {
    /// The method of the arbiter's interface that gives an answer.
    AnswerMethod {
        /// The method `GiveRuling`. Its argument `decision` is the word of the answer.
        GiveRuling = "GiveRuling",
        /// The method `GiveStopRuling`. Its argument `ruling` is the word of the answer.
        GiveStopRuling = "GiveStopRuling",
        /// The method `GiveDefaultRuling`. Its argument `ruling` is the word of the answer.
        GiveDefaultRuling = "GiveDefaultRuling",
        /// The method `AnswerOffer`. Its argument `answer` is the word of the answer.
        AnswerOffer = "AnswerOffer",
        /// The method `ClaimFlag`. Its argument `by` is the word of the answer, `arbiter`, and
        /// `evidence` is `flag`.
        ClaimFlag = "ClaimFlag",
    }
}

words! {
    /// The argument `side` of an answer.
    #[derive(Default)]
    AnswerSide {
        /// The method has no such argument, or the answer names nobody; the empty string on the
        /// wire.
        #[default]
        Nobody = "",
        /// White.
        White = "white",
        /// Black.
        Black = "black",
        /// Both players.
        Both = "both",
    }
}

impl From<LatePlayers> for AnswerSide {
    fn from(late: LatePlayers) -> AnswerSide {
        match late {
            LatePlayers::White => AnswerSide::White,
            LatePlayers::Black => AnswerSide::Black,
            LatePlayers::Both => AnswerSide::Both,
        }
    }
}

impl From<Who> for AnswerSide {
    /// The side of a player, otherwise [`AnswerSide::Nobody`].
    fn from(who: Who) -> AnswerSide {
        match who {
            Who::White => AnswerSide::White,
            Who::Black => AnswerSide::Black,
            Who::Arbiter | Who::Button | Who::Nobody => AnswerSide::Nobody,
        }
    }
}

words! {
    /// Whether a draw claim is open, and whether the game goes on with it.
    #[derive(Default)]
    ClaimState {
        /// No claim is open; the empty string on the wire.
        #[default]
        Nothing = "",
        /// The clocks stand for the claim, and a ruling is awaited.
        Called = "called",
        /// The game goes on with the claim: it is postponed, or was made without a stop of the
        /// clocks.
        Pending = "pending",
    }
}

/// Something that awaits an answer.
#[derive(Clone, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Question {
    /// What awaits an answer.
    pub kind: QuestionKind,
    /// The side that the question is about, such as the side whose flag fell, or the side that made
    /// a claim or stopped the clocks. It is [`Who::Nobody`] for `FlagOrder`, and for a stop with
    /// the call button.
    #[serde(with = "or_null")]
    pub side: Who,
    /// The instant since which the question has been open.
    #[serde(rename = "since_ns")]
    pub since_nsec: u64,
    /// What has been done about the question.
    #[serde(with = "or_null")]
    pub progress: QuestionProgress,
    /// The answers that the rules allow at the `at_nsec` of the state, the usual one first.
    pub answers: Vec<Answer>,
}

/// An answer that the rules allow now, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
#[zbus(signature = "(sssxxxss)")]
pub struct Answer {
    /// The method that gives the answer.
    pub method: AnswerMethod,
    /// The argument that distinguishes the answers of the method: the decision, the ruling, the
    /// answer to the offer, or `arbiter`.
    pub word: String,
    /// The argument `side` of the method. For `GiveDefaultRuling`, it names the late player, or
    /// both players. For the decision `lost` of `GiveRuling`, it names the player who has lost. For
    /// every other answer, it is [`AnswerSide::Nobody`].
    #[serde(with = "or_null")]
    pub side: AnswerSide,
    /// The argument `award_nsec` of `GiveRuling`, in nanoseconds; `None`, which is -1 on the wire,
    /// for the other methods. With `None`, the decision `reject` awards the amount of the rule
    /// profile, and `postpone` awards nothing; the other decisions take no award.
    #[serde(rename = "award_ns", with = "or_minus_1")]
    pub award_nsec: Option<u64>,
    /// By how much the answer raises White's main number, in nanoseconds; negative if the answer
    /// lowers it.
    #[serde(rename = "white_delta_ns")]
    pub white_delta_nsec: i64,
    /// By how much the answer raises Black's main number, in nanoseconds; negative if the answer
    /// lowers it.
    #[serde(rename = "black_delta_ns")]
    pub black_delta_nsec: i64,
    /// The phase after the answer.
    pub phase: Phase,
    /// The result after the answer, or empty.
    #[serde(with = "or_null")]
    pub result: String,
}

impl Question {
    /// Changes the answers as if this side had exceeded its time for `elapsed` nanoseconds more.
    /// The overrun is charged to the time that the decision `made` gives for a final flag. Once the
    /// overrun reaches this time, the service refuses the decision, so it is removed.
    pub(crate) fn charge_overrun(&mut self, side: Side, elapsed: u64) {
        if self.kind != QuestionKind::MovesMade || self.side != Who::from(side) {
            return;
        }
        self.answers.retain_mut(|answer| {
            if answer.method != AnswerMethod::GiveRuling || answer.word != "made" {
                return true;
            }
            let delta = match side {
                Side::White => &mut answer.white_delta_nsec,
                Side::Black => &mut answer.black_delta_nsec,
            };
            *delta = delta.saturating_sub_unsigned(elapsed);
            *delta > 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_have_the_documented_signatures() {
        assert_eq!(Question::SIGNATURE.to_string(), "(sstsa(sssxxxss))");
        assert_eq!(ClaimState::SIGNATURE.to_string(), "s");
    }
}
