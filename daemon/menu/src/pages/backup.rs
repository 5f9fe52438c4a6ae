//! The pages of the backup to a USB stick: the question and the result. Between them, the answer is
//! awaited.

use crate::context::Context;
use crate::effect::{BackupOutcome, BackupProblem, Effect};
use crate::list::{Awaited, Item, LineAction, List, PageState};
use crate::page::{LINE_LENGTH, wrap};

pub(super) fn list(context: &Context) -> List {
    let words = context.words;
    let mut items = Item::texts(wrap(words.backup.what));
    let page = Box::new(PageState::Waiting(Awaited::Backup));
    let does = LineAction::Effect(Box::new(Effect::BackUp), Some(page));
    items.push(Item::that(words.standing.do_it, does).with_value("1"));
    List::with_back(context, 15, words.backup.title, items)
}

/// The page with the result of the backup.
pub(crate) fn report(outcome: BackupOutcome, context: &Context) -> PageState {
    let words = &context.words.backup;
    let (title, lines) = match outcome {
        BackupOutcome::Done { file, kibibytes } => {
            let size = vec![format!("{kibibytes} KiB")];
            (context.words.reports.done, [pieces(&file), size, wrap(words.pull_out)].concat())
        }
        BackupOutcome::NotDone { problem, text } => {
            let (sentence, text) = match problem {
                BackupProblem::NoStick => (words.no_stick, None),
                BackupProblem::SeveralSticks => (words.several_sticks, None),
                BackupProblem::Full => (words.full, None),
                BackupProblem::ReadOnly => (words.read_only, None),
                BackupProblem::Unusable => (words.unusable, Some(text)),
                BackupProblem::Failed => (words.failed, Some(text)),
            };
            (words.no_backup, [wrap(sentence), wrap(&text.unwrap_or_default())].concat())
        }
    };
    PageState::list(move |context| List::with_back(context, 17, title, Item::texts(lines.clone())))
}

/// The name of a file, cut into lines. It has no blanks, so it cannot be wrapped between words.
fn pieces(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    letters.chunks(LINE_LENGTH).map(|piece| piece.iter().collect()).collect()
}
