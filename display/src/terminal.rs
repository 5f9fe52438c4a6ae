//! Sets up the terminal, paints on it, and restores it.
//!
//! A write to a terminal blocks while nobody reads from its other end, possibly for ever, for
//! example if an SSH connection is lost. So the bytes of each picture are collected in memory, and
//! a separate thread writes them.

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

/// The longest time that the program waits at its end for the terminal to accept the last bytes.
const PATIENCE: Duration = Duration::from_millis(500);

/// The terminal on which the face is painted.
pub struct Output {
    terminal: Terminal<CrosstermBackend<Collected>>,
    collected: Collected,
    /// The standard output, without the lock of `std::io::Stdout`. A blocked write would hold that
    /// lock, and every other use of the standard output would block too.
    file: Arc<File>,
    /// The picture that is being written.
    writing: Option<JoinHandle<io::Result<()>>>,
}

impl Output {
    /// Sets the terminal up. If the program panics, a panic hook restores the terminal.
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
        // `try_init` sets the mode of the terminal. The `Terminal` that it returns is not used,
        // because each of its writes can block.
        ratatui::try_init()?;
        // The panic hook of ratatui does not show the cursor again. So this panic hook shows the
        // cursor, and then calls that of ratatui.
        let restore = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let _ = execute!(io::stdout(), Show);
            restore(panic);
        }));
        let collected = Collected::default();
        let terminal = Terminal::new(CrosstermBackend::new(collected.clone()))?;
        Ok(Output { terminal, collected, file, writing: None })
    }

    /// Whether the last picture is still being written. While it is, the caller must not call
    /// [`Output::paint`].
    pub fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// Paints a picture and starts to write it. If `everything` is `false`, only the cells that
    /// have changed are written. If it is `true`, all cells are written; the caller needs this if
    /// it does not know what the terminal shows.
    pub fn paint(&mut self, everything: bool, paint: impl FnOnce(&mut Frame)) -> io::Result<()> {
        if everything {
            let size = self.terminal.size()?;
            self.terminal.resize(size.into())?;
        }
        self.terminal.draw(paint)?;
        self.write();
        Ok(())
    }

    /// Waits until the last picture has been written; for ever if no picture is being written. The
    /// future can be dropped at any time.
    pub async fn written(&mut self) -> io::Result<()> {
        let outcome = or_never(&mut self.writing).await;
        self.writing = None;
        outcome?
    }

    /// Restores the terminal. If the terminal does not accept the rest of the last picture within
    /// [`PATIENCE`], for example on a slow serial line, only its input mode is restored, and a part
    /// of the picture remains.
    pub async fn restore(mut self) {
        let _ = timeout(PATIENCE, self.leave()).await;
        // `disable_raw_mode` changes the mode in the kernel and cannot block.
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

/// Collects the bytes of a picture until the thread that writes takes them.
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
