//! The machine: name, addresses, version, faults; and the board with its players.

use crate::context::Context;
use crate::list::{Item, List};
use crate::page::{LINE_LENGTH, wrap};
use clock_engine::Side;
use std::net::IpAddr;

/// The most faults that are listed.
const MAX_FAULTS: usize = 8;
/// The most addresses that are listed.
const MAX_ADDRESSES: usize = 4;

pub(super) fn list(context: &Context) -> List {
    let (situation, words) = (context.situation, context.words);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(wrap(situation.machine));
    match situation.addresses {
        None => {}
        Some([]) => lines.push(words.settings.no_address.to_owned()),
        Some(addresses) => {
            let shown = addresses.iter().take(MAX_ADDRESSES);
            lines.extend(shown.flat_map(|address| address_lines(words.settings.address, address)));
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

/// An address after its label. One that is too long for a line is broken after a colon, so that it
/// can be read and typed whole: an IPv6 address has up to 39 characters.
fn address_lines(label: &str, address: &IpAddr) -> Vec<String> {
    let text = address.to_string();
    let first = text.get(..LINE_LENGTH).and_then(|start| start.rfind(':'));
    match first {
        Some(colon) if text.len() > LINE_LENGTH => {
            let (first, rest) = text.split_at(colon + 1);
            vec![label.to_owned(), first.to_owned(), rest.to_owned()]
        }
        _ => wrap(&format!("{label} {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_too_long_for_a_line_is_broken_and_not_cut() {
        let lines = |address: &str| address_lines("Address", &address.parse().unwrap());
        assert_eq!(lines("192.0.2.12"), ["Address 192.0.2.12"]);
        assert_eq!(lines("255.255.255.255"), ["Address 255.255.255.255"]);
        assert_eq!(lines("2001:db8::12"), ["Address 2001:db8::12"]);
        assert_eq!(lines("2001:db8:1:2:3:4:5:6"), ["Address 2001:db8:1:2:3:4:5:6"]);
        assert_eq!(lines("2001:db8:1:2:3:4:50:60"), ["Address", "2001:db8:1:2:3:4:50:60"]);
        assert_eq!(
            lines("2001:db8:1234:5678:9abc:def0:1234:5678"),
            ["Address", "2001:db8:1234:5678:9abc:", "def0:1234:5678"]
        );
    }
}
