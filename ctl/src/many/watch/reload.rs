//! Takes a hall file that was changed while it is watched, for example because a board has got
//! another clock.

use std::{
    fs::{self, Metadata},
    future::pending,
    os::unix::fs::MetadataExt,
    path::Path,
    time::Duration,
};

use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::{
    failure::Failure,
    hall::{Board, Hall},
    options::Options,
};

/// The interval at which the file is checked for changes.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What has come of a changed file.
pub enum Reloaded {
    /// The boards of the file, and what is different, if it is something to be told.
    Hall { hall: Hall, said: Option<String> },
    /// Why the file cannot be used.
    Wrong(String),
}

/// The hall file that is being watched.
pub struct Reload<'a> {
    file: Option<ChangedFile<'a>>,
    path: &'a Path,
    looks: Interval,
    /// Whether the file could not be used when it was read last.
    is_wrong: bool,
}

impl<'a> Reload<'a> {
    pub fn of(options: &'a Options) -> Reload<'a> {
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let path = options.hall.as_deref().unwrap_or(Path::new(""));
        Reload { file: ChangedFile::of(options), path, looks, is_wrong: false }
    }

    /// Waits until the file has changed. `hall` is what is watched now. Nothing is lost if the
    /// future is dropped.
    pub async fn next(&mut self, hall: &Hall) -> Reloaded {
        let Some(file) = &mut self.file else { return pending().await };
        let read = loop {
            self.looks.tick().await;
            if let Some(read) = file.look() {
                break read;
            }
        };
        let was_wrong = std::mem::replace(&mut self.is_wrong, read.is_err());
        match read {
            Ok(after) => {
                let changes = changes(&hall.boards, &after.boards);
                let said = match changes.is_empty() {
                    false => Some(changes.join("; ")),
                    true if was_wrong => Some("the boards are as before".to_owned()),
                    true => None,
                };
                let said =
                    said.map(|said| format!("{} was read again: {said}", self.path.display()));
                Reloaded::Hall { hall: after, said }
            }
            Err(failure) => Reloaded::Wrong(format!("{failure}; the boards stay as they were")),
        }
    }
}

/// What tells a changed file from the file before: inode, size and the times of the last change.
/// `None` without a file.
type Status = Option<[i64; 6]>;

/// The hall file of the command line.
struct ChangedFile<'a> {
    options: &'a Options,
    path: &'a Path,
    seen: Status,
    /// The file that was read last; `None` before the first time.
    read: Option<Status>,
}

impl<'a> ChangedFile<'a> {
    /// `None` if the command line names hosts and no file.
    fn of(options: &'a Options) -> Option<ChangedFile<'a>> {
        let path = options.hall.as_deref()?;
        Some(ChangedFile { options, path, seen: status(path), read: None })
    }

    /// Reads the file if it has changed. It is read only after it has stayed the same between two
    /// looks: an editor may just write it, or may have removed it for an instant.
    ///
    /// The first look reads it in any case, because it may have changed since the verb began.
    fn look(&mut self) -> Option<Result<Hall, Failure>> {
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

/// Which boards have another clock, are new or are left out.
fn changes(before: &[Board], after: &[Board]) -> Vec<String> {
    let find = |boards: &'_ [Board], name: &str| {
        boards.iter().find(|board| board.name == name).map(|board| board.target.clone())
    };
    let of_after = after.iter().filter_map(|Board { name, target, .. }| match find(before, name) {
        None => Some(format!("board {name} is new, on {target}")),
        Some(earlier) if earlier != *target => {
            Some(format!("board {name} is on {target} now, before: {earlier}"))
        }
        Some(_) => None,
    });
    let left_out = before.iter().filter(|board| find(after, &board.name).is_none());
    let left_out = left_out.map(|board| format!("board {} is left out", board.name));
    of_after.chain(left_out).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::{ChangedFile, changes};
    use crate::{failure::Failure, hall::Board, options::Options, target::Target};

    fn boards(boards: &[(&str, &str)]) -> Vec<Board> {
        let board = |(name, host): &(&str, &str)| {
            Board::new((*name).to_owned(), Target::Host(host.parse().unwrap()))
        };
        boards.iter().map(board).collect()
    }

    #[test]
    fn every_board_that_differs_is_named() {
        let before = boards(&[("1", "a"), ("2", "b"), ("3", "c")]);
        let after = boards(&[("3", "c"), ("1", "spare"), ("4", "d")]);
        let expected =
            ["board 1 is on spare now, before: a", "board 4 is new, on d", "board 2 is left out"];
        assert_eq!(changes(&before, &after), expected);
        assert_eq!(changes(&before, &before), [""; 0]);
    }

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
        let said = |hall: Option<Result<String, Failure>>| hall.map(|hall| hall.map_err(drop));
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
