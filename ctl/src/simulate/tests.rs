//! Games in virtual time, without and with a rule profile.

use super::*;
use clock_engine::{Overtime, Span};

#[test]
fn a_silence_with_more_gongs_than_an_answer_holds_is_refused_and_changes_nothing() {
    let slice = Span::from_secs(10);
    let mut game = Game::new(Control::single(Span::ZERO, Method::Gong(slice)));
    let mut play = |number, line: &str| game.play(number, line.as_bytes());
    assert!(play(1, r#"{"at_ns": 0, "event": "start"}"#).error.is_none());
    let whole = play(2, r#"{"at_ns": 100000000000000, "event": "show"}"#);
    assert!(whole.error.is_none());
    assert_eq!(whole.events.len(), 10_000);
    let error = play(3, r#"{"at_ns": 18446744073709551615, "event": "show"}"#).error;
    let error = error.expect("more than anyone reads");
    assert_eq!((error.code, error.line), ("too-many-events", None));
    assert!(error.message.contains("more than 10000 events"), "{}", error.message);
    let after = play(4, r#"{"at_ns": 100000000000000, "event": "show"}"#);
    assert!(after.error.is_none() && after.events.is_empty());
    assert!(!game.malformed, "the line itself is good");
}

#[test]
fn a_silence_with_any_number_of_overtime_periods_is_answered() {
    let time = Span::from_nanos(1_000_000);
    let overtime = Overtime { periods: u32::MAX, time, moves: 1 };
    let mut game = Game::new(Control::single(Span::ZERO, Method::Overtime(overtime)));
    game.play(1, br#"{"at_ns": 0, "event": "start"}"#);
    let answer = game.play(2, br#"{"at_ns": 2000000000500000, "event": "show"}"#);
    assert_eq!(answer.white.overtime_periods, Some(u32::MAX - 2_000_000_000));
    assert_eq!((answer.white.remaining_nsec, answer.white.flag_nsec), (500_000, None));
    let answer = game.play(3, br#"{"at_ns": 18446744073709551615, "event": "show"}"#);
    assert_eq!(answer.white.flag_nsec, Some(u64::from(u32::MAX) * 1_000_000));
    assert_eq!(answer.white.overtime_periods, Some(0));
}

/// A game under a shipped profile in which White's clock was started at 0.
fn under(rules: &str, control: &str) -> Game {
    let control = clock_engine::text::parse_notation(control).unwrap();
    let profile = clock_engine::text::rule_preset(rules).unwrap().read().profile;
    let mut game = Game::with_rules(control, profile).unwrap();
    assert!(play(&mut game, 0, r#""event":"start""#).error.is_none());
    game
}

fn play(game: &mut Game, at_ns: u64, fields: &str) -> StateJson {
    game.play(1, format!("{{\"at_ns\":{at_ns},{fields}}}").as_bytes())
}

const SECOND: u64 = 1_000_000_000;

#[test]
fn a_claim_is_shown_until_it_is_ruled_on() {
    let mut game = under("handbook-county", "G/5");
    let arrived = play(&mut game, 0, r#""event":"arrive","side":"white""#);
    let line = serde_json::to_string(&arrived).unwrap();
    assert!(line.ends_with(r#""result":null,"claim":null,"question":null}"#), "{line}");

    let claim = r#""event":"claim-draw","by":"white","ground":"cannot-win""#;
    let refused = play(&mut game, 180 * SECOND, claim).error.expect("2:00 are left");
    assert_eq!(
        (refused.code, refused.clause.as_deref()),
        ("refused-by-rules", Some("Chess Organisers' Handbook 10.2"))
    );
    assert!(refused.message.contains("less than 0:02:00"), "{}", refused.message);

    let claimed = play(&mut game, 180 * SECOND + 1, claim);
    assert!(claimed.error.is_none());
    let line = serde_json::to_string(&claimed).unwrap();
    for part in [
        r#""phase":"ruling","running":null"#,
        r#""kind":"claim","side":"white","by":"white","ground":"cannot-win"}"#,
        r#""result":null,"claim":{"by":"white","ground":"cannot-win","state":"called"},"question":"claim"}"#,
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let ruled = play(&mut game, 181 * SECOND, r#""event":"rule","decision":"reject""#);
    let line = serde_json::to_string(&ruled).unwrap();
    assert!(line.contains(r#""kind":"ruling","side":"white","ruling":"reject"}"#), "{line}");
    assert_eq!((ruled.phase, ruled.black.remaining_nsec), ("paused", 420 * SECOND));
}

#[test]
fn penalties_and_results_are_shown() {
    let mut game = under("fide-2023", "G/90");
    play(&mut game, 0, r#""event":"pause""#);
    let penalty = |fields: &str| format!(r#""event":"penalty","side":"white",{fields}"#);
    for (fields, expected) in [
        (r#""kind":"fine""#, r#""kind":"penalty","side":"white","penalty":"fine"}"#),
        (
            r#""kind":"opponent-plus","time_ns":5"#,
            r#""kind":"penalty","side":"white","penalty":"opponent-plus","time_ns":5}"#,
        ),
        (
            r#""kind":"opponent-points","points":"0.5","cause":"force""#,
            r#""penalty":"opponent-points","points":"0.5","cause":"force"}"#,
        ),
    ] {
        let line = serde_json::to_string(&play(&mut game, 7, &penalty(fields))).unwrap();
        assert!(line.contains(expected), "{expected}: {line}");
    }
    let over = play(&mut game, 9, r#""event":"result","result":"1/2-1/2","reason":"agreed""#);
    assert_eq!((over.phase, over.rules.unwrap().result), ("over", Some("1/2-1/2")));
}

#[test]
fn a_profile_refuses_a_control_for_which_it_does_not_hold() {
    let profile = clock_engine::text::rule_preset("guidelines-iii").unwrap().read().profile;
    for control in ["3+2", "5+0", "G/90 d5"] {
        let control = clock_engine::text::parse_notation(control).unwrap();
        let refused =
            Game::with_rules(control, profile).expect_err("it has an increment or is blitz");
        assert_eq!(refused.clause(), Some("S2 III.2.2"));
    }
    let control = clock_engine::text::parse_notation("G/90").unwrap();
    assert!(Game::with_rules(control, profile).is_ok());
}

#[test]
fn without_a_profile_there_are_no_keys_of_the_rules() {
    let mut game = Game::new(Control::single(Span::from_secs(300), Method::None));
    let line = serde_json::to_string(&play(&mut game, 0, r#""event":"start""#)).unwrap();
    assert!(line.ends_with(r#""events":[]}"#) && !line.contains("question"), "{line}");
    for event in ["penalty", "adjourn", "claim-draw"] {
        let error = play(&mut game, 0, &format!(r#""event":"{event}""#)).error.unwrap();
        assert_eq!(error.code, "no-profile", "{event}");
    }
}
