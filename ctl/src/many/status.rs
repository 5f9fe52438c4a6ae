//! The table of many clocks, those that need the arbiter first.

use clockctl::times::clock;

use crate::{
    hall::board_state::{BoardState, Urgency},
    text::{Column, plain, table},
};

/// The table of the boards, each with its index, its name and its state, or why it did not answer.
/// The boards that need the arbiter are on top, in the order of urgency.
pub fn table_of(mut boards: Vec<(usize, String, Result<BoardState, String>)>) -> String {
    let urgency =
        |state: &Result<BoardState, String>| state.as_ref().ok().map(|state| state.needs().0);
    // A board that does not answer comes before one that needs nothing.
    boards.sort_by_key(|(index, _, state)| (urgency(state).unwrap_or(Urgency::Fault), *index));
    let cells = |cell: &dyn Fn(&BoardState) -> String| -> Vec<String> {
        let states = boards.iter().map(|(_, _, state)| state.as_ref());
        states.map(|state| state.map(cell).unwrap_or_default()).collect()
    };
    let or_failure = |cell: &dyn Fn(&BoardState) -> String, failure: &dyn Fn(&str) -> String| {
        let cells = boards.iter().map(|(_, _, state)| match state {
            Ok(state) => cell(state),
            Err(why) => failure(why),
        });
        cells.collect::<Vec<_>>()
    };
    let mark = |state: &BoardState, side: &str| match state.running.as_deref() == Some(side) {
        true => "▶ ",
        false => "",
    };
    table(&[
        Column::left("board", boards.iter().map(|(_, name, _)| plain(name)).collect::<Vec<_>>()),
        Column::left("state", or_failure(&BoardState::headline, &|_| "no answer".to_owned())),
        Column::right(
            "White",
            cells(&|state| format!("{}{}", mark(state, "white"), clock(state.white.remaining_ns))),
        ),
        Column::right(
            "Black",
            cells(&|state| format!("{}{}", mark(state, "black"), clock(state.black.remaining_ns))),
        ),
        Column::right(
            "moves",
            cells(&|state| state.white.moves.max(state.black.moves).to_string()),
        ),
        Column::left("arbiter", or_failure(&|state| plain(&state.needs().1), &plain)),
        Column::left(
            "players",
            cells(&|state| match (&*state.players.white, &*state.players.black) {
                ("", "") => String::new(),
                (white, black) => plain(&format!("{white} - {black}")),
            }),
        ),
    ])
}
