//! Writes messages for the journal to the standard error output.
//!
//! A write to a full pipe or socket blocks if nobody reads from it. So messages are queued, and a
//! separate thread writes them; the face never blocks. If the queue is full, messages are dropped
//! and counted.

use clock_engine::text::plain_system_errors;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many messages can wait until they are written.
const QUEUE: usize = 64;
/// The longest time that the program waits at its end for the last messages to be written.
const FINISH: Duration = Duration::from_millis(500);
/// The time between two attempts to put a message into a full queue when the program ends.
const LOOK: Duration = Duration::from_millis(10);

/// The queue of the messages. It is created with the first message; the value is `None` if the
/// thread that writes could not be started.
static QUEUED: OnceLock<Option<SyncSender<Item>>> = OnceLock::new();
static LOST: AtomicU64 = AtomicU64::new(0);
/// Whether `CLOCK_LOG` is `debug` or `trace`.
static DEBUG: AtomicBool = AtomicBool::new(false);

/// Reads the level from the environment variable `CLOCK_LOG`.
///
/// `debug` and `trace` turn the messages of [`debug`] on. `error`, `warn` and `info` (the default)
/// change nothing: the messages of [`report`] are written at every level. Any other text counts as
/// `info`, because the face must run in any case. That text is reported, unless the standard error
/// output is a terminal.
pub fn set_level() {
    let Some(level) = std::env::var_os("CLOCK_LOG") else { return };
    match level.to_string_lossy().to_ascii_lowercase().as_str() {
        "debug" | "trace" => DEBUG.store(true, Ordering::Relaxed),
        "error" | "warn" | "info" => {}
        other => {
            let other = other.escape_debug();
            report_beside_a_terminal(&format!(
                "CLOCK_LOG is \"{other:.40}\": expected error, warn, info, debug or trace; the \
                 level is info"
            ));
        }
    }
}

/// Queues a message that helps to find a fault, if `CLOCK_LOG` is `debug` or `trace` and the
/// standard error output is not a terminal.
pub fn debug(message: impl FnOnce() -> String) {
    if DEBUG.load(Ordering::Relaxed) {
        report_beside_a_terminal(&message());
    }
}

enum Item {
    Message(String),
    /// Asks the writing thread for an answer when it has written all earlier messages.
    Finish(SyncSender<()>),
}

/// Queues a message without blocking. If the queue is full, the message is dropped. If the thread
/// that writes could not be started, this function writes the message itself, which can block.
pub fn report(message: &str) {
    match QUEUED.get_or_init(|| start().ok()) {
        Some(queue) => {
            if queue.try_send(Item::Message(message.to_owned())).is_err() {
                LOST.fetch_add(1, Ordering::Relaxed);
            }
        }
        None => write(message),
    }
}

/// Like [`report`], but does nothing if the standard error output is a terminal, because the
/// message could appear in the middle of the face.
pub fn report_beside_a_terminal(message: &str) {
    if !io::stderr().is_terminal() {
        report(message);
    }
}

/// Queues the reason why the program ends, if there is one, and waits until all messages are
/// written. Waits for [`FINISH`] at most.
pub fn finish(reason: Option<&str>) {
    if reason.is_none() && QUEUED.get().is_none() {
        return;
    }
    let until = Instant::now() + FINISH;
    let Some(queue) = QUEUED.get_or_init(|| start().ok()) else {
        // There is no thread that writes, so this thread writes the message.
        reason.inspect(|reason| write(reason));
        return;
    };
    let (written, wait) = sync_channel(1);
    let reason = reason.map(|reason| Item::Message(reason.to_owned()));
    for item in reason.into_iter().chain([Item::Finish(written)]) {
        send_until(queue, item, until);
    }
    let _ = wait.recv_timeout(until.saturating_duration_since(Instant::now()));
}

/// Queues an item. While the queue is full, tries again until the instant `until`, and then drops
/// the item.
fn send_until(queue: &SyncSender<Item>, mut item: Item, until: Instant) {
    while let Err(TrySendError::Full(back)) = queue.try_send(item) {
        if Instant::now() >= until {
            return;
        }
        item = back;
        thread::sleep(LOOK);
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
            // Sending fails if the main thread no longer waits for the answer.
            Item::Finish(written) => drop(written.try_send(())),
        }
        match LOST.swap(0, Ordering::Relaxed) {
            0 => {}
            lost => write(&format!("{lost} messages were lost, because the log was not read")),
        }
    }
}

/// Writes a message, with the errors of the operating system in plain words. An error is ignored,
/// because it cannot be reported anywhere else.
fn write(message: &str) {
    let message = plain_system_errors(message);
    let _ = writeln!(io::stderr(), "clock-display: {message}");
}
