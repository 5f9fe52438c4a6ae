//! Everything about a new game before it is accepted: each period, the increment and from which
//! move, what happens at the flag, and whether moves are counted.

use crate::context::Context;
use crate::effect::{CommandSet, NewGame, NewRules};
use crate::item::Item;
use crate::page::wrap;
use crate::words;
use clock_controls::NamedControl;
use clock_engine::rules::{Game, GameCommand, Session, Setup};
use clock_engine::text::describe;
use clock_engine::{AfterFlag, Control, Instant};

/// A new game before it is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub control: NamedControl,
    pub rules: NewRules,
    /// Whether the players exchange their sides, each with the button in front of him.
    pub exchange: bool,
}

pub(super) fn list(context: &Context, draft: &Draft) -> (u8, String, Vec<Item>) {
    let Draft { control, rules, exchange } = draft;
    let under_way = context.situation.is_under_way();
    let setup = Setup {
        control: control.control,
        profile: context.profile(*rules),
        session: Session::Unknown,
        force: under_way,
    };
    let tried = Game::new(&setup, Instant::ZERO);
    let mut lines: Vec<String> = Vec::new();
    if under_way {
        lines.push(words::GAME_IS_LOST.to_owned());
    }
    if *exchange {
        lines.push(words::EXCHANGE.to_owned());
    }
    lines.extend(periods(&control.control));
    let in_force = tried.as_ref().map_or(control.control, |game| *game.clock().control());
    lines.push(match in_force.after_flag() {
        AfterFlag::Halt => words::FLAG_HALTS.to_owned(),
        AfterFlag::Run => words::FLAG_RUNS.to_owned(),
    });
    let counted = control.control.periods().iter().any(|period| period.moves.is_some());
    lines.push(if counted { words::COUNTED } else { words::NOT_COUNTED }.to_owned());
    let name = context.rules_name(*rules);
    if !name.is_empty() {
        lines.extend(wrap(&words::rules(name)));
    }
    let accept = match tried {
        Ok(_) => Some(Item::give(words::ACCEPT, set(context, draft, setup))),
        Err(refused) => {
            lines.extend(wrap(&refused.to_string()));
            None
        }
    };
    let mut items: Vec<Item> = lines.into_iter().map(Item::info).collect();
    items.extend(accept);
    items.push(Item::back());
    (9, words::SUMMARY.to_owned(), items)
}

fn set(context: &Context, draft: &Draft, setup: Setup) -> CommandSet {
    let Draft { control, rules, exchange } = draft;
    let mut commands = vec![GameCommand::New(setup)];
    if *exchange {
        commands.push(GameCommand::ExchangeButtons(!context.situation.buttons_exchanged));
    }
    let new_game = NewGame { control: control.clone(), rules: *rules, exchange_sides: *exchange };
    CommandSet { new_game: Some(new_game), ..context.command_set(commands) }
}

/// The control in words, each of its parts from a line of its own on.
fn periods(control: &Control) -> Vec<String> {
    let said = describe(control);
    said.split([',', ';']).flat_map(|part| wrap(part.trim())).collect()
}
