//! Every line of the forms and lists of an arbiter, chosen one after the other.

use super::table::{BLACK, CALL};
use super::tables::{coded, standing};
use clock_engine::rules::{Action, GameCommand, Penalty, PenaltyKind};
use clock_engine::{Phase, Side, Span};
use clockd_core::PressLength;

#[test]
fn every_penalty_of_the_profile_is_given() {
    let (two_minutes, one_minute) = (Span::from_secs(120), Span::from_secs(60));
    let expected = [
        (PenaltyKind::Warning, Span::ZERO, 0),
        (PenaltyKind::OpponentPlus, two_minutes, 0),
        (PenaltyKind::OpponentPlus, one_minute, 0),
        (PenaltyKind::OffenderMinus, two_minutes, 0),
        (PenaltyKind::OffenderMinus, one_minute, 0),
        (PenaltyKind::Loss, Span::ZERO, 0),
        (PenaltyKind::PointsOff, Span::ZERO, 1),
        (PenaltyKind::PointsOff, Span::ZERO, 2),
        (PenaltyKind::OpponentPoints, Span::ZERO, 1),
        (PenaltyKind::OpponentPoints, Span::ZERO, 2),
        (PenaltyKind::Expulsion, Span::ZERO, 0),
        (PenaltyKind::Fine, Span::ZERO, 0),
    ];
    for (side, name) in [(Side::White, "White"), (Side::Black, "Black")] {
        for (index, (kind, time, half_points)) in expected.into_iter().enumerate() {
            let mut table = coded();
            table.open().unwrap();
            table.choose("Penalties");
            table.enter_code("wbwb");
            table.choose(name);
            assert_eq!(table.page().title, format!("Penalty for {name}"));
            for _ in 0..index {
                table.press(BLACK, PressLength::Short);
            }
            table.press(CALL, PressLength::Short);
            assert_eq!(table.page().lines[0], format!("Offender: {name}"));
            table.choose("Yes");
            let penalty = Penalty { side, kind, time, half_points, cause: None };
            assert_eq!(table.accepted, [GameCommand::Action(Action::Penalize(penalty))]);
        }
    }
}

#[test]
fn every_field_of_a_correction_is_corrected() {
    for (field, digits, read) in [
        ("White's time", "10203", "1:02:03"),
        ("Black's time", "95959", "9:59:59"),
        ("White's moves", "012", "12"),
        ("Black's moves", "120", "120"),
        ("White's period", "02", "2"),
        ("Black's period", "02", "2"),
    ] {
        let mut table = standing();
        table.open().unwrap();
        table.choose_all(&["Correct", field]);
        table.enter(digits);
        table.choose("Show");
        assert!(table.page().lines[3].ends_with(&format!("→{}", table_text(digits))), "{field}");
        table.both_agree();
        assert!(table.refused.is_empty(), "{field} {:?}", table.refused);
        let view = table.view();
        let white = &view.sides.white;
        let black = &view.sides.black;
        let after = match field {
            "White's time" => white.remaining.to_string(),
            "Black's time" => black.remaining.to_string(),
            "White's moves" => white.moves.to_string(),
            "Black's moves" => black.moves.to_string(),
            "White's period" => white.period.to_string(),
            _ => black.period.to_string(),
        };
        assert_eq!(after, read, "{field}");
    }
}

/// Digits as the pages show them: five are a time.
fn table_text(digits: &str) -> String {
    match digits.len() {
        5 => format!("{}:{}:{}", &digits[..1], &digits[1..3], &digits[3..]),
        _ => digits.to_owned(),
    }
}

#[test]
fn every_result_is_entered_changed_and_taken_back() {
    let results = ["1-0 White wins", "½-½ drawn", "0-1 Black wins"];
    for first in results {
        for second in results.into_iter().filter(|second| *second != first) {
            let mut table = standing();
            for (choice, phase) in
                [(first, Phase::Over), (second, Phase::Over), ("No result", Phase::Paused)]
            {
                table.open_and_choose(&["Result", choice]);
                table.both_agree();
                assert_eq!(table.phase(), phase);
            }
            assert!(table.refused.is_empty(), "{:?}", table.refused);
        }
    }
}
