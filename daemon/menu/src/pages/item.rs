//! A line or a tile of a page, and what it does when it is chosen.

use super::{DigitsPage, PageState};
use crate::access::{Gate, Need};
use crate::context::Context;
use crate::effect::{Effect, MenuCommand};
use crate::words::Words;

/// What a line does when it is chosen.
pub(crate) enum LineAction {
    /// Nothing: the line only says something.
    Nothing,
    /// Return to the page before.
    Back,
    /// Close the menu.
    Leave,
    /// Open this page. The arbiter's code is asked first if the second value is `true`.
    Open(Box<PageState>, bool),
    /// Open this form, and above it the entry of its first value.
    OpenForm(Box<PageState>, DigitsPage),
    /// Return this effect, and stay on the page.
    Effect(Box<Effect>),
    /// Return this effect, and open this page.
    EffectAndOpen(Box<Effect>, Box<PageState>),
    /// Give this command.
    Give(Box<Proposal>),
    /// Set up this game, if there is one, and start White's clock.
    Start(Option<Box<MenuCommand>>),
    /// Change the form that the page shows.
    Change(Change),
}

/// A command, and in lines what it does, for the page on which both players agree to it.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub set: MenuCommand,
    pub what: Vec<String>,
}

/// A change of a form by one press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The next method of an own control.
    Method,
    /// The other side is to be on move.
    OnMove,
}

/// A line of a page.
pub(crate) struct Item {
    pub text: String,
    /// What seven-segment digits show for this line.
    pub value: String,
    pub action: LineAction,
    /// Whether the cursor begins at this line.
    pub begins: bool,
    /// White's and Black's time with the choice of this line. Empty if it sets none.
    pub times: [String; 2],
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

    /// A line that does something. Seven-segment digits show its number in the list.
    pub fn that(text: impl Into<String>, action: LineAction) -> Item {
        let (value, times) = (String::new(), Default::default());
        Item { text: text.into(), value, action, begins: false, times }
    }

    /// A line that gives this command.
    pub fn give(text: &str, proposal: Proposal) -> Item {
        Item::that(text, LineAction::Give(Box::new(proposal))).with_value("1")
    }

    /// A line that opens a page.
    pub fn open(text: impl Into<String>, page: PageState) -> Item {
        Item::that(text, LineAction::Open(Box::new(page), false))
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
    pub fn behind(self, context: &Context, need: Need) -> Option<Item> {
        let code = match context.gate(need) {
            Gate::Open => false,
            Gate::Code => true,
            Gate::Closed => return None,
        };
        let action = match self.action {
            LineAction::Open(page, _) => LineAction::Open(page, code),
            action => action,
        };
        Some(Item { action, ..self })
    }

    /// A line with this effect.
    pub fn effect(text: impl Into<String>, effect: Effect) -> Item {
        Item::that(text, LineAction::Effect(Box::new(effect)))
    }

    /// The line that returns to the page before.
    pub fn back(words: Words) -> Item {
        Item::that(words.back, LineAction::Back).with_value("0")
    }

    /// Whether the cursor stops at the line, because choosing it does something.
    pub fn is_choice(&self) -> bool {
        !matches!(self.action, LineAction::Nothing)
    }

    /// This line with a value for seven-segment digits.
    pub fn with_value(self, value: impl Into<String>) -> Item {
        Item { value: value.into(), ..self }
    }

    /// This line, at which the cursor begins if `begins` is `true`.
    pub fn begun(self, begins: bool) -> Item {
        Item { begins, ..self }
    }
}
