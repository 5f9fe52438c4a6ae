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
    /// What the report says if the command was carried out.
    done: Vec<String>,
    set: MenuCommand,
}

impl Confirm {
    /// A page whose lines say what the command does.
    pub fn new(title: &str, lines: Vec<String>, set: MenuCommand) -> Confirm {
        let agreed: Vec<String> =
            [title.to_owned()].into_iter().chain(lines.iter().cloned()).collect();
        Confirm { title: title.to_owned(), lines, done: agreed.clone(), agreed, set }
    }

    /// A page whose lines are what the clock shows before the command (the readings).
    pub fn with_readings(title: &str, readings: Vec<String>, set: MenuCommand) -> Confirm {
        let confirm = Confirm::new(title, readings, set);
        Confirm { done: vec![title.to_owned()], ..confirm }
    }

    /// Sets other lines. The report gets `changes`. The page on which both players agree gets
    /// `changes` and then `unchanged`, the readings that stay. That page has room for four lines.
    pub fn with_changes(self, changes: Vec<String>, unchanged: Vec<String>) -> Confirm {
        let agreed = changes.iter().cloned().chain(unchanged).collect();
        Confirm { agreed, done: changes, ..self }
    }

    pub fn agreed(&self) -> &[String] {
        &self.agreed
    }

    pub fn done(&self) -> &[String] {
        &self.done
    }

    pub fn list(&self, context: &Context) -> (u8, String, Vec<Item>) {
        let words = context.words;
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        items.push(Item::give(words.standing.do_it, self.set.clone()));
        items.push(Item::back(words));
        (30, self.title.clone(), items)
    }
}
