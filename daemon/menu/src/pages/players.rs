//! The first page of a new game: "we two" or "with an arbiter".

use super::Item;
use super::PageState;
use crate::context::Context;
use crate::effect::NewRules;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let page = PageState::Controls;
    let mut items = vec![Item::open(words.new_game.we_two, page(NewRules::PlayersAgree))];
    items.push(match context.situation.configured_rules {
        Some(_) => Item::open(words.new_game.with_arbiter, page(NewRules::Configured)),
        None => Item::open(words.new_game.rules_as_before, page(NewRules::AsBefore)),
    });
    items.push(Item::back(words));
    (2, words.new_game.title.to_owned(), items)
}
