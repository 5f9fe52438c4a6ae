//! The state of a game that another clock takes over ([`GameState`]), and what a game shows of the
//! notes that its rules keep ([`SideNotes`] and others).
//!
//! Also how a game goes on after a power cut: a running clock is paused, and all instants move to the
//! time axis of the new boot.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::axis::Axis;
use crate::rules::action::Attachment;
use crate::rules::event::GameEvent;
use crate::rules::facts::Facts;
use crate::rules::game_state::GameState;
use crate::{Caller, Clock, ClockState, Command, Instant, PerSide, Phase, Side};

impl From<&Game> for GameState {
    /// Takes the state of a game at [`Game::last`].
    fn from(game: &Game) -> GameState {
        let Game {
            clock,
            facts,
            // Not taken over: the game on the other clock is set up with a control and a profile of
            // its own.
            own_after_flag: _,
            profile: _,
            rate: _,
            // Not taken over: the other clock has its own buttons.
            buttons_exchanged: _,
            // Events happened once and are not repeated.
            events: _,
        } = game;
        let mut facts = *facts;
        if clock.phase() == Phase::Over {
            // The result is not taken over.
            facts.final_ruling = false;
        }
        GameState::new(ClockState::new(clock, facts.asked), facts)
    }
}

/// What the rules have noted of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideNotes {
    /// The number of the player's illegal moves that were taken back. An illegal move to which the
    /// opponent had replied does not count.
    pub illegal_moves: u32,
    /// The number of warnings that were applied as penalties.
    pub warnings: u32,
    /// Whether a penalty is due before the game goes on. If it is unknown which player stopped the
    /// clocks without a reason, a penalty is due for both until one of them is penalised. In
    /// unsupervised play nobody can apply a penalty, so none is due.
    pub penalty_due: bool,
    /// Whether a warning for undue force was given (S3 4.4).
    pub force_warning: bool,
    /// Whether undue force was noted and no warning for it was given (S3 4.4).
    pub force_unanswered: bool,
    /// The half points that penalties have taken off this player (S0 13.4).
    pub half_points_off: u32,
    /// The half points that penalties of the opponent have given this player (S0 13.4).
    pub half_points_given: u32,
    /// Whether the player has arrived (S0 6.7).
    pub arrived: bool,
    /// Whether the arbiter has ruled that the player does not lose by default (S0 6.7).
    pub default_waived: bool,
    /// Whether the player has confirmed that the game goes on.
    pub confirmed_resume: bool,
    /// Whether the player has confirmed a correction that was not made yet.
    pub confirmed_correction: bool,
    /// Whether the player has confirmed that the order of the flags cannot be established.
    pub confirmed_order_unknown: bool,
}

impl Game {
    /// What the rules have noted of a player.
    pub fn side_notes(&self, side: Side) -> SideNotes {
        let facts = &self.facts.sides[side];
        let of_either = self.facts.stop_penalty.is_some_and(|offender| offender.can_be(side));
        let stop = facts.stop_penalty || of_either;
        SideNotes {
            illegal_moves: facts.illegal_moves,
            warnings: facts.warnings,
            penalty_due: (facts.handling_penalty || stop) && !self.is_unsupervised(),
            force_warning: facts.force_warning,
            force_unanswered: facts.force_incident && !facts.force_warning,
            half_points_off: facts.half_points_off,
            half_points_given: facts.half_points_given,
            arrived: facts.arrived.is_some(),
            default_waived: facts.default_waived,
            confirmed_resume: facts.confirmed_resume,
            confirmed_correction: facts.confirmed_correction,
            confirmed_order_unknown: facts.confirmed_order_unknown,
        }
    }

    /// What is attached to the record of the game, and for each side whether its player has
    /// verified it (S2 III.6.1).
    pub fn attachments(&self) -> impl Iterator<Item = (Attachment, PerSide<bool>)> + '_ {
        let attached = &self.facts.attached;
        Attachment::ALL.iter().copied().filter(|kind| attached.has(*kind)).map(|kind| {
            let verified = |side| attached.is_verified_by(kind, side);
            (kind, PerSide { white: verified(Side::White), black: verified(Side::Black) })
        })
    }

    /// Whether an increment that a player requested is in force.
    pub fn increment_agreed(&self) -> bool {
        self.facts.increment_agreed
    }

    /// Whether a defect of the clock or a gap in the record is noted (S0 6.11).
    pub fn clock_in_doubt(&self) -> bool {
        self.facts.clock_in_doubt
    }

    /// Whether a claim has concluded the game, which is then not resumed (S2 III.6.1).
    pub fn is_concluded(&self) -> bool {
        self.facts.concluded
    }

    /// This game, which was just set up, with the given clock and facts.
    pub(in crate::rules) fn with_state(self, clock: Clock, facts: Facts) -> Game {
        Game { clock, facts, ..self }
    }

    /// This game with its instants moved to another time axis: `from` on the old axis is `to` on
    /// the new one.
    pub(in crate::rules) fn on_axis(mut self, from: Instant, to: Instant) -> Game {
        self.move_instants(from, to);
        self
    }
}

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
