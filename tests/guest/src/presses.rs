//! The presses that every measured reader gets: the same number, at the same pace, on two lines.

use crate::button::{Button, now, schedule, sleep_until};
use anyhow::Result;
use std::path::PathBuf;

/// The priority of the thread that presses. It is above that of the readers and of the load, and
/// below that of the interrupt threads, which must queue the edge at once.
const PRIORITY: i32 = 45;
/// The time from one edge to the next, in nanoseconds. It is longer than the release time of the
/// clock's debounce.
const SPACING: u64 = 60_000_000;

#[derive(clap::Args)]
pub struct Presses {
    /// The folder of the chip's lines in sysfs.
    chip: PathBuf,
    /// The two lines that are pressed in turn.
    #[arg(num_args = 2)]
    lines: Vec<u32>,
    /// How many presses, each with two edges.
    #[arg(long, default_value_t = 100)]
    count: u32,
}

/// What has just happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    Closed,
    Opened,
}

impl Presses {
    /// Opens the files of the two buttons.
    pub fn buttons(&self) -> Result<Vec<Button>> {
        self.lines.iter().map(|line| Button::new(&self.chip, *line)).collect()
    }

    /// Plays all presses, and calls `seen` right after each edge. If `seen` takes longer than the
    /// spacing of the edges, the next edge comes as soon as it returns.
    pub fn play(
        &self,
        buttons: &[Button],
        mut seen: impl FnMut(Contact) -> Result<()>,
    ) -> Result<()> {
        schedule(PRIORITY)?;
        for button in buttons.iter().cycle().take(self.count as usize) {
            let mut next = now() + SPACING;
            sleep_until(next);
            button.press()?;
            seen(Contact::Closed)?;
            next += SPACING;
            sleep_until(next);
            button.release()?;
            seen(Contact::Opened)?;
        }
        Ok(())
    }
}
