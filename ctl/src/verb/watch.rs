//! `clockctl watch`: prints every change as it happens, until it is interrupted.

mod printer;
mod writer;

use std::{
    io::{self, ErrorKind},
    time::Duration,
};

use anyhow::{Context, Result};
use clock_dbus::{Followed, Follower};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::sleep,
};

use self::printer::Printer;
pub(super) use self::writer::Writer;
use crate::{
    bus::{Bus, bounded},
    failure::Failure,
    options::Options,
};

const FIRST_RETRY: Duration = Duration::from_millis(50);
const LAST_RETRY: Duration = Duration::from_secs(1);
/// How long the last lines may take to be written.
const LAST_LINES: Duration = Duration::from_millis(500);
/// The cause that is printed for a state that was read because signals were missing. The service
/// uses the same word for this cause.
const MISSED: &str = "missed";

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
    // The printer with its sender of lines was dropped when `watch` ended, so the writer ends after
    // the last line.
    match tokio::time::timeout(LAST_LINES, writer.ended()).await {
        Ok(ended) => watched.and(output_ended(ended)),
        Err(_) => watched,
    }
}

/// Converts the way in which the writer ended to the result of the verb. A reader that closes the
/// pipe needs no more, so that is no failure.
pub(super) fn output_ended(ended: io::Result<()>) -> Result<()> {
    match ended {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error).into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Follows the clock, on one connection after the other. Returns only if the first connection fails
/// before anything was printed.
async fn watch(options: &Options, mut printer: Printer) -> Result<()> {
    let bus = Bus::connect(options.bus.as_ref()).await.context("cannot watch the clock")?;
    let first = follow(&bus, &mut printer).await;
    // If the bus does not answer or denies the calls before the first line is printed, the verb
    // fails. If the bus is lost later, the loop below waits until it is back.
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

/// Prints the states of one connection until it is lost or an answer cannot be understood.
async fn follow(bus: &Bus, printer: &mut Printer) -> Result<(), Failure> {
    let mut follower = bounded(Follower::new(&bus.connection)).await?;
    while let Some(followed) = follower.next().await? {
        match followed {
            Followed::NoService => printer.no_service(),
            Followed::Read { state, timebase } => {
                printer.state(None, &state.at(timebase.monotonic_nsec));
            }
            Followed::Missed(state) => printer.state(Some(MISSED), &state),
            Followed::Transition { cause, state } => printer.state(Some(&cause), &state),
        }
    }
    Ok(())
}
