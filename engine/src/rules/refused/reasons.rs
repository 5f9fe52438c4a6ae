//! The reasons for which the rules forbid something, each with the subject of its clause and its text.

use super::topic_of;
use crate::refused::refusals;
use crate::rules::action::{Confirmation, Ruling};
use crate::rules::clause::Topic;
use crate::rules::profile::{AwardChoice, FlagCaller, PenaltyKind, RateOfPlay, Set};
use crate::{Side, Span};
use core::fmt;

refusals! {
    /// Why the rules forbid something. The text of each reason says what is allowed instead.
    Reason;
    /// The subject of the laws whose clause is cited.
    topic -> Topic;

    Bystander: Topic::Bystander =>
        "only a player or the arbiter can do this; tell the arbiter what was seen";
    ArbiterCannotCall: Topic::FlagCall =>
        "under these rules only the players call a flag; a player can still call it";
    DisplayAlone: Topic::Displays =>
        "a claim cannot rest on a display alone; name what it rests on beside the display";
    DisplayNever: Topic::Displays =>
        "a claim cannot rest on what a display shows; it can rest on the flag at the board";
    NoFlag: Topic::NoFlag => "no flag is down that could be called or ruled on";
    FlagCalled: Topic::FlagCall => "the flag is called already; rule on it";
    ClaimantIsNoPlayer: Topic::DrawClaim => "only a player can make this claim";
    NoQuickplayClaims: Topic::NoQuickplayClaims =>
        "under these rules there are no claims in a quickplay finish; the players can agree to a draw";
    NoPositionClaims { on: Topic }: on =>
        "under these rules the clock takes no claims of repetition or of fifty moves; pause, decide, and \
         enter the result or resume";
    NotOnMove { side: Side, on: Topic }: on =>
        "{side} is not on move; only the player on move can do this";
    TooMuchTimeLeft { left: Span, limit: Span, at_limit: bool, on: Topic }: on =>
        "{} are left; allowed with {} {limit} left", left.left(), below(at_limit);
    ClaimantFlagged { on: Topic }: on =>
        "the claimant's flag has fallen; it has to be claimed before that; rule on the flag";
    NotLastPeriod: Topic::QuickplayFinish =>
        "allowed only in the last period, in which all remaining moves are due";
    NoQuickplayFinish: Topic::QuickplayFinish =>
        "all remaining moves are not due in a limited time, so there is no quickplay finish: none with a \
         gong, an hourglass, overtime, or time that is counted up without a limit";
    ClaimWithIncrement: Topic::Controls =>
        "this claim is not open with an increment or a delay; the players can agree to a draw";
    ClaimStops { on: Topic }: on =>
        "under these rules the claim stops the clocks; claim without leaving them running";
    ClaimOpen: Topic::DrawClaim => "a claim is open already; rule on it first";
    RulingAwaited: Topic::Restart => "a ruling is awaited; rule first";
    RequestAgreed { on: Topic }: on =>
        "an increment was introduced at a player's request; no claim or request is open after that";
    NoRequests: Topic::Request => "under these rules no increment can be requested";
    RequestOpen: Topic::Request => "a request is open already; rule on it first";
    NoOffer: Topic::Request => "no draw offer waits for an answer";
    OfferNotAnswered: Topic::Request =>
        "the request is a draw offer; enter the opponent's answer first";
    OfferAnswered: Topic::Request => "the draw offer was answered already; rule on the request";
    NothingToRule { ruling: Ruling, on: Topic }: on =>
        "there is nothing to rule `{ruling}` on: {}", missing(ruling);
    NotCalled(caller: FlagCaller): Topic::FlagCall =>
        "the flag was not called; it counts once {} has called it", match caller {
            FlagCaller::Players => "a player",
            FlagCaller::Arbiter | FlagCaller::ArbiterMust => "a player or the arbiter",
        };
    MadeInLastPeriod: Topic::LastPeriod =>
        "in the last period all moves are due; rule lost or drawn, or correct the time";
    OverrunTooLong { overrun: Span, time: Span }: Topic::MovesNotMade =>
        "the overrun of {} uses up the {time} of the next period; correct the time, or rule lost or drawn",
        overrun.passed();
    FlagAnswered: Topic::MovesNotMade =>
        "the question whether the moves were made has this answer already; another answer replaces it, \
         and once the flag is called, lost or drawn decides the game";
    NotBothFlags: Topic::BothFlags => "the order can be unknown only if both final flags are down";
    OrderKnown: Topic::BothFlags =>
        "the clock knows which flag fell first; note an incident of the kind defect or gap first, if \
         there was one";
    OrderUnknown: Topic::BothFlags =>
        "it is not established which flag fell first, so neither player has lost by it; enter the result \
         if the game ends otherwise";
    NextPeriodNotGiven(side: Side): Topic::BothFlags =>
        "it is not established which flag fell first, so the game continues, but {side} has no time left; \
         give both players the next period and its time first";
    OnlyDrawn: Topic::BothFlags => "with both flags down in the last period the game is drawn";
    AlreadyPostponed: Topic::Postponed =>
        "the ruling is postponed already; rule drawn or reject when it can be made";
    NotPostponable: Topic::PositionClaim =>
        "a claim of repetition or of fifty moves is decided at once; rule drawn or reject";
    NotBeforeFlag: Topic::Postponed =>
        "a postponed claim is decided after a flag has fallen; until then it can be rejected";
    NotWithoutFlag { postponed: bool, drawn: bool }:
        if postponed { Topic::Postponed } else { Topic::Undecided } =>
        "no flag is down; {}", match (postponed, drawn) {
            (true, true) => "until then a postponed claim can be ruled drawn or rejected",
            (true, false) => "until then a postponed claim can be rejected",
            (false, _) => "a claim is ruled drawn or rejected, and one about normal means can be postponed",
        };
    OnlyLostOrDrawn: Topic::IllegalMove => "rule lost, or drawn if the opponent cannot mate";
    Award { award: Span, choice: AwardChoice, of: Span, on: Topic }: on =>
        "an award of {award}; {}", allowed_award(choice, of);
    AwardToFlagged { on: Topic }: on =>
        "the final flag of the player who would get time is down, and a flagged player gets none; rule on \
         the flag";
    AwardNotHere(ruling: Ruling): topic_of(ruling) =>
        "`{ruling}` has no award; only postpone and reject have";
    SideNotHere(ruling: Ruling): topic_of(ruling) =>
        "`{ruling}` names no player; only forfeit and waive do";
    LoserNotNamed { on: Topic }: on =>
        "either player can have lost here; name the one who has: white-loses or black-loses";
    NotTheLoser { side: Side, on: Topic }: on =>
        "no clause makes {side} lose here; {} can be ruled to have lost", side.other();
    Unsupervised: Topic::Unsupervised =>
        "the game is not supervised: nobody rules or penalises at the board; a player can stop the \
         clocks, both confirm that the game goes on, and the designated arbiter enters the result of a \
         referred game";
    NoStop: Topic::Stop => "no player's stop waits for a ruling";
    StopPenaltyDue: Topic::Stop =>
        "the stop was obviously invalid, so a penalty is due first; a warning is enough";
    HandlingPenaltyDue(side: Side): Topic::Handling =>
        "a penalty of {side} for handling the clock improperly is due first; a warning is enough";
    PenaltyNotListed { kind: PenaltyKind, listed: Set }: Topic::Penalties =>
        "these rules have no penalty `{kind}`; they have{}", penalties(listed);
    PenaltyTime(kind: PenaltyKind): Topic::Penalties => "`{kind}` needs a time above 0";
    PenaltyPoints { kind: PenaltyKind, most: u32 }: Topic::Penalties => "{}", possible_points(kind, most);
    TooManyPoints { kind: PenaltyKind, player: Side, had: u32, most: u32 }: Topic::Penalties =>
        "{}", too_many_points(kind, player, had, most);
    ResultWithPoints { kind: PenaltyKind, offender: Side, had: u32, most: u32 }: Topic::Penalties =>
        "{}", result_with_points(kind, offender, had, most);
    PointsStay { kind: PenaltyKind, offender: Side }: Topic::Penalties =>
        "with these rules nobody could take back the points of `{kind}` on record; first: {}",
        PenaltyCommand(offender, kind, 0);
    ForceNeedsWarning: Topic::Force =>
        "a loss or an expulsion for undue force needs an earlier warning with the cause force on record; \
         one for anything else names the cause other";
    RepliedTo(side: Side): Topic::RepliedTo =>
        "the last completed move is not {side}'s: an illegal move that was replied to is corrected only \
         if both players confirm the correction, or after the clock was set back to it";
    OnlyByAgreement(side: Side): Topic::RepliedTo =>
        "the opponent has replied to {side}'s move: such an illegal move has no penalty and brings no \
         time, and it is corrected only if both players confirm the correction";
    NothingCompleted(side: Side): Topic::NothingCompleted =>
        "no press of {side} can be taken back: a move that was not completed with the clock, or after \
         which the arbiter corrected the clock, is put right with `set`";
    AlreadyArrived(side: Side): Topic::Arrival => "{side} has arrived already";
    NotLate(side: Side): Topic::Default => "{side} is not later than the default time allows";
    BothLate(other: Side): Topic::Default =>
        "{other} is late, too: forfeit both, or waive the lateness of {other} first";
    LatenessWaived { side: Side, open: Option<Side> }: Topic::Default =>
        "the lateness of {side} is waived, and a waiver is not taken back{}", rule_alone(open);
    LatenessClosed(side: Side): Topic::Default =>
        "no ruling on the lateness of {side} is open: a press of a late player closes it, because the \
         game is played; if {side} has lost nevertheless, enter the result";
    NotConfirmed: Topic::Restart =>
        "nobody supervises the game: both players confirm that it goes on, first";
    CorrectionNotConfirmed: Topic::Unsupervised =>
        "nobody supervises the game: both players confirm the correction, first; they confirm each one";
    NothingToConfirm(confirmation: Confirmation): Topic::Restart =>
        "nothing to confirm: in unsupervised play both players confirm that {}", match confirmation {
            Confirmation::OrderUnknown => "the order is unknown once both final flags are down",
            Confirmation::Resume | Confirmation::Correction => "a paused game goes on",
        };
    NoReferral: Topic::Referral => "under these rules claims are decided at the board";
    NothingToRefer: Topic::Referral => "there is no claim to refer";
    AlreadyReferred: Topic::Referral => "the claim is referred already; enter the result";
    ReferralNeedsDetails: Topic::Referral =>
        "attach the details of the claim and a scoresheet first; a captain's scoresheet will do";
    ReferralNeedsPosition: Topic::ReferredPosition =>
        "attach the final position first, verified by the opponent of the claimant";
    ReferralNeedsBoth: Topic::ReferredScoresheet =>
        "attach the final position and the up-to-date scoresheet first, both verified by the opponent of \
         the claimant";
    ReferFirst: Topic::DesignatedArbiter =>
        "refer the claim first; then the designated arbiter enters the result";
    Concluded: Topic::Concluded =>
        "the claim has concluded the game: it is referred, and the designated arbiter enters the result";
    Adjourned: Topic::Adjournment => "the game is adjourned; take it up again first";
    NotAdjourned: Topic::Adjournment => "the game is not adjourned";
    NoAdjournment: Topic::Adjournment => "under these rules a game is not adjourned";
    SealerNotOnMove(side: Side): Topic::Adjournment =>
        "{side} is not on move; the player on move seals";
    NothingSealed(side: Side): Topic::Adjournment =>
        "no move of {side} can be completed now; pause instead";
    NoArbitersDraw: Topic::ArbitersDraw =>
        "under these rules the arbiter awards no draw without a claim; enter the result with the reason \
         that applies";
    ArbitersDrawAbove { limit: Span, at_limit: bool }: Topic::ArbitersDraw =>
        "allowed once a player has {} {limit} left in the last period", below(at_limit);
    ArbitersDrawOnly: Topic::ArbitersDraw =>
        "the arbiter can award only a draw; the result is 1/2-1/2";
    ClaimFinal: Topic::Final => "the ruling on the claim is final; the game is not reopened";
    WrongRate(rate: RateOfPlay): Topic::Controls =>
        "these rules do not hold for {rate} chess; choose another rule profile";
    WithIncrement: Topic::Controls =>
        "these rules do not hold with an increment or a delay; choose another rule profile";
    NotAnnounced: Topic::Announced =>
        "these rules hold only if announced before the start; set up a new game with them";
    QuestionOpen: Topic::Fixed =>
        "a claim, a request or a question is open, and the rules decide about its answer; answer it first";
    ClaimNeedsControl: Topic::Fixed =>
        "a claim or a request is open, and the time control decides about it; answer it first";
    ButtonsFixed: Topic::Placement =>
        "while a clock runs the buttons keep their sides; pause the game first";
    SettingFixed(moves: u32): Topic::Setting =>
        "both players have made {moves} moves; the setting changes only if the schedule would suffer \
         otherwise";
}

/// Says which question would have to be open for this ruling, but is not.
fn missing(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Made | Ruling::NotMade | Ruling::NotEstablished | Ruling::OrderUnknown => {
            "no flag is down whose moves are in question"
        }
        Ruling::Postpone | Ruling::Reject => "no draw claim is open; a player claims first",
        Ruling::IncrementAgreed | Ruling::IncrementRefused => {
            "no request for an increment is open; a player requests it first"
        }
        _ => {
            "no flag is down and no draw claim is open; a game that ended otherwise is entered as a result"
        }
    }
}

/// Puts a limit into words.
fn below(at_limit: bool) -> &'static str {
    if at_limit { "at most" } else { "less than" }
}

/// Says which awards are allowed.
fn allowed_award(choice: AwardChoice, of: Span) -> impl fmt::Display {
    fmt::from_fn(move |f| match choice {
        AwardChoice::Exact if of.is_zero() => f.write_str("there is none here"),
        AwardChoice::Exact => write!(f, "allowed is exactly {of}"),
        AwardChoice::NothingOrExact => write!(f, "allowed is nothing or {of}"),
        AwardChoice::Positive | AwardChoice::Any => f.write_str("allowed is any time above 0"),
    })
}

/// Names the player of whom alone the lateness can be ruled on.
fn rule_alone(open: Option<Side>) -> impl fmt::Display {
    fmt::from_fn(move |f| open.map_or(Ok(()), |open| write!(f, "; rule on {open} alone")))
}

/// Half points as points: `1`, `0.5`.
struct Points(u32);

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0 % 2 == 1 { ".5" } else { "" })
    }
}

/// The command for a penalty of so many half-points. A penalty of 0 takes back the points of all earlier
/// penalties of its kind.
struct PenaltyCommand(Side, PenaltyKind, u32);

impl fmt::Display for PenaltyCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(offender, kind, points) = self;
        write!(f, "clockctl penalize {} {kind} {}", offender.as_str(), Points(*points))
    }
}

/// The listed penalties, after a space and separated by commas.
fn penalties(listed: Set) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        let mut before = "";
        for kind in PenaltyKind::ALL.iter().filter(|kind| kind.is_in(listed)) {
            write!(f, "{before} `{kind}`")?;
            before = ",";
        }
        Ok(())
    })
}

/// Says with which points this penalty is possible.
fn possible_points(kind: PenaltyKind, most: u32) -> impl fmt::Display {
    fmt::from_fn(move |f| match most {
        0 => write!(
            f,
            "with this result no points are possible for `{kind}`, and none are on record"
        ),
        _ => write!(f, "`{kind}` needs points from 0.5 to {}", Points(most)),
    })
}

/// Says why a penalty has too many points, and which penalties are possible instead.
fn too_many_points(kind: PenaltyKind, player: Side, had: u32, most: u32) -> impl fmt::Display {
    let offender = if kind.gives_points() { player.other() } else { player };
    fmt::from_fn(move |f| {
        let penalty = |points| PenaltyCommand(offender, kind, points);
        let (all, now) = (Points(most), Points(had));
        write!(
            f,
            "`{kind}` can be at most {all} in all for {player}, with the result, and {now} are on record"
        )?;
        let left = most.saturating_sub(had);
        if left > 0 {
            write!(f, "; now at most: {}", penalty(left))?;
        }
        if had > 0 {
            write!(f, "; they are taken back with {}", penalty(0))?;
        }
        Ok(())
    })
}

/// Says why a result is not possible together with the points of earlier penalties, and which
/// penalties have to be entered before the result.
fn result_with_points(kind: PenaltyKind, offender: Side, had: u32, most: u32) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        let (now, all) = (Points(had), Points(most));
        match kind.gives_points() {
            true => write!(f, "{} was given {now}", offender.other())?,
            false => write!(f, "{now} are taken off {offender}")?,
        }
        let penalty = |points| PenaltyCommand(offender, kind, points);
        write!(
            f,
            ", with this result at most {all} are possible; take them back first: {}",
            penalty(0)
        )?;
        if most == 0 {
            return Ok(());
        }
        write!(f, ", then at most: {}", penalty(most))
    })
}
