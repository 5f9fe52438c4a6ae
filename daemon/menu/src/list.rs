//! A page of the menu, its lines or tiles, and what each of them does.
//!
//! Most pages are lists. A list is made anew, from the situation, for each picture and for each press,
//! so a page has nothing to remember but what it was opened with. The other pages have an input of their
//! own: the arbiter's code, the agreement of both players, and the wait for an answer.

use crate::access::{Gate, Need};
use crate::agree::Agree;
use crate::code_entry::CodeEntry;
use crate::context::Context;
use crate::effect::{Effect, MenuCommand, Proposal};
use crate::key::{Key, Press};
use crate::page::{self, cut, wrap};
use crate::words::Words;
use clock_dbus::{MenuButton, MenuHint, MenuPage};
use clock_engine::{Side, Span};
use std::sync::Arc;

/// A page with what it has to remember.
#[derive(Clone)]
pub(crate) enum PageState {
    /// A page of lines or tiles.
    List(Lister),
    Agree(Box<Agree>),
    Code(CodeEntry),
    Waiting(Awaited),
}

pub(crate) type Lister = Arc<dyn Fn(&Context) -> List + Send + Sync>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    Command {
        /// Whether White's clock is started when the command was carried out.
        then_start: bool,
    },
    Backup,
}

/// What a line, a tile or a key does.
pub(crate) enum LineAction {
    /// Nothing: the line only says something.
    Nothing,
    Back,
    Leave,
    /// Open these pages, each above the one before. The arbiter's code is asked first if the second
    /// value is `true`.
    Open(Vec<PageState>, bool),
    /// Show this page in place of the present one.
    Replace(Box<PageState>),
    /// Leave the entry of digits. With a page, the form below is replaced by it.
    Enter(Option<Box<PageState>>),
    /// Return this effect and, if there is a page, open it.
    Effect(Box<Effect>, Option<Box<PageState>>),
    /// Give this command, after the code or the agreement that it needs.
    Give(Box<Proposal>),
    /// Give this command at once. White's clock is then started if the second value is `true`.
    Command(Box<MenuCommand>, bool),
    TryCode(Vec<Side>),
}

/// The lines of a page, or its tiles.
pub(crate) struct List {
    /// The number of the page on faces that show numbers only.
    number: u32,
    title: String,
    items: Vec<Item>,
    /// What the keys do, if they do not move the cursor.
    keys: Option<KeyActions>,
    /// What the hold does, if it does not leave the menu.
    held: Option<LineAction>,
}

/// What the keys of a page do that has no cursor, and their hints.
pub(crate) struct KeyActions {
    pub back: LineAction,
    pub on: LineAction,
    pub choose: LineAction,
    pub hints: Vec<MenuHint>,
}

pub(crate) struct Item {
    pub text: String,
    /// What seven-segment digits show for this line.
    value: String,
    pub action: LineAction,
    begins: bool,
    /// White's and Black's time with the choice of this line. Empty if it sets none.
    times: [String; 2],
    /// The button over which the tile is, by the side that uses it; `None` for a line.
    button: Option<MenuButton>,
}

impl PageState {
    pub fn list(lister: impl Fn(&Context) -> List + Send + Sync + 'static) -> PageState {
        PageState::List(Arc::new(lister))
    }

    pub fn texts(number: u32, title: &'static str, lines: Vec<String>) -> PageState {
        PageState::list(move |context| {
            List::with_back(context, number, title, Item::texts(lines.clone()))
        })
    }

    /// The page as it is shown. `wait` is the time until a code is accepted, and `open_for` the
    /// time since the latest press.
    pub fn shown(
        &self,
        context: &Context,
        chosen: Option<usize>,
        wait: Span,
        open_for: Span,
    ) -> MenuPage {
        match self {
            PageState::List(list) => list(context).shown(context, chosen, open_for),
            PageState::Agree(agree) => agree.shown(context),
            PageState::Code(code) => code.shown(context, wait),
            PageState::Waiting(awaited) => {
                let words = context.words;
                let (number, title, lines) = match awaited {
                    Awaited::Command { .. } => (34, words.reports.waiting, Vec::new()),
                    Awaited::Backup => (16, words.backup.writing, wrap(words.backup.leave_in)),
                };
                let page = page::new(number, title, &lines, None);
                page::with_hints(page, vec![context.leave_hint()], "")
            }
        }
    }

    pub fn is_tiles(&self, context: &Context) -> bool {
        matches!(self, PageState::List(list) if list(context).is_tiles())
    }

    /// Whether each press counts once on this page, however long it is.
    pub fn takes_single_presses(&self, context: &Context) -> bool {
        matches!(self, PageState::Agree(_) | PageState::Code(_)) || self.is_tiles(context)
    }

    pub fn input(
        &mut self,
        context: &Context,
        chosen: &mut Option<usize>,
        press: Press,
        wait: Span,
    ) -> LineAction {
        if press.key == Some(Key::Hold) {
            return self.held(context);
        }
        match self {
            PageState::List(list) => list(context).input(context, chosen, press),
            PageState::Agree(agree) => match press.side {
                None => LineAction::Back,
                Some(wired) => match agree.input(context, press, wired) {
                    Some(set) => LineAction::Command(Box::new(set.clone()), false),
                    None => LineAction::Nothing,
                },
            },
            PageState::Code(code) => match code.input(context, press, wait) {
                Some(presses) if presses.is_empty() => LineAction::Back,
                Some(presses) => LineAction::TryCode(presses),
                None => LineAction::Nothing,
            },
            PageState::Waiting(_) => LineAction::Nothing,
        }
    }

    /// What the hold does. On most pages it leaves the menu.
    pub fn held(&self, context: &Context) -> LineAction {
        let held = match self {
            PageState::List(list) => list(context).held,
            _ => None,
        };
        held.unwrap_or(LineAction::Leave)
    }

    /// The index of the line that goes on from a form: the one before "Back", if it can be chosen.
    pub fn going_on(&self, context: &Context) -> Option<usize> {
        let PageState::List(list) = self else { return None };
        let items = list(context).items;
        let at = items.len().checked_sub(2)?;
        items[at].is_choice().then_some(at)
    }
}

impl List {
    pub fn new(number: u32, title: impl Into<String>, items: Vec<Item>) -> List {
        List { number, title: title.into(), items, keys: None, held: None }
    }

    /// A page of these lines and of the one that returns to the page before.
    pub fn with_back(
        context: &Context,
        number: u32,
        title: impl Into<String>,
        mut items: Vec<Item>,
    ) -> List {
        items.push(Item::back(context.words));
        List::new(number, title, items)
    }

    pub fn held(self, held: LineAction) -> List {
        List { held: Some(held), ..self }
    }

    pub fn keyed(self, keys: KeyActions) -> List {
        List { keys: Some(keys), ..self }
    }

    fn is_tiles(&self) -> bool {
        self.items.first().is_some_and(|item| item.button.is_some())
    }

    /// The line at which the cursor is: this one, or the next one that can be chosen. Before the cursor
    /// was moved, it is at the line at which it begins, or at the first one that can be chosen.
    fn cursor(&self, chosen: Option<usize>) -> usize {
        let items = &self.items;
        let at = chosen.or_else(|| items.iter().position(|item| item.begins)).unwrap_or(0);
        let next = (at..items.len()).chain(0..items.len()).find(|at| items[*at].is_choice());
        next.unwrap_or(0)
    }

    fn shown(mut self, context: &Context, chosen: Option<usize>, open_for: Span) -> MenuPage {
        if self.is_tiles() {
            return self.shown_as_tiles(context);
        }
        let chosen = self.cursor(chosen);
        let times = self.items.get_mut(chosen).map(|item| std::mem::take(&mut item.times));
        let [white, black] = times.unwrap_or_default();
        let value = self.items.get(chosen).map(|item| match item.value.is_empty() {
            true => format!("{}", chosen + 1),
            false => item.value.clone(),
        });
        let texts = self.items.iter().take_while(|item| !item.is_choice()).count();
        let lines: Vec<String> = self.items.into_iter().map(|item| item.text).collect();
        let page = page::with_texts(self.number, &self.title, &lines, texts, chosen, open_for);
        let hints = self.keys.map_or_else(|| context.hints(), |keys| keys.hints);
        let page = page::with_hints(page, hints, &value.unwrap_or_default());
        MenuPage { times: (white, black), ..page }
    }

    /// The page of tiles. It has no lines: each tile is a hint.
    fn shown_as_tiles(self, context: &Context) -> MenuPage {
        let hint =
            |item: Item| Some(MenuHint { button: Some(item.button?), action: cut(&item.text) });
        let mut hints: Vec<MenuHint> = self.items.into_iter().filter_map(hint).collect();
        hints.sort_by_key(|hint| match hint.button {
            Some(MenuButton::White) => 0,
            Some(MenuButton::Call) => 2,
            _ => 1,
        });
        hints.push(context.keys.hold_hint(context.words.more));
        page::with_hints(page::new(self.number, &self.title, &[], None), hints, "")
    }

    fn input(mut self, context: &Context, chosen: &mut Option<usize>, press: Press) -> LineAction {
        if self.is_tiles() {
            let button = context.button_of(press);
            let pressed = self.items.into_iter().find(|item| item.button == button);
            return pressed.map_or(LineAction::Nothing, |item| item.action);
        }
        if let Some(keys) = self.keys {
            return match press.key {
                Some(Key::Back) => keys.back,
                Some(Key::On) => keys.on,
                Some(Key::Choose) => keys.choose,
                Some(Key::Hold) | None => LineAction::Nothing,
            };
        }
        let at = self.cursor(*chosen);
        // A button that is held stops at the end of the list.
        let (before, after) = (0..at, at + 1..self.items.len());
        let (first, last) = match press.is_repeated {
            true => (0..0, 0..0),
            false => (before.clone(), after.clone()),
        };
        let is_choice = |at: &usize| self.items[*at].is_choice();
        match press.key {
            Some(Key::On) => *chosen = after.chain(first).find(is_choice).or(Some(at)),
            Some(Key::Back) => {
                *chosen = before.rev().chain(last.rev()).find(is_choice).or(Some(at));
            }
            Some(Key::Choose) if at < self.items.len() => return self.items.swap_remove(at).action,
            Some(Key::Choose | Key::Hold) | None => {}
        }
        LineAction::Nothing
    }
}

impl LineAction {
    pub fn open(page: PageState) -> LineAction {
        LineAction::Open(vec![page], false)
    }

    /// Open this page below the one that is opened.
    pub fn above(mut self, page: PageState) -> LineAction {
        if let LineAction::Open(pages, _) = &mut self {
            pages.insert(0, page);
        }
        self
    }
}

impl Item {
    /// A line that only says something. Seven-segment digits show the first number in it.
    pub fn info(text: impl Into<String>) -> Item {
        let text = text.into();
        let is_value =
            |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
        let value = text.split_whitespace().find(is_value).unwrap_or_default().to_owned();
        Item { value, ..Item::that(text, LineAction::Nothing) }
    }

    pub fn texts(lines: Vec<String>) -> Vec<Item> {
        lines.into_iter().map(Item::info).collect()
    }

    /// A line that does something. Seven-segment digits show its number in the list.
    pub fn that(text: impl Into<String>, action: LineAction) -> Item {
        let (value, times) = (String::new(), Default::default());
        Item { text: text.into(), value, action, begins: false, times, button: None }
    }

    pub fn give(text: &str, proposal: Proposal) -> Item {
        Item::that(text, LineAction::Give(Box::new(proposal))).with_value("1")
    }

    pub fn open(text: impl Into<String>, page: PageState) -> Item {
        Item::that(text, LineAction::open(page))
    }

    /// A line that opens a page. If the page needs the arbiter's code, the code is asked first.
    /// `None` if the page cannot be reached.
    pub fn guarded(
        context: &Context,
        need: Need,
        text: impl Into<String>,
        page: PageState,
    ) -> Option<Item> {
        Item::open(text, page).behind(context, need)
    }

    /// This line. If its page needs the arbiter's code, the code is asked first. `None` if what it
    /// does is not allowed here.
    pub fn behind(mut self, context: &Context, need: Need) -> Option<Item> {
        let gate = context.gate(need);
        if let LineAction::Open(_, asks_code) = &mut self.action {
            *asks_code = gate == Gate::Code;
        }
        (gate != Gate::Closed).then_some(self)
    }

    pub fn effect(text: impl Into<String>, effect: Effect) -> Item {
        Item::that(text, LineAction::Effect(Box::new(effect), None))
    }

    pub fn back(words: Words) -> Item {
        Item::that(words.back, LineAction::Back).with_value("0")
    }

    /// Whether the cursor stops at the line, because choosing it does something.
    fn is_choice(&self) -> bool {
        !matches!(self.action, LineAction::Nothing)
    }

    pub fn with_value(self, value: impl Into<String>) -> Item {
        Item { value: value.into(), ..self }
    }

    pub fn with_times(self, times: [String; 2]) -> Item {
        Item { times, ..self }
    }

    pub fn begun(self, begins: bool) -> Item {
        Item { begins, ..self }
    }

    pub fn over(self, button: MenuButton) -> Item {
        Item { button: Some(button), ..self }
    }
}
