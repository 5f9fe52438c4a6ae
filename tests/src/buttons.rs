//! A client of the simulated buttons' socket.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// How long a button is down, and then up. Both times are longer than the debounce needs with its
/// default times.
const HOLD: Duration = Duration::from_millis(60);

/// How long a tapped button is down, and then up, in nanoseconds: longer than a debounce with
/// times of 10 µs needs.
const TAP_HOLD: u64 = 50_000;

/// A connection to the socket of `clockd --gpio sim:PATH`.
pub struct Buttons {
    socket: BufReader<UnixStream>,
}

impl Buttons {
    /// Connects to the socket at this path.
    pub fn open(path: &Path) -> Result<Buttons> {
        let socket = UnixStream::connect(path)
            .with_context(|| format!("cannot reach the simulated buttons at {}", path.display()))?;
        socket.set_read_timeout(Some(crate::DEADLINE))?;
        Ok(Buttons { socket: BufReader::new(socket) })
    }

    /// Sends a line as it is and returns the answer.
    pub fn send(&mut self, line: &str) -> Result<String> {
        self.socket.get_mut().write_all(format!("{line}\n").as_bytes())?;
        let mut answer = String::new();
        self.socket.read_line(&mut answer)?;
        Ok(answer.trim_end().to_owned())
    }

    /// Presses and releases a button. Returns the timestamp of the press in nanoseconds.
    pub fn press(&mut self, button: &str) -> Result<u64> {
        self.press_with(button, "down")
    }

    /// As [`Buttons::press`], but the contact opens once before it stays closed.
    pub fn press_with_bounce(&mut self, button: &str) -> Result<u64> {
        self.press_with(button, "down up down")
    }

    fn press_with(&mut self, button: &str, edges: &str) -> Result<u64> {
        let stamp = self.edge(&format!("{button} {edges}"))?;
        std::thread::sleep(HOLD);
        self.edge(&format!("{button} up"))?;
        std::thread::sleep(HOLD);
        Ok(stamp)
    }

    /// As [`Buttons::press`], but 1,200 times as fast, for a clock whose debounce times are 10 µs.
    pub fn tap(&mut self, button: &str) -> Result<u64> {
        let stamp = self.edge(&format!("{button} down"))?;
        wait_until(stamp + TAP_HOLD);
        self.release(button)?;
        Ok(stamp)
    }

    /// Releases a button for so long that its next press counts, if the debounce times are 10 µs.
    pub fn release(&mut self, button: &str) -> Result<()> {
        let up = self.edge(&format!("{button} up"))?;
        wait_until(up + TAP_HOLD);
        Ok(())
    }

    /// Sends a line such as `white down`. Returns the timestamp.
    pub fn edge(&mut self, line: &str) -> Result<u64> {
        let answer = self.send(line)?;
        let Some(stamp) = answer.strip_prefix("ok ") else { bail!("{line}: {answer}") };
        Ok(stamp.parse()?)
    }
}

/// Waits until CLOCK_MONOTONIC, the clock of the timestamps, has reached an instant.
fn wait_until(until: u64) {
    let nanos = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0)).as_nanos()
    };
    while nanos() < u128::from(until) {
        std::thread::yield_now();
    }
}
