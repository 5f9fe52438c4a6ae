//! The command after a refusal that mends its reason, from the state of the clock.
//!
//! A hint answers the refusal or is absent. It never starts a clock, except after a refused `start` or
//! `resume`.

use clock_dbus::{FaultCode, Phase, Question, QuestionKind, Side, State, Who};
use clock_engine::Refused;
use clock_engine::rules::{FlagCaller, RateOfPlay, Reason};

use super::flag_call::{has_points, is_concluded, open_flag_call};
use super::questions;

/// What a hint depends on.
pub struct Situation<'a> {
    pub state: &'a State,
    /// Whether nobody supervises the game, so that the players stop the clocks and confirm.
    pub is_unsupervised: bool,
}

/// What was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Pause,
    Resume,
    FlagCall,
    Ruling,
    Other,
}

/// What an arbiter can do after a refusal with this code and message, in the form that follows the
/// message. `None` if no command mends the reason, or if the message names the command itself.
pub fn hint(
    code: &str,
    message: &str,
    wanted: Wanted,
    situation: &Situation<'_>,
) -> Option<String> {
    let Situation { state, .. } = situation;
    if message.contains("clockctl ") {
        return None;
    }
    if let Some(of_captain) = captain_hint(message, state) {
        return of_captain;
    }
    Some(match code {
        "no-profile" => profile_needed(situation),
        "not-paused" if state.phase == Phase::Running => {
            format!("stop the clocks first: {}", pause(situation))
        }
        "not-paused" if state.phase == Phase::Ready && wanted != Wanted::Resume => return None,
        "not-paused" => to_pause(situation)?,
        // After the start only `pause` is refused with this code. Once the arbiter has ruled, the clocks
        // are paused.
        "not-running" if state.phase == Phase::Ruling => to_pause(situation)?,
        // Only `start` is refused with this code.
        "not-ready" => to_start(situation)?,
        "stale-revision" => "see what was done before you give it again: clockctl log".to_owned(),
        // Only `resume` and `start` are refused with the next two codes.
        "confirm-on-move" => {
            let on_move = if state.on_move == Who::Black { "black" } else { "white" };
            format!("clockctl resume --side {on_move}")
        }
        "board-gone" => "clockctl doctor says what is wrong".to_owned(),
        "game-under-way" if state.adjourned != Who::Nobody => {
            "clockctl resume-adjourned takes it up again, clockctl new --force gives it up"
                .to_owned()
        }
        // The result has to wait until the claim is referred, or points may forbid it.
        "game-under-way" if is_concluded(state) || has_points(state) => {
            "clockctl new --force gives it up".to_owned()
        }
        "game-under-way" => {
            "clockctl result RESULT REASON ends it, clockctl new --force gives it up".to_owned()
        }
        "game-over" => to_reopen(situation)?,
        "no-record" => "clockctl doctor says why".to_owned(),
        "not-found" => "clockctl log".to_owned(),
        "invalid-control" => "clockctl time-control list".to_owned(),
        "invalid-rules" => "clockctl rules list".to_owned(),
        "refused-by-rules" => of_reason(message, wanted, situation)?,
        _ => return None,
    })
}

/// What has to be done before a command that needs a rule profile.
fn profile_needed(situation: &Situation<'_>) -> String {
    let set = "clockctl set-rules NAME, with a name of clockctl rules list";
    match situation.state.phase {
        Phase::Running => format!("stop the clocks first: {}; then: {set}", pause(situation)),
        Phase::Over => format!("take the result back first: clockctl reopen; then: {set}"),
        Phase::Ready | Phase::Paused | Phase::Ruling => set.to_owned(),
    }
}

/// What makes the game one that is paused while both clocks stand. Before the start that is the start, for
/// which only a refused `resume` asks.
fn to_pause(situation: &Situation<'_>) -> Option<String> {
    let state = situation.state;
    if state.adjourned != Who::Nobody {
        return Some("first: clockctl resume-adjourned".to_owned());
    }
    match state.phase {
        Phase::Ready => Some("now: clockctl start".to_owned()),
        Phase::Ruling => answers(state)
            .map(|answers| format!("{}{answers}", asked_for(state)))
            .or_else(|| Some(flag_without_profile(state))),
        Phase::Over => to_reopen(situation),
        Phase::Paused | Phase::Running => None,
    }
}

/// What comes instead of a refused `start`.
fn to_start(situation: &Situation<'_>) -> Option<String> {
    let state = situation.state;
    match state.phase {
        _ if state.adjourned != Who::Nobody => Some("now: clockctl resume-adjourned".to_owned()),
        Phase::Paused if is_board_gone(state) => {
            Some("now: clockctl doctor says what is wrong with the buttons".to_owned())
        }
        Phase::Paused => answers(state).or_else(|| penalty_due(state)).or_else(|| {
            let way = match situation.is_unsupervised {
                true => {
                    "now: clockctl record-confirmation white and clockctl record-confirmation black"
                }
                false => "now: clockctl resume",
            };
            Some(way.to_owned())
        }),
        Phase::Ruling => to_pause(situation),
        Phase::Over => Some("now: clockctl new".to_owned()),
        Phase::Ready | Phase::Running => None,
    }
}

/// How a game that is over is changed. A claim may have concluded a game that nobody supervises, which
/// is never reopened then.
fn to_reopen(situation: &Situation<'_>) -> Option<String> {
    let is_reopened = !situation.is_unsupervised && situation.state.phase == Phase::Over;
    is_reopened.then(|| "first: clockctl reopen".to_owned())
}

fn is_board_gone(state: &State) -> bool {
    state.faults.iter().any(|fault| fault.known() == Some(FaultCode::BoardGone))
}

/// A flag in a game without a rule profile. More time annuls it.
fn flag_without_profile(state: &State) -> String {
    format!("now: clockctl result RESULT or clockctl set {} TIME", flagged(state).as_str())
}

/// The side whose final flag has fallen.
fn flagged(state: &State) -> Side {
    Side::BOTH.into_iter().find(|side| state.side(*side).out_of_time).unwrap_or(Side::White)
}

/// The rulings and calls that answer the first open question; `None` without one. An answer that
/// starts a clock is left out.
fn answers(state: &State) -> Option<String> {
    answers_but(state, &[])
}

/// As [`answers`], without those that have one of these words.
fn answers_but(state: &State, left_out: &[&str]) -> Option<String> {
    let answers: Vec<String> = questions::commands(state)
        .into_iter()
        .filter(|answer| !left_out.iter().any(|words| answer.contains(words)))
        .filter(|answer| !answer.contains("resume") || answer.contains("record-confirmation"))
        .map(|answer| answer.split("; then ").next().unwrap_or_default().to_owned())
        .collect();
    (!answers.is_empty()).then(|| format!("first: {}", answers.join(" or ")))
}

/// The penalty that the rules want before the game goes on.
fn penalty_due(state: &State) -> Option<String> {
    let due = Side::BOTH.into_iter().find(|side| state.side(*side).penalty_due)?;
    Some(format!("first: clockctl penalize {} warning", due.as_str()))
}

/// The command that mends a reason of the rules.
fn of_reason(message: &str, wanted: Wanted, situation: &Situation<'_>) -> Option<String> {
    let state = situation.state;
    let is = |reason: Reason| message.starts_with(&reason.to_string());
    let is_one_of = |reasons: &[Reason]| reasons.iter().any(|reason| is(*reason));
    let attach = |kind: &str| format!("clockctl record-attachment {kind} TEXT");
    let claimant = state.claim_by;
    let opponent = if claimant == Who::White { "black" } else { "white" };
    let verified = |kind: &str| format!("{} --verified-by {opponent}", attach(kind));
    let confirm = |what: &str| {
        let of = |side: &str| format!("clockctl record-confirmation {side} {what}");
        format!("{} and {}", of("white"), of("black"))
    };
    let other_rules = [
        Reason::WrongRate(RateOfPlay::Blitz),
        Reason::WrongRate(RateOfPlay::Rapid),
        Reason::WrongRate(RateOfPlay::Standard),
        Reason::WithIncrement,
        Reason::NotAnnounced,
    ];
    // These wait for the answer to a question.
    let waits =
        [Reason::RulingAwaited, Reason::FlagCalled, Reason::RequestOpen, Reason::OfferNotAnswered];
    // These wait until no question is open, which neither a postponement nor a confirmation of the
    // players brings about.
    let waits_for_none = [Reason::ClaimOpen, Reason::QuestionOpen, Reason::ClaimNeedsControl];
    let penalty_first = [
        Reason::StopPenaltyDue,
        Reason::HandlingPenaltyDue(Side::White),
        Reason::HandlingPenaltyDue(Side::Black),
    ];
    Some(if is_one_of(&other_rules) {
        "clockctl rules list".to_owned()
    } else if is_one_of(&waits) {
        answers(state)?
    } else if is_one_of(&waits_for_none) {
        answers_but(state, &["rule postpone", "record-confirmation"])?
    } else if wanted == Wanted::Ruling && is_ruling_on_nothing(message) {
        answers(state)?.replacen("first:", "allowed now:", 1)
    } else if is_one_of(&penalty_first) {
        penalty_due(state)?
    } else if is(Reason::Adjourned) {
        "first: clockctl resume-adjourned".to_owned()
    } else if is(Reason::ButtonsFixed) {
        format!("first: {}", pause(situation))
    } else if message.starts_with(&Refused::OutOfTime.to_string()) && state.phase != Phase::Running
    {
        format!("first: clockctl set {} TIME", flagged(state).as_str())
    } else if is(Reason::NotConfirmed) {
        confirm("resume")
    } else if is(Reason::CorrectionNotConfirmed) {
        confirm("correction")
    } else if is(Reason::Unsupervised) {
        match wanted {
            Wanted::Pause if state.phase == Phase::Running => pause(situation),
            Wanted::FlagCall => open_flag_call(state)?,
            _ => return None,
        }
    } else if is(Reason::ArbiterCannotCall) || is(Reason::NotCalled(FlagCaller::Players)) {
        open_flag_call(state)?
    } else if is(Reason::NotCalled(FlagCaller::Arbiter)) {
        open_flag_call(state).unwrap_or_else(|| "first: clockctl flag".to_owned())
    } else if is(Reason::ReferralNeedsDetails) {
        format!("{} and {}", attach("details"), attach("scoresheet"))
    } else if is(Reason::ReferralNeedsPosition) {
        verified("position")
    } else if is(Reason::ReferralNeedsBoth) {
        format!("{} and {}", verified("position"), verified("scoresheet"))
    } else if is(Reason::ReferFirst) {
        let referral = questions::commands(state);
        referral.into_iter().next().unwrap_or_else(|| "clockctl refer".to_owned())
    } else if is(Reason::ForceNeedsWarning) {
        let offender = Side::BOTH.into_iter().find(|side| state.side(*side).penalty_due);
        let offender = offender.unwrap_or(Side::White).as_str();
        format!("clockctl penalize {offender} warning --cause force")
    } else {
        return replied_to(message, state);
    })
}

/// Whether the reason is that the ruling answers no open question.
fn is_ruling_on_nothing(message: &str) -> bool {
    let starts = |reason: Reason| message.starts_with(&reason.to_string());
    message.starts_with("there is nothing to rule `")
        || starts(Reason::NoStop)
        || starts(Reason::NoFlag)
}

/// An illegal move that was replied to is corrected once the clock is set back to it.
fn replied_to(message: &str, state: &State) -> Option<String> {
    let is_of = |side: &Side| message.starts_with(&Reason::RepliedTo(*side).to_string());
    let side = Side::BOTH.into_iter().find(is_of)?;
    let stands = matches!(state.phase, Phase::Paused) && state.game_number.is_some();
    let moves = state.side(side).moves;
    let letter = if side == Side::White { 'W' } else { 'B' };
    (stands && moves > 0).then(|| format!("first: clockctl rewind {letter}{moves}"))
}

/// Names the claim or the request that awaits a ruling, because the refusal itself does not. The text
/// is put before the commands, and is empty if nothing awaits a ruling.
fn asked_for(state: &State) -> String {
    let is_asked = |question: &&Question| {
        matches!(question.kind, Some(QuestionKind::Claim | QuestionKind::Request))
            && state.phase == Phase::Ruling
    };
    match state.questions.iter().find(is_asked) {
        Some(question) => format!("{}; ", questions::question(state, question)),
        None => String::new(),
    }
}

/// The command that stops the clocks. In a game that nobody supervises only a player stops them.
pub(super) fn pause(situation: &Situation<'_>) -> String {
    match situation.is_unsupervised {
        false => "clockctl pause".to_owned(),
        true => format!("clockctl pause --by {}", situation.state.running.as_str()),
    }
}

/// What a captain can do after a refusal with this message. The outer `None` means that the message
/// does not concern a captain, the inner one that no command helps: somebody else decides.
fn captain_hint(message: &str, state: &State) -> Option<Option<String>> {
    if let Some((captain, _)) = message.split_once(" plays at this board and has no authority here")
    {
        let side = if captain.starts_with("White") { "white" } else { "black" };
        let is_running = state.phase == Phase::Running;
        return Some(is_running.then(|| format!("as a player: clockctl pause --by {side}")));
    }
    // The message contains the name of the arbiter, as in `a qualified arbiter is present: A. Judge; consult A. Judge first`.
    let (_, present) = message.split_once("a qualified arbiter is present: ")?;
    let (name, _) = present.split_once("; consult ")?;
    let reason = consulted(name);
    let answers = questions::commands(state);
    let answers: Vec<String> = answers.iter().map(|answer| format!("{answer} {reason}")).collect();
    Some(Some(match answers.is_empty() {
        true => format!("the same command with {reason}"),
        false => format!("then: {}", answers.join(" or ")),
    }))
}

/// The option with which a captain says that he has consulted the arbiter of this name, as a shell
/// reads it.
pub fn consulted(name: &str) -> String {
    format!("--reason 'consulted {}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
