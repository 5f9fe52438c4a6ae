//! The arbiter's code is asked. Its presses are shown as dashes, and nowhere kept.

use super::{LineAction, PageInput, PageState};
use crate::code::MAX_CODE_LENGTH;
use crate::context::Context;
use crate::key::{Key, Press};
use crate::page::Page;
use clock_engine::{Side, Span};

/// The most presses that an entry keeps. An entry with so many presses is wrong, with a rocker,
/// too.
const MAX_PRESSES: usize = MAX_CODE_LENGTH + 2;

/// The page that asks for the code, and the page that comes after it.
#[derive(Clone)]
pub(crate) struct Code {
    /// The page that comes after the code. `None` if the code is asked for the pages below, because
    /// an earlier code for them is no longer valid.
    page: Option<Box<PageState>>,
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
        Code { page: Some(Box::new(page)), presses: Vec::new(), was_wrong: false }
    }

    /// A page that asks for the code again, because the code that was entered is no longer valid.
    /// The pages below it are hidden until the code is entered.
    pub fn again_for_pages_below() -> Code {
        Code { page: None, presses: Vec::new(), was_wrong: false }
    }

    /// Asks again after a wrong code.
    pub fn again(&self) -> Code {
        Code { presses: Vec::new(), was_wrong: true, page: self.page.clone() }
    }

    pub fn presses(&self) -> &[Side] {
        &self.presses
    }

    /// The page that comes after the code, if it is not the one below.
    pub fn page(&self) -> Option<&PageState> {
        self.page.as_deref()
    }

    pub fn shown(&self, context: &Context, wait: Span) -> Page {
        let words = &context.words.access;
        let seconds = wait.as_nanos().div_ceil(1_000_000_000);
        let mut lines = Vec::new();
        if self.was_wrong {
            lines.push(words.wrong_code.to_owned());
        }
        let (line, value) = match seconds {
            0 => (words.enter_code.to_owned(), "-".repeat(self.presses.len())),
            seconds => (context.words.wait(seconds), seconds.to_string()),
        };
        lines.push(line);
        let has_call = context.keys.has_call();
        if has_call && seconds == 0 {
            lines.push(words.then_call.to_owned());
        }
        if !self.presses.is_empty() {
            lines.push("-".repeat(self.presses.len()));
        }
        let page = Page::new(32, words.code, &lines, None);
        let keys = &context.words.keys;
        let call = if self.presses.is_empty() { keys.back } else { keys.done };
        let hints = context.keys.call_hint(call).into_iter().chain([context.leave_hint()]);
        Page { hints: hints.collect(), value, ..page }
    }

    /// A player's button is a letter of the code. The call button ends the code, or returns to the
    /// page before if there is no letter yet. Without a call button, the last letter ends it.
    pub fn input(&mut self, context: &Context, press: Press, wait: Span) -> PageInput {
        let Some(code) = &context.config.code else { return PageInput::Chosen(LineAction::Back) };
        match (press.key, press.side) {
            (Some(Key::Choose), None) if self.presses.is_empty() => {
                return PageInput::Chosen(LineAction::Back);
            }
            (Some(Key::Choose), None) => return PageInput::Code(self.clone()),
            (Some(_), Some(wired)) if wait.is_zero() && self.presses.len() < MAX_PRESSES => {
                self.presses.push(wired);
            }
            _ => {}
        }
        match !context.keys.has_call() && self.presses.len() >= code.len() {
            true => PageInput::Code(self.clone()),
            false => PageInput::Nothing,
        }
    }
}
