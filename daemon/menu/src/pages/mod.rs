//! The pages of the menu, each in a file of its own.
//!
//! Most pages are lists: they return their lines ([`Item`]s), and [`PageState`] moves the choice
//! and returns the action of the chosen line. The others have an input of their own: digits, the
//! arbiter's code, the agreement of both players, and the wait for an answer.

mod about;
mod agree;
pub(crate) mod backup;
mod brightness;
pub mod button_test;
mod code;
mod confirm;
mod controls;
mod correct;
mod digits;
mod first;
mod item;
mod language;
mod more;
mod own;
mod penalties;
mod players;
mod questions;
mod report;
mod result;
mod resume;
mod summary;

pub(crate) use agree::Agree;
pub(crate) use code::Code;
pub(crate) use confirm::Confirm;
pub(crate) use digits::DigitsPage;
pub(crate) use item::{Change, Item, LineAction, Proposal};
pub(crate) use penalties::PenaltyForm;
pub(crate) use report::Report;
pub(crate) use summary::Draft;

use crate::context::Context;
use crate::effect::{MenuCommand, NewRules};
use crate::family::Family;
use crate::form::{Field, OwnForm, Steps, correct};
use crate::key::{Hint, HintButton, Key, Press};
use crate::page::{Page, cut};
use crate::situation::Situation;
use clock_engine::rules::QuestionKind;
use clock_engine::{Correction, Side, Span};

/// A page with what it has to remember.
#[derive(Clone, Debug)]
pub(crate) enum PageState {
    /// The first page: a tile for each button.
    First,
    /// The rest of the menu.
    More,
    /// "We two" or "with an arbiter".
    Players,
    /// The favourites, for a game with these rules.
    Controls(NewRules),
    /// The families of all controls.
    Families(NewRules),
    /// The controls of a family.
    Family(NewRules, Family),
    /// The five controls of the players' own.
    OwnControls(NewRules),
    /// An own control: play it or change it.
    OwnControl(NewRules, usize),
    /// The form of an own control.
    OwnForm(NewRules, OwnForm),
    /// Everything about a new game before it is accepted.
    Summary(Box<Draft>),
    /// The brightness.
    Brightness,
    /// The language.
    Language,
    /// The machine and its faults.
    About,
    /// The question whether a backup is to be made.
    BackUp,
    /// A backup is being made.
    BackingUp,
    /// A correction in steps.
    Correct(Steps),
    /// The form of a correction.
    Exact(Correction),
    /// The result.
    Result,
    /// What awaits an answer.
    Questions,
    /// The answers to a question.
    Answers(QuestionKind, Option<Side>),
    /// The penalties: the offender.
    Offender,
    /// The penalties of the profile for this offender.
    Penalties(Side),
    /// A penalty with an amount of time.
    PenaltyTime(PenaltyForm),
    /// Whose clock runs.
    Resume,
    /// What a command does, before it is given.
    Confirm(Box<Confirm>),
    /// Both players have to press.
    Agree(Box<Agree>),
    /// The arbiter's code.
    Code(Code),
    /// Digit entry for a field of the page below.
    Digits(DigitsPage),
    /// The report or the refusal of a command.
    Report(Report),
    /// A command was given, and the answer is awaited. If the value is `true`, White's clock is
    /// started when the command was carried out.
    Waiting(bool),
}

/// The line at which the cursor is: this one, or the next one that can be chosen. Before the cursor was
/// moved, it is at the line at which it begins, or at the first one that can be chosen.
fn cursor(items: &[Item], chosen: Option<usize>) -> usize {
    let at = chosen.or_else(|| items.iter().position(|item| item.begins)).unwrap_or(0);
    let next = (at..items.len()).chain(0..items.len()).find(|at| items[*at].is_choice());
    next.unwrap_or(0)
}

/// What a press on a page means for the menu.
pub(crate) enum PageInput {
    /// Nothing more.
    Nothing,
    /// This line was chosen.
    Chosen(LineAction),
    /// Digits were entered for the page below; `None` if they are unchanged.
    Entered(Option<u64>),
    /// Both players have agreed.
    BothAgree(Box<MenuCommand>),
    /// A whole code was entered.
    Code(Code),
}

impl PageState {
    /// The tiles of the page, if it has some.
    fn tiles(&self, context: &Context) -> Option<(u8, String, Vec<first::Tile>)> {
        let has_tiles = matches!(self, PageState::First) && !context.keys.is_rocker();
        has_tiles.then(|| first::tiles(context)).filter(|(.., tiles)| !tiles.is_empty())
    }

    /// The number of the page on faces that show numbers only, its title and its lines. A page
    /// with an input of its own has no lines here.
    fn list(&self, context: &Context) -> (u8, String, Vec<Item>) {
        match self {
            PageState::First => first::list(context),
            PageState::More => more::list(context),
            PageState::Players => players::list(context),
            PageState::Controls(rules) => controls::favourites(context, *rules),
            PageState::Families(rules) => controls::families(context, *rules),
            PageState::Family(rules, family) => controls::family(context, *rules, *family),
            PageState::OwnControls(rules) => own::places(context, *rules),
            PageState::OwnControl(rules, place) => own::place(context, *rules, *place),
            PageState::OwnForm(rules, form) => own::form(context, *rules, form),
            PageState::Summary(draft) => summary::list(context, draft),
            PageState::Brightness => brightness::list(context),
            PageState::Language => language::list(context),
            PageState::About => about::list(context),
            PageState::BackUp => backup::list(context),
            PageState::Exact(draft) => correct::exact(context, draft),
            PageState::Result => result::list(context),
            PageState::Questions => questions::list(context),
            PageState::Answers(kind, side) => questions::answers(context, *kind, *side),
            PageState::Offender => penalties::offender(context),
            PageState::Penalties(side) => penalties::list(context, *side),
            PageState::PenaltyTime(form) => penalties::time(context, form),
            PageState::Resume => resume::list(context),
            PageState::Confirm(confirm) => confirm.list(context),
            PageState::Report(report) => report.list(context),
            PageState::Agree(_)
            | PageState::Code(_)
            | PageState::Digits(_)
            | PageState::Correct(_)
            | PageState::BackingUp
            | PageState::Waiting(_) => (report::WAITING, String::new(), Vec::new()),
        }
    }

    /// The page as it is shown. `wait` is the time until a code is accepted, and `open_for` the
    /// time since the latest press.
    pub fn shown(
        &self,
        context: &Context,
        chosen: Option<usize>,
        wait: Span,
        open_for: Span,
    ) -> Page {
        if let Some((number, title, tiles)) = self.tiles(context) {
            return with_tiles(context, number, &title, tiles);
        }
        match self {
            PageState::Agree(agree) => agree.shown(context),
            PageState::Code(code) => code.shown(context, wait),
            PageState::Digits(digits) => digits.shown(context),
            PageState::Correct(steps) => steps.shown(context),
            PageState::Waiting(_) => report::waiting(context),
            PageState::BackingUp => backup::waiting(context),
            _ => {
                let (number, title, mut items) = self.list(context);
                let chosen = cursor(&items, chosen);
                let times = items.get_mut(chosen).map(|item| std::mem::take(&mut item.times));
                let value = items.get(chosen).map(|item| match item.value.is_empty() {
                    true => format!("{}", chosen + 1),
                    false => item.value.clone(),
                });
                let texts = items.iter().take_while(|item| !item.is_choice()).count();
                let lines: Vec<String> = items.into_iter().map(|item| item.text).collect();
                let page = Page::with_texts(number, &title, &lines, texts, chosen, open_for);
                let (times, value) = (times.unwrap_or_default(), value.unwrap_or_default());
                Page { hints: context.hints(), times, value, ..page }
            }
        }
    }

    /// Whether this page asks for the code for the pages below it.
    pub fn covers_pages_below(&self) -> bool {
        matches!(self, PageState::Code(code) if code.page().is_none())
    }

    /// Whether the page waits for the end of work with the stick, which can take minutes.
    pub fn awaits_stick(&self) -> bool {
        matches!(self, PageState::BackingUp)
    }

    /// Whether each press counts once on this page, however long it is.
    pub fn takes_single_presses(&self) -> bool {
        matches!(self, PageState::First | PageState::Agree(_) | PageState::Code(_))
    }

    /// Handles a press that does not leave the menu.
    pub fn input(
        &mut self,
        context: &Context,
        chosen: &mut Option<usize>,
        press: Press,
        wait: Span,
    ) -> PageInput {
        if press.key == Some(Key::Hold) {
            return PageInput::Chosen(self.held(context));
        }
        if let Some((.., tiles)) = self.tiles(context) {
            let button = button_of(context, press);
            let pressed = tiles.into_iter().find(|(of, _)| Some(*of) == button);
            return pressed.map_or(PageInput::Nothing, |(_, item)| PageInput::Chosen(item.action));
        }
        match self {
            PageState::Agree(agree) => agree.input(context, press),
            PageState::Code(code) => code.input(context, press, wait),
            PageState::Digits(digits) => digits.input(press.key),
            PageState::Correct(steps) => steps.input(context, press.key),
            _ if self.awaits_stick() => PageInput::Nothing,
            PageState::Waiting(_) => PageInput::Nothing,
            _ => {
                let (_, _, mut items) = self.list(context);
                let at = cursor(&items, *chosen);
                // A button that is held stops at the end of the list.
                let (before, after) = (0..at, at + 1..items.len());
                let (first, last) = match press.is_repeated {
                    true => (0..0, 0..0),
                    false => (before.clone(), after.clone()),
                };
                let is_choice = |at: &usize| items[*at].is_choice();
                match press.key {
                    Some(Key::On) => *chosen = after.chain(first).find(is_choice).or(Some(at)),
                    Some(Key::Back) => {
                        let found = before.rev().chain(last.rev()).find(is_choice);
                        *chosen = found.or(Some(at));
                    }
                    Some(Key::Choose) if at < items.len() => {
                        return PageInput::Chosen(items.swap_remove(at).action);
                    }
                    Some(Key::Choose | Key::Hold) | None => {}
                }
                PageInput::Nothing
            }
        }
    }

    /// What the hold does. On most pages it leaves the menu.
    pub fn held(&self, context: &Context) -> LineAction {
        match self {
            PageState::First if !first::tiles(context).2.is_empty() => {
                LineAction::Open(Box::new(PageState::More), false)
            }
            PageState::Correct(steps) => steps.held(context),
            _ => LineAction::Leave,
        }
    }

    /// The index of the line that goes on from a form: the one before "Back", if it can be chosen.
    pub fn going_on(&self, context: &Context) -> Option<usize> {
        let (_, _, items) = self.list(context);
        let at = items.len().checked_sub(2)?;
        items[at].is_choice().then_some(at)
    }

    /// Takes a value that was entered digit by digit.
    pub fn take_value(&mut self, field: Field, value: u64) {
        match self {
            PageState::Exact(draft) => correct(draft, field, value),
            PageState::OwnForm(_, form) => form.take(field, value),
            PageState::PenaltyTime(form) => form.take(value),
            _ => {}
        }
    }

    /// Changes a form by one press.
    pub fn change(&mut self, change: Change, situation: &Situation) {
        match (self, change) {
            (PageState::OwnForm(_, form), Change::Method) => form.method = form.method.next(),
            (PageState::Exact(draft), Change::OnMove) => {
                let now = draft.on_move.unwrap_or(situation.view.on_move);
                draft.on_move = Some(now.other()).filter(|side| *side != situation.view.on_move);
            }
            _ => {}
        }
    }
}

/// The page of these tiles. It has no lines: each tile is a hint.
fn with_tiles(context: &Context, number: u8, title: &str, tiles: Vec<first::Tile>) -> Page {
    let mut hints: Vec<Hint> =
        tiles.into_iter().map(|(button, item)| Hint { button, action: cut(&item.text) }).collect();
    hints.sort_by_key(|hint| hint.button != HintButton::White);
    hints.sort_by_key(|hint| hint.button == HintButton::Call);
    hints.push(context.keys.hold_hint(context.words.more));
    Page { hints, ..Page::new(number, title, &[], None) }
}

/// The button of a short press, named as on a tile.
fn button_of(context: &Context, press: Press) -> Option<HintButton> {
    press.key?;
    Some(match press.side.map(|wired| context.user(wired)) {
        Some(Side::White) => HintButton::White,
        Some(Side::Black) => HintButton::Black,
        None => HintButton::Call,
    })
}
