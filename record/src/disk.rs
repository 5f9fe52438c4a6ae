//! The operations that change a file or wait for the disk. The tests put a disk in their place that fails.

use rustix::fs::{fdatasync, ftruncate};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// The operations that change a file or wait for the disk.
pub trait Disk {
    /// Writes at the end of the file.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()>;
    /// Waits until the contents of the file are on the disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Cuts the file off at this length.
    fn truncate(&self, file: &File, length: u64) -> io::Result<()>;
    /// Waits until the names in the folder are on the disk.
    fn sync_names(&self, folder: &Path) -> io::Result<()>;
}

/// The disk of the system.
pub struct RealDisk;

impl Disk for RealDisk {
    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        Ok(fdatasync(file)?)
    }

    fn truncate(&self, file: &File, length: u64) -> io::Result<()> {
        Ok(ftruncate(file, length)?)
    }

    fn sync_names(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}
