//! Describes the parts of a state in words for people.

use clock_dbus::{ClaimState, OvertimeLeft, PausedBy, Side, SideState, State, Who, one_line};

/// The period of a side, such as `1/2`; only `3` if the last period repeats without end.
pub fn period(state: &State, side: Side) -> String {
    let period = state.side(side).period;
    match state.periods {
        0 => period.to_string(),
        periods => format!("{period}/{periods}"),
    }
}

/// What is left of a side's overtime, such as `5×, 1 move left`. The text is empty outside overtime
/// and after the final flag.
pub fn overtime(state: &State, side: Side) -> String {
    let side = state.side(side);
    let Some(OvertimeLeft { periods, moves }) = side.overtime().filter(|_| !side.out_of_time)
    else {
        return String::new();
    };
    let plural = if moves == 1 { "" } else { "s" };
    format!("{periods}×, {moves} move{plural} left")
}

/// The open draw claim in words, such as `White, no-effort: pending`; `None` if no claim is open.
pub fn claim(state: &State) -> Option<String> {
    let what = match state.claim_state {
        ClaimState::Nothing => return None,
        ClaimState::Called => "a ruling is awaited",
        ClaimState::Pending => "pending",
    };
    Some(format!("{}, {}: {what}", name(state.claim_by), plain(&state.claim_ground)))
}

/// Why the clocks are paused, in the form that follows the word `paused`, such as ` by White`.
pub fn paused_by(paused_by: PausedBy) -> &'static str {
    match paused_by {
        PausedBy::Nothing => "",
        PausedBy::Arbiter => " by the arbiter",
        PausedBy::White => " by White",
        PausedBy::Black => " by Black",
        PausedBy::Button => " by the call button",
        PausedBy::BoardGone => " because the buttons were disconnected",
        PausedBy::PowerCut => " because the machine was restarted",
        PausedBy::SetBack => " for both times to be noted",
    }
}

/// Whether a flag has fallen, in whichever period.
pub fn has_flag(side: &SideState) -> bool {
    side.flag_nsec.is_some()
}

/// The words for a side's flag: `fell first` or `fell` if the flag is final, and `earlier period`
/// if it is not final. The text is empty if no flag has fallen.
pub fn flag(state: &State, of: Side) -> &'static str {
    let side = state.side(of);
    match (side.out_of_time, state.first_flag == Who::from(of)) {
        // Play went on in the next period.
        (false, _) if has_flag(side) => "earlier period",
        (false, _) => "",
        (true, false) => "fell",
        (true, true) => "fell first",
    }
}

/// The mark before the side on move.
pub fn mark(state: &State, side: Side) -> char {
    if state.on_move == Who::from(side) { '>' } else { ' ' }
}

/// A side or a caller, as a word in a sentence.
pub fn name(who: Who) -> &'static str {
    match who {
        Who::Nobody => "nobody",
        Who::White => Side::White.name(),
        Who::Black => Side::Black.name(),
        Who::Arbiter => "the arbiter",
        Who::Button => "the call button",
    }
}

/// Makes a text from any source harmless for a terminal and a table: one line, without control
/// characters and without characters that reverse the direction of the text after them.
pub fn plain(text: &str) -> String {
    one_line(text)
}
