//! Which button is White's.

use crate::context::Context;
use crate::item::Item;
use crate::pages::{Confirm, PageState};
use clock_engine::rules::GameCommand;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = &context.words.settings;
    let now = context.situation.buttons_exchanged;
    let item = |(text, exchanged): (&str, bool)| {
        let mark = if exchanged == now { "•" } else { " " };
        let set = context.command(GameCommand::ExchangeButtons(exchanged));
        let confirm = Confirm::new(words.whites_button, vec![text.to_owned()], set);
        Item::open(format!("{mark} {text}"), PageState::Confirm(Box::new(confirm)))
    };
    let mut items: Vec<Item> =
        [(words.as_wired, false), (words.exchanged, true)].into_iter().map(item).collect();
    items.push(Item::back(context.words));
    (10, words.whites_button.to_owned(), items)
}
