//! Games and commands as the record and the retained memory keep them.
//!
//! The first byte of an input chooses the form: JSON, as in the record, or postcard, as in memory.

use clock_engine::rules::{Action, Game, GameCommand, GameState, Profile, Ruling, Session, Setup};
use clock_engine::{Command, Control, Correction, Instant, Method, Side, Span};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks that a game that can be read can be played: nothing panics, and its instants never
/// decrease. A game, and a command, must also be the same after it is written and read again.
pub fn kept_game(bytes: &[u8]) {
    let Some((form, rest)) = bytes.split_first() else { return };
    let is_json = form % 2 == 0;
    if let Some(command) = read::<GameCommand>(rest, is_json) {
        same_again(&command);
    }
    if let Some(game) = read::<Game>(rest, is_json) {
        same_again(&game);
        take_over(&GameState::from(&game), game.clock().control(), game.profile());
        play(game);
    }
    if let Some(state) = read::<GameState>(rest, is_json) {
        same_again(&state);
        for method in [Method::None, Method::Increment(Span::from_secs(2))] {
            let control = Control::single(Span::from_secs(60), method);
            take_over(&state, &control, None);
            take_over(&state, &control, Some(&Profile::default()));
        }
    }
}

/// Checks that a state from a file is refused, or that another clock goes on with it. A clock that
/// goes on with it must then have the same state.
fn take_over(state: &GameState, control: &Control, profile: Option<&Profile>) {
    let at = Instant::from_nanos(7_000_000_000_000_000);
    let (control, profile, session) = (*control, profile.copied(), Session::Unknown);
    let setup = Setup { control, profile, session, force: true };
    let Ok(mut game) = Game::new(&setup, at) else { return };
    let (state, correction) = (Some(*state), Correction::default());
    let import = GameCommand::Import { setup, state, correction, begun: true };
    let before = game;
    if game.handle_command(import, at).is_err() {
        return assert_eq!(game, before);
    }
    while game.poll_event().is_some() {}
    let again = GameState::from(&game);
    assert!(again.game(&setup, at).is_ok(), "{again:?}");
    play(game);
}

fn read<T: DeserializeOwned>(bytes: &[u8], is_json: bool) -> Option<T> {
    if is_json { serde_json::from_slice(bytes).ok() } else { postcard::from_bytes(bytes).ok() }
}

fn same_again<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    assert_eq!(serde_json::from_str::<T>(&text).as_ref().ok(), Some(value));
}

fn play(mut game: Game) {
    let next = |at: Instant, nanos: u64| Instant::from_nanos(at.as_nanos().saturating_add(nanos));
    let check = |game: &mut Game, at: Instant| {
        assert!(game.last() <= at, "{at:?}");
        let view = game.view(at);
        assert_eq!(view.at, at);
        let _ = (game.claim(), game.adjourned());
        for question in game.questions().iter() {
            let _ = game.answers(&question, at);
        }
        while game.poll_event().is_some() {}
    };
    let mut at = game.last();
    let illegal = Action::IllegalMove { side: Side::White, claimed: true, award: None };
    for (number, command) in [
        Command::Start.into(),
        Action::ResumeAdjourned.into(),
        Command::Resume { side: None }.into(),
        illegal.into(),
        Command::UndoPress.into(),
        Action::rule(Ruling::Drawn).into(),
    ]
    .into_iter()
    .enumerate()
    {
        let command: GameCommand = command;
        at = next(at, 1_000_000_000);
        let _ = game.handle_command(command, at);
        check(&mut game, at);
        at = next(at, 60_000_000_000);
        let side = if number % 2 == 0 { Side::White } else { Side::Black };
        if at >= game.last() {
            let _ = game.handle_press(side, at);
            check(&mut game, at);
        }
    }
    let mut restarted = game;
    let now = Instant::from_nanos(5_000_000_000);
    restarted.handle_power_cut(at, now);
    check(&mut restarted, now);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays real games from the form in which they are stored. Also writes them as the inputs with
    /// which fuzzing begins, if `CLOCK_SEEDS` names a folder for them.
    #[test]
    fn real_games_are_read_and_played() {
        let control = Control::single(Span::from_secs(60), Method::Increment(Span::from_secs(2)));
        let profile = Some(Profile::default());
        for (number, profile) in [None, profile].into_iter().enumerate() {
            let setup = Setup { control, profile, session: Session::Unknown, force: true };
            let mut game = Game::new(&setup, Instant::ZERO).unwrap();
            game.handle_command(Command::Start.into(), Instant::ZERO).unwrap();
            game.handle_press(Side::White, Instant::from_nanos(3_000_000_000)).unwrap();
            while game.poll_event().is_some() {}
            let command = GameCommand::New(setup);
            let mut buffer = vec![0; 16 * 1024];
            let binary = postcard::to_slice(&game, &mut buffer).unwrap().to_vec();
            let inputs = [
                [b"\0", serde_json::to_vec(&game).unwrap().as_slice()].concat(),
                [b"\x01", binary.as_slice()].concat(),
                [b"\0", serde_json::to_vec(&command).unwrap().as_slice()].concat(),
                [b"\0", serde_json::to_vec(&GameState::from(&game)).unwrap().as_slice()].concat(),
            ];
            for (form, input) in inputs.iter().enumerate() {
                kept_game(input);
                if let Ok(folder) = std::env::var("CLOCK_SEEDS") {
                    std::fs::write(format!("{folder}/{number}-{form}"), input).unwrap();
                }
            }
            assert_eq!(read::<Game>(&binary, false), Some(game));
        }
    }
}
