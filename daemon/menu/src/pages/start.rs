//! The first page before a game and after it.

use super::{Draft, PageState};
use crate::context::{Context, Need};
use crate::effect::NewRules;
use crate::item::{Item, LineAction};
use clock_engine::Phase;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let is_over = context.situation.phase() == Phase::Over;
    let mut items = Vec::new();
    if is_over {
        for (text, exchange) in
            [(words.new_game.again, false), (words.new_game.again_exchanged, true)]
        {
            let control = context.situation.control.clone();
            let draft = Draft { control, rules: NewRules::AsBefore, exchange };
            let page = PageState::Summary(Box::new(draft));
            items.extend(Item::guarded(context, Need::NewGame, text, page));
        }
    }
    items.extend(Item::guarded(context, Need::NewGame, words.new_game.title, PageState::Players));
    if is_over {
        items.extend(Item::guarded(
            context,
            Need::Change,
            words.standing.result,
            PageState::Result,
        ));
    }
    items.extend(settings(context));
    (1, words.title.to_owned(), items)
}

/// The lines that both first pages end with.
pub(super) fn settings(context: &Context) -> Vec<Item> {
    let words = context.words;
    let white =
        Item::guarded(context, Need::NewGame, words.settings.whites_button, PageState::WhiteSide);
    let mut items: Vec<Item> = white.into_iter().collect();
    items.extend([
        Item::open(words.settings.sound, PageState::Sound),
        Item::open(words.settings.brightness, PageState::Brightness),
        Item::open(words.settings.language, PageState::Language),
        Item::open(words.settings.about, PageState::About),
    ]);
    // The writes could delay a press, so there is no backup during a game.
    if context.situation.can_back_up && !context.situation.is_under_way() {
        let title = words.backup.title;
        items.extend(Item::guarded(context, Need::BackUp, title, PageState::BackUp));
    }
    if context.situation.can_load_backup && !context.situation.is_under_way() {
        let title = words.load.title;
        items.extend(Item::guarded(context, Need::BackUp, title, PageState::LoadBackup));
    }
    items.push(Item::that(words.leave, LineAction::Back));
    items
}
