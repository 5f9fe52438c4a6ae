//! A line of a page, and what it does when it is chosen.

use crate::context::{Context, Gate, Need};
use crate::effect::{Effect, MenuCommand};
use crate::pages::PageState;
use crate::words::Words;

/// What a line does when it is chosen.
pub(crate) enum LineAction {
    /// Nothing: the line only says something.
    Nothing,
    /// Return to the page before.
    Back,
    /// Open this page. The arbiter's code is asked first if the second value is `true`.
    Open(Box<PageState>, bool),
    /// Return this effect, and stay on the page.
    Effect(Box<Effect>),
    /// Return this effect, and open this page.
    EffectAndOpen(Box<Effect>, Box<PageState>),
    /// Give this command.
    Give(Box<MenuCommand>),
    /// Change the form that the page shows.
    Change(Change),
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
}

impl Item {
    /// A line that only says something. Seven-segment digits show the first number in it.
    pub fn info(text: impl Into<String>) -> Item {
        let text = text.into();
        let is_value =
            |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
        let value = text.split_whitespace().find(is_value).unwrap_or_default().to_owned();
        Item { text, value, action: LineAction::Nothing }
    }

    /// A line that does something. Seven-segment digits show its number in the list.
    pub fn that(text: impl Into<String>, action: LineAction) -> Item {
        Item { text: text.into(), value: String::new(), action }
    }

    /// A line that gives this command.
    pub fn give(text: &str, set: MenuCommand) -> Item {
        Item::that(text, LineAction::Give(Box::new(set))).with_value("1")
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
        let code = match context.gate(need) {
            Gate::Open => false,
            Gate::Code => true,
            Gate::Closed => return None,
        };
        Some(Item::that(text, LineAction::Open(Box::new(page), code)))
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
}
