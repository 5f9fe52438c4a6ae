//! The page on which the digits of a value are entered.

use crate::context::Context;
use crate::digits::Digits;
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
        let before = format!("{} {}", words.correction.before, self.digits.before());
        let page = Page::new(33, &self.title, &[before, self.digits.marked()], Some(1));
        let hints = context.hints_of(["−", "+", words.keys.next], words.keys.leave);
        Page { hints, value: self.digits.text(), ..page }
    }

    /// Handles a key. Returns whether the entry has ended.
    pub fn input(&mut self, key: Option<Key>) -> bool {
        match key {
            Some(Key::On) => self.digits.turn(true),
            Some(Key::Back) => self.digits.turn(false),
            Some(Key::Choose) => return self.digits.choose(),
            Some(Key::Hold) | None => {}
        }
        false
    }
}
