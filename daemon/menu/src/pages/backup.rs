//! The pages of the backup to a USB stick: the question and the result. Between them, the answer is
//! awaited.

use crate::context::Context;
use crate::effect::{BackupOutcome, Effect};
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
        BackupOutcome::NotDone { sentence, text } => {
            // The text is in English.
            let text = Some(text).filter(|_| context.words.own.is_none()).unwrap_or_default();
            (words.no_backup, [wrap(sentence(words)), wrap(&text)].concat())
        }
    };
    PageState::texts(17, title, lines)
}

/// The name of a file, cut into lines. It has no blanks, so it cannot be wrapped between words.
fn pieces(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    letters.chunks(LINE_LENGTH).map(|piece| piece.iter().collect()).collect()
}
