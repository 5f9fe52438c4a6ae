//! The arbiter's code is asked. Its presses are shown as dashes, and nowhere kept.

use crate::code::MAX_CODE_LENGTH;
use crate::context::Context;
use crate::key::{Key, Press};
use crate::page;
use clock_dbus::MenuPage;
use clock_engine::{Side, Span};

/// The most presses that an entry keeps. An entry with so many presses is wrong, with a rocker,
/// too.
const MAX_PRESSES: usize = MAX_CODE_LENGTH + 2;

/// The entry of the code. The pages that need the code are below it.
#[derive(Clone)]
pub(crate) struct CodeEntry {
    /// How many pages below are left, too, if this page is left without the code.
    pub covers: usize,
    presses: Vec<Side>,
    was_wrong: bool,
}

impl CodeEntry {
    /// Asks for the code for this many pages below.
    pub fn new(covers: usize) -> CodeEntry {
        CodeEntry { covers, presses: Vec::new(), was_wrong: false }
    }

    pub fn ask_again(&mut self) {
        self.presses.clear();
        self.was_wrong = true;
    }

    pub fn shown(&self, context: &Context, wait: Span) -> MenuPage {
        let words = &context.words.access;
        let seconds = wait.as_nanos().div_ceil(1_000_000_000);
        let mut lines = Vec::new();
        if self.was_wrong {
            lines.push(words.wrong_code.to_owned());
        }
        let (line, value) = match seconds {
            0 => (words.enter_code, "-".repeat(self.presses.len())),
            seconds => (&*words.wait.with([&format!("{seconds} s")]), seconds.to_string()),
        };
        lines.push(line.to_owned());
        let has_call = context.keys.has_call();
        if has_call && seconds == 0 {
            lines.push(words.then_call.to_owned());
        }
        if !self.presses.is_empty() {
            lines.push("-".repeat(self.presses.len()));
        }
        let page = page::new(32, words.code, &lines, None);
        let keys = &context.words.keys;
        let call = if self.presses.is_empty() { keys.back } else { keys.done };
        let hints = context.keys.call_hint(call).into_iter().chain([context.leave_hint()]);
        page::with_hints(page, hints.collect(), &value)
    }

    /// A player's button is a letter of the code. The call button ends the code, or returns to the
    /// page before if there is no letter yet. Without a call button, the last letter ends it. Returns the
    /// code that has ended, which is empty if the page is left.
    pub fn input(&mut self, context: &Context, press: Press, wait: Span) -> Option<Vec<Side>> {
        let length = context.config.code.as_ref().map_or(0, |code| code.len());
        match (press.key, press.side) {
            (Some(Key::Choose), None) => return Some(self.presses.clone()),
            (Some(_), Some(wired)) if wait.is_zero() && self.presses.len() < MAX_PRESSES => {
                self.presses.push(wired);
            }
            _ => {}
        }
        let is_whole = !context.keys.has_call() && self.presses.len() >= length;
        is_whole.then(|| self.presses.clone())
    }
}
