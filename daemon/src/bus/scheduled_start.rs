//! Starts White's clock at the scheduled time (S0 6.5).

use super::arguments::invalid;
use super::command_note::CommandNote;
use super::shared_state::SharedState;
use crate::clock::{monotonic_now, realtime_now};
use clock_dbus::{Error, Phase};
use clock_engine::{Command, Instant};
use std::convert::Infallible;
use std::time::Duration;

const HOUR: u64 = 3600 * 1_000_000_000;
/// How long ago a session can have started.
const LONGEST_AGO: u64 = 24 * HOUR;
/// How far ahead a start can be scheduled.
const LONGEST_AHEAD: u64 = 7 * 24 * HOUR;
/// How often the wall time is compared while a start is awaited, because a time service can set it.
const RECHECK: Duration = Duration::from_secs(1);

/// In which capacity the record says that the start was given: the arbiter who scheduled it has set the game up.
pub const CAPACITY: &str = "schedule";

/// A start that is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledStart {
    /// In nanoseconds of CLOCK_REALTIME.
    pub realtime_nsec: u64,
    /// Whether the service starts White's clock at this time. `false` if the time had already passed when the
    /// arbiter gave it.
    pub starts_clock: bool,
}

/// Both clocks of the machine, read together.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// CLOCK_MONOTONIC.
    pub monotonic: Instant,
    /// CLOCK_REALTIME, in nanoseconds since 1970.
    pub realtime_nsec: u64,
}

impl Now {
    pub fn read() -> Now {
        Now { monotonic: monotonic_now(), realtime_nsec: realtime_now() }
    }

    /// The instant at which the wall clock shows this time. A time before the machine was started is
    /// its start.
    pub fn instant_of(self, realtime_nsec: u64) -> Instant {
        let nanos = self.monotonic.as_nanos();
        Instant::from_nanos(match realtime_nsec.checked_sub(self.realtime_nsec) {
            Some(ahead) => nanos.saturating_add(ahead),
            None => nanos.saturating_sub(self.realtime_nsec - realtime_nsec),
        })
    }
}

impl ScheduledStart {
    /// The start that an arbiter schedules at this wall time.
    pub fn new(realtime_nsec: u64, now: Now) -> Result<ScheduledStart, Error> {
        let present = now.realtime_nsec;
        let range = present.saturating_sub(LONGEST_AGO)..=present.saturating_add(LONGEST_AHEAD);
        if !range.contains(&realtime_nsec) {
            return Err(invalid(format!(
                "StartAtRealtimeNSec = {realtime_nsec}; expected a time from a day ago to a week ahead, \
                 and it is {present} now"
            )));
        }
        Ok(ScheduledStart { realtime_nsec, starts_clock: realtime_nsec > present })
    }

    /// The instant of the start if it has come.
    fn due(self, now: Now) -> Option<Instant> {
        let has_come = self.starts_clock && self.realtime_nsec <= now.realtime_nsec;
        has_come.then(|| now.instant_of(self.realtime_nsec))
    }
}

/// Starts each game at its scheduled time, for ever. While none is scheduled it does not wake up.
pub async fn serve(shared: &SharedState) -> Infallible {
    loop {
        shared.start_scheduled.notified().await;
        while let Some(start) = awaited(shared) {
            if let Some(at) = start.due(Now::read()) {
                start_clock(shared, at).await;
                break;
            }
            let left = start.realtime_nsec.saturating_sub(realtime_now());
            let wait = Duration::from_nanos(left).min(RECHECK);
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                // Another game was set up.
                () = shared.start_scheduled.notified() => {}
            }
        }
    }
}

/// The start of the present game, if it is scheduled and the clock has not been started.
fn awaited(shared: &SharedState) -> Option<ScheduledStart> {
    let is_ready = shared.state().phase == Phase::Ready;
    shared.game().start.filter(|start| is_ready && start.starts_clock)
}

async fn start_clock(shared: &SharedState, at: Instant) {
    // The arbiter can correct something at this very moment, which makes a new revision.
    loop {
        let revision = shared.state().revision;
        let request = shared.next_request();
        shared.notes.add(&CommandNote::Given {
            request,
            verb: "start".to_owned(),
            uid: None,
            caller_pending: false,
            sender: String::new(),
            capacity: CAPACITY.to_owned(),
            reason: String::new(),
            text: String::new(),
            game: None,
        });
        let sent = shared.send(request, at, Command::Start.into(), revision, None);
        if sent.is_err() {
            shared.notes.add(&CommandNote::Withdrawn { request });
        }
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
            Err(Error::StaleRevision(_)) if awaited(shared).is_some() => continue,
            Err(error) => {
                tracing::warn!(%error, "White's clock is not started at the scheduled time");
            }
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Now = Now { monotonic: Instant::from_nanos(5 * HOUR), realtime_nsec: 1000 * HOUR };

    #[test]
    fn a_start_is_from_a_day_ago_to_a_week_ahead() {
        for (hours, allowed) in
            [(975, false), (976, true), (1000, true), (1168, true), (1169, false), (0, false)]
        {
            assert_eq!(ScheduledStart::new(hours * HOUR, NOW).is_ok(), allowed, "{hours}");
        }
        assert!(ScheduledStart::new(u64::MAX, NOW).is_err());
    }

    #[test]
    fn a_start_is_due_from_its_very_nanosecond_on_and_at_its_own_instant() {
        let start = ScheduledStart::new(NOW.realtime_nsec + 10, NOW).unwrap();
        let after = |nanos| Now {
            monotonic: Instant::from_nanos(5 * HOUR + nanos),
            realtime_nsec: NOW.realtime_nsec + nanos,
        };
        assert_eq!(start.due(after(9)), None);
        assert_eq!(start.due(after(10)), Some(Instant::from_nanos(5 * HOUR + 10)));
        assert_eq!(start.due(after(1_000)), Some(Instant::from_nanos(5 * HOUR + 10)));
        // The time service has set the wall clock back meanwhile.
        let set_back = Now { realtime_nsec: NOW.realtime_nsec - 1, ..after(1_000) };
        assert_eq!(start.due(set_back), None);
    }

    #[test]
    fn a_session_that_began_before_starts_no_clock() {
        let past = ScheduledStart::new(NOW.realtime_nsec - HOUR, NOW).unwrap();
        assert!(!past.starts_clock && past.due(NOW).is_none());
        assert_eq!(NOW.instant_of(past.realtime_nsec), Instant::from_nanos(4 * HOUR));
        // Before the machine was started.
        assert_eq!(NOW.instant_of(NOW.realtime_nsec - 9 * HOUR), Instant::ZERO);
    }
}
