//! Checks that the engine's views, events and refusals are those of the naive model.

use crate::both_clocks::BothClocks;
use crate::config;
use crate::games::{Game, any_played};
use clock_engine::Control;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult, TestRunner};
use std::cell::Cell;
use std::time::Instant as WallInstant;

/// The least number of actions in the long run, unless `CLOCK_MODEL_EVENTS` sets another.
const EVENTS: u64 = 60_000;

/// The number of games in one part of the long run. Each part has a seed of its own.
const GAMES: u32 = 250;

/// Plays the game on both clocks and compares them at each step and between the steps. Returns the
/// number of actions.
fn compare(control: Control, game: Game) -> Result<u64, TestCaseError> {
    let mut both = BothClocks::new(control);
    let mut events = 0;
    for (when, action) in game {
        let at = when.resolve(&both.clock);
        both.step(action.settled(&both.clock, at), at)?;
        both.compare_while_waiting()?;
        events += 1;
    }
    Ok(events)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_engine_and_the_naive_model_agree((control, game) in any_played()) {
        compare(control, game)?;
    }
}

/// Plays the games of one part of the long run. Returns the number of actions.
fn part(seed: u64) -> u64 {
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(seed), cases: GAMES, ..config() };
    let events = Cell::new(0);
    let test = |(control, game)| -> TestCaseResult {
        events.set(events.get() + compare(control, game)?);
        Ok(())
    };
    if let Err(error) = TestRunner::new(config).run(&any_played(), test) {
        panic!("PROPTEST_RNG_SEED={seed} CLOCK_MODEL_EVENTS=1 repeats it: {error}");
    }
    events.get()
}

#[test]
fn the_long_run() {
    let wanted = std::env::var("CLOCK_MODEL_EVENTS");
    let wanted = wanted.map_or(EVENTS, |text| text.parse().expect("a number of events"));
    let RngSeed::Fixed(first) = config().rng_seed else {
        unreachable!("the tests have a seed");
    };
    println!("PROPTEST_RNG_SEED={first} CLOCK_MODEL_EVENTS={wanted}");
    let started = WallInstant::now();
    let (mut seed, mut events) = (first, 0);
    while events < wanted {
        events += part(seed);
        seed = seed.wrapping_add(1);
    }
    let parts = seed.wrapping_sub(first);
    println!(
        "{events} events in {} games, seeds {first} to {}, {:.1} s",
        parts * u64::from(GAMES),
        seed.wrapping_sub(1),
        started.elapsed().as_secs_f64()
    );
}
