//! Random games with random time controls: the engine is compared with an independent, naive model,
//! and properties that hold in every game are checked.
//!
//! The seed is the same in every run. Environment variables change the tests: `PROPTEST_RNG_SEED`
//! sets another seed, `PROPTEST_CASES` the number of games, `CLOCK_MODEL_EVENTS` the least number
//! of actions in the long run, and `CLOCK_MODEL_INPUTS` the number of inputs of the longest
//! enumerated games.

mod account;
mod agreement;
mod both_clocks;
mod boundary;
mod change_control;
mod controls;
mod coverage;
mod enumeration;
mod enumeration_inputs;
mod games;
mod model;
mod order;
mod restarts;

use clock_engine::Instant;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

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

fn nanos(at: Instant) -> i128 {
    i128::from(at.as_nanos())
}
