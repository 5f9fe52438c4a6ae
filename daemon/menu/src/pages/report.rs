//! The reports of commands that were given, or the refusal of one of them.

use crate::context::Context;
use crate::effect::{Answer, Failure};
use crate::item::{Item, LineAction};
use crate::page::{Page, wrap};
use crate::words;
use clock_engine::rules::{Action, GameCommand};

/// The number of the page on which the answer is awaited.
pub(super) const WAITING: u8 = 34;
/// The number of the page with another text.
const NOTE: u8 = 37;

/// The reports or the refusal of commands.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    number: u8,
    title: &'static str,
    lines: Vec<String>,
}

impl Report {
    /// The answer to these commands.
    pub fn new(commands: &[GameCommand], answer: Answer<'_>) -> Report {
        let Answer { reports, failure } = answer;
        match failure {
            None => {
                let shown = reports.iter().enumerate().filter(|(index, _)| {
                    let command = commands.get(*index);
                    !command.is_some_and(is_confirmation)
                });
                let lines = shown.flat_map(|(_, report)| wrap(report)).collect();
                Report { number: 35, title: words::DONE, lines }
            }
            Some(Failure::NoAnswer) => Report {
                number: 38,
                title: words::NO_ANSWER,
                lines: wrap(words::LOOK_AT_THE_CLOCK),
            },
            Some(Failure::Refused(refusal)) => {
                let before = commands.iter().take(reports.len());
                let mut lines: Vec<String> =
                    before.filter_map(words::carried_out).flat_map(wrap).collect();
                if !lines.is_empty() {
                    lines.extend(wrap(words::THEN_REFUSED));
                }
                lines.extend(wrap(refusal));
                Report { number: 36, title: words::REFUSED, lines }
            }
        }
    }

    /// Another text.
    pub fn note(text: &str) -> Report {
        Report { number: NOTE, title: words::NOTE, lines: wrap(text) }
    }

    pub fn list(&self) -> (u8, String, Vec<Item>) {
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        // The page below a note is the one that follows what was done.
        items.push(if self.number == NOTE {
            Item::that(words::GO_ON, LineAction::Back).with_value("0")
        } else {
            Item::back()
        });
        (self.number, self.title.to_owned(), items)
    }
}

/// Whether a command only notes that a player agrees to a command after it.
fn is_confirmation(command: &GameCommand) -> bool {
    matches!(command, GameCommand::Action(Action::Confirm { .. }))
}

/// The page on which the answer is awaited.
pub(super) fn waiting(context: &Context) -> Page {
    let page = Page::new(WAITING, words::WAITING, &[], None);
    Page { hints: vec![context.keys.leave_hint()], ..page }
}
