//! What a command does, before it is given.

use crate::access;
use crate::context::Context;
use crate::effect::{MenuCommand, Proposal};
use crate::list::{Item, LineAction, List, PageState};
use clock_engine::Side;

/// What a command does, before it is given. The command is for the revision that was shown when
/// this page was opened.
#[derive(Clone)]
pub(crate) struct Confirm {
    title: String,
    lines: Vec<String>,
    proposal: Proposal,
}

impl Confirm {
    /// A page whose lines say what the command does.
    pub fn new(title: &str, lines: Vec<String>, set: MenuCommand) -> Confirm {
        let what = [title.to_owned()].into_iter().chain(lines.iter().cloned()).collect();
        Confirm { title: title.to_owned(), lines, proposal: Proposal { set, what } }
    }

    /// What leads to the command. If both players have to agree to it, the page on which they agree
    /// shows what it does, so this page is left out.
    pub fn action(self, context: &Context) -> LineAction {
        match access::needs_both(context, &self.proposal.set) {
            true => LineAction::Give(Box::new(self.proposal)),
            false => LineAction::open(PageState::list(move |context| self.list(context))),
        }
    }

    /// A line of a list that leads to the command.
    pub fn item(self, context: &Context, text: impl Into<String>) -> Item {
        Item::that(text, self.action(context))
    }

    fn list(&self, context: &Context) -> List {
        let mut items = Item::texts(self.lines.clone());
        items.push(Item::give(context.words.standing.do_it, self.proposal.clone()));
        List::with_back(context, 30, self.title.clone(), items)
    }
}

/// Both readings.
pub(super) fn readings(context: &Context) -> Vec<String> {
    let view = context.situation.view;
    let reading = |side: Side| context.words.reading(side, view.sides[side].remaining);
    Side::BOTH.map(reading).to_vec()
}
