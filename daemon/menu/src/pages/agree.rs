//! Both players agree: each presses the own button once.

use super::Input;
use crate::context::Context;
use crate::effect::Given;
use crate::item::Does;
use crate::key::{Hint, Press};
use crate::page::Page;
use crate::words;
use clock_engine::{PerSide, Side};

/// The commands on which both players have to agree, and who has agreed.
#[derive(Clone, Debug)]
pub(crate) struct Agree {
    given: Given,
    agreed: PerSide<bool>,
}

impl Agree {
    pub fn new(given: Given) -> Agree {
        Agree { given, agreed: PerSide::both(false) }
    }

    pub fn shown(&self, context: &Context) -> Page {
        let line = |side: Side| match self.agreed[side] {
            true => format!("{side} {}", words::AGREED),
            false => format!("{side}: {}", words::PRESS),
        };
        let lines = Side::BOTH.map(line);
        let value: String =
            Side::BOTH.map(|side| if self.agreed[side] { '1' } else { '0' }).into_iter().collect();
        let page = Page::new(31, words::BOTH_AGREE, &lines, None);
        let agree = |button| Hint { button, does: words::KEY_AGREE };
        let hints = vec![
            agree(words::WHITES_BUTTON),
            agree(words::BLACKS_BUTTON),
            context.keys.leave_hint(),
        ];
        Page { hints, value, ..page }
    }

    /// A player's button agrees for the player who uses it. The call button returns.
    pub fn input(&mut self, context: &Context, press: Press) -> Input {
        let Some(wired) = press.button else { return Input::Chosen(Does::Back) };
        let side = if context.situation.buttons_exchanged { wired.other() } else { wired };
        self.agreed[side] = true;
        match self.agreed.white && self.agreed.black {
            true => Input::BothAgree(Box::new(self.given.clone())),
            false => Input::Nothing,
        }
    }
}
