//! The last press is taken back.

use super::Confirm;
use crate::context::Context;
use crate::item::Item;
use crate::pages::result::readings;
use crate::words;
use clock_engine::Command;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let mut lines = vec![words::then_on_move(context.situation.view.on_move.other())];
    // What the time will be depends on the turn before, which only the engine knows.
    lines.push(words::ADDED_TIME.to_owned());
    lines.extend(readings(context).into_iter().map(|reading| format!("now {reading}")));
    let set = context.command_set(vec![Command::UndoPress.into()]);
    let (_, title, items) = Confirm::new(words::UNDO, lines, set).list();
    (28, title, items)
}
