//! The form of a correction: times, counters, periods, overtime and the side on move.

use super::{Confirm, DigitsPage, PageState};
use crate::context::Context;
use crate::form::{Field, correction_digits};
use crate::item::{Change, Item, LineAction};
use crate::words::of;
use clock_engine::{Command, Correction, Side, View};

pub(super) fn list(context: &Context, draft: &Correction) -> (u8, String, Vec<Item>) {
    let (view, words) = (context.situation.view, context.words);
    let shown = |field: &Field| matches!(field, Field::Time(_)) || context.shows_moves();
    let mut items: Vec<Item> =
        fields(view).filter(shown).map(|field| item(context, draft, field)).collect();
    let on_move = of(&words.standing.on_move, draft.on_move.unwrap_or(view.on_move));
    items.push(Item::that(on_move, LineAction::Change(Change::OnMove)));
    items.push(match *draft == Correction::default() {
        true => Item::info(words.correction.nothing_changed),
        false => {
            let set = context.command(Command::Correct(*draft).into());
            let Readings { lines, agreed } = readings(context, draft);
            let confirm = Confirm::new(words.correction.readings, lines, set).with_agreed(agreed);
            Item::open(words.correction.show_both, PageState::Confirm(Box::new(confirm)))
        }
    });
    items.push(Item::back(words));
    (21, words.standing.correct.to_owned(), items)
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

fn item(context: &Context, draft: &Correction, field: Field) -> Item {
    let digits = correction_digits(context.situation.view, draft, field);
    let text = digits.text();
    let page = PageState::Digits(DigitsPage { field, digits });
    Item::open(format!("{} {text}", context.words.field(field)), page).with_value(text)
}

/// What the clock shows before and after a correction: the values that change, and the times that
/// stay.
struct Readings {
    /// For the page that shows both: each value on a line of its own.
    lines: Vec<String>,
    /// For the page on which both players agree: each change on one line.
    agreed: Vec<String>,
}

fn readings(context: &Context, draft: &Correction) -> Readings {
    let (view, words) = (context.situation.view, context.words);
    let now = Correction::default();
    let (mut lines, mut changes) = (Vec::new(), vec![words.standing.correct.to_owned()]);
    let mut unchanged = Vec::new();
    for field in fields(view) {
        let [before, after] =
            [&now, draft].map(|draft| correction_digits(view, draft, field).text());
        let line = format!("{} {before}", words.field(field));
        if before != after {
            changes.push(words.changed(field, &before, &after));
            lines.extend([line, words.after(&after)]);
        } else if matches!(field, Field::Time(_)) {
            unchanged.push(line);
        }
    }
    let on_move = draft.on_move.map(|side| of(&words.standing.then_on_move, side).to_owned());
    changes.extend(on_move.clone());
    lines.extend(on_move);
    lines.extend_from_slice(&unchanged);
    changes.extend(unchanged);
    Readings { lines, agreed: changes }
}
