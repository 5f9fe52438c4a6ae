//! Which hall file a command line means, and which of its boards.
//!
//! A hall file is implied only where a hall is meant without doubt: with `--boards`, and for a verb that
//! works with a hall alone. `clockctl pause` in a folder with a hall file is still for the clock of this
//! machine, so a file that lies there never makes a command reach other clocks.

use std::{
    borrow::Borrow,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::{
    board::{Board, Hall},
    file::read,
};
use crate::{
    failure::Failure,
    options::Options,
    target::{Host, Target},
};

/// The environment variable with the path of the hall file.
const VARIABLE: &str = "CLOCKCTL_HALL";
/// The hall file in the working folder.
const IN_FOLDER: &str = "hall.toml";

/// The hall file that is meant if none is named: that of `CLOCKCTL_HALL`, otherwise `hall.toml` in the
/// working folder. `None` if there is neither.
pub fn implied_file() -> Option<PathBuf> {
    first_of(env::var_os(VARIABLE), Path::new(IN_FOLDER).exists())
}

/// An empty variable counts as none.
fn first_of(variable: Option<OsString>, is_in_folder: bool) -> Option<PathBuf> {
    let named = variable.filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| is_in_folder.then(|| PathBuf::from(IN_FOLDER)))
}

/// Puts the implied hall file into the options if the command line means a hall and names none.
/// `needs_hall`: whether the verb works with a hall alone.
pub fn imply(options: &mut Options, needs_hall: bool) -> Result<(), Failure> {
    let is_named = options.hall.is_some() || !options.hosts.is_empty() || options.bus.is_some();
    let is_meant = options.boards.is_some() || needs_hall;
    if is_named || !is_meant {
        return Ok(());
    }
    let Some(file) = implied_file() else {
        let option = if options.boards.is_some() { "--boards" } else { "--pairings" };
        return Err(Failure::Usage(format!(
            "{option} needs the boards of a hall, and no hall file is named: give --hall FILE, set \
             {VARIABLE}, or work in the folder of {IN_FOLDER}"
        )));
    };
    options.hall = Some(file);
    options.is_hall_implied = true;
    Ok(())
}

impl Hall {
    /// The boards of `--host` or of `--hall`, as far as `--boards` names them; `None` if the command
    /// line names no host and no hall.
    pub fn of(options: &Options) -> Result<Option<Hall>, Failure> {
        let hall = if !options.hosts.is_empty() {
            Hall::of_hosts(&options.hosts)?
        } else if let Some(path) = &options.hall {
            read(path)?
        } else {
            return Ok(None);
        };
        let hall = match &options.boards {
            None => hall,
            Some(text) => hall.only(text)?,
        };
        if options.revision.is_some() && hall.boards.iter().any(|board| board.revision.is_some()) {
            let why = "--boards has a revision already: leave --if-revision out";
            return Err(Failure::Usage(why.to_owned()));
        }
        Ok(Some(hall))
    }

    /// Refuses a host that is named twice, because its clock would get each command twice.
    fn of_hosts(hosts: &[Host]) -> Result<Hall, Failure> {
        let mut boards: Vec<Board> = Vec::new();
        for host in hosts {
            let board = Board::new(host.name().to_owned(), Target::Host(host.clone()));
            if boards.iter().any(|other| other.target.is_same_clock(&board.target)) {
                return Err(Failure::Usage(format!("{} is named twice", board.target)));
            }
            boards.push(board);
        }
        Ok(Hall { boards, are_chosen: true, ..Hall::default() })
    }

    fn only(mut self, text: &str) -> Result<Hall, Failure> {
        self.boards = choose(text, self.boards).map_err(Failure::Usage)?;
        self.are_chosen = true;
        Ok(self)
    }
}

/// Returns the boards that `text` names, in the order of the hall. `text` is a list such as `7`, `1,3-5`
/// or `A2`. `3@212` names board 3 and the revision 212 of its clock. `all` names every board.
fn choose(text: &str, boards: Vec<Board>) -> Result<Vec<Board>, String> {
    if text == "all" {
        return Ok(boards);
    }
    let mut chosen = vec![false; boards.len()];
    let mut boards = boards;
    for part in text.split(',').map(str::trim) {
        let (part, revision) = with_revision(part, &boards)?;
        let mut found = false;
        for (board, chosen) in boards.iter_mut().zip(&mut chosen) {
            if is_meant(part, &board.name)? {
                if board.revision.is_some() && revision.is_some() && board.revision != revision {
                    return Err(format!("--boards: board {} has two revisions", board.name));
                }
                board.revision = board.revision.or(revision);
                *chosen = true;
                found = true;
            }
        }
        if !found {
            let names: Vec<&str> = boards.iter().map(|board| board.name.as_str()).collect();
            return Err(format!(
                "--boards: the hall has no board {part:?}; it has {}",
                shortened(&names, 12, ", ")
            ));
        }
    }
    let kept = boards.into_iter().zip(chosen).filter(|(_, chosen)| *chosen);
    Ok(kept.map(|(board, _)| board).collect())
}

/// Takes the revision off a part of `--boards`. A name in the hall can itself have an `@`.
fn with_revision<'a>(part: &'a str, boards: &[Board]) -> Result<(&'a str, Option<u64>), String> {
    let is_name = |text: &str| boards.iter().any(|board| board.name == text);
    let Some((name, revision)) = part.rsplit_once('@').filter(|_| !is_name(part)) else {
        return Ok((part, None));
    };
    let Ok(revision) = revision.parse() else {
        return Err(format!(
            "--boards: {part:?}: expected a board and the revision of its clock, such as 3@212"
        ));
    };
    if !is_name(name) && (name == "all" || range(name).is_some()) {
        return Err(format!(
            "--boards: {part}: a revision is that of one clock; name each board with its own, such as \
             3@212,4@97"
        ));
    }
    Ok((name, Some(revision)))
}

/// Whether a part of `--boards`, a name or a range of numbers, means the board of this name.
fn is_meant(part: &str, name: &str) -> Result<bool, String> {
    if part == name {
        return Ok(true);
    }
    let Some((first, last)) = range(part) else { return Ok(false) };
    if first > last {
        return Err(format!("--boards: the range {part} ends before it begins"));
    }
    Ok(name.parse().is_ok_and(|number: u32| (first..=last).contains(&number)))
}

fn range(part: &str) -> Option<(u32, u32)> {
    let (first, last) = part.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The names, of a long list only the first ones.
pub fn shortened(names: &[impl Borrow<str>], shown: usize, separator: &str) -> String {
    match names.get(shown..) {
        Some(rest) if !rest.is_empty() => {
            format!("{} and {} more", names[..shown].join(separator), rest.len())
        }
        _ => names.join(separator),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Board, choose, first_of};
    use crate::target::Target;

    fn hall() -> Vec<Board> {
        let board = |name: &str| Board::new(name.to_owned(), Target::SystemBus);
        ["1", "2", "3", "10", "A2", "live-1", "a@b"].map(board).into()
    }

    fn names(text: &str) -> Result<Vec<String>, String> {
        choose(text, hall()).map(|boards| boards.into_iter().map(|board| board.name).collect())
    }

    #[test]
    fn boards_are_named_by_number_range_or_name_and_keep_the_order_of_the_hall() {
        assert_eq!(names("3,1").unwrap(), ["1", "3"]);
        assert_eq!(names("2-10, A2").unwrap(), ["2", "3", "10", "A2"]);
        assert_eq!(names("live-1").unwrap(), ["live-1"]);
        assert_eq!(names("1,1-2").unwrap(), ["1", "2"]);
        assert_eq!(names("all").unwrap().len(), 7);
    }

    #[test]
    fn a_board_that_is_not_in_the_hall_is_named_in_the_error() {
        assert!(names("1,4").unwrap_err().contains("no board \"4\"; it has 1, 2, 3, 10"));
        assert!(names("4-9").unwrap_err().contains("no board \"4-9\""));
        assert!(names("").unwrap_err().contains("no board \"\""));
        assert!(names("3-1").unwrap_err().contains("ends before it begins"));
    }

    #[test]
    fn a_board_can_have_the_revision_of_its_clock() {
        let chosen = |text: &str| {
            let boards = choose(text, hall())?.into_iter();
            Ok::<_, String>(boards.map(|board| (board.name, board.revision)).collect::<Vec<_>>())
        };
        let expected = |boards: &[(&str, Option<u64>)]| {
            Ok(boards.iter().map(|(name, revision)| ((*name).to_owned(), *revision)).collect())
        };
        for (text, boards) in [
            ("3@212, 1,A2@0", &[("1", None), ("3", Some(212)), ("A2", Some(0))][..]),
            ("live-1@7", &[("live-1", Some(7))]),
            ("a@b", &[("a@b", None)]),
            ("a@b@7", &[("a@b", Some(7))]),
            // The board is named twice, and the command still depends on its revision.
            ("1-2,2@5", &[("1", None), ("2", Some(5))]),
            ("2@5,1-2", &[("1", None), ("2", Some(5))]),
        ] {
            assert_eq!(chosen(text), expected(boards), "{text}");
        }
        for (text, said) in [
            ("1-3@212", "1-3@212: a revision is that of one clock"),
            ("all@212", "all@212: a revision is that of one clock"),
            ("4@212", "the hall has no board \"4\""),
            ("3@", "expected a board and the revision of its clock, such as 3@212"),
            ("3@x", "expected a board and the revision of its clock, such as 3@212"),
            ("3@-1", "expected a board and the revision of its clock, such as 3@212"),
            ("3@5,3@6", "board 3 has two revisions"),
        ] {
            assert!(chosen(text).unwrap_err().contains(said), "{text}");
        }
    }

    #[test]
    fn the_variable_comes_before_the_folder() {
        let variable = || Some("/srv/round.toml".into());
        assert_eq!(first_of(variable(), true), Some(PathBuf::from("/srv/round.toml")));
        assert_eq!(first_of(variable(), false), Some(PathBuf::from("/srv/round.toml")));
        assert_eq!(first_of(Some("".into()), true), Some(PathBuf::from("hall.toml")));
        assert_eq!(first_of(None, true), Some(PathBuf::from("hall.toml")));
        assert_eq!(first_of(None, false), None);
    }
}
