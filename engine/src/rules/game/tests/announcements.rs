//! What the arbiter announces to the players during a pause.

use super::*;
use crate::Refused;
use crate::rules::{Announcement, GameState};

fn lunch() -> Option<Announcement> {
    Announcement::new("lunch until 14:00")
}

fn announce(game: &mut Game, text: Option<Announcement>, at: u64) -> Result<(), GameRefused> {
    game.handle_command(GameCommand::Announce(text), secs(at))
}

/// A game that was paused at 2 s, with the announcement of a lunch.
fn announced(profile: Option<Profile>) -> Game {
    let control = Control::single(minutes(5), Method::None);
    let setup = Setup { control, profile, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    command(&mut game, Command::Start, 1).unwrap();
    command(&mut game, Command::Pause { by: Caller::Arbiter }, 2).unwrap();
    announce(&mut game, lunch(), 3).unwrap();
    assert_eq!(game.announcement(), lunch().as_ref());
    game
}

#[test]
fn an_announcement_needs_a_pause() {
    let control = Control::single(minutes(5), Method::None);
    let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, secs(0)).unwrap();
    let refused = |phase| Err(GameRefused::from(Refused::NotPaused(phase)));
    assert_eq!(announce(&mut game, lunch(), 0), refused(Phase::Ready));
    command(&mut game, Command::Start, 1).unwrap();
    assert_eq!(announce(&mut game, lunch(), 1), refused(Phase::Running));
    command(&mut game, Command::Finish(Outcome::Drawn), 2).unwrap();
    assert_eq!(announce(&mut game, lunch(), 2), Err(Refused::GameOver.into()));
    assert_eq!(game.announcement(), None);
}

#[test]
fn an_announcement_ends_with_the_pause_and_with_the_game() {
    for profile in [None, Some(Profile::default())] {
        let mut game = announced(profile);
        let other = Announcement::new("lunch until 14:30");
        announce(&mut game, other, 4).unwrap();
        assert_eq!(game.announcement(), other.as_ref());
        let paused = game;
        announce(&mut game, None, 5).unwrap();
        assert_eq!(game.announcement(), None);
        // A correction and a call leave the announcement, because the pause goes on.
        let mut game = paused;
        command(&mut game, Command::Add { side: Side::White, delta_ns: 5 }, 5).unwrap();
        game.handle_call(secs(5)).unwrap();
        assert_eq!(game.announcement(), other.as_ref());
        for ends in [
            Command::Resume { side: None },
            Command::Finish(Outcome::Drawn),
            Command::New { control: *game.clock().control(), force: true },
        ] {
            let mut game = paused;
            command(&mut game, ends, 6).unwrap();
            assert_eq!(game.announcement(), None, "{ends:?}");
        }
        // A later pause has no announcement of its own.
        command(&mut game, Command::Resume { side: None }, 6).unwrap();
        game.handle_call(secs(7)).unwrap();
        assert_eq!((game.phase() == Phase::Running, game.announcement()), (false, None));
    }
}

#[test]
fn an_announcement_is_taken_over_by_another_clock() {
    let game = announced(Some(Profile::default()));
    let state = GameState::from(&game);
    let control = *game.clock().control();
    let (profile, session) = (game.profile().copied(), Session::Unknown);
    let setup = Setup { control, profile, session, force: false };
    let other = state.game(&setup, secs(9)).unwrap();
    assert_eq!(other.announcement(), lunch().as_ref());
}
