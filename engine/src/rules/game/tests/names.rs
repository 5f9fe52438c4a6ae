//! A correction of names, which the game does not know.

use super::*;

#[test]
fn names_can_be_corrected_in_every_phase_and_nothing_else_changes() {
    let control = Control::single(minutes(5), Method::Increment(secs(3).since(Instant::ZERO)));
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    let correct = |game: &mut Game, at: u64| {
        let mut other = *game;
        other.handle_command(GameCommand::SetNames, secs(at)).unwrap();
        assert_eq!(other.poll_event(), None);
        assert_eq!(
            (other.view(secs(at)), other.poll_timeout()),
            (game.view(secs(at)), game.poll_timeout())
        );
        *game = other;
    };
    correct(&mut game, 1);
    command(&mut game, Command::Start, 2).unwrap();
    while game.poll_event().is_some() {}
    correct(&mut game, 3);
    game.handle_press(Side::White, secs(10)).unwrap();
    while game.poll_event().is_some() {}
    correct(&mut game, 12);
    // The press can still be taken back.
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 13).unwrap();
    while game.poll_event().is_some() {}
    correct(&mut game, 14);
    command(&mut game, Command::UndoPress, 15).unwrap();
    assert_eq!(game.view(secs(15)).sides.white.moves, 0);
    command(&mut game, Command::Finish(Outcome::Drawn), 16).unwrap();
    while game.poll_event().is_some() {}
    correct(&mut game, 17);
    assert_eq!(game.phase(), Phase::Over);
}

#[test]
fn names_can_be_corrected_while_the_game_is_adjourned() {
    let control = Control::single(minutes(5), Method::None);
    let profile = Some(Profile::default());
    let setup = Setup { control, profile, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    command(&mut game, Command::Start, 1).unwrap();
    game.handle_command(Action::Adjourn { side: Side::White }.into(), secs(2)).unwrap();
    game.handle_command(GameCommand::SetNames, secs(3)).unwrap();
    assert_eq!(game.adjourned(), Some(Side::White));
    let refused = game.handle_command(GameCommand::SetButtons(true), secs(4));
    assert!(refused.is_err());
}
