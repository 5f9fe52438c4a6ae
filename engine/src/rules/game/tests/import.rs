//! `GameCommand::Import`: the state of another clock is carried to this one (S0 6.11).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::*;
use crate::{Correction, PausedBy};

fn setup(profile: Option<Profile>, force: bool) -> Setup {
    let control = Control::single(minutes(5), Method::Delay(Span::from_secs(3)));
    Setup { control, profile, session: Session::Unknown, force }
}

/// White has 1:10 and 12 moves, Black 2:20 and 11 moves; Black is on move.
fn readings() -> Correction {
    Correction {
        time: PerSide { white: Some(Span::from_secs(70)), black: Some(Span::from_secs(140)) },
        moves: PerSide { white: Some(12), black: Some(11) },
        on_move: Some(Side::Black),
        ..Correction::default()
    }
}

fn import(
    game: &mut Game,
    setup: Setup,
    correction: Correction,
    begun: bool,
) -> Result<(), GameRefused> {
    game.handle_command(GameCommand::Import { setup, correction, begun }, secs(10))
}

#[test]
fn s0_6_11_a_game_that_had_begun_is_paused_with_the_readings_of_the_other_clock() {
    let unsupervised = Profile { authority: Authority::Nobody, ..Profile::default() };
    for profile in [None, Some(Profile::default()), Some(unsupervised)] {
        let mut game = set_up(Profile::default(), minutes(3), Method::None);
        import(&mut game, setup(profile, false), readings(), true).unwrap();
        let view = game.view(secs(10));
        assert_eq!((view.phase, view.on_move), (Phase::Paused, Side::Black));
        assert_eq!(view.paused_by, Some(PausedBy::Caller(Caller::Arbiter)));
        let shown = view.sides.map(|side| (side.remaining, side.moves, side.delay));
        let three = Span::from_secs(3);
        let [white, black] =
            [(70, 12), (140, 11)].map(|(time, moves)| (Span::from_secs(time), moves, three));
        assert_eq!(shown, PerSide { white, black });
        assert_eq!(game.profile(), profile.as_ref());
        assert_eq!(events(&mut game), []);
    }
}

#[test]
fn an_import_is_the_commands_one_after_another() {
    let mut imported = set_up(Profile::default(), minutes(3), Method::None);
    let mut single = imported;
    let setup = Setup { session: Session::WithGame, ..setup(Some(quickplay()), false) };
    import(&mut imported, setup, readings(), true).unwrap();
    single.handle_command(GameCommand::New(setup), secs(10)).unwrap();
    command(&mut single, Command::Start, 10).unwrap();
    command(&mut single, Command::Pause { by: Caller::Arbiter }, 10).unwrap();
    command(&mut single, Command::Correct(readings()), 10).unwrap();
    assert_eq!(imported, single);
}

#[test]
fn a_game_that_had_not_begun_waits_for_its_start() {
    let mut game = set_up(Profile::default(), minutes(3), Method::None);
    let correction = Correction { on_move: None, ..readings() };
    import(&mut game, setup(None, false), correction, false).unwrap();
    assert_eq!(game.phase(), Phase::Ready);
    assert_eq!(game.view(secs(10)).sides.white.remaining, Span::from_secs(70));
}

#[test]
fn a_refused_import_changes_nothing() {
    let no_increment = Profile { increments_allowed: false, ..Profile::default() };
    let wrong_period = {
        let mut correction = readings();
        correction.period.white = Some(2);
        correction
    };
    let fresh = set_up(Profile::default(), minutes(3), Method::None);
    let under_way = started(Profile::default());
    let cases = [
        (under_way, setup(None, false), readings(), true, "game-under-way"),
        (fresh, setup(Some(no_increment), false), readings(), true, "refused-by-rules"),
        (under_way, setup(None, true), wrong_period, true, "no-such-period"),
        (fresh, setup(None, false), readings(), false, "white-begins"),
    ];
    for (mut game, setup, correction, begun, code) in cases {
        game.handle_timeout(secs(10)).unwrap();
        let before = game;
        let refused = import(&mut game, setup, correction, begun).unwrap_err();
        assert_eq!(refused.code(), code);
        assert_eq!(game, before);
    }
}

#[test]
fn a_forced_import_replaces_the_game_under_way() {
    let mut game = started(Profile::default());
    import(&mut game, setup(None, true), readings(), true).unwrap();
    assert_eq!(game.view(secs(10)).sides.black.moves, 11);
}
