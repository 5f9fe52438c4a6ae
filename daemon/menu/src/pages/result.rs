//! The result.

use super::{Confirm, PageState};
use crate::context::Context;
use crate::item::Item;
use crate::words::outcome_value;
use clock_engine::rules::{Action, GameCommand, ResultGround};
use clock_engine::{Command, Outcome, Side};

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let now = context.situation.view.outcome;
    let confirm = |title: &str, command| {
        let set = context.command(command);
        PageState::Confirm(Box::new(Confirm::new(title, readings(context), set)))
    };
    let enter = |outcome: Outcome| {
        let command = match now {
            Some(_) => GameCommand::ReplaceResult(outcome),
            None => finish(context, outcome),
        };
        let page = confirm(words.outcome(outcome), command);
        Item::open(words.outcome(outcome), page).with_value(outcome_value(outcome))
    };
    let offered = [Outcome::WhiteWins, Outcome::Drawn, Outcome::BlackWins];
    let others = offered.into_iter().filter(|outcome| Some(*outcome) != now);
    let mut items: Vec<Item> = others.map(enter).collect();
    if now.is_some() {
        let page = confirm(words.standing.no_result, Command::Reopen.into());
        items.push(Item::open(words.standing.no_result, page));
    }
    items.push(Item::back(words));
    (22, words.standing.result.to_owned(), items)
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
