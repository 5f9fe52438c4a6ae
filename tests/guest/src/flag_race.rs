//! Presses a button many times, each time within 100 µs of a flag, and prints what the clock
//! decided.

use crate::button::{Bracket, Button, now, schedule, sleep_until};
use anyhow::{Result, ensure};
use clock_dbus::{ArbiterProxy, ClockProxy, METHOD_TIMEOUT, NewGame, Phase, State, Who};
use std::path::PathBuf;
use std::time::Duration;
use zbus::connection::Builder;
use zbus::proxy::CacheProperties;

/// White's time is long enough for the bus to answer before the flag is near.
const CONTROL: &str = "name = \"flag-race\"\nafter_flag = \"halt\"\n[[period]]\ntime = \"400ms\"\n";
/// The priority of the thread that presses. It is below that of the interrupt threads, which must
/// queue the edge, and above that of the clock loop, which must not run while a press is aimed.
const PRIORITY: i32 = 45;
/// The pause after each press, in nanoseconds. It is longer than the release time of the debounce.
const REST: u64 = 60_000_000;
/// The number of presses that come first. All of them are made before the flag. They show how long
/// a write takes to become an edge.
const CALIBRATION: u32 = 10;

#[derive(clap::Args)]
pub struct FlagRace {
    /// The folder of the chip's lines in sysfs.
    chip: PathBuf,
    /// The line of White's button.
    line: u32,
    /// How many presses.
    #[arg(long, default_value_t = 1000)]
    count: u32,
}

impl FlagRace {
    /// Prints a JSON object for each press.
    pub async fn run(self) -> Result<()> {
        let bus = Builder::system().method_timeout(METHOD_TIMEOUT).build().await?;
        let clock = ClockProxy::builder(&bus).cache_properties(CacheProperties::No).build().await?;
        let arbiter =
            ArbiterProxy::builder(&bus).cache_properties(CacheProperties::No).build().await?;
        let button = Button::new(&self.chip, self.line)?;
        // How long a write takes to become an edge, as measured so far, in nanoseconds.
        let mut lead = 0_i64;
        for number in 0..self.count + CALIBRATION {
            let calibrates = number < CALIBRATION;
            let offset = if calibrates { -100_000 } else { offset(number) };
            let flag = set_up(&clock, &arbiter).await?;
            let target = flag.checked_add_signed(offset - lead).unwrap_or(flag);
            schedule(PRIORITY)?;
            let press = button.press_at(target);
            schedule(0)?;
            let press = press?;
            let state = decided(&clock).await?;
            if state.white.moves > 0 {
                let took = signed(state.at_nsec) - signed(press.before);
                lead = if calibrates { took } else { (lead * 7 + took) / 8 };
            }
            button.release()?;
            sleep_until(now() + REST);
            if !calibrates {
                report(flag, press, &state);
            }
        }
        Ok(())
    }
}

/// The time from the flag to the press, in nanoseconds; negative if the press comes first. A
/// quarter of all presses are within 5 µs of the flag and the others within 100 µs, evenly
/// distributed.
fn offset(number: u32) -> i64 {
    let within = if number.is_multiple_of(4) { 5_000 } else { 100_000 };
    // Each offset is greater than the one before by 0.618 of the range, modulo the range. So any
    // number of offsets fills the range evenly.
    let range = 2 * within + 1;
    signed(u64::from(number) * (range * 618_034 / 1_000_000) % range) - signed(within)
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Starts a new game with White's clock running. Returns the instant of White's flag.
async fn set_up(clock: &ClockProxy<'_>, arbiter: &ArbiterProxy<'_>) -> Result<u64> {
    let state = clock.get_state().await?;
    let mut revision = state.revision;
    if state.phase == Phase::Running {
        revision = arbiter.pause(None, revision, "").await?.revision;
    }
    // The game of the round before is replaced.
    let file = Some(CONTROL.to_owned());
    let game = NewGame {
        time_control_file: file,
        rules: Some("fide-2023".to_owned()),
        force: Some(true),
        ..NewGame::default()
    };
    let revision = arbiter.new_game(game, revision, "").await?.revision;
    arbiter.start(revision, "").await?;
    let state = clock.get_state().await?;
    ensure!(state.running == Who::White && state.white.moves == 0, "not started: {state:?}");
    Ok(state.at_nsec + state.white.remaining_nsec)
}

/// Waits until the clock has decided the press or the flag. Returns the state of the clock.
async fn decided(clock: &ClockProxy<'_>) -> Result<State> {
    for _ in 0..1000 {
        let state = clock.get_state().await?;
        if state.white.moves > 0 || state.first_flag != Who::Nobody {
            return Ok(state);
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    anyhow::bail!("the clock does not decide")
}

fn report(flag: u64, press: Bracket, state: &State) {
    let in_time = state.white.moves > 0;
    println!(
        "{}",
        serde_json::json!({
            "flag": flag, "before": press.before, "after": press.after,
            "in_time": in_time, "press": in_time.then_some(state.at_nsec),
            "flag_fell": state.white.flag_nsec,
        })
    );
}
