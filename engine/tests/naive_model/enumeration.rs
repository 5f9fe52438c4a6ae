//! Every short game: all sequences of up to a given number of inputs, on clocks of a few ticks.
//!
//! Three kinds of sequences are left out, because they cannot show anything new:
//!
//! - A refused input changes nothing, which is checked. So no game goes on after a refused input:
//!   the same game without that input is played, too. An input that is refused while a clock runs
//!   is not tried again after a longer wait during which the clock runs on.
//! - Clocks that stand do not change, which is checked. So while they stand, a wait is tried only
//!   before an input that starts a clock.
//! - Two games that lead both clocks to the same state continue alike, so the continuations are
//!   played once and counted for both games. The states are compared by a hash of the whole state
//!   of both clocks.

use crate::both_clocks::BothClocks;
use crate::enumeration_inputs::{Enumerated, actions, controls, starts_a_clock};
use crate::games::Action;
use clock_engine::{Instant, Phase};
use proptest::test_runner::TestCaseError;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};
use std::time::Instant as WallInstant;

/// The number of inputs of the longest games, unless `CLOCK_MODEL_INPUTS` sets another.
const INPUTS: u32 = 3;

/// The waits before an input, in ticks.
const WAITS: [u64; 3] = [0, 1, LONGEST_WAIT];

/// Waiting this long is also an input by itself, so that longer waits occur too.
const LONGEST_WAIT: u64 = 2;

/// The games of one time control.
struct Games {
    tick: u64,
    actions: Vec<Action>,
    /// The inputs from the start to the present state, for the report of a failure.
    played: Vec<(Instant, Action)>,
    /// How many sequences of inputs continue a game, by the hash of the state and the number of
    /// inputs that are left.
    known: HashMap<(u64, u32), u128>,
    compared: u64,
}

impl Games {
    /// Continues the game with every sequence of `inputs` further inputs. Returns the number of
    /// these sequences.
    fn play(&mut self, both: &BothClocks, inputs: u32) -> Result<u128, TestCaseError> {
        if inputs == 0 {
            return Ok(1);
        }
        let here = (state(both), inputs);
        if let Some(&games) = self.known.get(&here) {
            return Ok(games);
        }
        let mut refused = vec![false; self.actions.len()];
        let mut games = 0;
        for wait in WAITS {
            games += self.play_after(wait, both, inputs, &mut refused)?;
        }
        self.known.insert(here, games);
        Ok(games)
    }

    /// Plays the games whose next input comes after this number of ticks. `refused` collects the
    /// actions that were refused while a clock runs.
    fn play_after(
        &mut self,
        wait: u64,
        both: &BothClocks,
        inputs: u32,
        refused: &mut [bool],
    ) -> Result<u128, TestCaseError> {
        let at = Instant::from_nanos(both.clock.last().as_nanos() + wait * self.tick);
        let mut games = 0;
        self.played.push((at, Action::Timeout));
        let mut waited = both.clone();
        self.step(&mut waited, Action::Timeout, at)?;
        waited.compare_while_waiting()?;
        let standing = both.clock.phase() != Phase::Running;
        if wait == LONGEST_WAIT && !standing {
            games += self.play(&waited, inputs - 1)?;
        }
        self.played.pop();
        let running = waited.clock.phase() == Phase::Running;
        let last_input = inputs == 1;
        let waited = (!last_input).then(|| state(&waited));
        for (index, refused) in refused.iter_mut().enumerate() {
            let action = self.actions[index];
            if *refused && running || standing && wait > 0 && !starts_a_clock(action) {
                continue;
            }
            self.played.push((at, action));
            let mut next = both.clone();
            if self.step(&mut next, action, at)? {
                games += self.play(&next, inputs - 1)?;
            } else if waited.is_some_and(|waited| waited != state(&next)) {
                return Err(TestCaseError::fail("a refused input has changed the state"));
            } else {
                *refused = running;
            }
            self.played.pop();
        }
        Ok(games)
    }

    fn step(
        &mut self,
        both: &mut BothClocks,
        action: Action,
        at: Instant,
    ) -> Result<bool, TestCaseError> {
        self.compared += 1;
        both.step(action, at)
    }
}

/// The whole state of both clocks, as a hash.
fn state(both: &BothClocks) -> u64 {
    let mut text = String::with_capacity(16_000);
    write!(text, "{:?}{:?}", both.naive, both.clock).expect("a string takes everything");
    // The event queue is empty, because all events are taken after each call. Its write position
    // must not distinguish two states.
    let (state, _) = text.rsplit_once(", events: EventQueue").expect("the last field of a clock");
    let mut hasher = DefaultHasher::new();
    hasher.write(state.as_bytes());
    hasher.finish()
}

/// Plays every game of up to this number of inputs. Returns the number of games and of comparisons.
fn enumerate(enumerated: &Enumerated, inputs: u32) -> (u128, u64) {
    let Enumerated { name, control, tick } = enumerated;
    let mut games = Games {
        tick: *tick,
        actions: actions(control, *tick),
        played: Vec::new(),
        known: HashMap::new(),
        compared: 0,
    };
    let mut number = 0;
    // Short games first, so that a failure is reported with the fewest inputs.
    for inputs in 1..=inputs {
        number = games
            .play(&BothClocks::new(*control), inputs)
            .unwrap_or_else(|error| panic!("{name}, tick {tick} ns: {error}\n{:#?}", games.played));
    }
    (number, games.compared)
}

#[test]
fn every_short_game() {
    let inputs = std::env::var("CLOCK_MODEL_INPUTS");
    let inputs = inputs.map_or(INPUTS, |text| text.parse().expect("a number of inputs"));
    let (mut all_games, mut all_compared) = (0, 0);
    for enumerated in controls() {
        let started = WallInstant::now();
        let (games, compared) = enumerate(&enumerated, inputs);
        println!(
            "{}: {games} games of {inputs} inputs, {compared} states compared, {:.1} s",
            enumerated.name,
            started.elapsed().as_secs_f64()
        );
        (all_games, all_compared) = (all_games + games, all_compared + compared);
    }
    println!("{all_games} games of {inputs} inputs, {all_compared} states compared");
}
