//! Everything about a new game before it is accepted: each period, the increment and from which
//! move, what happens at the flag, and whether moves are counted.

use super::{Item, Proposal};
use crate::context::Context;
use crate::effect::{MenuCommand, NewGame, NewRules, Refusal};
use crate::page::wrap;
use crate::words::face_time;
use clock_controls::NamedControl;
use clock_engine::rules::{Game, GameCommand, GameRefused, Session, Setup};
use clock_engine::{AfterFlag, Instant, Side};

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
    let setup = setup(context, draft);
    let under_way = setup.force;
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
        Ok(_) => {
            let title = words.new_game.title.to_owned();
            let what = [title].into_iter().chain(lines.iter().cloned()).collect();
            let set = command(context, draft);
            Some(Item::give(words.new_game.accept, Proposal { set, what }))
        }
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

fn setup(context: &Context, draft: &Draft) -> Setup {
    Setup {
        control: draft.control.control,
        profile: context.profile(draft.rules),
        session: Session::Unknown,
        force: context.situation.is_under_way(),
    }
}

/// White's and Black's time at the start of the game; empty if the rules refuse the control.
pub(super) fn times(context: &Context, draft: &Draft) -> [String; 2] {
    let game = Game::new(&setup(context, draft), Instant::ZERO);
    game.map_or_else(
        |_| Default::default(),
        |game| {
            let view = game.view(Instant::ZERO);
            Side::BOTH.map(|side| face_time(view.sides[side].remaining))
        },
    )
}

/// The command that sets up the game.
pub(super) fn command(context: &Context, draft: &Draft) -> MenuCommand {
    let Draft { control, rules, exchange } = draft;
    let setup = setup(context, draft);
    let command = match exchange {
        true => GameCommand::NewExchanged(setup),
        false => GameCommand::New(setup),
    };
    let new_game = NewGame { control: control.clone(), rules: *rules, exchange_sides: *exchange };
    MenuCommand { new_game: Some(new_game), ..context.command(command) }
}
