//! Writing text and JSON to standard output: with colours if the reader wants them, and through a
//! pager if a verb asks for it. Also writing a text to a file.

use std::fs::{File, remove_file, rename};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use clap::ColorChoice;
use clock_engine::text::plain_system_errors;
use clockctl::record::json_text::escaped;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use crate::{failure::Failure, one_of_many};

/// Where the output goes.
enum Output {
    /// To standard output.
    Direct,
    /// To a pager, which the first text starts.
    ToPage,
    Paged(Pager),
}

static OUTPUT: Mutex<Output> = Mutex::new(Output::Direct);

fn output() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What `--color` says. It is set once, at the start.
static COLOUR: OnceLock<ColorChoice> = OnceLock::new();

/// Keeps what `--color` says for all output of this process.
pub fn choose_colour(choice: ColorChoice) {
    // A second call would be for the same command line.
    let _ = COLOUR.set(choice);
}

/// Whether text on this stream is painted. Without `--color` it is on a terminal, unless `NO_COLOR`
/// has a value (no-color.org) or the terminal is a dumb one.
pub fn is_coloured(stream: &impl IsTerminal) -> bool {
    match COLOUR.get() {
        Some(ColorChoice::Always) => true,
        Some(ColorChoice::Never) => false,
        Some(ColorChoice::Auto) | None => {
            let has_value = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            !one_of_many::is_here() && stream.is_terminal() && !is_dumb() && !has_value("NO_COLOR")
        }
    }
}

/// Whether the terminal understands no escape sequences.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// Moves the cursor of a terminal to the beginning of its line, and clears the line.
pub const CLEAR_LINE: &str = "\r\u{1b}[K";

/// Whether [`CLEAR_LINE`] works on standard error, so that a message there can replace the one before.
pub fn can_clear_line() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// The text as it is, or as `paint` paints it if standard output shows colours.
pub fn painted(text: String, paint: impl FnOnce(&str) -> String) -> String {
    if is_coloured(&io::stdout()) { paint(&text) } else { text }
}

/// From now on, text goes to the pager if standard output is a terminal. Without a pager it goes to
/// standard output itself.
///
/// Writing then needs a tokio runtime: see [`Pager::start`].
pub fn page() {
    if io::stdout().is_terminal() && !one_of_many::is_here() {
        *output() = Output::ToPage;
    }
}

/// Waits until the user has left the pager, if there is one. Messages on standard error come after
/// this.
pub fn end_page() {
    let ended = std::mem::replace(&mut *output(), Output::Direct);
    if let Output::Paged(pager) = ended {
        pager.wait();
    }
}

/// Writes text to standard output. The caller includes the line end.
///
/// If the reader has closed the pipe, `print` returns no error: the reader needs no more text. In
/// a run on one board of many, the text is kept and not printed.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_while_read(text).map(|_reader| ())
}

/// Writes text to standard error, with the errors of the operating system in plain words. The caller
/// includes the line end.
///
/// If standard error cannot be written, for example because the terminal has gone away, the text is
/// lost, and the exit code still says how the run ended. `eprintln!` would panic.
pub fn report(text: &str) {
    let _ = io::stderr().lock().write_all(plain_system_errors(text).as_bytes());
}

/// Whether there still is a reader of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The text was written.
    Present,
    /// The other end of the pipe was closed, so nothing that follows will be read.
    Gone,
}

/// Writes text as [`print`] does. Also returns whether there still is a reader, for a caller that
/// can stop if there is none.
pub fn print_while_read(text: &str) -> anyhow::Result<Reader> {
    match one_of_many::print(text).unwrap_or_else(|| print_here(text)) {
        Ok(()) => Ok(Reader::Present),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::Output(error).into()),
    }
}

fn print_here(text: &str) -> io::Result<()> {
    let mut output = output();
    if matches!(*output, Output::ToPage) {
        *output = Pager::start().map_or(Output::Direct, Output::Paged);
    }
    match &mut *output {
        Output::Paged(pager) => pager.write(text),
        Output::Direct | Output::ToPage => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
        }
    }
}

/// Writes one JSON object as one line.
pub fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print(&json_line(object)?)
}

/// One JSON object as one line, with its line end. Characters of names and reasons that could
/// change what a terminal shows are escaped.
pub fn json_line(object: &impl Serialize) -> anyhow::Result<String> {
    let mut line = escaped(&serde_json::to_string(object)?);
    line.push('\n');
    Ok(line)
}

/// The failure for a file that is not overwritten.
pub fn exists_already(path: &Path) -> Failure {
    let why =
        format!("{}: it exists already; give another name, or remove it first", path.display());
    Failure::Output(io::Error::new(ErrorKind::AlreadyExists, why))
}

/// Writes a file that does not exist yet, and removes it again if an error leaves it incomplete: a
/// file with only a part of the text must not be taken for the whole text. Waits until the file is
/// on the medium, which may be a memory stick that is pulled out right afterwards.
pub fn write_new(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        let why = match error.kind() {
            ErrorKind::AlreadyExists => return exists_already(path),
            _ => error.to_string(),
        };
        Failure::Output(io::Error::new(error.kind(), format!("{}: {why}", path.display())))
    };
    let mut file = File::options().write(true).create_new(true).open(path).map_err(failed)?;
    let written = file.write_all(text.as_ref()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        let _ = remove_file(path);
        failed(error)
    })
}

/// Replaces a file as a whole: whenever the power fails, the path has the old text or the new one.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut new = path.to_owned().into_os_string();
    new.push(".new");
    write_new(Path::new(&new), text)?;
    rename(&new, path).map_err(|error| {
        let _ = remove_file(&new);
        Failure::Output(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    })
}

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
