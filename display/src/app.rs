//! The main loop: it waits for a change of the clock, a key, or the instant at which a text changes,
//! and paints.

use std::io;
use std::time::Duration;

use anyhow::Context;
use ratatui::DefaultTerminal;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;
use zbus::Address;

use crate::cli::Args;
use crate::content::Content;
use crate::demo::{Demo, Hint};
use crate::link::{self, Link};
use crate::next_change::{monotonic_now, next_change};
use crate::paint::{Screen, Theme, paint};
use crate::terminal::{Input, read_inputs};

/// Shows the clock on `terminal` until the user quits or a signal arrives.
pub fn run(args: &Args, address: Address, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime does not start")?;
    let outcome = runtime.block_on(async { Face::start(args, address, terminal)?.show().await });
    // The tasks need not end first; the kernel closes what they have open.
    runtime.shutdown_background();
    outcome
}

struct Face<'a> {
    terminal: &'a mut DefaultTerminal,
    theme: Theme,
    link: watch::Receiver<Link>,
    inputs: mpsc::Receiver<Input>,
    stop: StopSignals,
    demo: Option<Demo>,
    /// What is on the terminal; `None` if that is not known.
    painted: Option<Screen>,
}

impl<'a> Face<'a> {
    fn start(
        args: &Args,
        address: Address,
        terminal: &'a mut DefaultTerminal,
    ) -> anyhow::Result<Face<'a>> {
        let (sender, link) = watch::channel(Link::Down);
        tokio::spawn(link::follow(address, sender));
        Ok(Face {
            terminal,
            theme: Theme::from_env(|name| std::env::var(name).ok()),
            link,
            inputs: read_inputs().context("no thread to read the keys")?,
            stop: StopSignals::new().context("no signal handlers")?,
            demo: args.demo.clone().map(|socket| Demo::start(socket, Hint::new(args.bus.as_ref()))),
            painted: None,
        })
    }

    async fn show(mut self) -> anyhow::Result<()> {
        loop {
            let change = self.refresh().context("the terminal went away")?;
            tokio::select! {
                () = self.stop.recv() => return Ok(()),
                Some(input) = self.inputs.recv() => match input {
                    Input::Quit => return Ok(()),
                    Input::Resize => self.painted = None,
                    Input::Key(key) => if let Some(demo) = &mut self.demo {
                        demo.key(key, &self.link.borrow());
                    },
                },
                link = self.link.changed() => link.context("the bus is no longer followed")?,
                () = sleep_until(change) => {}
                () = demo_changed(self.demo.as_mut()) => {}
            }
        }
    }

    /// Paints the present content unless it is on the terminal already. Returns when the content
    /// changes next by itself.
    fn refresh(&mut self) -> io::Result<Option<u64>> {
        let (content, change) = match &*self.link.borrow_and_update() {
            Link::Down => (Content::NoService, None),
            Link::Up(up) => {
                let shown = up.state.at(monotonic_now());
                (Content::of(&shown, up.rules), next_change(&shown))
            }
        };
        let demo = self.demo.as_ref().map(|demo| demo.line().clone());
        let screen = Screen { content, demo };
        if self.painted.as_ref() != Some(&screen) {
            self.terminal.draw(|frame| paint(frame, &screen, self.theme))?;
            self.painted = Some(screen);
        }
        Ok(change)
    }
}

/// Sleeps until an instant of `CLOCK_MONOTONIC`, or for ever if there is none.
async fn sleep_until(instant: Option<u64>) {
    match instant {
        Some(instant) => {
            sleep(Duration::from_nanos(instant.saturating_sub(monotonic_now()))).await;
        }
        None => std::future::pending().await,
    }
}

async fn demo_changed(demo: Option<&mut Demo>) {
    match demo {
        Some(demo) => demo.changed().await,
        None => std::future::pending().await,
    }
}

/// The signals after which the program restores the terminal and ends.
struct StopSignals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn new() -> io::Result<StopSignals> {
        Ok(StopSignals {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
