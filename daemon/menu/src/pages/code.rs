//! The arbiter's code is asked. Its presses are shown as dashes, and nowhere kept.

use super::{Input, PageState};
use crate::context::Context;
use crate::item::Does;
use crate::key::Press;
use crate::page::Page;
use crate::words;
use clock_engine::{Side, Span};

/// The page that asks for the code, and the page that comes after it.
#[derive(Clone)]
pub(crate) struct Code {
    page: Box<PageState>,
    presses: Vec<Side>,
    /// Whether the code before was wrong.
    was_wrong: bool,
}

/// Does not write the presses.
impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Code({:?})", self.page)
    }
}

impl Code {
    /// Asks for the code before this page.
    pub fn before(page: PageState) -> Code {
        Code { page: Box::new(page), presses: Vec::new(), was_wrong: false }
    }

    /// Asks again after a wrong code.
    pub fn again(&self) -> Code {
        Code { presses: Vec::new(), was_wrong: true, page: self.page.clone() }
    }

    pub fn presses(&self) -> &[Side] {
        &self.presses
    }

    /// The page that comes after the code.
    pub fn page(&self) -> &PageState {
        &self.page
    }

    pub fn shown(&self, context: &Context, wait: Span) -> Page {
        let seconds = wait.as_nanos().div_ceil(1_000_000_000);
        let mut lines = Vec::new();
        if self.was_wrong {
            lines.push(words::WRONG.to_owned());
        }
        let (line, value) = match seconds {
            0 => (words::ENTER_CODE.to_owned(), "-".repeat(self.presses.len())),
            seconds => (words::wait(seconds), seconds.to_string()),
        };
        lines.push(line);
        if !self.presses.is_empty() {
            lines.push("-".repeat(self.presses.len()));
        }
        let page = Page::new(32, words::CODE, &lines, None);
        Page { hints: vec![context.keys.leave_hint()], value, ..page }
    }

    /// A player's button is a letter of the code. The call button returns to the page before.
    pub fn input(&mut self, context: &Context, press: Press, wait: Span) -> Input {
        let Some(wired) = press.button else { return Input::Chosen(Does::Back) };
        let Some(code) = &context.config.code else { return Input::Chosen(Does::Back) };
        if !wait.is_zero() {
            return Input::Nothing;
        }
        // A rocker that stands on the side of the first letter has to be thrown away from it first.
        let moves_rocker =
            context.keys.is_rocker() && self.presses.is_empty() && code.first() != Some(wired);
        if !moves_rocker {
            self.presses.push(wired);
        }
        match self.presses.len() >= code.len() {
            true => Input::Code(self.clone()),
            false => Input::Nothing,
        }
    }
}
