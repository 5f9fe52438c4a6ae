//! Backups on full and read-only file systems, on sticks, and beside one another.

use super::*;
use rustix::fs::FlockOperation;

/// Mounts a tmpfs of this size in KiB; `None` if the test may not mount.
fn small(folder: &Path, kibibytes: u32, options: &str) -> Option<Mounted> {
    fs::create_dir_all(folder).unwrap();
    let options = format!("size={kibibytes}k{options}");
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).output();
    match mount.is_ok_and(|output| output.status.success()) {
        true => Some(Mounted(folder.to_owned())),
        false if std::env::var_os("CI").is_some() => panic!("cannot mount"),
        false => {
            eprintln!("not run: nothing can be mounted");
            None
        }
    }
}

struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_or_read_only_place_has_nothing_of_a_backup() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    let folder = clock.bench.folder().join("stick");
    let entries = || fs::read_dir(&folder).unwrap().count();
    let failed = |code: &str, words: &str| {
        let output = clock.backup(&["save", "stick", "--json"]);
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&said["error"]["code"], &said["error"]["exit"]),
            (&code.into(), &1.into()),
            "{said}"
        );
        assert!(said["error"]["message"].as_str().unwrap().contains(words), "{said}");
        assert_eq!(entries(), 0);
    };
    let Some(_mounted) = small(&folder, 8, "") else { return };
    failed("full", "stick: it has no room for the backup; there is no backup");
    drop(_mounted);
    let _mounted = small(&folder, 4096, ",ro");
    failed("read-only", "stick: it cannot be written; there is no backup");
    drop(_mounted);
    let _mounted = small(&folder, 4096, "");
    clock.save(&["stick"]);
    assert_eq!(entries(), 1);
}

/// A loop device with a new file system of 8 MiB; `None` if the test may not create one.
struct Disk {
    device: String,
}

impl Disk {
    fn new(folder: &Path) -> Option<Disk> {
        let has_fat = fs::read_to_string("/proc/filesystems").is_ok_and(|it| it.contains("\tvfat"));
        let make = if has_fat { "mkfs.vfat disk.img" } else { "mkfs.ext4 -q disk.img" };
        let line = format!("truncate -s 8M disk.img && {make} >&2 && losetup -f --show disk.img");
        let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        let made =
            shell.args(["-c", &line]).env("PATH", path).current_dir(folder).output().unwrap();
        match made.status.success() {
            true => Some(Disk { device: text(&made).trim().to_owned() }),
            false if std::env::var_os("CI").is_some() => panic!("{made:?}"),
            false => {
                eprintln!("not run: no loop device");
                None
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["-d", &self.device]).output();
    }
}

fn mounts() -> String {
    fs::read_to_string("/proc/self/mounts").unwrap()
}

#[test]
fn a_stick_is_unmounted_after_the_backup_and_is_loaded_from() {
    let mut clock = Clock::set_up();
    clock.start();
    clock.play("Menchik");
    let _alone = MOUNTS.lock();
    let Some(disk) = Disk::new(clock.bench.folder()) else { return };
    let saved = clock.save(&[&disk.device]);
    assert_eq!(saved["stick"], disk.device.as_str());
    let name = saved["file"].as_str().unwrap();
    assert!(name.starts_with("chess-clock-clock-12-12-"), "{name}");
    assert!(!mounts().contains(&disk.device), "{}", mounts());
    // The backup is in the image file, and not only in the kernel's cache.
    let image = fs::read(clock.bench.folder().join("disk.img")).unwrap();
    let manifest = b"\"chess_clock_backup\": 2";
    assert!(image.windows(manifest.len()).any(|bytes| bytes == manifest));

    let other = Clock::bare();
    let loaded = other.backup(&["load", &disk.device, "-n"]);
    assert!(text(&loaded).starts_with(&format!("{name}: of clock-12, board 12, 20")), "{loaded:?}");
    assert!(!mounts().contains(&disk.device), "{}", mounts());
    clock.save(&[&disk.device]);
    let several = other.refused(&["load", &disk.device], 2);
    assert!(several.contains("it has several backups: chess-clock-"), "{several}");
    assert!(!mounts().contains(&disk.device), "{}", mounts());
    // A device without a file system and a mounted device are refused.
    let at = other.path("stick");
    fs::create_dir(&at).unwrap();
    assert!(Command::new("mount").arg(&disk.device).arg(&at).status().unwrap().success());
    let _mounted = Mounted(at.clone());
    let said = other.refused(&["save", &disk.device], 2);
    assert!(said.contains("it is mounted at") && said.contains("give that folder"), "{said}");
    drop(_mounted);
    fs::write(clock.bench.folder().join("disk.img"), vec![0; 1 << 20]).unwrap();
    let said = other.refused(&["save", &disk.device], 2);
    assert!(said.contains("it has no FAT, exFAT or ext4 file system"), "{said}");
}

/// A process that is writing a backup has locked its temporary file, so the file is left alone. The temporary
/// file of a process that was killed is not locked, and is removed.
#[test]
fn two_backups_do_not_take_each_others_file() {
    let clock = Clock::set_up();
    let folder = clock.bench.folder().join("stick");
    fs::create_dir(&folder).unwrap();
    let of_other = File::create(folder.join("a.tar.part")).unwrap();
    rustix::fs::flock(&of_other, FlockOperation::LockExclusive).unwrap();
    fs::write(folder.join("chess-clock-left.tar.part"), "left").unwrap();
    fs::write(folder.join("b.part"), "of somebody else").unwrap();
    let said = clock.refused(&["save", "stick/a.tar"], 1);
    assert!(said.contains("another backup is being written to stick/a.tar.part"), "{said}");
    clock.save(&["stick/c.tar"]);
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.tar.part", "b.part", "c.tar"]);
    // A process that another test forks has the file open until its `exec`. So to close it is not enough.
    rustix::fs::flock(&of_other, FlockOperation::Unlock).unwrap();
    clock.save(&["stick/a.tar"]);
    assert!(!folder.join("a.tar.part").exists());
}
