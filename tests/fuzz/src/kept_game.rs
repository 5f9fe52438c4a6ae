//! Games and commands as the record and the retained memory keep them.
//!
//! The first byte of an input chooses the form: JSON, as in the record, or postcard, as in memory.

use clock_engine::rules::{Game, GameCommand};
use clock_engine::{Command, Instant, Side};
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
        play(game);
    }
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
        let _ = (game.claim(), game.adjourned(), game.questions());
        while game.poll_event().is_some() {}
    };
    let mut at = game.last();
    for (number, command) in
        [Command::Start, Command::Resume { side: None }, Command::UndoPress].into_iter().enumerate()
    {
        at = next(at, 1_000_000_000);
        let _ = game.handle_command(command.into(), at);
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
    use clock_engine::rules::{Profile, Session, Setup};
    use clock_engine::{Control, Method, Span};

    /// Plays real games from their kept form. Also writes them as the inputs with which fuzzing
    /// begins, if `CLOCK_SEEDS` names a folder for them.
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
