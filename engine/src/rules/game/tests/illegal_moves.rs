//! Which illegal moves have no award, and how long an agreement on a correction holds.

use super::*;
use crate::rules::action::Confirmation;

fn illegal(side: Side, award: Option<Span>) -> Action {
    Action::IllegalMove { side, claimed: false, award }
}

fn agree_on_correction(game: &mut Game, at: u64) {
    for by in Side::BOTH {
        act(game, Action::Confirm { by, what: Some(Confirmation::Correction) }, at).unwrap();
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
