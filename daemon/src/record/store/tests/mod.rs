//! The tests of the store, and the helper functions that they share.

mod append;
mod copy;
mod crash;
mod earlier_version;
mod faults;
mod open;
mod read;
mod readable;
mod workload;

use super::{Checkpoint, GameChange, Opened, Store};
use crate::game::NewRow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder. It is in memory if possible, because a sync of a disk takes milliseconds.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir()
        && let Ok(folder) = tempfile::tempdir_in(memory)
    {
        return folder;
    }
    tempfile::tempdir().unwrap()
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("record.sqlite3")
}

fn open(path: &Path) -> Store {
    let Opened { store, moved_aside, .. } = Store::open(path, None).unwrap();
    assert!(moved_aside.is_none(), "{moved_aside:?}");
    store
}

/// An entry whose instants, input, events and state differ from those of every other number.
fn row(number: u64, game: u64) -> NewRow {
    NewRow {
        number,
        game,
        boot: format!("boot-{}", number / 50),
        at_ns: number * 1_000_000_007,
        raw_ns: number * 1_000_000_009,
        wall_ns: number.is_multiple_of(2).then_some(-5),
        kind: "press".into(),
        input: format!("{{\"press\":{number}}}"),
        events: format!("[{}]", number * 3),
        command: number.is_multiple_of(3).then(|| format!("{{\"verb\":\"set\",\"uid\":{number}}}")),
        state: format!("{{\"revision\":{number},\"text\":\"{}\"}}", "state ".repeat(150)),
    }
}

fn rows(numbers: std::ops::Range<u64>, game: u64) -> Vec<NewRow> {
    numbers.map(|number| row(number, game)).collect()
}

fn begin(game: u64, first_entry: u64) -> GameChange {
    GameChange::Begin { game, first_entry, info: format!("{{\"game\":{game}}}") }
}

fn checkpoint(entry: u64) -> Checkpoint {
    Checkpoint {
        boot: format!("boot-{}", entry / 50),
        at_ns: entry * 1_000_000_007 + 1,
        raw_ns: entry,
        wall_ns: None,
        entry,
    }
}

/// A record with the entries 1 to `last` of game 1.
fn with_entries(path: &Path, last: u64) -> Store {
    let mut store = open(path);
    store.append(&rows(1..last + 1, 1), &[begin(1, 1)], None).unwrap();
    store
}

/// The entries of the latest game, without their chains.
fn current_rows(store: &mut Store) -> Vec<NewRow> {
    let current = store.current().unwrap().unwrap();
    current.rows.into_iter().map(|row| row.row).collect()
}
