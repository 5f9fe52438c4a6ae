//! Games and commands are read back unchanged, and a game that was read goes on as the one that was
//! written.

use crate::games::Action;
use crate::inputs::{inputs, profiles};
use crate::model::Input;
use crate::{BUFFER, begin, config, give, json, played, postcard, take_events};
use clock_engine::rules::{AgreedChange, Game, GameCommand, Session, Setup};
use clock_engine::{
    Control, Correction, Instant, Method, Outcome, Recompute, Span, TurnEvent, UnknownTurns,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_game_that_was_read_goes_on_as_the_one_that_was_written((control, profile, steps) in played()) {
        let Some(mut game) = begin(control, profile) else { return Ok(()) };
        let mut largest = 0;
        for (when, step) in steps {
            let mut buffer = [0; BUFFER];
            let text = json(&game);
            let bytes = postcard(&game, &mut buffer);
            largest = largest.max(bytes.len());
            let mut from_json: Game = serde_json::from_str(&text).expect("it was written");
            let mut from_postcard: Game = postcard::from_bytes(bytes).expect("it was written");
            prop_assert_eq!(&from_json, &game, "{}", text);
            prop_assert_eq!(&from_postcard, &game);
            let at = when.resolve(game.clock());
            let done = give(&mut game, &step, at);
            let events = take_events(&mut game);
            for copy in [&mut from_json, &mut from_postcard] {
                prop_assert_eq!(give(copy, &step, at), done);
                prop_assert_eq!(take_events(copy), &events[..]);
                prop_assert_eq!(&*copy, &game);
            }
        }
        prop_assert!(largest < BUFFER / 2, "{} bytes", largest);
    }

    /// The commands of a random game are read back unchanged.
    #[test]
    fn random_commands_are_read_back((_, _, steps) in played()) {
        for (_, step) in steps {
            if let crate::Step::Clock(Action::Command(command)) = step {
                check_command(&GameCommand::Clock(command));
            }
        }
    }
}

fn check_command(command: &GameCommand) {
    let text = serde_json::to_string(command).expect("a command can be written");
    let mut buffer = [0; BUFFER];
    let bytes = postcard::to_slice(command, &mut buffer).expect("a command fits");
    assert_eq!(serde_json::from_str::<GameCommand>(&text).expect(&text), *command);
    assert_eq!(postcard::from_bytes::<GameCommand>(bytes).expect(&text), *command);
}

#[test]
fn every_command_is_read_back() {
    let control = Control::single(Span::from_secs(300), Method::Bronstein(Span::from_secs(3)));
    let sessions =
        [Session::Unknown, Session::WithGame, Session::At(Instant::from_nanos(u64::MAX))];
    for session in sessions {
        let setup = Setup { control, profile: None, session, force: true };
        check_command(&GameCommand::New(setup));
        check_command(&GameCommand::NewExchanged(setup));
    }
    for (_, profile) in profiles() {
        check_command(&GameCommand::SetRules(profile));
        let profile = Some(profile);
        check_command(&GameCommand::New(Setup {
            control,
            profile,
            session: Session::WithGame,
            force: false,
        }));
    }
    check_command(&GameCommand::SetButtons(true));
    check_command(&GameCommand::SetNames);
    for outcome in [Outcome::WhiteWins, Outcome::Drawn, Outcome::BlackWins] {
        check_command(&GameCommand::ReplaceResult(outcome));
        check_command(&GameCommand::Agreed(AgreedChange::ReplaceResult(outcome)));
    }
    for change in [AgreedChange::UndoPress, AgreedChange::Reopen] {
        check_command(&GameCommand::Agreed(change));
    }
    check_command(&GameCommand::Agreed(AgreedChange::Set(Correction::default())));
    for text in ["lunch until 14:00", &"ö".repeat(32), ""] {
        check_command(&GameCommand::Announce(clock_engine::rules::Announcement::new(text)));
    }
    let game = Game::new(
        &Setup { control, profile: None, session: Session::Unknown, force: true },
        Instant::ZERO,
    )
    .expect("there is no profile");
    let ran = TurnEvent::Ran(Span::from_secs(400));
    for recompute in [
        Recompute::No,
        game.recompute(&control, [ran]),
        Recompute::Unknown(UnknownTurns::Corrected),
    ] {
        let schedule_suffers = !recompute.is_asked();
        check_command(&GameCommand::ChangeTimeControl { control, recompute, schedule_suffers });
    }
    for input in inputs() {
        match input {
            Input::Command(command) => check_command(&GameCommand::Clock(command)),
            Input::Action(action) => check_command(&GameCommand::Action(action)),
            Input::Wait(_) | Input::Press(_) | Input::Call => {}
        }
    }
}
