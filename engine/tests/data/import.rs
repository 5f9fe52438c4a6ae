//! Another clock takes over the whole state of a game (S0 6.11): on the other clock, the game goes
//! on as it would have gone on without the change of clocks. A state that was changed is refused.
//!
//! `docs/laws.md` explains S0, which is the source of the cited clause.

use crate::{begin, config, give, played, take_events};
use clock_engine::rules::{Game, GameCommand, GameState, NotTakenOver, Profile, Session, Setup};
use clock_engine::{
    Caller, Command, Control, Correction, Instant, Method, PausedBy, PerSide, Phase, Side, Span,
    View,
};
use proptest::prelude::*;
use proptest::sample::Index;

fn view_later(game: &Game, by: Span) -> View {
    let mut view = game.view(game.last());
    let PerSide { white, black } = &mut view.sides;
    let flags = [white, black].into_iter().filter_map(|side| side.flag.as_mut());
    let claim = view.claim.as_mut().map(|claim| &mut claim.at);
    for at in flags.chain([&mut view.at]).chain(claim) {
        *at = at.checked_add(by).expect("a short game");
    }
    view
}

fn setup_of(game: &Game) -> Setup {
    let (control, profile) = (*game.clock().control(), game.profile().copied());
    Setup { control, profile, session: Session::Unknown, force: true }
}

/// The game that another clock has after the state was written as JSON and imported there.
fn imported(game: &Game, at: Instant) -> Game {
    let text = serde_json::to_string(&GameState::from(game)).expect("a state can be written");
    let state = serde_json::from_str(&text).expect("it is read");
    let setup = setup_of(game);
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut other = Game::new(&Setup { control, profile: None, ..setup }, Instant::ZERO)
        .expect("every control goes without a profile");
    let correction = Correction::default();
    let import = GameCommand::Import { setup, state: Some(state), correction, begun: false };
    let done = other.handle_command(import, at);
    assert_eq!(done, Ok(()), "{:?}", GameState::from(game).game(&setup, at));
    take_events(&mut other);
    other
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_imported_game_goes_on_like_the_original(
        (control, profile, steps) in played(),
        part in any::<Index>(),
        by in (0..1_000_000_000_000_u64).prop_map(Span::from_nanos),
    ) {
        let Some(mut game) = begin(control, profile) else { return Ok(()) };
        let after = part.index(steps.len() + 1);
        for (when, step) in &steps[..after] {
            let at = when.resolve(game.clock());
            let _ = give(&mut game, step, at);
            take_events(&mut game);
        }
        let last = game.last();
        let mut other = imported(&game, last.checked_add(by).expect("a short game"));
        let ran = game.phase() == Phase::Running;
        if ran {
            let pause = Command::Pause { by: Caller::PowerCut };
            game.handle_command(pause.into(), last).expect("a clock runs");
        }
        if game.phase() == Phase::Over && game.handle_command(Command::Reopen.into(), last).is_err() {
            return Ok(());
        }
        take_events(&mut game);
        let mut expected = view_later(&game, by);
        if ran {
            expected.paused_by = expected.paused_by.map(|_| PausedBy::Caller(Caller::Arbiter));
        }
        prop_assert_eq!(other.view(other.last()), expected);
        prop_assert_eq!((game.claim().is_some(), game.adjourned()), (other.claim().is_some(), other.adjourned()));
        for (when, step) in &steps[after..] {
            let at = when.resolve(game.clock());
            let refused = give(&mut game, step, at).map_err(|refused| refused.code());
            let at = at.checked_add(by).expect("a short game");
            let same = give(&mut other, step, at).map_err(|refused| refused.code());
            prop_assert_eq!(refused, same, "{:?}", step);
            take_events(&mut game);
            take_events(&mut other);
            let (here, there) = (view_later(&game, by), other.view(other.last()));
            prop_assert_eq!(View { paused_by: None, ..here }, View { paused_by: None, ..there });
        }
    }
}

/// A game in which White's final flag has fallen, and then Black's. Each side had 5 s at the start.
fn both_flags() -> Game {
    let control = Control::single(Span::from_secs(5), Method::None);
    let setup = Setup {
        control,
        profile: Some(Profile::default()),
        session: Session::Unknown,
        force: false,
    };
    let secs = |secs: u64| Instant::from_nanos(secs * 1_000_000_000);
    let mut game = Game::new(&setup, secs(0)).expect("the profile holds");
    game.handle_command(Command::Start.into(), secs(0)).expect("it starts");
    game.handle_press(Side::White, secs(7)).expect("in order");
    game.handle_timeout(secs(20)).expect("in order");
    take_events(&mut game);
    game
}

#[test]
fn a_state_that_was_changed_is_refused_with_what_is_wrong() {
    let game = both_flags();
    let text = serde_json::to_string(&GameState::from(&game)).unwrap();
    let changed = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}: {text}");
        serde_json::from_str::<GameState>(&changed)
    };
    let hours = |hours: u64| (hours * 3_600_000_000_000 + 1).to_string();
    for (from, to, expected) in [
        ("\"first_flag\":\"white\"", "\"first_flag\":\"black\"", "fell first"),
        (
            "\"main\":0",
            &format!("\"main\":{}", hours(10_000)),
            "a main time is more than 10000:00:00",
        ),
        (
            "\"overrun\":2000000000",
            &format!("\"overrun\":{}", hours(10_000)),
            "an overrun is more than",
        ),
        ("\"delay_left\":0", &format!("\"delay_left\":{}", hours(1_000)), "the delay left"),
        ("\"period\":1", "\"period\":2", "a period that the time control does not have"),
        ("\"is_final\":true", "\"is_final\":false", "final flags of the facts"),
        ("\"last\":20000000000", "\"last\":6000000000", "later than the last one"),
        ("\"adjourned\":null", "\"adjourned\":\"black\"", "the sealer's opponent"),
        ("\"increment_agreed\":false", "\"increment_agreed\":true", "increment_agreed"),
        (
            "\"phase\":{\"paused\":{\"by\":{\"caller\":\"arbiter\"}}}",
            "\"phase\":\"ready\"",
            "before the start",
        ),
    ] {
        let state = changed(from, to).unwrap();
        match state.game(&setup_of(&game), game.last()) {
            Err(NotTakenOver::State(why)) => assert!(why.contains(expected), "{from}: {why}"),
            other => panic!("{from}: {other:?}"),
        }
    }
    for (from, to) in [
        ("\"illegal_moves\":0", "\"moves_illegal\":0"),
        ("\"illegal_moves\":0", "\"illegal_moves\":-1"),
        ("\"first_flag\":\"white\"", "\"first_flag\":\"nobody\""),
        ("\"main\":0", "\"main\":18446744073709551616"),
        ("\"delay_left\":0,", ""),
    ] {
        assert!(changed(from, to).is_err(), "{to}");
    }
}

/// A state that an older version has written can lack a fact. The fact then has its value at the
/// start of a game.
#[test]
fn a_missing_fact_is_as_at_the_start() {
    let game = both_flags();
    let text = serde_json::to_string(&GameState::from(&game)).unwrap();
    let older = text
        .replacen("\"illegal_moves\":0,\"handling_penalty\"", "\"handling_penalty\"", 1)
        .replacen("\"referred\":false,", "", 1);
    assert_eq!(text.len() - older.len(), 18 + 17);
    assert_eq!(serde_json::from_str::<GameState>(&older).unwrap(), GameState::from(&game));
}

/// The state of a clock that runs is charged up to its latest instant, and paused.
#[test]
fn a_clock_that_runs_is_paused_in_its_state() {
    let control = Control::single(Span::from_secs(60), Method::Delay(Span::from_secs(5)));
    let setup = Setup { control, profile: None, session: Session::Unknown, force: false };
    let mut game = Game::new(&setup, Instant::ZERO).unwrap();
    game.handle_command(Command::Start.into(), Instant::ZERO).unwrap();
    game.handle_timeout(Instant::from_nanos(2_000_000_000)).unwrap();
    let other = imported(&game, Instant::from_nanos(90_000_000_000));
    let view = other.view(other.last());
    assert_eq!((view.phase, view.on_move), (Phase::Paused, Side::White));
    assert_eq!(view.sides.white.delay, Span::from_secs(3));
}

/// A record of an older version has imports without a state.
#[test]
fn an_import_without_a_state_is_read() {
    let setup = setup_of(&both_flags());
    let correction = Correction::default();
    let import = GameCommand::Import { setup, state: None, correction, begun: true };
    let text = serde_json::to_string(&import).unwrap();
    let older = text.replacen("\"state\":null,", "", 1);
    assert_ne!(older, text);
    assert_eq!(serde_json::from_str::<GameCommand>(&older).unwrap(), import);
}
