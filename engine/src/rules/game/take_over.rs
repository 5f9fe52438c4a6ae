//! The state that another clock takes over, the game with this state on that clock, and the notes
//! of the rules that are shown ([`SideNotes`]).
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::Game;
use crate::rules::facts::Facts;
use crate::rules::game_state::GameState;
use crate::{Clock, ClockState, Instant, Phase, Side};

impl From<&Game> for GameState {
    /// Takes the state of a game at [`Game::last`].
    fn from(game: &Game) -> GameState {
        let Game {
            clock,
            facts,
            // The game on the other clock is set up with a control and a profile of its own.
            own_after_flag: _,
            profile: _,
            rate: _,
            // The other clock has its own buttons.
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
    /// The number of the player's illegal moves.
    pub illegal_moves: u32,
    /// The number of warnings that were applied as penalties.
    pub warnings: u32,
    /// Whether a penalty is due before the game goes on. If it is unknown which player stopped the
    /// clocks without a reason, this is so of both until one of them is penalised. Without an
    /// arbiter no penalty can be applied, and none is due.
    pub penalty_due: bool,
    /// Whether a warning for undue force was given (S3 4.4).
    pub force_warning: bool,
}

impl Game {
    /// What the rules have noted of a player.
    pub fn side_notes(&self, side: Side) -> SideNotes {
        let facts = &self.facts.sides[side];
        let stop = self.facts.stop_penalty.is_some_and(|offender| offender.can_be(side));
        SideNotes {
            illegal_moves: facts.illegal_moves,
            warnings: facts.warnings,
            penalty_due: (facts.handling_penalty || stop) && !self.is_unsupervised(),
            force_warning: facts.force_warning,
        }
    }

    /// Whether an increment that a player requested is in force.
    pub fn increment_agreed(&self) -> bool {
        self.facts.increment_agreed
    }

    /// Whether a defect of the clock or a gap in the record is noted (S0 6.11).
    pub fn clock_in_doubt(&self) -> bool {
        self.facts.clock_in_doubt
    }

    /// Whether a claim has concluded the game (S2 III.6.1).
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
