//! Kills the clock, or makes its loop hang, and measures how long systemd takes to replace it.

use crate::button::{Button, now, schedule, sleep_until};
use crate::thread::{Traced, find_process, find_thread, kill};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use clock_dbus::{ClockProxy, METHOD_TIMEOUT};
use edge_player::Rng;
use std::path::PathBuf;
use std::time::Duration;
use zbus::connection::Builder;
use zbus::proxy::CacheProperties;

const MS: u64 = 1_000_000;
/// The pause after the button is released, in nanoseconds. It is longer than the release time of
/// the debounce.
const HOLD: u64 = 60 * MS;
/// A clock that is not back after this time, in nanoseconds, does not come back any more.
const GONE: u64 = 60_000 * MS;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum How {
    /// The process is killed.
    Kill,
    /// The clock loop's thread is stopped, and a button is pressed.
    Hang,
    /// The clock loop's thread uses the processor without waiting once a button is pressed.
    Spin,
}

#[derive(clap::Args)]
pub struct Replace {
    /// What happens to the clock.
    how: How,
    /// The folder of the chip's lines in sysfs.
    chip: PathBuf,
    /// The line of the button that is pressed.
    line: u32,
    /// How many times.
    #[arg(long, default_value_t = 1)]
    count: u32,
    /// The seed of the instants.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The shortest and the longest time from one to the next, in milliseconds.
    #[arg(long, num_args = 2, default_values_t = [100, 2000])]
    every: Vec<u64>,
}

impl Replace {
    /// Harms the clock `count` times. For each time, prints a JSON object: `happened` is when the
    /// clock stopped working, `ended` is when this program had finished harming it, and `back` is
    /// when a new clock answered on the bus.
    pub async fn run(self) -> Result<()> {
        let bus = Builder::system().method_timeout(METHOD_TIMEOUT).build().await?;
        let clock = ClockProxy::builder(&bus).cache_properties(CacheProperties::No).build().await?;
        let button = Button::new(&self.chip, self.line)?;
        let mut random = Rng::of_trace(self.seed, 0);
        for _ in 0..self.count {
            // The priority makes the instant exact. While this thread sleeps, the rest of the
            // machine runs.
            schedule(45)?;
            sleep_until(now() + random.between(self.every[0] * MS, self.every[1] * MS));
            let process = find_process("clockd").context("the clock does not run")?;
            let happened = self.harm(process, &button)?;
            schedule(0)?;
            let ended = now();
            let back = wait_until_back(&clock, process).await?;
            if self.how != How::Kill {
                button.release()?;
                sleep_until(now() + HOLD);
            }
            println!(
                "{}",
                serde_json::json!({ "happened": happened, "ended": ended, "back": back })
            );
        }
        Ok(())
    }

    /// Kills the clock, or makes its loop hang or spin. Returns the instant since which the clock
    /// does not work: the instant of the kill, or that of the press that the loop does not read.
    fn harm(&self, process: i32, button: &Button) -> Result<u64> {
        if self.how == How::Kill {
            let happened = now();
            kill(process)?;
            return Ok(happened);
        }
        let traced = Traced::stop(find_thread(process, "clock-loop")?)?;
        if self.how == How::Hang {
            let happened = button.press()?.before;
            traced.wait_for_end()?;
            return Ok(happened);
        }
        traced.make_spin()?;
        Ok(button.press()?.before)
    }
}

/// Waits until a process of clockd other than `before` runs and the clock answers on the bus.
/// Returns the instant of the answer.
async fn wait_until_back(clock: &ClockProxy<'_>, before: i32) -> Result<u64> {
    let begun = now();
    while now() < begun + GONE {
        if find_process("clockd").is_some_and(|process| process != before)
            && clock.get_state().await.is_ok()
        {
            return Ok(now());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    bail!("the clock does not come back")
}
