//! The events of a game on which its times depend, found by comparing the clock before and after an
//! input. `replayed_turns.rs` plays them again under another time control.
//!
//! `docs/laws.md` explains S2, which is the source of the cited clause.

use super::commands::BY_ARBITER;
use super::instants::of_sides;
use super::{Clock, Progress};
use crate::{Instant, Method, PerSide, Side, Span};
use core::fmt;
use serde::{Deserialize, Serialize};

/// An event on which the times of a game depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEvent {
    /// A game was set up: what came before it belongs to another game.
    Begun,
    /// The clock of the side on move ran for this long.
    Ran(Span),
    /// The side on move completed its move.
    Completed,
    /// The last completed move was taken back.
    TakenBack,
    /// The arbiter gave the move to this side, whose turn began then.
    HandedOver(Side),
    /// A side got time, or lost it.
    Given {
        /// The side.
        side: Side,
        /// Nanoseconds: positive for an award, negative for a cut.
        delta_ns: i64,
        /// Whether a person decided it, and not a ruling: then nothing is owed any more.
        settles_owed: bool,
    },
    /// This method, on which the players agreed, replaced that of every period (S2 III.4).
    Agreed(Method),
    /// Something changed the times that was no turn.
    Unknown(UnknownTurns),
}

/// Why the times of a game do not follow from its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownTurns {
    /// A time, a counter, a period or an overtime was set.
    Corrected,
    /// The game was taken over from another clock or another game.
    Imported,
    /// The increment or the delay was changed during the game.
    MethodChanged,
    /// A ruling gave a period, or the time was counted otherwise than by turns.
    Ruled,
    /// One of the two time controls is a gong, which ends turns by itself.
    Gong,
    /// Entries of the record are lost.
    Lost,
    /// The clock was set back to a move that the record does not lead to.
    Rewound,
    /// A press was taken back that could not have been taken back under the new time control.
    TakenBack,
    /// Time was cut that the side would not have had under the new time control, or an award is
    /// larger than a clock can be given.
    Cut,
    /// The clock has changed since the turns were read.
    Changed,
}

/// The largest number of events of one input.
const MOST_EVENTS: usize = 6;

/// The events of one input, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnEvents {
    events: [Option<TurnEvent>; MOST_EVENTS],
}

/// What the input between two states of a clock was, as far as the states do not show it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TurnCause {
    /// A correction, which may set the side on move.
    Correction,
    /// The arbiter gave or cut time.
    AddTime { side: Side, delta_ns: i64 },
    /// The increment that the players had asked for was granted.
    Agreement,
    /// The time control was changed. The turns stay as they were played.
    ControlChanged,
    /// A game was set up, and nothing else.
    SetUp,
    /// The times do not follow from the turns if the input changed them.
    Unknown(UnknownTurns),
    /// Any other input.
    Other,
}

impl TurnEvents {
    fn push(&mut self, event: TurnEvent) {
        if let Some(place) = self.events.iter_mut().find(|place| place.is_none()) {
            *place = Some(event);
        }
    }
}

impl IntoIterator for TurnEvents {
    type Item = TurnEvent;
    type IntoIter = core::iter::Flatten<core::array::IntoIter<Option<TurnEvent>, MOST_EVENTS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.into_iter().flatten()
    }
}

impl Clock {
    /// The events between this state and `after`. This clock ran on up to `until`, if it ran.
    ///
    /// The events lead from this state to `after`: if none do, the last of them is
    /// [`TurnEvent::Unknown`]. So an input that this function does not know makes the turns unknown,
    /// and never wrong.
    pub(crate) fn turn_events(
        &self,
        cause: TurnCause,
        after: &Clock,
        until: Instant,
    ) -> TurnEvents {
        let mut events = TurnEvents::default();
        if let TurnCause::SetUp | TurnCause::Unknown(UnknownTurns::Imported) = cause {
            events.push(TurnEvent::Begun);
            if let TurnCause::Unknown(why) = cause {
                events.push(TurnEvent::Unknown(why));
            }
            return events;
        }
        let until = until.max(self.last);
        let ran = self.ran_until(until);
        if !ran.is_zero() {
            let is_gong = self.method(self.on_move).slice().is_some();
            let gong = TurnEvent::Unknown(UnknownTurns::Gong);
            events.push(if is_gong { gong } else { TurnEvent::Ran(ran) });
        }
        let (mut stood, target) = (self.standing_at(until), after.standing_at(after.last));
        if stood.has_times_of(&target) || matches!(cause, TurnCause::ControlChanged) {
            return events;
        }
        if let Err(why) = stood.lead_to(&target, cause, &mut events) {
            events.push(TurnEvent::Unknown(why));
        }
        events
    }

    /// How long the clock of the side on move ran from [`Clock::last`] up to `until`. It may have
    /// been stopped by a flag in between.
    fn ran_until(&self, until: Instant) -> Span {
        if !matches!(self.progress, Progress::Running { .. }) {
            return Span::ZERO;
        }
        let mut clock = *self;
        // `until` is not earlier than `last`, so this is not refused.
        let _ = clock.advance(until);
        let stopped = match clock.progress {
            Progress::Running { .. } => until,
            _ => clock.sides[clock.on_move].final_flag.unwrap_or(until),
        };
        stopped.since(self.last)
    }

    /// This clock at `at`, paused.
    pub(super) fn standing_at(&self, at: Instant) -> Clock {
        let mut clock = *self;
        // `at` is not earlier than `last`, so this is not refused.
        let _ = clock.advance(at);
        clock.stand();
        clock
    }

    /// Charges the side on move up to the latest handled instant, and stops both clocks. A game
    /// that has not begun stays so.
    pub(super) fn stand(&mut self) {
        self.charge(self.last);
        if !matches!(self.progress, Progress::Ready) {
            self.progress = Progress::Paused { by: BY_ARBITER };
        }
    }

    /// Lets the clock of the side on move run for a time, and stops it again.
    pub(super) fn run_for(&mut self, span: Span) {
        self.progress = Progress::Running { since: self.last };
        let at = self.last.checked_add(span).unwrap_or(Instant::from_nanos(u64::MAX));
        // `at` is not earlier than `last`, so this is not refused.
        let _ = self.advance(at);
        self.stand();
    }

    /// Completes the move of the side on move, whether or not its clock runs.
    pub(super) fn complete_standing(&mut self) {
        self.progress = Progress::Running { since: self.last };
        // `last` is not earlier than itself, so this is not refused.
        let _ = self.handle_press(self.on_move, self.last);
        self.stand();
    }

    /// Whether two clocks that stand have the same times and the same turn. A flag that was not
    /// final is no time.
    fn has_times_of(&self, other: &Clock) -> bool {
        let times = |clock: &Clock| {
            let mut sides = clock.sides;
            of_sides(&mut sides, &mut |at| *at = Instant::ZERO);
            for side in Side::BOTH {
                sides[side].period_flag = None;
            }
            (sides, clock.on_move, clock.delay_left, clock.changed_method)
        };
        times(self) == times(other)
    }

    /// Plays the events that lead from this clock, which stands, to `target`.
    fn lead_to(
        &mut self,
        target: &Clock,
        cause: TurnCause,
        events: &mut TurnEvents,
    ) -> Result<(), UnknownTurns> {
        let why = match cause {
            TurnCause::Unknown(why) => return Err(why),
            TurnCause::Correction => UnknownTurns::Corrected,
            _ => UnknownTurns::Ruled,
        };
        let moves = |clock: &Clock| clock.sides.map(|state| u64::from(state.moves));
        let (before, after) = (moves(self), moves(target));
        let corrects = matches!(cause, TurnCause::Correction);
        if after.white + after.black < before.white + before.black && !corrects {
            self.undo_press().map_err(|_| why)?;
            events.push(TurnEvent::TakenBack);
        } else if after[self.on_move] == before[self.on_move] + 1 && !corrects {
            self.complete_standing();
            events.push(TurnEvent::Completed);
        } else if target.on_move != self.on_move {
            self.hand_over(Some(target.on_move));
            events.push(TurnEvent::HandedOver(target.on_move));
        }
        match (cause, target.changed_method) {
            (_, method) if method == self.changed_method => {}
            (TurnCause::Agreement, Some(method)) => {
                self.change_method(method, self.last).map_err(|_| why)?;
                events.push(TurnEvent::Agreed(method));
            }
            _ => return Err(UnknownTurns::MethodChanged),
        }
        if !corrects {
            self.give_to_reach(target, cause, events).ok_or(why)?;
        }
        if !self.has_times_of(target) {
            // A side without time is flagged as soon as its clock is resumed.
            self.run_for(Span::ZERO);
            events.push(TurnEvent::Ran(Span::ZERO));
        }
        if self.has_times_of(target) { Ok(()) } else { Err(why) }
    }

    /// Gives each side the time that it has more in `target` than in this clock, or cuts it.
    fn give_to_reach(
        &mut self,
        target: &Clock,
        cause: TurnCause,
        events: &mut TurnEvents,
    ) -> Option<()> {
        for side in Side::BOTH {
            let event = match cause {
                TurnCause::AddTime { side: of, delta_ns } if side == of => {
                    TurnEvent::Given { side, delta_ns, settles_owed: true }
                }
                _ => {
                    let main = |clock: &Clock| i128::from(clock.sides[side].main.as_nanos());
                    let more = main(target) - main(self);
                    let counts_up = matches!(self.method(side), Method::CountUp { .. });
                    let delta_ns = i64::try_from(if counts_up { -more } else { more }).ok()?;
                    TurnEvent::Given { side, delta_ns, settles_owed: false }
                }
            };
            let TurnEvent::Given { side, delta_ns, settles_owed } = event else { continue };
            if delta_ns != 0 {
                self.give(side, delta_ns, settles_owed).ok()?;
                events.push(event);
            }
        }
        Some(())
    }

    /// The times that a change of the time control with replayed turns must find.
    pub(super) fn present_times(&self) -> PresentTimes {
        PresentTimes {
            main: self.sides.map(|state| state.main),
            overrun: self.sides.map(|state| state.overrun),
            moves: self.sides.map(|state| state.moves),
            on_move: self.on_move,
            delay_left: self.delay_left,
        }
    }
}

/// The times of a clock that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PresentTimes {
    main: PerSide<Span>,
    overrun: PerSide<Span>,
    moves: PerSide<u32>,
    on_move: Side,
    delay_left: Span,
}

/// Writes why the turns are not known: a clause that follows "because" or a colon.
impl fmt::Display for UnknownTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnknownTurns::Corrected => "a time, a counter or a period was corrected in this game",
            UnknownTurns::Imported => {
                "the game was taken over from another clock or an earlier record, without its turns"
            }
            UnknownTurns::MethodChanged => "the increment or the delay was changed in this game",
            UnknownTurns::Ruled => "a ruling gave a side a period of the time control",
            UnknownTurns::Gong => "with a gong no press ends a turn",
            UnknownTurns::Lost => "entries of this game are missing in the record",
            UnknownTurns::Rewound => {
                "the clock was set back to a move whose turns are not on record"
            }
            UnknownTurns::TakenBack => {
                "a press was taken back, which the new time control does not allow"
            }
            UnknownTurns::Cut => {
                "time was cut that the side would not have had under the new time control, or an \
                 award is too large for it"
            }
            UnknownTurns::Changed => "the clock has changed since its turns were read",
        })
    }
}
