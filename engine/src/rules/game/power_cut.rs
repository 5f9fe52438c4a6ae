//! After a power cut: the game goes on under another clock.

use super::Game;
use crate::axis::Axis;
use crate::rules::event::GameEvent;
use crate::{Caller, Command, Instant, Phase};

impl Game {
    /// The power was cut. `stopped` is the last instant that is known of the time before, and `now`
    /// is the present one on the axis of the new boot, on which nothing has been handled yet.
    ///
    /// What was due up to `stopped` is decided. A clock that runs is paused at `stopped`, as by a
    /// fault; a phase in which both clocks stand stays. Then every instant of the game and of its
    /// events is moved to the new axis, on which `stopped` is `now`. Lateness counts on from there.
    ///
    /// An instant that would be before the zero of the new axis becomes the earliest possible. Two
    /// instants that are different stay different and in their order, so which flag fell first
    /// stays known. To that end up to 100 of them can be moved by a nanosecond each.
    ///
    /// If `stopped` is earlier than the latest instant that was handled, that one is taken instead.
    pub fn handle_power_cut(&mut self, stopped: Instant, now: Instant) {
        let stopped = stopped.max(self.last());
        // The instant is not earlier than the latest one, which is the only reason to refuse it.
        let _ = self.advance(stopped);
        if self.clock.phase() == Phase::Running {
            let pause = Command::Pause { by: Caller::PowerCut };
            // Refused only unless a clock runs.
            let _ = self.clock.handle_command(pause, stopped);
            self.settle(stopped);
        }
        let mut axis = Axis::default();
        self.for_each_instant(|at| axis.add(*at));
        axis.move_to(stopped, now);
        self.for_each_instant(|at| *at = axis.moved(*at));
        self.facts.for_each_signed_instant(|at| *at = at.on_axis(stopped, now));
        let mut latest = now;
        self.for_each_instant(|at| latest = latest.max(*at));
        self.clock.begin_at(latest);
    }

    fn for_each_instant(&mut self, mut change: impl FnMut(&mut Instant)) {
        let Game {
            clock,
            facts,
            events,
            // No instants.
            own_after_flag: _,
            profile: _,
            rate: _,
            buttons_exchanged: _,
        } = self;
        clock.for_each_instant(&mut change);
        facts.for_each_instant(&mut change);
        events.for_each(|GameEvent { at, kind: _ }| change(at));
    }
}
