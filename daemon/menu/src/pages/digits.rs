//! Digit entry for a field of the page below.

use super::PageInput;
use crate::context::Context;
use crate::digits::{Digits, Entered};
use crate::form::Field;
use crate::item::LineAction;
use crate::key::{Hint, Key};
use crate::page::Page;
use crate::words;

/// The digits of a field.
#[derive(Clone, Debug)]
pub(crate) struct DigitsPage {
    pub field: Field,
    pub digits: Digits,
}

impl DigitsPage {
    pub fn shown(&self, context: &Context) -> Page {
        let (lines, chosen) = self.digits.lines();
        let page = Page::new(33, &words::field(self.field), &lines, Some(chosen));
        let name = |hint: Hint| {
            let action = match hint.action {
                action if self.digits.is_at_end() => action,
                words::KEY_BACK => words::KEY_LESS,
                words::KEY_ON => words::KEY_MORE,
                words::KEY_CHOOSE => words::KEY_NEXT,
                other => other,
            };
            Hint { action, ..hint }
        };
        let hints = context.hints().into_iter().map(name).collect();
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
