//! The threads for standard output: one writes lines, one waits until the reader closes the pipe.
//!
//! Writing to a pipe blocks while its reader does not read. Only a thread that does nothing else is
//! blocked here, so that signals still end the program and the connection is still read.

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

/// Reports when the writing has ended.
pub struct Writer {
    ends: UnboundedReceiver<io::Result<()>>,
}

impl Writer {
    /// Starts the threads, and returns the sender for the lines. After the sender was dropped, the
    /// writing ends with the last line.
    pub fn start() -> io::Result<(Sender<String>, Writer)> {
        let (sender, lines) = channel();
        let (end, ends) = unbounded_channel();
        let reader_gone = end.clone();
        // Sending fails only if the program ends before its last lines are written.
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

    /// Waits until everything is written, writing has failed, or the reader has closed the pipe.
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

/// Waits until the reader of a pipe has closed it, without writing: `clockctl watch | head -1` must
/// not wait for the next move. If standard output is a file, this never returns.
fn wait_until_reader_gone() -> io::Result<()> {
    let stdout = io::stdout();
    // No event is requested: `poll` reports an error and the closing of the other end in any case.
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Err(Errno::INTR) => {}
            Err(_) => return Ok(()),
            Ok(_) => return Err(ErrorKind::BrokenPipe.into()),
        }
    }
}
