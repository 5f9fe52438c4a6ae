//! The page on which the digits of a value are entered.

use crate::context::Context;
use crate::digits::Digits;
use crate::key::Key;
use crate::page;
use clock_dbus::MenuPage;

#[derive(Clone, Debug)]
pub(crate) struct DigitEntry {
    pub title: String,
    pub digits: Digits,
}

impl DigitEntry {
    pub fn shown(&self, context: &Context) -> MenuPage {
        let words = context.words;
        let before = format!("{} {}", words.correction.before, self.digits.before());
        let page = page::new(33, &self.title, &[before, self.digits.marked()], Some(1));
        let hints = context.hints_of(["−", "+", words.keys.next], words.keys.leave);
        page::with_hints(page, hints, &self.digits.text())
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
