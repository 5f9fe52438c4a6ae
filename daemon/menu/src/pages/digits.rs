//! Digit entry for a field of the page below.

use super::{LineAction, PageInput};
use crate::context::Context;
use crate::digits::{Digits, ENDS, Entered};
use crate::form::Field;
use crate::key::Key;
use crate::page::Page;

/// The digits of a field.
#[derive(Clone, Debug)]
pub(crate) struct DigitsPage {
    pub field: Field,
    pub digits: Digits,
}

impl DigitsPage {
    pub fn shown(&self, context: &Context) -> Page {
        let words = context.words;
        let mut lines = vec![words.before(self.digits.before()), self.digits.marked()];
        let end = self.digits.end();
        let chosen = end.map_or(1, |end| lines.len() + end);
        if end.is_some() {
            lines.extend(ENDS.map(|end| words.end(end).to_owned()));
        }
        let page = Page::new(33, words.field(self.field), &lines, Some(chosen));
        let hints = match end {
            Some(_) => context.hints(),
            None => context.digit_hints(words.keys.next_digit, words.keys.leave),
        };
        Page { hints, value: self.digits.text(), ..page }
    }

    pub fn input(&mut self, key: Option<Key>) -> PageInput {
        match key {
            Some(Key::On) => self.digits.turn(true),
            Some(Key::Back) => self.digits.turn(false),
            Some(Key::Choose) => match self.digits.choose() {
                Entered::Nothing => {}
                Entered::Value(value) => return PageInput::Entered(value),
                Entered::Back => return PageInput::Chosen(LineAction::Back),
            },
            Some(Key::Hold) | None => {}
        }
        PageInput::Nothing
    }
}
