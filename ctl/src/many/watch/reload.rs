//! Takes a hall file that was changed while it is watched, for example because a board has got
//! another clock.

use std::{future::pending, path::Path};

use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::{
    hall::{
        Board, Hall,
        changed_file::{ChangedFile, LOOK_EVERY},
    },
    options::Options,
};

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
    use super::changes;
    use crate::{hall::Board, target::Target};

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
}
