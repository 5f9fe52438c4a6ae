//! The result.

use super::{Confirm, Item};
use crate::context::Context;
use crate::words::outcome_value;
use clock_engine::rules::{Action, GameCommand, ResultGround};
use clock_engine::{Command, Outcome, Side};

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let now = context.situation.view.outcome;
    let offered = [Outcome::WhiteWins, Outcome::Drawn, Outcome::BlackWins];
    let others = offered.into_iter().filter(|outcome| Some(*outcome) != now);
    let mut items: Vec<Item> = others.map(|outcome| item(context, outcome)).collect();
    if now.is_some() {
        items.push(enter(context, words.standing.no_result, Command::Reopen.into()));
    }
    items.push(Item::back(words));
    (22, words.standing.result.to_owned(), items)
}

/// The line that enters this result.
pub(super) fn item(context: &Context, outcome: Outcome) -> Item {
    let command = match context.situation.view.outcome {
        Some(_) => GameCommand::ReplaceResult(outcome),
        None => finish(context, outcome),
    };
    enter(context, context.words.outcome(outcome), command).with_value(outcome_value(outcome))
}

fn enter(context: &Context, text: &str, command: GameCommand) -> Item {
    Confirm::new(text, readings(context), context.command(command)).item(context, text)
}

fn finish(context: &Context, outcome: Outcome) -> GameCommand {
    match context.situation.rules {
        Some(_) => Action::Result { outcome, ground: ResultGround::Game }.into(),
        None => Command::Finish(outcome).into(),
    }
}

/// Both readings.
pub(super) fn readings(context: &Context) -> Vec<String> {
    let view = context.situation.view;
    let reading = |side: Side| context.words.reading(side, view.sides[side].remaining);
    Side::BOTH.map(reading).to_vec()
}
