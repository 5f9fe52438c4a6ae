//! Starts White's clock at the scheduled time.

use super::commands::{CommandSource, Commands, Given, NotDone};
use super::scheduled_start::ScheduledStart;
use crate::clock::{ClockReadings, realtime_now};
use crate::rt::Refusal;
use clock_engine::{Command, Instant, Phase};
use std::convert::Infallible;
use std::time::Duration;

/// The longest sleep between two readings of the wall clock while a start is awaited. One sleep
/// until the start is not enough, because a time service can set the wall clock during the sleep.
const RECHECK: Duration = Duration::from_secs(1);

/// Starts White's clock at the scheduled time of each game that has one. Never returns, and does
/// not wake up while no start is awaited.
pub async fn serve(commands: &Commands) -> Infallible {
    loop {
        commands.start_scheduled.notified().await;
        while let Some(start) = awaited(commands) {
            if let Some(at) = start.due(ClockReadings::read()) {
                start_clock(commands, at).await;
                break;
            }
            let left = start.realtime_nsec.saturating_sub(realtime_now());
            let wait = Duration::from_nanos(left).min(RECHECK);
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                // A game with another scheduled start was set up.
                () = commands.start_scheduled.notified() => {}
            }
        }
    }
}

/// The scheduled start at which White's clock is still to be started. `None` if no start is
/// scheduled, if `ScheduledStart::starts_clock` is `false`, or if the game is not in the phase
/// `Ready` any more.
fn awaited(commands: &Commands) -> Option<ScheduledStart> {
    let (phase, _) = commands.phase_and_revision();
    commands.game().start.filter(|start| phase == Phase::Ready && start.starts_clock)
}

async fn start_clock(commands: &Commands, at: Instant) {
    // If an arbiter corrects the clock at the same moment, the revision changes, and the start is
    // refused as stale. The start is then given again with the new revision, if it is still
    // awaited.
    loop {
        let (_, revision) = commands.phase_and_revision();
        let sent = commands.give(Given {
            source: CommandSource::Schedule,
            at,
            revision,
            reason: "",
            text: "",
            command: Command::Start.into(),
            game: None,
        });
        let done = match sent {
            Ok(answer) => answer.wait().await,
            Err(error) => Err(error),
        };
        match done {
            Ok(done) => {
                tracing::info!(
                    revision = done.revision,
                    "White's clock is started at the scheduled time"
                );
            }
            Err(NotDone::Refused(Refusal::Stale { .. })) if awaited(commands).is_some() => continue,
            Err(error) => {
                tracing::warn!(%error, "White's clock is not started at the scheduled time");
            }
        }
        return;
    }
}
