//! The pages of the backup to a USB stick: the question, the wait, and the result.

use super::{Item, LineAction, PageState, Report};
use crate::context::Context;
use crate::effect::{BackupOutcome, BackupProblem, Effect};
use crate::page::{LINE_LENGTH, Page, wrap};

/// The number of the page on which the backup is awaited.
const WAITING: u8 = 16;
/// The number of the page with the result of a backup.
const RESULT: u8 = 17;

pub(super) fn list(context: &Context) -> (u8, String, Vec<Item>) {
    let words = context.words;
    let mut items: Vec<Item> = wrap(words.backup.what).into_iter().map(Item::info).collect();
    let (effect, page) = (Box::new(Effect::BackUp), Box::new(PageState::BackingUp));
    let does = Item::that(words.standing.do_it, LineAction::EffectAndOpen(effect, page));
    items.push(does.with_value("1"));
    items.push(Item::back(words));
    (15, words.backup.title.to_owned(), items)
}

/// The page on which the backup is awaited.
pub(super) fn waiting(context: &Context) -> Page {
    let words = &context.words.backup;
    let page = Page::new(WAITING, words.writing, &wrap(words.leave_in), None);
    Page { hints: vec![context.leave_hint()], ..page }
}

/// The page with the result of the backup.
pub(crate) fn report(outcome: BackupOutcome<'_>, context: &Context) -> Report {
    let words = &context.words.backup;
    match outcome {
        BackupOutcome::Done { file, kibibytes } => {
            let mut lines = pieces(file);
            lines.push(format!("{kibibytes} KiB"));
            lines.extend(wrap(words.pull_out));
            Report::numbered(RESULT, context.words.reports.done, lines)
        }
        BackupOutcome::NotDone { problem, text } => {
            let (sentence, says_more) = match problem {
                BackupProblem::NoStick => (words.no_stick, false),
                BackupProblem::SeveralSticks => (words.several_sticks, false),
                BackupProblem::Full => (words.full, false),
                BackupProblem::ReadOnly => (words.read_only, false),
                BackupProblem::Unusable => (words.unusable, true),
                BackupProblem::Failed => (words.failed, true),
            };
            let mut lines = wrap(sentence);
            lines.extend(wrap(text).into_iter().filter(|_| says_more));
            Report::numbered(RESULT, words.no_backup, lines)
        }
    }
}

/// The name of a file, cut into lines. It has no blanks, so it cannot be wrapped between words.
fn pieces(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    letters.chunks(LINE_LENGTH).map(|piece| piece.iter().collect()).collect()
}
