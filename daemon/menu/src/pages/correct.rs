//! A correction: in steps in the digits of both sides, or exactly, with counters, periods and the side
//! on move.

use crate::access::Need;
use crate::context::Context;
use crate::digit_entry::enter;
use crate::effect::Proposal;
use crate::form::{Field, correct, corrected_time, correction_digits, stepped, steps};
use crate::key::Keys;
use crate::list::{Item, KeyActions, LineAction, List, PageState};
use crate::words::{marked_time, of};
use clock_engine::{Command, Correction, Side};

pub(super) fn item(context: &Context) -> Option<Item> {
    let page = steps_page(Correction::default(), 0);
    Item::guarded(context, Need::Change, context.words.standing.correct, page)
}

fn steps_page(draft: Correction, at: usize) -> PageState {
    PageState::list(move |context| in_steps(context, draft, at))
}

fn exact_page(draft: Correction) -> PageState {
    PageState::list(move |context| exact(context, draft))
}

/// The page on which the times are corrected in steps of 1 minute or 10 seconds; after the last step,
/// it offers the exact form. It shows which time the keys change, both times with the part that
/// changes in brackets, and each changed time before and after.
fn in_steps(context: &Context, draft: Correction, at: usize) -> List {
    let (view, words) = (context.situation.view, context.words);
    let has_back = context.keys == Keys::ButtonsAndCall;
    let mut all = steps(has_back);
    let step = all.nth(at);
    let times = Side::BOTH.map(|side| {
        let chosen = step.filter(|(of, _)| *of == side).map(|(_, seconds)| seconds);
        marked_time(corrected_time(view, &draft, side), chosen.map(i64::unsigned_abs))
    });
    let value = step.map_or(" ", |(side, _)| times[side as usize].as_str()).to_owned();
    let (hold, held) = match draft == Correction::default() {
        true => (words.keys.leave, LineAction::Leave),
        false => (words.correction.ok, confirm(context, &draft).action(context)),
    };
    let page = |draft, at| LineAction::Replace(Box::new(steps_page(draft, at)));
    let choose = page(draft, if step.is_some() { at + 1 } else { 0 });
    let (text, keys) = match step {
        None => {
            let hints = context.hints_of(["", words.keys.choose, words.keys.next], hold);
            let (back, on) = (LineAction::Nothing, LineAction::open(exact_page(draft)));
            (words.correction.exact.to_owned(), KeyActions { back, on, choose, hints })
        }
        Some((side, seconds)) => {
            let amount = match seconds.unsigned_abs() {
                seconds @ 60.. => format!("{} min", seconds / 60),
                seconds => format!("{seconds} s"),
            };
            let sign = if seconds < 0 { '−' } else { '+' };
            let [less, more] = ['−', sign].map(|sign| format!("{sign} {amount}"));
            let hints = context.hints_of([&less, &more, words.keys.next], hold);
            let [back, on] =
                [-seconds, seconds].map(|seconds| page(stepped(draft, view, side, seconds), at));
            let sign = if has_back { '±' } else { sign };
            let text = format!("{} {sign} {amount}", words.side_name(side));
            (text, KeyActions { back, on, choose, hints })
        }
    };
    let mut items = vec![Item::info(text).with_value(value).with_times(times)];
    let changes =
        Side::BOTH.into_iter().filter_map(|side| change(context, &draft, Field::Time(side)));
    items.extend(changes.map(Item::info));
    List::new(48, words.standing.correct, items).keyed(keys).held(held)
}

/// The change of a field on one line; `None` if the field stays as it is.
fn change(context: &Context, draft: &Correction, field: Field) -> Option<String> {
    let text = |draft| correction_digits(context.situation.view, draft, field).text();
    let (before, after) = (text(&Correction::default()), text(draft));
    (before != after).then(|| context.words.changed(field, &before, &after))
}

/// The page with all changes, and the times that stay.
fn confirm(context: &Context, draft: &Correction) -> Proposal {
    let words = context.words;
    let mut lines: Vec<String> =
        fields().filter_map(|field| change(context, draft, field)).collect();
    lines.extend(draft.on_move.map(|side| of(&words.standing.then_on_move, side).to_owned()));
    for side in Side::BOTH {
        if change(context, draft, Field::Time(side)).is_none() {
            lines.push(words.reading(side, context.situation.view.sides[side].remaining));
        }
    }
    Proposal::new(words.standing.correct, lines, context.command(Command::Set(*draft).into()))
}

fn exact(context: &Context, draft: Correction) -> List {
    let (view, words) = (context.situation.view, context.words);
    let shown = |field: &Field| matches!(field, Field::Time(_)) || context.shows_moves();
    let mut items: Vec<Item> =
        fields().filter(shown).map(|field| line(context, draft, field)).collect();
    let side = draft.on_move.unwrap_or(view.on_move);
    let other = Some(side.other()).filter(|other| *other != view.on_move);
    let other = exact_page(Correction { on_move: other, ..draft });
    let other = LineAction::Replace(Box::new(other));
    items.push(Item::that(of(&words.standing.on_move, side), other));
    items.push(match draft == Correction::default() {
        true => Item::info(words.correction.nothing_changed),
        false => confirm(context, &draft).item(context, words.correction.show_both),
    });
    List::with_back(context, 21, words.standing.correct, items)
}

fn fields() -> impl Iterator<Item = Field> {
    let of_both = [Field::Time, Field::Moves, Field::Period];
    of_both.into_iter().flat_map(|field: fn(Side) -> Field| Side::BOTH.map(field))
}

fn line(context: &Context, draft: Correction, field: Field) -> Item {
    let of = |draft| correction_digits(context.situation.view, draft, field);
    let (now, digits) = (of(&Correction::default()), of(&draft));
    let (name, text) = (context.words.field(field), digits.text());
    let entry = enter(name, digits, move |value| exact_page(correct(draft, &now, field, value)));
    Item::that(format!("{name} {text}"), entry).with_value(text)
}
