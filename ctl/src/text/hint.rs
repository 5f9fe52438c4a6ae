//! The next command after a refusal: what works now, from the state of the clock.

use clock_dbus::{FaultCode, Phase, Question, QuestionKind, Side, State, Who};
use clock_engine::rules::{FlagCaller, RateOfPlay, Reason};

use super::flag_call::{has_points, is_concluded, open_flag_call};
use super::questions;
use super::words::name;

mod captain;

pub use captain::consulted;

/// What a hint depends on.
pub struct Situation<'a> {
    pub state: &'a State,
    /// Whether nobody supervises the game, so that the players stop the clocks and confirm.
    pub is_unsupervised: bool,
}

/// What an arbiter can do after a refusal with this code and message, in the form that follows the
/// message. `None` if the message says what is accepted instead of a wrong argument, or names the
/// next command itself.
pub fn hint(code: &str, message: &str, situation: &Situation<'_>) -> Option<String> {
    let Situation { state, .. } = situation;
    if message.contains("clockctl ") {
        return None;
    }
    if let Some(of_captain) = captain::hint(message, state) {
        return of_captain;
    }
    Some(match code {
        "no-profile" => profile_needed(situation),
        "not-paused" if state.phase == Phase::Running => {
            format!("stop the clocks first: {}", pause(situation))
        }
        "stale-revision" => "look at the clock before you try again: clockctl status".to_owned(),
        "confirm-on-move" => {
            let on_move = if state.on_move == Who::Black { "black" } else { "white" };
            format!("clockctl resume --side {on_move}")
        }
        "board-gone" => "clockctl health says what is wrong".to_owned(),
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
        "no-record" => "clockctl health says why".to_owned(),
        "not-found" => "clockctl log".to_owned(),
        "invalid-control" => "clockctl time-control list".to_owned(),
        "invalid-rules" => "clockctl rules list".to_owned(),
        "not-paused" | "not-ready" | "not-running" | "game-over" => {
            format!("{}{}", asked_for(state), now(situation))
        }
        "refused-by-rules" => of_reason(message, situation).unwrap_or_else(|| now(situation)),
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

/// The command that a reason of the rules asks for, where the state does not say it.
fn of_reason(message: &str, situation: &Situation<'_>) -> Option<String> {
    let state = situation.state;
    let is = |reason: Reason| message.starts_with(&reason.to_string());
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
    Some(if other_rules.into_iter().any(is) {
        "clockctl rules list".to_owned()
    } else if is(Reason::NotConfirmed) {
        confirm("resume")
    } else if is(Reason::CorrectionNotConfirmed) {
        confirm("correction")
    } else if is(Reason::Unsupervised) && state.phase == Phase::Running {
        match open_flag_call(state) {
            Some(call) => format!("{call} or {}", pause(situation)),
            None => pause(situation),
        }
    } else if is(Reason::ArbiterCannotCall) || is(Reason::NotCalled(FlagCaller::Players)) {
        open_flag_call(state)?
    } else if is(Reason::ReferralNeedsDetails) {
        format!("{} and {}", attach("details"), attach("scoresheet"))
    } else if is(Reason::ReferralNeedsPosition) {
        verified("position")
    } else if is(Reason::ReferralNeedsBoth) {
        format!("{} and {}", verified("position"), verified("scoresheet"))
    } else if is(Reason::ReferFirst) {
        let referral = questions::commands(state);
        referral.into_iter().next().unwrap_or_else(|| "clockctl refer".to_owned())
    } else if state.phase == Phase::Over && (is(Reason::Concluded) || is(Reason::ClaimFinal)) {
        // Such a game is never reopened.
        "now: clockctl new".to_owned()
    } else if is(Reason::ForceNeedsWarning) {
        let offender = Side::BOTH.into_iter().find(|side| state.side(*side).penalty_due);
        let offender = offender.unwrap_or(Side::White).as_str();
        format!("clockctl penalty {offender} warning --cause force")
    } else {
        return None;
    })
}

/// Names the claim or the request that awaits a ruling, because the refusal itself does not. The text
/// is put before the commands, and is empty if nothing awaits a ruling.
fn asked_for(state: &State) -> String {
    let is_asked = |question: &&Question| {
        matches!(question.kind, QuestionKind::Claim | QuestionKind::Request)
            && state.phase == Phase::Ruling
    };
    match state.questions.iter().find(is_asked) {
        Some(question) => format!("{}; ", questions::question(state, question)),
        None => String::new(),
    }
}

/// The command that an arbiter usually gives next in this state.
fn now(situation: &Situation<'_>) -> String {
    let state = situation.state;
    if state.adjourned != Who::Nobody {
        return "now: clockctl resume-adjourned".to_owned();
    }
    let answers = questions::commands(state);
    if !answers.is_empty() {
        return format!("first: {}", answers.join(" or "));
    }
    let due = Side::BOTH.into_iter().find(|side| state.side(*side).penalty_due);
    if let Some(side) = due {
        return format!("first: clockctl penalty {} warning", side.as_str());
    }
    let is_gone = |fault: &clock_dbus::Fault| fault.known() == Some(FaultCode::BoardGone);
    let is_gone = state.faults.iter().any(is_gone);
    match state.phase {
        Phase::Ready | Phase::Paused if is_gone => {
            "now: clockctl health says what is wrong with the buttons".to_owned()
        }
        Phase::Ready => "now: clockctl start".to_owned(),
        Phase::Running => {
            format!("{}'s clock runs; now: {}", name(state.running), pause(situation))
        }
        Phase::Paused if situation.is_unsupervised => {
            "now: clockctl record-confirmation white and clockctl record-confirmation black"
                .to_owned()
        }
        Phase::Paused => "now: clockctl resume".to_owned(),
        // A flag in a game without a rule profile. More time annuls it.
        Phase::Ruling => {
            let flagged = Side::BOTH.into_iter().find(|side| state.side(*side).out_of_time);
            let flagged = flagged.unwrap_or(Side::White).as_str();
            format!("now: clockctl result RESULT or clockctl set {flagged} TIME")
        }
        // A claim may have concluded the game, which is never reopened then.
        Phase::Over if situation.is_unsupervised => "now: clockctl new".to_owned(),
        Phase::Over => "now: clockctl reopen or clockctl new".to_owned(),
    }
}

/// The command that stops the clocks. In a game that nobody supervises only a player stops them.
pub(super) fn pause(situation: &Situation<'_>) -> String {
    match situation.is_unsupervised {
        false => "clockctl pause".to_owned(),
        true => format!("clockctl pause --by {}", situation.state.running.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use clock_dbus::{Fault, FaultCode, Phase, State, Who};

    use super::{Situation, hint};

    fn of(code: &str, message: &str, state: &State) -> Option<String> {
        hint(code, message, &Situation { state, is_unsupervised: false })
    }

    #[test]
    fn what_the_tests_of_all_verbs_do_not_reach_has_its_hint_too() {
        let faults = vec![Fault::new(FaultCode::BoardGone, "unplugged")];
        let state = State { phase: Phase::Paused, on_move: Who::Black, ..State::default() };
        for (code, expected) in [
            ("confirm-on-move", Some("clockctl resume --side black")),
            ("board-gone", Some("clockctl health says what is wrong")),
            ("invalid-control", Some("clockctl time-control list")),
            ("not-running", Some("now: clockctl resume")),
            ("invalid-argument", None),
            ("busy", None),
        ] {
            assert_eq!(of(code, "refused", &state).as_deref(), expected, "{code}");
        }
        let state = State { faults, ..state };
        let expected = "now: clockctl health says what is wrong with the buttons";
        assert_eq!(of("not-running", "", &state).as_deref(), Some(expected));
    }

    #[test]
    fn a_refusal_that_names_the_command_gets_no_second_hint() {
        let message = "a start is scheduled: clockctl new with --force cancels it";
        assert_eq!(of("game-under-way", message, &State::default()), None);
    }
}
