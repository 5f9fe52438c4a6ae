//! What has become of commands that were given: what was done, or the refusal of one of them.

use crate::context::Context;
use crate::effect::{Answer, Failure};
use crate::item::{Item, LineAction};
use crate::page::{Page, wrap};
use crate::pages::result::readings;
use crate::words::Words;
use clock_engine::rules::{Action, GameCommand};

/// The number of the page on which the answer is awaited.
pub(super) const WAITING: u8 = 34;
/// The number of the page with a note, for example that own controls could not be written.
const NOTE: u8 = 37;

/// Commands that were given.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The commands.
    pub commands: Vec<GameCommand>,
    /// What is done if all of them are carried out, in lines.
    pub done: Vec<String>,
}

/// The reports or the refusal of commands.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    number: u8,
    title: &'static str,
    lines: Vec<String>,
}

impl Report {
    /// The report of the answer to these commands. `context` has the situation after the answer.
    pub fn new(given: &Given, answer: Answer<'_>, context: &Context) -> Report {
        let Answer { reports, failure, not_on_record } = answer;
        let words = &context.words.reports;
        let before = given.commands.iter().take(reports.len());
        let (number, title, mut lines) = match failure {
            None => (35, words.done, done(given, reports, context)),
            Some(Failure::NoAnswer) => (38, words.no_answer, wrap(words.look_at_the_clock)),
            Some(Failure::Refused(refusal)) => {
                let carried_out = before.filter_map(|command| context.words.carried_out(command));
                let mut lines: Vec<String> = carried_out.flat_map(wrap).collect();
                if !lines.is_empty() {
                    lines.extend(wrap(words.then_refused));
                }
                lines.extend(context.words.refusal(&refusal));
                (36, words.refused, lines)
            }
        };
        if not_on_record {
            lines.extend(wrap(words.not_on_record));
        }
        Report { number, title, lines }
    }

    /// The report that own controls and settings are kept only until the next start, because this
    /// error occurred when they were written.
    pub fn kept_until_start(error: &str, words: Words) -> Report {
        let text = format!("{} {error}", words.reports.kept_until_start);
        Report { number: NOTE, title: words.reports.note, lines: wrap(&text) }
    }

    pub fn list(&self, context: &Context) -> (u8, String, Vec<Item>) {
        let words = context.words;
        let mut items: Vec<Item> = self.lines.iter().map(Item::info).collect();
        // Below a note is the page that follows what was done, and not a previous page. So the line
        // says to go on.
        items.push(if self.number == NOTE {
            Item::that(words.reports.go_on, LineAction::Back).with_value("0")
        } else {
            Item::back(words)
        });
        (self.number, self.title.to_owned(), items)
    }
}

/// What was done. The reports of the commands are in English. In another language, the page shows
/// the lines that were confirmed, and both times after the commands.
fn done(given: &Given, reports: &[String], context: &Context) -> Vec<String> {
    if context.words.own.is_some() {
        return given.done.iter().cloned().chain(readings(context)).collect();
    }
    let shown = reports.iter().enumerate().filter(|(index, _)| {
        let command = given.commands.get(*index);
        !command.is_some_and(is_confirmation)
    });
    shown.flat_map(|(_, report)| wrap(report)).collect()
}

/// Whether a command only notes that a player agrees to a command after it.
fn is_confirmation(command: &GameCommand) -> bool {
    matches!(command, GameCommand::Action(Action::Confirm { .. }))
}

/// The page on which the answer is awaited.
pub(super) fn waiting(context: &Context) -> Page {
    let page = Page::new(WAITING, context.words.reports.waiting, &[], None);
    Page { hints: vec![context.leave_hint()], ..page }
}
