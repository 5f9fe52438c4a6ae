//! A command of several steps does what the steps do one after the other, or nothing.

use super::*;
use crate::Correction;
use crate::rules::action::{AgreedChange, Confirmation, ResultGround};

fn unsupervised() -> Profile {
    Profile { authority: Authority::Nobody, ..Profile::default() }
}

/// A game with this profile in each phase, and one in which a claim was made.
fn games(profile: Option<Profile>) -> Vec<Game> {
    let control = Control::single(minutes(3), Method::None);
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    let ready = Game::new(&setup, Instant::ZERO).unwrap();
    let mut running = ready;
    command(&mut running, Command::Start, 0).unwrap();
    running.handle_press(Side::White, secs(10)).unwrap();
    let mut paused = running;
    paused.handle_call(secs(20)).unwrap();
    let mut flag = running;
    flag.handle_timeout(secs(300)).unwrap();
    let mut over = paused;
    command(&mut over, Command::Finish(Outcome::WhiteWins), 21).unwrap();
    let mut over_by_flag = flag;
    command(&mut over_by_flag, Command::Finish(Outcome::Drawn), 301).unwrap();
    vec![ready, running, paused, flag, over, over_by_flag]
}

fn carried_out(game: &Game, steps: &[GameCommand], at: Instant) -> Result<Game, GameRefused> {
    let mut game = *game;
    for step in steps {
        game.handle_command(*step, at)?;
    }
    Ok(game)
}

/// Compares a command with its steps in each game, and returns how often it was carried out.
fn compare(games: &[Game], command: GameCommand, steps: impl Fn(&Game) -> Vec<GameCommand>) -> u32 {
    let mut done = 0;
    for game in games {
        let at = game.last().max(secs(400));
        let mut at_once = *game;
        let answer = at_once.handle_command(command, at);
        let by_steps = carried_out(game, &steps(game), at);
        assert_eq!(answer, by_steps.map(|_| ()), "{command:?} {:?}", game.phase());
        let mut unchanged = *game;
        unchanged.handle_timeout(at).unwrap();
        assert_eq!(at_once, by_steps.unwrap_or(unchanged), "{command:?} {:?}", game.phase());
        done += u32::from(answer.is_ok());
    }
    done
}

#[test]
fn a_new_game_with_exchanged_buttons_is_one_step() {
    let control = Control::single(minutes(5), Method::None);
    for force in [false, true] {
        let setup = Setup { control, profile: None, session: Session::Unknown, force };
        let exchanged = games(None).into_iter().map(|mut game| {
            let _ = game.handle_command(GameCommand::SetButtons(true), game.last());
            game
        });
        let all: Vec<Game> = games(Some(unsupervised())).into_iter().chain(exchanged).collect();
        let done = compare(&all, GameCommand::NewExchanged(setup), |game| {
            let exchange = GameCommand::SetButtons(!game.buttons_exchanged());
            vec![GameCommand::New(setup), exchange]
        });
        assert_eq!(done, if force { 12 } else { 6 });
    }
}

#[test]
fn a_result_is_replaced_in_one_step() {
    let (outcome, ground) = (Outcome::BlackWins, ResultGround::Game);
    let replace = GameCommand::ReplaceResult(outcome);
    let result = Action::Result { outcome, ground }.into();
    let with_rules = |_: &Game| vec![Command::Reopen.into(), result];
    assert_eq!(compare(&games(Some(Profile::default())), replace, with_rules), 2);
    assert_eq!(compare(&games(Some(unsupervised())), replace, with_rules), 0, "not confirmed");
    let without = |_: &Game| vec![Command::Reopen.into(), Command::Finish(outcome).into()];
    assert_eq!(compare(&games(None), replace, without), 2);
}

#[test]
fn what_both_players_agree_to_is_one_step() {
    let time = PerSide::both(Some(minutes(2)));
    let correction = Correction { time, ..Correction::default() };
    let outcome = Outcome::BlackWins;
    let what = Some(Confirmation::Correction);
    for change in [
        AgreedChange::Set(correction),
        AgreedChange::UndoPress,
        AgreedChange::Reopen,
        AgreedChange::ReplaceResult(outcome),
    ] {
        let steps = |_: &Game| {
            let mut steps =
                Side::BOTH.map(|by| Action::RecordConfirmation { by, what }.into()).to_vec();
            match change {
                AgreedChange::ReplaceResult(outcome) => {
                    let ground = ResultGround::Game;
                    steps.push(Command::Reopen.into());
                    steps.push(Action::Result { outcome, ground }.into());
                }
                change => steps.push(change.into()),
            }
            steps
        };
        // Before the start, a correction needs no agreement, and uses up none.
        let all = &games(Some(unsupervised()))[1..];
        assert!(compare(all, GameCommand::Agreed(change), steps) > 0, "{change:?}");
    }
}

#[test]
fn a_refused_correction_confirms_nothing() {
    let mut correction = Correction::default();
    correction.period.white = Some(2);
    let mut game = games(Some(unsupervised()))[2];
    let before = game;
    let agreed = GameCommand::Agreed(AgreedChange::Set(correction));
    let refused = game.handle_command(agreed, secs(20));
    assert!(matches!(refused, Err(GameRefused::Clock { .. })), "{refused:?}");
    assert_eq!(game, before);
    // A possible one leaves no confirmation either, not even before the start.
    for mut game in [games(Some(unsupervised()))[0], game] {
        let mut correction = Correction::default();
        correction.time.white = Some(minutes(2));
        let agreed = GameCommand::Agreed(AgreedChange::Set(correction));
        game.handle_command(agreed, secs(21)).unwrap();
        assert!(!Side::BOTH.into_iter().any(|side| game.facts.sides[side].confirmed_correction));
    }
}

#[test]
fn players_agree_only_in_unsupervised_play() {
    let agreed = GameCommand::Agreed(AgreedChange::Reopen);
    let mut game = games(Some(Profile::default()))[4];
    let nothing = Reason::NothingToConfirm(Confirmation::Correction);
    assert_eq!(reason(game.handle_command(agreed, secs(30))), nothing);
    let mut game = games(None)[4];
    assert_eq!(game.handle_command(agreed, secs(30)), Err(GameRefused::NoProfile));
}
