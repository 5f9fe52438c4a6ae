use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::TempDir;

/// The folders of a machine with some disks.
struct Machine(TempDir);

/// A FAT, exFAT or ext4 file system, or none.
fn filesystem(name: &str) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    let (at, mark): (usize, &[u8]) = match name {
        "vfat" => (82, b"FAT32"),
        "exfat" => (3, b"EXFAT   "),
        "ext4" => (1080, &[0x53, 0xef]),
        _ => (0, b""),
    };
    bytes[at..at + mark.len()].copy_from_slice(mark);
    bytes[510..512].copy_from_slice(&[0x55, 0xaa]);
    bytes
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        for folder in ["block", "dev"] {
            fs::create_dir(machine.0.path().join(folder)).unwrap();
        }
        machine
    }

    /// Adds a disk on a bus, with its partitions: number and file system.
    fn disk(&self, bus: &str, name: &str, removable: &str, size: &str, parts: &[(u32, &str)]) {
        let folder = self.0.path().join("devices").join(bus).join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("removable"), format!("{removable}\n")).unwrap();
        fs::write(folder.join("size"), format!("{size}\n")).unwrap();
        fs::write(self.0.path().join("dev").join(name), filesystem("")).unwrap();
        fs::write(folder.join("dev"), format!("{name}:0\n")).unwrap();
        for (number, on_it) in parts {
            let part = format!("{name}{number}");
            fs::create_dir(folder.join(&part)).unwrap();
            fs::write(folder.join(&part).join("partition"), number.to_string()).unwrap();
            fs::write(folder.join(&part).join("dev"), format!("{name}:{number}\n")).unwrap();
            fs::write(self.0.path().join("dev").join(&part), filesystem(on_it)).unwrap();
        }
        symlink(&folder, self.0.path().join("block").join(name)).unwrap();
    }

    /// The name of the partition that is found, or the message.
    fn one(&self, mounts: &str) -> Result<String, String> {
        let (block, dev) = (self.0.path().join("block"), self.0.path().join("dev"));
        let found = Disks { block: &block, dev: &dev, mounts }.one();
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        found.map(name).map_err(|failure| format!("{} {failure}", failure.code()))
    }
}

#[test]
fn the_one_stick_is_found_whatever_its_file_system() {
    for (on_it, removable, bus) in
        [("vfat", "1", "pci/usb1"), ("exfat", "0", "pci/usb1"), ("ext4", "1", "sdhci")]
    {
        let machine = Machine::new();
        // The card of the machine itself.
        machine.disk("mmc0", "mmcblk0", "0", "1000", &[(1, "vfat"), (2, "ext4")]);
        // A card reader without a card.
        machine.disk("pci/usb2", "sdb", "1", "0", &[]);
        machine.disk(bus, "sda", removable, "1000", &[(1, on_it), (2, "none")]);
        assert_eq!(machine.one("").as_deref(), Ok("sda1"), "{on_it}");
    }
}

#[test]
fn a_stick_without_partitions_is_found() {
    let machine = Machine::new();
    machine.disk("pci/usb1", "sda", "1", "1000", &[]);
    fs::write(machine.0.path().join("dev/sda"), filesystem("vfat")).unwrap();
    assert_eq!(machine.one("").as_deref(), Ok("sda"));
}

#[test]
fn no_stick_and_several_sticks_are_named() {
    let machine = Machine::new();
    let said = machine.one("").unwrap_err();
    assert!(said.starts_with("no-stick no USB stick with a FAT, exFAT or ext4"), "{said}");
    machine.disk("pci/usb1", "sda", "1", "1000", &[(1, "ntfs")]);
    assert!(machine.one("").unwrap_err().starts_with("no-stick"));
    machine.disk("pci/usb1", "sdb", "1", "1000", &[(1, "vfat")]);
    assert_eq!(machine.one("").as_deref(), Ok("sdb1"));
    machine.disk("pci/usb1", "sdc", "1", "1000", &[(1, "exfat")]);
    let said = machine.one("").unwrap_err();
    assert!(said.starts_with("several-sticks "), "{said}");
    assert!(said.contains("/sdb1, ") && said.contains("/sdc1"), "{said}");
}

#[test]
fn a_usb_disk_of_which_a_partition_is_mounted_is_no_stick() {
    let machine = Machine::new();
    // The machine was started from it. It has a second system, which is not mounted.
    machine.disk("pci/usb1", "sda", "0", "1000", &[(1, "vfat"), (2, "ext4"), (3, "ext4")]);
    let mounts = "22 1 sda:2 / / rw,noatime shared:1 - ext4 /dev/root rw\n\
        30 22 sda:1 / /media/vera/MY\\040STICK rw - vfat /dev/sda1 rw\n";
    let said = machine.one(mounts).unwrap_err();
    assert!(said.contains("/sda2 is mounted at /: a folder"), "{said}");
    assert!(said.contains("/sda1 is mounted at /media/vera/MY STICK;"), "{said}");
    machine.disk("pci/usb1", "sdb", "1", "1000", &[(1, "vfat")]);
    assert_eq!(machine.one(mounts).as_deref(), Ok("sdb1"));
}

#[test]
fn one_process_at_a_time_uses_a_stick_and_only_root_can_lock_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let lock = StickLock::take_at(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let failure = StickLock::take_at(&path).err().unwrap();
    assert_eq!(failure.code(), "unusable-stick");
    assert!(failure.to_string().starts_with("another backup uses a stick"), "{failure}");
    drop(lock);
    StickLock::take_at(&path).unwrap();
}
