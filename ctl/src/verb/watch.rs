//! `clockctl watch`: every change, as it comes, until interrupted.

mod feed;
mod view;
mod writer;

use std::{
    io::{self, ErrorKind},
    time::Duration,
};

use anyhow::{Context, Result};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::sleep,
};

use self::{
    feed::{Event, Feed},
    view::View,
    writer::Writer,
};
use crate::{bus::Bus, cli::Options, failure::Failure};

const FIRST_RETRY: Duration = Duration::from_millis(50);
const LAST_RETRY: Duration = Duration::from_secs(1);
/// How long lines may still take to be written when the end has come.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Prints the state, then one line per transition.
pub async fn run(options: &Options) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (lines, mut writer) = Writer::start().context("cannot start writing")?;
    let watched = tokio::select! {
        failed = watch(options, View::new(options, lines)) => failed,
        ended = writer.ended() => return output_ended(ended),
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    };
    // The view is gone and with it the sender: the writer ends after the last line.
    match tokio::time::timeout(LAST_LINES, writer.ended()).await {
        Ok(ended) => watched.and(output_ended(ended)),
        Err(_) => watched,
    }
}

/// A reader that has seen enough closes the pipe: that is a good end.
fn output_ended(ended: io::Result<()>) -> Result<()> {
    match ended {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error).into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Follows the clock from connection to connection; returns only if there never was one.
async fn watch(options: &Options, mut view: View) -> Result<()> {
    let bus = Bus::connect(options.bus.as_ref()).await.context("cannot watch the clock")?;
    let first = follow(&bus, &mut view).await;
    // A bus that answers nothing or forbids it is not worth waiting for; one that got lost is.
    if !view.has_shown() {
        first.context("cannot watch the clock")?;
    }
    drop(bus);
    let mut pause = FIRST_RETRY;
    loop {
        view.no_service();
        sleep(pause).await;
        pause = LAST_RETRY.min(pause * 2);
        let Ok(bus) = Bus::connect(options.bus.as_ref()).await else {
            continue;
        };
        // Why it broke off is told by the words "no clock service" and the next state.
        let _ = follow(&bus, &mut view).await;
        if view.has_service() {
            pause = FIRST_RETRY;
        }
    }
}

/// Shows what one connection brings until it breaks or answers amiss.
async fn follow(bus: &Bus, view: &mut View) -> Result<(), Failure> {
    // Subscribed before the state is read: what happens in between is then seen twice, not never.
    let mut feed = Feed::open(&bus.connection).await?;
    if feed.has_service() {
        show_now(bus, view).await?;
    } else {
        view.no_service();
    }
    while let Some(event) = feed.next().await {
        match event {
            Event::Left => view.no_service(),
            Event::Came => show_now(bus, view).await?,
            Event::Transition { cause, state } => view.transition(&cause, *state),
        }
    }
    Ok(())
}

async fn show_now(bus: &Bus, view: &mut View) -> Result<(), Failure> {
    match bus.now().await {
        Ok(state) => view.snapshot(state),
        // It came and went: the feed says so next.
        Err(Failure::NoService | Failure::ServiceGone) => view.no_service(),
        Err(failure) => return Err(failure),
    }
    Ok(())
}
