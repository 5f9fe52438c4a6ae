//! The instants that a clock keeps.

use super::side_state::SideState;
use super::{Clock, LastMove, Progress};
use crate::{Instant, PerSide, Side};

impl Clock {
    /// Calls `change` with every instant that the clock keeps, except [`Clock::last`].
    pub(crate) fn for_each_instant(&mut self, mut change: impl FnMut(&mut Instant)) {
        self.events.for_each(|event| change(&mut event.at));
        if let Progress::Running { since } = &mut self.progress {
            change(since);
        }
        of_sides(&mut self.sides, &mut change);
        if let Some(LastMove { sides, .. }) = &mut self.last_move {
            of_sides(sides, &mut change);
        }
    }

    /// The clock is on another axis, on which `at` is the latest instant that was handled.
    pub(crate) fn begin_at(&mut self, at: Instant) {
        self.last = at;
    }
}

pub(super) fn of_sides(sides: &mut PerSide<SideState>, change: &mut impl FnMut(&mut Instant)) {
    for side in Side::BOTH {
        let state = &mut sides[side];
        for at in [&mut state.period_flag, &mut state.final_flag].into_iter().flatten() {
            change(at);
        }
    }
}
