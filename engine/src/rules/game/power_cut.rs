//! What a game does after a power cut: a running clock is paused, and all instants move to the time
//! axis of the new boot.

use super::Game;
use crate::axis::Axis;
use crate::rules::event::GameEvent;
use crate::{Caller, Command, Instant, Phase};

impl Game {
    /// Handles a power cut. `stopped` is the last known instant before the cut, on the old axis.
    /// `now` is the present instant on the axis of the new boot, on which nothing has been handled
    /// yet.
    ///
    /// What was due up to `stopped` is decided. A clock that runs is paused at `stopped` by
    /// [`Caller::PowerCut`]; a phase in which both clocks stand stays. Then every instant of the
    /// game and of its events is moved to the new axis, on which `stopped` is `now`. Lateness
    /// continues to be counted on that axis.
    ///
    /// An instant that would be before the zero of the new axis becomes the earliest possible one.
    /// Different instants stay different and in their order, so that the flag that fell first stays
    /// known. For this reason, an instant that would be after the zero can become up to 95 ns later
    /// than its exact value.
    ///
    /// If `stopped` is earlier than [`Game::last`], `last` is used instead of `stopped`.
    pub fn handle_power_cut(&mut self, stopped: Instant, now: Instant) {
        let stopped = stopped.max(self.last());
        // `advance` cannot fail here, because it refuses only an instant that is earlier than
        // `last`.
        let _ = self.advance(stopped);
        if self.clock.phase() == Phase::Running {
            let pause = Command::Pause { by: Caller::PowerCut };
            // The pause cannot fail, because it is refused only if no clock runs.
            let _ = self.clock.handle_command(pause, stopped);
            self.settle(stopped);
        }
        self.move_instants(stopped, now);
    }

    /// Moves every instant to another time axis: `from` on the old axis is `to` on the new one. No
    /// [`Instant`] of the game may be later than `from`.
    pub(super) fn move_instants(&mut self, from: Instant, to: Instant) {
        let mut axis = Axis::default();
        self.for_each_instant(|at| axis.add(*at));
        axis.move_to(from, to);
        self.for_each_instant(|at| *at = axis.moved(*at));
        self.facts.for_each_signed_instant(|at| *at = at.on_axis(from, to));
        let mut latest = to;
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
