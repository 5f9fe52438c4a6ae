use super::*;
use crate::line::STATE;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::cell::{Cell, RefCell};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::rc::Rc;
use tempfile::TempDir;

/// A folder in memory, where there is one: the tests open and sync thousands of files.
fn new_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

fn entry(number: u64) -> EntryLine {
    EntryLine {
        number,
        boot: "boot".to_owned(),
        at_ns: 10 * number,
        raw_ns: 10 * number + 1,
        wall_ns: Some(1_795_000_000_000_000_000),
        kind: "press".to_owned(),
        input: format!(r#"{{"press":{number}}}"#),
        events: "[]".to_owned(),
        command: None,
        state: r#"{"phase":"running"}"#.to_owned(),
        game: None,
    }
}

fn state(number: u64) -> EntryLine {
    EntryLine { kind: STATE.to_owned(), ..entry(number) }
}

fn opened(folder: &TempDir) -> Opened {
    Games::open(folder.path(), &mut |_| ()).unwrap()
}

/// A record with a game of these entries.
fn with_game(folder: &TempDir, last: u64) -> Games {
    let mut games = opened(folder).games;
    games.begin(1, 7, r#"{"white_player":"A"}"#, &[entry(1)]).unwrap();
    for number in 2..=last {
        games.append(&[entry(number)]).unwrap();
    }
    games
}

fn read(folder: &Path, game: u64) -> Result<Option<(Summary, Vec<EntryLine>)>, RecordError> {
    let mut entries = Vec::new();
    let summary = Summary::read(folder, game, |entry| entries.push(entry))?;
    Ok(summary.map(|summary| (summary, entries)))
}

fn on_record(folder: &TempDir, game: u64) -> Vec<u64> {
    let found = read(folder.path(), game).unwrap();
    found.map_or(Vec::new(), |(_, entries)| entries.iter().map(|entry| entry.number).collect())
}

fn path(folder: &TempDir, game: u64) -> PathBuf {
    folder::path(folder.path(), game)
}

#[test]
fn games_are_read_as_they_were_written_also_after_another_opening() {
    let folder = new_folder();
    let mut games = with_game(&folder, 2);
    let adjourned = Change { adjourned: Some(true), ..Change::default() };
    let named = Change { info: Some("{}".to_owned()), ended: Some(true), ..adjourned };
    games.append(&[EntryLine { game: Some(named), ..entry(3) }, entry(4)]).unwrap();
    drop(games);
    let mut games = opened(&folder).games;
    assert_eq!((games.latest(), games.last_entry()), (Some(1), Some(4)));
    games.append(&[entry(5)]).unwrap();
    games.begin(2, 7, "{}", &[state(9)]).unwrap();
    let (summary, entries) = read(folder.path(), 1).unwrap().unwrap();
    assert_eq!(entries, [entry(1), entry(2), entry(3), entry(4), entry(5)]);
    assert_eq!((summary.entries, summary.last_entry), (5, 5));
    assert_eq!((summary.game.info.as_str(), summary.game.first_entry), ("{}", 1));
    assert!(summary.ended && summary.adjourned);
    let (second, _) = read(folder.path(), 2).unwrap().unwrap();
    assert_eq!(second.game.before, summary.chain);
    assert_eq!(second.started_wall_ns, entry(9).wall_ns);
    // Another game has gone on with the adjourned one.
    games.change(1, &Change { adjourned: Some(false), ..Change::default() }).unwrap();
    games.change(7, &Change::default()).unwrap();
    games.append(&[entry(10)]).unwrap();
    assert!(!read(folder.path(), 1).unwrap().unwrap().0.adjourned);
    assert_eq!((on_record(&folder, 1).len(), on_record(&folder, 2)), (5, vec![9, 10]));
    // Files of others are no games.
    for name in ["7.jsonl", "000000.jsonl", "+00009.jsonl", "000009.json", "notes"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    assert_eq!(folder::numbers(folder.path()).unwrap(), [1, 2]);
    drop(games);
    assert_eq!(opened(&folder).games.latest(), Some(2));
}

#[test]
fn what_would_make_the_record_inconsistent_is_refused() {
    let folder = new_folder();
    let mut games = opened(&folder).games;
    let refused = |result: Result<(), RecordError>, what: &str| match result {
        Err(RecordError::Refused(why)) => assert!(why.contains(what), "{why}"),
        other => panic!("{what}: {other:?}"),
    };
    refused(games.append(&[entry(1)]), "before any game");
    refused(games.begin(1, 7, "{}", &[]), "without an entry");
    refused(games.begin(1, 7, "{", &[entry(1)]), "EOF");
    refused(games.begin(1, 7, "{}", &[entry(0)]), "entry 0");
    refused(games.begin(1, 7, "{}", &[entry(1 << 53 | 1)]), "cannot follow");
    drop(games);
    let mut games = with_game(&folder, 3);
    refused(games.append(&[entry(5)]), "entry 5 cannot follow entry 3");
    refused(games.append(&[EntryLine { at_ns: 1, ..entry(2) }]), "other contents");
    refused(games.append(&[EntryLine { input: "\n".to_owned(), ..entry(4) }]), "EOF");
    refused(games.begin(2, 7, "{}", &[entry(3)]), "cannot begin");
    refused(games.begin(1, 7, "{}", &[entry(9)]), "cannot follow");
    let boot = || "b".to_owned();
    let checkpoint = |entry| Checkpoint { boot: boot(), at_ns: 1, raw_ns: 1, wall_ns: None, entry };
    refused(games.checkpoint(&checkpoint(4)), "entry 4");
    games.checkpoint(&checkpoint(3)).unwrap();
    // After a restart, the entries from which the answer was lost are appended again.
    games.append(&[entry(2), entry(3), entry(4)]).unwrap();
    games.append(&[state(9)]).unwrap();
    assert_eq!(on_record(&folder, 1), [1, 2, 3, 4, 9]);
    let other = Games::open(folder.path(), &mut |_| ());
    assert!(matches!(other, Err(RecordError::InUse { .. })));
}

/// Every length at which a power cut can leave the last file.
#[test]
fn a_file_that_is_cut_anywhere_has_all_complete_lines_and_goes_on() {
    let folder = new_folder();
    drop(with_game(&folder, 12));
    let whole = fs::read(path(&folder, 1)).unwrap();
    let mut begun = 0;
    for length in 0..=whole.len() {
        for zeros in [0, 1, 700] {
            let mut cut = whole[..length].to_vec();
            cut.extend(std::iter::repeat_n(0, zeros));
            let lines = whole[..length].iter().filter(|byte| **byte == b'\n').count();
            let folder = new_folder();
            fs::write(path(&folder, 1), &cut).unwrap();
            let Opened { mut games, moved_aside, was_unfinished, .. } = opened(&folder);
            let expected: Vec<u64> = (1..lines as u64).collect();
            if expected.is_empty() {
                // A game gets its name with its first entry, so this is damage.
                let to = moved_aside.expect("it was moved aside").to;
                assert_eq!((fs::read(to).unwrap(), games.latest()), (cut, None));
                games.begin(2, 7, "{}", &[entry(1)]).unwrap();
                begun += 1;
                continue;
            }
            assert!(moved_aside.is_none(), "{length}: {moved_aside:?}");
            assert_eq!(on_record(&folder, 1), expected, "{length} of {}", whole.len());
            let is_complete = whole[length - 1] == b'\n' && zeros == 0;
            assert_eq!(was_unfinished, !is_complete, "{length}");
            let next = lines as u64;
            games.append(&[entry(next)]).unwrap();
            assert_eq!(on_record(&folder, 1).last(), Some(&next));
            assert_eq!(
                &fs::read(path(&folder, 1)).unwrap()[..length.min(whole.len())],
                &whole[..length]
            );
        }
    }
    assert!(begun > 0);
}

/// Every bit of a small game.
#[test]
fn a_changed_bit_is_found() {
    let folder = new_folder();
    drop(with_game(&folder, 3));
    let whole = fs::read(path(&folder, 1)).unwrap();
    let (_, good) = read(folder.path(), 1).unwrap().unwrap();
    let last_line = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap();
    let mut unfinished = 0;
    for bit in 0..8 * whole.len() {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(path(&folder, 1), &changed).unwrap();
        match read(folder.path(), 1) {
            Err(RecordError::Damaged { line, .. }) => assert!((1..=4).contains(&line)),
            // The last line looks like one that a power cut has left incomplete.
            Ok(Some((_, entries))) if bit / 8 > last_line => {
                assert_eq!(entries, good[..2]);
                unfinished += 1;
            }
            other => panic!("bit {bit}: {other:?}"),
        }
    }
    // A line feed that is none any more, and bytes that have become 0: no other bit.
    assert!((8..16).contains(&unfinished), "{unfinished}");
}

#[test]
fn a_missing_exchanged_or_foreign_line_is_found() {
    let folder = new_folder();
    let mut games = with_game(&folder, 4);
    games.begin(2, 7, r#"{"white_player":"A"}"#, &[entry(5)]).unwrap();
    drop(games);
    let lines = |game| -> Vec<String> {
        let text = fs::read_to_string(path(&folder, game)).unwrap();
        text.lines().map(|line| format!("{line}\n")).collect()
    };
    let (first, second) = (lines(1), lines(2));
    let pick = |indexes: &[usize]| indexes.iter().map(|at| first[*at].clone()).collect::<String>();
    let one = new_folder();
    for text in [
        pick(&[0, 2, 3, 4]),
        pick(&[0, 1, 3, 2, 4]),
        pick(&[0, 1, 1, 2, 3, 4]),
        pick(&[1, 2, 3, 4]),
        pick(&[0, 1, 2, 3]) + &second[1],
        second.concat(),
        format!("{}\n{}", pick(&[0]), pick(&[1, 2, 3, 4])),
    ] {
        fs::write(path(&one, 1), &text).unwrap();
        let found = read(one.path(), 1);
        assert!(matches!(found, Err(RecordError::Damaged { .. })), "{text}: {found:?}");
    }
}

#[test]
fn a_damaged_game_is_kept_under_another_name_and_no_earlier_one_is_gone_on_with() {
    let folder = new_folder();
    let mut games = with_game(&folder, 3);
    games.begin(2, 7, "{}", &[entry(4)]).unwrap();
    games.append(&[entry(5)]).unwrap();
    drop(games);
    let mut text = fs::read(path(&folder, 2)).unwrap();
    text[20] ^= 1;
    fs::write(path(&folder, 2), &text).unwrap();
    let Opened { games, moved_aside, .. } = opened(&folder);
    let MovedAside { to, why } = moved_aside.unwrap();
    assert!(to.to_string_lossy().ends_with("000002.jsonl.damaged-1"), "{to:?}");
    assert!(why.to_string().contains("000002.jsonl, line 1: its digest is another"), "{why}");
    assert_eq!((fs::read(&to).unwrap(), games.latest(), games.last_entry()), (text, None, None));
    drop(games);
    // As long as no other game was begun, it is said at each start.
    let Opened { mut games, moved_aside, .. } = opened(&folder);
    assert_eq!(moved_aside.unwrap().to, to);
    assert_eq!((games.latest(), games.floor()), (None, 3));
    games.begin(3, 7, "{}", &[state(5)]).unwrap();
    // Damage that is found later.
    let why = RecordError::Refused("for the test".to_owned());
    assert!(games.move_aside(why).unwrap().to.ends_with("000003.jsonl.damaged-1"));
    games.begin(4, 7, "{}", &[state(6)]).unwrap();
    assert_eq!((on_record(&folder, 1).len(), on_record(&folder, 4)), (3, vec![6]));
}

#[test]
fn a_file_that_is_gone_replaced_or_shortened_acknowledges_nothing() {
    type Change = fn(&Path);
    let changes: [Change; 4] = [
        |path| fs::remove_file(path).unwrap(),
        |path| fs::rename(path, path.with_extension("away")).unwrap(),
        |path| {
            fs::copy(path, path.with_extension("copy")).unwrap();
            fs::rename(path.with_extension("copy"), path).unwrap();
        },
        |path| {
            let file = OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() - 1).unwrap();
        },
    ];
    for change in changes {
        let folder = new_folder();
        let mut games = with_game(&folder, 3);
        change(&path(&folder, 1));
        let appended = games.append(&[entry(4)]);
        assert!(matches!(appended, Err(RecordError::Gone { .. })), "{appended:?}");
    }
}

#[test]
fn what_is_no_regular_file_is_neither_read_nor_written() {
    type Make = fn(&Path) -> io::Result<()>;
    let kinds: [(Make, &str); 3] = [
        (|path| std::os::unix::fs::symlink("/dev/null", path), "it is a symbolic link"),
        (|path| fs::create_dir(path), "directory"),
        (|path| Ok(mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0)?), "it is not a regular file"),
    ];
    for (make, what) in kinds {
        let folder = new_folder();
        drop(with_game(&folder, 1));
        make(&path(&folder, 2)).unwrap();
        let before = path(&folder, 2).symlink_metadata().unwrap();
        match Games::open(folder.path(), &mut |_| ()).map(|_| ()) {
            Err(RecordError::Io { source, .. }) => {
                assert!(source.to_string().contains(what), "{source}");
            }
            other => panic!("{what}: {other:?}"),
        }
        let after = path(&folder, 2).symlink_metadata().unwrap();
        assert_eq!((after.ino(), after.mtime_nsec()), (before.ino(), before.mtime_nsec()));
    }
}

/// A kill before the first entry of a game is on the disk leaves its file without the name of a game.
#[test]
fn a_game_that_has_never_begun_is_removed_at_the_start() {
    let folder = new_folder();
    drop(with_game(&folder, 2));
    let unfinished = folder.path().join(RecordFile::Unfinished.to_string());
    for contents in [fs::read(path(&folder, 1)).unwrap(), b"half a li".to_vec()] {
        fs::write(&unfinished, contents).unwrap();
        let opened = opened(&folder);
        assert!(!unfinished.exists() && opened.moved_aside.is_none() && !opened.was_unfinished);
        assert_eq!((opened.games.latest(), opened.games.last_entry()), (Some(1), Some(2)));
    }
}

#[test]
fn old_games_are_removed_and_adjourned_ones_stay() {
    let folder = new_folder();
    let mut games = opened(&folder).games;
    for number in 1..=5 {
        games.begin(number, 7, "{}", &[entry(number)]).unwrap();
    }
    games.change(1, &Change { adjourned: Some(true), ..Change::default() }).unwrap();
    fs::write(path(&folder, 2), "damaged\n").unwrap();
    let aside = folder.path().join(RecordFile::Damaged(1, 1).to_string());
    fs::write(&aside, "damaged\n").unwrap();
    let kept = || folder::numbers(folder.path()).unwrap();
    assert_eq!(games.retain(5).unwrap(), Retained::Nothing);
    // Game 1 is adjourned. Game 2 is damaged, so it may be adjourned. Later games are removed instead.
    assert_eq!((games.retain(4).unwrap(), kept()), (Retained::Removed(3), vec![1, 2, 4, 5]));
    assert_eq!((games.retain(1).unwrap(), kept()), (Retained::Removed(4), vec![1, 2, 5]));
    assert_eq!(games.retain(1).unwrap(), Retained::Nothing);
    games.change(1, &Change { adjourned: Some(false), ..Change::default() }).unwrap();
    assert_eq!(games.retain(1).unwrap(), Retained::Removed(1));
    assert_eq!(games.retain(0).unwrap(), Retained::Nothing);
    games.append(&[entry(6)]).unwrap();
    assert_eq!(kept(), [2, 5]);
    assert!(aside.exists(), "a file that was moved aside stays");
}

#[test]
fn a_file_that_another_program_makes_under_the_next_number_is_not_replaced() {
    let folder = new_folder();
    let mut games = with_game(&folder, 1);
    fs::write(path(&folder, 2), "of another program\n").unwrap();
    let begun = games.begin(2, 7, "{}", &[entry(2)]);
    assert!(matches!(begun, Err(RecordError::Gone { .. })), "{begun:?}");
    assert_eq!(fs::read_to_string(path(&folder, 2)).unwrap(), "of another program\n");
}

/// A disk on which the operation with the number `fails_at` fails, and each one after it until the disk
/// is mended. Before it fails, a write puts a part of the bytes into the file.
#[derive(Clone, Default)]
struct FailingDisk {
    done: Rc<Cell<usize>>,
    fails_at: Rc<Cell<Option<usize>>>,
    written: Rc<Cell<usize>>,
    /// What a power cut would leave of the file: its contents at the latest sync.
    synced: Rc<RefCell<Vec<u8>>>,
    /// The games whose names a power cut would leave.
    named: Rc<RefCell<Vec<u64>>>,
}

impl FailingDisk {
    fn step(&self) -> io::Result<()> {
        self.done.set(self.done.get() + 1);
        match self.fails_at.get() {
            Some(at) if self.done.get() > at => Err(io::Error::other("the disk fails")),
            _ => Ok(()),
        }
    }
}

impl Disk for FailingDisk {
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        let step = self.step();
        let part = if step.is_ok() { bytes.len() } else { self.written.get().min(bytes.len()) };
        RealDisk.write(file, &bytes[..part])?;
        step
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step()?;
        let mut text = vec![0; usize::try_from(file.metadata()?.len()).unwrap()];
        file.read_exact_at(&mut text, 0)?;
        *self.synced.borrow_mut() = text;
        Ok(())
    }

    fn truncate(&self, file: &File, length: u64) -> io::Result<()> {
        self.step()?;
        RealDisk.truncate(file, length)
    }

    fn sync_names(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.sync_names(folder)?;
        *self.named.borrow_mut() = folder::numbers(folder).unwrap();
        Ok(())
    }
}

/// The disk fails at each operation in turn, for one to four operations, with every kind of partial
/// write. What was acknowledged is there, and nothing is there twice.
#[test]
fn whatever_fails_the_acknowledged_entries_are_on_record_once() {
    for fails_at in 0..24 {
        for operations in 1..=4 {
            for written in [0, 1, 150, usize::MAX] {
                let folder = new_folder();
                let disk = FailingDisk::default();
                disk.written.set(written);
                disk.fails_at.set(Some(fails_at));
                let mut games =
                    Games::open_on(folder.path(), disk.clone(), &mut |_| ()).unwrap().games;
                let mut number = 1;
                while number <= 6 {
                    let entries = [entry(number), entry(number + 1)];
                    let done = match number {
                        1 => games.begin(1, 7, "{}", &entries),
                        _ => games.append(&entries),
                    };
                    match done {
                        Ok(()) => {
                            let named = disk.named.borrow();
                            assert!(named.contains(&games.latest().unwrap()), "{fails_at}");
                            number += 2;
                        }
                        Err(RecordError::Io { .. }) => {
                            if disk.done.get() >= fails_at + operations {
                                disk.fails_at.set(None);
                            }
                        }
                        Err(other) => panic!("{fails_at} {operations} {written}: {other}"),
                    }
                    let acknowledged: Vec<u64> = (1..number).collect();
                    let found = folder::numbers(folder.path()).unwrap();
                    let on_record =
                        found.last().map_or(Vec::new(), |game| on_record(&folder, *game));
                    assert!(on_record.starts_with(&acknowledged), "{fails_at}: {on_record:?}");
                }
                let game = games.latest().unwrap();
                assert_eq!(on_record(&folder, game), [1, 2, 3, 4, 5, 6]);
                assert_eq!(folder::numbers(folder.path()).unwrap(), [game]);
                assert_eq!(*disk.synced.borrow(), fs::read(path(&folder, game)).unwrap());
                drop(games);
                assert_eq!(opened(&folder).games.last_entry(), Some(6));
            }
        }
    }
}

/// A disk that fails to keep a file: it is gone after each write, as if another program had removed it.
struct RemovingDisk(PathBuf);

impl Disk for RemovingDisk {
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        RealDisk.write(file, bytes)?;
        let _ = fs::remove_file(&self.0);
        Ok(())
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        RealDisk.sync(file)
    }

    fn truncate(&self, file: &File, length: u64) -> io::Result<()> {
        RealDisk.truncate(file, length)
    }

    fn sync_names(&self, folder: &Path) -> io::Result<()> {
        RealDisk.sync_names(folder)
    }
}

#[test]
fn a_file_that_is_removed_during_an_append_acknowledges_nothing() {
    let folder = new_folder();
    let disk = RemovingDisk(path(&folder, 1));
    let mut games = Games::open_on(folder.path(), disk, &mut |_| ()).unwrap().games;
    games.begin(1, 7, "{}", &[entry(1)]).unwrap();
    assert!(matches!(games.append(&[entry(2)]), Err(RecordError::Gone { .. })));
}

#[test]
fn a_game_is_on_the_disk_when_it_has_begun() {
    let folder = new_folder();
    let disk = FailingDisk::default();
    let mut games = Games::open_on(folder.path(), disk.clone(), &mut |_| ()).unwrap().games;
    games.begin(1, 7, "{}", &[entry(1)]).unwrap();
    assert_eq!(*disk.synced.borrow(), fs::read(path(&folder, 1)).unwrap());
}
