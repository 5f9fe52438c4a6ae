//! The table of many clocks, those that need the arbiter first.

use clock_dbus::{Side, State};
use clockctl::times::clock;

use super::board_state::{Urgency, headline, needs};
use crate::text::{Column, plain, table};

/// The table of the boards, each with its index, its name and its state, or why it did not answer.
/// The boards that need the arbiter are on top, in the order of urgency.
pub fn table_of(mut boards: Vec<(usize, String, Result<State, String>)>) -> String {
    let urgency = |state: &Result<State, String>| state.as_ref().ok().map(|state| needs(state).0);
    // A board that does not answer comes before one that needs nothing.
    boards.sort_by_key(|(index, _, state)| (urgency(state).unwrap_or(Urgency::Fault), *index));
    let cells = |cell: &dyn Fn(&State) -> String| -> Vec<String> {
        let states = boards.iter().map(|(_, _, state)| state.as_ref());
        states.map(|state| state.map(cell).unwrap_or_default()).collect()
    };
    let or_failure = |cell: &dyn Fn(&State) -> String, failure: &dyn Fn(&str) -> String| {
        let cells = boards.iter().map(|(_, _, state)| match state {
            Ok(state) => cell(state),
            Err(why) => failure(why),
        });
        cells.collect::<Vec<_>>()
    };
    let time = |state: &State, side: Side| {
        let mark = if state.running.side() == Some(side) { "▶ " } else { "" };
        format!("{mark}{}", clock(state.side(side).remaining_nsec))
    };
    table(&[
        Column::left("board", boards.iter().map(|(_, name, _)| plain(name)).collect::<Vec<_>>()),
        Column::left("state", or_failure(&headline, &|_| "no answer".to_owned())),
        Column::right("White", cells(&|state| time(state, Side::White))),
        Column::right("Black", cells(&|state| time(state, Side::Black))),
        Column::right(
            "moves",
            cells(&|state| state.white.moves.max(state.black.moves).to_string()),
        ),
        Column::left("arbiter", or_failure(&|state| plain(&needs(state).1), &plain)),
        Column::left(
            "players",
            cells(&|state| match (&*state.white.player, &*state.black.player) {
                ("", "") => String::new(),
                (white, black) => plain(&format!("{white} - {black}")),
            }),
        ),
    ])
}
