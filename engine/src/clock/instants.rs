//! The instants that a clock keeps.
//!
//! Each type is destructured without `..`, so that a new field does not compile until it is listed
//! here as holding an instant or not. An instant that is left out here would stay on the axis of
//! the old boot after a power cut.

use super::side_state::SideState;
use super::{Clock, LastMove, Progress};
use crate::{Event, Instant, PerSide};

impl Clock {
    /// Calls `change` with every instant that the clock keeps, except [`Clock::last`].
    pub(crate) fn for_each_instant(&mut self, mut change: impl FnMut(&mut Instant)) {
        let Clock {
            progress,
            sides,
            last_move,
            events,
            // Not changed here: `begin_at` sets it.
            last: _,
            // No instants.
            control: _,
            changed_method: _,
            on_move: _,
            delay_left: _,
            first_flag: _,
            called_by: _,
        } = self;
        events.for_each(|Event { at, kind: _ }| change(at));
        match progress {
            Progress::Running { since } => change(since),
            Progress::Ready
            | Progress::Paused { by: _ }
            | Progress::Ruling
            | Progress::Over { outcome: _, before: _ } => {}
        }
        of_sides(sides, &mut change);
        of_last_move(last_move, &mut change);
    }

    /// Sets the latest handled instant to `at`, after the other instants were moved to a new axis.
    pub(crate) fn begin_at(&mut self, at: Instant) {
        self.last = at;
    }
}

pub(super) fn of_last_move(
    last_move: &mut Option<LastMove>,
    change: &mut impl FnMut(&mut Instant),
) {
    if let Some(LastMove { sides, side: _, delay_left: _ }) = last_move {
        of_sides(sides, change);
    }
}

pub(super) fn of_sides(sides: &mut PerSide<SideState>, change: &mut impl FnMut(&mut Instant)) {
    let PerSide { white, black } = sides;
    for state in [white, black] {
        let SideState {
            period_flag,
            final_flag,
            // No instants.
            main: _,
            overtime: _,
            interrupted: _,
            owed_main: _,
            moves: _,
            period: _,
            overrun: _,
        } = state;
        for at in [period_flag, final_flag].into_iter().flatten() {
            change(at);
        }
    }
}
