//! The first page: a tile for each button, with what is wanted most often.

use super::{Draft, Item, LineAction, PageState, Proposal, more, result, summary};
use crate::access::{Gate, Need};
use crate::context::Context;
use crate::effect::NewRules;
use crate::key::{HintButton, Keys};
use clock_engine::{Outcome, Phase, Side};

/// The button of the side that uses it, or the call button, and what it does.
pub(super) type Tile = (HintButton, Item);

/// The tiles. The most usual one is the first. Empty if nothing can be done but what is in the rest
/// of the menu.
pub(super) fn tiles(context: &Context) -> (u8, String, Vec<Tile>) {
    let (situation, words) = (context.situation, context.words);
    let (number, title, tiles) = match (situation.phase(), situation.fallen_flag()) {
        (Phase::Ready | Phase::Over, _) => {
            let starts = starts_the_clock(context);
            let title = if starts { words.new_game.press_starts } else { words.title };
            (1, title.to_owned(), between_games(context))
        }
        (_, Some(fallen)) if situation.players_agree() => {
            (45, words.said_of(fallen, words.questions.flag), after_a_flag(context, fallen))
        }
        _ => (20, words.game.to_owned(), in_a_pause(context)),
    };
    (number, title, tiles.into_iter().filter_map(|(button, item)| Some((button, item?))).collect())
}

/// The same as a list, for a rocker, whose throws are not told apart, and for a game in which there
/// is no tile.
pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let (number, title, tiles) = tiles(context);
    if tiles.is_empty() {
        return more::list(context);
    }
    let mut items: Vec<Item> = tiles.into_iter().map(|(_, item)| item).collect();
    items.push(Item::open(context.words.more, PageState::More));
    (number, title, items)
}

type Tiles = Vec<(HintButton, Option<Item>)>;

/// The player who presses "again" is Black in the next game, and so is the one who presses "sides
/// exchanged". So both tiles start White's clock, as the press of Black does.
fn between_games(context: &Context) -> Tiles {
    let control = (context.words.new_game.control, PageState::Controls(rules(context)));
    let control = Item::guarded(context, Need::NewGame, control.0, control.1);
    let again = again(context, false);
    match context.keys {
        Keys::Buttons => vec![(HintButton::Black, again), (HintButton::White, control)],
        Keys::ButtonsAndCall | Keys::RockerAndCall => vec![
            (HintButton::Black, again),
            (HintButton::Call, control),
            (HintButton::White, sides_exchanged(context)),
        ],
    }
}

fn in_a_pause(context: &Context) -> Tiles {
    let words = context.words;
    let is_paused = context.situation.phase() == Phase::Paused;
    let go_on = match context.situation.players_agree() {
        // The face asks both players to press.
        true => Some(Item::that(words.reports.go_on, LineAction::Leave)),
        false => Item::guarded(context, Need::Change, words.standing.resume, PageState::Resume),
    };
    let result = Item::guarded(context, Need::Change, words.standing.result, PageState::Result);
    let mut tiles = vec![(HintButton::White, go_on.filter(|_| is_paused))];
    if context.keys != Keys::Buttons {
        tiles.push((HintButton::Call, correct(context)));
    }
    tiles.push((HintButton::Black, result));
    tiles
}

/// The likely results: the opponent of the fallen flag wins, with his own button.
fn after_a_flag(context: &Context, fallen: Side) -> Tiles {
    let button = |side| if side == Side::White { HintButton::White } else { HintButton::Black };
    let wins = if fallen == Side::White { Outcome::BlackWins } else { Outcome::WhiteWins };
    let result = |outcome| result::item(context, outcome).behind(context, Need::Change);
    let mut tiles = vec![(button(fallen.other()), result(wins))];
    if context.keys != Keys::Buttons {
        tiles.push((HintButton::Call, result(Outcome::Drawn)));
    }
    tiles.push((button(fallen), correct(context)));
    tiles
}

/// The line that corrects the clock.
pub(super) fn correct(context: &Context) -> Option<Item> {
    let page = match context.keys {
        Keys::ButtonsAndCall => PageState::Correct(Default::default()),
        // Steps need three keys.
        Keys::Buttons | Keys::RockerAndCall => PageState::Exact(Default::default()),
    };
    Item::guarded(context, Need::Change, context.words.standing.correct, page)
}

fn again(context: &Context, exchange: bool) -> Option<Item> {
    let (situation, words) = (context.situation, &context.words.new_game);
    let text = if exchange { words.sides_exchanged } else { words.again };
    let is_over = situation.phase() == Phase::Over;
    let control = situation.control.clone();
    let draft = Draft { control, rules: NewRules::AsBefore, exchange };
    let is_new = is_over || exchange;
    if starts_the_clock(context) {
        let set = is_new.then(|| Box::new(summary::command(context, &draft)));
        return Some(Item::that(text, LineAction::Start(set)));
    }
    if is_ours(context) {
        return is_new.then(|| Item::give(text, proposal(context, &draft)));
    }
    let page = PageState::Summary(Box::new(draft));
    Item::guarded(context, Need::NewGame, text, page).filter(|_| is_over)
}

/// The line for a game with the sides exchanged.
pub(super) fn sides_exchanged(context: &Context) -> Option<Item> {
    again(context, true)
}

/// A new game, which is set up at once.
pub(super) fn proposal(context: &Context, draft: &Draft) -> Proposal {
    let what = vec![context.words.new_game.title.to_owned()];
    Proposal { set: summary::command(context, draft), what }
}

/// Whether the players decide alone about the next game.
pub(super) fn is_ours(context: &Context) -> bool {
    let situation = context.situation;
    let is_free = situation.players_agree() && !situation.set_up_over_bus;
    is_free && !situation.is_under_way() && context.gate(Need::NewGame) == Gate::Open
}

/// Whether a tile can start White's clock. A rocker must first be pushed to Black's side, and that
/// throw starts the clock.
fn starts_the_clock(context: &Context) -> bool {
    is_ours(context) && !context.keys.is_rocker() && context.situation.until_start.is_none()
}

/// The rules with which a time control is chosen on the first page.
fn rules(context: &Context) -> NewRules {
    let situation = context.situation;
    match situation.rules.is_none() && situation.configured_rules.is_some() {
        true => NewRules::Configured,
        false => NewRules::AsBefore,
    }
}
