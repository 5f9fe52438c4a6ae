//! The language of the pages and of the face.

use super::Item;
use crate::context::Context;
use crate::effect::{Effect, Setting};
use clock_languages::Language;

/// Each language is listed under its own name, so that a player who cannot read the present
/// language finds his own.
pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let now = context.config.language(context.situation.settings);
    let item = |language: Language| {
        let mark = if language == now { "•" } else { " " };
        let text = format!("{mark} {}", language.words().name);
        Item::effect(text, Effect::Set(Setting::Language(language))).begun(language == now)
    };
    let mut items: Vec<Item> = Language::ALL.into_iter().map(item).collect();
    items.push(Item::back(context.words));
    (14, context.words.settings.language.to_owned(), items)
}
