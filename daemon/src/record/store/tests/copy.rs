//! Tests of the copy for a backup, and of a backup that takes the place of the record.

use super::*;
use crate::record::store::copy::keep;
use crate::record::store::{Access, Check, Copy, CopyFacts, Reader, StoreError};
use clock_controls::is_locked;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// The bytes of a copy of the record.
fn copied(path: &Path) -> (Vec<u8>, CopyFacts) {
    let mut copy = Copy::of_record(path).unwrap().expect("there is a record");
    let (facts, mut bytes) = (copy.facts, Vec::new());
    copy.reader().unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, facts.bytes);
    (bytes, facts)
}

/// The error of a backup that is refused.
fn refused(path: &Path, bytes: &[u8]) -> StoreError {
    let Err(error) = Copy::of_backup(path, &mut &*bytes, bytes.len() as u64) else {
        panic!("the backup is accepted");
    };
    error
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The number of entries in a copy.
fn entries(copy: &mut Copy) -> usize {
    let folder = folder();
    let mut bytes = Vec::new();
    copy.reader().unwrap().read_to_end(&mut bytes).unwrap();
    fs::write(file(&folder), bytes).unwrap();
    current_rows(&mut open(&file(&folder))).len()
}

/// Waits until a further change of the record would give it another time of its last change.
fn next_tick() {
    thread::sleep(std::time::Duration::from_millis(120));
}

#[test]
fn what_is_written_between_the_two_files_is_in_the_copy_or_the_copy_is_not_used() {
    let folder = folder();
    let path = file(&folder);
    let mut store = with_entries(&path, 30);
    let empty_log = |store: &mut Store| assert!(store.readable().unwrap().empty_log().unwrap());
    let append = |store: &mut Store, numbers| store.append(&rows(numbers, 1), &[], None).unwrap();
    // Appended to the log.
    let mut copy = Copy::once(&path, || append(&mut store, 31..41)).unwrap().unwrap();
    assert_eq!(entries(&mut copy), 40);
    drop(copy);
    // The log is emptied after the database was copied, so the copy has only the old pages.
    assert!(Copy::once(&path, || empty_log(&mut store)).unwrap().is_none());
    // The log is empty, then used, and empty again.
    next_tick();
    let both = |store: &mut Store| {
        append(store, 41..51);
        empty_log(store);
    };
    assert!(Copy::once(&path, || both(&mut store)).unwrap().is_none());
    // The log is used, emptied and used again, so that it has as many entries as before.
    append(&mut store, 51..61);
    let again = |store: &mut Store| {
        empty_log(store);
        append(store, 61..71);
    };
    assert!(Copy::once(&path, || again(&mut store)).unwrap().is_none());
    // The database has just been changed, so a further change would not be noticed.
    empty_log(&mut store);
    assert!(Copy::once(&path, || {}).unwrap().is_none());
    next_tick();
    assert_eq!(entries(&mut Copy::once(&path, || {}).unwrap().unwrap()), 70);
    assert_eq!(entries(&mut Copy::of_record(&path).unwrap().unwrap()), 70);
}

#[test]
fn copies_that_are_made_while_the_record_is_written_have_all_that_was_acknowledged() {
    let folder = folder();
    let path = file(&folder);
    let mut store = with_entries(&path, 1);
    let (acknowledged, ends) = (AtomicU64::new(1), AtomicBool::new(false));
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for number in 2.. {
                store.append(&rows(number..number + 1, 1), &[], None).unwrap();
                acknowledged.store(number, Ordering::SeqCst);
                // This game has hundreds of entries a second; a real one has a few.
                thread::sleep(std::time::Duration::from_millis(2));
                if ends.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        for _ in 0..20 {
            let before = acknowledged.load(Ordering::SeqCst);
            let mut copy = Copy::of_record(&path).unwrap().expect("there is a record");
            assert!(entries(&mut copy) as u64 >= before, "entry {before} was acknowledged");
        }
        ends.store(true, Ordering::SeqCst);
        writer.join().unwrap();
    });
    assert_eq!(names(&folder), ["record.sqlite3", "record.sqlite3-wal"]);
}

#[test]
fn the_log_is_part_of_the_copy_and_the_record_stays_as_it_was() {
    let folder = folder();
    let path = file(&folder);
    let mut store = with_entries(&path, 30);
    let log = path.with_extension("sqlite3-wal");
    let before = (fs::read(&path).unwrap(), fs::read(&log).unwrap());
    assert!(before.1.len() > 4096, "the entries are in the log");
    let (bytes, facts) = copied(&path);
    assert_eq!((facts.version, facts.games), (1, 1));
    assert_eq!((fs::read(&path).unwrap(), fs::read(&log).unwrap()), before);
    store.append(&rows(31..32, 1), &[], None).unwrap();
    let to = folder.path().join("copy.sqlite3");
    fs::write(&to, bytes).unwrap();
    assert_eq!(Reader::open(&to).unwrap().entries(1, 1, 200).unwrap().len(), 30);
    drop(store);
    fs::remove_file(&path).unwrap();
    assert!(Copy::of_record(&path).unwrap().is_none(), "there is no record");
}

#[test]
fn a_backup_takes_the_place_of_the_record_which_is_kept() {
    let (folder, of_backup) = (folder(), folder());
    drop(with_entries(&file(&of_backup), 3));
    let (bytes, _) = copied(&file(&of_backup));
    let path = file(&folder);
    for number in 1..3 {
        let store = with_entries_or_open(&path);
        // The service has the record open.
        let copy = Copy::of_backup(&path, &mut &*bytes, bytes.len() as u64).unwrap();
        assert!(matches!(copy.replace(), Err(StoreError::InUse { .. })));
        drop(store);
        let copy = Copy::of_backup(&path, &mut &*bytes, bytes.len() as u64).unwrap();
        let before = copy.replace().unwrap().expect("there was a record");
        assert!(before.ends_with(format!("record.sqlite3.replaced-{number}")), "{before:?}");
        assert_eq!(current_rows(&mut open(&path)), rows(1..4, 1));
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    // The first record is as it was.
    let moved = folder.path().join("record.sqlite3.replaced-1");
    assert_eq!(Reader::open(&moved).unwrap().entries(1, 1, 200).unwrap().len(), 5);
}

/// If the power is cut after the first of the two steps, the service starts with the record that it had.
#[test]
fn the_record_stays_at_its_path_until_a_backup_is_there() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 5));
    let log = folder.path().join("record.sqlite3-wal");
    assert!(log.metadata().unwrap().len() > 0);
    let kept = keep(&path).unwrap();
    assert_eq!(log.metadata().unwrap().len(), 0);
    for path in [&path, &kept] {
        assert_eq!(Reader::open(path).unwrap().entries(1, 1, 200).unwrap().len(), 5, "{path:?}");
    }
    // A record that SQLite cannot open is kept all the same, under another name.
    fs::write(&path, "no record").unwrap();
    let kept = keep(&path).unwrap();
    assert!(kept.ends_with("record.sqlite3.replaced-2") && !path.exists(), "{kept:?}");
    assert_eq!(fs::read(kept).unwrap(), b"no record");
}

/// Somebody who computes the sums can make any record. One that would take more memory than the service
/// has would keep it from starting.
#[test]
fn a_backup_that_would_fill_the_memory_of_the_service_is_refused() {
    let (folder, of_backup) = (folder(), folder());
    let path = file(&of_backup);
    drop(with_entries(&path, 3));
    let (bytes, _) = copied(&path);
    let said = |change: &str| {
        fs::write(&path, &bytes).unwrap();
        let _ = fs::remove_file(of_backup.path().join("record.sqlite3-wal"));
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(change).unwrap();
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        drop(connection);
        refused(&file(&folder), &fs::read(&path).unwrap()).to_string()
    };
    for (column, bytes) in [
        ("entries SET input", 1_048_577),
        ("entries SET events", 1_048_577),
        ("entries SET command", 1_048_577),
        ("entries SET state", 1_048_577),
        ("entries SET kind", 65),
        ("games SET info", 1_048_577),
        ("games SET ended", 1_048_577),
        ("boots SET boot_id", 65),
        // One that is longer than any row of the record is not read into memory either.
        ("entries SET state", 5 << 20),
    ] {
        let long = said(&format!(
            "UPDATE {column} = printf('%.*c', {bytes}, 'x') WHERE rowid = (SELECT max(rowid) FROM {})",
            column.split(' ').next().unwrap()
        ));
        let words = "1 texts are longer than any that is recorded: 1048576 bytes";
        assert!(long.contains(words), "{column}: {long}");
    }
    for column in ["entries SET chain", "games SET chain_before", "games SET digest"] {
        let long = said(&format!("UPDATE {column} = zeroblob(5242880)"));
        assert!(long.contains("damaged"), "{column}: {long}");
    }
    let many = said(
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 40010)
         INSERT INTO entries SELECT i, game, boot, at_ns, raw_ns, wall_ns, kind, '', '', NULL, '', chain
         FROM n, entries WHERE number = 2",
    );
    assert!(many.contains("a game has more than 40000 entries or 24 MiB of input"), "{many}");
    let inputs = said(
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 36)
         INSERT INTO entries SELECT i, game, boot, at_ns, raw_ns, wall_ns, kind,
           printf('%.*c', 1000000, 'x'), '', NULL, '', chain
         FROM n, entries WHERE number = 2",
    );
    assert!(inputs.contains("a game has more than 40000 entries or 24 MiB of input"), "{inputs}");
    assert_eq!(names(&folder), Vec::<String>::new());
}

/// While a copy exists, its file is locked, and another copy is refused. The file of a process that was killed
/// is replaced.
#[test]
fn two_copies_do_not_take_each_others_file() {
    let folder = folder();
    let path = file(&folder);
    let _store = with_entries(&path, 30);
    let left = folder.path().join("record.sqlite3.backup");
    fs::write(&left, "left").unwrap();
    let of_left = fs::File::open(&left).unwrap();
    let mut first = Copy::of_record(&path).unwrap().unwrap();
    // Another process has opened the left file before, and must not take the new one for it.
    assert!(!is_locked(&of_left, &left));
    let refused = Copy::of_record(&path).err().unwrap().to_string();
    assert!(refused.contains("another backup uses"), "{refused}");
    assert_eq!(entries(&mut first), 30);
    drop(first);
    drop(Copy::of_record(&path).unwrap().unwrap());
    assert_eq!(names(&folder), ["record.sqlite3", "record.sqlite3-wal"]);
}

/// A copy whose file another process has removed and created anew neither takes its place nor is removed.
#[test]
fn a_file_of_another_process_is_neither_renamed_nor_removed() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 5));
    let of_other = folder.path().join("record.sqlite3.backup");
    let copy = Copy::of_record(&path).unwrap().unwrap();
    fs::remove_file(&of_other).unwrap();
    fs::write(&of_other, "of another process").unwrap();
    let why = copy.replace().err().unwrap().to_string();
    assert!(why.contains("another process has removed it"), "{why}");
    assert_eq!(fs::read(&of_other).unwrap(), b"of another process");
    assert_eq!(Reader::open(&path).unwrap().entries(1, 1, 200).unwrap().len(), 5);
}

/// The last step of the exchange fails. The record is at its path as before, whether it was linked or, because
/// it is damaged, renamed.
#[test]
fn a_backup_that_cannot_take_its_place_leaves_the_record_at_its_path() {
    let (folder, of_backup) = (folder(), folder());
    drop(with_entries(&file(&of_backup), 3));
    let (bytes, _) = copied(&file(&of_backup));
    let path = file(&folder);
    drop(with_entries(&path, 5));
    let fails = || {
        let copy = Copy::of_backup(&path, &mut &*bytes, bytes.len() as u64).unwrap();
        fs::remove_file(folder.path().join("record.sqlite3.backup")).unwrap();
        assert!(copy.replace().err().unwrap().to_string().contains("cannot rename"));
    };
    fails();
    assert_eq!(Reader::open(&path).unwrap().entries(1, 1, 200).unwrap().len(), 5);
    // It was linked, so it has never left its path.
    assert!(folder.path().join("record.sqlite3.replaced-1").exists());
    fs::write(&path, "no record").unwrap();
    fs::write(folder.path().join("record.sqlite3-wal"), "its log").unwrap();
    fails();
    assert_eq!(fs::read(&path).unwrap(), b"no record");
    assert_eq!(fs::read(folder.path().join("record.sqlite3-wal")).unwrap(), b"its log");
}

/// SQLite would drop what follows the damage in a log, and would remove the log of an empty database.
#[test]
fn a_damaged_log_is_kept_as_it_is() {
    let folder = folder();
    let path = file(&folder);
    let log = folder.path().join("record.sqlite3-wal");
    let mut store = with_entries(&path, 5);
    for number in 6..20 {
        store.append(&rows(number..number + 1, 1), &[], None).unwrap();
    }
    drop(store);
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let kept = keep(&path).unwrap();
    let kept_log = folder.path().join("record.sqlite3.replaced-1-wal");
    assert_eq!(fs::read(&kept_log).unwrap(), bytes);
    assert!(kept.exists() && !path.exists() && !log.exists());

    fs::write(&path, "").unwrap();
    fs::write(&log, &bytes).unwrap();
    keep(&path).unwrap();
    let kept_log = folder.path().join("record.sqlite3.replaced-2-wal");
    assert_eq!(fs::read(kept_log).unwrap(), bytes);
}

/// A record with five entries, or the one that is there.
fn with_entries_or_open(path: &Path) -> Store {
    if path.exists() { open(path) } else { with_entries(path, 5) }
}

#[test]
fn a_backup_that_is_damaged_cut_off_foreign_or_newer_is_refused_and_nothing_is_left() {
    let (folder, of_backup) = (folder(), folder());
    let path = file(&of_backup);
    drop(with_entries(&path, 30));
    let (bytes, _) = copied(&path);
    let target = file(&folder);
    let said = |bytes: &[u8]| {
        let error = refused(&target, bytes);
        assert_eq!(names(&folder), Vec::<String>::new());
        error.to_string()
    };
    // One character of one entry is changed. SQLite's own check does not notice that.
    let at = bytes.windows(12).rposition(|found| found == b"{\"press\":30}").unwrap();
    let mut changed = bytes.clone();
    changed[at + 9] = b'9';
    assert!(said(&changed).contains("damaged at entry"), "{}", said(&changed));
    assert!(said(&bytes[..bytes.len() - 4096]).contains("damaged"));
    assert!(said(b"SQLite format 3, but not really").contains("damaged"));
    let cut_off = Copy::of_backup(&target, &mut &bytes[..5000], bytes.len() as u64).err().unwrap();
    assert!(cut_off.to_string().contains("the backup ends after 5000 bytes"), "{cut_off}");
    let mut foreign = bytes.clone();
    foreign[68..72].copy_from_slice(b"else");
    assert!(said(&foreign).contains("not a record that this version can use"));
    drop(Store::open_as(&path, Access::of_next_release(), Check::Thorough).unwrap());
    let newer = fs::read(&path).unwrap();
    let newer = said(&newer);
    assert!(newer.contains("has the version 2; this program knows the versions 1 to 1"), "{newer}");
}
