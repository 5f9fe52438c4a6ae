//! What a command does, before it is given.

use crate::access;
use crate::context::Context;
use crate::effect::Proposal;
use crate::list::{Item, LineAction, List, PageState};
use clock_engine::Side;

impl Proposal {
    /// What leads to the command: a page that says what it does. If both players have to agree, the
    /// page on which they agree says so, and this page is left out. The command is for the revision
    /// that was shown when this page was opened.
    pub(super) fn action(self, context: &Context) -> LineAction {
        match access::needs_both(context, &self.set) {
            true => LineAction::Give(Box::new(self)),
            false => LineAction::open(PageState::list(move |context| self.list(context))),
        }
    }

    pub(super) fn item(self, context: &Context, text: impl Into<String>) -> Item {
        Item::that(text, self.action(context))
    }

    fn list(&self, context: &Context) -> List {
        let mut items = Item::texts(self.what[1..].to_vec());
        items.push(Item::give(context.words.standing.do_it, self.clone()));
        List::with_back(context, 30, &*self.what[0], items)
    }
}

pub(super) fn readings(context: &Context) -> Vec<String> {
    let view = context.situation.view;
    let reading = |side: Side| context.words.reading(side, view.sides[side].remaining);
    Side::BOTH.map(reading).to_vec()
}
