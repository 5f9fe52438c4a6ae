//! Tests of the record after a power cut. The power cut can follow any operation on the disk during
//! a workload. In every fourth state that is examined, one bit of a file is flipped, too.
//!
//! `CLOCK_CRASH_STATES=10000 cargo test -p clockd --release store::tests::crash -- --nocapture`
//! examines more states; `CLOCK_CRASH_SEED` chooses others.

use super::readable::Readable;
use super::workload::{Contents, StoreCall, calls, carry_out};
use super::*;
use crate::record::store::StoreError;
use std::fs;
use storage_faults::{
    Action, CrashDisk, Fault, FaultyDisk, Files, Kind, Operation, Random, Survival,
};

/// The operations on the disk during a workload, and when each of its calls was acknowledged.
struct Trace {
    operations: Vec<Operation>,
    /// At index N: the number of operations on the disk after which `contents[N]` was acknowledged.
    acknowledged: Vec<usize>,
    contents: Vec<Contents>,
    next: NewRow,
}

impl Trace {
    /// Which contents may be on record after this number of operations on the disk, as two indices
    /// of `contents`: the latest contents that were acknowledged, and the contents after the call
    /// that was being carried out.
    fn allowed(&self, operations: usize) -> (usize, usize) {
        let acknowledged = self.acknowledged.partition_point(|at| *at <= operations).max(1) - 1;
        (acknowledged, (acknowledged + 1).min(self.contents.len() - 1))
    }

    /// Whether this entry was appended at any time.
    fn wrote(&self, row: &NewRow) -> bool {
        self.contents.iter().any(|contents| contents.rows.contains(row))
    }

    /// How many of the calls between `contents[from]` and `contents[to]` changed the record.
    fn changes(&self, from: usize, to: usize) -> usize {
        self.contents[from..=to].windows(2).filter(|pair| pair[0] != pair[1]).count()
    }
}

/// Runs the workload. Some writes and syncs fail, and their calls are made again. So the log can
/// hold frames of failed transactions, which must not be taken for damage.
fn record() -> Trace {
    let folder = folder();
    let disk = FaultyDisk::new();
    disk.record();
    let mut store = None;
    carry_out(&mut store, &StoreCall::EmptyLog, &file(&folder), &disk).unwrap();
    let mut trace = Trace {
        operations: Vec::new(),
        acknowledged: vec![disk.recorded()],
        contents: vec![Contents::default()],
        next: row(1, 1),
    };
    for (index, call) in calls(45).iter().enumerate() {
        let fault = match index % 13 {
            5 => Some((Kind::Sync, 0, Action::Fail(rusqlite::ffi::SQLITE_IOERR_FSYNC))),
            8 => Some((Kind::Write, 2, Action::ShortWrite(rusqlite::ffi::SQLITE_FULL))),
            _ => None,
        };
        if let Some((kind, after, action)) = fault {
            disk.fail(Fault { kind, after, action, lasting: true });
            let _ = carry_out(&mut store, call, &file(&folder), &disk);
            disk.heal();
        }
        carry_out(&mut store, call, &file(&folder), &disk).unwrap();
        let mut contents = trace.contents.last().unwrap().clone();
        contents.apply(call);
        trace.contents.push(contents);
        trace.acknowledged.push(disk.recorded());
    }
    let last = trace.contents.last().unwrap();
    let (game, number) = (last.games.last().unwrap().0, last.rows.last().unwrap().number);
    trace.next = row(number + 1, game);
    assert_eq!(&Contents::read(store.as_mut().unwrap(), Some(disk.name())).unwrap(), last);
    trace.operations = disk.take_record();
    trace
}

fn put(folder: &TempDir, files: &Files) {
    for entry in fs::read_dir(folder.path()).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    for (name, contents) in files {
        fs::write(folder.path().join(name), contents).unwrap();
    }
}

/// Checks the record after a power cut without damage: it has everything that was acknowledged, and
/// beyond that at most the interrupted call. If `operations` is a multiple of 4 and the record has
/// an entry, another entry is appended and read back.
fn examine_power_cut(trace: &Trace, operations: usize, folder: &TempDir, what: &str) {
    let (least, most) = trace.allowed(operations);
    let opened = Store::open(&file(folder), None).unwrap_or_else(|error| panic!("{what}: {error}"));
    if let Some(moved) = opened.moved_aside {
        panic!("{what}: moved aside: {}", moved.why);
    }
    let mut store = opened.store;
    let found = Contents::read(&mut store, None).unwrap_or_else(|error| panic!("{what}: {error}"));
    let found = (least..=most).find(|index| trace.contents[*index] == found).unwrap_or_else(|| {
        let last = found.rows.last().map(|row| row.number);
        panic!("{what}: the last entry is {last:?}, not as after call {least} or {most}")
    });
    if operations.is_multiple_of(4) {
        let contents = &trace.contents[found];
        if let (Some(game), Some(last)) = (contents.games.last(), contents.rows.last()) {
            let next = NewRow { number: last.number + 1, game: game.0, ..trace.next.clone() };
            store.append(&[next], &[], None).unwrap();
            drop(store);
            let mut store = open(&file(folder));
            assert_eq!(store.current().unwrap().unwrap().last_entry, last.number + 1, "{what}");
        }
    }
}

/// How many files with a flipped bit were handled in each way.
#[derive(Default, Debug)]
struct Flips {
    harmless: usize,
    moved_aside: usize,
    reported_when_read: usize,
    last_write_reported: usize,
    of_two_times: usize,
    refused: Vec<String>,
}

/// Checks the record after a flipped bit. One of these cases must hold:
/// - The opening fails with an error of SQLite, or moves the file aside. The files are unchanged.
/// - A read reports the damage.
/// - All contents are right.
/// - The opening reports an unfinished last write. At most two changes are missing, or some pages
///   are newer than others. Each entry is as it was written.
fn examine_flip(
    trace: &Trace,
    operations: usize,
    folder: &TempDir,
    files: &Files,
    what: &str,
    flips: &mut Flips,
) {
    let (least, most) = trace.allowed(operations);
    let journal = files.get("record.sqlite3-journal").is_some_and(|journal| !journal.is_empty());
    assert!(!journal || least == 0, "{what}: a rollback journal is there");
    let Opened { mut store, moved_aside, last_write_unfinished } =
        match Store::open(&file(folder), None) {
            Ok(opened) => opened,
            Err(error) => {
                flips.refused.push(format!("{what}: {error}"));
                assert!(matches!(error, StoreError::Sqlite { .. }), "{what}: {error}");
                return assert_unchanged(folder, "record.sqlite3", files, what);
            }
        };
    if let Some(moved) = moved_aside {
        flips.moved_aside += 1;
        let name = moved.to.file_name().unwrap().to_str().unwrap();
        assert_unchanged(folder, name, files, what);
        // Everything that can still be read of the moved file was written by the workload.
        let readable = Readable::of_file(&moved.to, None);
        assert!(readable.rows.iter().all(|row| trace.wrote(&row.row)), "{what}: an entry is wrong");
        return assert_eq!(store.current().unwrap(), None);
    }
    match Contents::read(&mut store, None) {
        Err(StoreError::Corrupt { .. }) => flips.reported_when_read += 1,
        Err(error) => panic!("{what}: {error}"),
        Ok(found) if (least..=most).any(|index| trace.contents[index] == found) => {
            flips.harmless += 1;
        }
        Ok(found) => {
            // At the end of the log, damage looks the same as a write that was cut off.
            flips.last_write_reported += 1;
            assert!(last_write_unfinished, "{what}: entries are missing silently");
            let earlier = trace.contents.iter().rposition(|contents| *contents == found);
            let missing = earlier.map_or(0, |earlier| trace.changes(earlier, least));
            assert!(missing <= 2, "{what}: {missing} changes are missing");
            // If the power was cut while the log was being moved into the database, some pages can
            // be newer than others. Each entry must still be as it was written.
            flips.of_two_times += usize::from(earlier.is_none());
            assert!(found.rows.iter().all(|row| trace.wrote(row)), "{what}: an entry is wrong");
        }
    }
}

fn assert_unchanged(folder: &TempDir, name: &str, files: &Files, what: &str) {
    if files.get("record.sqlite3-journal").is_some_and(|journal| !journal.is_empty()) {
        // The power was cut while the tables were being made. SQLite changes the file when it opens
        // it: it undoes that transaction with the rollback journal. So the files are not compared.
        return;
    }
    for end in ["", "-wal"] {
        let found = fs::read(folder.path().join(format!("{name}{end}"))).unwrap_or_default();
        let expected = files.get(&format!("record.sqlite3{end}")).cloned().unwrap_or_default();
        assert!(found == expected, "{what}: {name}{end} was changed");
    }
}

fn flip(files: &mut Files, random: &mut Random) -> String {
    let names: Vec<String> =
        files.iter().filter(|(_, file)| !file.is_empty()).map(|(name, _)| name.clone()).collect();
    let Some(name) = names.get(random.below(names.len().max(1))) else {
        return "nothing".into();
    };
    let contents = files.get_mut(name).unwrap();
    // One in four flips is in the first 128 bytes, because damage of a header has the largest
    // effects.
    let most = if random.below(4) == 0 { contents.len().min(128) } else { contents.len() };
    let (byte, bit) = (random.below(most), random.below(8));
    contents[byte] ^= 1 << bit;
    format!("bit {bit} of byte {byte} of {name}")
}

fn setting(name: &str) -> Option<usize> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn no_acknowledged_entry_is_missing_after_a_power_cut_and_no_flipped_bit_is_silent() {
    let wanted = setting("CLOCK_CRASH_STATES").unwrap_or(900);
    let seed = setting("CLOCK_CRASH_SEED").unwrap_or(20_260_701);
    let mut random = Random::new(seed as u64);
    let trace = record();
    let points = trace.operations.len() + 1;
    let mut disk = CrashDisk::default();
    let (mut states, mut flips) = (0, Flips::default());
    let states_folder = folder();
    for operations in 0..points {
        if operations > 0 {
            disk.perform(&trace.operations[operations - 1]);
        }
        // About the same number of states is examined after each operation.
        while states < wanted * (operations + 1) / points {
            let survival = match states % 5 {
                0 => Survival::All,
                1 => Survival::None,
                _ => Survival::Some,
            };
            let mut files = disk.after_crash(survival, &mut random);
            let what = format!("seed {seed}, state {states}, operation {operations}, {survival:?}");
            let flipped = states % 4 == 3;
            if flipped {
                let what = format!("{what}, {}", flip(&mut files, &mut random));
                put(&states_folder, &files);
                examine_flip(&trace, operations, &states_folder, &files, &what, &mut flips);
            } else {
                put(&states_folder, &files);
                examine_power_cut(&trace, operations, &states_folder, &what);
            }
            states += 1;
        }
    }
    println!("seed {seed}: {states} states after {} operations; {flips:?}", points - 1);
    assert!(states == wanted && flips.moved_aside > 0 && flips.harmless > 0);
}
