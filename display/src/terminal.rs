//! The terminal: its set-up, what is painted on it, and its restoration.
//!
//! A write to a terminal blocks while nobody reads it, for example on a dead SSH connection, perhaps for ever. What is painted is
//! therefore collected and written in a thread of its own, one picture at a time.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::os::fd::AsFd;
use std::panic;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{LeaveAlternateScreen, disable_raw_mode};
use ratatui::{Frame, Terminal};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use crate::pending::or_never;

/// How long the end of the program waits for a terminal that does not read.
const PATIENCE: Duration = Duration::from_millis(500);

/// The terminal that the face is painted on.
pub struct Output {
    terminal: Terminal<CrosstermBackend<Collected>>,
    collected: Collected,
    /// The standard output without its lock, which a write that waits would keep.
    file: Arc<File>,
    /// The picture that is being written.
    writing: Option<JoinHandle<io::Result<()>>>,
}

impl Output {
    /// Sets the terminal up. After a panic, a hook restores it, as far as it reads.
    pub fn start() -> anyhow::Result<Output> {
        if !io::stdout().is_terminal() {
            bail!("no terminal: the standard output is not a terminal to show the clock on");
        }
        Output::set_up()
            .inspect_err(|_| ratatui::restore())
            .context("no terminal: it cannot be set up")
    }

    fn set_up() -> io::Result<Output> {
        let file = Arc::new(File::from(io::stdout().as_fd().try_clone_to_owned()?));
        // Its own terminal is not used, because that waits in each write.
        ratatui::try_init()?;
        // The hook that ratatui sets leaves the cursor hidden.
        let restore = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let _ = execute!(io::stdout(), Show);
            restore(panic);
        }));
        let collected = Collected::default();
        let terminal = Terminal::new(CrosstermBackend::new(collected.clone()))?;
        Ok(Output { terminal, collected, file, writing: None })
    }

    /// Whether the terminal has not yet taken the last picture. Until then nothing can be painted.
    pub fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// Paints and begins to write it: what has changed, or `everything` if it is not known what the terminal shows.
    pub fn paint(&mut self, everything: bool, paint: impl FnOnce(&mut Frame)) -> io::Result<()> {
        if everything {
            let size = self.terminal.size()?;
            self.terminal.resize(size.into())?;
        }
        self.terminal.draw(paint)?;
        self.write();
        Ok(())
    }

    /// Waits until the last picture is written; for ever if it is already. It can be cancelled at any time.
    pub async fn written(&mut self) -> io::Result<()> {
        let outcome = or_never(&mut self.writing).await;
        self.writing = None;
        outcome?
    }

    /// Restores the terminal, as far as it reads within 0.5 s. One that takes longer for the last picture, such as a
    /// serial line, keeps a part of that picture.
    pub async fn restore(mut self) {
        let _ = timeout(PATIENCE, self.leave()).await;
        // This does not wait for the terminal.
        let _ = disable_raw_mode();
    }

    async fn leave(&mut self) -> io::Result<()> {
        if self.is_writing() {
            self.written().await?;
        }
        self.terminal.show_cursor()?;
        execute!(self.collected, LeaveAlternateScreen)?;
        self.write();
        self.written().await
    }

    fn write(&mut self) {
        let bytes = mem::take(&mut *self.collected.0.borrow_mut());
        let file = Arc::clone(&self.file);
        self.writing = Some(spawn_blocking(move || (&*file).write_all(&bytes)));
    }
}

/// What was painted and is not being written yet.
#[derive(Clone, Default)]
struct Collected(Rc<RefCell<Vec<u8>>>);

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
