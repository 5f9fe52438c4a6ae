//! The game goes on: whose clock runs. In unsupervised play there is no such page.

use super::{Confirm, Item};
use crate::context::Context;
use crate::pages::result::readings;
use crate::words::of;
use clock_engine::{Command, Side};

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let on_move = context.situation.view.on_move;
    let item = |side: Side| {
        // If the command names no side, the turn of the side on move continues. So only the other
        // side is named.
        let named = Some(side).filter(|side| *side != on_move);
        let command = Command::Resume { side: named };
        let set = context.command(command.into());
        let text = of(&words.standing.clock_runs, side);
        Confirm::new(text, readings(context), set).item(context, text)
    };
    let mut items = vec![item(on_move), item(on_move.other())];
    items.push(Item::back(words));
    (29, words.standing.resume.to_owned(), items)
}
