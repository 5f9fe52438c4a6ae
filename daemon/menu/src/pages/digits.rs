//! Digit entry for a field of the page below.

use super::PageInput;
use crate::context::Context;
use crate::digits::{Digits, Entered};
use crate::form::Field;
use crate::item::LineAction;
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
        let (lines, chosen) = self.digits.lines(context.words);
        let page = Page::new(33, context.words.field(self.field), &lines, Some(chosen));
        let at_end = self.digits.is_at_end();
        let hints = if at_end { context.hints() } else { context.digit_hints() };
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
            Some(Key::Leave) | None => {}
        }
        PageInput::Nothing
    }
}
