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
            let confirm = Confirm::new(words::READINGS, before_and_after(view, draft), set);
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

/// Every reading that the correction changes, before and after it; then the times that stay.
fn before_and_after(view: &View, draft: &Correction) -> Vec<String> {
    let now = Correction::default();
    let (mut lines, mut unchanged) = (Vec::new(), Vec::new());
    for field in fields(view) {
        let [before, after] =
            [&now, draft].map(|draft| correction_digits(view, draft, field).text());
        let line = format!("{} {before}", words::field(field));
        if before != after {
            lines.extend([line, words::after(&after)]);
        } else if matches!(field, Field::Time(_)) {
            unchanged.push(line);
        }
    }
    lines.extend(draft.on_move.map(words::on_move));
    lines.extend(unchanged);
    lines
}
