//! Shows on the terminal how many presses were made.

use std::time::{Duration, Instant};

use clock_dbus::TestedButton;

use crate::{
    doctor::buttons::name,
    options::Options,
    out::{self, CLEAR_LINE},
};

/// How often the number is written.
const INTERVAL: Duration = Duration::from_secs(1);

/// The number of presses on the terminal. It is cleared at the end.
pub struct Progress {
    presses: u32,
    is_shown: bool,
    written: Instant,
}

impl Progress {
    /// Says what begins and how long it takes, if each press takes this time.
    pub fn begin(
        options: &Options,
        button: TestedButton,
        presses: u32,
        each_nsec: u64,
    ) -> Progress {
        let is_read = !options.quiet && !options.json;
        if is_read {
            out::report(&beginning(button, presses, each_nsec));
        }
        let is_shown = is_read && out::can_clear_line();
        Progress { presses, is_shown, written: Instant::now() }
    }

    /// Notes that so many presses were made.
    pub fn made(&mut self, number: u32) {
        if self.is_shown && self.written.elapsed() >= INTERVAL {
            self.written = Instant::now();
            out::report(&format!("{CLEAR_LINE}{number} of {}", self.presses));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            out::report(CLEAR_LINE);
        }
    }
}

fn beginning(button: TestedButton, presses: u32, each_nsec: u64) -> String {
    let seconds = u64::from(presses).saturating_mul(each_nsec) / 1_000_000_000;
    let time = match seconds {
        0..100 => format!("{} s", seconds.max(1)),
        _ => format!("{} min", seconds.div_ceil(60)),
    };
    let times = if presses == 1 { "once" } else { &format!("{presses} times") };
    format!("Pressing {} {times} over the wire, for about {time}.\n", name(button))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_says_how_long_it_takes() {
        for (presses, each, said) in [
            (1, 106_000_000, "Pressing the call button once over the wire, for about 1 s.\n"),
            (
                200,
                106_000_000,
                "Pressing the call button 200 times over the wire, for about 21 s.\n",
            ),
            (
                1000,
                106_000_000,
                "Pressing the call button 1000 times over the wire, for about 2 min.\n",
            ),
        ] {
            assert_eq!(beginning(TestedButton::Call, presses, each), said);
        }
    }
}
