//! Everything about a new game before it is accepted: each period, the increment and from which
//! move, what happens at the flag, and whether moves are counted.

use crate::context::Context;
use crate::effect::{MenuCommand, NewGame, NewRules, Refusal};
use crate::item::Item;
use crate::page::wrap;
use clock_controls::NamedControl;
use clock_engine::rules::{Game, GameCommand, GameRefused, Session, Setup};
use clock_engine::{AfterFlag, Instant};

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
    let words = context.words;
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
        lines.push(words.new_game.game_ends.to_owned());
    }
    if *exchange {
        lines.push(words.new_game.each_keeps_button.to_owned());
    }
    lines.extend(words.control(&control.control));
    let in_force = tried.as_ref().map_or(control.control, |game| *game.clock().control());
    lines.push(match in_force.after_flag() {
        AfterFlag::Halt => words.new_game.flag_halts.to_owned(),
        AfterFlag::Run => words.new_game.flag_runs.to_owned(),
    });
    let counted = control.control.periods().iter().any(|period| period.moves.is_some());
    let names = &words.new_game;
    lines.push(if counted { names.moves_end_period } else { names.no_move_limit }.to_owned());
    let name = context.rules_name(*rules);
    if !name.is_empty() {
        lines.extend(wrap(&words.rules(name)));
    }
    let accept = match tried {
        Ok(_) => Some(Item::give(words.new_game.accept, set(context, draft, setup))),
        Err(refused) => {
            let (refused, text) = (GameRefused::from(refused), refused.to_string());
            let (class, clause) = (refused.into(), refused.clause());
            lines.extend(words.refusal(&Refusal { class, clause, text: &text }));
            None
        }
    };
    let mut items: Vec<Item> = lines.into_iter().map(Item::info).collect();
    items.extend(accept);
    items.push(Item::back(words));
    (9, words.new_game.summary.to_owned(), items)
}

fn set(context: &Context, draft: &Draft, setup: Setup) -> MenuCommand {
    let Draft { control, rules, exchange } = draft;
    let command = match exchange {
        true => GameCommand::NewExchanged(setup),
        false => GameCommand::New(setup),
    };
    let new_game = NewGame { control: control.clone(), rules: *rules, exchange_sides: *exchange };
    MenuCommand { new_game: Some(new_game), ..context.command(command) }
}
