//! Games and commands as data: they are read back unchanged from JSON and from postcard. If data
//! were changed before they are read, they are refused, or the game that was read can be played on
//! without a panic.

mod changed;
mod import;
mod power_cut;
mod restore;
mod round_trip;
mod words;

#[path = "../naive_model/controls.rs"]
#[expect(dead_code, reason = "the comparison with the naive model uses the rest")]
mod controls;
#[path = "../naive_model/games.rs"]
#[expect(dead_code, reason = "the comparison with the naive model uses the rest")]
mod games;
#[path = "../rules_model/inputs.rs"]
#[expect(dead_code, reason = "the comparison with the model of the rules uses the rest")]
mod inputs;

/// The type of an input. It has the path `crate::model::Input`, at which `inputs` expects it.
mod model {
    use clock_engine::rules::Action;
    use clock_engine::{Command, Side, Span};

    #[derive(Clone, Copy, Debug)]
    #[expect(clippy::large_enum_variant, reason = "a few of them in a test")]
    pub enum Input {
        Wait(Span),
        Press(Side),
        Call,
        Command(Command),
        Action(Action),
    }
}

use clock_engine::rules::{Game, GameCommand, GameRefused, Profile, Session, Setup};
use clock_engine::{Control, Instant};
use games::{Action, When};
use inputs::{inputs, profiles};
use model::Input;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// The size of the buffer for postcard, in bytes. The largest game needs less.
const BUFFER: usize = 4096;

/// A fixed seed, so that a commit always gives the same result. The nightly run uses new seeds.
const SEED: u64 = 64;

fn config() -> ProptestConfig {
    let config = ProptestConfig {
        failure_persistence: None,
        // A failing game is shortened for at most this many milliseconds, so the reported game may
        // be longer than necessary.
        max_shrink_time: 20_000,
        ..ProptestConfig::default()
    };
    match config.rng_seed {
        RngSeed::Random => ProptestConfig { rng_seed: RngSeed::Fixed(SEED), ..config },
        RngSeed::Fixed(_) => config,
    }
}

/// A random game: a control, a profile or none, and the steps of the game.
type Played = (Control, Option<Profile>, Vec<(When, Step)>);

#[derive(Clone, Debug)]
enum Step {
    Clock(Action),
    Rules(Input),
}

fn played() -> impl Strategy<Value = Played> {
    let profiles: Vec<_> = profiles().into_iter().map(|(_, profile)| profile).collect();
    let without = games::any_played().prop_map(|(control, game)| {
        let steps = game.into_iter().map(|(when, action)| (when, Step::Clock(action)));
        (control, None, steps.collect())
    });
    let mut any_controls: Vec<_> = inputs::controls().into_iter().map(|(_, c)| c).collect();
    any_controls.push(Control::single(clock_engine::Span::ZERO, clock_engine::Method::Hourglass));
    let rules =
        (select(any_controls), select(profiles), prop::collection::vec(rules_step(), 1..60))
            .prop_map(|(control, profile, steps)| (control, Some(profile), steps.concat()));
    prop_oneof![without, rules]
}

/// An input, sometimes after a wait. The waits reach and exceed the limits of claims, flags and the
/// default time.
fn rules_step() -> impl Strategy<Value = Vec<(When, Step)>> {
    let wait = prop_oneof![
        3 => Just(0),
        1 => select(inputs::random_waits()).prop_map(|span| span.as_nanos()),
    ];
    let input = prop_oneof![
        3 => Just(Step::Clock(Action::Move)),
        5 => select(inputs()).prop_map(Step::Rules),
    ];
    (wait, input).prop_map(|(wait, input)| vec![(When::After(wait), input)])
}

/// A new game; `None` if the profile does not hold for the control.
fn begin(control: Control, profile: Option<Profile>) -> Option<Game> {
    let setup = Setup { control, profile, session: Session::WithGame, force: false };
    Game::new(&setup, Instant::ZERO).ok()
}

fn give(game: &mut Game, step: &Step, at: Instant) -> Result<(), GameRefused> {
    match *step {
        Step::Clock(Action::Move) => Ok(game.handle_press(game.view(at).on_move, at)?),
        Step::Clock(Action::Press(side)) | Step::Rules(Input::Press(side)) => {
            Ok(game.handle_press(side, at)?)
        }
        Step::Clock(Action::Call) | Step::Rules(Input::Call) => Ok(game.handle_call(at)?),
        Step::Clock(Action::Timeout) => Ok(game.handle_timeout(at)?),
        Step::Clock(Action::Command(command)) | Step::Rules(Input::Command(command)) => {
            game.handle_command(GameCommand::Clock(command), at)
        }
        Step::Rules(Input::Wait(span)) => {
            let later = at.checked_add(span).expect("a short game");
            Ok(game.handle_timeout(later)?)
        }
        Step::Rules(Input::Action(action)) => game.handle_command(GameCommand::Action(action), at),
    }
}

fn json(game: &Game) -> String {
    serde_json::to_string(game).expect("a game can be written")
}

fn postcard<'a>(game: &Game, buffer: &'a mut [u8; BUFFER]) -> &'a mut [u8] {
    postcard::to_slice(game, buffer).expect("a game fits")
}

fn take_events(game: &mut Game) -> Vec<clock_engine::rules::GameEvent> {
    std::iter::from_fn(|| game.poll_event()).collect()
}
