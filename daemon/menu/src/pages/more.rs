//! The rest of the menu: everything that is not on the first page, and the settings.

use super::{Confirm, Item, LineAction, PageState, first, result};
use crate::access::Need;
use crate::context::Context;
use crate::effect::{Effect, Setting};
use crate::key::Keys;
use crate::words::of;
use clock_engine::Command;
use clock_engine::Phase;
use clock_engine::rules::{GameCommand, PenaltyKind};

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let mut items = Vec::new();
    let number = match context.situation.phase() {
        Phase::Ready | Phase::Over => {
            items.extend(between_games(context));
            46
        }
        Phase::Paused | Phase::Ruling | Phase::Running => {
            items.extend(in_a_game(context));
            items.extend(settings(context));
            47
        }
    };
    items.push(Item::open(words.settings.about, PageState::About));
    items.extend(backup(context));
    items.push(Item::that(words.leave, LineAction::Leave));
    (number, words.more.to_owned(), items)
}

/// The lines before a game and after it. The sound is the first line, because the cursor begins there
/// and the players then need the fewest presses to switch the sound off.
fn between_games(context: &Context) -> Vec<Item> {
    let words = context.words;
    let is_over = context.situation.phase() == Phase::Over;
    let has_call = context.keys.has_call();
    let mut items: Vec<Item> =
        first::sides_exchanged(context).filter(|_| !has_call).into_iter().collect();
    items.extend(settings(context));
    items.extend(new_game(context));
    if is_over {
        let result = PageState::Result;
        items.extend(Item::guarded(context, Need::Change, words.standing.result, result));
    }
    items.extend(whites_button(context));
    items
}

fn in_a_game(context: &Context) -> Vec<Item> {
    let (situation, words) = (context.situation, context.words);
    let awaits = || {
        let has_question = situation.questions.iter().next().is_some();
        let page = PageState::Questions;
        Item::guarded(context, Need::Look, words.standing.awaits, page).filter(|_| has_question)
    };
    let mut items = Vec::new();
    if !situation.players_agree() {
        items.extend(awaits());
    }
    if context.keys == Keys::Buttons && situation.fallen_flag().is_none() {
        items.extend(first::correct(context));
    }
    items.extend(undo(context));
    if situation.players_agree() {
        if situation.fallen_flag().is_some() {
            let page = PageState::Result;
            items.extend(Item::guarded(context, Need::Change, words.standing.result, page));
        }
        // Without an arbiter, nobody answers there.
        items.extend(awaits());
    } else if situation.rules.is_some_and(|rules| {
        PenaltyKind::ALL.iter().any(|kind| kind.is_in(rules.profile.penalties))
    }) {
        let page = PageState::Offender;
        items.extend(Item::guarded(context, Need::Change, words.standing.penalties, page));
    }
    items.extend(new_game(context));
    items.extend(whites_button(context));
    items
}

fn new_game(context: &Context) -> Option<Item> {
    Item::guarded(context, Need::NewGame, context.words.new_game.title, PageState::Players)
}

/// The last press is taken back.
fn undo(context: &Context) -> Option<Item> {
    let words = &context.words.standing;
    // The time after this command depends on the turn before. Only the engine knows that turn.
    let on_move = context.situation.view.on_move.other();
    let mut lines = vec![of(&words.then_on_move, on_move).to_owned(), words.added_time.to_owned()];
    let readings = result::readings(context);
    lines.extend(readings.into_iter().map(|reading| format!("{} {reading}", words.now)));
    let confirm = Confirm::new(words.undo, lines, context.command(Command::UndoPress.into()));
    confirm.item(context, words.undo).behind(context, Need::Change)
}

/// Which button is White's.
fn whites_button(context: &Context) -> Option<Item> {
    let words = &context.words.settings;
    let exchanged = !context.situation.buttons_exchanged;
    let text = if exchanged { words.exchanged } else { words.as_wired };
    let set = context.command(GameCommand::ExchangeButtons(exchanged));
    let confirm = Confirm::new(words.whites_button, vec![text.to_owned()], set);
    confirm.item(context, words.whites_button).behind(context, Need::NewGame)
}

fn settings(context: &Context) -> [Item; 3] {
    let (words, sound) = (context.words, context.situation.settings.sound);
    let now = if sound { words.settings.on } else { words.settings.off };
    let text = format!("{}{}{now}", words.settings.sound, words.colon());
    [
        Item::effect(text, Effect::Set(Setting::Sound(!sound))),
        Item::open(words.settings.brightness, PageState::Brightness),
        Item::open(words.settings.language, PageState::Language),
    ]
}

/// The writes of a backup could delay a press, so there is none during a game.
fn backup(context: &Context) -> Option<Item> {
    let (situation, title) = (context.situation, context.words.backup.title);
    let is_offered = situation.can_back_up && !situation.is_under_way();
    Item::guarded(context, Need::BackUp, title, PageState::BackUp).filter(|_| is_offered)
}
