//! The page on which the digits of a value are entered.

use crate::context::Context;
use crate::digits::{Digits, ENDS, Entered};
use crate::key::Key;
use crate::page::Page;

/// The entry of a value.
#[derive(Clone, Debug)]
pub(crate) struct DigitEntry {
    pub title: String,
    pub digits: Digits,
}

impl DigitEntry {
    pub fn shown(&self, context: &Context) -> Page {
        let words = context.words;
        let mut lines = vec![words.before(self.digits.before()), self.digits.marked()];
        let end = self.digits.end();
        let chosen = end.map_or(1, |end| lines.len() + end);
        if end.is_some() {
            lines.extend(ENDS.map(|end| words.end(end).to_owned()));
        }
        let page = Page::new(33, &self.title, &lines, Some(chosen));
        let hints = match end {
            Some(_) => context.hints(),
            None => context.digit_hints(words.keys.next_digit, words.keys.leave),
        };
        Page { hints, value: self.digits.text(), ..page }
    }

    pub fn input(&mut self, key: Option<Key>) -> Entered {
        match key {
            Some(Key::On) => self.digits.turn(true),
            Some(Key::Back) => self.digits.turn(false),
            Some(Key::Choose) => return self.digits.choose(),
            Some(Key::Hold) | None => {}
        }
        Entered::Nothing
    }
}
