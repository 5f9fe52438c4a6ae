//! What a command does, before it is given.

use crate::context::Context;
use crate::effect::MenuCommand;
use crate::item::Item;

/// What a command does, before it is given. The command is for the revision that was shown when
/// this page was opened.
#[derive(Clone, Debug)]
pub(crate) struct Confirm {
    title: String,
    lines: Vec<String>,
    /// The lines that both players agree to.
    agreed: Vec<String>,
    set: MenuCommand,
}

impl Confirm {
    /// A page whose lines say what the command does.
    pub fn new(title: &str, lines: Vec<String>, set: MenuCommand) -> Confirm {
        let agreed = [title.to_owned()].into_iter().chain(lines.iter().cloned()).collect();
        Confirm { title: title.to_owned(), lines, agreed, set }
    }

    /// This page with other lines for the page on which both players agree. That page has room for
    /// four of them.
    pub fn with_agreed(self, agreed: Vec<String>) -> Confirm {
        Confirm { agreed, ..self }
    }

    pub fn agreed(&self) -> &[String] {
        &self.agreed
    }

    pub fn list(&self, context: &Context) -> (u8, String, Vec<Item>) {
        let words = context.words;
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        items.push(Item::give(words.standing.do_it, self.set.clone()));
        items.push(Item::back(words));
        (30, self.title.clone(), items)
    }
}
