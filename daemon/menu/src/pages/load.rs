//! The pages for loading a backup from a USB stick: the request to connect the stick, the list of its
//! backups, the confirmation, and the result.

use super::backup::pieces;
use super::{Item, LineAction, PageState, Report};
use crate::context::Context;
use crate::effect::{Backup, Backups, Effect, LoadProblem};
use crate::page::{Page, wrap};

/// The number of the page with the request to put the stick in.
const INSERT: u8 = 18;
/// The number of the page on which the list is awaited.
const READING: u8 = 19;
/// The number of the page with the list.
const LIST: u8 = 40;
/// The number of the page on which a backup is confirmed.
const CONFIRM: u8 = 41;
/// The number of the page on which the end of the load is awaited.
const LOADING: u8 = 42;
/// The number of the page with the result of a load.
const RESULT: u8 = 43;

/// The page before the stick is read.
pub(super) fn insert(context: &Context) -> (u8, String, Vec<Item>) {
    let words = &context.words.load;
    let mut items: Vec<Item> = wrap(words.insert).into_iter().map(Item::info).collect();
    let (effect, page) = (Box::new(Effect::ListBackups), Box::new(PageState::ListingBackups));
    let reads = Item::that(words.show, LineAction::EffectAndOpen(effect, page));
    items.push(reads.with_value("1"));
    items.push(Item::back(context.words));
    (INSERT, words.title.to_owned(), items)
}

/// The page on which the list is awaited.
pub(super) fn listing(context: &Context) -> Page {
    let words = &context.words;
    let page = Page::new(READING, words.load.reading, &wrap(words.backup.leave_in), None);
    Page { hints: vec![context.leave_hint()], ..page }
}

/// The backups of the stick.
pub(super) fn list(context: &Context, backups: &Backups) -> (u8, String, Vec<Item>) {
    let words = &context.words.load;
    let line = |backup: &Backup| {
        let page = PageState::Backup(Box::new(backup.clone()));
        Item::open(backup.line(), page)
    };
    let mut items: Vec<Item> = backups.listed.iter().map(line).collect();
    if backups.more > 0 {
        items.push(Item::info(numbered(context, words.more, backups.more)));
    }
    items.push(Item::back(context.words));
    (LIST, words.list.to_owned(), items)
}

/// The page of one backup. It says what is in the backup and what a load does, or why the backup cannot be
/// loaded.
pub(super) fn confirm(context: &Context, backup: &Backup) -> (u8, String, Vec<Item>) {
    let words = &context.words.load;
    if let Some(why) = &backup.error {
        let lines = [pieces(&backup.file), wrap(words.damaged), wrap(why)].concat();
        let mut items: Vec<Item> = lines.into_iter().map(Item::info).collect();
        items.push(Item::back(context.words));
        return (CONFIRM, words.not_loaded.to_owned(), items);
    }
    let mut lines = Vec::new();
    if !backup.board.is_empty() {
        lines.extend(wrap(&format!("{} {}", context.words.settings.board, backup.board)));
    }
    lines.extend(pieces(&backup.host));
    lines.extend(backup.made_at.clone());
    lines.extend(backup.games.map(|games| numbered(context, words.games, games)));
    lines.extend(wrap(words.replaces));
    lines.extend(wrap(words.starts_anew));
    let mut items: Vec<Item> = lines.into_iter().map(Item::info).collect();
    let effect = Box::new(Effect::LoadBackup { file: backup.file.clone() });
    let page = Box::new(PageState::LoadingBackup);
    let loads = LineAction::EffectAndOpen(effect, page);
    items.push(Item::that(context.words.standing.do_it, loads).with_value("1"));
    items.push(Item::back(context.words));
    (CONFIRM, words.title.to_owned(), items)
}

/// The page on which the end of the load is awaited.
pub(super) fn loading(context: &Context) -> Page {
    let words = &context.words;
    let lines = [wrap(words.backup.leave_in), wrap(words.load.starts_anew)].concat();
    let page = Page::new(LOADING, words.load.loading, &lines, None);
    Page { hints: vec![context.leave_hint()], ..page }
}

/// The page that says that the backup was loaded. It is rarely shown, because the service is restarted
/// during the load.
pub(crate) fn loaded(context: &Context) -> Report {
    let words = &context.words;
    Report::numbered(RESULT, words.reports.done, wrap(words.load.starts_anew))
}

/// The page that says why nothing was loaded.
pub(crate) fn not_loaded(problem: LoadProblem, text: &str, context: &Context) -> Report {
    let (backup, words) = (&context.words.backup, &context.words.load);
    let (sentence, says_more) = match problem {
        LoadProblem::NoStick => (backup.no_stick, false),
        LoadProblem::SeveralSticks => (backup.several_sticks, false),
        LoadProblem::Unusable => (backup.unusable, true),
        LoadProblem::NoBackup => (words.none, false),
        LoadProblem::Damaged => (words.damaged, true),
        LoadProblem::Newer => (words.newer, false),
        LoadProblem::GameOnTheClock => (words.game, false),
        LoadProblem::NoRoom => (words.no_room, false),
        LoadProblem::Failed => (words.failed, true),
    };
    let mut lines = wrap(sentence);
    lines.extend(wrap(text).into_iter().filter(|_| says_more));
    Report::numbered(RESULT, words.not_loaded, lines)
}

/// A word, a colon and a number, such as "Games: 34".
fn numbered(context: &Context, word: &str, number: u64) -> String {
    format!("{word}{}{number}", context.words.colon())
}
