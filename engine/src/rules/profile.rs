//! Rule profiles: what one set of laws says where the laws differ from each other.

use super::words::words;
use crate::{AfterFlag, Span};

words! {
    /// The source whose clauses are cited in refusals and rulings.
    Source {
        /// The Organisers' Handbook: Articles 6, 10 and 13.4.
        Handbook = "S0",
        /// FIDE Guidelines III: games without increment.
        GuidelinesIii = "S2",
        /// The Irish allegro finish of 1996.
        Allegro = "S3",
        /// FIDE Article 6.
        Article6 = "S4",
        /// The FIDE Laws of Chess of 2023.
        Fide2023 = "FIDE",
        /// The US Chess rules.
        UsChess = "US",
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
        /// The players and the arbiter, who is required to announce a flag that they do not notice
        /// (S3 6.3).
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
        /// The game continues, but is drawn in the last period (S0 10.3, S2 III.3).
        DrawnInLastPeriod = "drawn-in-last-period",
        /// The game is drawn (S3 6.1).
        Drawn = "drawn",
    }
}

words! {
    /// What follows when both flags have fallen and the order is known.
    KnownOrder {
        /// The side whose flag fell first has lost.
        FirstLoses = "first-loses",
        /// In the last period the game is drawn (US 14G).
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
    /// Which penalty answers improper handling of the clock.
    HandlingPenalty {
        /// A penalty of S0 13.4 other than a warning.
        BeyondWarning = "beyond-warning",
        /// Any penalty; a warning suffices (S3 4.4).
        Warning = "warning",
    }
}

words! {
    /// Whether a claim can rest on what a screen, a monitor or the clock's move counter shows.
    DisplayClaims {
        /// Never (S0 6.15).
        Never = "never",
        /// Not on that alone (S1).
        NotSolely = "not-solely",
    }
}

words! {
    /// Whether a draw claim stops the clocks.
    ClaimStops {
        /// It stops them (S0 10.2).
        Always = "always",
        /// The player chooses (S2 III.5).
        Chosen = "chosen",
        /// It concludes the game (S2 III.6).
        Concludes = "concludes",
    }
}

words! {
    /// Which amounts an award can have.
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
        /// The final position, and for the ground `no-effort` the scoresheet, both verified by the opponent
        /// (S2 III.6.1).
        Verified = "verified",
    }
}

words! {
    /// The rate of play (FIDE, Appendices A and B): time and 60 times the increment together. With
    /// several periods the time for the first 60 moves counts.
    RateOfPlay {
        /// 60 minutes or more.
        Standard = "standard",
        /// More than 10 minutes and less than 60.
        Rapid = "rapid",
        /// 10 minutes or less.
        Blitz = "blitz",
    }
}

/// One value for each rate of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
        /// Points for the opponent, up to the maximum of this game.
        OpponentPoints = "opponent-points",
        /// Expulsion from the event; the game is lost.
        Expulsion = "expulsion",
        /// A fine (FIDE 12.9).
        Fine = "fine",
    }
}

words! {
    /// The grounds of a draw claim.
    Ground {
        /// The opponent cannot win by normal means.
        CannotWin = "cannot-win",
        /// The opponent makes no effort to win by normal means.
        NoEffort = "no-effort",
        /// The same position has come, or comes, for the third time (FIDE 9.2).
        Repetition = "repetition",
        /// Fifty moves of each player without a capture or a pawn's move (FIDE 9.3).
        FiftyMoves = "fifty-moves",
    }
}

impl Ground {
    /// Whether the claim is about normal means, as in a quickplay finish. The other grounds are decided
    /// by the scoresheet (FIDE 9.5).
    pub const fn is_about_normal_means(self) -> bool {
        matches!(self, Ground::CannotWin | Ground::NoEffort)
    }
}

/// A set of values of one of the enumerations of this module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set(u16);

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

/// A rule profile. Spans that are `None` mean that the profile has no such rule.
///
/// [`Profile::default`] is FIDE Article 6 (S4) alone; every other profile changes some of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The source whose clauses are cited.
    pub cites: Source,
    /// Who has the arbiter's authority.
    pub authority: Authority,

    /// What happens at the final flag, for controls that do not say it themselves. `None` leaves the
    /// default of the control.
    pub after_flag: Option<AfterFlag>,
    /// Who can call a flag.
    pub flag_caller: FlagCaller,
    /// When a game in which the moves were not made is drawn.
    pub flag_draw_test: FlagDrawTest,
    /// Both flags down, order not established.
    pub both_flags: BothFlags,
    /// Both flags down, order known.
    pub known_order: KnownOrder,

    /// Whether Black's press starts White's clock (S0 6.5).
    pub black_starts: bool,
    /// A player who arrives more than this after the start has lost by default (S0 6.7).
    pub default_after: Span,
    /// From when this is counted.
    pub late_from: LateFrom,
    /// Who is charged while both players are absent.
    pub both_absent: BothAbsent,

    /// A button held longer than this is noted as an incident (S0 6.8b).
    pub hold_warning: Option<Span>,
    /// Which penalty answers improper handling of the clock (S0 6.8c).
    pub handling_penalty: HandlingPenalty,
    /// Whether a loss for undue force needs a warning first (S3 4.4).
    pub force_needs_warning: bool,
    /// The penalties that can be applied.
    pub penalties: Set,
    /// The points of a won game, in half points: the most that `opponent-points` and `points-off` can be.
    pub game_half_points: u32,

    /// Whether the players' display shows the press counters (S0 6.15).
    pub show_moves: bool,
    /// Whether a claim can rest on a display.
    pub display_claims: DisplayClaims,
    /// The duty to keep score ends below this time; crossing it is noted (S3 3).
    pub score_off_below: Option<Span>,

    /// Draw claims of a quickplay finish are open below this time; `None`: there are none.
    pub claim_below: Option<Span>,
    /// Whether exactly that time is low enough (S3 7).
    pub claim_at_limit: bool,
    /// Whether the claimant has to be on move.
    pub claim_on_move: bool,
    /// Whether such a claim is open with an increment or a delay, too.
    pub claims_with_increment: bool,
    /// Whether the claim stops the clocks.
    pub claim_stops: ClaimStops,
    /// Whether a claim of repetition or of fifty moves can be made on the clock (FIDE 9.5).
    pub position_claims: bool,
    /// Whether a claim is prefaced by a draw offer, whose answer is recorded.
    pub offer_before_claim: bool,
    /// The opponent's time after a rejected claim.
    pub reject_award: Span,
    /// Which amounts it can have.
    pub reject_choice: AwardChoice,
    /// The opponent's time after a postponed claim.
    pub postpone_award: Span,
    /// Which amounts it can have. Nothing is proposed in any case.
    pub postpone_choice: AwardChoice,
    /// Whether a postponed claim can be ruled drawn before a flag has fallen.
    pub drawn_before_flag: bool,
    /// Whether the opponent can be given a win for clear progress before the flag (S3 10.2).
    pub progress_wins: bool,
    /// Whether a ruling on a claim is final, so that the game cannot be reopened (S0 10.2d).
    pub claim_final: bool,
    /// Whether a postponed claim halves the claimant's time (US 14H).
    pub postpone_halves_time: bool,
    /// The delay that a postponed claim puts on the clock (US 14H).
    pub postpone_delay: Option<Span>,
    /// Whether the arbiter can award a draw without a claim, in the time in which claims are open (S3 8).
    pub arbiter_draws: bool,
    /// The opponent's time after a wrong claim of repetition or of fifty moves (FIDE 9.5.3).
    pub wrong_claim_award: PerRate<Span>,
    /// What a referred claim needs.
    pub referral: Referral,

    /// The increment that a player can request below `claim_below` (S2 III.4).
    pub requested_increment: Option<Span>,
    /// The opponent's time if the arbiter agrees to the request.
    pub request_award: Span,
    /// The rates of play for which the profile holds (S2 III.2.2).
    pub rates: Set,
    /// Whether it holds with an increment or a delay (S2 III.2.2).
    pub increments_allowed: bool,
    /// Whether it has to be announced before the start (S2 III.2.1).
    pub announced_before_start: bool,

    /// The opponent's time after an illegal move.
    pub illegal_award: PerRate<Span>,
    /// The number of the illegal move that loses the game; 0 if none does.
    pub illegal_loses_at: u32,
    /// The opponent's time if the opponent claims it and had less than `illegal_claim_below` (S3 5.2).
    pub illegal_claim_award: Span,
    /// See `illegal_claim_award`; `None`: such a claim has no effect.
    pub illegal_claim_below: Option<Span>,

    /// Whether a game can be adjourned.
    pub adjournment: bool,
    /// Once both players have made this many moves, the increment and the delay are changed only if the
    /// schedule would suffer otherwise (FIDE A.5.1.1); `None`: there is no such limit.
    pub setting_moves: Option<u32>,
}

impl Default for Profile {
    fn default() -> Profile {
        let minutes = |minutes: u64| Span::from_secs(60 * minutes);
        Profile {
            cites: Source::Article6,
            authority: Authority::Arbiter,
            after_flag: None,
            flag_caller: FlagCaller::Arbiter,
            flag_draw_test: FlagDrawTest::AnySeries,
            both_flags: BothFlags::Continue,
            known_order: KnownOrder::FirstLoses,
            black_starts: true,
            default_after: minutes(60),
            late_from: LateFrom::Session,
            both_absent: BothAbsent::White,
            hold_warning: Some(Span::from_secs(3)),
            handling_penalty: HandlingPenalty::BeyondWarning,
            force_needs_warning: false,
            penalties: PenaltyKind::ALL[..7].into(),
            game_half_points: 2,
            show_moves: true,
            display_claims: DisplayClaims::Never,
            score_off_below: None,
            claim_below: None,
            claim_at_limit: false,
            claim_on_move: true,
            claims_with_increment: true,
            claim_stops: ClaimStops::Always,
            position_claims: false,
            offer_before_claim: false,
            reject_award: minutes(2),
            reject_choice: AwardChoice::Positive,
            postpone_award: minutes(2),
            postpone_choice: AwardChoice::NothingOrExact,
            drawn_before_flag: false,
            progress_wins: false,
            claim_final: false,
            postpone_halves_time: false,
            postpone_delay: None,
            arbiter_draws: false,
            wrong_claim_award: PerRate::all(Span::ZERO),
            referral: Referral::Refused,
            requested_increment: None,
            request_award: minutes(2),
            rates: RateOfPlay::ALL.into(),
            increments_allowed: true,
            announced_before_start: false,
            illegal_award: PerRate::all(Span::ZERO),
            illegal_loses_at: 0,
            illegal_claim_award: Span::ZERO,
            illegal_claim_below: None,
            adjournment: true,
            setting_moves: None,
        }
    }
}
