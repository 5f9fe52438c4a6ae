//! The main loop of the face in a terminal. It paints when the content of the face, the texts of
//! the demonstration (`--demo`) or the size of the terminal has changed. It passes the keys to the
//! demonstration, and ends on `q`, Ctrl-C or a signal.

use std::io;

use anyhow::Context;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};
use zbus::Address;

use crate::cli::Args;
use crate::config::Config;
use crate::console_font::Font;
use crate::demo::{Demo, Hint};
use crate::devices::Devices;
use crate::keys::{Input, read_inputs};
use crate::link::{self, Link};
use crate::messages;
use crate::paint::{Screen, Theme, paint};
use crate::presenter::Presenter;
use crate::terminal::Output;

/// Shows the clock in the terminal until the user quits or a signal arrives.
pub fn run(args: &Args, config: &Config, address: Address) -> anyhow::Result<()> {
    block_on(async {
        let mut terminal = Output::start()?;
        let outcome = match Face::start(args, config, address, &mut terminal) {
            Ok(face) => face.show().await,
            Err(error) => Err(error),
        };
        terminal.restore().await;
        outcome
    })
}

/// Runs `work` on this thread, and returns its result. Tasks and other threads may still run at that time.
/// The function does not wait for them, because the thread that writes to the terminal never ends if nobody
/// reads from the terminal. The kernel closes the files when the program ends.
pub fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime does not start")?;
    let outcome = runtime.block_on(work);
    runtime.shutdown_background();
    outcome
}

const GONE: &str = "the terminal went away";

struct Face<'a> {
    terminal: &'a mut Output,
    theme: Theme,
    presenter: Presenter,
    inputs: mpsc::Receiver<Input>,
    stop: StopSignals,
    demo: Option<Demo>,
    _devices: Devices,
    /// What was painted last; `None` before the first picture, and after the size of the terminal
    /// has changed.
    painted: Option<Screen>,
}

impl<'a> Face<'a> {
    fn start(
        args: &Args,
        config: &Config,
        address: Address,
        terminal: &'a mut Output,
    ) -> anyhow::Result<Face<'a>> {
        let (sender, link) = watch::channel(Link::Down(None));
        tokio::spawn(link::follow(address, sender));
        Ok(Face {
            _devices: Devices::start(config, link.clone(), messages::report_beside_a_terminal)?,
            terminal,
            theme: Theme::from_env(
                |name| std::env::var(name).ok(),
                || Font::of_console(io::stdout()).ok(),
            ),
            presenter: Presenter::new(link, config.language, config.low_time),
            inputs: read_inputs().context("no thread to read the keys")?,
            stop: StopSignals::new().context("no signal handlers")?,
            demo: args.demo.clone().map(|socket| Demo::start(socket, Hint::new(args.bus.as_ref()))),
            painted: None,
        })
    }

    async fn show(mut self) -> anyhow::Result<()> {
        loop {
            self.refresh().context(GONE)?;
            tokio::select! {
                () = self.stop.recv() => return Ok(()),
                Some(input) = self.inputs.recv() => match input {
                    Input::Quit => return Ok(()),
                    Input::Resize => self.painted = None,
                    Input::Key(key) => if let Some(demo) = &mut self.demo {
                        demo.key(key, &self.presenter.link());
                    },
                },
                written = self.terminal.written() => written.context(GONE)?,
                changed = self.presenter.changed() => changed?,
                () = demo_changed(self.demo.as_mut()) => {}
            }
        }
    }

    /// Paints the present content and the texts of the demonstration, unless the terminal shows
    /// both already. Paints nothing while the last picture is still being written, because the main
    /// loop must not block: it also waits for signals and keys.
    fn refresh(&mut self) -> io::Result<()> {
        let demo = self.demo.as_ref().map(|demo| demo.line().clone());
        let screen = Screen { content: self.presenter.content(), demo };
        if !self.terminal.is_writing() && self.painted.as_ref() != Some(&screen) {
            let everything = self.painted.is_none();
            self.terminal.paint(everything, |frame| paint(frame, &screen, self.theme))?;
            self.painted = Some(screen);
        }
        Ok(())
    }
}

async fn demo_changed(demo: Option<&mut Demo>) {
    match demo {
        Some(demo) => demo.changed().await,
        None => std::future::pending().await,
    }
}

/// SIGTERM, SIGHUP and SIGINT. On each of them the program restores the terminal or the screen, and
/// ends.
pub struct StopSignals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
}

impl StopSignals {
    pub fn new() -> io::Result<StopSignals> {
        Ok(StopSignals {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    pub async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
