//! The controls of the players' own: five places, and the form with which one is set.

use super::draft::{self, Draft};
use crate::context::Context;
use crate::digits::Digits;
use crate::effect::{Effect, NewRules};
use crate::form::{OwnForm, OwnMethod};
use crate::list::{Item, LineAction, List, PageState};
use crate::page::wrap;
use crate::words::Words;
use clock_controls::NamedControl;
use clock_engine::text::{spoken, to_toml};
use clock_engine::{Control, Span};

/// The places, for a game with these rules.
pub(super) fn page(rules: NewRules) -> PageState {
    PageState::list(move |context| places(context, rules))
}

fn places(context: &Context, rules: NewRules) -> List {
    let words = context.words;
    let place = |(place, kept): (usize, &Option<NamedControl>)| match kept {
        Some(control) => {
            let text = words.own_place(place, &draft::name(control));
            Item::open(text, PageState::list(move |context| self::place(context, rules, place)))
        }
        None => {
            let name = words.own_place(place, words.new_game.not_set);
            let new = OwnForm::of(place, None);
            let entry = LineAction::enter(
                words.new_game.control,
                Digits::both(new.time, new.per_move),
                move |value| form_page(rules, new.with_both(value)),
            );
            Item::that(name, entry.above(form_page(rules, new)))
        }
    };
    let items = context.situation.own.iter().enumerate().map(place).collect();
    List::with_back(context, 6, words.new_game.own_controls, items)
}

/// An own control: play it or change it.
fn place(context: &Context, rules: NewRules, place: usize) -> List {
    let words = context.words;
    let kept = context.situation.own.get(place).and_then(Option::as_ref);
    let play = |control| draft::item(context, words.new_game.play, control, (rules, false));
    let form = OwnForm::of(place, kept.map(|kept| &kept.control));
    let mut items: Vec<Item> = kept.map(play).into_iter().collect();
    items.push(Item::open(words.new_game.change, form_page(rules, form)));
    let name = kept.map_or_else(|| words.new_game.not_set.to_owned(), draft::name);
    List::with_back(context, 7, words.own_place(place, &name), items)
}

fn form_page(rules: NewRules, form: OwnForm) -> PageState {
    PageState::list(move |context| self::form(context, rules, form))
}

fn form(context: &Context, rules: NewRules, form: OwnForm) -> List {
    let (words, names) = (context.words, &context.words.new_game);
    let field = |name: &str, digits: Digits, with: fn(OwnForm, u64) -> OwnForm| {
        let text = digits.text();
        let entry =
            LineAction::enter(name, digits, move |value| form_page(rules, with(form, value)));
        Item::that(format!("{name} {text}"), entry).with_value(text)
    };
    let next = OwnForm { method: form.method.next(), ..form };
    let next = LineAction::Replace(Box::new(form_page(rules, next)));
    let time = |form, value| OwnForm { time: Span::from_secs(value), ..form };
    let mut items = vec![
        field(names.own_time, Digits::time(form.time), time),
        field(names.own_moves, Digits::count(form.moves, 2), OwnForm::with_moves),
        Item::that(words.own_method(form.method), next),
    ];
    if matches!(form.method, OwnMethod::Increment | OwnMethod::Delay | OwnMethod::Bronstein) {
        let per_move = |form, value| OwnForm { per_move: Span::from_secs(value), ..form };
        items.push(field(names.own_per_move, Digits::short_time(form.per_move), per_move));
    }
    if form.method != OwnMethod::Hourglass {
        items.push(field(names.own_second, Digits::time(form.second), OwnForm::with_second));
    }
    match form.control() {
        Ok(_) if form.time.is_zero() => items.extend(Item::texts(wrap(names.no_time))),
        Ok(control) => items.push(keep(words, rules, form.place, control)),
        Err(error) => items.extend(Item::texts(words.control_error(&error))),
    }
    List::with_back(context, 8, words.own_place(form.place, ""), items)
}

/// The line that keeps the control, and shows its summary.
fn keep(words: Words, rules: NewRules, place: usize, control: Control) -> Item {
    let name = spoken(&control).unwrap_or_else(|_| words.own_place(place, ""));
    let text = to_toml(&name, &control);
    let named = NamedControl { title: name.clone(), name, text, control };
    let draft = Draft { control: named.clone(), rules, exchange: false };
    let store = Effect::Store { place, control: Box::new(named) };
    let page = Some(Box::new(draft.summary()));
    Item::that(words.new_game.keep, LineAction::Effect(Box::new(store), page))
}
