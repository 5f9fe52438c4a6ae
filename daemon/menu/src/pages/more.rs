//! The rest of the menu: everything that is not on the first page, and the settings.

use super::confirm::readings;
use super::draft::again;
use super::{backup, controls, correct, result, rulings, settings};
use crate::access::Need;
use crate::context::Context;
use crate::effect::Proposal;
use crate::key::Keys;
use crate::list::{Item, LineAction, List, PageState};
use crate::words::of;
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Phase};

pub(super) fn list(context: &Context) -> List {
    let words = context.words;
    let (number, mut items) = match context.situation.phase() {
        Phase::Ready | Phase::Over => (46, between_games(context)),
        Phase::Paused | Phase::Ruling | Phase::Running => (47, in_a_game(context)),
    };
    items.push(Item::open(words.settings.about, PageState::list(settings::about)));
    items.extend(backup(context));
    items.push(Item::that(words.leave, LineAction::Leave));
    List::new(number, words.more, items)
}

/// The lines before a game and after it. The sound is the first line, because the cursor begins there
/// and the players then need the fewest presses to switch the sound off.
fn between_games(context: &Context) -> Vec<Item> {
    let is_over = context.situation.phase() == Phase::Over;
    let has_call = context.keys.has_call();
    let mut items: Vec<Item> = again(context, true).filter(|_| !has_call).into_iter().collect();
    items.extend(settings::items(context));
    items.extend(new_game(context));
    items.extend(result(context).filter(|_| is_over));
    items.extend(whites_button(context));
    items
}

fn in_a_game(context: &Context) -> Vec<Item> {
    let (situation, words) = (context.situation, context.words);
    // Without an arbiter, questions have no answers.
    let has_answer = situation.questions.iter().any(|(_, mut answers)| answers.next().is_some());
    let page = PageState::list(rulings::list);
    let awaits = Item::guarded(context, Need::Look, words.standing.awaits, page);
    let has_fallen = situation.fallen_flag().is_some();
    let corrects = context.keys == Keys::Buttons && !has_fallen;
    let results = situation.players_agree() && has_fallen;
    let items = [
        awaits.filter(|_| has_answer),
        correct::item(context).filter(|_| corrects),
        undo(context),
        rulings::penalties_item(context).filter(|_| !situation.players_agree()),
        result(context).filter(|_| results),
        new_game(context),
        whites_button(context),
    ];
    items.into_iter().flatten().chain(settings::items(context)).collect()
}

pub(super) fn result(context: &Context) -> Option<Item> {
    let page = PageState::list(result::list);
    Item::guarded(context, Need::Change, context.words.standing.result, page)
        .filter(|_| !context.situation.is_concluded())
}

fn new_game(context: &Context) -> Option<Item> {
    let page = PageState::list(controls::players);
    Item::guarded(context, Need::NewGame, context.words.new_game.title, page)
}

/// The last press is taken back.
fn undo(context: &Context) -> Option<Item> {
    let words = &context.words.standing;
    // The time after this command depends on the turn before. Only the engine knows that turn.
    let on_move = context.situation.view.on_move.other();
    let mut lines = vec![of(&words.then_on_move, on_move).to_owned(), words.added_time.to_owned()];
    lines.extend(readings(context).into_iter().map(|reading| words.now.with([&reading])));
    let confirm = Proposal::new(words.undo, lines, context.command(Command::UndoPress.into()));
    confirm.item(context, words.undo).behind(context, Need::Change)
}

fn whites_button(context: &Context) -> Option<Item> {
    let words = &context.words.settings;
    let exchanged = !context.situation.view.buttons_exchanged;
    let text = if exchanged { words.exchanged } else { words.as_wired };
    let set = context.command(GameCommand::SetButtons(exchanged));
    let confirm = Proposal::new(words.whites_button, vec![text.to_owned()], set);
    confirm.item(context, words.whites_button).behind(context, Need::NewGame)
}

/// The writes of a backup could delay a press, so there is none during a game.
fn backup(context: &Context) -> Option<Item> {
    let is_offered = context.situation.machine.can_back_up && !context.situation.is_under_way();
    let (title, page) = (context.words.backup.title, PageState::list(backup::list));
    Item::guarded(context, Need::BackUp, title, page).filter(|_| is_offered)
}
