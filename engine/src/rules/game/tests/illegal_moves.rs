//! Which illegal moves have no award, and how long an agreement on a correction holds.

use super::*;
use crate::EarlierClock;
use crate::rules::action::Confirmation;

fn illegal(side: Side, award: Option<Span>) -> Action {
    Action::IllegalMove { side, claimed: false, award }
}

fn agree_on_correction(game: &mut Game, at: u64) {
    for by in Side::BOTH {
        act(game, Action::RecordConfirmation { by, what: Some(Confirmation::Correction) }, at)
            .unwrap();
    }
}

#[test]
fn the_illegal_move_that_loses_the_game_has_no_award() {
    let mut game = started(Profile { illegal_loses_at: 1, ..Profile::default() });
    game.handle_press(Side::White, secs(1)).unwrap();
    let refused = act(&mut game, illegal(Side::White, Some(minutes(1))), 2);
    assert!(matches!(reason(refused), Reason::Award { .. }));
    assert_eq!(game.phase(), Phase::Running, "nothing was taken back");
    act(&mut game, illegal(Side::White, None), 2).unwrap();
    assert_eq!(game.question(), Some(QuestionKind::IllegalMove));
}

#[test]
fn a_correction_after_the_reply_has_no_award() {
    let mut game = started(Profile::default());
    game.handle_press(Side::White, secs(1)).unwrap();
    game.handle_press(Side::Black, secs(2)).unwrap();
    agree_on_correction(&mut game, 3);
    let refused = reason(act(&mut game, illegal(Side::White, Some(minutes(1))), 4));
    assert!(matches!(refused, Reason::Award { .. }), "{refused:?}");
    act(&mut game, illegal(Side::White, None), 5).unwrap();
    assert_eq!(game.phase(), Phase::Paused);
}

#[test]
fn an_agreement_on_a_correction_ends_with_the_next_move() {
    let mut game = started(Profile::default());
    game.handle_press(Side::White, secs(1)).unwrap();
    game.handle_press(Side::Black, secs(2)).unwrap();
    agree_on_correction(&mut game, 3);
    game.handle_press(Side::White, secs(4)).unwrap();
    game.handle_press(Side::Black, secs(5)).unwrap();
    let refused = act(&mut game, illegal(Side::White, None), 6);
    assert_eq!(reason(refused), Reason::RepliedTo(Side::White));
}

/// At White's press Black has used 60 s of the limit, so the claim depends on how much is left.
#[test]
fn s3_5_2_with_time_counted_up_the_time_left_until_the_limit_counts() {
    let (illegal_claim_below, illegal_claim_award) = (Some(minutes(5)), minutes(1));
    let profile = Profile { illegal_claim_below, illegal_claim_award, ..Profile::default() };
    let claimed = Action::IllegalMove { side: Side::White, claimed: true, award: None };
    let five_left = minutes(6);
    let less = five_left.minus(Span::from_nanos(1));
    for (limit, used) in [(minutes(60), 65), (five_left, 65), (less, 5)] {
        let mut game = set_up(profile, Span::ZERO, Method::CountUp { limit: Some(limit) });
        command(&mut game, Command::Start, 0).unwrap();
        game.handle_press(Side::White, secs(1)).unwrap();
        game.handle_press(Side::Black, secs(61)).unwrap();
        game.handle_press(Side::White, secs(70)).unwrap();
        act(&mut game, claimed, 75).unwrap();
        let shown = game.view(secs(75)).sides.black.remaining;
        assert_eq!(shown, Span::from_secs(used), "{limit:?}");
    }
}

/// Under S3 5.2 Black could claim a minute for White's illegal move, but Black has replied to it.
#[test]
fn s3_5_3_a_rewind_does_not_undo_the_reply() {
    let illegal_claim_below = Some(minutes(5));
    let illegal_claim_award = minutes(1);
    let profile = Profile { illegal_claim_below, illegal_claim_award, ..Profile::default() };
    let claimed = Action::IllegalMove { side: Side::White, claimed: true, award: None };
    for illegal_after_rewind in [true, false] {
        let mut game = started(Profile { illegal_after_rewind, ..profile });
        game.handle_press(Side::White, secs(10)).unwrap();
        let after_white = EarlierClock::from(&game);
        game.handle_press(Side::Black, secs(20)).unwrap();
        let after_black = EarlierClock::from(&game);
        command(&mut game, Command::Pause { by: Caller::Arbiter }, 25).unwrap();
        let back = |game: &mut Game, to, at| {
            game.handle_command(GameCommand::Rewind(to), secs(at)).unwrap();
        };
        // Nobody has replied to Black's move, also after a rewind that was taken back.
        let mut blacks = game;
        back(&mut blacks, after_white, 26);
        back(&mut blacks, after_black, 27);
        act(&mut blacks, illegal(Side::Black, None), 28).unwrap();
        back(&mut game, after_white, 30);
        if illegal_after_rewind {
            act(&mut game, claimed, 31).unwrap();
            assert_eq!(game.view(secs(31)).sides.black.remaining, minutes(4));
            continue;
        }
        assert_eq!(reason(act(&mut game, claimed, 31)), Reason::OnlyByAgreement(Side::White));
        agree_on_correction(&mut game, 32);
        act(&mut game, claimed, 33).unwrap();
        let view = game.view(secs(33));
        assert_eq!((view.on_move, view.sides.white.moves), (Side::White, 0));
        assert_eq!(view.sides.black.remaining, minutes(3), "no award");
        assert_eq!(game.side_notes(Side::White).illegal_moves, 0);
        // The next move has no reply yet.
        command(&mut game, Command::Resume { side: None }, 40).unwrap();
        game.handle_press(Side::White, secs(41)).unwrap();
        act(&mut game, claimed, 42).unwrap();
        assert_eq!(game.view(secs(42)).sides.black.remaining, Span::from_secs(239));
    }
}
