//! What has become of a command that was given, if it must be read: a refusal, for example.

use crate::effect::Failure;
use crate::list::{Item, List, PageState};
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

/// The page that says that own controls and settings are kept only until the next start, because they
/// could not be written.
pub(crate) fn kept_until_start() -> PageState {
    PageState::list(move |context| {
        let reports = &context.words.reports;
        List::with_back(context, 37, reports.note, Item::texts(wrap(reports.kept_until_start)))
    })
}
