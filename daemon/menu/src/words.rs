//! All words of the menu, in English. A line has at most 24 characters.

use crate::context::PLAYERS_AGREE;
use crate::digits::End;
use crate::form::{Field, OwnMethod};
use crate::page::LINE_LENGTH;
use clock_engine::rules::{
    Action, Decision, DefaultRuling, GameCommand, LatePlayers, Loser, OfferAnswer, PenaltyKind,
    Question, QuestionKind, StopRuling,
};
use clock_engine::{Command, Outcome, Phase, Side, Span};
use clockd_core::AnswerBy;

pub(crate) const NO_MENU: &str =
    "a rocker without a call button works no menu: no line could be chosen";

// The buttons and what they do.
pub(crate) const KEY_BACK: &str = "back";
pub(crate) const KEY_ON: &str = "on";
pub(crate) const KEY_CHOOSE: &str = "choose";
pub(crate) const KEY_LEAVE: &str = "leave";
pub(crate) const KEY_LESS: &str = "less";
pub(crate) const KEY_MORE: &str = "more";
pub(crate) const KEY_NEXT: &str = "next digit";
pub(crate) const KEY_AGREE: &str = "agree";
pub(crate) const KEY_DONE: &str = "done";

// Lines that many pages have.
pub(crate) const BACK: &str = "Back";
pub(crate) const LEAVE: &str = "Leave the menu";

// Titles and lines of the first pages.
pub(crate) const MENU: &str = "Menu";
pub(crate) const GAME: &str = "Game: clocks stand";
pub(crate) const AGAIN: &str = "Again, same sides";
pub(crate) const AGAIN_EXCHANGED: &str = "Again, sides exchanged";
pub(crate) const NEW_GAME: &str = "New game";
pub(crate) const WE_TWO: &str = "We two";
pub(crate) const WITH_ARBITER: &str = "With an arbiter";
pub(crate) const OTHER_RULES: &str = "Rules as before";
pub(crate) const CONTROL: &str = "Time control";
pub(crate) const ALL_CONTROLS: &str = "All, by family";
pub(crate) const OWN: &str = "Our own";
pub(crate) const EMPTY: &str = "not set";
pub(crate) const PLAY: &str = "Play it";
pub(crate) const CHANGE: &str = "Change it";
pub(crate) const NO_TIME: &str = "The time is 0:00:00";
pub(crate) const KEEP: &str = "Keep it and go on";
pub(crate) const SUMMARY: &str = "Is this right?";
pub(crate) const ACCEPT: &str = "Accept";
pub(crate) const GAME_IS_LOST: &str = "The game here ends";
pub(crate) const EXCHANGE: &str = "Each keeps his button";
pub(crate) const COUNTED: &str = "Moves end a period";
pub(crate) const NOT_COUNTED: &str = "No move limit";
pub(crate) const FLAG_HALTS: &str = "Flag: both clocks stop";
pub(crate) const FLAG_RUNS: &str = "Flag: clock runs on";

// Settings.
pub(crate) const WHITES_SIDE: &str = "White's button";
pub(crate) const AS_WIRED: &str = "As it is wired";
pub(crate) const EXCHANGED: &str = "Exchanged";
pub(crate) const SOUND: &str = "Sound";
pub(crate) const ON: &str = "On";
pub(crate) const OFF: &str = "Off";
pub(crate) const BRIGHTNESS: &str = "Brightness";
pub(crate) const BY_SCHEDULE: &str = "By the time of day";
pub(crate) const ABOUT: &str = "About this clock";
pub(crate) const NO_FAULTS: &str = "No faults";

// A game that stands.
pub(crate) const AWAITS: &str = "What awaits an answer";
pub(crate) const NOTHING_AWAITS: &str = "Nothing awaits";
pub(crate) const AGREE_HINT: &str = "Agree: Result or Correct";
pub(crate) const GO_ON: &str = "Go on";
pub(crate) const ADDED_TIME: &str = "Added time is taken back";
pub(crate) const RESUME_HINT: &str = "Go on: leave, both press";
pub(crate) const CORRECT: &str = "Correct the clock";
pub(crate) const SHOW_BOTH: &str = "Show before and after";
pub(crate) const READINGS: &str = "Before and after";
pub(crate) const NOTHING_CHANGED: &str = "Nothing is changed yet";
pub(crate) const RESULT: &str = "Result";
pub(crate) const NO_RESULT: &str = "No result: play on";
pub(crate) const PENALTIES: &str = "Penalties";
pub(crate) const OFFENDER: &str = "Who is penalized?";
pub(crate) const UNDO: &str = "Take back last press";
pub(crate) const RESUME: &str = "Resume";
pub(crate) const TAKE: &str = "Take this time";
pub(crate) const DO_IT: &str = "Yes, do it";
pub(crate) const POINT_HALF: &str = "Half a point";
pub(crate) const POINT_ONE: &str = "One point";

// Both players, the code, the answer.
pub(crate) const BOTH_AGREE: &str = "Both agree?";
pub(crate) const PRESS: &str = "press your button";
pub(crate) const AGREED: &str = "agrees";
pub(crate) const CODE: &str = "Arbiter's code";
pub(crate) const ENTER_CODE: &str = "Press the code";
pub(crate) const THEN_CALL: &str = "Then press Call";
pub(crate) const WRONG: &str = "Wrong code";
pub(crate) const DONE: &str = "Done";
pub(crate) const REFUSED: &str = "Refused";
pub(crate) const THEN_REFUSED: &str = "Then refused:";
pub(crate) const NOTE: &str = "Note";
pub(crate) const NO_ANSWER: &str = "No answer";
pub(crate) const LOOK_AT_THE_CLOCK: &str =
    "It is not known whether it was done. Look at the clock before you try again.";
pub(crate) const WAITING: &str = "One moment";

// Reasons for the record.
pub(crate) const AT_THE_CLOCK: &str = "at the clock";
pub(crate) const BOTH_PRESSED: &str = "at the clock, both players agreed";
/// The reason of a command that is given with the code, after so many wrong ones.
pub(crate) fn with_code(wrong_before: u32) -> String {
    let text = "at the clock, with the arbiter's code";
    match wrong_before {
        0 => text.to_owned(),
        1 => format!("{text}, after 1 wrong code"),
        wrong => format!("{text}, after {wrong} wrong codes"),
    }
}

/// What a command has done, before a command after it was refused.
pub(crate) fn carried_out(command: &GameCommand) -> Option<&'static str> {
    match command {
        GameCommand::Clock(Command::Reopen) => Some("The result was taken back."),
        GameCommand::New(_) => Some("The new game was set up."),
        GameCommand::Action(Action::Confirm { by: Side::White, .. }) => Some("White has agreed."),
        GameCommand::Action(Action::Confirm { by: Side::Black, .. }) => Some("Black has agreed."),
        // No other command of the menu has one after it.
        _ => None,
    }
}

pub(crate) fn before(value: &str) -> String {
    format!("before {value}")
}

pub(crate) fn after(value: &str) -> String {
    format!("  after {value}")
}

pub(crate) fn end(end: End) -> &'static str {
    match end {
        End::Ok => "OK",
        End::Again => "Again",
        End::Back => BACK,
    }
}

pub(crate) fn wait(seconds: u64) -> String {
    format!("Wait {seconds} s")
}

pub(crate) fn version(version: &str) -> String {
    format!("Version {version}")
}

pub(crate) fn board(board: &str) -> String {
    format!("Board {board}")
}

/// A place of the players' own controls, with the name of the control if there is one.
pub(crate) fn own_place(place: usize, name: &str) -> String {
    let number = place + 1;
    if name.is_empty() { format!("Own {number}") } else { format!("Own {number}: {name}") }
}

/// A time with hours, minutes and seconds. A second that has begun counts as a whole one, as on the
/// face.
pub(crate) fn time(span: Span) -> String {
    let seconds = span.as_nanos().div_ceil(1_000_000_000);
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A change of a time: `+0:02:00`.
pub(crate) fn change(nanos: i64) -> String {
    let sign = if nanos < 0 { '-' } else { '+' };
    format!("{sign}{}", time(Span::from_nanos(nanos.unsigned_abs())))
}

/// A change of a time without hours that are 0: `+02:00`.
pub(crate) fn short_change(nanos: i64) -> String {
    let change = change(nanos);
    match change.split_once("0:") {
        Some((sign, rest)) if sign.len() == 1 => format!("{sign}{rest}"),
        _ => change,
    }
}

pub(crate) fn clock_runs(side: Side) -> String {
    format!("{side}'s clock runs")
}

pub(crate) fn on_move(side: Side) -> String {
    format!("On move: {side}")
}

/// The side on move after the last press was taken back.
pub(crate) fn then_on_move(side: Side) -> String {
    format!("Then on move: {side}")
}

/// The name of a rule profile.
pub(crate) fn rules(name: &str) -> String {
    let name = if name == PLAYERS_AGREE { "we two" } else { name };
    format!("Rules: {name}")
}

pub(crate) fn offender(side: Side) -> String {
    format!("Offender: {side}")
}

pub(crate) fn penalties_of(side: Side) -> String {
    format!("Penalty for {side}")
}

/// What a penalty of this kind does with this time.
pub(crate) fn penalty_time(kind: PenaltyKind, offender: Side, span: Span) -> String {
    match kind {
        PenaltyKind::OpponentPlus => format!("{} gets {}", offender.other(), time(span)),
        _ => format!("{offender} loses {}", time(span)),
    }
}

pub(crate) fn field(field: Field) -> String {
    match field {
        Field::Time(side) => format!("{side}'s time"),
        Field::Moves(side) => format!("{side}'s moves"),
        Field::Period(side) => format!("{side}'s period"),
        Field::OvertimePeriods(side) => format!("{side}'s overtimes"),
        Field::OvertimeMoves(side) => format!("{side}'s moves left"),
        Field::OwnTime => "Time".to_owned(),
        Field::OwnMoves => "Moves (0: all)".to_owned(),
        Field::OwnPerMove => "For each move".to_owned(),
        Field::OwnSecond => "Second period".to_owned(),
        Field::Penalty => "Time of the penalty".to_owned(),
    }
}

/// A change of a field on one line.
pub(crate) fn changed(which: Field, before: &str, after: &str) -> String {
    let name = match which {
        Field::Time(side) => side.to_string(),
        which => field(which),
    };
    let both = format!("{name} {before}→{after}");
    // Only times of 10 hours and more are too long.
    if both.chars().count() <= LINE_LENGTH { both } else { format!("{name} →{after}") }
}

pub(crate) fn own_method(method: OwnMethod) -> &'static str {
    match method {
        OwnMethod::None => "Nothing for a move",
        OwnMethod::Increment => "Increment",
        OwnMethod::Delay => "Delay",
        OwnMethod::Bronstein => "Bronstein",
        OwnMethod::Hourglass => "Hourglass",
    }
}

pub(crate) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::WhiteWins => "1-0 White wins",
        Outcome::Drawn => "½-½ drawn",
        Outcome::BlackWins => "0-1 Black wins",
        Outcome::BothLose => "0-0 both lose",
    }
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

pub(crate) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Ready => "Then the game can begin",
        Phase::Running => "Then a clock runs",
        Phase::Paused => "Then the clocks stand",
        Phase::Ruling => "Then another question",
        Phase::Over => "Then the game is over",
    }
}

pub(crate) fn question(question: &Question) -> String {
    let what = match question.kind {
        QuestionKind::IllegalMove => "illegal move",
        QuestionKind::Claim => "draw claim",
        QuestionKind::Request => "more time?",
        QuestionKind::FlagOrder => "Which flag was first?",
        QuestionKind::MovesMade => "enough moves?",
        QuestionKind::Flag => "the flag fell",
        QuestionKind::Stop => "reason?",
        QuestionKind::Default => "too late?",
        QuestionKind::PostponedClaim => "postponed claim",
    };
    match (question.kind, question.side) {
        (QuestionKind::Stop, Some(side)) => format!("{side} stopped: {what}"),
        // It is about both sides.
        (QuestionKind::FlagOrder, _) => what.to_owned(),
        (_, Some(side)) => format!("{side}: {what}"),
        (QuestionKind::Stop, None) => format!("Clocks stopped: {what}"),
        (_, None) => what.to_owned(),
    }
}

pub(crate) fn answer(by: &AnswerBy) -> String {
    match by {
        AnswerBy::Rule(decision, loser) => match (decision, loser) {
            (Decision::Lost, Loser::White) => "White has lost".to_owned(),
            (Decision::Lost, Loser::Black) => "Black has lost".to_owned(),
            (decision, _) => decision_words(*decision).to_owned(),
        },
        AnswerBy::RuleStop(StopRuling::Valid) => "The reason was valid".to_owned(),
        AnswerBy::RuleStop(StopRuling::NotObvious) => "Not obviously invalid".to_owned(),
        AnswerBy::RuleStop(StopRuling::ObviouslyInvalid) => "Invalid: a penalty".to_owned(),
        AnswerBy::RuleDefault(DefaultRuling::Waive, _) => "The game is played".to_owned(),
        AnswerBy::RuleDefault(DefaultRuling::Forfeit, LatePlayers::Both) => {
            "Both have lost".to_owned()
        }
        AnswerBy::RuleDefault(DefaultRuling::Forfeit, players) => {
            players.side().map_or_else(String::new, |side| format!("{side} has lost"))
        }
        AnswerBy::AnswerOffer(OfferAnswer::Accepted) => "Draw offer accepted".to_owned(),
        AnswerBy::AnswerOffer(OfferAnswer::Refused) => "Draw offer refused".to_owned(),
        AnswerBy::ClaimFlag => "Call the flag".to_owned(),
    }
}

fn decision_words(decision: Decision) -> &'static str {
    match decision {
        Decision::Made => "Moves were made",
        Decision::NotMade => "Moves were not made",
        Decision::NotEstablished => "Not established",
        Decision::OrderUnknown => "Order is not known",
        Decision::Lost => "The player has lost",
        Decision::Drawn => "Drawn",
        Decision::Postpone => "Postpone",
        Decision::Reject => "Reject",
        Decision::Accept => "Accept",
        Decision::Agree => "Agree to it",
        Decision::Refuse => "Do not agree",
        Decision::Won => "The player has won",
    }
}

pub(crate) fn penalty(kind: PenaltyKind) -> &'static str {
    match kind {
        PenaltyKind::Warning => "Warning",
        PenaltyKind::OpponentPlus => "Time for opponent",
        PenaltyKind::OffenderMinus => "Time off the offender",
        PenaltyKind::Loss => "The game is lost",
        PenaltyKind::PointsOff => "Points off",
        PenaltyKind::OpponentPoints => "Points for opponent",
        PenaltyKind::Expulsion => "Expulsion",
        PenaltyKind::Fine => "Fine",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Instant;
    use clock_engine::rules::QuestionProgress;

    fn fits(text: &str) {
        assert!(!text.is_empty() && text.chars().count() <= LINE_LENGTH, "{text}");
    }

    #[test]
    fn every_question_answer_and_penalty_fits_on_a_line() {
        let sides = [None, Some(Side::White), Some(Side::Black)];
        for (kind, side) in
            QuestionKind::ALL.iter().flat_map(|kind| sides.map(|side| (*kind, side)))
        {
            let progress = QuestionProgress::Nothing;
            fits(&question(&Question { kind, side, since: Instant::ZERO, progress }));
        }
        for (decision, loser) in Decision::ALL
            .iter()
            .flat_map(|decision| [Loser::White, Loser::Black].map(|loser| (*decision, loser)))
        {
            fits(&answer(&AnswerBy::Rule(decision, loser)));
        }
        for ruling in StopRuling::ALL {
            fits(&answer(&AnswerBy::RuleStop(*ruling)));
        }
        for (ruling, late) in DefaultRuling::ALL
            .iter()
            .flat_map(|ruling| LatePlayers::ALL.iter().map(|late| (*ruling, *late)))
        {
            fits(&answer(&AnswerBy::RuleDefault(ruling, late)));
        }
        let long = Span::from_secs(9 * 3600);
        for kind in PenaltyKind::ALL {
            fits(&format!("{}: ½", penalty(*kind)));
            Side::BOTH.iter().for_each(|side| fits(&penalty_time(*kind, *side, long)));
        }
        for phase in
            [Phase::Ready, Phase::Running, Phase::Paused, Phase::Ruling, Phase::Over].map(phase)
        {
            fits(phase);
        }
    }

    #[test]
    fn a_change_fits_on_a_line() {
        for side in Side::BOTH {
            for field in [Field::Moves, Field::Period, Field::OvertimePeriods, Field::OvertimeMoves]
            {
                let value = if field(side) == Field::Moves(side) { "123" } else { "12" };
                let text = changed(field(side), value, value);
                assert!(text.contains(&format!("{value}→{value}")), "{text}");
                fits(&text);
            }
        }
        let time = Field::Time(Side::White);
        assert_eq!(changed(time, "0:02:57", "9:05:00"), "White 0:02:57→9:05:00");
        assert_eq!(changed(time, "010:02:57", "010:05:00"), "White →010:05:00");
    }

    #[test]
    fn a_short_change_has_no_hours_that_are_0() {
        let changes =
            [120, -30 * 60, 3600, -36_000].map(|seconds| short_change(seconds * 1_000_000_000));
        assert_eq!(changes, ["+02:00", "-30:00", "+1:00:00", "-10:00:00"]);
    }
}
