//! Refusals whose text depends on the profile and on what is open.

use super::*;
use crate::rules::action::{IncidentKind, Penalty, PenaltyCause};
use crate::rules::profile::PenaltyKind;

fn text(refused: Result<(), GameRefused>) -> String {
    refused.expect_err("it is refused").to_string()
}

#[test]
fn who_can_call_a_flag_is_said_as_the_profile_has_it() {
    for (flag_caller, arbiter) in [(FlagCaller::Players, false), (FlagCaller::Arbiter, true)] {
        let mut game = started(Profile { flag_caller, ..Profile::default() });
        game.handle_timeout(secs(181)).unwrap();
        let text = text(act(&mut game, rule(Ruling::Lost), 182));
        assert_eq!(text.contains("the arbiter"), arbiter, "{text}");
    }
}

#[test]
fn a_claim_without_a_flag_names_the_decisions_that_are_open() {
    for drawn_before_flag in [false, true] {
        let mut game = started(Profile { drawn_before_flag, ..quickplay() });
        act(&mut game, claim(Side::White), 100).unwrap();
        let called = text(act(&mut game, rule(Ruling::Lost), 101));
        assert!(called.contains("postponed"), "{called}");
        act(&mut game, rule(Ruling::Postpone), 102).unwrap();
        let postponed = text(act(&mut game, rule(Ruling::Lost), 103));
        assert_eq!(postponed.contains("drawn"), drawn_before_flag, "{postponed}");
        assert!(postponed.contains("rejected"), "{postponed}");
    }
}

#[test]
fn a_game_that_awaits_a_ruling_is_not_said_to_be_paused() {
    let mut game = started(quickplay());
    act(&mut game, claim(Side::White), 100).unwrap();
    let force_not_given = Setup {
        control: *game.clock().control(),
        profile: None,
        session: Session::Unknown,
        force: false,
    };
    for (refused, expected) in [
        (command(&mut game, Command::Start, 101), "only before the start"),
        (command(&mut game, Command::Pause { by: Caller::Arbiter }, 101), "only while a clock"),
        (command(&mut game, Command::Resume { side: None }, 101), "only while the game is paused"),
        (command(&mut game, Command::Reopen, 101), "only a game with a result"),
        (game.handle_command(GameCommand::New(force_not_given), secs(101)), "a game is under way"),
    ] {
        let text = text(refused);
        assert!(text.starts_with(expected), "{text}");
        let text = text.replace("only while the game is paused", "");
        assert!(text.contains("awaiting a ruling") && !text.contains("paused"), "{text}");
    }
}

#[test]
fn a_due_penalty_says_that_a_warning_is_enough() {
    let mut game = started(Profile::default());
    let incident = Action::Incident { side: Side::White, kind: IncidentKind::Lift };
    act(&mut game, incident, 1).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 2).unwrap();
    let text = text(command(&mut game, Command::Resume { side: None }, 3));
    assert!(text.ends_with("a warning is enough"), "{text}");
}

#[test]
fn a_penalty_that_is_not_listed_names_those_that_are() {
    let penalties = [PenaltyKind::Warning, PenaltyKind::Loss].as_slice().into();
    let mut game = set_up(Profile { penalties, ..Profile::default() }, minutes(3), Method::None);
    let penalty = Penalty {
        side: Side::White,
        kind: PenaltyKind::Fine,
        time: Span::ZERO,
        half_points: 0,
        cause: Some(PenaltyCause::Other),
    };
    let text = text(act(&mut game, Action::Penalize(penalty), 0));
    assert_eq!(text, "these rules have no penalty `fine`; they have `warning`, `loss`");
}

#[test]
fn a_decision_without_a_question_says_what_is_missing() {
    let mut game = started(quickplay());
    for (decision, expected) in [
        (Ruling::Made, "no flag is down"),
        (Ruling::Reject, "no draw claim is open"),
        (Ruling::IncrementAgreed, "no request for an increment is open"),
        (Ruling::Lost, "entered as a result"),
    ] {
        let text = text(act(&mut game, rule(decision), 1));
        assert!(text.contains(expected), "{text}");
    }
}

fn points(kind: PenaltyKind, half_points: u32) -> Action {
    let (side, time) = (Side::White, Span::ZERO);
    Action::Penalize(Penalty { side, kind, time, half_points, cause: Some(PenaltyCause::Other) })
}

#[test]
fn s0_13_4_a_penalty_with_too_many_points_names_those_that_are_possible() {
    let mut game = started(Profile::default());
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 1).unwrap();
    let none = text(act(&mut game, points(PenaltyKind::PointsOff, 3), 2));
    let expected = "`points-off` can be at most 1 in all for White, with the result, and 0 are on record; \
                    now at most: clockctl penalize white points-off 1";
    assert_eq!(none, expected);
    act(&mut game, points(PenaltyKind::OpponentPoints, 1), 3).unwrap();
    let some = text(act(&mut game, points(PenaltyKind::OpponentPoints, 2), 4));
    let expected = "; now at most: clockctl penalize white opponent-points 0.5; they are taken back with \
                    clockctl penalize white opponent-points 0";
    assert!(some.ends_with(expected), "{some}");
    act(&mut game, points(PenaltyKind::OpponentPoints, 1), 5).unwrap();
    let all = text(act(&mut game, points(PenaltyKind::OpponentPoints, 1), 6));
    let expected =
        "and 1 are on record; they are taken back with clockctl penalize white opponent-points 0";
    assert!(all.ends_with(expected), "{all}");
}

#[test]
fn s0_13_4_no_points_are_possible_where_the_player_scored_none() {
    let mut game = started(Profile::default());
    let penalty = points(PenaltyKind::PointsOff, 0);
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 1).unwrap();
    let before = text(act(&mut game, penalty, 2));
    assert_eq!(before, "`points-off` needs points from 0.5 to 1");
    command(&mut game, Command::Finish(Outcome::BlackWins), 3).unwrap();
    let after = text(act(&mut game, penalty, 4));
    let expected =
        "with this result no points are possible for `points-off`, and none are on record";
    assert_eq!(after, expected);
    assert_eq!(text(act(&mut game, points(PenaltyKind::PointsOff, 1), 4)), expected);
}
