//! The parameters of a rule profile, with their names and values in rule files.

use super::Wrong;
use super::values::{
    AfterFlagOrDefault, Count, Duration, DurationPerRate, Kind, OneOf, OrNever, Points, Positive,
    Several, Switch,
};
use crate::rules::{
    Authority, AwardChoice, BothAbsent, BothFlags, BothFlagsOrderKnown, ClaimStops, DisplayClaims,
    FlagCaller, FlagDrawTest, LateFrom, PenaltyKind, Profile, RateOfPlay, Referral, RuleSource,
    citation,
};
use toml::Spanned;
use toml::de::DeValue;

/// One parameter of a rule profile.
pub struct Parameter {
    /// The key of the parameter in a rule file.
    pub key: &'static str,
    /// The clauses from which the parameter comes, separated by commas. [`Parameter::citations`] has
    /// the titles of their sources.
    pub clauses: &'static str,
    /// What the parameter decides, in words.
    pub meaning: &'static str,
    accepted: fn() -> String,
    read: fn(&mut Profile, &Spanned<DeValue<'_>>) -> Result<(), Wrong>,
    write: fn(&Profile) -> String,
}

impl Parameter {
    /// All parameters, in the order in which a rule file is written.
    pub const ALL: &'static [Parameter] = PARAMETERS;

    /// The values that a rule file can give the parameter, in words.
    pub fn accepted(&self) -> String {
        (self.accepted)()
    }

    /// The clauses with the titles of their sources, for text that people read.
    pub fn citations(&self) -> String {
        let mut cited: Vec<String> = Vec::new();
        for clause in self.clauses.split(", ") {
            let clause = citation(clause).to_string();
            // Two of the sources of `cites` have the same title.
            if !cited.contains(&clause) {
                cited.push(clause);
            }
        }
        cited.join(", ")
    }

    /// The value of the parameter in this profile, as TOML.
    pub fn value(&self, profile: &Profile) -> String {
        (self.write)(profile)
    }

    /// Sets the parameter to the value of a rule file. An empty message in the error means that the
    /// value is of another kind.
    pub(super) fn read(
        &self,
        profile: &mut Profile,
        given: &Spanned<DeValue<'_>>,
    ) -> Result<(), Wrong> {
        (self.read)(profile, given)
    }
}

/// Builds the list of [`Parameter`]s from lines `key: Kind, "clauses", "meaning";`. The key is the
/// name of the field of [`Profile`], except `game_points`, whose field is `game_half_points`.
macro_rules! parameters {
    (@one $key:ident, $field:ident, $kind:ty, $clauses:literal, $meaning:literal) => {
        Parameter {
            key: stringify!($key),
            clauses: $clauses,
            meaning: $meaning,
            accepted: <$kind>::accepted,
            read: |profile, given| {
                profile.$field = <$kind>::read(given)?;
                Ok(())
            },
            write: |profile| <$kind>::write(profile.$field),
        }
    };
    ($($key:ident: $kind:ty, $clauses:literal, $meaning:literal;)+) => {
        &[$( parameters!(@field $key, $kind, $clauses, $meaning) ),+]
    };
    (@field game_points, $kind:ty, $clauses:literal, $meaning:literal) => {
        parameters!(@one game_points, game_half_points, $kind, $clauses, $meaning)
    };
    (@field $key:ident, $kind:ty, $clauses:literal, $meaning:literal) => {
        parameters!(@one $key, $key, $kind, $clauses, $meaning)
    };
}

const PARAMETERS: &[Parameter] = parameters![
    cites: OneOf<RuleSource>, "S0, S2, S3, S4, FIDE, US",
        "The edition whose clauses are cited in rulings and refusals: S0 the Chess Organisers' Handbook, S2 \
         FIDE Guidelines III with the FIDE Laws of 2023, S3 the Irish allegro rules, S4 FIDE Laws, Article 6, of \
         the old FIDE Laws, FIDE the FIDE Laws of 2023, US the US Chess rules, none no clause at all.";
    authority: OneOf<Authority>, "S0 preface, S2 III.6",
        "Who has the arbiter's authority.";

    after_flag: AfterFlagOrDefault, "S0 6.3, US 14G",
        "What the clocks do at the final flag, where the time control does not say it: both stop (halt), \
         they run on (run), or the default of the control.";
    flag_caller: OneOf<FlagCaller>, "S0 6.9, S3 6.3",
        "Who can call a flag: the players only, the arbiter too, or the arbiter has to (arbiter-must).";
    flag_draw_test: OneOf<FlagDrawTest>, "S0 6.10, S1, S3 6.2",
        "When a game is drawn although the moves were not made: the opponent cannot mate by any series of \
         legal moves, cannot win, or has no mating material.";
    both_flags: OneOf<BothFlags>, "S0 6.12, S0 10.3, S2 III.3, S3 6.1",
        "What follows when both flags have fallen and the order is not established.";
    both_flags_order_known: OneOf<BothFlagsOrderKnown>, "S0 6.10, US 14G",
        "What follows when both flags have fallen and the order is known.";

    black_starts: Switch, "S0 6.5",
        "Whether Black's press starts White's clock.";
    default_after: Duration, "S0 6.7, FIDE 6.7",
        "A player who arrives more than this after the start has lost by default.";
    late_from: OneOf<LateFrom>, "S0 6.7, S1",
        "From when lateness is counted: the scheduled start of the session, or the start of the game.";
    both_absent: OneOf<BothAbsent>, "S0 6.6",
        "Who is charged for the time before the first arrival if both players are absent.";

    hold_warning: OrNever<Positive>, "S0 6.8b, S3 4.1",
        "A button that is held longer than this is noted as an incident.";
    force_needs_warning: Switch, "S3 4.4",
        "Whether a loss for undue force needs an earlier warning.";
    penalties: Several<PenaltyKind>, "S0 13.4, FIDE 12.9",
        "The penalties that can be applied.";
    game_points: Points, "S0 13.4",
        "The points of a won game: the most that a penalty in points can be.";

    show_moves: Switch, "S0 6.15, FIDE 12.6",
        "Whether the players' display shows the press counters.";
    display_claims: OneOf<DisplayClaims>, "S0 6.15, S1, FIDE 6.12.2",
        "Whether a claim can rest on what a screen or a press counter shows: never, or not on that alone.";
    score_off_below: OrNever<Positive>, "S3 3",
        "The duty to keep score ends below this time; the instant is noted.";

    claim_below: OrNever<Positive>, "S0 10.2, S2 III.5, S2 III.6.1, S3 7",
        "Draw claims of a quickplay finish are open to a player with less than this time.";
    claim_below_inclusive: Switch, "S0 10.2, S3 7",
        "Whether such a claim is open at exactly that time, too.";
    claim_on_move: Switch, "S0 10.2, S2 III.5, S2 III.6.1, S3 7",
        "Whether the claimant has to be on move.";
    claims_with_increment: Switch, "S0 10.1, S2 III.2.2",
        "Whether such claims are open with an increment or a delay, too.";
    claim_stops: OneOf<ClaimStops>, "S0 10.2, S2 III.5, S2 III.6.1",
        "Whether the claim stops the clocks, the player chooses, or the claim concludes the game.";
    position_claims: Switch, "FIDE 9.2, FIDE 9.3, FIDE 9.5",
        "Whether a draw by repetition or by fifty moves can be claimed on the clock.";
    offer_before_claim: Switch, "S0 preface, S3 9.2",
        "Whether a draw offer, with its answer on record, comes before a claim.";
    reject_award: Duration, "S0 10.2c, S2 III.5.3, S3 7",
        "The opponent's extra time after a rejected claim, as it is proposed.";
    reject_choice: OneOf<AwardChoice>, "S0 10.2c, S2 III.5.3, S3 7",
        "Which amounts this extra time can have.";
    postpone_award: Duration, "S0 10.2b, S2 III.5.2, S3 7",
        "The opponent's extra time after a postponed claim, if the arbiter gives it.";
    postpone_choice: OneOf<AwardChoice>, "S0 10.2b, S2 III.5.2, S3 7",
        "Which amounts this extra time can have.";
    drawn_before_flag: Switch, "S0 10.2b, S2 III.5.2, S3 7",
        "Whether a postponed claim can be ruled drawn before a flag has fallen.";
    progress_wins: Switch, "S3 10.2",
        "Whether the opponent can be given a win for clear progress before the flag.";
    claim_final: Switch, "S0 10.2d",
        "Whether a ruling on a claim is final, so that the game cannot be reopened.";
    postpone_halves_time: Switch, "US 14H",
        "Whether a postponed claim takes half of the claimant's time.";
    postpone_delay: OrNever<Positive>, "US 14H",
        "The delay for both players that a postponed claim puts on the clock.";
    arbiter_draws: Switch, "S3 8, S3 10.3",
        "Whether the arbiter can award a draw without a claim, in the time in which claims are open.";
    wrong_claim_award: DurationPerRate, "FIDE 9.5.3, FIDE A.3, FIDE B.3",
        "The opponent's extra time after a wrong claim of repetition or of fifty moves.";
    referral: OneOf<Referral>, "S0 preface, S2 III.6.1, S2 III.6.2",
        "What a claim needs that is referred to the designated arbiter.";

    requested_increment: OrNever<Positive>, "S2 III.4",
        "The increment for both players that a player can request in the time in which claims are open.";
    request_award: Duration, "S2 III.4",
        "The opponent's extra time if the arbiter agrees to the request.";
    rates: Several<RateOfPlay>, "S2 III.2.2",
        "The rates of play for which the profile holds.";
    increments_allowed: Switch, "S2 III.2.2",
        "Whether the profile holds with an increment or a delay.";
    announced_before_start: Switch, "S2 III.2.1",
        "Whether the profile has to be announced before the start of the game.";

    illegal_award: DurationPerRate, "S3 5.1, FIDE 7.5.5, FIDE A.3, FIDE B.3, US 11D",
        "The opponent's extra time after an illegal move.";
    illegal_choice: OneOf<AwardChoice>, "S3 5.1, FIDE 7.5.5, US 11D",
        "Which amounts the arbiter's own award after an illegal move can have.";
    illegal_loses_at: Count, "FIDE 7.5.5",
        "The number of the illegal move of a player that loses the game; 0 if none does.";
    illegal_claim_award: Duration, "S3 5.2",
        "The opponent's extra time after an illegal move if the opponent claims it in time trouble.";
    illegal_claim_below: OrNever<Positive>, "S3 5.2",
        "The time below which the opponent can claim that.";
    illegal_after_rewind: Switch, "S3 5.3",
        "Whether an illegal move that was replied to is handled like any other once the clock is set back to it.";

    adjournment: Switch, "FIDE Guidelines I",
        "Whether a game can be adjourned.";
    setting_moves: OrNever<Count>, "FIDE A.5.1.1",
        "The moves of each player after which the increment or the delay is changed only if the schedule would \
         suffer otherwise.";
];
