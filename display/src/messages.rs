//! Messages for the journal, on the standard error output.
//!
//! To write there waits while nobody reads a full pipe or socket. A thread of its own therefore writes, behind a bounded
//! queue, and the face goes on. If the queue is full, messages are dropped and counted.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// How many messages can wait to be written.
const QUEUE: usize = 64;
/// How long the end of the program waits for the last messages to be written.
const FINISH: Duration = Duration::from_millis(500);

/// The queue, once there was a message; `None` if its thread could not be started.
static QUEUED: OnceLock<Option<SyncSender<Item>>> = OnceLock::new();
static LOST: AtomicU64 = AtomicU64::new(0);

enum Item {
    Message(String),
    /// Answered when all earlier messages are written.
    Finish(SyncSender<()>),
}

/// Writes a message. A journal that does not take it neither ends nor delays the face.
pub fn report(message: &str) {
    match QUEUED.get_or_init(|| start().ok()) {
        Some(queue) => {
            if queue.try_send(Item::Message(message.to_owned())).is_err() {
                LOST.fetch_add(1, Ordering::Relaxed);
            }
        }
        // Why the program ends must be said without a thread, too.
        None => write(message),
    }
}

/// The same beside a face in a terminal, which a message on that terminal would damage.
pub fn report_beside_a_terminal(message: &str) {
    if !io::stderr().is_terminal() {
        report(message);
    }
}

/// Waits until all messages are written, for [`FINISH`] at most.
pub fn finish() {
    let (written, wait) = sync_channel(1);
    if let Some(Some(queue)) = QUEUED.get()
        && queue.try_send(Item::Finish(written)).is_ok()
    {
        let _ = wait.recv_timeout(FINISH);
    }
}

fn start() -> io::Result<SyncSender<Item>> {
    let (queue, items) = sync_channel(QUEUE);
    thread::Builder::new().name("log".into()).spawn(move || write_all(&items))?;
    Ok(queue)
}

fn write_all(items: &Receiver<Item>) {
    while let Ok(item) = items.recv() {
        match item {
            Item::Message(message) => write(&message),
            // The end of the program may have stopped waiting.
            Item::Finish(written) => drop(written.try_send(())),
        }
        match LOST.swap(0, Ordering::Relaxed) {
            0 => {}
            lost => write(&format!("{lost} messages were lost, because the log was not read")),
        }
    }
}

/// An error is ignored: there is nowhere to report that the log itself cannot be written.
fn write(message: &str) {
    let _ = writeln!(io::stderr(), "clock-display: {message}");
}
