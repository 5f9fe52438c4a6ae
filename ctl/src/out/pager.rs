//! A pager for long output, chosen as git and systemctl choose theirs.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use tokio::signal::unix::{SignalKind, signal};

/// A running pager.
pub struct Pager {
    child: Child,
}

impl Pager {
    /// Starts the program of `PAGER`, or `less`. `None` if `PAGER` is empty or `cat`, or if the
    /// program cannot be started.
    ///
    /// An interrupt then no longer ends this process: the user interrupts what the pager does, and
    /// two programs must not read the terminal at once. This needs a tokio runtime.
    pub fn start() -> Option<Pager> {
        let mut command = match std::env::var_os("PAGER") {
            Some(pager) if pager.is_empty() || pager == "cat" => return None,
            Some(pager) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(pager);
                shell
            }
            None => Command::new("less"),
        };
        // F: no pager for what fits on the screen. R: colours. X: the text stays on the screen.
        // LESSSECURE: under sudo, less must not start other programs.
        for (name, value) in [("LESS", "FRX"), ("LV", "-c"), ("LESSSECURE", "1")] {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        let child = command.stdin(Stdio::piped()).spawn().ok()?;
        // If no handler can be installed, an interrupt ends this process as it does without a pager.
        let _ = signal(SignalKind::interrupt());
        Some(Pager { child })
    }

    /// Gives text to the pager. `BrokenPipe` if the user has left it.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match self.child.stdin.as_mut() {
            Some(stdin) => stdin.write_all(text.as_bytes()),
            None => Ok(()),
        }
    }

    /// Ends the text, and waits until the user has left the pager.
    pub fn wait(mut self) {
        drop(self.child.stdin.take());
        // The exit code of the pager says nothing about the text.
        let _ = self.child.wait();
    }
}
