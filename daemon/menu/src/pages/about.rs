//! The machine: name, addresses, version, faults; and the board with its players.

use crate::context::Context;
use crate::list::{Item, List};
use crate::page::wrap;
use clock_engine::Side;

const MAX_FAULTS: usize = 8;
const MAX_ADDRESSES: usize = 4;

pub(super) fn list(context: &Context) -> List {
    let (situation, words) = (context.situation, context.words);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(wrap(&situation.machine.name));
    match situation.machine.addresses.as_deref() {
        None => {}
        Some([]) => lines.push(words.settings.no_address.to_owned()),
        Some(addresses) => {
            let line = |address| format!("{} {address}", words.settings.address);
            lines.extend(addresses.iter().take(MAX_ADDRESSES).map(line));
        }
    }
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
    List::with_back(context, 13, words.settings.about, Item::texts(lines))
}
