//! What has become of a command that was given, if it must be read: a refusal, for example.

use crate::effect::Failure;
use crate::list::{Item, LineAction, List, PageState};
use crate::page::wrap;
use crate::words::Words;

/// The page that says why a command was not carried out.
pub(crate) fn page(failure: Failure, words: Words) -> PageState {
    let reports = &words.reports;
    let (number, title, lines) = match failure {
        Failure::NoAnswer => (38, reports.no_answer, wrap(reports.look_at_the_clock)),
        Failure::Refused(refused) => (36, reports.refused, words.refusal(&refused)),
    };
    PageState::texts(number, title, lines)
}

/// The page that says that own controls and settings are kept only until the next start, because this
/// error occurred when they were written. Below it is the page that follows what was done, and not a
/// previous page. So its line says to go on.
pub(crate) fn kept_until_start(error: &str, words: Words) -> PageState {
    let reports = &words.0.words().menu.reports;
    let lines = wrap(&format!("{} {error}", reports.kept_until_start));
    PageState::list(move |_| {
        let mut items = Item::texts(lines.clone());
        items.push(Item::that(reports.go_on, LineAction::Back).with_value("0"));
        List::new(37, reports.note, items)
    })
}
