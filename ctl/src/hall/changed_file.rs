//! Notices that the hall file was changed, for a verb that runs for a long time.

use std::{
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::Path,
    time::Duration,
};

use super::Hall;
use crate::{failure::Failure, options::Options};

/// How often [`ChangedFile::look`] is to be called.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What tells a changed file from the file before: inode, size and the times of the last change.
/// `None` without a file.
type Status = Option<[i64; 6]>;

/// The hall file of the command line.
pub struct ChangedFile<'a> {
    options: &'a Options,
    path: &'a Path,
    seen: Status,
    /// The file that was read last; `None` before the first time.
    read: Option<Status>,
}

impl<'a> ChangedFile<'a> {
    /// `None` if the command line names hosts and no file.
    pub fn of(options: &'a Options) -> Option<ChangedFile<'a>> {
        let path = options.hall.as_deref()?;
        Some(ChangedFile { options, path, seen: status(path), read: None })
    }

    /// Reads the file if it has changed. It is read only after it has stayed the same between two
    /// looks: an editor may just write it, or may have removed it for an instant.
    ///
    /// The first look reads it in any case, because it may have changed since the verb began.
    pub fn look(&mut self) -> Option<Result<Hall, Failure>> {
        let status = status(self.path);
        let is_settled = std::mem::replace(&mut self.seen, status) == status;
        if !is_settled || self.read == Some(status) {
            return None;
        }
        self.read = Some(status);
        Hall::of(self.options).transpose()
    }
}

fn status(path: &Path) -> Status {
    let of = |file: Metadata| {
        // The numbers are only compared, so it does not matter that large ones become negative.
        let [inode, size] = [file.ino(), file.size()].map(u64::cast_signed);
        [inode, size, file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()]
    };
    fs::metadata(path).ok().map(of)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::ChangedFile;
    use crate::options::Options;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn a_changed_file_is_read_once_and_only_after_it_has_settled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hall.toml");
        let write = |host: &str| {
            fs::write(&path, format!("[[board]]\nboard = '1'\nhost = '{host}'\n")).unwrap();
        };
        write("a");
        let line = Line::parse_from(["clockctl", "--hall", path.to_str().unwrap()]);
        let mut file = ChangedFile::of(&line.options).unwrap();
        let mut host =
            || file.look().map(|hall| hall.map(|hall| hall.boards[0].target.to_string()));
        let read = |host: &str| Some(Ok::<_, ()>(host.to_owned()));
        let said = |hall: Option<Result<String, crate::failure::Failure>>| {
            hall.map(|hall| hall.map_err(drop))
        };
        assert_eq!([said(host()), said(host())], [read("a"), None]);
        write("clock-2");
        assert_eq!([said(host()), said(host()), said(host())], [None, read("clock-2"), None]);
        // An editor replaces the file while it is looked at.
        fs::remove_file(&path).unwrap();
        assert_eq!(said(host()), None);
        write("clock-33");
        assert_eq!([said(host()), said(host())], [None, read("clock-33")]);
        fs::remove_file(&path).unwrap();
        assert_eq!([said(host()), said(host()), said(host())], [None, Some(Err(())), None]);
    }

    #[test]
    fn hosts_of_the_command_line_are_no_file() {
        let line = Line::parse_from(["clockctl", "--host", "a"]);
        assert!(ChangedFile::of(&line.options).is_none());
    }
}
