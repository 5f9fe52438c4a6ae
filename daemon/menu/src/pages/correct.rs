//! A correction: in steps in the digits of both sides, or exactly, with counters, periods, overtime and
//! the side on move.

use super::{Change, Confirm, DigitsPage, Item, LineAction, PageInput, PageState};
use crate::context::Context;
use crate::form::{Field, STEPS, Steps, correction_digits};
use crate::key::{Hint, Key};
use crate::page::Page;
use crate::words::{marked_time, of};
use clock_engine::{Command, Correction, PerSide, Side, View};

/// The number of the page with the steps.
const NUMBER: u8 = 48;

impl Steps {
    /// The page: what the keys change, both times with the chosen part in brackets, and the times
    /// before.
    pub fn shown(&self, context: &Context) -> Page {
        let (view, words) = (context.situation.view, context.words);
        let step = self.step();
        let mut lines = vec![match step {
            Some((side, seconds)) => words.step(side, seconds),
            None => words.correction.exact.to_owned(),
        }];
        for side in Side::BOTH {
            let [before, after] = [None, self.draft.time[side]].map(|time| {
                let draft = Correction { time: PerSide::both(time), ..Correction::default() };
                correction_digits(view, &draft, Field::Time(side)).text()
            });
            if before != after {
                lines.push(words.changed(Field::Time(side), &before, &after));
            }
        }
        let times = Side::BOTH.map(|side| {
            let chosen = step.filter(|(of, _)| *of == side).map(|(_, seconds)| seconds);
            marked_time(self.time(view, side), chosen)
        });
        let value = step.map_or(String::new(), |(side, _)| times[side as usize].clone());
        let page = Page::new(NUMBER, words.standing.correct, &lines, Some(0));
        Page { hints: self.hints(context), times, value, ..page }
    }

    fn hints(&self, context: &Context) -> Vec<Hint> {
        let keys = &context.words.keys;
        let is_changed = self.draft != Correction::default();
        let hold = if is_changed { context.words.correction.ok } else { keys.leave };
        let hints = context.digit_hints(keys.next_digit, hold);
        if self.step().is_some() {
            return hints;
        }
        let exact = |hint: Hint| match hint.action.as_str() {
            "−" => None,
            "+" => Some(Hint { action: keys.choose.to_owned(), ..hint }),
            _ => Some(hint),
        };
        hints.into_iter().filter_map(exact).collect()
    }

    pub fn input(&mut self, context: &Context, key: Option<Key>) -> PageInput {
        let view = context.situation.view;
        match (key, self.step()) {
            (Some(Key::Back), Some(step)) => self.change(view, step, false),
            (Some(Key::On), Some(step)) => self.change(view, step, true),
            (Some(Key::On), None) => {
                let page = Box::new(PageState::Exact(self.draft));
                return PageInput::Chosen(LineAction::Open(page, false));
            }
            (Some(Key::Choose), _) => self.at = (self.at + 1) % (STEPS.len() + 1),
            _ => {}
        }
        PageInput::Nothing
    }

    /// What the hold does: it gives the correction or, if nothing was changed, leaves the menu.
    pub fn held(&self, context: &Context) -> LineAction {
        match self.draft == Correction::default() {
            true => LineAction::Leave,
            false => confirm(context, &self.draft).action(context),
        }
    }
}

fn confirm(context: &Context, draft: &Correction) -> Confirm {
    let set = context.command(Command::Correct(*draft).into());
    let Readings { lines, agreed } = readings(context, draft);
    Confirm::new(context.words.correction.readings, lines, set).with_agreed(agreed)
}

pub(super) fn exact(context: &Context, draft: &Correction) -> (u8, String, Vec<Item>) {
    let (view, words) = (context.situation.view, context.words);
    let shown = |field: &Field| matches!(field, Field::Time(_)) || context.shows_moves();
    let mut items: Vec<Item> =
        fields(view).filter(shown).map(|field| item(context, draft, field)).collect();
    let on_move = of(&words.standing.on_move, draft.on_move.unwrap_or(view.on_move));
    items.push(Item::that(on_move, LineAction::Change(Change::OnMove)));
    items.push(match *draft == Correction::default() {
        true => Item::info(words.correction.nothing_changed),
        false => confirm(context, draft).item(context, words.correction.show_both),
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
