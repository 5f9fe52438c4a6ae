//! The choice of a control: the favourites, then all by family, then one of the players' own: the entry of
//! minutes and increment, and below it the form with everything else. Before it, of a new game, the rules.

use super::draft::{Draft, item, name};
use crate::context::Context;
use crate::digit_entry::enter;
use crate::digits::Digits;
use crate::effect::{Effect, NewRules};
use crate::family::Family;
use crate::form::OwnForm;
use crate::list::{Item, LineAction, List, PageState};
use crate::page::wrap;
use crate::words::Words;
use clock_controls::NamedControl;
use clock_engine::text::{spoken, to_toml};
use clock_engine::{Control, Method, Span};

/// "We two" or "with an arbiter".
pub(super) fn players(context: &Context) -> List {
    let words = &context.words.new_game;
    let (text, rules) = match context.situation.configured_rules {
        Some(_) => (words.with_arbiter, NewRules::Configured),
        None => (words.rules_as_before, NewRules::AsBefore),
    };
    let items =
        vec![Item::open(words.we_two, page(NewRules::PlayersAgree)), Item::open(text, page(rules))];
    List::with_back(context, 2, words.title, items)
}

/// The favourites, for a game with these rules.
pub(super) fn page(rules: NewRules) -> PageState {
    PageState::list(move |context| favourites(context, rules))
}

fn favourites(context: &Context, rules: NewRules) -> List {
    let words = &context.words.new_game;
    let line = |name: String, control| item(context, name, control, (rules, false));
    let favourites = context.config.favourites.iter();
    let mut items: Vec<Item> =
        favourites.map(|control| line(control.title.clone(), control)).collect();
    items.extend(context.situation.own.iter().map(|control| line(name(control), control)));
    let families = PageState::list(move |context| families(context, rules));
    items.push(Item::open(words.all_controls, families));
    items.push(own_item(context, rules));
    List::with_back(context, 3, words.control, items)
}

fn members<'a>(
    context: &'a Context,
    family: Family,
) -> impl Iterator<Item = &'a NamedControl> + use<'a> {
    let library = context.situation.library;
    let of_family = library.iter().enumerate().filter(move |(index, named)| {
        // Two files can have the same control under different names. Only the first one is listed.
        let is_first = library[..*index].iter().all(|other| other.control != named.control);
        is_first && Family::of(&named.control) == family
    });
    of_family.map(|(_, named)| named)
}

fn families(context: &Context, rules: NewRules) -> List {
    let words = context.words;
    let used = Family::ALL.into_iter().filter(|family| members(context, *family).next().is_some());
    let open = |of: Family| {
        let page = PageState::list(move |context| family(context, rules, of));
        Item::open(words.family(of), page)
    };
    List::with_back(context, 4, words.new_game.control, used.map(open).collect())
}

/// The controls of a family. Each is described before it is set up, because its name does not say
/// everything.
fn family(context: &Context, rules: NewRules, family: Family) -> List {
    let line = |control| item(context, name(control), control, (rules, true));
    let items = members(context, family).map(line).collect();
    List::with_back(context, 5, context.words.family(family), items)
}

/// The line that makes a control for a game with these rules.
pub(super) fn own_item(context: &Context, rules: NewRules) -> Item {
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
