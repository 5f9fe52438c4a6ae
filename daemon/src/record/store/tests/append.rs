//! Tests of appending entries, also to a file that is gone, truncated or replaced, and of deleting
//! old games.

use super::*;
use crate::game::Ended;
use crate::record::store::{MAX_TEXT, NO_CHAIN, Reader, Retained, StoreError, entry_chain};

fn refused(result: Result<(), StoreError>) -> String {
    match result {
        Err(StoreError::Refused(why)) => why,
        other => panic!("{other:?} is not a refusal"),
    }
}

#[test]
fn appended_entries_are_read_back_after_a_restart() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 70);
    store.append(&rows(71..73, 1), &[], Some(&checkpoint(72))).unwrap();
    drop(store);

    let mut store = open(&file(&folder));
    assert_eq!(store.last_entry(), Some(72));
    let current = store.current().unwrap().unwrap();
    assert_eq!(current.game.game, 1);
    assert_eq!(current.game.entries, 72);
    assert_eq!(current.game.info, "{\"game\":1}");
    assert_eq!(current.last_entry, 72);
    assert_eq!(current.checkpoint, Some(checkpoint(72)));
    assert_eq!(current_rows(&mut store), rows(1..73, 1));
    let mut chain = NO_CHAIN;
    for row in &current.rows {
        chain = entry_chain(&chain, &row.row);
        assert_eq!(row.chain, chain);
    }
}

#[test]
fn an_empty_record_has_no_current_game() {
    let folder = folder();
    let mut store = open(&file(&folder));
    assert_eq!(store.current().unwrap(), None);
    assert_eq!(store.last_entry(), None);
}

#[test]
fn a_new_record_can_begin_with_any_entry() {
    let folder = folder();
    let mut store = open(&file(&folder));
    store.append(&rows(58..60, 7), &[begin(7, 58)], None).unwrap();
    assert_eq!(current_rows(&mut store), rows(58..60, 7));
}

#[test]
fn a_number_that_is_left_out_is_refused_and_nothing_is_appended() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 5);
    let why = refused(store.append(&[row(6, 1), row(8, 1)], &[], None));
    assert!(why.contains("entry 8 cannot follow entry 6"), "{why}");
    assert_eq!(store.last_entry(), Some(5));
    store.append(&[row(6, 1)], &[], None).unwrap();
    assert_eq!(current_rows(&mut store), rows(1..7, 1));
}

#[test]
fn entries_can_be_missing_only_before_a_whole_state() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 5);
    let state = NewRow { kind: "state".to_owned(), ..row(9, 1) };
    let all: Vec<_> = rows(1..6, 1).into_iter().chain([state.clone(), row(10, 1)]).collect();
    store.append(&[state.clone(), row(10, 1)], &[], None).unwrap();
    store.append(&[state.clone(), row(10, 1)], &[], None).unwrap();
    assert_eq!(current_rows(&mut store), all);
    let reader = store.path().to_owned();
    drop(store);
    let store = Store::open(&reader, None).unwrap().store;
    let reader = Reader::open(store.path()).unwrap();
    for (first, expected) in [(6, vec![9, 10]), (8, vec![9, 10]), (9, vec![9, 10]), (10, vec![10])]
    {
        let numbers: Vec<u64> =
            reader.entries(1, first, 5).unwrap().iter().map(|row| row.row.number).collect();
        assert_eq!(numbers, expected, "from {first}");
    }
}

#[test]
fn entries_that_are_on_record_can_be_appended_again_but_not_with_other_contents() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 5);
    store.append(&rows(1..8, 1), &[begin(1, 1)], None).unwrap();
    assert_eq!(current_rows(&mut store), rows(1..8, 1));

    let mut other = row(7, 1);
    other.state.push(' ');
    assert!(refused(store.append(&[other], &[], None)).contains("entry 7"));
    assert!(refused(store.append(&rows(3..4, 1), &[begin(2, 3)], None)).contains("game 2"));
}

#[test]
fn a_game_begins_with_one_of_the_appended_entries() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 5);
    assert!(refused(store.append(&[row(6, 2)], &[], None)).contains("of game 2"));
    assert!(refused(store.append(&[row(6, 1)], &[begin(2, 7)], None)).contains("entry 7"));
    assert!(refused(store.append(&[row(6, 1)], &[begin(1, 6)], None)).contains("game 1"));

    let ended = GameChange::Ended { game: 1, ended: Some(Ended::Replaced) };
    store.append(&[row(6, 1), row(7, 2), row(8, 2)], &[ended, begin(2, 7)], None).unwrap();
    let current = store.current().unwrap().unwrap();
    assert_eq!((current.game.game, current.game.first_entry, current.game.entries), (2, 7, 2));
    let reader = Reader::open(store.path()).unwrap();
    let before = reader.entries(1, 6, 1).unwrap();
    assert_eq!(current.game.chain_before, before[0].chain);
    assert_eq!(reader.game(1).unwrap().unwrap().ended, Some(Ended::Replaced));
}

#[test]
fn changes_of_a_game_are_kept() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 2);
    let changes = [
        GameChange::Info { game: 1, info: "{\"white\":\"Vera Menchik\"}".into() },
        GameChange::Ended { game: 1, ended: Some(Ended::Result) },
        GameChange::Adjourned { game: 1, adjourned: true },
    ];
    store.append(&[], &changes, None).unwrap();
    let game = open_again(store, &folder).current().unwrap().unwrap().game;
    assert_eq!(game.info, "{\"white\":\"Vera Menchik\"}");
    assert_eq!((game.ended, game.adjourned), (Some(Ended::Result), true));

    let mut store = open(&file(&folder));
    store.append(&[], &[GameChange::Ended { game: 1, ended: None }], None).unwrap();
    assert_eq!(store.current().unwrap().unwrap().game.ended, None);
    let unknown = GameChange::Adjourned { game: 9, adjourned: true };
    assert!(refused(store.append(&[], &[unknown], None)).contains("no game 9"));
}

#[test]
fn a_game_that_is_taken_up_is_no_longer_adjourned_and_may_be_gone() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 2);
    let adjourned = GameChange::Adjourned { game: 1, adjourned: true };
    store.append(&[], &[adjourned], None).unwrap();
    let current = store.current().unwrap().unwrap();
    let chain: String = current.rows[1].chain.iter().map(|byte| format!("{byte:02x}")).collect();
    let taken_up = |game: u64, chain: &str| GameChange::TakenUp { game, chain: chain.to_owned() };
    // A game of another record can have the same number, but not the same chain. These two changes
    // name no game on record, so they do nothing.
    let others = [taken_up(9, &chain), taken_up(1, &"0".repeat(64))];
    store.append(&[], &others, None).unwrap();
    assert!(store.current().unwrap().unwrap().game.adjourned);
    store.append(&[], &[taken_up(1, &chain)], None).unwrap();
    assert!(!open_again(store, &folder).current().unwrap().unwrap().game.adjourned);
}

fn open_again(store: Store, folder: &TempDir) -> Store {
    drop(store);
    open(&file(folder))
}

#[test]
fn a_checkpoint_replaces_the_last_one_and_names_an_entry_on_record() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 60);
    store.checkpoint(&checkpoint(40)).unwrap();
    store.checkpoint(&checkpoint(60)).unwrap();
    assert_eq!(store.current().unwrap().unwrap().checkpoint, Some(checkpoint(60)));
    assert!(refused(store.checkpoint(&checkpoint(61))).contains("entry 61"));
}

#[test]
fn texts_that_are_too_long_are_refused() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 1);
    let mut longest = row(2, 1);
    longest.input = "x".repeat(MAX_TEXT);
    store.append(&[longest.clone()], &[], None).unwrap();
    let mut longer = row(3, 1);
    longer.command = Some("x".repeat(MAX_TEXT + 1));
    assert!(refused(store.append(&[longer], &[], None)).contains("the command of entry 3"));
    assert_eq!(current_rows(&mut store)[1], longest);
    let info = GameChange::Info { game: 1, info: "x".repeat(MAX_TEXT + 1) };
    assert!(refused(store.append(&[], &[info], None)).contains("game 1"));
    let mut largest = row(3, 1);
    largest.at_ns = u64::MAX;
    assert!(refused(store.append(&[largest], &[], None)).contains(&u64::MAX.to_string()));
}

#[test]
fn the_write_ahead_log_stays_short() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 1);
    let mut longest = 0;
    for number in 2..2_000 {
        store.append(&[row(number, 1)], &[], None).unwrap();
        let log = std::fs::metadata(folder.path().join("record.sqlite3-wal")).unwrap().len();
        longest = longest.max(log);
    }
    // Much more than `LOG_LIMIT` (1 MiB) has been written. The log is emptied after each append
    // that makes it longer than that, so it never has more than 2 MiB.
    assert!(store.bytes() > 2_000_000);
    assert!(longest <= 2 * 1024 * 1024, "the log had {longest} bytes");
}

#[test]
fn retention_deletes_the_oldest_games_that_ended_and_no_others() {
    let folder = folder();
    let mut store = open(&file(&folder));
    for game in 1..=8 {
        let first = game * 10;
        let mut changes = vec![begin(game, first)];
        if game != 4 {
            changes.push(GameChange::Ended { game, ended: Some(Ended::Replaced) });
        }
        changes.push(GameChange::Adjourned { game, adjourned: game == 2 });
        store.append(&rows(first..first + 10, game), &changes, None).unwrap();
    }
    assert_eq!(store.retain(7).unwrap(), Retained::Deleted(1));
    assert_eq!(store.retain(7).unwrap(), Retained::Nothing);
    let deleted: Vec<_> = (0..5).map(|_| store.retain(0).unwrap()).collect();
    let expected = [3, 5, 6, 7].map(Retained::Deleted);
    assert_eq!(deleted[..4], expected);
    assert_eq!(deleted[4], Retained::Nothing);

    let mut store = open_again(store, &folder);
    assert_eq!(current_rows(&mut store), rows(80..90, 8));
    let reader = Reader::open(store.path()).unwrap();
    let games: Vec<(u64, u64)> =
        reader.games(0, 100).unwrap().iter().map(|game| (game.game, game.entries)).collect();
    assert_eq!(games, [(8, 10), (4, 10), (2, 10)]);
    assert_eq!(reader.entries(3, 0, 10).unwrap(), []);
    store.append(&rows(90..92, 8), &[], None).unwrap();
}

#[test]
fn the_file_becomes_shorter_in_steps() {
    let folder = folder();
    let mut store = open(&file(&folder));
    for game in 1..=3 {
        let changes =
            [begin(game, game * 1000), GameChange::Ended { game, ended: Some(Ended::Result) }];
        store.append(&rows(game * 1000..game * 1000 + 1000, game), &changes, None).unwrap();
    }
    while store.retain(1).unwrap() != Retained::Nothing {}
    let before = std::fs::metadata(store.path()).unwrap().len();
    let mut steps = 0;
    while store.retain_with(1, 0).unwrap() != Retained::Nothing {
        steps += 1;
    }
    drop(store);
    let mut store = open(&file(&folder));
    let after = std::fs::metadata(store.path()).unwrap().len();
    assert!(steps > 1 && after < before / 2, "{before} → {after} in {steps} steps");
    assert_eq!(current_rows(&mut store), rows(3000..4000, 3));
}

#[test]
fn an_append_to_a_file_that_is_gone_fails() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 4] = [
        ("deleted", |path| std::fs::remove_file(path).unwrap()),
        ("log deleted", |path| {
            std::fs::remove_file(path.with_file_name("record.sqlite3-wal")).unwrap();
        }),
        ("renamed", |path| std::fs::rename(path, path.with_file_name("other")).unwrap()),
        ("replaced", |path| {
            let copy = path.with_file_name("copy");
            std::fs::copy(path, &copy).unwrap();
            std::fs::rename(copy, path).unwrap();
        }),
    ];
    for (name, change) in changes {
        let folder = folder();
        let mut store = with_entries(&file(&folder), 5);
        change(&file(&folder));
        let result = store.append(&[row(6, 1)], &[], None);
        assert!(matches!(result, Err(StoreError::Gone { .. })), "{name}: {result:?}");
    }
}

/// Sets the length of a file of the record. `end` is added to the path.
fn truncate(path: &Path, end: &str, length: u64) {
    let path = PathBuf::from(format!("{}{end}", path.display()));
    std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

#[test]
fn an_append_to_a_file_that_was_truncated_fails() {
    for (end, length) in [("", 0), ("", 4096), ("-wal", 0), ("-wal", 32), ("-wal", 4096)] {
        let folder = folder();
        let path = file(&folder);
        let mut store = with_entries(&path, 5);
        if end.is_empty() {
            store.readable().unwrap().empty_log().unwrap();
        }
        truncate(&path, end, length);
        let result = store.append(&[row(6, 1)], &[], None);
        let Err(error @ StoreError::Truncated { .. }) = result else {
            panic!("{end} {length}: {result:?}")
        };
        assert!(error.to_string().contains(&format!("{end} has {length} bytes")), "{error}");
        // An append that is made again does not take the rest of the file for the record.
        let result = store.append(&[row(6, 1)], &[], None);
        assert!(matches!(result, Err(StoreError::Truncated { .. })), "{end} {length}: {result:?}");
    }
}

/// A file that is replaced after an error has closed it is not taken for the record either.
#[test]
fn a_file_that_was_replaced_while_it_was_closed_is_not_written() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 5);
    store.close();
    let other = folder.path().join("other");
    std::fs::copy(file(&folder), &other).unwrap();
    std::fs::rename(&other, file(&folder)).unwrap();
    let result = store.append(&[row(6, 1)], &[], None);
    assert!(matches!(result, Err(StoreError::Gone { .. })), "{result:?}");
}

/// If a reader keeps the log from being truncated after all of it was copied into the database,
/// SQLite writes the next transaction to the beginning of the log.
#[test]
fn a_log_that_is_written_from_its_beginning_counts_as_unchanged() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 5);
    let large = |number| NewRow { input: "x".repeat(900_000), ..row(number, 1) };
    let reads = crate::record::store::connection::connect(store.path(), None).unwrap();
    reads.execute_batch("BEGIN; SELECT count(*) FROM entries;").unwrap();
    store.append(&[large(6), large(7)], &[], None).unwrap();
    reads.execute_batch("COMMIT; BEGIN; SELECT count(*) FROM entries;").unwrap();
    let log = folder.path().join("record.sqlite3-wal");
    let before = std::fs::read(&log).unwrap();
    assert!(!store.readable().unwrap().empty_log().unwrap(), "the reader prevents it");
    reads.execute_batch("COMMIT").unwrap();
    store.append(&[row(8, 1)], &[], None).unwrap();
    let after = std::fs::read(&log).unwrap();
    assert_eq!(after.len(), before.len());
    assert_ne!(after[12..16], before[12..16], "the log was not begun again");
    assert_eq!(current_rows(&mut store).len(), 8);
}
