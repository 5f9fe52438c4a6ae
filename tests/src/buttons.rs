//! The simulated buttons, from outside.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Longer than the debounce needs a button down, and up.
const PHASE: Duration = Duration::from_millis(40);

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
        Ok(Buttons {
            socket: BufReader::new(socket),
        })
    }

    /// Sends a line as it is; the answer.
    pub fn send(&mut self, line: &str) -> Result<String> {
        self.socket
            .get_mut()
            .write_all(format!("{line}\n").as_bytes())?;
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

    fn edge(&mut self, line: &str) -> Result<u64> {
        let answer = self.send(line)?;
        let Some(stamp) = answer.strip_prefix("ok ") else {
            bail!("{line}: {answer}")
        };
        Ok(stamp.parse()?)
    }
}
