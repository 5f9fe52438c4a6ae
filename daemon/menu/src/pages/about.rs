//! The machine: name, addresses, version, faults; and the board with its players.

use crate::context::Context;
use crate::list::{Item, List};
use crate::page::wrap;
use clock_engine::Side;

pub(super) fn list(context: &Context) -> List {
    let (situation, words) = (context.situation, &context.words.settings);
    let mut texts = vec![situation.machine.name.clone()];
    match situation.machine.addresses.as_deref() {
        Some([]) => texts.push(words.no_address.to_owned()),
        addresses => {
            let addresses = addresses.unwrap_or_default().iter();
            texts.extend(addresses.map(|address| words.address.with([address])));
        }
    }
    texts.push(words.version.with([&situation.version]));
    if !situation.board.is_empty() {
        texts.push(words.board.with([&situation.board]));
    }
    let named = Side::BOTH.into_iter().filter(|side| !situation.players[*side].is_empty());
    texts.extend(named.map(|side| context.words.said_of(side, situation.players[side])));
    match situation.faults {
        [] => texts.push(words.no_faults.to_owned()),
        // Their texts are in English.
        faults if context.words.own.is_none() => texts.extend_from_slice(faults),
        faults => texts.push(words.faults.with([&faults.len()])),
    }
    let lines = texts.iter().flat_map(|text| wrap(text)).collect();
    List::with_back(context, 13, words.about, Item::texts(lines))
}
