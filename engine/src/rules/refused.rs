//! Why a game refuses an action or a command: the clause, and what is allowed instead.

use super::action::{Claimant, Confirmation, Decision};
use super::clause::{Topic, clause};
use super::profile::{AwardChoice, PenaltyKind, RateOfPlay, Source};
use crate::{Refused, Side, Span};
use core::fmt;

/// Why a game refuses something. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameRefused {
    /// The clock refuses it.
    Clock(Refused),
    /// The rules forbid it.
    Rules(RuleRefused),
    /// It needs a rule profile, and the game has none.
    NoProfile,
}

impl From<Refused> for GameRefused {
    fn from(refused: Refused) -> GameRefused {
        GameRefused::Clock(refused)
    }
}

impl From<RuleRefused> for GameRefused {
    fn from(refused: RuleRefused) -> GameRefused {
        GameRefused::Rules(refused)
    }
}

impl GameRefused {
    /// The code of the reason for programs.
    pub const fn code(self) -> &'static str {
        match self {
            GameRefused::Clock(refused) => refused.code(),
            GameRefused::Rules(_) => "refused-by-rules",
            GameRefused::NoProfile => "no-profile",
        }
    }

    /// The clause that forbids it, if there is one.
    pub fn clause(self) -> Option<&'static str> {
        match self {
            GameRefused::Clock(refused) => refused.clause(),
            GameRefused::Rules(refused) => Some(refused.clause()),
            GameRefused::NoProfile => None,
        }
    }
}

impl fmt::Display for GameRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameRefused::Clock(refused) => refused.fmt(f),
            GameRefused::Rules(refused) => refused.fmt(f),
            GameRefused::NoProfile => f.write_str(
                "claims and rulings need a rule profile, and this game has none; set up a game with one",
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
    pub source: Source,
}

/// Why the rules forbid something. The text of each reason says what is allowed instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the text of each reason says what it is")]
pub enum Reason {
    Bystander,
    ArbiterCannotCall,
    DisplayAlone,
    DisplayNever,
    NoFlag,
    FlagCalled,
    ClaimantIsNoPlayer,
    NoQuickplayClaims,
    NoPositionClaims,
    NotOnMove(Side),
    TooMuchTimeLeft { left: Span, limit: Span, at_limit: bool },
    ClaimantFlagged,
    NotLastPeriod,
    ClaimWithIncrement,
    ClaimOpen,
    RulingAwaited,
    RequestAgreed,
    NoRequests,
    RequestOpen,
    NoOffer,
    OfferNotAnswered,
    OfferAnswered,
    NothingToRule(Decision),
    NotCalled,
    MadeInLastPeriod,
    OverrunTooLong { overrun: Span, time: Span },
    FlagAnswered,
    NotBothFlags,
    OrderKnown,
    OrderUnknown,
    OnlyDrawn,
    AlreadyPostponed,
    NotBeforeFlag,
    NotWithoutFlag,
    ThirdIllegalOnly,
    Award { award: Span, choice: AwardChoice, of: Span, on: Topic },
    AwardToFlagged,
    AwardNotHere(Decision),
    Unsupervised,
    NoStop,
    StopPenaltyDue,
    HandlingPenaltyDue(Side),
    PenaltyNotListed(PenaltyKind),
    PenaltyTime(PenaltyKind),
    PenaltyPoints { kind: PenaltyKind, most: u32 },
    ForceNeedsWarning,
    RepliedTo(Side),
    AlreadyArrived(Side),
    NotLate(Side),
    NotConfirmed,
    NothingToConfirm(Confirmation),
    NoReferral,
    NothingToRefer,
    AlreadyReferred,
    ReferralNeedsDetails,
    ReferralNeedsPosition,
    ReferralNeedsScoresheet,
    ReferFirst,
    Concluded,
    Adjourned,
    NotAdjourned,
    NoAdjournment,
    SealerNotOnMove(Side),
    NoArbitersDraw,
    ArbitersDrawAbove(Span),
    ArbitersDrawOnly,
    ClaimFinal,
    WrongRate(RateOfPlay),
    WithIncrement,
    NotAnnounced,
    SettingFixed(u32),
}

impl RuleRefused {
    /// The clause that forbids it: source, space, article as the source prints it.
    pub fn clause(self) -> &'static str {
        clause(self.reason.topic(), self.source)
    }
}

impl Reason {
    fn topic(self) -> Topic {
        match self {
            // Only S0 6.9 names who can observe a flag or claim it.
            Reason::Bystander => Topic::Bystander,
            Reason::ArbiterCannotCall | Reason::NoFlag | Reason::FlagCalled | Reason::NotCalled => {
                Topic::FlagCall
            }
            Reason::DisplayAlone | Reason::DisplayNever => Topic::Displays,
            Reason::ClaimantIsNoPlayer
            | Reason::NotOnMove(_)
            | Reason::TooMuchTimeLeft { .. }
            | Reason::ClaimantFlagged
            | Reason::ClaimOpen => Topic::DrawClaim,
            Reason::NoQuickplayClaims => Topic::NoQuickplayClaims,
            Reason::NotLastPeriod => Topic::QuickplayFinish,
            Reason::NoPositionClaims => Topic::PositionClaim,
            Reason::RequestAgreed => Topic::DrawClaim,
            Reason::ClaimWithIncrement | Reason::WrongRate(_) | Reason::WithIncrement => {
                Topic::Controls
            }
            Reason::NoRequests
            | Reason::RequestOpen
            | Reason::NoOffer
            | Reason::OfferNotAnswered
            | Reason::OfferAnswered => Topic::Request,
            Reason::NothingToRule(decision) => match decision {
                Decision::Postpone | Decision::Reject => Topic::ClaimRuling,
                Decision::Accept | Decision::Agree | Decision::Refuse => Topic::Request,
                Decision::OrderUnknown => Topic::BothFlags,
                _ => Topic::FlagCall,
            },
            Reason::AwardNotHere(_) => Topic::Penalties,
            Reason::MadeInLastPeriod | Reason::OverrunTooLong { .. } | Reason::FlagAnswered => {
                Topic::MovesNotMade
            }
            Reason::NotBothFlags | Reason::OrderUnknown | Reason::OnlyDrawn => Topic::BothFlags,
            Reason::OrderKnown => Topic::Indication,
            Reason::AlreadyPostponed | Reason::NotBeforeFlag | Reason::NotWithoutFlag => {
                Topic::Postponed
            }
            Reason::ThirdIllegalOnly => Topic::IllegalMove,
            Reason::Award { on, .. } => on,
            Reason::AwardToFlagged => Topic::Rejected,
            Reason::Unsupervised | Reason::ReferFirst => Topic::Unsupervised,
            Reason::NoStop | Reason::StopPenaltyDue => Topic::Stop,
            Reason::HandlingPenaltyDue(_) => Topic::Handling,
            Reason::PenaltyNotListed(PenaltyKind::Fine) => Topic::Fine,
            Reason::PenaltyNotListed(_) | Reason::PenaltyTime(_) | Reason::PenaltyPoints { .. } => {
                Topic::Penalties
            }
            Reason::ForceNeedsWarning => Topic::Force,
            Reason::RepliedTo(_) => Topic::RepliedTo,
            Reason::AlreadyArrived(_) => Topic::Arrival,
            Reason::NotLate(_) => Topic::Default,
            Reason::RulingAwaited | Reason::NotConfirmed | Reason::NothingToConfirm(_) => {
                Topic::Restart
            }
            Reason::NoReferral
            | Reason::NothingToRefer
            | Reason::AlreadyReferred
            | Reason::ReferralNeedsDetails => Topic::Referral,
            Reason::ReferralNeedsPosition => Topic::ReferredPosition,
            Reason::ReferralNeedsScoresheet => Topic::ReferredScoresheet,
            Reason::Concluded => Topic::Concluded,
            Reason::Adjourned
            | Reason::NotAdjourned
            | Reason::NoAdjournment
            | Reason::SealerNotOnMove(_) => Topic::Adjournment,
            Reason::NoArbitersDraw | Reason::ArbitersDrawAbove(_) | Reason::ArbitersDrawOnly => {
                Topic::ArbitersDraw
            }
            Reason::ClaimFinal => Topic::Final,
            Reason::NotAnnounced => Topic::Announced,
            Reason::SettingFixed(_) => Topic::Setting,
        }
    }
}

impl fmt::Display for RuleRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl fmt::Display for Reason {
    #[expect(clippy::too_many_lines, reason = "one text for each reason")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Reason::Bystander => {
                "only a player or the arbiter can call a flag or claim; tell the arbiter what was seen"
            }
            Reason::ArbiterCannotCall => {
                "under these rules only the players call a flag; a player can still call it"
            }
            Reason::DisplayAlone => {
                "a claim cannot rest on a display alone; name what it rests on beside the display"
            }
            Reason::DisplayNever => {
                "a claim cannot rest on what a display shows; it can rest on the flag at the board"
            }
            Reason::NoFlag => "no flag is down that could be called or ruled on",
            Reason::FlagCalled => "the flag is called already; rule on it",
            Reason::ClaimantIsNoPlayer => "only a player can make this claim",
            Reason::NoQuickplayClaims => {
                "under these rules there are no claims in a quickplay finish; the players can agree to a draw"
            }
            Reason::NoPositionClaims => {
                "under these rules the clock takes no claims of repetition or of fifty moves; pause, decide, \
                 and enter the result or resume"
            }
            Reason::NotOnMove(side) => {
                return write!(f, "{side} is not on move; only the player on move can do this");
            }
            Reason::TooMuchTimeLeft { left, limit, at_limit } => {
                let below = if at_limit { "at most" } else { "less than" };
                return write!(f, "{left} are left; allowed with {below} {limit} left");
            }
            Reason::ClaimantFlagged => {
                "the claimant's flag has fallen; it has to be claimed before that; rule on the flag"
            }
            Reason::NotLastPeriod => {
                "allowed only in the last period, in which all remaining moves are due"
            }
            Reason::ClaimWithIncrement => {
                "this claim is not open with an increment or a delay; the players can agree to a draw"
            }
            Reason::ClaimOpen => "a claim is open already; rule on it first",
            Reason::RulingAwaited => "a ruling is awaited; rule first",
            Reason::RequestAgreed => {
                "an increment was introduced at a player's request; no claim or request is open after that"
            }
            Reason::NoRequests => "under these rules no increment can be requested",
            Reason::RequestOpen => "a request is open already; rule on it first",
            Reason::NoOffer => "no draw offer waits for an answer",
            Reason::OfferNotAnswered => {
                "the request is a draw offer; enter the opponent's answer first"
            }
            Reason::OfferAnswered => "the draw offer was answered already; rule on the request",
            Reason::NothingToRule(decision) => {
                return write!(f, "there is nothing to rule `{decision}` on");
            }
            Reason::NotCalled => {
                "the flag was not called; it counts once a player or the arbiter has called it"
            }
            Reason::MadeInLastPeriod => {
                "in the last period all moves are due; rule lost or drawn, or correct the time"
            }
            Reason::OverrunTooLong { overrun, time } => {
                return write!(
                    f,
                    "the overrun of {overrun} uses up the {time} of the next period; correct the time, or \
                     rule lost or drawn"
                );
            }
            Reason::FlagAnswered => "the question whether the moves were made is answered already",
            Reason::NotBothFlags => "the order can be unknown only if both final flags are down",
            Reason::OrderKnown => {
                "the clock knows which flag fell first; note an incident of the kind defect or gap first, if \
                 there was one"
            }
            Reason::OrderUnknown => {
                "it is not established which flag fell first, so neither player has lost by it; enter the \
                 result if the game ends otherwise"
            }
            Reason::OnlyDrawn => "with both flags down in the last period the game is drawn",
            Reason::AlreadyPostponed => {
                "the decision is postponed already; rule drawn or reject when it can be made"
            }
            Reason::NotBeforeFlag => {
                "a postponed claim is decided after a flag has fallen; until then it can be rejected"
            }
            Reason::NotWithoutFlag => "no flag is down; rule drawn, postpone or reject",
            Reason::ThirdIllegalOnly => "rule lost, or drawn if the opponent cannot mate",
            Reason::Award { award, choice, of, .. } => return award_text(f, award, choice, of),
            Reason::AwardToFlagged => {
                "the opponent's final flag is down, and an award would annul it; rule on the flag"
            }
            Reason::AwardNotHere(decision) => {
                return write!(f, "`{decision}` has no award; only postpone and reject have");
            }
            Reason::Unsupervised => {
                "the game is not supervised: nobody rules at the board; the designated arbiter enters the \
                 result of a referred game"
            }
            Reason::NoStop => "no player's stop waits for a ruling",
            Reason::StopPenaltyDue => {
                "the stop was obviously invalid, so a penalty is due first; a warning is enough"
            }
            Reason::HandlingPenaltyDue(side) => {
                return write!(
                    f,
                    "a penalty of {side} for handling the clock improperly is due first"
                );
            }
            Reason::PenaltyNotListed(kind) => {
                return write!(f, "these rules have no penalty `{kind}`");
            }
            Reason::PenaltyTime(kind) => return write!(f, "`{kind}` needs a time above 0"),
            Reason::PenaltyPoints { kind, most } => {
                let half = if most % 2 == 1 { ".5" } else { "" };
                return write!(f, "`{kind}` needs points from 0.5 to {}{half}", most / 2);
            }
            Reason::ForceNeedsWarning => {
                "a loss for undue force needs an earlier warning with the cause force on record"
            }
            Reason::RepliedTo(side) => {
                return write!(
                    f,
                    "the last completed move is not {side}'s: an illegal move that was replied to is corrected \
                     only if both players confirm the correction"
                );
            }
            Reason::AlreadyArrived(side) => return write!(f, "{side} has arrived already"),
            Reason::NotLate(side) => {
                return write!(f, "{side} is not later than the default time allows");
            }
            Reason::NotConfirmed => {
                "nobody supervises the game: both players confirm that it goes on, first"
            }
            Reason::NothingToConfirm(what) => {
                return write!(f, "there is nothing to confirm with `{what}` now");
            }
            Reason::NoReferral => "under these rules claims are decided at the board",
            Reason::NothingToRefer => "there is no claim to refer",
            Reason::AlreadyReferred => "the claim is referred already; enter the result",
            Reason::ReferralNeedsDetails => {
                "attach the details of the claim and a scoresheet first; a captain's scoresheet will do"
            }
            Reason::ReferralNeedsPosition => {
                "attach the final position first, verified by the opponent of the claimant"
            }
            Reason::ReferralNeedsScoresheet => {
                "attach the up-to-date scoresheet first, verified by the opponent of the claimant"
            }
            Reason::ReferFirst => {
                "refer the claim first; then the designated arbiter enters the result"
            }
            Reason::Concluded => "the claim has concluded the game; refer it",
            Reason::Adjourned => "the game is adjourned; continue it first",
            Reason::NotAdjourned => "the game is not adjourned",
            Reason::NoAdjournment => "under these rules a game is not adjourned",
            Reason::SealerNotOnMove(side) => {
                return write!(f, "{side} is not on move; the player on move seals");
            }
            Reason::NoArbitersDraw => {
                "under these rules the arbiter awards no draw without a claim; enter the result with the \
                 reason that applies"
            }
            Reason::ArbitersDrawAbove(limit) => {
                return write!(
                    f,
                    "allowed once a player has at most {limit} left in the last period"
                );
            }
            Reason::ArbitersDrawOnly => "the arbiter can award only a draw; the result is 1/2-1/2",
            Reason::ClaimFinal => "the ruling on the claim is final; the game is not reopened",
            Reason::WrongRate(rate) => {
                return write!(
                    f,
                    "these rules do not hold for {rate} chess; choose another rule profile"
                );
            }
            Reason::WithIncrement => {
                "these rules do not hold with an increment or a delay; choose another rule profile"
            }
            Reason::NotAnnounced => {
                "these rules hold only if announced before the start; set up a new game with them"
            }
            Reason::SettingFixed(moves) => {
                return write!(
                    f,
                    "both players have made {moves} moves; the setting changes only if the schedule would \
                     suffer otherwise"
                );
            }
        };
        f.write_str(text)
    }
}

fn award_text(
    f: &mut fmt::Formatter<'_>,
    award: Span,
    choice: AwardChoice,
    of: Span,
) -> fmt::Result {
    match choice {
        AwardChoice::Exact => write!(f, "an award of {award}; allowed is exactly {of}"),
        AwardChoice::NothingOrExact => {
            write!(f, "an award of {award}; allowed is nothing or {of}")
        }
        AwardChoice::Positive | AwardChoice::Any => {
            write!(f, "an award of {award}; allowed is any time above 0")
        }
    }
}

/// The claimant as a player, or why the claim is refused.
pub(super) fn player(by: Claimant) -> Result<Side, Reason> {
    match by {
        Claimant::Player(side) => Ok(side),
        Claimant::Arbiter => Err(Reason::ClaimantIsNoPlayer),
        Claimant::Bystander => Err(Reason::Bystander),
    }
}
