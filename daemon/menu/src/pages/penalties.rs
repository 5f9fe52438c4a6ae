//! The penalties of the profile: the offender, the penalty, and its amount.

use super::{Confirm, DigitsPage, Item, PageState};
use crate::context::Context;
use crate::digits::Digits;
use crate::effect::MenuCommand;
use crate::form::Field;
use crate::words::of;
use clock_engine::rules::{Action, Penalty, PenaltyKind};
use clock_engine::{Side, Span};

/// The first amount of a time penalty.
const USUAL: Span = Span::from_secs(120);

/// A penalty with an amount of time, as it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PenaltyForm {
    side: Side,
    kind: PenaltyKind,
    time: Span,
}

impl PenaltyForm {
    pub fn take(&mut self, seconds: u64) {
        self.time = Span::from_secs(seconds);
    }
}

pub(super) fn offender(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let item = |side: Side| Item::open(words.side_name(side), PageState::Penalties(side));
    let mut items: Vec<Item> = Side::BOTH.map(item).into();
    items.push(Item::back(words));
    (25, words.penalties.who.to_owned(), items)
}

pub(super) fn list(context: &Context, side: Side) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let mut items = Vec::new();
    if let Some(rules) = context.situation.rules {
        let allowed = PenaltyKind::ALL.iter().filter(|kind| kind.is_in(rules.profile.penalties));
        items.extend(allowed.flat_map(|kind| of_kind(context, side, *kind)));
    }
    items.push(Item::back(words));
    (26, of(&words.penalties.of, side).to_owned(), items)
}

fn of_kind(context: &Context, side: Side, kind: PenaltyKind) -> Vec<Item> {
    let words = context.words;
    let text = words.penalty(kind);
    let offender = of(&words.penalties.offender, side).to_owned();
    if kind.has_time() {
        let form = PenaltyForm { side, kind, time: USUAL };
        return vec![Item::open(text, PageState::PenaltyTime(form))];
    }
    let penalty = |half_points| Penalty { side, kind, time: Span::ZERO, half_points, cause: None };
    if !kind.has_points() {
        return vec![confirm(context, penalty(0), vec![offender]).item(context, text)];
    }
    let points = [(1, "½", words.penalties.half_point), (2, "1", words.penalties.one_point)];
    let item = |(half_points, number, amount): (u32, &str, &str)| {
        let effect = vec![offender.clone(), amount.to_owned()];
        let text = format!("{text}{}{number}", words.colon());
        confirm(context, penalty(half_points), effect).item(context, text)
    };
    points.into_iter().map(item).collect()
}

pub(super) fn time(context: &Context, form: &PenaltyForm) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let PenaltyForm { side, kind, time } = *form;
    let digits = Digits::time(time);
    let text = digits.text();
    let page = PageState::Digits(DigitsPage { field: Field::Penalty, digits });
    let penalty = Penalty { side, kind, time, half_points: 0, cause: None };
    let offender = of(&words.penalties.offender, side).to_owned();
    let effect = vec![offender, words.penalty_time(kind, side, time)];
    let items = vec![
        Item::open(text.clone(), page).with_value(text),
        confirm(context, penalty, effect).item(context, words.penalties.take_time),
        Item::back(words),
    ];
    (27, words.penalty(kind).to_owned(), items)
}

fn confirm(context: &Context, penalty: Penalty, effect: Vec<String>) -> Confirm {
    let set: MenuCommand = context.command(Action::Penalize(penalty).into());
    let title = context.words.penalty(penalty.kind);
    Confirm::new(title, effect, set)
}
