//! Rule profiles. Sets of laws differ on some points, and a profile says which rule holds on each
//! of them.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

mod choices;
mod serialization;

pub use choices::{
    Authority, AwardChoice, BothAbsent, BothFlags, BothFlagsOrderKnown, ClaimStops, DisplayClaims,
    FlagCaller, FlagDrawTest, Ground, LateFrom, PenaltyAmount, PenaltyKind, PerRate, RateOfPlay,
    Referral, RuleSource, Set,
};

use crate::{AfterFlag, Span};
use serde::{Deserialize, Serialize};

/// A rule profile. If a field that is an optional span is `None`, the profile has no such rule.
///
/// [`Profile::default`] is FIDE Article 6 (S4) alone; every other profile changes some of its
/// parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The source whose clauses are cited.
    pub cites: RuleSource,
    /// Who has the arbiter's authority.
    pub authority: Authority,

    /// What happens at the final flag, if the control has no `after_flag` of its own. `None` leaves
    /// the default of the control.
    pub after_flag: Option<AfterFlag>,
    /// Who can call a flag.
    pub flag_caller: FlagCaller,
    /// When a game in which the moves were not made is drawn.
    pub flag_draw_test: FlagDrawTest,
    /// What follows if both flags are down and their order is not established.
    pub both_flags: BothFlags,
    /// What follows if both flags are down and their order is known.
    // The serialised field keeps its earlier name, so that records of earlier versions can be read.
    #[serde(rename = "known_order")]
    pub both_flags_order_known: BothFlagsOrderKnown,

    /// Whether Black's press starts White's clock (S0 6.5).
    pub black_starts: bool,
    /// A player who arrives more than this after the start (see `late_from`) has lost by default
    /// (S0 6.7), unless the arbiter waives it.
    pub default_after: Span,
    /// The start from which `default_after` is counted.
    pub late_from: LateFrom,
    /// Who is charged for the time in which both players are absent.
    pub both_absent: BothAbsent,

    /// If a finger is kept on a button for longer than this, an event reports it (S0 6.8b).
    pub hold_warning: Option<Span>,
    /// Whether a loss for undue force needs a warning first (S3 4.4).
    pub force_needs_warning: bool,
    /// The penalties that can be applied.
    #[serde(with = "serialization::penalties")]
    pub penalties: Set,
    /// The points of a won game, in half points. The penalties `opponent-points` and `points-off`
    /// can have at most this many.
    pub game_half_points: u32,

    /// Whether the players' display shows the press counters (S0 6.15).
    pub show_moves: bool,
    /// Whether a claim can be based on a display.
    pub display_claims: DisplayClaims,
    /// The time below which a player need not keep score (S3 3). An event notes when a player's
    /// time falls below it.
    pub score_off_below: Option<Span>,

    /// Draw claims of a quickplay finish are allowed to a player with less than this time; `None`:
    /// there are no such claims.
    pub claim_below: Option<Span>,
    /// Whether a draw claim of a quickplay finish is allowed with exactly `claim_below`, too (S3
    /// 7).
    // The serialised field keeps its earlier name, so that records of earlier versions can be read.
    #[serde(rename = "claim_at_limit")]
    pub claim_below_inclusive: bool,
    /// Whether the claimant in a quickplay finish has to be on move. For a claim of repetition or
    /// of fifty moves this is always required.
    pub claim_on_move: bool,
    /// Whether a claim of a quickplay finish is allowed even if there is an increment or a delay.
    pub claims_with_increment: bool,
    /// Whether a claim of a quickplay finish stops the clocks. A claim of repetition or of fifty
    /// moves always stops them.
    pub claim_stops: ClaimStops,
    /// Whether the clock accepts claims of repetition and of fifty moves (FIDE 9.5).
    pub position_claims: bool,
    /// Whether a draw offer comes before a claim. The answer to the offer is recorded.
    pub offer_before_claim: bool,
    /// The time that the opponent gets after a rejected claim, unless the arbiter chooses another
    /// amount (see `reject_choice`).
    pub reject_award: Span,
    /// Which amounts the award after a rejected claim can have.
    pub reject_choice: AwardChoice,
    /// The time that the opponent can get after a postponed claim.
    pub postpone_award: Span,
    /// Which amounts the award after a postponed claim can have. A postponement that names no
    /// amount gives nothing.
    pub postpone_choice: AwardChoice,
    /// Whether a postponed claim can be ruled drawn before a flag has fallen.
    pub drawn_before_flag: bool,
    /// Whether the arbiter can rule, before a flag has fallen, that the claimant of a postponed
    /// claim has lost, because the opponent makes clear progress (S3 10.2).
    pub progress_wins: bool,
    /// Whether a ruling on a claim that ends the game is final, so that the game cannot be reopened
    /// (S0 10.2d).
    pub claim_final: bool,
    /// Whether a postponed claim halves the claimant's time (US 14H).
    pub postpone_halves_time: bool,
    /// The delay that a postponed claim puts on the clock (US 14H).
    pub postpone_delay: Option<Span>,
    /// Whether the arbiter can award a draw without a claim while a player's time is low enough for
    /// claims (S3 8).
    pub arbiter_draws: bool,
    /// The time that the opponent gets after a wrong claim of repetition or of fifty moves (FIDE
    /// 9.5.3).
    pub wrong_claim_award: PerRate<Span>,
    /// What a referred claim needs.
    pub referral: Referral,

    /// The increment that a player with less time than `claim_below` can request (S2 III.4).
    pub requested_increment: Option<Span>,
    /// The time that the opponent gets if the arbiter agrees to a request for an increment.
    pub request_award: Span,
    /// The rates of play with which the profile can be used (S2 III.2.2).
    #[serde(with = "serialization::rates")]
    pub rates: Set,
    /// Whether the profile can be used with a time control that has an increment or a delay (S2
    /// III.2.2).
    pub increments_allowed: bool,
    /// Whether the profile has to be announced before the start, so that no game that has begun can
    /// change to it (S2 III.2.1).
    pub announced_before_start: bool,

    /// The time that the opponent gets after an illegal move, unless the arbiter chooses another
    /// amount (see `illegal_choice`).
    pub illegal_award: PerRate<Span>,
    /// Which amounts the arbiter can choose instead of `illegal_award` after an illegal move.
    pub illegal_choice: AwardChoice,
    /// The number of illegal moves with which a player loses the game; 0 if no number of them loses
    /// the game.
    pub illegal_loses_at: u32,
    /// The time that the opponent gets after an illegal move if the opponent claims it and had less
    /// than `illegal_claim_below` left at the press that completed the move (S3 5.2).
    pub illegal_claim_award: Span,
    /// The time below which the opponent can claim `illegal_claim_award`; `None`: such a claim has
    /// no effect.
    pub illegal_claim_below: Option<Span>,
    /// Whether an illegal move to which the opponent has replied is handled like any other once the
    /// clock is set back to it. If not, it is corrected only if both players agree (S3 5.3).
    #[serde(default = "serialization::yes")]
    pub illegal_after_rewind: bool,

    /// Whether a game can be adjourned.
    pub adjournment: bool,
    /// In rapid chess and blitz, once both players have made this many moves, the increment and the
    /// delay can be changed only if the schedule would suffer otherwise (FIDE A.5.1.1). `None`:
    /// there is no such limit.
    pub setting_moves: Option<u32>,
}

impl Default for Profile {
    fn default() -> Profile {
        let minutes = |minutes: u64| Span::from_secs(60 * minutes);
        Profile {
            cites: RuleSource::Article6,
            authority: Authority::Arbiter,
            after_flag: None,
            flag_caller: FlagCaller::Arbiter,
            flag_draw_test: FlagDrawTest::AnySeries,
            both_flags: BothFlags::Continue,
            both_flags_order_known: BothFlagsOrderKnown::FirstLoses,
            black_starts: true,
            default_after: minutes(60),
            late_from: LateFrom::Session,
            both_absent: BothAbsent::White,
            hold_warning: Some(Span::from_secs(3)),
            force_needs_warning: false,
            penalties: PenaltyKind::ALL[..7].into(),
            game_half_points: 2,
            show_moves: true,
            display_claims: DisplayClaims::Never,
            score_off_below: None,
            claim_below: None,
            claim_below_inclusive: false,
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
            illegal_choice: AwardChoice::Any,
            illegal_loses_at: 0,
            illegal_claim_award: Span::ZERO,
            illegal_claim_below: None,
            illegal_after_rewind: true,
            adjournment: true,
            setting_moves: None,
        }
    }
}
