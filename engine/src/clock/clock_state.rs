//! The state of a clock as another clock takes it over (S0 6.11).
//!
//! `docs/laws.md` explains S0, which is the source of the cited clause.

use super::commands::BY_ARBITER;
use super::earlier::LastMove;
use super::side_state::SideState;
use super::{Asked, Clock, EarlierClock, Progress, StoppedPhase};
use crate::{AfterFlag, Caller, Control, Instant, MAX_GIVEN, Method, PerSide, Side, Span};
use serde::{Deserialize, Serialize};

/// The largest time in a state that is taken over: 10,000 h. A command gives at most 1,000 h, but
/// increments and new periods can make a time longer than that.
const MAX_TIME: Span = Span::from_nanos(10 * MAX_GIVEN.as_nanos());

/// The state of a clock without its time control. If a clock runs, the state says that the arbiter
/// has paused it. If the game is over, the state has the phase before the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockState {
    /// The latest instant that was handled. No other instant of the state is later.
    pub last: Instant,
    phase: StoppedPhase,
    called_by: Option<Caller>,
    /// What happens at the final flag. It can differ from `after_flag` of the profile, because a
    /// change of the profile after the start does not change what happens at the flag.
    after_flag: Option<AfterFlag>,
    values: EarlierClock,
}

impl ClockState {
    /// Takes the state of a clock at [`Clock::last`]. `asked` has the counts of claims and
    /// questions, which the rules keep and the clock does not.
    pub fn new(clock: &Clock, asked: Asked) -> ClockState {
        let phase = match clock.progress {
            Progress::Ready => StoppedPhase::Ready,
            Progress::Running { .. } => StoppedPhase::Paused { by: BY_ARBITER },
            Progress::Paused { by } => StoppedPhase::Paused { by },
            Progress::Ruling => StoppedPhase::Ruling,
            Progress::Over { before, .. } => before,
        };
        ClockState {
            last: clock.last,
            phase,
            called_by: clock.called_by,
            after_flag: clock.control.terms().after_flag,
            values: EarlierClock::new(clock, asked),
        }
    }

    /// Whether White's clock was started.
    pub fn has_begun(&self) -> bool {
        self.phase != StoppedPhase::Ready
    }

    /// The counts of claims, requests, stops and the other items of [`Asked`] so far.
    pub fn asked(&self) -> Asked {
        self.values.asked
    }

    /// The clock with this time control and this state. The instants stay on the axis of the state.
    /// `own_after_flag` is the `after_flag` in the terms of the control. If it is `Some`, it takes
    /// precedence over that of the state.
    ///
    /// # Errors
    ///
    /// No clock with this control can be in this state. The error says why.
    pub fn clock(
        &self,
        control: &Control,
        own_after_flag: Option<AfterFlag>,
    ) -> Result<Clock, &'static str> {
        // There is no `..`, so that a new field does not compile until it is taken over here.
        let ClockState { last, phase, called_by, after_flag, values } = *self;
        let EarlierClock {
            changed_method,
            on_move,
            delay_left,
            sides,
            first_flag,
            last_move,
            // Not needed: the given `control` decides what the numbers of the sides mean.
            shown: _,
            // The rules take over these counts.
            asked: _,
        } = values;
        let progress = match phase {
            StoppedPhase::Ready => Progress::Ready,
            StoppedPhase::Paused { by } => Progress::Paused { by },
            StoppedPhase::Ruling => Progress::Ruling,
        };
        let clock = Clock {
            progress,
            on_move,
            delay_left,
            changed_method,
            sides,
            first_flag,
            called_by,
            last_move,
            last,
            ..Clock::new(control.with_after_flag(own_after_flag.or(after_flag)), last)
        };
        clock.check()?;
        clock.check_phase()?;
        clock.check_times()?;
        Ok(clock)
    }
}

impl Clock {
    /// Checks that the side on move, the first flag and the last move are possible in the phase.
    /// [`Clock::check`] does not check this, because a clock that this program wrote is always
    /// right in this respect.
    fn check_phase(&self) -> Result<(), &'static str> {
        match self.progress {
            Progress::Ready if self.on_move != Side::White => {
                Err("Black is on move before the start")
            }
            Progress::Ready if self.first_flag.is_some() || self.last_move.is_some() => {
                Err("a flag has fallen or a move is completed before the start")
            }
            Progress::Ruling if self.first_flag.is_none() => {
                Err("the clock awaits a ruling on a flag, and no flag has fallen")
            }
            _ => Ok(()),
        }
    }

    /// Checks the present times and those before the last completed move.
    fn check_times(&self) -> Result<(), &'static str> {
        check_sides(&self.sides)?;
        let mut delays = [Some(self.delay_left), None];
        if let Some(LastMove { sides, delay_left, side: _ }) = &self.last_move {
            check_sides(sides)?;
            delays[1] = Some(*delay_left);
        }
        let longest = self.longest_delay();
        if delays.into_iter().flatten().any(|delay| delay > longest) {
            return Err("the delay left of a turn is more than its method gives");
        }
        Ok(())
    }

    /// The longest delay that can be left of a turn.
    fn longest_delay(&self) -> Span {
        match self.changed_method {
            Some(changed) if !changed.delay().is_zero() => changed.delay(),
            // In an export of an earlier version, the delay left can be the rest of the delay that
            // held before the method was changed. The length of that delay is not known.
            Some(_) => MAX_GIVEN,
            // What is left of the delay can be from another period, because the arbiter can set
            // another period in the middle of a turn. So the longest delay of the control counts.
            None => {
                let periods = self.control.periods().iter();
                let methods = periods.flat_map(|period| Side::BOTH.map(|side| period.method[side]));
                methods.map(Method::delay).max().unwrap_or(Span::ZERO)
            }
        }
    }
}

fn check_sides(sides: &PerSide<SideState>) -> Result<(), &'static str> {
    let sides = Side::BOTH.map(|side| &sides[side]);
    let times = [
        (sides.map(|side| side.main), "a main time is more than 10000:00:00"),
        (sides.map(|side| side.overrun), "an overrun is more than 10000:00:00"),
        (sides.map(|side| side.owed()), "an owed time is more than 10000:00:00"),
    ];
    for (times, message) in times {
        if times.iter().any(|time| *time > MAX_TIME) {
            return Err(message);
        }
    }
    if sides.iter().any(|side| !side.overrun.is_zero() && side.final_flag.is_none()) {
        return Err("an overrun of a side whose final flag is not down");
    }
    Ok(())
}
