//! The progress of the loop, which it shares with the thread that watches it, and how that thread
//! decides from observations whether the loop is alive.

use crate::rt::atomic::{AtomicU64, Ordering};
use clock_engine::{Instant, Span};
use std::io;

/// `Progress::state` of a loop that is working.
const WORKING: u64 = 0;
/// `Progress::state` of a loop that has ended.
const ENDED: u64 = u64::MAX;
/// The value of `Progress::state` for a loop that waits without a deadline. Any value other than
/// `WORKING`, `ENDED` and `NO_DEADLINE` is the deadline of a loop that waits, in nanoseconds.
const NO_DEADLINE: u64 = u64::MAX - 1;

/// How often the loop has woken up, and what it is doing. The clock loop writes this, and one other
/// thread reads it. By default, the state is `WORKING`.
#[derive(Debug, Default)]
pub struct Progress {
    wake_ups: AtomicU64,
    /// The kind of state and the deadline in a single number, so that no reader sees half of a
    /// change.
    state: AtomicU64,
    /// The stamp of the earliest input that the loop has read and not decided, in nanoseconds plus
    /// one; 0 if there is none.
    undecided: AtomicU64,
}

impl Progress {
    /// Notes the stamp of the earliest input that the loop has read and not decided; `None` if
    /// there is none. The loop must call this before [`Progress::waits`].
    pub fn leaves_undecided(&self, since: Option<Instant>) {
        let since = since.map_or(0, |since| since.as_nanos().saturating_add(1));
        // Relaxed is enough: `waits`, which is called next, stores the state with Release. That
        // also publishes this stamp.
        self.undecided.store(since, Ordering::Relaxed);
    }

    /// Notes that the loop now waits, and until when; `None` if it waits without a deadline. Before
    /// that instant the loop does nothing unless something arrives.
    pub fn waits(&self, until: Option<Instant>) {
        let state = until.map_or(NO_DEADLINE, |at| at.as_nanos().clamp(1, NO_DEADLINE - 1));
        self.set_state(state);
    }

    /// Notes that the loop has woken up.
    pub fn works(&self) {
        // Relaxed is enough: only the loop writes the count, and the store of the state, which
        // follows, publishes it.
        self.wake_ups.fetch_add(1, Ordering::Relaxed);
        self.set_state(WORKING);
    }

    /// Notes that the loop's thread has ended.
    pub fn end(&self) {
        self.set_state(ENDED);
    }

    /// Stores with Release, so a reader that sees this state also sees the wake-ups before it. A
    /// reader that saw a new state with an old count would take a loop that has just woken up for
    /// one that hangs.
    fn set_state(&self, state: u64) {
        self.state.store(state, Ordering::Release);
    }

    /// What the loop is doing. `is_unread` returns whether something that the loop waits for has
    /// arrived and has not been read.
    pub fn observe(
        &self,
        now: Instant,
        is_unread: impl FnOnce() -> io::Result<bool>,
    ) -> io::Result<LoopObservation> {
        let state = self.state();
        let unread = is_unread()?;
        // Even if nothing is unread, the loop may have taken something just now. If the loop waits
        // after the call of `is_unread`, it has decided what it took, or has stored its stamp in
        // `undecided`.
        let waits = matches!(self.state(), LoopState::Waiting { .. });
        let decided_until = (waits && !unread).then(|| self.decided_until(now));
        // The count is read last, so it includes every wake-up up to the one that led to this
        // state. If the loop has woken up since then, the count shows this, and the loop is not
        // taken for one that hangs.
        let wake_ups = self.wake_ups.load(Ordering::Relaxed);
        Ok(LoopObservation { now, wake_ups, state, unread, decided_until })
    }

    fn state(&self) -> LoopState {
        match self.state.load(Ordering::Acquire) {
            WORKING => LoopState::Working,
            ENDED => LoopState::Ended,
            NO_DEADLINE => LoopState::Waiting { until: None },
            at => LoopState::Waiting { until: Some(Instant::from_nanos(at)) },
        }
    }

    /// The instant before the earliest undecided input, or `now`, whichever is earlier.
    fn decided_until(&self, now: Instant) -> Instant {
        let decided = match self.undecided.load(Ordering::Relaxed) {
            0 => u64::MAX,
            // Two are subtracted: the one that was added, and one more for the instant before.
            since => since.saturating_sub(2),
        };
        now.min(Instant::from_nanos(decided))
    }
}

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
