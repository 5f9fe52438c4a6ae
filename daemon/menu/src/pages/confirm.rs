//! What commands do, before they are given.

use crate::effect::CommandSet;
use crate::item::Item;
use crate::words;

/// What commands do, before they are given. The commands are for the revision that was shown when
/// this page was opened.
#[derive(Clone, Debug)]
pub(crate) struct Confirm {
    title: String,
    lines: Vec<String>,
    /// The lines that both players agree to.
    agreed: Vec<String>,
    set: CommandSet,
}

impl Confirm {
    pub fn new(title: &str, lines: Vec<String>, set: CommandSet) -> Confirm {
        let agreed = [title.to_owned()].into_iter().chain(lines.iter().cloned()).collect();
        Confirm { title: title.to_owned(), lines, agreed, set }
    }

    /// Other lines on the page on which both players agree. It has room for four.
    pub fn with_agreed(self, agreed: Vec<String>) -> Confirm {
        Confirm { agreed, ..self }
    }

    pub fn agreed(&self) -> &[String] {
        &self.agreed
    }

    pub fn list(&self) -> (u8, String, Vec<Item>) {
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        items.push(Item::give(words::DO_IT, self.set.clone()));
        items.push(Item::back());
        (30, self.title.clone(), items)
    }
}
