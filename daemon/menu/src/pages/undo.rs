//! The last press is taken back.

use super::Confirm;
use crate::context::Context;
use crate::item::Item;
use crate::pages::result::readings;
use crate::words::of;
use clock_engine::Command;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = &context.words.standing;
    // The time after this command depends on the turn before. Only the engine knows that turn.
    let on_move = context.situation.view.on_move.other();
    let mut lines = vec![of(&words.then_on_move, on_move).to_owned(), words.added_time.to_owned()];
    lines.extend(readings(context).into_iter().map(|reading| format!("{} {reading}", words.now)));
    let set = context.command(Command::UndoPress.into());
    let (_, title, items) = Confirm::new(words.undo, lines, set).list(context);
    (28, title, items)
}
