//! The times, counters and periods of both sides before and after a correction or a ruling, because
//! an arbiter writes them down.

use clock_dbus::{Phase, Side, State};

use crate::text::{self, Column};

/// A table of the times, counters and periods of both sides before and after, with the times as the
/// clock shows them; `before` in the JSON has them to the nanosecond.
pub fn table(before: &State, after: &State) -> String {
    let states = [before, after];
    let time = |side| states.map(|state| text::clock(state.side(side).remaining_nsec));
    let moves = |side| states.map(|state| state.side(side).moves.to_string());
    let period = |side| states.map(|state| text::period(state, side));
    let overtime = |side| states.map(|state| text::overtime(state, side));
    text::table(&[
        Column::left("", ["before", "after"].map(str::to_owned)),
        Column::right("White", time(Side::White)),
        Column::right("moves", moves(Side::White)),
        Column::right("period", period(Side::White)),
        Column::left("overtime", overtime(Side::White)),
        Column::right("Black", time(Side::Black)),
        Column::right("moves", moves(Side::Black)),
        Column::right("period", period(Side::Black)),
        Column::left("overtime", overtime(Side::Black)),
        Column::left("on move", states.map(|state| text::name(state.on_move).to_owned())),
    ])
}

/// What follows the sentence that says what a command did: the table of [`table`] if the clocks
/// stand and a time, a counter or the side on move has changed, then the state in one line and what
/// awaits an answer now.
pub fn after_done(before: &State, after: &State) -> String {
    let shown = |state: &State| {
        let of = |side| {
            let side = state.side(side);
            (side.remaining_nsec, side.moves, side.period)
        };
        (of(Side::White), of(Side::Black), state.on_move)
    };
    let readings = after.phase != Phase::Running && shown(before) != shown(after);
    let table = if readings { table(before, after) } else { String::new() };
    table + &text::brief_and_questions(after)
}
