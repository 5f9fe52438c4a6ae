//! What a command does, before it is given.

use super::{Item, LineAction, PageState, Proposal};
use crate::access;
use crate::context::Context;
use crate::effect::MenuCommand;

/// What a command does, before it is given. The command is for the revision that was shown when
/// this page was opened.
#[derive(Clone, Debug)]
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

    /// This page with other lines for the page on which both players agree. That page has room for
    /// four of them.
    pub fn with_agreed(mut self, what: Vec<String>) -> Confirm {
        self.proposal.what = what;
        self
    }

    /// What leads to the command. If both players have to agree to it, the page on which they agree
    /// shows what it does, so this page is left out.
    pub fn action(self, context: &Context) -> LineAction {
        match access::needs_both(context, &self.proposal.set) {
            true => LineAction::Give(Box::new(self.proposal)),
            false => LineAction::Open(Box::new(PageState::Confirm(Box::new(self))), false),
        }
    }

    /// A line of a list that leads to the command.
    pub fn item(self, context: &Context, text: impl Into<String>) -> Item {
        Item::that(text, self.action(context))
    }

    pub fn list(&self, context: &Context) -> (u8, String, Vec<Item>) {
        let words = context.words;
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        items.push(Item::give(words.standing.do_it, self.proposal.clone()));
        items.push(Item::back(words));
        (30, self.title.clone(), items)
    }
}
