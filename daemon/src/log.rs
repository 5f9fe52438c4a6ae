//! Writes the log: to the journal with fields under systemd, and as lines to standard error
//! elsewhere.
//!
//! tracing's own bridge to `log` puts the fields into the message text. So this module has its own
//! subscriber, which keeps the fields separate. The subscriber ignores spans, which only the
//! libraries use. Writing to the journal's socket blocks while journald does not read. Therefore a
//! separate thread takes the lines from a bounded queue and writes them. When the queue is full,
//! lines are dropped and counted.
//!
//! The environment variable `CLOCK_LOG` sets the least important level that is logged ([`level`]).

use clock_engine::text::plain_system_errors;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;
use systemd_journal_logger::{JournalLog, connected_to_journal};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// How many lines can wait for a slow journal. The queue takes memory only for the lines that wait.
const QUEUE: usize = 1024;

/// The longest time for which the program, when it ends, waits until the last lines are written.
const FINISH: Duration = Duration::from_secs(1);

static LOST: AtomicU64 = AtomicU64::new(0);
static QUEUE_IN: OnceLock<Sender<Item>> = OnceLock::new();

enum Item {
    Line(LogLine),
    /// The sender gets an answer when all earlier lines are written.
    Finish(SyncSender<()>),
}

/// The least important level that is logged: `error`, `warn`, `info` (the default), `debug` or
/// `trace`, from the environment variable `CLOCK_LOG`. With `debug` and `trace`, the lines of the
/// libraries are logged too, such as the messages that zbus sends and receives.
fn level() -> Result<Level, String> {
    match std::env::var_os("CLOCK_LOG") {
        None => Ok(Level::INFO),
        Some(text) => level_of(&text.to_string_lossy()),
    }
}

/// The level of this name, in upper or lower case. Any other text is an error; its message repeats
/// the text and lists the accepted names.
fn level_of(text: &str) -> Result<Level, String> {
    [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE]
        .into_iter()
        .find(|level| level.as_str().eq_ignore_ascii_case(text))
        .ok_or_else(|| {
            let text = text.escape_debug();
            format!("CLOCK_LOG is \"{text:.40}\": expected error, warn, info, debug or trace")
        })
}

/// Writes what is logged from now on to the journal or to standard error. With a wrong level in
/// `CLOCK_LOG`, the level is `info`, and an error is logged. A wrong level does not stop the
/// program, because the players need the clock.
///
/// # Errors
///
/// The journal's socket or the thread that writes the log cannot be created.
pub fn start() -> std::io::Result<()> {
    let level = level();
    let (lines, queue) = channel(QUEUE);
    let journal = if connected_to_journal() {
        Some(JournalLog::new()?.with_syslog_identifier("clockd".to_owned()))
    } else {
        None
    };
    std::thread::Builder::new()
        .name("log".into())
        .spawn(move || write_all(queue, journal.as_ref()))?;
    let subscriber =
        QueueSubscriber { lines: lines.clone(), level: *level.as_ref().unwrap_or(&Level::INFO) };
    // Only main starts the log, and only once, so this cannot fail.
    let _ = QUEUE_IN.set(lines);
    let _ = tracing::subscriber::set_global_default(subscriber);
    if let Err(wrong) = level {
        tracing::error!("{wrong}; the level is info");
    }
    Ok(())
}

/// Waits until everything that was logged is written, for [`FINISH`] at most. Does not wait if the
/// queue is full.
pub fn finish() {
    let (done, wait) = sync_channel(1);
    if let Some(queue) = QUEUE_IN.get()
        && queue.try_send(Item::Finish(done)).is_ok()
    {
        // A journald that does not read must not keep the program from ending.
        let _ = wait.recv_timeout(FINISH);
    }
}

/// The text with escapes for control characters, and for characters that change the direction of
/// writing or are not visible. Such characters can come from a configuration or a client, and could
/// make a terminal show something else than what is logged.
pub fn escaped(text: &str) -> String {
    const PRINTED: [char; 3] = ['"', '\'', '\\'];
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(PRINTED) {
        let before = piece.trim_end_matches(PRINTED);
        out.extend(before.escape_debug());
        out.push_str(&piece[before.len()..]);
    }
    out
}

struct LogLine {
    level: Level,
    target: &'static str,
    message: String,
    fields: Vec<(&'static str, String)>,
}

struct QueueSubscriber {
    lines: Sender<Item>,
    level: Level,
}

impl Subscriber for QueueSubscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let wants_libraries = self.level >= Level::DEBUG;
        *metadata.level() <= self.level
            && (wants_libraries || metadata.target().starts_with("clockd"))
    }

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut line = LogLine {
            level: *metadata.level(),
            target: metadata.target(),
            message: String::new(),
            fields: Vec::new(),
        };
        event.record(&mut line);
        if self.lines.try_send(Item::Line(line)).is_err() {
            LOST.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        // All spans have one number, because nothing is kept of them.
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl LogLine {
    fn add(&mut self, field: &Field, value: String) {
        if field.name() == "message" {
            self.message = escaped(&value);
        } else {
            self.fields.push((field.name(), value));
        }
    }

    /// Replaces the words of the operating system by plain ones. The thread that writes the log does
    /// this, so it costs no other thread anything.
    fn say_plainly(&mut self) {
        self.message = plain_system_errors(&self.message);
        for (_, value) in &mut self.fields {
            *value = plain_system_errors(value);
        }
    }
}

impl Visit for LogLine {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format!("{value:?}"));
    }
}

fn write_all(mut queue: Receiver<Item>, journal: Option<&JournalLog>) {
    while let Some(item) = queue.blocking_recv() {
        match item {
            Item::Line(mut line) => {
                line.say_plainly();
                write(&line, journal);
            }
            // Sending fails if the caller has stopped waiting.
            Item::Finish(done) => drop(done.try_send(())),
        }
        let lost = LOST.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let lost = LogLine {
                level: Level::WARN,
                target: module_path!(),
                message: "log lines were lost: the journal is too slow".to_owned(),
                fields: vec![("lost", lost.to_string())],
            };
            write(&lost, journal);
        }
    }
}

/// Writes a line. An error is ignored, because it could be reported only in the log itself.
fn write(line: &LogLine, journal: Option<&JournalLog>) {
    let _ = match journal {
        Some(journal) => to_journal(line, journal),
        None => to_stderr(line),
    };
}

fn to_journal(line: &LogLine, journal: &JournalLog) -> std::io::Result<()> {
    let level = match line.level {
        Level::ERROR => log::Level::Error,
        Level::WARN => log::Level::Warn,
        Level::INFO => log::Level::Info,
        Level::DEBUG => log::Level::Debug,
        Level::TRACE => log::Level::Trace,
    };
    let fields: Vec<(&str, String)> =
        line.fields.iter().map(|(key, value)| (*key, escaped(value))).collect();
    let fields: Vec<(&str, log::kv::Value<'_>)> =
        fields.iter().map(|(key, value)| (*key, value.as_str().into())).collect();
    let fields = fields.as_slice();
    journal.journal_send(
        &log::Record::builder()
            .level(level)
            .target(line.target)
            .args(format_args!("{}", line.message))
            .key_values(&fields)
            .build(),
    )
}

fn to_stderr(line: &LogLine) -> std::io::Result<()> {
    let mut text = format!("clockd: {}", line.message);
    if line.level != Level::INFO {
        text = format!("clockd: {}: {}", line.level.as_str().to_lowercase(), line.message);
    }
    for (key, value) in &line.fields {
        if *key != "message_id" && !value.is_empty() {
            // A line break in a value must not look like the start of another line of the log.
            let _ = write!(text, " {key}={}", value.escape_debug());
        }
    }
    writeln!(std::io::stderr(), "{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_the_rest_is_not() {
        let printed = "`Grünfeld's \"5+3\"` \\ a\u{301} 棋 👑";
        assert_eq!(escaped(printed), printed);
        let obeyed = "\u{1b}[2Jx\u{202e}y\nz\u{200b}\u{9b}";
        assert_eq!(escaped(obeyed), "\\u{1b}[2Jx\\u{202e}y\\nz\\u{200b}\\u{9b}");
    }

    #[test]
    fn an_error_of_the_system_is_said_in_plain_words() {
        let error = std::io::Error::from_raw_os_error(2);
        let mut line = LogLine {
            level: Level::WARN,
            target: "clockd",
            message: format!("cannot read the file: {error}"),
            fields: vec![("reason", error.to_string()), ("revision", "3".to_owned())],
        };
        line.say_plainly();
        assert_eq!(line.message, "cannot read the file: there is no such file");
        let fields = [("reason", "there is no such file".to_owned()), ("revision", "3".to_owned())];
        assert_eq!(line.fields, fields);
    }

    #[test]
    fn a_level_is_one_of_five_words() {
        assert_eq!(level_of("warn"), Ok(Level::WARN));
        assert_eq!(level_of("TRACE"), Ok(Level::TRACE));
        for wrong in ["", "5", "warning", "clockd=debug"] {
            let expected =
                format!("CLOCK_LOG is \"{wrong}\": expected error, warn, info, debug or trace");
            assert_eq!(level_of(wrong), Err(expected));
        }
    }
}
