//! The choice of a control: the favourites, then all by family.

use super::{Draft, PageState};
use crate::context::Context;
use crate::effect::NewRules;
use crate::item::Item;
use crate::page::LINE_LENGTH;
use clock_controls::NamedControl;
use clock_engine::rules::{RateOfPlay, rate_of_play};
use clock_engine::text::spoken;
use clock_engine::{Control, Method};

/// The most controls of a family that are listed.
const MAX_LISTED: usize = 99;

/// A family of controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// One period, of this rate of play.
    OnePeriod(RateOfPlay),
    /// Several periods.
    Periods,
    /// The sides have different times, or a draw wins for one of them.
    Unequal,
    /// Overtime, hourglass, gong, or time that is counted up.
    Other,
}

impl Family {
    pub const ALL: [Family; 6] = [
        Family::OnePeriod(RateOfPlay::Blitz),
        Family::OnePeriod(RateOfPlay::Rapid),
        Family::OnePeriod(RateOfPlay::Standard),
        Family::Periods,
        Family::Unequal,
        Family::Other,
    ];

    fn of(control: &Control) -> Family {
        let periods = control.periods();
        let unequal = periods.iter().any(|period| {
            period.time.white != period.time.black || period.method.white != period.method.black
        });
        let other = periods.iter().any(|period| {
            matches!(
                period.method.white,
                Method::Overtime(_) | Method::Hourglass | Method::Gong(_) | Method::CountUp { .. }
            )
        });
        match () {
            () if unequal || control.terms().draw_odds.is_some() => Family::Unequal,
            () if other => Family::Other,
            () if periods.len() > 1 || control.terms().repeat => Family::Periods,
            () => Family::OnePeriod(rate_of_play(control)),
        }
    }
}

/// The name of a control on one line: its notation if that fits, otherwise its title. Overtime keeps
/// its title, because players know its name (byo-yomi) better than its notation.
pub(super) fn name(control: &NamedControl) -> String {
    let has_title = Family::of(&control.control) == Family::Other;
    match spoken(&control.control) {
        Ok(notation) if !has_title && notation.chars().count() <= LINE_LENGTH => notation,
        _ => control.title.clone(),
    }
}

fn item(name: String, control: &NamedControl, rules: NewRules) -> Item {
    let draft = Draft { control: control.clone(), rules, exchange: false };
    Item::open(name, PageState::Summary(Box::new(draft)))
}

pub(super) fn favourites(context: &Context, rules: NewRules) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let favourites = context.config.favourites.iter();
    let mut items: Vec<Item> = favourites
        .map(|favourite| item(favourite.notation.clone(), &favourite.control, rules))
        .collect();
    items.push(Item::open(words.new_game.own_controls, PageState::OwnControls(rules)));
    items.push(Item::open(words.new_game.all_controls, PageState::Families(rules)));
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
        members(context, family).map(|control| item(name(control), control, rules)).collect();
    items.push(Item::back(words));
    (5, words.family(family).to_owned(), items)
}
