//! A line of a page, and what it does when it is chosen.

use crate::context::{Context, Gate, Need};
use crate::effect::{Effect, Given};
use crate::pages::PageState;
use crate::words;

/// What a line does when it is chosen.
pub(crate) enum Does {
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
    /// Give these commands.
    Give(Box<Given>),
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
    /// What seven-segment digits show of it.
    pub value: String,
    pub does: Does,
}

impl Item {
    /// A line that only says something.
    pub fn info(text: impl Into<String>) -> Item {
        Item { text: text.into(), value: String::new(), does: Does::Nothing }
    }

    /// A line that opens a page.
    pub fn open(text: impl Into<String>, page: PageState) -> Item {
        Item { does: Does::Open(Box::new(page), false), ..Item::info(text) }
    }

    /// A line that opens a page, behind the arbiter's code if it is asked for this need. There is
    /// no line where the page cannot be reached.
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
        Some(Item { does: Does::Open(Box::new(page), code), ..Item::info(text) })
    }

    /// A line with this effect.
    pub fn effect(text: impl Into<String>, effect: Effect) -> Item {
        Item { does: Does::Effect(Box::new(effect)), ..Item::info(text) }
    }

    /// The line that returns to the page before.
    pub fn back() -> Item {
        Item { does: Does::Back, ..Item::info(words::BACK) }
    }

    /// This line with a value for seven-segment digits.
    pub fn with_value(self, value: impl Into<String>) -> Item {
        Item { value: value.into(), ..self }
    }
}
