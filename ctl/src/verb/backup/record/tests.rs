use super::*;
use clock_record::{EntryLine, Games};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use tempfile::TempDir;

/// A folder with a record of so many entries, if there are any, and a backup of another one.
struct Clock {
    folder: TempDir,
    backup: File,
    files: Vec<InArchive>,
}

fn record_with(folder: &Path, entries: u64) {
    let entries: Vec<EntryLine> = (1..=entries)
        .map(|number| EntryLine {
            number,
            boot: "boot".to_owned(),
            at_ns: number,
            raw_ns: number,
            wall_ns: None,
            kind: "press".to_owned(),
            input: "{}".to_owned(),
            events: "[]".to_owned(),
            command: None,
            state: "{}".to_owned(),
            game: None,
        })
        .collect();
    Games::open(folder, &mut |_| ()).unwrap().games.begin(1, 7, "{}", &entries).unwrap();
}

impl Clock {
    /// The backup has three entries.
    fn new() -> Clock {
        let folder = tempfile::tempdir().unwrap();
        let saved = folder.path().join("saved");
        record_with(&saved, 3);
        fs::rename(saved.join("000001.jsonl"), folder.path().join("backup")).unwrap();
        fs::remove_dir(saved).unwrap();
        let backup = File::options().read(true).write(true).open(folder.path().join("backup"));
        let backup = backup.unwrap();
        let bytes = backup.metadata().unwrap().len();
        let files = [RecordFile::Game(1), RecordFile::Damaged(1, 1)];
        let files = files.map(|file| InArchive { file, offset: 0, bytes });
        Clock { folder, backup, files: files.into() }
    }

    fn record(&self) -> PathBuf {
        self.folder.path().join("games")
    }

    fn check(&mut self) -> Result<NewRecord, Failure> {
        NewRecord::check(&self.folder.path().join("games"), &self.files, &mut self.backup)
    }

    fn refused(&mut self) -> String {
        let Err(Failure::Usage(why)) = self.check() else { panic!("it is accepted") };
        assert!(!self.folder.path().join("games.backup").exists());
        why
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries.map(|it| name(it).into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn last_entry(record: &Path) -> Option<u64> {
    Games::open(record, &mut |_| ()).unwrap().games.last_entry()
}

#[test]
fn a_backup_takes_the_place_of_the_record_which_is_kept() {
    let mut clock = Clock::new();
    let record = clock.record();
    assert_eq!(clock.check().unwrap().replace().unwrap(), None);
    assert_eq!(last_entry(&record), Some(3));
    assert!(record.join("000001.jsonl.damaged-1").exists());
    fs::remove_dir_all(&record).unwrap();
    record_with(&record, 5);
    for number in 1..3 {
        // The service has the record open.
        let games = Games::open(&record, &mut |_| ()).unwrap();
        let Err(Failure::Usage(why)) = clock.check().unwrap().replace() else { panic!("replaced") };
        assert!(why.contains("in use by another process"), "{why}");
        drop(games);
        let before = clock.check().unwrap().replace().unwrap().unwrap();
        assert!(before.ends_with(format!("games.replaced-{number}")), "{before:?}");
        assert_eq!(last_entry(&record), Some(3));
        assert_eq!(record.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    }
    assert_eq!(last_entry(&clock.folder.path().join("games.replaced-1")), Some(5));
    // A value that is dropped changes nothing.
    drop(clock.check().unwrap());
    assert_eq!(clock.names(), ["backup", "games", "games.replaced-1", "games.replaced-2"]);
}

#[test]
fn a_damaged_or_cut_off_game_is_refused_and_nothing_is_left() {
    let mut clock = Clock::new();
    let bytes = clock.files[0].bytes;
    clock.files[0].bytes = bytes + 1;
    assert!(clock.refused().contains("the backup was changed meanwhile"));
    clock.files[0] = InArchive { file: RecordFile::Game(2), offset: 0, bytes };
    let why = clock.refused();
    assert!(why.contains("games.backup/000002.jsonl, line 1: it does not begin game 2"), "{why}");
    clock.files[0] = InArchive { file: RecordFile::Game(1), offset: 0, bytes: 0 };
    assert!(clock.refused().contains("it has no entry"));
    clock.files[0].bytes = u64::MAX;
    assert!(clock.refused().contains(" MiB are free"));
    assert_eq!(clock.names(), ["backup"]);
}

/// The `clockd.toml` of a backup can name any folder, and clockctl is root.
#[test]
fn a_folder_with_other_files_is_not_replaced() {
    let mut clock = Clock::new();
    record_with(&clock.record(), 5);
    fs::write(clock.record().join("passwd"), "").unwrap();
    assert!(clock.refused().contains("games: it has passwd, which is no file of a record"));
    assert_eq!(clock.names(), ["backup", "games"]);
}

/// While a load unpacks its record, the folder is locked, and another load is refused. The folder of a process
/// that was killed is removed.
#[test]
fn two_loads_do_not_take_each_others_folder() {
    let mut clock = Clock::new();
    let path = clock.folder.path().join("games.backup");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("left"), "left").unwrap();
    let first = clock.check().unwrap();
    assert!(!path.join("left").exists());
    let Err(Failure::Usage(why)) = clock.check() else { panic!("it is accepted") };
    assert!(why.contains("another backup is being loaded"), "{why}");
    // Another process has removed the folder, and made its own.
    fs::remove_dir_all(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(first.replace().is_err());
    assert_eq!(clock.names(), ["backup", "games.backup"]);
}

/// Without its owner, the folder would be read as root.
#[test]
fn nothing_is_done_if_the_folder_of_the_record_cannot_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("gone/games");
    let Err(Failure::Usage(why)) = as_owner(&record, || Ok(())) else { panic!("it was done") };
    assert!(why.starts_with(&format!("{}: ", record.parent().unwrap().display())), "{why}");
}

/// Whoever owns the folder can place a link in it, which leads to what only root can read.
#[test]
fn root_takes_the_rights_of_the_owner_of_the_record() {
    if !geteuid().is_root() {
        eprintln!("not run: not root");
        return;
    }
    let mut clock = Clock::new();
    let folder = clock.folder.path().to_owned();
    let secret = folder.join("secret");
    record_with(&secret, 4);
    fs::set_permissions(&secret, PermissionsExt::from_mode(0o700)).unwrap();
    chown(&folder, Some(1234), Some(1234)).unwrap();
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
    symlink("secret", clock.record()).unwrap();
    let copied = copy_record(&clock.record(), |_, _, _| Ok(()));
    assert!(matches!(copied, Err(Failure::Usage(why)) if why.contains("Permission denied")));
    fs::remove_file(clock.record()).unwrap();
    clock.check().unwrap().replace().unwrap();
    for path in [clock.record(), clock.record().join("000001.jsonl")] {
        assert_eq!(path.metadata().unwrap().uid(), 1234);
    }
    // This process has kept its rights.
    assert_eq!((geteuid().as_raw(), last_entry(&secret)), (0, Some(4)));
}
