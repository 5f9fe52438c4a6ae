//! Why a game refuses an action or a command: the clause, and what is allowed instead.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

mod reasons;

use super::action::{Claimant, Ruling};
use super::clause::{Cited, Topic, clause, of_clock};
use super::profile::RuleSource;
use crate::{Refused, Side};
use core::fmt;
pub use reasons::Reason;

/// The reason why a game refuses a command. The command has no effect, except that everything due
/// up to its instant has been decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameRefused {
    /// The clock refuses the command.
    Clock {
        /// Why.
        refused: Refused,
        /// The source that the profile of the game cites; `None` without a profile.
        source: Option<RuleSource>,
    },
    /// The rules forbid the command.
    Rules(RuleRefused),
    /// The command needs a rule profile, and the game has none.
    NoProfile,
}

impl From<Refused> for GameRefused {
    fn from(refused: Refused) -> GameRefused {
        GameRefused::Clock { refused, source: None }
    }
}

impl From<RuleRefused> for GameRefused {
    fn from(refused: RuleRefused) -> GameRefused {
        GameRefused::Rules(refused)
    }
}

impl GameRefused {
    /// The refusal with its clause in parentheses, for text that people read.
    pub fn cited(self) -> Cited<GameRefused> {
        Cited::new(self, self.clause())
    }

    /// The code of the reason for programs.
    pub const fn code(self) -> &'static str {
        match self {
            GameRefused::Clock { refused, .. } => refused.code(),
            GameRefused::Rules(_) => "refused-by-rules",
            GameRefused::NoProfile => "no-profile",
        }
    }

    /// Adds the source that the profile of the game cites.
    pub(super) fn under(self, source: RuleSource) -> GameRefused {
        match self {
            GameRefused::Clock { refused, .. } => {
                GameRefused::Clock { refused, source: Some(source) }
            }
            other => other,
        }
    }

    /// The same refusal in a game whose rules await a ruling.
    pub(super) fn awaiting_ruling(self) -> GameRefused {
        match self {
            GameRefused::Clock { refused, source } => {
                GameRefused::Clock { refused: refused.awaiting_ruling(), source }
            }
            other => other,
        }
    }

    /// The clause that forbids the command, in the edition that the profile of the game cites.
    /// `None` if that edition has no clause for it.
    pub fn clause(self) -> Option<&'static str> {
        match self {
            GameRefused::Clock { refused, source: Some(source) } => {
                refused.clause().and_then(|general| of_clock(general, source))
            }
            GameRefused::Clock { refused, source: None } => refused.clause(),
            GameRefused::Rules(refused) => refused.clause(),
            GameRefused::NoProfile => None,
        }
    }
}

impl fmt::Display for GameRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameRefused::Clock { refused, .. } => refused.fmt(f),
            GameRefused::Rules(refused) => refused.fmt(f),
            GameRefused::NoProfile => f.write_str(
                "claims and rulings need a rule profile, and this game has none; one can be set while the clocks stand",
            ),
        }
    }
}

impl core::error::Error for GameRefused {}

/// A refusal by the rules: a reason, and the source whose clauses the profile cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRefused {
    /// The reason.
    pub reason: Reason,
    /// The source that the profile cites.
    pub source: RuleSource,
}

impl RuleRefused {
    /// The clause that forbids the command: the source, a space, and the article as the source
    /// prints it. `None` if the edition that the profile cites has no clause for it.
    /// [`citation`](super::citation) adds the title of the source.
    pub fn clause(self) -> Option<&'static str> {
        clause(self.reason.topic(), self.source)
    }

    /// The refusal with its clause in parentheses, for text that people read.
    pub fn cited(self) -> Cited<RuleRefused> {
        Cited::new(self, self.clause())
    }
}

impl fmt::Display for RuleRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

/// The topic whose clause is cited if this ruling answers no open question.
pub(super) const fn topic_of(ruling: Ruling) -> Topic {
    match ruling {
        Ruling::Postpone | Ruling::Reject => Topic::ClaimRuling,
        Ruling::IncrementAgreed
        | Ruling::IncrementRefused
        | Ruling::DrawAccepted
        | Ruling::DrawRefused => Topic::Request,
        Ruling::OrderUnknown => Topic::BothFlags,
        Ruling::Made | Ruling::NotMade | Ruling::NotEstablished => Topic::NoFlagYet,
        Ruling::Valid | Ruling::NotObvious | Ruling::ObviouslyInvalid => Topic::Stop,
        Ruling::Forfeit | Ruling::Waive => Topic::Default,
        Ruling::Call | Ruling::WhiteLoses | Ruling::BlackLoses | Ruling::Lost | Ruling::Drawn => {
            Topic::FlagCall
        }
    }
}

/// The side of `by` if `by` is a player; otherwise the reason for which the claim is refused.
pub(super) fn player(by: Claimant) -> Result<Side, Reason> {
    match by {
        Claimant::Player(side) => Ok(side),
        Claimant::Arbiter => Err(Reason::ClaimantIsNoPlayer),
        Claimant::Bystander => Err(Reason::Bystander),
    }
}
