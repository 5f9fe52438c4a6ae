//! A control of the players' own: the entry of minutes and increment, and below it the form with everything else.

use super::draft::Draft;
use crate::context::Context;
use crate::digit_entry::enter;
use crate::digits::Digits;
use crate::effect::{Effect, NewRules};
use crate::form::OwnForm;
use crate::list::{Item, LineAction, List, PageState};
use crate::page::wrap;
use crate::words::Words;
use clock_controls::NamedControl;
use clock_engine::text::{spoken, to_toml};
use clock_engine::{Control, Method, Span};

/// The line that makes a control for a game with these rules.
pub(super) fn item(context: &Context, rules: NewRules) -> Item {
    let (new, words) = (OwnForm::default(), &context.words.new_game);
    let digits = Digits::both(new.time, new.per_move().unwrap_or_default());
    let entry = enter(words.control, digits, move |both| form_page(rules, new.with_both(both)));
    Item::that(words.own_controls, entry.above(form_page(rules, new)))
}

fn form_page(rules: NewRules, form: OwnForm) -> PageState {
    PageState::list(move |context| self::form(context, rules, form))
}

fn form(context: &Context, rules: NewRules, form: OwnForm) -> List {
    let (words, names) = (context.words, &context.words.new_game);
    let field = |name: &str, digits: Digits, with: fn(OwnForm, u64) -> OwnForm| {
        let text = digits.text();
        let entry = enter(name, digits, move |value| form_page(rules, with(form, value)));
        Item::that(format!("{name} {text}"), entry).with_value(text)
    };
    let next = LineAction::Replace(Box::new(form_page(rules, form.with_next_method())));
    let time = |form, value| OwnForm { time: Span::from_secs(value), ..form };
    let mut items = vec![
        field(names.own_time, Digits::time(form.time), time),
        field(names.own_moves, Digits::count(form.moves, 2), OwnForm::with_moves),
        Item::that(words.own_method(form.method), next),
    ];
    if let Some(span) = form.per_move() {
        items.push(field(names.own_per_move, Digits::time(span), OwnForm::with_per_move));
    }
    if form.method != Method::Hourglass {
        items.push(field(names.own_second, Digits::time(form.second), OwnForm::with_second));
    }
    match form.control() {
        Ok(_) if form.time.is_zero() => items.extend(Item::texts(wrap(names.no_time))),
        Ok(control) => items.push(keep(words, rules, control)),
        Err(error) => items.extend(Item::texts(words.control_error(&error))),
    }
    List::with_back(context, 8, names.own_controls, items)
}

/// The line that keeps the control, and shows its summary.
fn keep(words: Words, rules: NewRules, control: Control) -> Item {
    let name = spoken(&control).unwrap_or_else(|_| words.new_game.own_controls.to_owned());
    let text = to_toml(&name, &control);
    let named = NamedControl { title: name.clone(), name, text, control };
    let draft = Draft { control: named.clone(), rules, exchange: false };
    let store = Effect::Store(Box::new(named));
    let page = Some(Box::new(draft.summary()));
    Item::that(words.new_game.keep, LineAction::Effect(Box::new(store), page))
}
