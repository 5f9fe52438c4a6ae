//! Digit entry for a field of the page below.

use super::Input;
use crate::context::Context;
use crate::digits::{Digits, Entered};
use crate::form::Field;
use crate::item::Does;
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
            let does = match hint.does {
                words::KEY_BACK => words::KEY_LESS,
                words::KEY_ON => words::KEY_MORE,
                words::KEY_CHOOSE => words::KEY_NEXT,
                other => other,
            };
            Hint { does, ..hint }
        };
        let hints = context.hints().into_iter().map(name).collect();
        Page { hints, value: self.digits.text(), ..page }
    }

    pub fn input(&mut self, key: Key) -> Input {
        match key {
            Key::On => self.digits.turn(true),
            Key::Back => self.digits.turn(false),
            Key::Choose => match self.digits.choose() {
                Entered::Nothing => {}
                Entered::Value(value) => return Input::Entered(value),
                Entered::Back => return Input::Chosen(Does::Back),
            },
            Key::Leave => return Input::Close,
        }
        Input::Nothing
    }
}
