//! Both players agree: each presses the own button once, one after the other.

use super::PageInput;
use crate::context::Context;
use crate::effect::CommandSet;
use crate::item::LineAction;
use crate::key::{Hint, HintButton, Press};
use crate::page::Page;
use crate::words::of;
use clock_engine::{Instant, PerSide, Side};

/// The commands on which both players have to agree, and who has agreed.
#[derive(Clone, Debug)]
pub(crate) struct Agree {
    set: CommandSet,
    /// What is agreed, in lines.
    what: Vec<String>,
    /// What the report says if the commands were carried out.
    done: Vec<String>,
    /// A press that began earlier was not for this page.
    since: Instant,
    agreed: PerSide<bool>,
    /// The latest press of each player's button on this page.
    latest: PerSide<Option<Press>>,
}

impl Agree {
    /// `what` is what is agreed, and `done` what the report says of it, both in lines.
    pub fn new(set: CommandSet, what: Vec<String>, done: Vec<String>, since: Instant) -> Agree {
        let (agreed, latest) = (PerSide::both(false), PerSide::default());
        Agree { set, what, done, since, agreed, latest }
    }

    pub fn done(&self) -> &[String] {
        &self.done
    }

    pub fn shown(&self, context: &Context) -> Page {
        let words = context.words;
        let line = |side: Side| match self.agreed[side] {
            true => of(&words.access.agrees, side).to_owned(),
            false => of(&words.access.press, side).to_owned(),
        };
        let mut lines = Side::BOTH.map(line).to_vec();
        lines.extend_from_slice(&self.what);
        let value: String =
            Side::BOTH.map(|side| if self.agreed[side] { '1' } else { '0' }).into_iter().collect();
        let page = Page::new(31, words.access.both_agree, &lines, None);
        let agree = |button| Hint { button, action: words.keys.agree };
        let mut hints = vec![agree(HintButton::White), agree(HintButton::Black)];
        hints.extend(context.keys.call_hint(words.keys.back));
        hints.push(context.leave_hint());
        Page { hints, value, ..page }
    }

    /// A player's button agrees for the player who uses it. If it was down together with the other
    /// one, neither counts, because one hand can press both. The call button returns.
    pub fn input(&mut self, context: &Context, press: Press) -> PageInput {
        let Some(wired) = press.side else { return PageInput::Chosen(LineAction::Back) };
        let side = if context.situation.buttons_exchanged { wired.other() } else { wired };
        self.latest[side] = Some(press);
        if self.latest[side.other()].is_some_and(|other| press.overlaps(&other)) {
            self.agreed = PerSide::both(false);
        } else if press.key.is_some() && press.at >= self.since {
            self.agreed[side] = true;
        }
        match self.agreed.white && self.agreed.black {
            true => PageInput::BothAgree(Box::new(self.set.clone())),
            false => PageInput::Nothing,
        }
    }
}
