//! The threads of standard output: one writes lines, one notices that nobody reads any more.
//!
//! A pipe whose reader stands still blocks whoever writes to it. Here that is a thread which has
//! nothing else to do: signals are still obeyed and the connection is still read.

use std::{
    io::{self, ErrorKind, Write},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The end of the writing, from the outside.
pub struct Writer {
    ends: UnboundedReceiver<io::Result<()>>,
}

impl Writer {
    /// Starts to write; the writing ends after the last line once the sender is gone.
    pub fn start() -> io::Result<(Sender<String>, Writer)> {
        let (sender, lines) = channel();
        let (end, ends) = unbounded_channel();
        let reader_gone = end.clone();
        // Nobody listens any more when the program ends without its last lines.
        thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let _ = end.send(write(&lines));
        })?;
        thread::Builder::new().name("reader-gone".to_owned()).spawn(move || {
            if let Err(error) = wait_until_reader_gone() {
                let _ = reader_gone.send(Err(error));
            }
        })?;
        Ok((sender, Writer { ends }))
    }

    /// Waits until all is written, writing failed, or the reader has gone.
    pub async fn ended(&mut self) -> io::Result<()> {
        self.ends.recv().await.unwrap_or(Ok(()))
    }
}

fn write(lines: &Receiver<String>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for line in lines {
        stdout.write_all(line.as_bytes())?;
        stdout.flush()?;
    }
    Ok(())
}

/// A pipe says that its reader has gone before anything is written to it: a quiet game must not
/// keep `clockctl watch | head -1` waiting for the next move. A file waits for ever here.
fn wait_until_reader_gone() -> io::Result<()> {
    let stdout = io::stdout();
    // No flag is asked for: an error or the end of the other side are told in any case.
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Err(Errno::INTR) => {}
            Err(_) => return Ok(()),
            Ok(_) => return Err(ErrorKind::BrokenPipe.into()),
        }
    }
}
