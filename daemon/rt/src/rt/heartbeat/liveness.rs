//! Decides from observations whether the loop is alive.

use clock_engine::{Instant, Span};

/// A loop may wake up this much after its deadline. Without real-time priority, the kernel can take
/// that long to wake it up.
const MAX_LATENESS: Span = Span::from_nanos(50_000_000);
/// A loop that waits is hanging if something has been unread for longer than this, and the loop has
/// not woken up in that time.
const MAX_UNREAD: Span = Span::from_nanos(200_000_000);

/// The loop at one instant, seen from outside.
#[derive(Clone, Copy, Debug)]
pub struct LoopObservation {
    /// When the loop was observed, on CLOCK_MONOTONIC.
    pub now: Instant,
    /// How often the loop has woken up since the start.
    pub wake_ups: u64,
    /// What the loop is doing.
    pub state: LoopState,
    /// Whether something that the loop waits for has arrived and has not been read.
    pub unread: bool,
    /// The instant up to which everything that arrived is decided, and therefore stored in the
    /// retained memory; `None` if that is not known, because the loop works or something is unread.
    pub decided_until: Option<Instant>,
}

/// What the loop is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopState {
    /// The loop processes what has arrived or is due.
    Working,
    /// The loop waits.
    Waiting {
        /// The deadline of the wait, if there is one.
        until: Option<Instant>,
    },
    /// The thread of the loop has ended.
    Ended,
}

/// Decides from successive observations whether the loop is alive.
#[derive(Debug, Default)]
pub struct LivenessCheck {
    wake_ups: Option<u64>,
    unread_since: Option<Instant>,
}

impl LivenessCheck {
    /// Whether the loop is alive, judged by this observation and the earlier ones. A loop whose
    /// thread has not ended is alive if it has woken up since the observation before, or if it
    /// waits and neither `MAX_LATENESS` nor `MAX_UNREAD` is exceeded.
    pub fn is_alive(&mut self, seen: LoopObservation) -> bool {
        let advanced = self.wake_ups.replace(seen.wake_ups) != Some(seen.wake_ups);
        let before = self.unread_since.filter(|_| !advanced);
        self.unread_since = seen.unread.then(|| before.unwrap_or(seen.now));
        match seen.state {
            LoopState::Ended => false,
            _ if advanced => true,
            LoopState::Working => false,
            LoopState::Waiting { until } => {
                until.is_none_or(|until| seen.now.since(until) <= MAX_LATENESS)
                    && self.unread_since.is_none_or(|since| seen.now.since(since) <= MAX_UNREAD)
            }
        }
    }
}
