//! The machine: name, version, faults; and the board with its players.

use crate::context::Context;
use crate::item::Item;
use crate::page::wrap;
use clock_engine::Side;

/// The most faults that are listed.
const MAX_FAULTS: usize = 8;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let (situation, words) = (context.situation, context.words);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(wrap(situation.machine));
    lines.extend(wrap(&format!("{} {}", words.settings.version, situation.version)));
    if !situation.board.is_empty() {
        lines.extend(wrap(&format!("{} {}", words.settings.board, situation.board)));
    }
    for side in Side::BOTH {
        let name = situation.players[side];
        if !name.is_empty() {
            lines.extend(wrap(&words.said_of(side, name)));
        }
    }
    match situation.faults {
        [] => lines.push(words.settings.no_faults.to_owned()),
        faults => lines.extend(faults.iter().take(MAX_FAULTS).flat_map(|fault| wrap(fault))),
    }
    let mut items: Vec<Item> = lines.into_iter().map(Item::info).collect();
    items.push(Item::back(words));
    (13, words.settings.about.to_owned(), items)
}
