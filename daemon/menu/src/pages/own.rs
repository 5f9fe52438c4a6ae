//! The controls of the players' own: five places, and the form with which one is set.

use super::{Change, DigitsPage, Draft, Item, LineAction, PageState, controls};
use crate::context::Context;
use crate::effect::{Effect, NewRules};
use crate::form::{Field, OwnForm, OwnMethod};
use crate::page::wrap;
use crate::words::Words;
use clock_controls::NamedControl;
use clock_engine::Control;
use clock_engine::text::{spoken, to_toml};

pub(super) fn places(context: &Context, rules: NewRules) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let place = |(place, kept): (usize, &Option<NamedControl>)| match kept {
        Some(control) => {
            let text = words.own_place(place, &controls::name(control));
            Item::open(text, PageState::OwnControl(rules, place))
        }
        None => {
            let name = words.own_place(place, words.new_game.not_set);
            let form = OwnForm::of(place, None);
            let digits = form.digits(Field::OwnBoth);
            let entry = DigitsPage { field: Field::OwnBoth, digits };
            let form = Box::new(PageState::OwnForm(rules, form));
            Item::that(name, LineAction::OpenForm(form, entry))
        }
    };
    let mut items: Vec<Item> = context.situation.own.iter().enumerate().map(place).collect();
    items.push(Item::back(words));
    (6, words.new_game.own_controls.to_owned(), items)
}

pub(super) fn place(context: &Context, rules: NewRules, place: usize) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let kept = context.situation.own.get(place).and_then(Option::as_ref);
    let play = kept.map(|control| controls::item(context, words.new_game.play, control, rules));
    let form = OwnForm::of(place, kept.map(|kept| &kept.control));
    let mut items: Vec<Item> = play.into_iter().collect();
    items.push(Item::open(words.new_game.change, PageState::OwnForm(rules, form)));
    items.push(Item::back(words));
    let name = kept.map_or_else(|| words.new_game.not_set.to_owned(), controls::name);
    (7, words.own_place(place, &name), items)
}

pub(super) fn form(context: &Context, rules: NewRules, form: &OwnForm) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let field = |field: Field| {
        let digits = form.digits(field);
        let text = digits.text();
        let page = PageState::Digits(DigitsPage { field, digits });
        Item::open(format!("{} {text}", words.field(field)), page).with_value(text)
    };
    let method = Item::that(words.own_method(form.method), LineAction::Change(Change::Method));
    let mut items = vec![field(Field::OwnTime), field(Field::OwnMoves), method];
    if matches!(form.method, OwnMethod::Increment | OwnMethod::Delay | OwnMethod::Bronstein) {
        items.push(field(Field::OwnPerMove));
    }
    if form.method != OwnMethod::Hourglass {
        items.push(field(Field::OwnSecond));
    }
    match form.control() {
        Ok(_) if form.time.is_zero() => {
            items.extend(wrap(words.new_game.no_time).into_iter().map(Item::info))
        }
        Ok(control) => items.push(keep(words, rules, form.place, control)),
        Err(error) => items.extend(words.control_error(&error).into_iter().map(Item::info)),
    }
    items.push(Item::back(words));
    (8, words.own_place(form.place, ""), items)
}

/// The line that keeps the control, and shows its summary.
fn keep(words: Words, rules: NewRules, place: usize, control: Control) -> Item {
    let name = spoken(&control).unwrap_or_else(|_| words.own_place(place, ""));
    let text = to_toml(&name, &control);
    let named = NamedControl { title: name.clone(), name, text, control };
    let draft = Draft { control: named.clone(), rules, exchange: false };
    let store = Effect::Store { place, control: Box::new(named) };
    let page = PageState::Summary(Box::new(draft));
    let action = LineAction::EffectAndOpen(Box::new(store), Box::new(page));
    Item::that(words.new_game.keep, action)
}
