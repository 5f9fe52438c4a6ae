//! Tests of the order of the reads, without a thread: the test makes one read after the other.

use super::*;
use crate::game::{Entries, EntryLine, FakeRecord, Game, Row};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What was read, in the order in which it was read.
type Read = Arc<Mutex<Vec<String>>>;

fn note(read: &Read, what: &str) {
    read.lock().unwrap().push(what.to_owned());
}

fn the_game() -> Game {
    Game {
        game: 1,
        id: 1,
        first_entry: 1,
        entries: 600,
        started_wall_ns: None,
        info: String::new(),
        ended: None,
        adjourned: false,
        chain_before: [0; 32],
        damage: None,
    }
}

fn row(number: u64) -> Row {
    let text = String::new;
    let (wall_ns, command) = (None, None);
    let (boot, kind, input, events, state) = (text(), text(), text(), text(), text());
    let (at_ns, raw_ns) = (number, number);
    let row = EntryLine {
        number,
        boot,
        at_ns,
        raw_ns,
        wall_ns,
        kind,
        input,
        events,
        command,
        state,
        game: None,
    };
    Row { game: 1, row, chain: [0; 32] }
}

/// A record with one game of 600 entries, which is three pages. It notes what is read, and calls
/// `at_page` after each page.
fn paged(read: &Read, mut at_page: impl FnMut(u64) + Send + 'static) -> FakeRecord {
    let read = Arc::clone(read);
    let entries = move |first: u64, count: usize| -> Vec<Row> {
        note(&read, &format!("entries from {first}"));
        at_page(first);
        (first..=600).take(count).map(row).collect()
    };
    FakeRecord { entries: Box::new(entries), ..FakeRecord::default() }
}

/// A read that only notes its name.
fn short(read: &Read, name: &'static str) -> Job {
    let read = Arc::clone(read);
    Box::new(move |_: &mut dyn ReadRecord, _: &ReadQueue| note(&read, name))
}

/// A read of all entries.
fn long(read: &Read, reader: ReadFor) -> Job {
    let read = Arc::clone(read);
    Box::new(move |record: &mut dyn ReadRecord, queue: &ReadQueue| {
        let mut between = Between { queue, reader, is_given_up: &|| false };
        let mut entries = Entries::of(record, &mut between, &the_game());
        let count = entries.by_ref().count();
        entries.end().unwrap();
        note(&read, &format!("all {count}"));
    })
}

/// Makes this number of reads.
fn make(queue: &ReadQueue, record: &mut dyn ReadRecord, reads: usize) {
    for _ in 0..reads {
        queue.next().unwrap()(record, queue);
    }
}

#[test]
fn a_command_is_read_before_all_others_and_between_two_pages_of_one_that_has_begun() {
    let (queue, read) = (Arc::new(ReadQueue::default()), Read::default());
    let (adds, log) = (Arc::clone(&queue), Arc::clone(&read));
    let at_page = move |first| {
        if first == 201 {
            adds.push(ReadFor::Arbiter, short(&log, "command 2")).unwrap();
            adds.push(ReadFor::Arbiter, short(&log, "command 3")).unwrap();
        }
    };
    let mut record = paged(&read, at_page);
    let user = ReadFor::User(Some(65_534));
    queue.push(user, long(&read, user)).unwrap();
    queue.push(user, short(&read, "another user's")).unwrap();
    queue.push(ReadFor::Arbiter, short(&read, "command 1")).unwrap();
    make(&queue, &mut record, 3);
    let expected = [
        "command 1",
        "entries from 1",
        "entries from 201",
        "command 2",
        "command 3",
        "entries from 401",
        "entries from 601",
        "all 600",
        "another user's",
    ];
    assert_eq!(*read.lock().unwrap(), expected);
}

#[test]
fn commands_are_read_in_the_order_of_their_arrival() {
    let (queue, read) = (Arc::new(ReadQueue::default()), Read::default());
    let (adds, log) = (Arc::clone(&queue), Arc::clone(&read));
    let at_page = move |first| {
        if first == 1 {
            adds.push(ReadFor::Arbiter, short(&log, "the next command")).unwrap();
        }
    };
    let mut record = paged(&read, at_page);
    queue.push(ReadFor::Arbiter, long(&read, ReadFor::Arbiter)).unwrap();
    make(&queue, &mut record, 2);
    assert_eq!(read.lock().unwrap()[4..], ["all 600", "the next command"]);
}

#[test]
fn a_long_read_ends_between_two_pages_when_its_caller_has_given_up() {
    let read = Read::default();
    let mut record = paged(&read, |_| {});
    for reader in [ReadFor::Arbiter, ReadFor::User(None)] {
        let pages = Rc::new(Cell::new(0));
        let counted = Rc::clone(&pages);
        let is_given_up = move || {
            counted.set(counted.get() + 1);
            counted.get() > 2
        };
        let queue = ReadQueue::default();
        let mut between = Between { queue: &queue, reader, is_given_up: &is_given_up };
        let mut entries = Entries::of(&mut record, &mut between, &the_game());
        assert_eq!(entries.by_ref().count(), 400, "two of three pages");
        assert!(matches!(entries.end(), Err(ReadError::GivenUp)));
        assert_eq!(std::mem::take(&mut *read.lock().unwrap()).len(), 2);
        assert_eq!(pages.get(), 3);
    }
}

#[test]
fn a_user_fills_neither_the_places_of_other_users_nor_those_of_the_arbiters() {
    let (queue, read) = (ReadQueue::default(), Read::default());
    let push = |reader| queue.push(reader, short(&read, "read"));
    let (flooding, other) = (ReadFor::User(Some(65_534)), ReadFor::User(Some(1_000)));
    assert!((0..OF_USER).all(|_| push(flooding).is_ok()));
    assert_eq!(push(flooding), Err(NoPlace::FullOfUser));
    assert!((0..OF_ALL - OF_USER).all(|_| push(other).is_ok()));
    assert_eq!(push(ReadFor::User(None)), Err(NoPlace::Full));
    assert!((0..OF_ARBITERS).all(|_| push(ReadFor::Arbiter).is_ok()));
    assert_eq!(push(ReadFor::Arbiter), Err(NoPlace::Full));
    // A read that is made leaves its place.
    let mut record = paged(&read, |_| {});
    make(&queue, &mut record, OF_ARBITERS + 1);
    assert!(push(ReadFor::Arbiter).is_ok() && push(flooding).is_ok());
    queue.close();
    assert_eq!(push(ReadFor::Arbiter), Err(NoPlace::Ended));
    assert!(queue.next().is_none());
}
