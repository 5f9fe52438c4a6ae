//! The form of a correction: times, counters, periods, overtime and the side on move.

use super::{Confirm, DigitsPage, PageState};
use crate::context::Context;
use crate::form::{Field, correction_digits};
use crate::item::{Change, Item, LineAction};
use crate::words;
use clock_engine::{Command, Correction, Side, View};

pub(super) fn list(context: &Context, draft: &Correction) -> (u8, String, Vec<Item>) {
    let view = context.situation.view;
    let shown = |field: &Field| matches!(field, Field::Time(_)) || context.shows_moves();
    let mut items: Vec<Item> =
        fields(view).filter(shown).map(|field| item(view, draft, field)).collect();
    let on_move = words::on_move(draft.on_move.unwrap_or(view.on_move));
    items.push(Item::that(on_move, LineAction::Change(Change::OnMove)));
    items.push(match *draft == Correction::default() {
        true => Item::info(words::NOTHING_CHANGED),
        false => {
            let set = context.command_set(vec![Command::Correct(*draft).into()]);
            let Readings { lines, agreed } = readings(view, draft);
            let confirm = Confirm::new(words::READINGS, lines, set).with_agreed(agreed);
            Item::open(words::SHOW_BOTH, PageState::Confirm(Box::new(confirm)))
        }
    });
    items.push(Item::back());
    (21, words::CORRECT.to_owned(), items)
}

fn fields(view: &View) -> impl Iterator<Item = Field> {
    let of_both = [Field::Time, Field::Moves, Field::Period];
    let all = of_both.into_iter().flat_map(|field: fn(Side) -> Field| Side::BOTH.map(field));
    let in_overtime = Side::BOTH.into_iter().filter(|side| view.sides[*side].overtime.is_some());
    let in_overtime: Vec<Side> = in_overtime.collect();
    let overtime = in_overtime
        .into_iter()
        .flat_map(|side| [Field::OvertimePeriods(side), Field::OvertimeMoves(side)]);
    all.chain(overtime)
}

fn item(view: &View, draft: &Correction, field: Field) -> Item {
    let digits = correction_digits(view, draft, field);
    let text = digits.text();
    let page = PageState::Digits(DigitsPage { field, digits });
    Item::open(format!("{} {text}", words::field(field)), page).with_value(text)
}

/// The readings before and after a correction: what it changes, and the times that stay.
struct Readings {
    /// For the page that shows both: each reading on a line of its own.
    lines: Vec<String>,
    /// For the page on which both players agree: each change on one line.
    agreed: Vec<String>,
}

fn readings(view: &View, draft: &Correction) -> Readings {
    let now = Correction::default();
    let (mut lines, mut agreed) = (Vec::new(), vec![words::CORRECT.to_owned()]);
    let mut unchanged = Vec::new();
    for field in fields(view) {
        let [before, after] =
            [&now, draft].map(|draft| correction_digits(view, draft, field).text());
        let line = format!("{} {before}", words::field(field));
        if before != after {
            agreed.push(words::changed(field, &before, &after));
            lines.extend([line, words::after(&after)]);
        } else if matches!(field, Field::Time(_)) {
            unchanged.push(line);
        }
    }
    let on_move = draft.on_move.map(words::then_on_move);
    for part in [&mut lines, &mut agreed] {
        part.extend(on_move.clone());
        part.extend_from_slice(&unchanged);
    }
    Readings { lines, agreed }
}
