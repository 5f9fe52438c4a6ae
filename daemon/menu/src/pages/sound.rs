//! Sound on and off.

use crate::context::Context;
use crate::effect::{Effect, Setting};
use crate::item::Item;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let item = |(text, on): (&str, bool)| {
        let mark = if on == context.situation.settings.sound { "•" } else { " " };
        Item::effect(format!("{mark} {text}"), Effect::Set(Setting::Sound(on)))
    };
    let mut items: Vec<Item> =
        [(words.settings.on, true), (words.settings.off, false)].into_iter().map(item).collect();
    items.push(Item::back(words));
    (11, words.settings.sound.to_owned(), items)
}
