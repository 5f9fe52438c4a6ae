//! Tests of [`Reader`], with which the history is read, and of the detection of rows that are not
//! as they were written.

use super::readable::Readable;
use super::*;
use crate::record::store::{MAX_PAGE_BYTES, Reader, StoreError};
use rusqlite::Connection;

/// Changes the file with a connection other than that of the store.
fn tamper(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    connection.execute_batch(sql).unwrap();
}

fn corrupt_entry(store: &mut Store, what: &str) -> Option<u64> {
    match store.current() {
        Err(StoreError::Corrupt { entry, .. }) => entry,
        other => panic!("{what}: {:?} is not damage", other.map(|_| "a whole game")),
    }
}

#[test]
fn pages_have_a_limited_number_of_rows_and_bytes() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 1000);
    let mut long = row(1001, 1);
    long.input = "x".repeat(120_000);
    store.append(&[long, row(1002, 1)], &[], None).unwrap();
    let reader = Reader::open(store.path()).unwrap();

    let (mut read, mut next) = (Vec::new(), 0);
    loop {
        let page = reader.entries(0, next, 10_000).unwrap();
        let Some(last) = page.last() else { break };
        next = last.row.number + 1;
        let bytes: usize = page.iter().map(|row| row.row.input.len() + row.row.state.len()).sum();
        assert!(page.len() <= 200 && (bytes <= MAX_PAGE_BYTES || page.len() == 1));
        read.extend(page.into_iter().map(|row| row.row));
    }
    assert_eq!(read.len(), 1002);
    assert_eq!(read[..1000], rows(1..1001, 1));
    assert_eq!(reader.entries(1, 999, 2).unwrap().len(), 2);
    assert_eq!(reader.entries(1, 1, 0).unwrap(), []);
    assert_eq!(reader.entries(2, 1, 10).unwrap(), []);
    assert_eq!(reader.entries(1, u64::MAX, 10).unwrap(), []);
}

#[test]
fn games_are_listed_newest_first_and_read_while_they_are_written() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 3);
    let reader = Reader::open(store.path()).unwrap();
    for game in 2..=130 {
        store.append(&[row(game + 2, game)], &[begin(game, game + 2)], None).unwrap();
    }
    let numbers = |before, count| -> Vec<u64> {
        reader.games(before, count).unwrap().iter().map(|game| game.game).collect()
    };
    assert_eq!(numbers(0, 3), [130, 129, 128]);
    assert_eq!(numbers(129, 1), [128]);
    assert_eq!(numbers(0, 1000).len(), 100);
    assert_eq!(numbers(2, 10), [1]);
    assert_eq!(numbers(1, 10), [0_u64; 0]);
    assert_eq!(reader.game(0).unwrap().unwrap().game, 130);
    assert_eq!(reader.game(1).unwrap().unwrap().entries, 3);
    assert_eq!(reader.game(1).unwrap().unwrap().started_wall_ns, None);
    assert_eq!(reader.game(2).unwrap().unwrap().started_wall_ns, Some(-5));
    assert!(reader.game(131).unwrap().is_none());
}

/// Changes one column of one entry at a time.
#[test]
fn a_changed_column_of_any_entry_is_found() {
    let columns = [
        ("game", "0"),
        ("at_ns", "at_ns + 1"),
        ("raw_ns", "raw_ns - 1"),
        ("wall_ns", "coalesce(wall_ns, 0) + 1"),
        ("kind", "'call'"),
        ("input", "input || ' '"),
        ("events", "'[]'"),
        ("command", "coalesce(command || ' ', '')"),
        ("state", "replace(state, 'a', 'b')"),
        ("chain", "zeroblob(32)"),
        ("boot", "9"),
    ];
    for (column, value) in columns {
        for number in [1, 30, 59] {
            let folder = folder();
            let mut store = with_entries(&file(&folder), 60);
            // The connection is closed, so that `tamper` can open the file. Both a read and an
            // opening of the record must find the change.
            store.connected = None;
            tamper(
                store.path(),
                &format!("UPDATE entries SET {column} = {value} WHERE number = {number}"),
            );
            assert_eq!(corrupt_entry(&mut store, column), Some(number), "{column}");
            drop(store);
            let opened = Store::open(&file(&folder), None).unwrap();
            let moved = opened.moved_aside.unwrap();
            let readable = Readable::of_file(&moved.to, None);
            assert_eq!(readable.game.unwrap().game, 1);
            let before: Vec<NewRow> = readable.rows.into_iter().map(|row| row.row).collect();
            assert_eq!(before, rows(1..number, 1), "{column}");
            assert!(readable.damage.unwrap().is_damage());
        }
    }
}

#[test]
fn a_missing_a_repeated_and_a_foreign_entry_are_found() {
    for (sql, entry) in [
        ("DELETE FROM entries WHERE number = 20", Some(20)),
        ("DELETE FROM entries WHERE number = 1", Some(1)),
        ("DELETE FROM entries WHERE number > 40", Some(41)),
        ("DELETE FROM entries", None),
        ("UPDATE entries SET number = 70 WHERE number = 60", Some(60)),
        (
            "INSERT INTO entries SELECT 61, game, boot, at_ns, raw_ns, wall_ns, kind, input, events,
             command, state, chain FROM entries WHERE number = 60",
            Some(61),
        ),
        ("UPDATE boots SET boot_id = 'other' WHERE id = 2", Some(50)),
        ("DELETE FROM boots WHERE id = 2", Some(50)),
        ("UPDATE games SET info = '{}'", None),
        ("UPDATE games SET ended = 'won'", None),
        ("UPDATE games SET chain_before = zeroblob(31)", None),
        ("DELETE FROM games", None),
        ("UPDATE checkpoint SET at_ns = at_ns + 1", None),
    ] {
        let folder = folder();
        let mut store = with_entries(&file(&folder), 60);
        store.checkpoint(&checkpoint(60)).unwrap();
        store.connected = None;
        tamper(store.path(), sql);
        assert_eq!(corrupt_entry(&mut store, sql), entry, "{sql}");
    }
}

#[test]
fn damage_in_an_older_game_is_found_when_it_is_read_and_does_not_stop_the_present_one() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 10);
    store.append(&rows(11..13, 2), &[begin(2, 11)], None).unwrap();
    drop(store);
    tamper(&file(&folder), "UPDATE entries SET input = '' WHERE number = 5");
    let mut store = open(&file(&folder));
    store.append(&rows(13..14, 2), &[], None).unwrap();
    let reader = Reader::open(store.path()).unwrap();
    assert_eq!(reader.entries(1, 1, 4).unwrap().len(), 4);
    let error = reader.entries(1, 5, 1).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { entry: Some(5), .. }), "{error}");
    assert_eq!(reader.entries(1, 6, 5).unwrap().len(), 5);
}

/// Deletes rows as a damaged page does that seems to be empty.
#[test]
fn a_game_without_its_last_or_first_entries_and_a_list_without_a_game_are_damage() {
    type Read = fn(&Reader) -> Result<(), StoreError>;
    let list: Read = |reader| reader.games(0, 10).map(drop);
    let game_1: Read = |reader| reader.game(1).map(drop);
    let entries_1: Read = |reader| reader.entries(1, 1, 200).map(drop);
    let game_2: Read = |reader| reader.game(2).map(drop);
    let entries_2: Read = |reader| reader.entries(2, 1, 200).map(drop);
    for (sql, reads) in [
        ("DELETE FROM entries WHERE number BETWEEN 8 AND 10", [list, game_1, entries_1]),
        ("DELETE FROM entries WHERE number BETWEEN 1 AND 3", [list, game_1, entries_1]),
        ("DELETE FROM entries WHERE number BETWEEN 1 AND 10", [list, game_1, entries_1]),
        ("DELETE FROM entries WHERE number BETWEEN 16 AND 20", [list, game_2, entries_2]),
        ("DELETE FROM games WHERE id = 1", [list, game_1, entries_1]),
        ("DELETE FROM games WHERE id = 2", [list, game_2, entries_2]),
        ("DELETE FROM games WHERE id < 3", [list, game_1, entries_2]),
        ("DELETE FROM games WHERE id = 3", [list, list, list]),
    ] {
        let folder = folder();
        let mut store = with_entries(&file(&folder), 10);
        store.append(&rows(11..21, 2), &[begin(2, 11)], None).unwrap();
        store.append(&rows(21..31, 3), &[begin(3, 21)], None).unwrap();
        drop(store);
        let reader = Reader::open(&file(&folder)).unwrap();
        for read in reads {
            read(&reader).unwrap();
        }
        drop(reader);
        tamper(&file(&folder), sql);
        let reader = Reader::open(&file(&folder)).unwrap();
        for (number, read) in reads.into_iter().enumerate() {
            let error = read(&reader).expect_err(sql);
            assert!(error.is_damage(), "{sql}, read {number}: {error}");
        }
    }
}

/// A game in the middle that was deleted, as `Store::retain` does, is no damage.
#[test]
fn games_around_a_deleted_one_are_whole() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 10);
    let adjourned = GameChange::Adjourned { game: 1, adjourned: true };
    store.append(&[], &[adjourned], None).unwrap();
    for game in 2..5 {
        let first = game * 10 - 9;
        let ended = GameChange::Ended { game, ended: Some(crate::game::Ended::Result) };
        store.append(&rows(first..first + 10, game), &[begin(game, first), ended], None).unwrap();
    }
    assert_eq!(store.retain(3).unwrap(), crate::record::store::Retained::Deleted(2));
    let reader = Reader::open(&file(&folder)).unwrap();
    let games: Vec<_> =
        reader.games(0, 10).unwrap().iter().map(|game| (game.game, game.entries)).collect();
    assert_eq!(games, [(4, 10), (3, 10), (1, 10)]);
    assert!(reader.game(2).unwrap().is_none());
}

/// Damage to an old game must not keep the file growing.
#[test]
fn a_game_whose_first_or_last_entries_are_missing_is_deleted() {
    use crate::record::store::Retained;
    for missing in ["1 AND 3", "8 AND 10", "1 AND 10", "11 AND 13", "18 AND 20", "8 AND 13"] {
        let folder = folder();
        let ended = |game| GameChange::Ended { game, ended: Some(crate::game::Ended::Result) };
        let adjourned = GameChange::Adjourned { game: 3, adjourned: true };
        let mut store = with_entries(&file(&folder), 10);
        store.append(&rows(11..21, 2), &[ended(1), begin(2, 11), ended(2)], None).unwrap();
        store.append(&rows(21..31, 3), &[begin(3, 21), ended(3), adjourned], None).unwrap();
        store.append(&rows(31..41, 4), &[begin(4, 31), ended(4)], None).unwrap();
        drop(store);
        tamper(&file(&folder), &format!("DELETE FROM entries WHERE number BETWEEN {missing}"));
        let mut store = open(&file(&folder));
        let deleted: Vec<_> = (0..3).map(|_| store.retain(0).unwrap()).collect();
        let expected = [Retained::Deleted(1), Retained::Deleted(2), Retained::Nothing];
        assert_eq!(deleted, expected, "{missing}");
        let reader = Reader::open(&file(&folder)).unwrap();
        let numbers: Vec<u64> = reader.games(0, 10).unwrap().iter().map(|game| game.game).collect();
        assert_eq!(numbers, [4, 3], "the adjourned game and the latest one stay");
        assert_eq!(reader.entries(3, 1, 200).unwrap().len(), 10);
    }
}
