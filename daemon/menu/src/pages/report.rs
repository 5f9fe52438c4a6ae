//! The report of commands that were given, or the refusal of one of them.

use crate::context::Context;
use crate::item::Item;
use crate::page::{Page, wrap};
use crate::words;

/// The number of the page on which the answer is awaited.
pub(super) const WAITING: u8 = 34;

/// The report or the refusal of commands.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    number: u8,
    title: &'static str,
    lines: Vec<String>,
}

impl Report {
    pub fn new(done: bool, text: &str) -> Report {
        let (number, title) = if done { (35, words::DONE) } else { (36, words::REFUSED) };
        Report { number, title, lines: wrap(text) }
    }

    /// Another text.
    pub fn note(text: &str) -> Report {
        Report { number: 37, title: words::NOTE, lines: wrap(text) }
    }

    pub fn list(&self) -> (u8, String, Vec<Item>) {
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        items.push(Item::back());
        (self.number, self.title.to_owned(), items)
    }
}

/// The page on which the answer is awaited.
pub(super) fn waiting(context: &Context) -> Page {
    let page = Page::new(WAITING, words::WAITING, &[], None);
    Page { hints: vec![context.keys.leave_hint()], ..page }
}
