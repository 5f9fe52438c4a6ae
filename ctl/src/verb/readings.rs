//! The readings before and after a correction. An arbiter writes both down.

use clock_dbus::{Phase, State, Who};
use clock_engine::Span;
use clock_engine::text::hms;

use super::command;
use crate::text::{self, Column};

/// A table of both, exact to the nanosecond.
pub fn table(before: &State, after: &State) -> String {
    let states = [before, after];
    let time = |who| states.map(|state| hms(Span::from_nanos(state.side(who).remaining_nsec)));
    let moves = |who| states.map(|state| state.side(who).moves.to_string());
    let period = |who| states.map(|state| text::period(state, who));
    let overtime = |who| states.map(|state| text::overtime(state, who));
    text::table(&[
        Column::left("", ["before", "after"].map(str::to_owned)),
        Column::right("White", time(Who::White)),
        Column::right("moves", moves(Who::White)),
        Column::right("period", period(Who::White)),
        Column::left("overtime", overtime(Who::White)),
        Column::right("Black", time(Who::Black)),
        Column::right("moves", moves(Who::Black)),
        Column::right("period", period(Who::Black)),
        Column::left("overtime", overtime(Who::Black)),
        Column::left("on move", states.map(|state| text::name(state.on_move).to_owned())),
    ])
}

/// The result of a ruling, a penalty or an award: the readings before and after if a time has
/// changed, then the brief line and what awaits an answer now.
pub fn after_ruling(before: &State, after: &State) -> String {
    let changed = |who| before.side(who).remaining_nsec != after.side(who).remaining_nsec;
    // While a clock runs, its number changes without a ruling, too.
    let stood = before.phase != Phase::Running && after.phase != Phase::Running;
    let readings = stood && (changed(Who::White) || changed(Who::Black));
    let table = if readings { table(before, after) } else { String::new() };
    table + &command::brief_and_questions(after)
}
