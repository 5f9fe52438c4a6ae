//! The simulated buttons, from outside.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Longer than the debounce needs a button down, and up.
const PHASE: Duration = Duration::from_millis(60);

/// Longer than a debounce set for tapping needs.
const TAP: u64 = 50_000;

/// A connection to the socket of `clockd --gpio sim:PATH`.
pub struct Buttons {
    socket: BufReader<UnixStream>,
}

impl Buttons {
    /// Connects.
    pub fn open(path: &Path) -> Result<Buttons> {
        let socket = UnixStream::connect(path)
            .with_context(|| format!("cannot reach the simulated buttons at {}", path.display()))?;
        socket.set_read_timeout(Some(crate::DEADLINE))?;
        Ok(Buttons { socket: BufReader::new(socket) })
    }

    /// Sends a line as it is; the answer.
    pub fn send(&mut self, line: &str) -> Result<String> {
        self.socket.get_mut().write_all(format!("{line}\n").as_bytes())?;
        let mut answer = String::new();
        self.socket.read_line(&mut answer)?;
        Ok(answer.trim_end().to_owned())
    }

    /// Presses a button and lets it go, as a finger does; the stamp of the press.
    pub fn press(&mut self, button: &str) -> Result<u64> {
        let stamp = self.edge(&format!("{button} down"))?;
        std::thread::sleep(PHASE);
        self.edge(&format!("{button} up"))?;
        std::thread::sleep(PHASE);
        Ok(stamp)
    }

    /// Presses a button and lets it go as fast as the socket takes it, for a clock whose debounce
    /// is set accordingly; the stamp of the press.
    pub fn tap(&mut self, button: &str) -> Result<u64> {
        let stamp = self.edge(&format!("{button} down"))?;
        pass(stamp + TAP);
        let up = self.edge(&format!("{button} up"))?;
        pass(up + TAP);
        Ok(stamp)
    }

    fn edge(&mut self, line: &str) -> Result<u64> {
        let answer = self.send(line)?;
        let Some(stamp) = answer.strip_prefix("ok ") else { bail!("{line}: {answer}") };
        Ok(stamp.parse()?)
    }
}

/// Waits until CLOCK_MONOTONIC, the clock of the stamps, has passed an instant.
fn pass(until: u64) {
    let nanos = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0)).as_nanos()
    };
    while nanos() < u128::from(until) {
        std::thread::yield_now();
    }
}
