//! The words of the menu in the language of its pages, and the lines that are made of them.
//!
//! All words are in the crate `clock-languages`, in one file a language. This file says which of
//! them belongs to a value of the engine. The reasons for the record and the sentence for the log
//! are in English in every language, because the arbiter and programs read them.

use crate::config::PLAYERS_AGREE;
use crate::effect::Refusal;
use crate::family::Family;
use crate::form::Field;
use crate::page::{LINE_LENGTH, wrap};
use clock_engine::rules::{
    LatePlayers, PenaltyKind, Question, QuestionKind, RateOfPlay, Ruling, citation,
};
use clock_engine::{ControlError, Method, Outcome, Phase, Side, Span};
use clock_languages::{Language, Menu, Sides};
use std::ops::Deref;

// Reasons for the record.
pub(crate) const AT_THE_CLOCK: &str = "at the clock";
pub(crate) const BOTH_PRESSED: &str = "at the clock, both players agreed";
/// The reason of a command that is given with the code, after this many wrong codes.
pub(crate) fn with_code(wrong_before: u32) -> String {
    let text = "at the clock, with the arbiter's code";
    match wrong_before {
        0 => text.to_owned(),
        1 => format!("{text}, after 1 wrong code"),
        wrong => format!("{text}, after {wrong} wrong codes"),
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Words(pub Language);

impl Deref for Words {
    type Target = Menu;

    fn deref(&self) -> &Menu {
        &self.0.words().menu
    }
}

pub(crate) fn of(texts: &Sides, side: Side) -> &'static str {
    match side {
        Side::White => texts.white,
        Side::Black => texts.black,
    }
}

impl Words {
    pub fn side_name(self, side: Side) -> &'static str {
        of(&self.side, side)
    }

    /// A side, and what is said of it.
    pub fn said_of(self, side: Side, what: &str) -> String {
        format!("{}{}{what}", self.side_name(side), self.colon())
    }

    /// The colon between a name and its value, with the blanks that the language puts around it.
    pub fn colon(self) -> &'static str {
        self.0.words().face.colon
    }

    pub fn reading(self, side: Side, span: Span) -> String {
        format!("{} {}", self.side_name(side), face_time(span))
    }

    pub fn rules(self, name: &str) -> String {
        let words = &self.new_game;
        let name = if name == PLAYERS_AGREE { words.rules_we_two } else { name };
        words.rules.with([&name])
    }

    pub fn field(self, field: Field) -> &'static str {
        let words = &self.correction;
        match field {
            Field::Time(side) => of(&words.time, side),
            Field::Moves(side) => of(&words.moves, side),
            Field::Period(side) => of(&words.period, side),
        }
    }

    /// A change of a field on one line.
    pub fn changed(self, which: Field, before: &str, after: &str) -> String {
        let name = match which {
            Field::Time(side) => self.side_name(side),
            which => self.field(which),
        };
        let both = format!("{name} {before}→{after}");
        // Only times of 10 hours and more are too long. For them, the old value is left out.
        if both.chars().count() <= LINE_LENGTH { both } else { format!("{name} →{after}") }
    }

    pub fn own_method(self, method: Method) -> &'static str {
        let words = &self.new_game;
        match method {
            Method::Increment(_) => words.method_increment,
            Method::Delay(_) => words.method_delay,
            Method::Bronstein(_) => words.method_bronstein,
            Method::Hourglass => words.method_hourglass,
            _ => words.method_none,
        }
    }

    pub fn family(self, family: Family) -> &'static str {
        let words = &self.families;
        match family {
            Family::OnePeriod(RateOfPlay::Blitz) => words.blitz,
            Family::OnePeriod(RateOfPlay::Rapid) => words.rapid,
            Family::OnePeriod(RateOfPlay::Standard) => words.long,
            Family::Periods => words.periods,
            Family::Unequal => words.unequal,
            Family::Other => words.other,
        }
    }

    pub fn outcome(self, outcome: Outcome) -> &'static str {
        let words = &self.outcomes;
        match outcome {
            Outcome::WhiteWins => words.white_wins,
            Outcome::Drawn => words.drawn,
            Outcome::BlackWins => words.black_wins,
            Outcome::BothLose => words.both_lose,
        }
    }

    pub fn phase(self, phase: Phase) -> &'static str {
        let words = &self.phases;
        match phase {
            Phase::Ready => words.ready,
            Phase::Running => words.running,
            Phase::Paused => words.paused,
            Phase::Ruling => words.ruling,
            Phase::Over => words.over,
        }
    }

    pub fn question(self, question: &Question) -> String {
        let words = &self.questions;
        let what = match question.kind {
            QuestionKind::IllegalMove => words.illegal_move,
            QuestionKind::Claim => words.claim,
            QuestionKind::Request => words.more_time,
            QuestionKind::MovesMade => words.enough_moves,
            QuestionKind::Flag => words.flag,
            QuestionKind::Default => words.too_late,
            QuestionKind::PostponedClaim => words.postponed_claim,
            // It is about both sides.
            QuestionKind::FlagOrder => return words.first_flag.to_owned(),
            QuestionKind::Stop => {
                let stopped_by = |side| of(&words.stopped_by, side);
                return question.side.map_or(words.stopped, stopped_by).to_owned();
            }
        };
        match question.side {
            Some(side) => self.said_of(side, what),
            None => what.to_owned(),
        }
    }

    /// The answer with this ruling, which names these late players.
    pub fn answer(self, ruling: Ruling, late: Option<LatePlayers>) -> &'static str {
        let words = &self.answers;
        match (ruling, late) {
            (Ruling::Call, _) => words.call_flag,
            (Ruling::WhiteLoses, _) | (Ruling::Forfeit, Some(LatePlayers::White)) => {
                words.has_lost.white
            }
            (Ruling::BlackLoses, _) | (Ruling::Forfeit, Some(LatePlayers::Black)) => {
                words.has_lost.black
            }
            (Ruling::Forfeit, Some(LatePlayers::Both) | None) => words.both_lost,
            (Ruling::Lost, _) => words.lost,
            (Ruling::Drawn, _) => words.drawn,
            (Ruling::Made, _) => words.made,
            (Ruling::NotMade, _) => words.not_made,
            (Ruling::NotEstablished, _) => words.not_established,
            (Ruling::OrderUnknown, _) => words.order_unknown,
            (Ruling::Postpone, _) => words.postpone,
            (Ruling::Reject, _) => words.reject,
            (Ruling::IncrementAgreed, _) => words.agree,
            (Ruling::IncrementRefused, _) => words.refuse,
            (Ruling::DrawAccepted, _) => words.offer_accepted,
            (Ruling::DrawRefused, _) => words.offer_refused,
            (Ruling::Valid, _) => words.reason_valid,
            (Ruling::NotObvious, _) => words.reason_not_obvious,
            (Ruling::ObviouslyInvalid, _) => words.reason_invalid,
            (Ruling::Waive, _) => words.is_played,
        }
    }

    pub fn penalty(self, kind: PenaltyKind) -> &'static str {
        let words = &self.penalties;
        match kind {
            PenaltyKind::Warning => words.warning,
            PenaltyKind::OpponentPlus => words.opponent_plus,
            PenaltyKind::OffenderMinus => words.offender_minus,
            PenaltyKind::Loss => words.loss,
            PenaltyKind::PointsOff => words.points_off,
            PenaltyKind::OpponentPoints => words.opponent_points,
            PenaltyKind::Expulsion => words.expulsion,
            PenaltyKind::Fine => words.fine,
        }
    }

    /// Why a command was refused, in lines. The sentences of the engine are in English only. Another
    /// language has a sentence of its own, and the clause with the title of its source.
    pub fn refusal(self, refusal: &Refusal) -> Vec<String> {
        let Some(own) = &self.own else { return wrap(&refusal.text) };
        let mut lines = wrap((refusal.sentence)(&own.refusal));
        let clause = refusal.clause.map(|clause| citation(clause).to_string());
        lines.extend(clause.iter().flat_map(|clause| wrap(clause)));
        lines
    }

    /// Why a control is not possible, in lines. The sentence of the engine is in English only.
    pub fn control_error(self, error: &ControlError) -> Vec<String> {
        let own = self.own.as_ref().map(|own| wrap(own.control.not_possible));
        own.unwrap_or_else(|| wrap(&error.to_string()))
    }
}

/// A time as the face shows it: `3:02` or `1:30:00`.
pub(crate) fn face_time(span: Span) -> String {
    marked_time(span, None)
}

/// A time as the face shows it, with the minutes in brackets for a step of a minute, or the seconds for
/// a shorter one.
pub(crate) fn marked_time(span: Span, step: Option<u64>) -> String {
    let seconds = span.as_nanos().div_ceil(1_000_000_000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let (hours, minutes) = match hours {
        0 => (String::new(), minutes.to_string()),
        hours => (format!("{hours}:"), format!("{minutes:02}")),
    };
    match step {
        None => format!("{hours}{minutes}:{seconds:02}"),
        Some(60..) => format!("{hours}[{minutes}]:{seconds:02}"),
        Some(_) => format!("{hours}{minutes}:[{seconds:02}]"),
    }
}

/// A change of a time: `+2:00`.
pub(crate) fn change(nanos: i64) -> String {
    let sign = if nanos < 0 { '-' } else { '+' };
    format!("{sign}{}", face_time(Span::from_nanos(nanos.unsigned_abs())))
}

/// A result as seven-segment digits show it.
pub(crate) fn outcome_value(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::WhiteWins => "1-0",
        Outcome::Drawn => "5-5",
        Outcome::BlackWins => "0-1",
        Outcome::BothLose => "0-0",
    }
}

#[cfg(test)]
mod tests;
