//! Sound on and off.

use crate::context::Context;
use crate::effect::{Effect, Setting};
use crate::item::Item;
use crate::words;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let item = |(text, on): (&str, bool)| {
        let mark = if on == context.situation.settings.sound { "•" } else { " " };
        Item::effect(format!("{mark} {text}"), Effect::Set(Setting::Sound(on)))
    };
    let mut items: Vec<Item> =
        [(words::ON, true), (words::OFF, false)].into_iter().map(item).collect();
    items.push(Item::back());
    (11, words::SOUND.to_owned(), items)
}
