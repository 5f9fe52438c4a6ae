//! The result.

use super::{Confirm, PageState};
use crate::context::Context;
use crate::item::Item;
use crate::words;
use clock_engine::rules::{Action, GameCommand, ResultGround};
use clock_engine::{Command, Outcome, Side};

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let now = context.situation.view.outcome;
    let confirm = |title: &str, commands| {
        let set = context.command_set(commands);
        PageState::Confirm(Box::new(Confirm::new(title, readings(context), set)))
    };
    let enter = |outcome: Outcome| {
        let mut commands = Vec::new();
        if now.is_some() {
            commands.push(Command::Reopen.into());
        }
        commands.push(finish(context, outcome));
        let page = confirm(words::outcome(outcome), commands);
        Item::open(words::outcome(outcome), page).with_value(words::outcome_value(outcome))
    };
    let offered = [Outcome::WhiteWins, Outcome::Drawn, Outcome::BlackWins];
    let others = offered.into_iter().filter(|outcome| Some(*outcome) != now);
    let mut items: Vec<Item> = others.map(enter).collect();
    if now.is_some() {
        let page = confirm(words::NO_RESULT, vec![Command::Reopen.into()]);
        items.push(Item::open(words::NO_RESULT, page));
    }
    items.push(Item::back());
    (22, words::RESULT.to_owned(), items)
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
    let reading = |side: Side| format!("{side} {}", words::time(view.sides[side].remaining));
    Side::BOTH.map(reading).to_vec()
}
