//! The brightness of the face.

use super::Item;
use crate::context::Context;
use crate::effect::{Effect, Setting};

/// The offered values in percent.
const PERCENT: [u8; 5] = [100, 75, 50, 25, 10];

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let now = context.situation.settings.brightness;
    let mark = |value: Option<u8>| if value == now { "•" } else { " " };
    let set = |value| Effect::Set(Setting::Brightness(value));
    let by_schedule = format!("{} {}", mark(None), words.settings.by_schedule);
    let mut items = vec![Item::effect(by_schedule, set(None)).begun(now.is_none())];
    items.extend(PERCENT.map(|percent| {
        let value = Some(percent);
        Item::effect(format!("{} {percent} %", mark(value)), set(value))
            .with_value(percent.to_string())
            .begun(value == now)
    }));
    items.push(Item::back(words));
    (12, words.settings.brightness.to_owned(), items)
}
