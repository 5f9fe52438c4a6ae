//! The choice of a control: the favourites, then all by family. Before it, of a new game, the rules.

use super::draft::{item, name};
use super::own;
use crate::context::Context;
use crate::effect::NewRules;
use crate::family::Family;
use crate::list::{Item, List, PageState};
use clock_controls::NamedControl;

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
    items.push(own::item(context, rules));
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
