//! The threads for standard output: one writes lines, one waits until the reader closes the pipe.
//!
//! Writing to a pipe blocks while its reader does not read. Only a thread that does nothing else is
//! blocked here, so that signals still end the program and the connection is still read.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::out;

/// The largest size, in bytes, of the lines that wait until they are due or until the reader reads.
/// The lines of two hours with two presses a second have this size.
const ROOM: usize = 64 << 20;
/// The bytes that a waiting line takes in addition to its text.
const OF_A_LINE: usize = 64;

/// Sends lines to the writer. When the sender is dropped, the writer still writes the lines that
/// are due, and then ends.
pub struct Lines(Arc<Queue>);

/// Reports when the writing has ended.
pub struct Writer {
    ends: UnboundedReceiver<io::Result<()>>,
}

/// The lines that wait, the oldest first.
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// The time from the sending of a line until it is due.
    delay: Duration,
    room: usize,
}

#[derive(Default)]
struct Waiting {
    lines: VecDeque<(Instant, String)>,
    bytes: usize,
    ended: bool,
    /// Whether it was reported that lines were left out.
    reported: bool,
}

impl Writer {
    /// Starts the threads, and returns the sender for the lines. Each line is written `delay` after
    /// it was sent.
    pub fn start(delay: Duration) -> io::Result<(Lines, Writer)> {
        let queue = Arc::new(Queue::new(delay, ROOM));
        let lines = Lines(Arc::clone(&queue));
        let (end, ends) = unbounded_channel();
        let reader_gone = end.clone();
        // Sending fails only if the program ends before its last lines are written.
        thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let _ = end.send(write(&queue));
        })?;
        thread::Builder::new().name("reader-gone".to_owned()).spawn(move || {
            if let Err(error) = wait_until_reader_gone() {
                let _ = reader_gone.send(Err(error));
            }
        })?;
        Ok((lines, Writer { ends }))
    }

    /// Waits until everything is written, writing has failed, or the reader has closed the pipe.
    pub async fn ended(&mut self) -> io::Result<()> {
        self.ends.recv().await.unwrap_or(Ok(()))
    }
}

impl Lines {
    /// Sends a line. If too many bytes wait, the oldest lines are left out, and that is reported
    /// once.
    pub fn send(&self, line: String) {
        if self.0.push(Instant::now(), line) {
            out::report(&format!(
                "clockctl: more than {} MiB of lines wait: the oldest are left out\n",
                ROOM >> 20
            ));
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

impl Queue {
    fn new(delay: Duration, room: usize) -> Queue {
        Queue { waiting: Mutex::default(), changed: Condvar::new(), delay, room }
    }

    /// Locks the lines. A poisoned lock is taken all the same: no thread panics while it holds it.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line that was sent at `now`. Returns `true` when lines are left out for the first
    /// time.
    fn push(&self, now: Instant, line: String) -> bool {
        let mut waiting = self.lock();
        waiting.bytes += line.len() + OF_A_LINE;
        waiting.lines.push_back((now + self.delay, line));
        let mut left_out = false;
        while waiting.bytes > self.room && waiting.lines.len() > 1 {
            waiting.pop();
            left_out = true;
        }
        let is_first = left_out && !waiting.reported;
        waiting.reported |= left_out;
        drop(waiting);
        self.changed.notify_all();
        is_first
    }

    /// Waits for the next line that is due. Returns `None` after the sender was dropped; lines that
    /// are not due yet are then never written.
    fn next(&self) -> Option<String> {
        let mut waiting = self.lock();
        loop {
            let now = Instant::now();
            let until = waiting.lines.front().map(|(due, _)| due.saturating_duration_since(now));
            waiting = match until {
                Some(Duration::ZERO) => return waiting.pop(),
                _ if waiting.ended => return None,
                Some(until) => {
                    let woken = self.changed.wait_timeout(waiting, until);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl Waiting {
    fn pop(&mut self) -> Option<String> {
        let (_, line) = self.lines.pop_front()?;
        self.bytes -= line.len() + OF_A_LINE;
        Some(line)
    }
}

fn write(queue: &Queue) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    while let Some(line) = queue.next() {
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{OF_A_LINE, Queue};

    fn line(number: u8) -> String {
        format!("{number:02}")
    }

    #[test]
    fn the_oldest_lines_are_left_out_when_there_is_no_room() {
        let queue = Queue::new(Duration::from_secs(60), 3 * (OF_A_LINE + 2));
        let now = Instant::now();
        let reports: Vec<bool> = (1..=6).map(|number| queue.push(now, line(number))).collect();
        assert_eq!(reports, [false, false, false, true, false, false]);
        let mut waiting = queue.lock();
        let left: Vec<String> = waiting.lines.iter().map(|(_, line)| line.clone()).collect();
        assert_eq!(left, ["04", "05", "06"]);
        while waiting.pop().is_some() {}
        assert_eq!(waiting.bytes, 0);
        drop(waiting);
        // A line longer than the room is still sent.
        queue.push(now, "x".repeat(1000));
        assert_eq!(queue.lock().lines.len(), 1);
    }

    #[test]
    fn what_is_due_is_written_before_the_end_and_what_is_not_due_never() {
        let queue = Queue::new(Duration::from_secs(60), 1000);
        let now = Instant::now();
        let Some(long_ago) = now.checked_sub(Duration::from_secs(60)) else { return };
        queue.push(long_ago, line(1));
        queue.push(now, line(2));
        queue.lock().ended = true;
        assert_eq!(queue.next().as_deref(), Some("01"));
        assert_eq!(queue.next(), None);
    }
}
