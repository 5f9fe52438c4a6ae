//! `clockctl watch`: prints every change as it happens, until it is interrupted.

mod events;
mod printer;
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
    events::{Event, EventStream},
    printer::Printer,
    writer::Writer,
};
use crate::{bus::Bus, cli::Options, failure::Failure};

const FIRST_RETRY: Duration = Duration::from_millis(50);
const LAST_RETRY: Duration = Duration::from_secs(1);
/// How long the last lines may take to be written.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Prints the state, and then one line for each transition.
pub async fn run(options: &Options) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (lines, mut writer) = Writer::start().context("cannot start writing")?;
    let watched = tokio::select! {
        failed = watch(options, Printer::new(options, lines)) => failed,
        ended = writer.ended() => return output_ended(ended),
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    };
    // The printer was dropped and with it the sender: the writer ends after the last line.
    match tokio::time::timeout(LAST_LINES, writer.ended()).await {
        Ok(ended) => watched.and(output_ended(ended)),
        Err(_) => watched,
    }
}

/// If the reader closes the pipe, it needs no more, so that is no failure.
fn output_ended(ended: io::Result<()>) -> Result<()> {
    match ended {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error).into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Follows the clock, on one connection after the other. Returns only if the first one failed.
async fn watch(options: &Options, mut printer: Printer) -> Result<()> {
    let bus = Bus::connect(options.bus.as_ref()).await.context("cannot watch the clock")?;
    let first = follow(&bus, &mut printer).await;
    // If the bus does not answer or forbids it at first, that is a failure. If it is lost later,
    // this waits for it.
    if !printer.has_shown() {
        first.context("cannot watch the clock")?;
    }
    drop(bus);
    let mut pause = FIRST_RETRY;
    loop {
        printer.no_service();
        sleep(pause).await;
        pause = LAST_RETRY.min(pause * 2);
        let Ok(bus) = Bus::connect(options.bus.as_ref()).await else {
            continue;
        };
        // The line "no clock service" and the next state show what happened.
        let _ = follow(&bus, &mut printer).await;
        if printer.has_service() {
            pause = FIRST_RETRY;
        }
    }
}

/// Prints the events of one connection until it is lost or an answer cannot be understood.
async fn follow(bus: &Bus, printer: &mut Printer) -> Result<(), Failure> {
    // Subscribed before the state is read, so that a change in between is seen twice rather than
    // missed.
    let mut events = EventStream::open(&bus.connection).await?;
    if events.has_service() {
        show_now(bus, printer).await?;
    } else {
        printer.no_service();
    }
    while let Some(event) = events.next().await {
        match event {
            Event::Disappeared => printer.no_service(),
            Event::Appeared => show_now(bus, printer).await?,
            Event::Transition { cause, state } => printer.transition(&cause, *state),
        }
    }
    Ok(())
}

async fn show_now(bus: &Bus, printer: &mut Printer) -> Result<(), Failure> {
    match bus.now().await {
        Ok(state) => printer.snapshot(state),
        // The service ended again; the next event reports it.
        Err(Failure::NoService | Failure::ServiceGone) => printer.no_service(),
        Err(failure) => return Err(failure),
    }
    Ok(())
}
