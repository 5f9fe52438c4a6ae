//! The result of the game, and how a game goes on.

use super::confirm::readings;
use crate::context::Context;
use crate::effect::Proposal;
use crate::list::{Item, List};
use crate::words::{of, outcome_value};
use clock_engine::rules::{Action, GameCommand, ResultGround};
use clock_engine::{Command, Outcome, Side};

pub(super) fn list(context: &Context) -> List {
    let words = context.words;
    let now = context.situation.view.outcome;
    let offered = [Outcome::WhiteWins, Outcome::Drawn, Outcome::BlackWins];
    let others = offered.into_iter().filter(|outcome| Some(*outcome) != now);
    let mut items: Vec<Item> = others.map(|outcome| item(context, outcome)).collect();
    if now.is_some() {
        items.push(enter(context, words.standing.no_result, Command::Reopen.into()));
    }
    List::with_back(context, 22, words.standing.result, items)
}

pub(super) fn item(context: &Context, outcome: Outcome) -> Item {
    let command = match context.situation.view.outcome {
        Some(_) => GameCommand::ReplaceResult(outcome),
        None => finish(context, outcome),
    };
    enter(context, context.words.outcome(outcome), command).with_value(outcome_value(outcome))
}

fn enter(context: &Context, text: &str, command: GameCommand) -> Item {
    Proposal::new(text, readings(context), context.command(command)).item(context, text)
}

fn finish(context: &Context, outcome: Outcome) -> GameCommand {
    match context.situation.rules {
        Some(_) => Action::Result { outcome, ground: ResultGround::Game }.into(),
        None => Command::Finish(outcome).into(),
    }
}

/// The game goes on: whose clock runs. In unsupervised play there is no such page.
pub(super) fn go_on(context: &Context) -> List {
    let words = context.words;
    let on_move = context.situation.view.on_move;
    let item = |side: Side| {
        // If the command names no side, the turn of the side on move continues. So only the other
        // side is named.
        let side_named = Some(side).filter(|side| *side != on_move);
        let command = Command::Resume { side: side_named };
        enter(context, of(&words.standing.clock_runs, side), command.into())
    };
    List::with_back(context, 29, words.reports.go_on, vec![item(on_move), item(on_move.other())])
}
