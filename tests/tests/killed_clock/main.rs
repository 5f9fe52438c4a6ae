//! `clockd` is killed with `kill -9` at random instants of a game, and started again as systemd
//! does it. What was decided before the kill stays decided and is in the record. The clock shows
//! what it would show without the kill, to the nanosecond.
//!
//! `CLOCK_KILLS=1000` sets how often it is killed at least, `CLOCK_SEED` repeats a run.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod arbiter;
mod check;
mod game;
mod numbers;
mod presses;
mod record;
mod recovery;

use clock_dbus::{Phase, State};
use edge_player::Rng;
use game::{Action, Game};
use std::collections::BTreeMap;

/// How often the clock is killed at least in `make test`.
const KILLS: u64 = 50;
/// After this many rounds, a game that runs or is paused is ended with a result.
const ROUNDS: u64 = 20;

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Chooses what is under way when the clock is killed, which can also be nothing. In every tenth
/// round it is a draw claim, if a clock runs and the side on move may claim a draw.
fn action(state: &State, rounds: u64, rng: &mut Rng) -> Action {
    // A side with less than two minutes can claim a draw. A ruling on the claim can give the
    // opponent more time, so that the opponent has two minutes or more.
    let on_move = state.on_move.side().expect("a side is on move");
    let may_claim = state.side(on_move).remaining_nsec < 120_000_000_000;
    let choices: &[Action] = match state.phase {
        Phase::Ready => &[Action::Nothing, Action::Presses],
        Phase::Running if rounds % 10 == 9 && may_claim => &[Action::Claim],
        Phase::Running => {
            &[Action::Nothing, Action::Presses, Action::Presses, Action::Presses, Action::Pause]
        }
        Phase::Paused => &[
            Action::Nothing,
            Action::AddTime,
            Action::ChangeTimeControl,
            Action::Resume,
            Action::Resume,
        ],
        Phase::Ruling => &[Action::Nothing, Action::Rule, Action::Rule],
        Phase::Over => &[Action::Nothing, Action::New, Action::New],
    };
    let last = u64::try_from(choices.len() - 1).unwrap();
    choices[usize::try_from(rng.between(0, last)).unwrap()]
}

#[tokio::test]
async fn a_clock_that_is_killed_at_any_instant_goes_on_as_if_it_had_not_been() {
    let (kills, seed) = (setting("CLOCK_KILLS", KILLS), setting("CLOCK_SEED", 1));
    println!("CLOCK_SEED={seed} CLOCK_KILLS={kills}");
    let mut rng = Rng::new(seed);
    let mut game = Game::begin().await;
    let mut killed_in: BTreeMap<&str, u64> = BTreeMap::new();
    let mut rounds = 0;
    let mut kill = 0;
    // On a slow machine a phase can be rare. The test goes on until the clock was killed in each of
    // the five phases, but with at most 3 times as many kills.
    while kill < kills || (killed_in.len() < 5 && kill < 3 * kills) {
        let phase = game.state.phase;
        rounds = if phase == Phase::Ready { 0 } else { rounds + 1 };
        let action = match phase {
            Phase::Running | Phase::Paused if rounds >= ROUNDS || game.is_late() => Action::Result,
            _ => action(&game.state, rounds, &mut rng),
        };
        *killed_in.entry(phase.as_str()).or_default() += 1;
        game.kill_during(action, &mut rng, kill).await;
        kill += 1;
    }
    println!("killed in {killed_in:?}; {}", game.counts());
    assert_eq!(killed_in.len(), 5, "a phase was never reached: {killed_in:?}");
    game.check_whole_record().await;
}
