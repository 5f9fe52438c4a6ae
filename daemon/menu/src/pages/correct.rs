//! A correction: in steps in the digits of both sides, or exactly, with counters, periods, overtime and
//! the side on move.

use super::confirm::Confirm;
use crate::access::Need;
use crate::context::Context;
use crate::form::{Field, STEPS, Steps, correct, correction_digits};
use crate::key::{Hint, Keys};
use crate::list::{Item, KeyActions, LineAction, List, PageState};
use crate::words::{marked_time, of};
use clock_engine::{Command, Correction, PerSide, Side, View};

/// The line that corrects the clock.
pub(super) fn item(context: &Context) -> Option<Item> {
    let page = match context.keys {
        Keys::ButtonsAndCall => steps_page(Steps::default()),
        // Steps need three keys.
        Keys::Buttons | Keys::RockerAndCall => exact_page(Correction::default()),
    };
    Item::guarded(context, Need::Change, context.words.standing.correct, page)
}

fn steps_page(steps: Steps) -> PageState {
    PageState::list(move |context| in_steps(context, steps))
}

fn exact_page(draft: Correction) -> PageState {
    PageState::list(move |context| exact(context, draft))
}

/// The page on which the times are corrected in steps of 1 minute or 10 seconds. It shows which time the
/// keys change, both times with the part that changes in brackets, and the times before the correction.
fn in_steps(context: &Context, steps: Steps) -> List {
    let (view, words) = (context.situation.view, context.words);
    let step = steps.step();
    let times = Side::BOTH.map(|side| {
        let chosen = step.filter(|(of, _)| *of == side).map(|(_, seconds)| seconds);
        marked_time(steps.time(view, side), chosen)
    });
    let value = step.map_or(" ", |(side, _)| times[side as usize].as_str()).to_owned();
    let text = match step {
        Some((side, seconds)) => words.step(side, seconds),
        None => words.correction.exact.to_owned(),
    };
    let mut items = vec![Item::info(text).with_value(value).with_times(times)];
    for side in Side::BOTH {
        let [before, after] = [None, steps.draft.time[side]].map(|time| {
            let draft = Correction { time: PerSide::both(time), ..Correction::default() };
            correction_digits(view, &draft, Field::Time(side)).text()
        });
        if before != after {
            items.push(Item::info(words.changed(Field::Time(side), &before, &after)));
        }
    }
    let held = match steps.draft == Correction::default() {
        true => LineAction::Leave,
        false => confirm(context, &steps.draft).action(context),
    };
    List::new(48, words.standing.correct, items).keyed(step_keys(context, steps)).held(held)
}

fn step_keys(context: &Context, steps: Steps) -> KeyActions {
    let (view, keys) = (context.situation.view, &context.words.keys);
    let is_changed = steps.draft != Correction::default();
    let hold = if is_changed { context.words.correction.ok } else { keys.leave };
    let hints = context.digit_hints(keys.next_digit, hold);
    let page = |steps| LineAction::Replace(Box::new(steps_page(steps)));
    let next = page(Steps { at: (steps.at + 1) % (STEPS.len() + 1), ..steps });
    let Some(step) = steps.step() else {
        let exact = |hint: Hint| match hint.action.as_str() {
            "−" => None,
            "+" => Some(Hint { action: keys.choose.to_owned(), ..hint }),
            _ => Some(hint),
        };
        let hints = hints.into_iter().filter_map(exact).collect();
        let on = LineAction::open(exact_page(steps.draft));
        return KeyActions { back: LineAction::Nothing, on, choose: next, hints };
    };
    let [back, on] = [false, true].map(|more| page(steps.changed(view, step, more)));
    KeyActions { back, on, choose: next, hints }
}

fn confirm(context: &Context, draft: &Correction) -> Confirm {
    let set = context.command(Command::Correct(*draft).into());
    let Readings { lines, agreed } = readings(context, draft);
    Confirm::new(context.words.correction.readings, lines, set).with_agreed(agreed)
}

fn exact(context: &Context, draft: Correction) -> List {
    let (view, words) = (context.situation.view, context.words);
    let shown = |field: &Field| matches!(field, Field::Time(_)) || context.shows_moves();
    let mut items: Vec<Item> =
        fields(view).filter(shown).map(|field| line(context, draft, field)).collect();
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

fn line(context: &Context, draft: Correction, field: Field) -> Item {
    let digits = correction_digits(context.situation.view, &draft, field);
    let (name, text) = (context.words.field(field), digits.text());
    let entry =
        LineAction::enter(name, digits, move |value| exact_page(correct(draft, field, value)));
    Item::that(format!("{name} {text}"), entry).with_value(text)
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
