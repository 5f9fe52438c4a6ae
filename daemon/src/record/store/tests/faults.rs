//! Tests of the record on a disk that fails. A workload is run many times; in each run another
//! operation on the disk fails, such as a write, a sync or a read.
//!
//! `CLOCK_FAULT_STRIDE=1 cargo test -p clockd store::tests::faults` makes every single operation on
//! the disk fail, each in a run of its own. By default, only every twelfth write, every twelfth
//! read and every twelfth lock fails, but still every operation of another kind.

use super::workload::{Contents, StoreCall, calls, carry_out};
use super::*;
use crate::record::store::{Reader, StoreError};
use rusqlite::ffi;
use std::time::Duration;
use storage_faults::{Action, Fault, FaultyDisk, Kind};

/// The faults. Each kind of operation fails with the error codes that SQLite has for it. A write
/// can also be short or slow.
const FAULTS: [(Kind, Action); 11] = [
    (Kind::Write, Action::Fail(ffi::SQLITE_IOERR_WRITE)),
    (Kind::Write, Action::Fail(ffi::SQLITE_FULL)),
    (Kind::Write, Action::ShortWrite(ffi::SQLITE_FULL)),
    (Kind::Sync, Action::Fail(ffi::SQLITE_IOERR_FSYNC)),
    (Kind::Open, Action::Fail(ffi::SQLITE_CANTOPEN)),
    (Kind::Read, Action::Fail(ffi::SQLITE_IOERR_READ)),
    (Kind::Truncate, Action::Fail(ffi::SQLITE_IOERR_TRUNCATE)),
    (Kind::Delete, Action::Fail(ffi::SQLITE_IOERR_DELETE)),
    (Kind::Lock, Action::Fail(ffi::SQLITE_IOERR_LOCK)),
    (Kind::Lock, Action::Fail(ffi::SQLITE_BUSY)),
    (Kind::Write, Action::Delay(Duration::from_millis(1))),
];

/// The result of a run with one fault: whether the fault occurred, and how many calls failed.
#[derive(Default)]
struct Outcome {
    met: bool,
    errors: usize,
}

/// Runs the workload with one fault. If a call fails, the fault is removed, and the call is made
/// again, as the recorder does it. Then the other calls follow. Asserts that the record then has
/// exactly what the calls wrote.
fn run(calls: &[StoreCall], fault: Fault) -> Outcome {
    let folder = folder();
    let disk = FaultyDisk::new();
    let what = format!("{fault:?}");
    disk.fail(fault);
    let mut outcome = Outcome::default();
    let mut store = None;
    let mut expected = Contents::default();
    for (index, call) in calls.iter().enumerate() {
        if let Err(error) = carry_out(&mut store, call, &file(&folder), &disk) {
            assert!(error.may_pass(), "{what}, call {index}: {error}");
            outcome.errors += 1;
            check_meanwhile(&mut store, &expected, call, &what);
            outcome.met |= disk.faults_met() > 0;
            disk.heal();
            carry_out(&mut store, call, &file(&folder), &disk)
                .unwrap_or_else(|error| panic!("{what}, call {index} again: {error}"));
        }
        expected.apply(call);
    }
    outcome.met |= disk.faults_met() > 0;
    disk.heal();
    let mut store = match store {
        Some(store) => store,
        None => panic!("{what}: the record was never opened"),
    };
    assert_eq_contents(&Contents::read(&mut store, Some(disk.name())).unwrap(), &expected, &what);
    drop(store);
    assert_eq_contents(&Contents::read(&mut open(&file(&folder)), None).unwrap(), &expected, &what);
    outcome
}

/// Checks a read while the disk fails. If the read fails, its error must be one that may pass. If
/// it succeeds, its last entry must be that of the record without the failed `call`, or that of the
/// record with it: the call may have reached the disk.
fn check_meanwhile(store: &mut Option<Store>, expected: &Contents, call: &StoreCall, what: &str) {
    let Some(store) = store else { return };
    let mut carried_out = expected.clone();
    carried_out.apply(call);
    match store.current() {
        Ok(current) => {
            let last = current.map(|current| current.last_entry);
            let allowed = [expected, &carried_out].map(|contents| contents.rows.last());
            assert!(
                allowed.iter().any(|row| row.map(|row| row.number) == last),
                "{what}: the last entry is {last:?}"
            );
        }
        Err(error) => assert!(error.may_pass(), "{what}: {error}"),
    }
}

fn assert_eq_contents(found: &Contents, expected: &Contents, what: &str) {
    let numbers =
        |contents: &Contents| -> Vec<u64> { contents.rows.iter().map(|row| row.number).collect() };
    assert_eq!(numbers(found), numbers(expected), "{what}");
    assert!(found == expected, "{what}: the contents differ");
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn nothing_is_lost_or_doubled_by_a_disk_that_fails() {
    let calls = calls(17);
    let stride = setting("CLOCK_FAULT_STRIDE", 12);
    let (mut runs, mut errors) = (0, 0);
    for (kind, action) in FAULTS {
        for lasting in [false, true] {
            // A lock that stays busy is left out: SQLite repeats the attempt for ten seconds, and
            // in the service no other process can hold a lock. A lasting delay is left out, too.
            if lasting && matches!(action, Action::Fail(ffi::SQLITE_BUSY) | Action::Delay(_)) {
                continue;
            }
            let stride =
                if matches!(kind, Kind::Write | Kind::Read | Kind::Lock) { stride } else { 1 };
            let mut met = 0;
            for after in (0..).step_by(stride) {
                let outcome = run(&calls, Fault { kind, after, action, lasting });
                if !outcome.met {
                    break;
                }
                met += 1;
                errors += outcome.errors;
                runs += 1;
            }
            assert!(met > 0, "no {kind:?} failed");
        }
    }
    println!("{runs} faults, {errors} errors were reported");
    assert!(errors > runs / 3);
}

/// SQLite's `quick_check` reports a page that it could not read as damage. The store opens the file
/// a second time, so a read that fails once is not taken for damage.
#[test]
fn a_read_that_fails_once_while_the_record_is_opened_is_not_taken_for_damage() {
    let folder = folder();
    let sound = FaultyDisk::new();
    let mut store = None;
    for call in &calls(17) {
        carry_out(&mut store, call, &file(&folder), &sound).unwrap();
    }
    drop(store);
    for after in 0.. {
        let disk = FaultyDisk::new();
        let action = Action::Fail(ffi::SQLITE_IOERR_READ);
        disk.fail(Fault { kind: Kind::Read, after, action, lasting: false });
        match Store::open(&file(&folder), Some(disk.name())) {
            Ok(opened) => {
                assert!(opened.moved_aside.is_none(), "read {after}: {:?}", opened.moved_aside)
            }
            Err(error) => assert!(error.may_pass(), "read {after}: {error}"),
        }
        if disk.faults_met() == 0 {
            assert!(after > 20, "only {after} reads");
            break;
        }
    }
}

#[test]
fn a_disk_that_is_full_when_the_record_is_opened_can_still_be_read() {
    let folder = folder();
    let disk = FaultyDisk::new();
    let mut store = Store::open(&file(&folder), Some(disk.name())).unwrap().store;
    store.append(&rows(1..6, 1), &[begin(1, 1)], None).unwrap();
    drop(store);
    for kind in [Kind::Write, Kind::Sync, Kind::Truncate] {
        disk.fail(Fault { kind, after: 0, action: Action::Fail(ffi::SQLITE_FULL), lasting: true });
    }
    let Opened { mut store, moved_aside, .. } =
        Store::open(&file(&folder), Some(disk.name())).unwrap();
    assert!(moved_aside.is_none());
    assert_eq!(current_rows(&mut store), rows(1..6, 1));
    let error = store.append(&[row(6, 1)], &[], None).unwrap_err();
    assert!(error.may_pass(), "{error}");
    disk.heal();
    store.append(&[row(6, 1)], &[], None).unwrap();
    assert_eq!(current_rows(&mut store), rows(1..7, 1));
}

#[test]
fn an_append_that_hangs_in_a_sync_keeps_no_reader_waiting() {
    let folder = folder();
    let disk = FaultyDisk::new();
    let mut store = Store::open(&file(&folder), Some(disk.name())).unwrap().store;
    store.append(&rows(1..6, 1), &[begin(1, 1)], None).unwrap();
    let reader = Reader::open_with(store.path(), Some(disk.name())).unwrap();
    disk.fail(Fault { kind: Kind::Sync, after: 0, action: Action::Hold, lasting: false });
    std::thread::scope(|scope| {
        let append = scope.spawn(|| store.append(&[row(6, 1)], &[], None));
        while disk.held() == 0 {
            assert!(!append.is_finished(), "it was not synced");
            std::thread::yield_now();
        }
        assert_eq!(reader.entries(0, 1, 10).unwrap().len(), 5);
        assert!(!append.is_finished());
        disk.heal();
        append.join().unwrap().unwrap();
    });
    assert_eq!(reader.entries(0, 1, 10).unwrap().len(), 6);
}

#[test]
fn a_reader_that_stays_does_not_let_the_log_grow_without_limit() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 1);
    let stays = crate::record::store::connection::connect(store.path(), None).unwrap();
    stays.execute_batch("BEGIN; SELECT count(*) FROM entries;").unwrap();
    let mut large = row(2, 1);
    large.input = "x".repeat(150_000);
    let mut refused = None;
    for number in 2..200 {
        let row = NewRow { number, ..large.clone() };
        if let Err(error) = store.append(std::slice::from_ref(&row), &[], None) {
            refused = Some((row, error));
            break;
        }
    }
    let (row, error) = refused.expect("the log has a limit");
    assert!(matches!(&error, StoreError::Sqlite { .. }) && error.may_pass(), "{error}");
    assert!(store.bytes() < 40_000_000);
    stays.execute_batch("COMMIT").unwrap();
    store.append(std::slice::from_ref(&row), &[], None).unwrap();
    assert_eq!(store.current().unwrap().unwrap().last_entry, row.number);
}

/// The file is truncated while a checkpoint syncs the pages that it has written to the file.
#[test]
fn a_database_that_is_truncated_during_a_checkpoint_is_noticed() {
    let folder = folder();
    let disk = FaultyDisk::new();
    let mut store = Store::open(&file(&folder), Some(disk.name())).unwrap().store;
    store.append(&rows(1..6, 1), &[begin(1, 1)], None).unwrap();
    // The first sync of a checkpoint is that of the log. So the second one, which is held, is that
    // of the database.
    disk.fail(Fault { kind: Kind::Sync, after: 1, action: Action::Hold, lasting: false });
    let path = file(&folder);
    std::thread::scope(|scope| {
        let checkpoint = scope.spawn(|| store.readable().unwrap().empty_log());
        while disk.held() == 0 {
            assert!(!checkpoint.is_finished(), "it was not synced");
            std::thread::yield_now();
        }
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(8192).unwrap();
        disk.heal();
        let result = checkpoint.join().unwrap();
        assert!(matches!(result, Err(StoreError::Truncated { .. })), "{result:?}");
    });
}

/// The append after which the log is emptied fails, and so does every later append: the present
/// length of the database is not taken for the right one.
#[test]
fn an_append_fails_if_the_database_is_truncated_while_the_log_is_emptied_after_it() {
    // The database is truncated to fewer or more bytes than it had before the checkpoint.
    for is_longer in [false, true] {
        let folder = folder();
        let disk = FaultyDisk::new();
        let mut store = Store::open(&file(&folder), Some(disk.name())).unwrap().store;
        let before = store.path().metadata().unwrap().len();
        let length = if is_longer { before + 4096 } else { 4096 };
        store.append(&rows(1..60, 1), &[begin(1, 1)], None).unwrap();
        store.readable().unwrap().log_limit = 0;
        // Two syncs of the log come first: that of the commit, and the first one of the checkpoint.
        // So the third sync, which is held, is that of the database.
        disk.fail(Fault { kind: Kind::Sync, after: 2, action: Action::Hold, lasting: false });
        let path = file(&folder);
        std::thread::scope(|scope| {
            let append = scope.spawn(|| store.append(&[row(60, 1)], &[], None));
            while disk.held() == 0 {
                assert!(!append.is_finished(), "it was not synced");
                std::thread::yield_now();
            }
            let written = path.metadata().unwrap().len();
            assert!(
                length < written && (before < length) == is_longer,
                "{before} {length} {written}"
            );
            std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
            disk.heal();
            let result = append.join().unwrap();
            assert!(matches!(result, Err(StoreError::Truncated { .. })), "{length}: {result:?}");
        });
        let result = store.append(&[row(61, 1)], &[], None);
        assert!(matches!(result, Err(StoreError::Truncated { .. })), "{length}: {result:?}");
    }
}

/// The lengths of the files are known after every checkpoint, also if a lock fails meanwhile.
#[test]
fn a_lock_that_fails_while_the_log_is_emptied_is_not_taken_for_a_truncation() {
    let mut faults_met = 0;
    for after in 0..40 {
        let folder = folder();
        let disk = FaultyDisk::new();
        let mut store = Store::open(&file(&folder), Some(disk.name())).unwrap().store;
        store.append(&rows(1..60, 1), &[begin(1, 1)], None).unwrap();
        store.readable().unwrap().log_limit = 0;
        let action = Action::Fail(ffi::SQLITE_IOERR_LOCK);
        disk.fail(Fault { kind: Kind::Lock, after, action, lasting: false });
        for _ in 0..3 {
            let result = store.append(&[row(60, 1)], &[], None);
            let is_truncated = matches!(result, Err(StoreError::Truncated { .. }));
            assert!(!is_truncated, "{after}: {result:?}");
        }
        faults_met += disk.faults_met();
    }
    assert!(faults_met > 5, "{faults_met}");
}
