//! Reads the text of a small file. The path can name anything: a pipe, a device or a file that is
//! too large gives an error, and nothing blocks the program.

use clock_engine::text::{FileError, plain_system_errors};
use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The largest file that is read, in bytes. The largest shipped control file has less than 1 KiB.
pub const FILE_LIMIT: usize = 64 * 1024;

/// Why the text of a file cannot be returned.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read, is not a regular file, or is too large.
    #[error("{}", in_plain_words(.0))]
    Io(#[from] io::Error),
    /// The file is not UTF-8; the error has the line.
    #[error(transparent)]
    NotText(#[from] FileError),
}

/// The text of a regular file of at most [`FILE_LIMIT`] bytes.
///
/// A pipe could block for ever and a device could fill the memory, so neither is opened.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(not_regular().into());
    }
    let file = open_regular(path)?;
    let mut bytes = Vec::new();
    // One byte more than the limit is read, to detect a file that is larger.
    let limit = u64::try_from(FILE_LIMIT).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() > FILE_LIMIT {
        return Err(io::Error::other(format!("larger than {} KiB", FILE_LIMIT / 1024)).into());
    }
    Ok(FileError::text(bytes)?)
}

/// Opens a regular file with `NONBLOCK`, so that neither opening nor reading it blocks. Without
/// `NONBLOCK`, opening would wait if another program had put a pipe in the place of a file that was
/// checked before. Reading some files of /proc, such as kmsg, would wait for data.
///
/// # Errors
///
/// The file cannot be opened, or is a folder, a pipe, a socket or a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Why a file cannot be read. A path with the character 0 (NUL) is not given to the system: the
/// library refuses it, in its own words.
pub(crate) fn in_plain_words(error: &io::Error) -> String {
    match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::InvalidInput, None) => "this cannot be the path of a file".to_owned(),
        _ => plain_system_errors(&error.to_string()),
    }
}

fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, vec![b' '; FILE_LIMIT]).unwrap();
        assert_eq!(read_text(&path).unwrap().len(), FILE_LIMIT);
        std::fs::write(&path, vec![b' '; FILE_LIMIT + 1]).unwrap();
        assert_eq!(read_text(&path).unwrap_err().to_string(), "larger than 64 KiB");
        for other in [folder.path(), Path::new("/dev/zero")] {
            assert_eq!(read_text(other).unwrap_err().to_string(), "not a regular file");
        }
        let missing = read_text(&folder.path().join("missing")).unwrap_err();
        assert!(matches!(missing, ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound));
    }

    #[test]
    fn a_pipe_in_the_place_of_a_file_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
        // Without `NONBLOCK`, opening a pipe waits for a program that writes to it.
        let (opened, is_opened) = std::sync::mpsc::channel();
        std::thread::spawn(move || opened.send(open_regular(&path).map(drop)));
        let opened = is_opened.recv_timeout(std::time::Duration::from_secs(30)).unwrap();
        assert_eq!(opened.unwrap_err().to_string(), "not a regular file");
    }

    #[test]
    fn bytes_that_are_no_text_are_reported_with_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, b"name = 'x'\n\xff\n").unwrap();
        assert_eq!(read_text(&path).unwrap_err().to_string(), "2:1: not UTF-8 text");
        std::fs::write(&path, b"name = 'x'\nn\0\n").unwrap();
        let nul = "2:2: the character 0 (NUL), which no text has";
        assert_eq!(read_text(&path).unwrap_err().to_string(), nul);
    }
}
