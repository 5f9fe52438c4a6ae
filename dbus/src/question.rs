//! The open questions of a game under a rule profile, and the answers that the profile allows.

use crate::Who;
use crate::absent::{or_empty, or_minus_1, or_null};
use crate::properties::described_fields;
use clock_engine::rules::{self, ClaimView, LatePlayers, QuestionKind, QuestionProgress, Ruling};
use clock_engine::{Outcome, Phase, Side, Span, words};
use serde::{Deserialize, Serialize};
use zbus::Type;

words! {
    /// Whether a draw claim is open, and whether the game goes on with it.
    #[derive(Default)]
    ClaimState {
        /// The clocks stand for the claim, and a ruling is awaited.
        Called = "called",
        /// The game goes on with the claim: it is postponed, or was made without a stop of the
        /// clocks.
        Pending = "pending",
        /// No claim is open; the empty string on the wire.
        #[default]
        #[serde(other)]
        Nothing = "",
    }
}

impl From<Option<ClaimView>> for ClaimState {
    fn from(claim: Option<ClaimView>) -> ClaimState {
        match claim {
            None => ClaimState::Nothing,
            Some(claim) if claim.pending => ClaimState::Pending,
            Some(_) => ClaimState::Called,
        }
    }
}

described_fields! {
    /// Something that awaits an answer.
    #[derive(Clone, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
    #[zbus(signature = "(sstsa(ssxxxss))")]
    pub struct Question {
        /// What awaits an answer. It is `None` if the service sent a word that this version does not know.
        #[serde(with = "or_empty")]
        pub kind: Option<QuestionKind>,
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
    #[zbus(signature = "(ssxxxss)")]
    pub struct Answer {
        /// The argument `ruling` of the method `Rule`, which gives the answer. It is `None` if the
        /// service sent a word that this version does not know. Then this version cannot give the
        /// answer.
        #[serde(with = "or_empty")]
        pub ruling: Option<Ruling>,
        /// The argument `side` of `Rule`: the late players of `forfeit` and `waive`. `None`, which is
        /// empty on the wire, for every other ruling.
        #[serde(with = "or_empty")]
        pub side: Option<LatePlayers>,
        /// The argument `award_nsec` of `Rule`, in nanoseconds. `None` is -1 on the wire; with it,
        /// `reject` awards the amount of the rule profile, and `postpone` awards nothing; the other
        /// rulings take no award.
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
        /// The result after the answer; empty if there is none.
        #[serde(with = "or_null")]
        pub result: String,
    }
}

impl From<rules::Answer> for Answer {
    fn from(allowed: rules::Answer) -> Answer {
        Answer {
            ruling: Some(allowed.ruling),
            side: allowed.side,
            award_nsec: allowed.award.map(Span::as_nanos),
            white_delta_nsec: allowed.delta_ns.white,
            black_delta_nsec: allowed.delta_ns.black,
            phase: allowed.phase,
            result: allowed.outcome.map_or("", Outcome::as_str).to_owned(),
        }
    }
}

impl Question {
    /// A question of the rules with the answers that they allow.
    pub fn new(asked: rules::Question, answers: impl Iterator<Item = rules::Answer>) -> Question {
        Question {
            kind: Some(asked.kind),
            side: asked.side.into(),
            since_nsec: asked.since.as_nanos(),
            progress: asked.progress,
            answers: answers.map(Answer::from).collect(),
        }
    }

    /// Changes the answers as if this side had exceeded its time for `elapsed` nanoseconds more.
    /// The overrun is charged to the time that the ruling `made` gives for a final flag. Once the
    /// overrun reaches this time, the service refuses the ruling, so it is removed.
    pub(crate) fn charge_overrun(&mut self, side: Side, elapsed: u64) {
        if self.kind != Some(QuestionKind::MovesMade) || self.side != Who::from(side) {
            return;
        }
        self.answers.retain_mut(|answer| {
            if answer.ruling != Some(Ruling::Made) {
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
        assert_eq!(Question::SIGNATURE.to_string(), "(sstsa(ssxxxss))");
        assert_eq!(ClaimState::SIGNATURE.to_string(), "s");
    }
}
