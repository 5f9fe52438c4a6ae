//! Starts White's clock at the scheduled time.

use super::commands::{CommandSource, Commands, Given, NotDone};
use clock_engine::{Command, Instant};
use clockd_rt::clock::{ClockReadings, monotonic_now, realtime_now};
use clockd_rt::{Health, Refusal};
use std::convert::Infallible;
use std::time::Duration;

/// The longest sleep between two readings of the wall clock while a start is awaited. One sleep
/// until the start is not enough, because a time service can set the wall clock during the sleep.
const RECHECK: Duration = Duration::from_secs(1);

/// Starts White's clock at the scheduled time of each game that has one. If the button board is
/// gone at that time, White's clock is started when the board is back, and counts from then on.
/// Never returns, and does not wake up while no start is awaited.
pub async fn serve(commands: &Commands, health: &Health) -> Infallible {
    loop {
        commands.start_scheduled.notified().await;
        // Whether the scheduled time came while the board was missing, or while an earlier process
        // ran.
        let was_late = |commands: &Commands| commands.game().start.is_some_and(|it| it.is_late);
        let mut is_late = was_late(commands);
        let mut was_time_known = true;
        while let Some(start) = commands.awaited_start() {
            let now = ClockReadings::read();
            let due = start.due(now);
            if due.is_some() && !was_time_known {
                // Only after a power cut: a start is not accepted while the time is not known. A start
                // that a power cut has prevented is the arbiter's.
                tracing::warn!(
                    "the scheduled start passed before this machine knew the time of day; White's clock \
                     is not started"
                );
                break;
            }
            was_time_known = now.is_wall_time_known;
            if let Some(at) = due
                && !health.is_board_missing()
            {
                let at = if is_late { monotonic_now() } else { at };
                match start_clock(commands, at).await {
                    // The board was unplugged at the same moment. The start is tried again.
                    Err(NotDone::Refused(Refusal::BoardGone)) => {}
                    _ => break,
                }
            }
            if due.is_some() && !std::mem::replace(&mut is_late, true) {
                tracing::warn!("White's clock is started when the button board is back");
            }
            let left = start.realtime_nsec.saturating_sub(realtime_now());
            let is_far = is_late || !was_time_known;
            let wait = if is_far { RECHECK } else { Duration::from_nanos(left).min(RECHECK) };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                // A game with another scheduled start was set up.
                () = commands.start_scheduled.notified() => is_late = was_late(commands),
            }
        }
    }
}

/// Starts White's clock at the instant `at`, and logs the result.
async fn start_clock(commands: &Commands, at: Instant) -> Result<(), NotDone> {
    // If an arbiter corrects the clock at the same moment, the revision changes, and the start is
    // refused as stale. In that case the command is given again with the new revision, if the start
    // is still awaited.
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
        return match done {
            Ok(done) => {
                tracing::info!(
                    revision = done.revision,
                    "White's clock is started at the scheduled time"
                );
                Ok(())
            }
            Err(NotDone::Refused(Refusal::Stale { .. })) if commands.awaited_start().is_some() => {
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "White's clock is not started at the scheduled time");
                Err(error)
            }
        };
    }
}
