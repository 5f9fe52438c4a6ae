//! Why a game refuses an action or a command: the clause, and what is allowed instead.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

mod text;

use super::action::{Claimant, Confirmation, Decision};
use super::clause::{Cited, Topic, clause, of_clock};
use super::profile::{AwardChoice, FlagCaller, PenaltyKind, RateOfPlay, RuleSource, Set};
use crate::{Refused, Side, Span};
use core::fmt;

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
    NoPositionClaims { on: Topic },
    NotOnMove { side: Side, on: Topic },
    TooMuchTimeLeft { left: Span, limit: Span, at_limit: bool, on: Topic },
    ClaimantFlagged { on: Topic },
    NotLastPeriod,
    NoQuickplayFinish,
    ClaimWithIncrement,
    ClaimStops { on: Topic },
    ClaimOpen,
    RulingAwaited,
    RequestAgreed { on: Topic },
    NoRequests,
    RequestOpen,
    NoOffer,
    OfferNotAnswered,
    OfferAnswered,
    NothingToRule { decision: Decision, on: Topic },
    NotCalled(FlagCaller),
    MadeInLastPeriod,
    OverrunTooLong { overrun: Span, time: Span },
    FlagAnswered,
    NotBothFlags,
    OrderKnown,
    OrderUnknown,
    NextPeriodNotGiven(Side),
    OnlyDrawn,
    AlreadyPostponed,
    NotPostponable,
    NotBeforeFlag,
    NotWithoutFlag { postponed: bool, drawn: bool },
    OnlyLostOrDrawn,
    Award { award: Span, choice: AwardChoice, of: Span, on: Topic },
    AwardToFlagged { on: Topic },
    AwardNotHere(Decision),
    SideNotHere(Decision),
    LoserNotNamed { on: Topic },
    NotTheLoser { side: Side, on: Topic },
    Unsupervised,
    NoStop,
    StopPenaltyDue,
    HandlingPenaltyDue(Side),
    PenaltyNotListed { kind: PenaltyKind, listed: Set },
    PenaltyTime(PenaltyKind),
    PenaltyPoints { kind: PenaltyKind, most: u32 },
    TooManyPoints { kind: PenaltyKind, player: Side, had: u32, most: u32 },
    ResultWithPoints { kind: PenaltyKind, offender: Side, had: u32, most: u32 },
    PointsStay { kind: PenaltyKind, offender: Side },
    ForceNeedsWarning,
    RepliedTo(Side),
    OnlyByAgreement(Side),
    NothingCompleted(Side),
    AlreadyArrived(Side),
    NotLate(Side),
    BothLate(Side),
    LatenessWaived { side: Side, open: Option<Side> },
    LatenessClosed(Side),
    NotConfirmed,
    CorrectionNotConfirmed,
    NothingToConfirm(Confirmation),
    NoReferral,
    NothingToRefer,
    AlreadyReferred,
    ReferralNeedsDetails,
    ReferralNeedsPosition,
    ReferralNeedsBoth,
    ReferFirst,
    Concluded,
    Adjourned,
    NotAdjourned,
    NoAdjournment,
    SealerNotOnMove(Side),
    NothingSealed(Side),
    NoArbitersDraw,
    ArbitersDrawAbove { limit: Span, at_limit: bool },
    ArbitersDrawOnly,
    ClaimFinal,
    WrongRate(RateOfPlay),
    WithIncrement,
    NotAnnounced,
    QuestionOpen,
    ClaimNeedsControl,
    ButtonsFixed,
    SettingFixed(u32),
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

impl Reason {
    fn topic(self) -> Topic {
        match self {
            Reason::Bystander => Topic::Bystander,
            Reason::ArbiterCannotCall | Reason::FlagCalled | Reason::NotCalled(_) => {
                Topic::FlagCall
            }
            Reason::NoFlag => Topic::NoFlag,
            Reason::DisplayAlone | Reason::DisplayNever => Topic::Displays,
            Reason::ClaimantIsNoPlayer | Reason::ClaimOpen => Topic::DrawClaim,
            Reason::NoQuickplayClaims => Topic::NoQuickplayClaims,
            Reason::NotLastPeriod | Reason::NoQuickplayFinish => Topic::QuickplayFinish,
            Reason::NotPostponable => Topic::PositionClaim,
            Reason::ClaimWithIncrement | Reason::WrongRate(_) | Reason::WithIncrement => {
                Topic::Controls
            }
            Reason::NoRequests
            | Reason::RequestOpen
            | Reason::NoOffer
            | Reason::OfferNotAnswered
            | Reason::OfferAnswered => Topic::Request,
            Reason::AwardNotHere(decision) | Reason::SideNotHere(decision) => topic_of(decision),
            Reason::MadeInLastPeriod => Topic::LastPeriod,
            Reason::OverrunTooLong { .. } | Reason::FlagAnswered => Topic::MovesNotMade,
            Reason::NotBothFlags
            | Reason::OrderKnown
            | Reason::OrderUnknown
            | Reason::NextPeriodNotGiven(_)
            | Reason::OnlyDrawn => Topic::BothFlags,
            Reason::AlreadyPostponed | Reason::NotBeforeFlag => Topic::Postponed,
            Reason::NotWithoutFlag { postponed: true, .. } => Topic::Postponed,
            Reason::NotWithoutFlag { postponed: false, .. } => Topic::Undecided,
            Reason::OnlyLostOrDrawn => Topic::IllegalMove,
            Reason::Award { on, .. }
            | Reason::NotOnMove { on, .. }
            | Reason::ClaimantFlagged { on }
            | Reason::ClaimStops { on }
            | Reason::NoPositionClaims { on }
            | Reason::AwardToFlagged { on }
            | Reason::RequestAgreed { on }
            | Reason::TooMuchTimeLeft { on, .. }
            | Reason::NothingToRule { on, .. }
            | Reason::LoserNotNamed { on }
            | Reason::NotTheLoser { on, .. } => on,
            Reason::Unsupervised | Reason::CorrectionNotConfirmed => Topic::Unsupervised,
            Reason::ReferFirst => Topic::DesignatedArbiter,
            Reason::NoStop | Reason::StopPenaltyDue => Topic::Stop,
            Reason::HandlingPenaltyDue(_) => Topic::Handling,
            Reason::PenaltyNotListed { .. }
            | Reason::PenaltyTime(_)
            | Reason::PenaltyPoints { .. }
            | Reason::TooManyPoints { .. }
            | Reason::ResultWithPoints { .. }
            | Reason::PointsStay { .. } => Topic::Penalties,
            Reason::ForceNeedsWarning => Topic::Force,
            Reason::RepliedTo(_) | Reason::OnlyByAgreement(_) => Topic::RepliedTo,
            Reason::NothingCompleted(_) => Topic::NothingCompleted,
            Reason::AlreadyArrived(_) => Topic::Arrival,
            Reason::NotLate(_)
            | Reason::BothLate(_)
            | Reason::LatenessWaived { .. }
            | Reason::LatenessClosed(_) => Topic::Default,
            Reason::RulingAwaited | Reason::NotConfirmed | Reason::NothingToConfirm(_) => {
                Topic::Restart
            }
            Reason::NoReferral
            | Reason::NothingToRefer
            | Reason::AlreadyReferred
            | Reason::ReferralNeedsDetails => Topic::Referral,
            Reason::ReferralNeedsPosition => Topic::ReferredPosition,
            Reason::ReferralNeedsBoth => Topic::ReferredScoresheet,
            Reason::Concluded => Topic::Concluded,
            Reason::Adjourned
            | Reason::NotAdjourned
            | Reason::NoAdjournment
            | Reason::SealerNotOnMove(_)
            | Reason::NothingSealed(_) => Topic::Adjournment,
            Reason::NoArbitersDraw
            | Reason::ArbitersDrawAbove { .. }
            | Reason::ArbitersDrawOnly => Topic::ArbitersDraw,
            Reason::ClaimFinal => Topic::Final,
            Reason::NotAnnounced => Topic::Announced,
            Reason::QuestionOpen | Reason::ClaimNeedsControl => Topic::Fixed,
            Reason::ButtonsFixed => Topic::Placement,
            Reason::SettingFixed(_) => Topic::Setting,
        }
    }
}

impl fmt::Display for RuleRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

/// The topic whose clause is cited if this decision answers no open question.
pub(super) fn topic_of(decision: Decision) -> Topic {
    match decision {
        Decision::Postpone | Decision::Reject => Topic::ClaimRuling,
        Decision::Accept | Decision::Agree | Decision::Refuse => Topic::Request,
        Decision::OrderUnknown => Topic::BothFlags,
        Decision::Made | Decision::NotMade | Decision::NotEstablished => Topic::NoFlagYet,
        Decision::Lost | Decision::Won | Decision::Drawn => Topic::FlagCall,
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
