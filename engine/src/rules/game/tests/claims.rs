//! Tests of draw claims (their attachments, when they are allowed, and a claim that concludes the
//! game), of changes of the profile, of corrections in unsupervised play, and of penalties.

use super::*;
use crate::rules::action::{Attachment, Penalty, PenaltyCause, ResultGround};
use crate::rules::profile::{ClaimStops, PenaltyKind, Referral};

fn attach(kind: Attachment) -> Action {
    Action::RecordAttachment { kind, verified_by: None }
}

#[test]
fn a_second_claim_is_referred_with_attachments_of_its_own() {
    let mut game = started(Profile { referral: Referral::Details, ..quickplay() });
    act(&mut game, claim(Side::White), 100).unwrap();
    act(&mut game, attach(Attachment::Details), 101).unwrap();
    act(&mut game, attach(Attachment::Scoresheet), 101).unwrap();
    act(&mut game, Action::Refer, 102).unwrap();
    act(&mut game, rule(Ruling::Reject), 103).unwrap();
    act(&mut game, claim(Side::White), 104).unwrap();
    assert_eq!(reason(act(&mut game, Action::Refer, 105)), Reason::ReferralNeedsDetails);
    act(&mut game, attach(Attachment::Details), 106).unwrap();
    act(&mut game, attach(Attachment::Scoresheet), 106).unwrap();
    act(&mut game, Action::Refer, 107).unwrap();
}

#[test]
fn a_claim_that_has_concluded_the_game_leaves_only_the_referral() {
    let claim_stops = ClaimStops::Concludes;
    let referral = Referral::Details;
    let mut game = started(Profile { claim_stops, referral, ..quickplay() });
    game.handle_press(Side::White, secs(10)).unwrap();
    game.handle_press(Side::Black, secs(20)).unwrap();
    act(&mut game, claim(Side::White), 100).unwrap();
    let illegal = Action::IllegalMove { side: Side::Black, claimed: false, award: None };
    let drawn = Action::Result { outcome: Outcome::Drawn, ground: ResultGround::Game };
    for action in [rule(Ruling::Drawn), rule(Ruling::Reject), illegal] {
        assert_eq!(reason(act(&mut game, action, 101)), Reason::Concluded, "{action:?}");
    }
    assert_eq!(reason(act(&mut game, drawn, 101)), Reason::ReferFirst);
    act(&mut game, attach(Attachment::Details), 102).unwrap();
    act(&mut game, attach(Attachment::Scoresheet), 102).unwrap();
    act(&mut game, Action::Refer, 103).unwrap();
    act(&mut game, drawn, 104).unwrap();
    assert_eq!(game.phase(), Phase::Over);
}

#[test]
fn the_rules_stay_while_something_awaits_an_answer() {
    let requested_increment = Some(Span::from_secs(5));
    let mut game = started(Profile { requested_increment, ..quickplay() });
    let other = GameCommand::SetRules(Profile { reject_award: minutes(5), ..quickplay() });
    let request = Action::RequestIncrement { by: Claimant::Player(Side::White) };
    for (asked, answers) in [
        (request.into(), &[Action::rule(Ruling::DrawRefused), rule(Ruling::IncrementRefused)][..]),
        (claim(Side::White).into(), &[rule(Ruling::Postpone), rule(Ruling::Reject)]),
        (Command::Pause { by: Caller::Player(Side::White) }.into(), &[Action::rule(Ruling::Valid)]),
    ] {
        let asked: GameCommand = asked;
        let mut game = game;
        game.handle_command(asked, secs(100)).unwrap();
        for answer in answers {
            let refused = reason(game.handle_command(other, secs(101)));
            assert_eq!(refused, Reason::QuestionOpen, "{asked:?}");
            act(&mut game, *answer, 101).unwrap();
        }
        game.handle_command(other, secs(102)).unwrap();
    }
    game.handle_timeout(secs(190)).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 191).unwrap();
    assert_eq!(reason(game.handle_command(other, secs(192))), Reason::QuestionOpen);
}

#[test]
fn a_refused_change_beside_a_claim_cites_the_rules_of_the_game() {
    let of_game = Profile { cites: RuleSource::Handbook, ..quickplay() };
    let mut game = started(of_game);
    game.handle_command(claim(Side::White).into(), secs(100)).unwrap();
    let cites = RuleSource::Allegro;
    let control = Control::single(minutes(60), Method::None);
    for change in [
        GameCommand::SetRules(Profile { cites, ..quickplay() }),
        GameCommand::ChangeTimeControl {
            control,
            recompute: crate::Recompute::No,
            schedule_suffers: false,
        },
    ] {
        let refused = game.handle_command(change, secs(101)).unwrap_err();
        assert_eq!(refused.clause(), Some("S0 6.2a"));
    }
    // What the new rules themselves forbid has a clause of the new rules.
    let mut game = started(of_game);
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 1).unwrap();
    let cites = RuleSource::GuidelinesIii;
    let announced = Profile { cites, announced_before_start: true, ..quickplay() };
    let refused = game.handle_command(GameCommand::SetRules(announced), secs(2)).unwrap_err();
    assert_eq!(refused.clause(), Some("S2 III.2.1"));
}

#[test]
fn a_penalty_gives_a_flagged_opponent_no_time() {
    let mut game = started(Profile::default());
    game.handle_timeout(secs(181)).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 182).unwrap();
    let penalty = Penalty {
        side: Side::Black,
        kind: PenaltyKind::OpponentPlus,
        time: minutes(1),
        half_points: 0,
        cause: Some(PenaltyCause::Other),
    };
    let refused = reason(act(&mut game, Action::Penalize(penalty), 183));
    assert!(matches!(refused, Reason::AwardToFlagged { .. }), "{refused:?}");
    assert_eq!(first_question(&game), Some(QuestionKind::Flag));
}

#[test]
fn the_arbiters_own_draw_is_open_exactly_when_claims_are() {
    let draw = Action::Result { outcome: Outcome::Drawn, ground: ResultGround::ArbitersDraw };
    for claim_below_inclusive in [false, true] {
        let profile = Profile { arbiter_draws: true, claim_below_inclusive, ..quickplay() };
        let mut game = started(profile);
        assert_eq!(
            act(&mut game, draw, 60).is_ok(),
            claim_below_inclusive,
            "at exactly two minutes"
        );
    }
}

#[test]
fn a_profile_that_comes_after_a_flag_has_the_flag_in_question() {
    let control = Control::single(minutes(3), Method::None);
    let setup = Setup { control, profile: None, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_timeout(secs(181)).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 182).unwrap();
    assert_eq!(game.question(), None, "without a profile nothing is asked");
    game.handle_command(GameCommand::SetRules(Profile::default()), secs(183)).unwrap();
    assert_eq!(first_question(&game), Some(QuestionKind::Flag));
    let by = Claimant::Player(Side::Black);
    act(&mut game, Action::ClaimFlag { by, evidence: Evidence::Flag }, 184).unwrap();
    act(&mut game, rule(Ruling::Lost), 185).unwrap();
}

#[test]
fn time_that_is_counted_up_is_left_up_to_its_limit() {
    let limited = |limit| {
        let mut game = set_up(quickplay(), Span::ZERO, Method::CountUp { limit });
        command(&mut game, Command::Start, 0).unwrap();
        game
    };
    let mut game = limited(Some(minutes(3)));
    for (at, left) in [(30, 150), (60, 120)] {
        let refused = act(&mut game, claim(Side::White), at);
        let said = refused.unwrap_err().to_string();
        let shown = format!("{} are left; allowed with less than", Span::from_secs(left).left());
        assert!(said.starts_with(&shown), "{said}");
        match reason(refused) {
            Reason::TooMuchTimeLeft { left: named, .. } => {
                assert_eq!(named, Span::from_secs(left));
            }
            other => panic!("{other:?}"),
        }
    }
    act(&mut game, claim(Side::White), 61).unwrap();

    let mut game = limited(None);
    let refused = act(&mut game, claim(Side::White), 61);
    assert_eq!(reason(refused), Reason::NoQuickplayFinish);
}

/// A game of three minutes without an arbiter, in which a claim concludes the game.
fn unsupervised() -> Game {
    let (authority, claim_stops) = (Authority::Nobody, ClaimStops::Concludes);
    started(Profile { authority, claim_stops, referral: Referral::Details, ..quickplay() })
}

fn agree(game: &mut Game, at: u64) {
    for by in Side::BOTH {
        let what = Some(crate::rules::action::Confirmation::Correction);
        act(game, Action::RecordConfirmation { by, what }, at).unwrap();
    }
}

/// One command of each kind that corrects a game.
fn corrections(game: &Game) -> Vec<GameCommand> {
    let mut earlier = *game;
    earlier.handle_timeout(secs(100)).unwrap();
    let mut correction = crate::Correction::default();
    correction.time.white = Some(minutes(2));
    vec![
        Command::Set(correction).into(),
        Command::Add { side: Side::Black, delta_ns: 1_000_000_000 }.into(),
        Command::UndoPress.into(),
        GameCommand::Rewind(crate::EarlierClock::from(&earlier)),
        GameCommand::SetRules(quickplay()),
    ]
}

#[test]
fn s2_iii_6_1_nothing_is_corrected_once_a_claim_has_concluded_the_game() {
    let mut game = unsupervised();
    game.handle_press(Side::White, secs(10)).unwrap();
    let all = corrections(&game);
    act(&mut game, claim(Side::Black), 110).unwrap();
    let before = game;
    for command in &all {
        let refused = reason(game.handle_command(*command, secs(110)));
        assert_eq!(refused, Reason::Concluded, "{command:?}");
        assert_eq!(game, before);
    }
    act(&mut game, attach(Attachment::Details), 111).unwrap();
    act(&mut game, attach(Attachment::Scoresheet), 111).unwrap();
    act(&mut game, Action::Refer, 112).unwrap();
    command(&mut game, Command::Finish(Outcome::Drawn), 113).unwrap();
    assert_eq!(reason(command(&mut game, Command::Reopen, 114)), Reason::Concluded);
}

#[test]
fn s2_iii_6_both_players_agree_on_each_correction_before_it() {
    let mut game = unsupervised();
    let mut ready = set_up(*game.profile().unwrap(), minutes(3), Method::None);
    let add = Command::Add { side: Side::Black, delta_ns: 1_000_000_000 };
    command(&mut ready, add, 0).unwrap();
    game.handle_press(Side::White, secs(10)).unwrap();
    let all = corrections(&game);
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 100).unwrap();
    for command in &all[..4] {
        let mut game = game;
        let refused = reason(game.handle_command(*command, secs(101)));
        assert_eq!(refused, Reason::CorrectionNotConfirmed, "{command:?}");
        let what = Some(crate::rules::action::Confirmation::Correction);
        act(&mut game, Action::RecordConfirmation { by: Side::White, what }, 102).unwrap();
        let refused = reason(game.handle_command(*command, secs(102)));
        assert_eq!(refused, Reason::CorrectionNotConfirmed, "{command:?}");
        agree(&mut game, 103);
        game.handle_command(*command, secs(104)).unwrap();
        let again = reason(game.handle_command(add.into(), secs(105)));
        assert_eq!(again, Reason::CorrectionNotConfirmed, "after {command:?}");
    }
    command(&mut game, Command::Finish(Outcome::Drawn), 110).unwrap();
    assert_eq!(reason(command(&mut game, Command::Reopen, 111)), Reason::CorrectionNotConfirmed);
    agree(&mut game, 112);
    command(&mut game, Command::Reopen, 113).unwrap();
}

#[test]
fn s0_13_4_a_result_that_points_forbid_names_the_penalties_that_make_it_possible() {
    let penalty = |half_points| {
        let (side, kind) = (Side::White, PenaltyKind::OpponentPoints);
        Action::Penalize(Penalty { side, kind, time: Span::ZERO, half_points, cause: None })
    };
    let result = |outcome| Action::Result { outcome, ground: ResultGround::Game };
    let mut game = started(quickplay());
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 10).unwrap();
    act(&mut game, penalty(2), 10).unwrap();
    assert!(matches!(reason(act(&mut game, penalty(1), 10)), Reason::TooManyPoints { had: 2, .. }));
    for (outcome, says, most) in [
        (
            Outcome::Drawn,
            "take them back first: clockctl penalize white opponent-points 0, then at most: clockctl \
             penalize white opponent-points 0.5",
            1,
        ),
        (Outcome::BlackWins, "take them back first: clockctl penalize white opponent-points 0", 0),
    ] {
        let mut game = game;
        let refused = act(&mut game, result(outcome), 11).unwrap_err().to_string();
        assert!(refused.ends_with(says), "{refused}");
        act(&mut game, penalty(0), 12).unwrap();
        if most > 0 {
            act(&mut game, penalty(most), 12).unwrap();
        }
        act(&mut game, result(outcome), 13).unwrap();
        let refused = reason(act(&mut game, penalty(1), 14));
        assert!(match most {
            0 => matches!(refused, Reason::PenaltyPoints { most: 0, .. }),
            _ => matches!(refused, Reason::TooManyPoints { .. }),
        });
    }
    act(&mut game, result(Outcome::WhiteWins), 11).unwrap();
}
