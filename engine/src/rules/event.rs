//! The events of a game: those of the clock, and those of the rules.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::action::{Claimant, IncidentKind, Penalty, Ruling};
use super::profile::Ground;
use crate::{EventKind, Instant, Side};

/// An event of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEvent {
    /// When the event happened.
    pub at: Instant,
    /// What happened.
    pub kind: GameEventKind,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEventKind {
    /// An event of the clock.
    Clock(EventKind),
    /// The arbiter was called: a flag was called, or a player stopped the clocks by a command. A
    /// press of the call button gives [`EventKind::Call`] instead.
    Called {
        /// Who called.
        by: Claimant,
    },
    /// A player claimed a draw, or requested an increment.
    Claim {
        /// The claimant.
        by: Side,
        /// The ground; `None` for a request.
        ground: Option<Ground>,
    },
    /// The arbiter ruled, or the players decided in the arbiter's place.
    Ruling {
        /// The ruling. It is [`Ruling::Lost`] for a loss, whether or not the arbiter named the loser.
        ruling: Ruling,
        /// The side that the ruling is about; `None` if it is about no single side.
        side: Option<Side>,
    },
    /// A penalty was applied.
    Penalty(Penalty),
    /// An illegal move was taken back, or is corrected by agreement of both players because the
    /// opponent had replied to it.
    IllegalMove {
        /// The offender.
        side: Side,
        /// The number of this player's illegal moves that were taken back, including this one. An
        /// illegal move to which the opponent had replied is not counted and has the number 0.
        number: u32,
    },
    /// A player who has not arrived is later than the default time.
    DefaultDue {
        /// The player.
        side: Side,
    },
    /// A player's time fell below the limit at which the duty to keep score ends (S3 3).
    ScoreOff {
        /// The player.
        side: Side,
    },
    /// A finger was kept on a button for longer than the profile's `hold_warning`, or the arbiter
    /// noted this as an incident.
    Hold {
        /// The side of the button.
        side: Side,
    },
    /// The arbiter noted an incident.
    Incident {
        /// The player whom the incident concerns.
        side: Side,
        /// What happened.
        kind: IncidentKind,
    },
}

impl GameEventKind {
    /// The word of the event in the record, in the log and on the bus. A script has other words for
    /// two events: `call` for `called`, and `illegal` for `illegal-move`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameEventKind::Clock(EventKind::Flag { .. }) => "flag",
            GameEventKind::Clock(EventKind::Period { .. }) => "period",
            GameEventKind::Clock(EventKind::Gong { .. }) => "gong",
            GameEventKind::Clock(EventKind::Overtime { .. }) => "overtime",
            GameEventKind::Clock(EventKind::Press { .. }) => "press",
            GameEventKind::Clock(EventKind::Call { .. }) => "call",
            GameEventKind::Called { .. } => "called",
            GameEventKind::Claim { .. } => "claim",
            GameEventKind::Ruling { .. } => "ruling",
            GameEventKind::Penalty(_) => "penalty",
            GameEventKind::IllegalMove { .. } => "illegal-move",
            GameEventKind::DefaultDue { .. } => "default-due",
            GameEventKind::ScoreOff { .. } => "score-off",
            GameEventKind::Hold { .. } => "hold",
            GameEventKind::Incident { .. } => "incident",
        }
    }

    /// The side that the event concerns; `None` if it concerns no single side.
    pub const fn side(self) -> Option<Side> {
        match self {
            GameEventKind::Clock(
                EventKind::Flag { side, .. }
                | EventKind::Period { side, .. }
                | EventKind::Gong { side }
                | EventKind::Overtime { side, .. }
                | EventKind::Press { side, .. },
            )
            | GameEventKind::Called { by: Claimant::Player(side) }
            | GameEventKind::Claim { by: side, .. }
            | GameEventKind::Penalty(Penalty { side, .. })
            | GameEventKind::IllegalMove { side, .. }
            | GameEventKind::DefaultDue { side }
            | GameEventKind::ScoreOff { side }
            | GameEventKind::Hold { side }
            | GameEventKind::Incident { side, .. } => Some(side),
            GameEventKind::Clock(EventKind::Call { .. }) | GameEventKind::Called { .. } => None,
            GameEventKind::Ruling { side, .. } => side,
        }
    }
}

impl From<EventKind> for GameEventKind {
    fn from(kind: EventKind) -> GameEventKind {
        GameEventKind::Clock(kind)
    }
}
