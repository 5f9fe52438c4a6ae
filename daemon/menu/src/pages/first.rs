//! The first page: a tile for each button, with what is wanted most often.

use super::draft::{again, starts_the_clock};
use super::{controls, correct, more, result};
use crate::access::Need;
use crate::context::Context;
use crate::effect::NewRules;
use crate::key::Keys;
use crate::list::{Item, LineAction, List, PageState};
use clock_dbus::MenuButton;
use clock_engine::{Outcome, Phase, Side};

/// The tiles, of which the most usual one is the first. For a rocker, whose throws are not told apart,
/// they are lines. Without any tile, the page is the rest of the menu.
pub(crate) fn list(context: &Context) -> List {
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
    let mut items: Vec<Item> = tiles
        .into_iter()
        .filter_map(|(button, item)| match context.keys.is_rocker() {
            true => item,
            false => Some(item?.over(button)),
        })
        .collect();
    if items.is_empty() {
        return more::list(context);
    }
    if context.keys.is_rocker() {
        items.push(Item::open(words.more, PageState::list(more::list)));
    }
    List::new(number, title, items).held(LineAction::open(PageState::list(more::list)))
}

type Tiles = Vec<(MenuButton, Option<Item>)>;

/// The player who presses "again" is Black in the next game, and so is the one who presses "sides
/// exchanged". So both tiles start White's clock, as the press of Black does.
fn between_games(context: &Context) -> Tiles {
    let situation = context.situation;
    let rules = match situation.rules.is_none() && situation.configured_rules.is_some() {
        true => NewRules::Configured,
        false => NewRules::AsBefore,
    };
    let (text, page) = (context.words.new_game.control, controls::page(rules));
    let control = Item::guarded(context, Need::NewGame, text, page);
    let again_tile = (MenuButton::Black, again(context, false));
    match context.keys {
        Keys::Buttons => vec![again_tile, (MenuButton::White, control)],
        Keys::ButtonsAndCall | Keys::RockerAndCall => {
            vec![again_tile, (MenuButton::Call, control), (MenuButton::White, again(context, true))]
        }
    }
}

fn in_a_pause(context: &Context) -> Tiles {
    let words = context.words;
    let is_paused = context.situation.phase() == Phase::Paused;
    let text = words.reports.go_on;
    let go_on = match context.situation.players_agree() {
        // The face asks both players to press.
        true => Some(Item::that(text, LineAction::Leave)),
        false => Item::guarded(context, Need::Change, text, PageState::list(result::go_on)),
    };
    let mut tiles = vec![(MenuButton::White, go_on.filter(|_| is_paused))];
    if context.keys != Keys::Buttons {
        tiles.push((MenuButton::Call, correct::item(context)));
    }
    tiles.push((MenuButton::Black, more::result(context)));
    tiles
}

/// The likely results: the opponent of the fallen flag wins, with his own button.
fn after_a_flag(context: &Context, fallen: Side) -> Tiles {
    let button = |side| if side == Side::White { MenuButton::White } else { MenuButton::Black };
    let wins = if fallen == Side::White { Outcome::BlackWins } else { Outcome::WhiteWins };
    let enters_result = !context.situation.is_concluded();
    let result = |outcome| {
        result::item(context, outcome).behind(context, Need::Change).filter(|_| enters_result)
    };
    let mut tiles = vec![(button(fallen.other()), result(wins))];
    if context.keys != Keys::Buttons {
        tiles.push((MenuButton::Call, result(Outcome::Drawn)));
    }
    tiles.push((button(fallen), correct::item(context)));
    tiles
}
