//! The lines of `clockctl watch`.

use clock_dbus::{Fault, PausedBy, QuestionKind, State, Who};
use clockctl::times::clock;

use super::questions;
use super::words::{SIDES, claim, flag, has_flag, mark, name, overtime, paused_by, plain};

/// One line of `watch`: the time, the cause, and what the clock shows.
pub fn watch_line(since_nsec: u64, cause: &str, state: &State) -> String {
    let [white, black] = SIDES.map(|who| {
        let time = clock(state.side(who).remaining_nsec);
        format!("{} {} {time:>9}", mark(state, who), name(who))
    });
    let mut line = format!(
        "{:>11}  {:<8}  {:<7}  {white}  {black}",
        format!("+{}", clock(since_nsec)),
        plain(cause),
        state.phase.as_str(),
    );
    for note in notes(state) {
        line.push_str("  ");
        line.push_str(&note);
    }
    line.push('\n');
    line
}

/// The lines of `watch` for the faults that began, were counted once more, or ended since `before`.
pub fn fault_lines(before: &[Fault], now: &[Fault]) -> Vec<String> {
    let line = |text: String| format!("{:>11}  {:<8}  {text}\n", "", "fault");
    let came = now.iter().filter(|fault| !before.contains(fault));
    let gone = before.iter().filter(|old| !now.iter().any(|fault| fault.code == old.code));
    came.map(|fault| line(plain(&fault.text)))
        .chain(gone.map(|fault| line(format!("{} is over", plain(&fault.code)))))
        .collect()
}

fn notes(state: &State) -> Vec<String> {
    let mut notes = Vec::new();
    for who in SIDES {
        let (name, side) = (name(who), state.side(who));
        if side.out_of_time {
            notes.push(format!("{name}'s flag {}", flag(state, who)));
        } else if has_flag(side) {
            notes.push(format!("{name}'s flag fell in an {}", flag(state, who)));
        }
        let overtime = overtime(state, who);
        if !overtime.is_empty() {
            notes.push(format!("{name}'s overtime {overtime}"));
        }
    }
    if state.paused_by != PausedBy::Nothing {
        notes.push(format!("paused{}", paused_by(state.paused_by)));
    }
    if state.arbiter_called_by != Who::Nobody {
        notes.push(format!("{} called the arbiter", name(state.arbiter_called_by)));
    }
    if state.adjourned != Who::Nobody {
        notes.push(format!("adjourned, sealed by {}", name(state.adjourned)));
    }
    if let Some(claim) = claim(state) {
        notes.push(format!("draw claim: {claim}"));
    }
    // The claim is shown already.
    let is_claim = |kind| matches!(kind, QuestionKind::Claim | QuestionKind::PostponedClaim);
    let others = state.questions.iter().filter(|question| !is_claim(question.kind));
    notes.extend(others.map(|question| questions::question(state, question)));
    if !state.result.is_empty() {
        notes.push(plain(&state.result));
    }
    notes
}
