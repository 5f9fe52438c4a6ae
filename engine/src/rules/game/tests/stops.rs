//! Stops in unsupervised play and in an adjourned game.

use super::*;

#[test]
fn in_unsupervised_play_nobody_rules_but_the_players_confirm() {
    let mut game = started(Profile { authority: Authority::Nobody, ..quickplay() });
    command(&mut game, Command::Pause { by: Caller::Player(Side::White) }, 5).unwrap();
    let question = game.questions().iter().next().expect("the stop");
    assert_eq!(game.answers(&question, secs(6)).iter().count(), 0);
    let resume = Command::Resume { side: None };
    assert_eq!(reason(command(&mut game, resume, 6)), Reason::NotConfirmed);
    // Both press their buttons, and the game goes on.
    game.handle_press(Side::Black, secs(7)).unwrap();
    assert_eq!(game.phase(), Phase::Paused);
    game.handle_press(Side::White, secs(8)).unwrap();
    assert_eq!(game.view(secs(8)).running(), Some(Side::White));
    assert_eq!(game.question(), None);
}

#[test]
fn in_unsupervised_play_the_press_that_stops_the_clocks_confirms_nothing() {
    let period = |moves| crate::Period {
        moves,
        time: PerSide::both(minutes(6)),
        method: PerSide::both(Method::None),
    };
    let period_end = crate::PeriodEnd::BlackCompletes { pause: true };
    let terms = crate::Terms { period_end, ..crate::Terms::default() };
    let control = Control::new(&[period(Some(1)), period(None)], terms).unwrap();
    let profile = Some(Profile { authority: Authority::Nobody, ..Profile::default() });
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    command(&mut game, Command::Start, 0).unwrap();
    game.handle_press(Side::White, secs(1)).unwrap();
    game.handle_press(Side::Black, secs(2)).unwrap();
    game.handle_press(Side::White, secs(3)).unwrap();
    assert_eq!(game.phase(), Phase::Paused);
    game.handle_press(Side::Black, secs(4)).unwrap();
    assert_eq!(game.phase(), Phase::Running);
}

#[test]
fn a_call_in_an_adjourned_game_does_nothing() {
    let mut game = started(Profile::default());
    act(&mut game, Action::Adjourn { side: Side::White }, 10).unwrap();
    events(&mut game);
    game.handle_call(secs(20)).unwrap();
    let call = GameEventKind::Clock(crate::EventKind::Call { accepted: false });
    assert_eq!(events(&mut game), [(20_000_000_000, call)]);
    assert_eq!(game.view(secs(20)).called_by, None);
}
