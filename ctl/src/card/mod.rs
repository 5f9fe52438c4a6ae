//! The boot partition of a card: a folder where it is mounted, the card's device, or an image file.
//!
//! The files of a device or an image are read and written by mtools, which needs no mount and, for an
//! image, no root.

mod partition;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use clock_controls::{FILE_LIMIT, open_regular, replace_file};

use crate::failure::Failure;

/// Every boot partition of a Raspberry Pi has at least one of these files.
const BOOT_FILES: [&str; 2] = ["config.txt", "cmdline.txt"];

/// The boot partition of a card.
#[derive(Debug)]
pub struct Card {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// The partition is mounted at `path`.
    Folder,
    /// The partition begins at this byte of `path`.
    Partition(u64),
}

impl Card {
    /// Finds the boot partition of a card.
    ///
    /// # Errors
    ///
    /// There is no boot partition, or the card is in use.
    pub fn open(path: &Path) -> Result<Card, Failure> {
        let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
        let io_error = |error: io::Error| wrong(error.to_string());
        let kind = fs::metadata(path).map_err(io_error)?.file_type();
        let place = if kind.is_dir() {
            Place::Folder
        } else {
            let mut card = if kind.is_block_device() {
                check_unmounted(path)?;
                File::open(path).map_err(io_error)?
            } else {
                open_regular(path).map_err(io_error)?
            };
            let found = partition::fat_partition(&mut card).map_err(io_error)?;
            Place::Partition(found.map_err(|why| {
                wrong(format!(
                    "{why}; expected a card, its image, or the folder of its boot partition"
                ))
            })?)
        };
        let card = Card { path: path.to_owned(), place };
        for file in BOOT_FILES {
            if card.read(file)?.is_some() {
                return Ok(card);
            }
        }
        let files = BOOT_FILES.join(" and no ");
        Err(wrong(format!("it has no {files}; expected the boot partition of a clock's card")))
    }

    /// The contents of a file of the boot partition; `None` if it has no such file.
    ///
    /// # Errors
    ///
    /// The card cannot be read, or the file is larger than [`FILE_LIMIT`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let bytes = match self.place {
            Place::Folder => match open_regular(&self.path.join(name)).and_then(limited) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(self.unreadable(&error.to_string())),
            },
            Place::Partition(offset) => {
                let output = self.mtools("mtype", offset, &[&format!("::/{name}")], b"")?;
                let is_too_long = output.stdout.len() > FILE_LIMIT;
                match output.status.success() || is_too_long {
                    true => output.stdout,
                    false if said(&output).contains("not found") => return Ok(None),
                    false => return Err(self.unreadable(&said(&output))),
                }
            }
        };
        match bytes.len() > FILE_LIMIT {
            true => {
                Err(self.unreadable(&format!("{name} is larger than {} KiB", FILE_LIMIT / 1024)))
            }
            false => Ok(Some(bytes)),
        }
    }

    /// Writes a file of the boot partition, in place of an earlier one. Waits until it is on the card.
    ///
    /// # Errors
    ///
    /// The card cannot be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), Failure> {
        match self.place {
            // Only its owner may read the file, because it has a passphrase.
            Place::Folder => replace_file(&self.path.join(name), contents),
            Place::Partition(offset) => {
                self.write_partition(offset, name, contents)?;
                File::open(&self.path).and_then(|card| card.sync_all())
            }
        }
        .map_err(|error| self.failed(&error.to_string()))
    }

    /// mcopy reports no failure if the partition is full, and has removed the earlier file by then. So
    /// the new file is written beside it and read again before it takes its place.
    fn write_partition(&self, offset: u64, name: &str, contents: &[u8]) -> Result<(), Failure> {
        let new = format!("{}.new", name.split('.').next().unwrap_or(name));
        let (from, to) = (format!("::/{new}"), format!("::/{name}"));
        let done = |output: Output| match output.status.success() {
            true => Ok(()),
            false => Err(self.failed(&said(&output))),
        };
        let copied = self.mtools("mcopy", offset, &["-o", "-", &from], contents)?;
        let why = said(&copied);
        if !copied.status.success() || self.read(&new)?.as_deref() != Some(contents) {
            // Removes an incomplete file, if there is one.
            let _ = self.mtools("mdel", offset, &[&from], b"");
            return Err(self.failed(if why.is_empty() {
                "the file was not written"
            } else {
                &why
            }));
        }
        done(self.mtools("mren", offset, &["-o", &from, &to], b"")?)
    }

    fn unreadable(&self, why: &str) -> Failure {
        Failure::Usage(format!("{}: {why}", self.path.display()))
    }

    fn failed(&self, why: &str) -> Failure {
        let why = format!("{}: {why}", self.path.display());
        Failure::Output(io::Error::other(why))
    }

    /// Runs a program of mtools with this input. Of its output, at most the bytes of [`limited`]
    /// are read.
    fn mtools(
        &self,
        program: &str,
        offset: u64,
        arguments: &[&str],
        input: &[u8],
    ) -> Result<Output, Failure> {
        let image = format!("{}@@{offset}", self.path.display());
        let mut command = Command::new(program);
        command.args(["-i", &image]).args(arguments).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Failure::Usage(format!(
                "{program} is needed for a card that is not mounted: sudo apt-get install mtools"
            )),
            _ => Failure::Usage(format!("{program}: {error}")),
        };
        let mut child = command.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take();
        if let Some(stdin) = &mut stdin {
            // A program that fails may not read its input. Its message says why it has failed.
            let _ = stdin.write_all(input);
        }
        drop(stdin);
        // If the program writes more, the kernel ends it (SIGPIPE), because the pipe is closed
        // then.
        let stdout = child.stdout.take().map(limited).transpose().map_err(failed)?;
        let output = child.wait_with_output().map_err(failed)?;
        Ok(Output { stdout: stdout.unwrap_or_default(), ..output })
    }
}

/// The bytes of a file or a pipe, up to one more than [`FILE_LIMIT`].
fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(FILE_LIMIT).unwrap_or(u64::MAX).saturating_add(1);
    from.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")
}

/// Refuses a device of which a partition is mounted: mtools would write below the mounted file system.
fn check_unmounted(device: &Path) -> Result<(), Failure> {
    let device = fs::canonicalize(device).unwrap_or_else(|_| device.to_owned());
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    match mounted_at(&mounts, &device.to_string_lossy()) {
        None => Ok(()),
        Some((partition, folder)) => Err(Failure::Usage(format!(
            "{partition} is mounted at {folder}: give that folder if it is the boot partition, or unmount it first"
        ))),
    }
}

/// The partition of a device that is mounted, or the device itself, and where it is mounted.
fn mounted_at<'a>(mounts: &'a str, device: &str) -> Option<(&'a str, String)> {
    mounts.lines().find_map(|line| {
        let (source, rest) = line.split_once(' ')?;
        let number = source.strip_prefix(device)?;
        let number = number.strip_prefix('p').unwrap_or(number);
        let is_of_it =
            source == device || !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        let folder = rest.split(' ').next()?.replace("\\040", " ");
        is_of_it.then_some((source, folder))
    })
}

#[cfg(test)]
mod tests {
    use super::mounted_at;

    #[test]
    fn a_mounted_partition_of_a_device_is_found() {
        let mounts =
            "/dev/sdb1 /media/vera/CLOCK\\040BOOT vfat rw 0 0\n/dev/mmcblk0p2 / ext4 rw 0 0\n";
        let (sdb1, boot) = ("/dev/sdb1", "/media/vera/CLOCK BOOT".to_owned());
        assert_eq!(mounted_at(mounts, "/dev/sdb"), Some((sdb1, boot.clone())));
        assert_eq!(mounted_at(mounts, "/dev/sdb1"), Some((sdb1, boot)));
        assert_eq!(mounted_at(mounts, "/dev/mmcblk0"), Some(("/dev/mmcblk0p2", "/".to_owned())));
        for other in ["/dev/sd", "/dev/sda", "/dev/mmcblk"] {
            assert_eq!(mounted_at(mounts, other), None, "{other}");
        }
    }
}
