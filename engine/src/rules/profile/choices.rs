//! The values that parameters of a profile can have.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use crate::words::words;
use serde::{Deserialize, Serialize};

words! {
    /// The source whose clauses are cited in refusals and rulings.
    RuleSource {
        /// The Organisers' Handbook: Articles 6 and 10, the articles to which they refer, and the
        /// preface.
        Handbook = "S0",
        /// FIDE Guidelines III: games without increment.
        GuidelinesIii = "S2",
        /// The Irish allegro finish of 1996.
        Allegro = "S3",
        /// Article 6 of the old FIDE Laws.
        Article6 = "S4",
        /// The FIDE Laws of Chess in force from 1 January 2023.
        Fide2023 = "FIDE",
        /// The US Chess rules.
        UsChess = "US",
        /// No source: two players have agreed on the rules, so nothing is cited.
        NoSource = "none",
    }
}

words! {
    /// Who has the arbiter's authority.
    Authority {
        /// An arbiter.
        Arbiter = "arbiter",
        /// The captains of the two teams (S0, preface).
        Captains = "captains",
        /// Nobody: the competition is not supervised (S2 III.6).
        Nobody = "nobody",
    }
}

words! {
    /// Who can call a flag (S0 6.9).
    FlagCaller {
        /// Only the players.
        Players = "players",
        /// The players and the arbiter.
        Arbiter = "arbiter",
        /// The players and the arbiter. The arbiter is required to announce a flag that the players
        /// do not notice (S3 6.3).
        ArbiterMust = "arbiter-must",
    }
}

words! {
    /// When a game in which the moves were not made is drawn instead of lost.
    FlagDrawTest {
        /// The opponent cannot checkmate by any possible series of legal moves (S0 6.10).
        AnySeries = "any-series",
        /// The opponent cannot win (S1).
        CannotWin = "cannot-win",
        /// The opponent has no sufficient mating material (S3 6.2).
        MatingMaterial = "mating-material",
    }
}

words! {
    /// What follows when both flags have fallen and the order is not established.
    BothFlags {
        /// The game continues (S4 6.12).
        Continue = "continue",
        /// The game is drawn if both sides are in the last period (S0 10.3, S2 III.3); otherwise it
        /// continues.
        DrawnInLastPeriod = "drawn-in-last-period",
        /// The game is drawn (S3 6.1).
        Drawn = "drawn",
    }
}

words! {
    /// What follows when both flags have fallen and the order is known.
    BothFlagsOrderKnown {
        /// The side whose flag fell first has lost.
        FirstLoses = "first-loses",
        /// The game is drawn if both sides are in the last period (US 14G); otherwise the side
        /// whose flag fell first has lost.
        DrawnInLastPeriod = "drawn-in-last-period",
    }
}

words! {
    /// From when lateness is counted.
    LateFrom {
        /// From the scheduled start of the session (S0 6.7).
        Session = "session",
        /// From the start of the game (S1).
        Game = "game",
    }
}

words! {
    /// Who is charged for the time before the first arrival if both players are absent.
    BothAbsent {
        /// White (S0 6.6).
        White = "white",
        /// Each player half.
        Split = "split",
        /// Nobody.
        Nobody = "none",
    }
}

words! {
    /// Whether a claim can be based on what a screen, a monitor or the clock's press counter shows.
    DisplayClaims {
        /// A claim can never be based on a display (S0 6.15).
        Never = "never",
        /// A claim can be based on a display only together with something else (S1).
        NotSolely = "not-solely",
    }
}

words! {
    /// Whether a draw claim of a quickplay finish stops the clocks.
    ClaimStops {
        /// The claim stops the clocks (S0 10.2).
        Always = "always",
        /// The player chooses (S2 III.5).
        Chosen = "chosen",
        /// The claim concludes the game: nobody plays on (S2 III.6).
        Concludes = "concludes",
    }
}

words! {
    /// Which amounts an award of time can have.
    AwardChoice {
        /// Exactly the amount of the profile.
        Exact = "exact",
        /// Nothing, or the amount of the profile.
        NothingOrExact = "nothing-or-exact",
        /// Any amount above 0.
        Positive = "positive",
        /// Any amount.
        Any = "any",
    }
}

words! {
    /// What a referred claim needs.
    Referral {
        /// Claims are not referred.
        Refused = "refused",
        /// The details of the claim and a scoresheet (S0, preface).
        Details = "details",
        /// The final position, and for the ground `no-effort` the scoresheet, both verified by the
        /// opponent (S2 III.6.1).
        Verified = "verified",
    }
}

words! {
    /// The rate of play (FIDE, Appendices A and B). It depends on the sum of the time and 60
    /// increments. With several periods, the time for the first 60 moves counts.
    RateOfPlay {
        /// The sum is 60 minutes or more.
        Standard = "standard",
        /// The sum is more than 10 minutes and less than 60.
        Rapid = "rapid",
        /// The sum is 10 minutes or less.
        Blitz = "blitz",
    }
}

/// One value for each rate of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerRate<T> {
    /// For standard chess.
    pub standard: T,
    /// For rapid chess.
    pub rapid: T,
    /// For blitz.
    pub blitz: T,
}

impl<T: Copy> PerRate<T> {
    /// The same value for every rate of play.
    pub const fn all(value: T) -> PerRate<T> {
        PerRate { standard: value, rapid: value, blitz: value }
    }

    /// The value for this rate of play.
    pub const fn of(&self, rate: RateOfPlay) -> T {
        match rate {
            RateOfPlay::Standard => self.standard,
            RateOfPlay::Rapid => self.rapid,
            RateOfPlay::Blitz => self.blitz,
        }
    }
}

words! {
    /// The penalties.
    PenaltyKind {
        /// A warning.
        Warning = "warning",
        /// Time for the opponent.
        OpponentPlus = "opponent-plus",
        /// Time off the offender's clock.
        OffenderMinus = "offender-minus",
        /// The loss of the game.
        Loss = "loss",
        /// Points off the offender's score of this game.
        PointsOff = "points-off",
        /// The opponent gets points, at most as many as a win of this game gives.
        OpponentPoints = "opponent-points",
        /// Expulsion from the event; the game is lost.
        Expulsion = "expulsion",
        /// A fine (FIDE 12.9).
        Fine = "fine",
    }
}

/// What the amount of a penalty is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PenaltyAmount {
    /// Time on a clock.
    Time,
    /// Points that are taken off the offender.
    OffenderPoints,
    /// Points that the opponent gets.
    OpponentPoints,
}

impl PenaltyKind {
    /// What the amount of the penalty is. It is `None` for a penalty without an amount.
    pub const fn amount(self) -> Option<PenaltyAmount> {
        match self {
            PenaltyKind::OpponentPlus | PenaltyKind::OffenderMinus => Some(PenaltyAmount::Time),
            PenaltyKind::PointsOff => Some(PenaltyAmount::OffenderPoints),
            PenaltyKind::OpponentPoints => Some(PenaltyAmount::OpponentPoints),
            PenaltyKind::Warning
            | PenaltyKind::Loss
            | PenaltyKind::Expulsion
            | PenaltyKind::Fine => None,
        }
    }

    /// Whether the penalty warns the offender.
    pub const fn warns(self) -> bool {
        match self {
            PenaltyKind::Warning => true,
            PenaltyKind::OpponentPlus
            | PenaltyKind::OffenderMinus
            | PenaltyKind::Loss
            | PenaltyKind::PointsOff
            | PenaltyKind::OpponentPoints
            | PenaltyKind::Expulsion
            | PenaltyKind::Fine => false,
        }
    }

    /// Whether the penalty has an amount of time.
    pub const fn has_time(self) -> bool {
        matches!(self.amount(), Some(PenaltyAmount::Time))
    }

    /// Whether the penalty has an amount of points.
    pub const fn has_points(self) -> bool {
        self.amount().is_some() && !self.has_time()
    }

    /// Whether the opponent gets the points, and none are taken off the offender.
    pub const fn gives_points(self) -> bool {
        matches!(self.amount(), Some(PenaltyAmount::OpponentPoints))
    }
}

words! {
    /// The grounds of a draw claim.
    Ground {
        /// The opponent cannot win by normal means.
        CannotWin = "cannot-win",
        /// The opponent makes no effort to win by normal means.
        NoEffort = "no-effort",
        /// The same position has appeared, or is about to appear, for the third time (FIDE 9.2).
        Repetition = "repetition",
        /// Each player has made, or is about to have made, fifty moves without a capture or a
        /// pawn's move (FIDE 9.3).
        FiftyMoves = "fifty-moves",
    }
}

impl Ground {
    /// Whether the claim says that the opponent cannot win, or does not try to win, by normal
    /// means. Such claims belong to a quickplay finish. `repetition` and `fifty-moves` are checked
    /// on the scoresheet instead (FIDE 9.5).
    pub const fn is_about_normal_means(self) -> bool {
        matches!(self, Ground::CannotWin | Ground::NoEffort)
    }
}

impl ClaimStops {
    /// Whether a claim on this ground concludes the game, so that only the designated arbiter enters
    /// the result (S2 III.6.1, III.6.2).
    pub const fn conclude(self, ground: Ground) -> bool {
        matches!(self, ClaimStops::Concludes) && ground.is_about_normal_means()
    }
}

/// A set of values that belong to the same enumeration, for example some [`PenaltyKind`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set(pub(super) u16);

macro_rules! set_of {
    ($($name:ident),+) => { $(
        impl From<&[$name]> for Set {
            fn from(values: &[$name]) -> Set {
                Set(values.iter().fold(0, |bits, value| bits | 1 << *value as u16))
            }
        }

        impl $name {
            /// Whether this value is in the set.
            pub const fn is_in(self, set: Set) -> bool {
                set.0 & (1 << self as u16) != 0
            }
        }
    )+ };
}
set_of!(PenaltyKind, RateOfPlay);
