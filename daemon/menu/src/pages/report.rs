//! What has become of a command that was given, if it must be read: a refusal, for example.

use super::{Item, LineAction};
use crate::context::Context;
use crate::effect::{Answer, Failure};
use crate::page::{Page, wrap};
use crate::words::Words;

/// The number of the page on which the answer is awaited.
pub(super) const WAITING: u8 = 34;
/// The number of the page with a note, for example that own controls could not be written.
const NOTE: u8 = 37;

/// A text that must be read.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    number: u8,
    title: &'static str,
    lines: Vec<String>,
}

impl Report {
    /// The report of this answer.
    pub fn new(answer: Answer<'_>, words: Words) -> Report {
        let Answer { outcome, not_on_record } = answer;
        let (refusal, words) = (|refusal| words.refusal(refusal), &words.reports);
        let (number, title, mut lines) = match outcome {
            Ok(()) => (35, words.done, Vec::new()),
            Err(Failure::NoAnswer) => (38, words.no_answer, wrap(words.look_at_the_clock)),
            Err(Failure::Refused(refused)) => (36, words.refused, refusal(&refused)),
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

    /// The report on the page of this number, with this title.
    pub fn numbered(number: u8, title: &'static str, lines: Vec<String>) -> Report {
        Report { number, title, lines }
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

/// The page on which the answer is awaited.
pub(super) fn waiting(context: &Context) -> Page {
    let page = Page::new(WAITING, context.words.reports.waiting, &[], None);
    Page { hints: vec![context.leave_hint()], ..page }
}
