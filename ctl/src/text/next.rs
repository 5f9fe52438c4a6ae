//! The commands that an arbiter most likely gives next, from the state of the clock.

use clock_dbus::{FaultCode, Phase, Side, State, Who};

use super::address::addressed;
use super::hint::{Situation, pause};
use super::questions;

/// How many commands are shown.
const SHOWN: usize = 5;

/// A command that works in the present state, and what it does.
pub struct Next {
    /// The command as it is typed. Words in capital letters stand for a value.
    pub command: String,
    pub does: &'static str,
}

fn item(command: impl AsRef<str>, does: &'static str) -> Next {
    Next { command: addressed(command.as_ref()), does }
}

/// The commands that are given most often in this situation, the most likely one first: the answers
/// to what awaits the arbiter, then those of the phase, then those that only look.
pub fn next(situation: &Situation<'_>) -> Vec<Next> {
    let mut commands = awaited(situation.state);
    if commands.is_empty() && situation.state.questions.is_empty() {
        commands = of_phase(situation);
    }
    commands.extend(looks(situation.state));
    commands.truncate(SHOWN);
    commands
}

/// What answers an open question or a penalty that is due.
fn awaited(state: &State) -> Vec<Next> {
    if state.adjourned != Who::Nobody {
        return vec![item("clockctl resume-adjourned", "take the adjourned game up again")];
    }
    let answers = questions::commands(state);
    // What comes after `; then` does not work yet.
    let first = |answer: &'_ str| answer.split("; then ").next().unwrap_or_default().to_owned();
    let answers: Vec<String> = answers.iter().map(|answer| first(answer)).collect();
    let answers: Vec<&str> = answers.iter().flat_map(|answer| answer.split(" and ")).collect();
    // Some questions are settled by other people than the user; `status` says by whom.
    if answers.iter().all(|answer| answer.starts_with("clockctl ")) && !answers.is_empty() {
        let answer = |answer: &&str| item(*answer, "answer what is asked above");
        return answers.iter().map(answer).collect();
    }
    let due = Side::BOTH.into_iter().filter(|side| state.side(*side).penalty_due);
    let warning = |side: Side| format!("clockctl penalize {} warning", side.as_str());
    due.map(|side| item(warning(side), "apply the penalty that is due")).collect()
}

fn of_phase(situation: &Situation<'_>) -> Vec<Next> {
    let state = situation.state;
    let result = || item("clockctl result RESULT REASON", "end the game");
    let new = || item("clockctl new CONTROL", "set the clock up for another game");
    let has_board = !state.faults.iter().any(|fault| fault.known() == Some(FaultCode::BoardGone));
    let with_board = |command: &str, does| has_board.then(|| item(command, does));
    match state.phase {
        Phase::Ready => {
            let mut commands: Vec<_> =
                with_board("clockctl start", "start White's clock").into_iter().collect();
            if state.start_at_realtime_nsec.is_none() {
                commands.push(new());
            }
            commands.push(item("clockctl set-buttons exchanged", "White sits on the other side"));
            commands
        }
        Phase::Running => vec![item(pause(situation), "stop both clocks"), result()],
        Phase::Paused if situation.is_unsupervised => ["white", "black"]
            .map(|side| format!("clockctl record-confirmation {side}"))
            .map(|command| item(command, "a player confirms that the game goes on"))
            .into(),
        Phase::Paused => {
            let side = if state.on_move == Who::Black { "black" } else { "white" };
            let mut commands: Vec<_> =
                with_board("clockctl resume", "start the clock again").into_iter().collect();
            commands.push(item(format!("clockctl set {side} TIME"), "correct a time"));
            commands.push(item(format!("clockctl add {side} TIME"), "give a player time"));
            commands.push(result());
            commands
        }
        // A flag in a game without a rule profile. More time annuls it.
        Phase::Ruling => {
            let flagged = Side::BOTH.into_iter().find(|side| state.side(*side).out_of_time);
            let flagged = flagged.unwrap_or(Side::White).as_str();
            vec![result(), item(format!("clockctl set {flagged} TIME"), "annul the flag")]
        }
        // A claim may have concluded the game, which is never reopened then.
        Phase::Over if situation.is_unsupervised => vec![new()],
        Phase::Over => vec![item("clockctl reopen", "take the result back"), new()],
    }
}

/// The commands that only look at the clock; those of the record need one.
fn looks(state: &State) -> impl Iterator<Item = Next> {
    let has_record = state.game_number.is_some();
    [
        (true, "clockctl watch", "show every change as it happens"),
        (has_record, "clockctl log", "show what has happened"),
        (true, "clockctl doctor", "say whether the clock is fit for play"),
        (has_record, "clockctl export --format pgn", "write the game as PGN"),
        (true, "clockctl time-control list", "list the time controls"),
        (true, "clockctl rules list", "list the rule profiles"),
    ]
    .into_iter()
    .filter(|(works, ..)| *works)
    .map(|(_, command, does)| item(command, does))
}

/// The commands below the state, one line for each.
pub fn next_text(commands: &[Next]) -> String {
    let width = commands.iter().map(|next| next.command.len()).max().unwrap_or_default();
    let line = |next: &Next| format!("  {:width$}  {}\n", next.command, next.does);
    let lines: String = commands.iter().map(line).collect();
    format!("next:\n{lines}clockctl --help lists all verbs.\n")
}
