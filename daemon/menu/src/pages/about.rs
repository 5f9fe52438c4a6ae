//! The machine: name, version, faults; and the board with its players.

use crate::context::Context;
use crate::item::Item;
use crate::page::wrap;
use crate::words;
use clock_engine::Side;

/// The most faults that are listed.
const MAX_FAULTS: usize = 8;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let situation = context.situation;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(wrap(situation.machine));
    lines.extend(wrap(&words::version(situation.version)));
    if !situation.board.is_empty() {
        lines.extend(wrap(&words::board(situation.board)));
    }
    for side in Side::BOTH {
        let name = situation.players[side];
        if !name.is_empty() {
            lines.extend(wrap(&format!("{side}: {name}")));
        }
    }
    match situation.faults {
        [] => lines.push(words::NO_FAULTS.to_owned()),
        faults => lines.extend(faults.iter().take(MAX_FAULTS).flat_map(|fault| wrap(fault))),
    }
    let mut items: Vec<Item> = lines.into_iter().map(Item::info).collect();
    items.push(Item::back());
    (13, words::ABOUT.to_owned(), items)
}
