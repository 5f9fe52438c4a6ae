//! The choice of a control: the favourites, then all by family.

use super::first::{is_ours, proposal};
use super::{Draft, Item, LineAction, PageState, summary};
use crate::context::Context;
use crate::effect::NewRules;
use crate::family::Family;
use crate::page::LINE_LENGTH;
use clock_controls::NamedControl;
use clock_engine::text::spoken;

/// The most controls of a family that are listed.
const MAX_LISTED: usize = 99;

/// The name of a control on one line: its notation if that fits, otherwise its title. Overtime keeps
/// its title, because players know its name (byo-yomi) better than its notation.
pub(super) fn name(control: &NamedControl) -> String {
    let has_title = Family::of(&control.control) == Family::Other;
    match spoken(&control.control) {
        Ok(notation) if !has_title && notation.chars().count() <= LINE_LENGTH => notation,
        _ => control.title.clone(),
    }
}

/// A line with this control. The players' own game is set up at once, because it can be set up again
/// as easily. Any other game is first described.
pub(super) fn item(
    context: &Context,
    name: impl Into<String>,
    control: &NamedControl,
    rules: NewRules,
) -> Item {
    let draft = Draft { control: control.clone(), rules, exchange: false };
    let times = summary::times(context, &draft);
    let is_now = control.control == context.situation.control.control;
    let is_known = rules != NewRules::Configured && !times[0].is_empty();
    let action = match is_ours(context) && is_known {
        true => LineAction::Give(Box::new(proposal(context, &draft))),
        false => LineAction::Open(Box::new(PageState::Summary(Box::new(draft))), false),
    };
    Item { times, ..Item::that(name, action).begun(is_now) }
}

pub(super) fn favourites(context: &Context, rules: NewRules) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let favourites = context.config.favourites.iter();
    let mut items: Vec<Item> = favourites
        .map(|favourite| item(context, &favourite.notation, &favourite.control, rules))
        .collect();
    let own = context.situation.own.iter().flatten();
    items.extend(own.map(|control| item(context, name(control), control, rules)));
    items.push(Item::open(words.new_game.all_controls, PageState::Families(rules)));
    items.push(Item::open(words.new_game.own_controls, PageState::OwnControls(rules)));
    items.push(Item::back(words));
    (3, words.new_game.control.to_owned(), items)
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
    of_family.map(|(_, named)| named).take(MAX_LISTED)
}

/// A line with a control of the library. It is described before it is set up, because its name does not
/// say everything.
fn described(context: &Context, control: &NamedControl, rules: NewRules) -> Item {
    let draft = Draft { control: control.clone(), rules, exchange: false };
    let times = summary::times(context, &draft);
    Item { times, ..Item::open(name(control), PageState::Summary(Box::new(draft))) }
}

pub(super) fn families(context: &Context, rules: NewRules) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let used = Family::ALL.into_iter().filter(|family| members(context, *family).next().is_some());
    let open = |family: Family| Item::open(words.family(family), PageState::Family(rules, family));
    let mut items: Vec<Item> = used.map(open).collect();
    items.push(Item::back(words));
    (4, words.new_game.control.to_owned(), items)
}

pub(super) fn family(
    context: &Context,
    rules: NewRules,
    family: Family,
) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let mut items: Vec<Item> =
        members(context, family).map(|control| described(context, control, rules)).collect();
    items.push(Item::back(words));
    (5, words.family(family).to_owned(), items)
}
