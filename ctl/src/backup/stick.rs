//! Finds the USB stick that is connected to this machine, and mounts its file system in a folder that
//! only root can open.

use std::ffi::CString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use crate::failure::Failure;

/// The file that is locked while a process uses a stick.
const LOCK: &str = "/run/chess-clock-stick.lock";
/// The folder in which a stick is mounted. Only root can open its parent folder. The permissions of the
/// folder itself would not be enough: after the mount, those of the root folder of the stick count.
const MOUNT_POINT: &str = "/run/chess-clock-stick/mounted";
/// The end of the message of an error if no stick was found.
const INSTEAD: &str = "a folder, a file, or a partition such as /dev/sda1 can be given instead";

/// Finds the disks of a machine. The fields are the folders and the text in which the kernel describes the
/// disks. Tests use other folders and another text in their place.
pub struct Disks<'a> {
    /// The folder with a folder for each disk: `/sys/block`.
    pub block: &'a Path,
    /// The folder of the devices.
    pub dev: &'a Path,
    /// The text of `/proc/self/mountinfo`.
    pub mounts: &'a str,
}

/// The file systems on removable disks and USB disks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// The partitions that can be used: they have a known file system, and no partition of the same
    /// disk is mounted.
    free: Vec<PathBuf>,
    /// The partitions that are mounted, and where.
    mounted: Vec<(PathBuf, String)>,
}

impl Disks<'_> {
    /// The partition of the one USB stick.
    ///
    /// # Errors
    ///
    /// There is no stick, or more than one file system.
    pub fn one(&self) -> Result<PathBuf, Failure> {
        let Found { mut free, mounted } = self.found();
        let list = |paths: &[PathBuf]| {
            let names: Vec<String> = paths.iter().map(|it| it.display().to_string()).collect();
            names.join(", ")
        };
        if free.len() > 1 {
            let message = format!(
                "there are several file systems on USB sticks: {}; leave one, or give its partition",
                list(&free)
            );
            return Err(Failure::Stick { code: "several-sticks", message });
        }
        free.pop().ok_or_else(|| {
            let mounted = mounted.iter().map(|(partition, folder)| {
                format!("; {} is mounted at {folder}", partition.display())
            });
            let message = format!(
                "no USB stick with a FAT, exFAT or ext4 file system is connected{}: {INSTEAD}",
                mounted.collect::<String>()
            );
            Failure::Stick { code: "no-stick", message }
        })
    }

    fn found(&self) -> Found {
        let mut found = Found::default();
        let mut disks: Vec<PathBuf> = fs::read_dir(self.block)
            .map(|disks| disks.flatten().map(|disk| disk.path()).collect())
            .unwrap_or_default();
        disks.sort();
        for disk in disks {
            let is_set = |file: &str| {
                fs::read_to_string(disk.join(file)).is_ok_and(|text| text.trim() != "0")
            };
            // A card reader without a card has the size 0.
            let is_stick = (is_set("removable") || is_usb(&disk)) && is_set("size");
            if !is_stick {
                continue;
            }
            let parts = partitions(&disk);
            let mounted: Vec<(PathBuf, String)> = parts
                .iter()
                .filter_map(|part| Some((self.device(part)?, self.mounted_at(part)?)))
                .collect();
            // The machine itself can run from such a disk. If one partition of a disk is mounted, its
            // other partitions are not used either.
            if mounted.is_empty() {
                let devices = parts.iter().filter_map(|part| self.device(part));
                found.free.extend(devices.filter(|device| {
                    filesystem_of(device).is_ok_and(|filesystem| filesystem.is_some())
                }));
            }
            found.mounted.extend(mounted);
        }
        found
    }

    fn device(&self, part: &Path) -> Option<PathBuf> {
        part.file_name().map(|name| self.dev.join(name))
    }

    /// The folder at which the partition is mounted; `None` if it is not mounted.
    fn mounted_at(&self, part: &Path) -> Option<String> {
        let number = fs::read_to_string(part.join("dev")).ok()?;
        mounted_at(self.mounts, number.trim())
    }
}

/// The folder at which a device is mounted; `None` if it is not mounted. `mounts` is the text of
/// `/proc/self/mountinfo`, and `number` is the major and the minor number of the device: `8:1`.
pub fn mounted_at(mounts: &str, number: &str) -> Option<String> {
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let is_of_it = words.nth(2) == Some(number);
        words.nth(1).filter(|_| is_of_it).map(|folder| folder.replace("\\040", " "))
    })
}

fn is_usb(disk: &Path) -> bool {
    let path = fs::canonicalize(disk).unwrap_or_default();
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("usb"))
}

/// The partitions of a disk and the disk itself, which can have a file system without partitions.
fn partitions(disk: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(disk).map(|it| it.flatten().collect()).unwrap_or_else(|_| vec![]);
    let paths = folders.into_iter().map(|entry| entry.path());
    let mut parts: Vec<PathBuf> = paths.filter(|part| part.join("partition").exists()).collect();
    parts.sort();
    parts.push(disk.to_owned());
    parts
}

/// The name of the file system on a device, recognised by its first 2,048 bytes: `exfat`, `vfat` or
/// `ext4`; `None` for any other contents.
fn filesystem_of(device: &Path) -> io::Result<Option<&'static str>> {
    let file = File::open(device)?;
    let mut bytes = [0; 2048];
    match file.read_exact_at(&mut bytes, 0) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let has_fat = &bytes[54..57] == b"FAT" || &bytes[82..85] == b"FAT";
    Ok(if &bytes[3..11] == b"EXFAT   " {
        Some("exfat")
    } else if has_fat && bytes[510..512] == [0x55, 0xaa] {
        Some("vfat")
    } else if bytes[1024 + 56..1024 + 58] == [0x53, 0xef] {
        Some("ext4")
    } else {
        None
    })
}

/// A lock that a process holds while it uses a stick. Only one process at a time can hold it.
pub struct StickLock {
    _file: File,
}

impl StickLock {
    /// Takes the lock. If a process was killed and has left its stick mounted, the stick is unmounted.
    ///
    /// # Errors
    ///
    /// Another process has the lock.
    pub fn take() -> Result<StickLock, Failure> {
        let lock = StickLock::take_at(Path::new(LOCK))?;
        let _ = unmount(MOUNT_POINT, UnmountFlags::DETACH);
        Ok(lock)
    }

    fn take_at(path: &Path) -> Result<StickLock, Failure> {
        let failed = |message| Failure::Stick { code: "unusable-stick", message };
        let wrong = |error: io::Error| failed(format!("{}: {error}", path.display()));
        // Only root may open the file, because every user who can open it could lock it.
        let mut options = File::options();
        let file = options.write(true).create(true).truncate(false).mode(0o600).open(path);
        let file = file.map_err(wrong)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(StickLock { _file: file }),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let message =
                    "another backup uses a stick at this moment; try again when it is done";
                Err(failed(message.to_owned()))
            }
            Err(error) => Err(wrong(error.into())),
        }
    }
}

/// A stick that is mounted. It is unmounted when the value is dropped.
pub struct Stick {
    is_mounted: bool,
    _lock: StickLock,
}

impl Stick {
    /// Mounts the file system of this partition, read-only unless `writes`.
    ///
    /// # Errors
    ///
    /// The partition has no known file system, or the kernel cannot mount it.
    pub fn mount(lock: StickLock, device: &Path, writes: bool) -> Result<Stick, Failure> {
        let wrong = |why: String| {
            let message = format!("{}: {why}", device.display());
            Failure::Stick { code: "unusable-stick", message }
        };
        let io_error = |error: io::Error| wrong(error.to_string());
        let filesystem = filesystem_of(device)
            .map_err(io_error)?
            .ok_or_else(|| wrong("it has no FAT, exFAT or ext4 file system".to_owned()))?;
        DirBuilder::new().recursive(true).mode(0o700).create(MOUNT_POINT).map_err(io_error)?;
        let mut flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        flags.set(MountFlags::RDONLY, !writes);
        // The file system itself can contain the setting `errors=panic`: the kernel then stops the machine
        // when it finds an error in the file system. This option has priority over that setting.
        let options = if filesystem == "ext4" { c"errors=remount-ro" } else { c"umask=0077" };
        let source = CString::new(device.to_string_lossy().into_owned()).map_err(io::Error::other);
        mount(source.map_err(io_error)?, MOUNT_POINT, filesystem, flags, options)
            .map_err(|error| wrong(format!("it cannot be mounted as {filesystem}: {error}")))?;
        Ok(Stick { is_mounted: true, _lock: lock })
    }

    /// The folder of the file system.
    pub fn folder(&self) -> &Path {
        Path::new(MOUNT_POINT)
    }

    /// Unmounts the stick. When this has succeeded, all data is on the stick, and it can be pulled out.
    pub fn unmount(mut self) -> io::Result<()> {
        self.is_mounted = false;
        for _ in 0..20 {
            match unmount(MOUNT_POINT, UnmountFlags::empty()) {
                Ok(()) => return Ok(()),
                // Another process has a file or a folder of the stick open.
                Err(rustix::io::Errno::BUSY) => sleep(Duration::from_millis(100)),
                Err(error) => return Err(error.into()),
            }
        }
        unmount(MOUNT_POINT, UnmountFlags::DETACH)?;
        Err(io::Error::other("another program uses the stick; wait before it is pulled out"))
    }
}

impl Drop for Stick {
    fn drop(&mut self) {
        if self.is_mounted {
            let _ = unmount(MOUNT_POINT, UnmountFlags::DETACH);
        }
    }
}

#[cfg(test)]
mod tests;
