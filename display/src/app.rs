//! The loop: what is known, what is shown, and when to look again.

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
use crate::demo::Demo;
use crate::link::{self, Link};
use crate::paint::{Look, Screen, paint};
use crate::terminal::{Input, read_inputs};
use crate::tick::{monotonic_now, next_change};
use crate::view::View;

/// Shows the clock on `terminal` until the user or a signal ends it.
pub fn run(args: &Args, address: Address, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime does not start")?;
    let outcome = runtime.block_on(async { Face::start(args, address, terminal)?.show().await });
    // Nothing left to wait for: what the tasks hold is the kernel's to close.
    runtime.shutdown_background();
    outcome
}

struct Face<'a> {
    terminal: &'a mut DefaultTerminal,
    look: Look,
    link: watch::Receiver<Link>,
    inputs: mpsc::Receiver<Input>,
    ends: Ends,
    demo: Option<Demo>,
    /// What the terminal shows; `None` if that is not known.
    painted: Option<Screen>,
}

impl<'a> Face<'a> {
    fn start(
        args: &Args,
        address: Address,
        terminal: &'a mut DefaultTerminal,
    ) -> anyhow::Result<Face<'a>> {
        let bus = address.to_string();
        let (sender, link) = watch::channel(Link::Away);
        tokio::spawn(link::follow(address, sender));
        Ok(Face {
            terminal,
            look: Look::from_env(|name| std::env::var(name).ok()),
            link,
            inputs: read_inputs().context("no thread to read the keys")?,
            ends: Ends::new().context("no signal handlers")?,
            demo: args.demo.clone().map(|socket| Demo::start(socket, bus)),
            painted: None,
        })
    }

    async fn show(mut self) -> anyhow::Result<()> {
        loop {
            let change = self.refresh().context("the terminal went away")?;
            tokio::select! {
                () = self.ends.recv() => return Ok(()),
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

    /// Paints what holds now if it is not what is shown; says when that will change by itself.
    fn refresh(&mut self) -> io::Result<Option<u64>> {
        let (view, change) = match &*self.link.borrow_and_update() {
            Link::Away => (View::NoService, None),
            Link::Up(up) => {
                let shown = up.state.at(monotonic_now());
                (View::of(&shown), next_change(&shown))
            }
        };
        let demo = self.demo.as_ref().map(|demo| demo.line().clone());
        let screen = Screen { view, demo };
        if self.painted.as_ref() != Some(&screen) {
            self.terminal.draw(|frame| paint(frame, &screen, self.look))?;
            self.painted = Some(screen);
        }
        Ok(change)
    }
}

/// Sleeps until an instant of `CLOCK_MONOTONIC`; for ever without one.
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

/// The signals that end the program in good order.
struct Ends {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
}

impl Ends {
    fn new() -> io::Result<Ends> {
        Ok(Ends {
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
