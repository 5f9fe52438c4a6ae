//! The first page before a game and after it.

use super::{Draft, PageState};
use crate::context::{Context, Need};
use crate::effect::NewRules;
use crate::item::{Item, LineAction};
use crate::words;
use clock_engine::Phase;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let is_over = context.situation.phase() == Phase::Over;
    let mut items = Vec::new();
    if is_over {
        for (text, exchange) in [(words::AGAIN, false), (words::AGAIN_EXCHANGED, true)] {
            let control = context.situation.control.clone();
            let draft = Draft { control, rules: NewRules::AsBefore, exchange };
            let page = PageState::Summary(Box::new(draft));
            items.extend(Item::guarded(context, Need::NewGame, text, page));
        }
    }
    items.extend(Item::guarded(context, Need::NewGame, words::NEW_GAME, PageState::Players));
    if is_over {
        items.extend(Item::guarded(context, Need::Change, words::RESULT, PageState::Result));
    }
    items.extend(settings(context));
    (1, words::MENU.to_owned(), items)
}

/// The lines that both first pages end with.
pub(super) fn settings(context: &Context) -> Vec<Item> {
    let white = Item::guarded(context, Need::NewGame, words::WHITES_SIDE, PageState::WhiteSide);
    let mut items: Vec<Item> = white.into_iter().collect();
    items.extend([
        Item::open(words::SOUND, PageState::Sound),
        Item::open(words::BRIGHTNESS, PageState::Brightness),
        Item::open(words::ABOUT, PageState::About),
        Item::that(words::LEAVE, LineAction::Back),
    ]);
    items
}
