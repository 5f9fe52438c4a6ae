//! The text of each reason: why, and what is allowed instead.

use super::Reason;
use crate::rules::action::{Confirmation, Decision};
use crate::rules::profile::{AwardChoice, FlagCaller, PenaltyKind};
use crate::{Side, Span};
use core::fmt;

impl fmt::Display for Reason {
    #[expect(clippy::too_many_lines, reason = "one text for each reason")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Reason::Bystander => {
                "only a player or the arbiter can do this; tell the arbiter what was seen"
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
            Reason::NoPositionClaims { .. } => {
                "under these rules the clock takes no claims of repetition or of fifty moves; pause, decide, \
                 and enter the result or resume"
            }
            Reason::NotOnMove { side, .. } => {
                return write!(f, "{side} is not on move; only the player on move can do this");
            }
            Reason::TooMuchTimeLeft { left, limit, at_limit, .. } => {
                let below = if at_limit { "at most" } else { "less than" };
                return write!(f, "{} are left; allowed with {below} {limit} left", left.left());
            }
            Reason::ClaimantFlagged { .. } => {
                "the claimant's flag has fallen; it has to be claimed before that; rule on the flag"
            }
            Reason::NotLastPeriod => {
                "allowed only in the last period, in which all remaining moves are due"
            }
            Reason::NoQuickplayFinish => {
                "all remaining moves are not due in a limited time, so there is no quickplay finish: none with \
                 a gong, an hourglass, overtime, or time that is counted up without a limit"
            }
            Reason::ClaimWithIncrement => {
                "this claim is not open with an increment or a delay; the players can agree to a draw"
            }
            Reason::ClaimStops { .. } => {
                "under these rules the claim stops the clocks; claim without leaving them running"
            }
            Reason::ClaimOpen => "a claim is open already; rule on it first",
            Reason::RulingAwaited => "a ruling is awaited; rule first",
            Reason::RequestAgreed { .. } => {
                "an increment was introduced at a player's request; no claim or request is open after that"
            }
            Reason::NoRequests => "under these rules no increment can be requested",
            Reason::RequestOpen => "a request is open already; rule on it first",
            Reason::NoOffer => "no draw offer waits for an answer",
            Reason::OfferNotAnswered => {
                "the request is a draw offer; enter the opponent's answer first"
            }
            Reason::OfferAnswered => "the draw offer was answered already; rule on the request",
            Reason::NothingToRule { decision, .. } => {
                return write!(
                    f,
                    "there is nothing to rule `{decision}` on: {}",
                    missing(decision)
                );
            }
            Reason::NotCalled(FlagCaller::Players) => {
                "the flag was not called; it counts once a player has called it"
            }
            Reason::NotCalled(FlagCaller::Arbiter | FlagCaller::ArbiterMust) => {
                "the flag was not called; it counts once a player or the arbiter has called it"
            }
            Reason::MadeInLastPeriod => {
                "in the last period all moves are due; rule lost or drawn, or correct the time"
            }
            Reason::OverrunTooLong { overrun, time } => {
                return write!(
                    f,
                    "the overrun of {} uses up the {time} of the next period; correct the time, or \
                     rule lost or drawn",
                    overrun.passed()
                );
            }
            Reason::FlagAnswered => {
                "the question whether the moves were made has this answer already; another answer replaces it, \
                 and once the flag is called, lost or drawn decides the game"
            }
            Reason::NotBothFlags => "the order can be unknown only if both final flags are down",
            Reason::OrderKnown => {
                "the clock knows which flag fell first; note an incident of the kind defect or gap first, if \
                 there was one"
            }
            Reason::OrderUnknown => {
                "it is not established which flag fell first, so neither player has lost by it; enter the \
                 result if the game ends otherwise"
            }
            Reason::NextPeriodNotGiven(side) => {
                return write!(
                    f,
                    "it is not established which flag fell first, so the game continues, but {side} has no time \
                     left; give both players the next period and its time first"
                );
            }
            Reason::OnlyDrawn => "with both flags down in the last period the game is drawn",
            Reason::AlreadyPostponed => {
                "the ruling is postponed already; rule drawn or reject when it can be made"
            }
            Reason::NotPostponable => {
                "a claim of repetition or of fifty moves is decided at once; rule drawn or reject"
            }
            Reason::NotBeforeFlag => {
                "a postponed claim is decided after a flag has fallen; until then it can be rejected"
            }
            Reason::NotWithoutFlag { postponed: false, .. } => {
                "no flag is down; a claim is ruled drawn or rejected, and one about normal means can be \
                 postponed"
            }
            Reason::NotWithoutFlag { postponed: true, drawn: true } => {
                "no flag is down; until then a postponed claim can be ruled drawn or rejected"
            }
            Reason::NotWithoutFlag { postponed: true, drawn: false } => {
                "no flag is down; until then a postponed claim can be rejected"
            }
            Reason::OnlyLostOrDrawn => "rule lost, or drawn if the opponent cannot mate",
            Reason::Award { award, choice, of, .. } => return award_text(f, award, choice, of),
            Reason::AwardToFlagged { .. } => {
                "the final flag of the player who would get time is down, and a flagged player gets none; rule on the flag"
            }
            Reason::AwardNotHere(decision) => {
                return write!(f, "`{decision}` has no award; only postpone and reject have");
            }
            Reason::SideNotHere(decision) => {
                return write!(f, "`{decision}` names no player; only lost does");
            }
            Reason::LoserNotNamed { .. } => {
                "either player can have lost here; name the one who has: white or black"
            }
            Reason::NotTheLoser { side, .. } => {
                let other = side.other();
                return write!(
                    f,
                    "no clause makes {side} lose here; {other} can be ruled to have lost"
                );
            }
            Reason::Unsupervised => {
                "the game is not supervised: nobody rules or penalises at the board; a player can stop the \
                 clocks, both confirm that the game goes on, and the designated arbiter enters the result of a \
                 referred game"
            }
            Reason::NoStop => "no player's stop waits for a ruling",
            Reason::StopPenaltyDue => {
                "the stop was obviously invalid, so a penalty is due first; a warning is enough"
            }
            Reason::HandlingPenaltyDue(side) => {
                return write!(
                    f,
                    "a penalty of {side} for handling the clock improperly is due first; a warning is enough"
                );
            }
            Reason::PenaltyNotListed { kind, listed } => {
                write!(f, "these rules have no penalty `{kind}`; they have")?;
                let mut listed = PenaltyKind::ALL.iter().filter(|kind| kind.is_in(listed));
                if let Some(first) = listed.next() {
                    write!(f, " `{first}`")?;
                }
                return listed.try_for_each(|kind| write!(f, ", `{kind}`"));
            }
            Reason::PenaltyTime(kind) => return write!(f, "`{kind}` needs a time above 0"),
            Reason::PenaltyPoints { kind, most: 0 } => {
                return write!(
                    f,
                    "with this result no points are possible for `{kind}`, and none are on record"
                );
            }
            Reason::PenaltyPoints { kind, most } => {
                return write!(f, "`{kind}` needs points from 0.5 to {}", Points(most));
            }
            Reason::TooManyPoints { kind, player, had, most } => {
                return too_many_points(f, kind, player, had, most);
            }
            Reason::ResultWithPoints { kind, offender, had, most } => {
                return result_with_points(f, kind, offender, had, most);
            }
            Reason::PointsStay { kind, offender } => {
                let taken_back = PenaltyCommand(offender, kind, 0);
                return write!(
                    f,
                    "with these rules nobody could take back the points of `{kind}` on record; first: {taken_back}"
                );
            }
            Reason::ForceNeedsWarning => {
                "a loss or an expulsion for undue force needs an earlier warning with the cause force on record; \
                 one for anything else names the cause other"
            }
            Reason::RepliedTo(side) => {
                return write!(
                    f,
                    "the last completed move is not {side}'s: an illegal move that was replied to is corrected \
                     only if both players confirm the correction, or after the clock was set back to it"
                );
            }
            Reason::OnlyByAgreement(side) => {
                return write!(
                    f,
                    "the opponent has replied to {side}'s move: such an illegal move has no penalty and brings no \
                     time, and it is corrected only if both players confirm the correction"
                );
            }
            Reason::NothingCompleted(side) => {
                return write!(
                    f,
                    "no press of {side} can be taken back: a move that was not completed with the clock, or \
                     after which the arbiter corrected the clock, is put right with `set`"
                );
            }
            Reason::AlreadyArrived(side) => return write!(f, "{side} has arrived already"),
            Reason::NotLate(side) => {
                return write!(f, "{side} is not later than the default time allows");
            }
            Reason::BothLate(other) => {
                return write!(
                    f,
                    "{other} is late, too: forfeit both, or waive the lateness of {other} first"
                );
            }
            Reason::LatenessWaived { side, open } => {
                write!(f, "the lateness of {side} is waived, and a waiver is not taken back")?;
                return match open {
                    Some(open) => write!(f, "; rule on {open} alone"),
                    None => Ok(()),
                };
            }
            Reason::LatenessClosed(side) => {
                return write!(
                    f,
                    "no ruling on the lateness of {side} is open: a press of a late player closes it, because \
                     the game is played; if {side} has lost nevertheless, enter the result"
                );
            }
            Reason::NotConfirmed => {
                "nobody supervises the game: both players confirm that it goes on, first"
            }
            Reason::CorrectionNotConfirmed => {
                "nobody supervises the game: both players confirm the correction, first; they confirm each one"
            }
            Reason::NothingToConfirm(Confirmation::OrderUnknown) => {
                "nothing to confirm: in unsupervised play both players confirm that the order is unknown once \
                 both final flags are down"
            }
            Reason::NothingToConfirm(Confirmation::Resume | Confirmation::Correction) => {
                "nothing to confirm: in unsupervised play both players confirm that a paused game goes on"
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
            Reason::ReferralNeedsBoth => {
                "attach the final position and the up-to-date scoresheet first, both verified by the opponent of \
                 the claimant"
            }
            Reason::ReferFirst => {
                "refer the claim first; then the designated arbiter enters the result"
            }
            Reason::Concluded => {
                "the claim has concluded the game: it is referred, and the designated arbiter enters the result"
            }
            Reason::Adjourned => "the game is adjourned; take it up again first",
            Reason::NotAdjourned => "the game is not adjourned",
            Reason::NoAdjournment => "under these rules a game is not adjourned",
            Reason::SealerNotOnMove(side) => {
                return write!(f, "{side} is not on move; the player on move seals");
            }
            Reason::NothingSealed(side) => {
                return write!(f, "no move of {side} can be completed now; pause instead");
            }
            Reason::NoArbitersDraw => {
                "under these rules the arbiter awards no draw without a claim; enter the result with the \
                 reason that applies"
            }
            Reason::ArbitersDrawAbove { limit, at_limit } => {
                let below = if at_limit { "at most" } else { "less than" };
                return write!(
                    f,
                    "allowed once a player has {below} {limit} left in the last period"
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
            Reason::QuestionOpen => {
                "a claim, a request or a question is open, and the rules decide about its answer; answer it first"
            }
            Reason::ClaimNeedsControl => {
                "a claim or a request is open, and the time control decides about it; answer it first"
            }
            Reason::ButtonsFixed => {
                "while a clock runs the buttons keep their sides; pause the game first"
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

/// Says which question would have to be open for this decision, but is not.
fn missing(decision: Decision) -> &'static str {
    match decision {
        Decision::Made | Decision::NotMade | Decision::NotEstablished | Decision::OrderUnknown => {
            "no flag is down whose moves are in question"
        }
        Decision::Postpone | Decision::Reject => "no draw claim is open; a player claims first",
        Decision::Accept | Decision::Agree | Decision::Refuse => {
            "no request for an increment is open; a player requests it first"
        }
        Decision::Lost | Decision::Won | Decision::Drawn => {
            "no flag is down and no draw claim is open; a game that ended otherwise is entered as a result"
        }
    }
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
        write!(f, "clockctl penalty {} {kind} {}", offender.as_str(), Points(*points))
    }
}

/// Writes why a penalty has too many points, and the penalties that are possible instead.
fn too_many_points(
    f: &mut fmt::Formatter<'_>,
    kind: PenaltyKind,
    player: Side,
    had: u32,
    most: u32,
) -> fmt::Result {
    let offender = match kind {
        PenaltyKind::OpponentPoints => player.other(),
        _ => player,
    };
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
}

/// Writes why a result is not possible together with the points of earlier penalties, and which
/// penalties have to be entered before the result.
fn result_with_points(
    f: &mut fmt::Formatter<'_>,
    kind: PenaltyKind,
    offender: Side,
    had: u32,
    most: u32,
) -> fmt::Result {
    let (now, all) = (Points(had), Points(most));
    match kind {
        PenaltyKind::OpponentPoints => write!(f, "{} was given {now}", offender.other())?,
        _ => write!(f, "{now} are taken off {offender}")?,
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
}

fn award_text(
    f: &mut fmt::Formatter<'_>,
    award: Span,
    choice: AwardChoice,
    of: Span,
) -> fmt::Result {
    match choice {
        AwardChoice::Exact if of.is_zero() => write!(f, "an award of {award}; there is none here"),
        AwardChoice::Exact => write!(f, "an award of {award}; allowed is exactly {of}"),
        AwardChoice::NothingOrExact => {
            write!(f, "an award of {award}; allowed is nothing or {of}")
        }
        AwardChoice::Positive | AwardChoice::Any => {
            write!(f, "an award of {award}; allowed is any time above 0")
        }
    }
}
