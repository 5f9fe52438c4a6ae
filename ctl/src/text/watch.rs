//! The lines of `clockctl watch`.

use clock_dbus::{Fault, PausedBy, QuestionKind, Side, SideState, State, Who};
use clockctl::times::{clock, passed};

use super::address::addressed;
use super::questions;
use super::words::{claim, flag, has_flag, mark, name, overtime, paused_by, plain};

/// One line of `watch`: the time, the cause, and what the clock shows.
pub fn watch_line(since_nsec: u64, cause: &str, state: &State) -> String {
    // Without `..`, the compiler reports every new field that is not handled here.
    let State {
        sequence: _, // for programs that join a snapshot and the signals after it
        at_nsec: _,  // `since_nsec` has it
        phase,
        running: _, // the phase and the side on move say it
        on_move: _, // mark() shows it
        faults: _,  // on lines of their own, by fault_lines()
        // These fields are left out, because they are the same on nearly every line. `status` shows
        // them.
        revision: _,
        time_control: _,
        changed_method: _,
        board: _,
        round: _,
        event: _,
        periods: _,
        counting: _,
        rules: _,
        buttons_exchanged: _,
        // The question about the stop has its progress.
        resume_confirmed_by: _,
        start_at_realtime_nsec: _,
        game_number: _,
        texts_version: _,
        // Shown by side() and notes().
        white: _,
        black: _,
        // Shown by notes().
        first_flag: _,
        paused_by: _,
        announcement: _,
        arbiter_called_by: _,
        result: _,
        claim_by: _,
        claim_ground: _,
        claim_state: _,
        adjourned: _,
        questions: _,
    } = state;
    let [white, black] = Side::BOTH.map(|of| side(state, of));
    let since = format!("+{}", passed(since_nsec));
    let (cause, phase) = (plain(cause), phase.as_str());
    let mut line = format!("{since:>11}  {cause:<8}  {phase:<7}  {white}  {black}");
    for note in notes(state) {
        line.push_str("  ");
        line.push_str(&note);
    }
    line.push('\n');
    line
}

/// A side with its mark and its time, such as `> White 1:29:58.3`.
fn side(state: &State, of: Side) -> String {
    let SideState {
        remaining_nsec,
        player: _, // the same on nearly every line; `status` shows it
        // Shown by notes().
        flag_nsec: _,
        out_of_time: _,
        overtime_periods: _,
        overtime_moves: _,
        // A line has no room for these fields. `status` shows them.
        limit_nsec: _,
        delay_nsec: _,
        moves: _,
        // The name of the time control says these, or `status` does after a change of the method.
        method: _,
        method_nsec: _,
        low_nsec: _,
        period: _,
        overrun_nsec: _,
        illegal_moves: _,
        warnings: _,
        penalty_due: _,
        half_points_off: _,
        half_points_given: _,
        late_nsec: _,
        absent: _,
        owed_nsec: _,
    } = *state.side(of);
    format!("{} {} {:>9}", mark(state, of), of.name(), clock(remaining_nsec))
}

/// The lines of `watch` for the faults that have changed since `before`: those that began, those
/// whose text changed (some texts contain a count), and those that ended.
pub fn fault_lines(before: &[Fault], now: &[Fault]) -> Vec<String> {
    let line = |text: String| format!("{:>11}  {:<8}  {text}\n", "", "fault");
    let came = now.iter().filter(|fault| !before.contains(fault));
    let gone = before.iter().filter(|old| !now.iter().any(|fault| fault.code == old.code));
    came.map(|fault| line(addressed(&plain(&fault.text))))
        .chain(gone.map(|fault| line(format!("{} is over", plain(&fault.code)))))
        .collect()
}

fn notes(state: &State) -> Vec<String> {
    let mut notes = Vec::new();
    for of in Side::BOTH {
        let (name, side) = (of.name(), state.side(of));
        if side.out_of_time {
            notes.push(format!("{name}'s flag {}", flag(state, of)));
        } else if has_flag(side) {
            notes.push(format!("{name}'s flag fell in an {}", flag(state, of)));
        }
        let overtime = overtime(state, of);
        if !overtime.is_empty() {
            notes.push(format!("{name}'s overtime {overtime}"));
        }
    }
    if state.paused_by != PausedBy::Nothing {
        notes.push(format!("paused{}", paused_by(state.paused_by)));
    }
    if !state.announcement.is_empty() {
        notes.push(format!("announced: {}", plain(&state.announcement)));
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
    // `claim()` has already added a note on the claim, so its question is left out.
    let is_claim = |kind| matches!(kind, Some(QuestionKind::Claim | QuestionKind::PostponedClaim));
    let others = state.questions.iter().filter(|question| !is_claim(question.kind));
    notes.extend(others.map(|question| questions::question(state, question)));
    if !state.result.is_empty() {
        notes.push(plain(&state.result));
    }
    notes
}
