//! The first page of a new game: "we two" or "with an arbiter".

use super::PageState;
use crate::context::Context;
use crate::effect::NewRules;
use crate::item::Item;
use crate::words;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let page = PageState::Controls;
    let mut items = vec![Item::open(words::WE_TWO, page(NewRules::PlayersAgree))];
    items.push(match context.situation.configured_rules {
        Some(_) => Item::open(words::WITH_ARBITER, page(NewRules::Configured)),
        None => Item::open(words::OTHER_RULES, page(NewRules::AsBefore)),
    });
    items.push(Item::back());
    (2, words::NEW_GAME.to_owned(), items)
}
