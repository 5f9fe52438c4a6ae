//! Writes messages for the journal to the standard error output.
//!
//! A write to a full pipe or socket blocks if nobody reads from it. So messages are queued, and a
//! separate thread writes them; the face never blocks. If the queue is full, messages are dropped
//! and counted.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many messages can wait until they are written.
const QUEUE: usize = 64;
/// How long the program waits at its end until the last messages are written.
const FINISH: Duration = Duration::from_millis(500);
/// How often the program tries at its end to put a message into a full queue.
const LOOK: Duration = Duration::from_millis(10);

/// The queue. It is created with the first message; the value is `None` if the thread could not be
/// started.
static QUEUED: OnceLock<Option<SyncSender<Item>>> = OnceLock::new();
static LOST: AtomicU64 = AtomicU64::new(0);
/// Whether `CLOCK_LOG` is `debug` or `trace`.
static DEBUG: AtomicBool = AtomicBool::new(false);

/// Takes the level from the environment variable `CLOCK_LOG`: `error`, `warn`, `info` (the
/// default), `debug` or `trace`. All messages of the face are warnings or errors, except those of
/// [`debug`]. A wrong level is reported and counts as `info`, because the face must run in any
/// case.
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

/// Queues a message that helps to find a fault, if `CLOCK_LOG` is `debug` or `trace`.
pub fn debug(message: impl FnOnce() -> String) {
    if DEBUG.load(Ordering::Relaxed) {
        report_beside_a_terminal(&message());
    }
}

enum Item {
    Message(String),
    /// Asks the thread to answer when it has written all earlier messages.
    Finish(SyncSender<()>),
}

/// Queues a message. Never blocks: if the queue is full, the message is dropped. If the thread
/// could not be started, the message is written here.
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

/// Like [`report`], but not if the message would appear on the terminal that shows the face.
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
        // There is no thread, so the message is written here.
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

/// Queues an item. If the queue is full, tries again until this instant, and then drops the item.
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

/// Writes a message. An error is ignored, because it cannot be reported anywhere else.
fn write(message: &str) {
    let _ = writeln!(io::stderr(), "clock-display: {message}");
}
