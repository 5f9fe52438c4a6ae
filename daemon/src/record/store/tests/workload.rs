//! A list of calls of the store, and what must be on record after each of them.

use super::*;
use crate::game::Ended;
use crate::record::store::{Reader, Retained, StoreError};
use storage_faults::FaultyDisk;

/// One call of the store. It makes at most one transaction.
#[derive(Clone, Debug)]
pub enum StoreCall {
    Append(Vec<NewRow>, Vec<GameChange>, Option<Checkpoint>),
    Retain(u64),
    EmptyLog,
    Reopen,
}

/// What is on record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// For each game: its number, its first entry, its information, its end, and whether it is
    /// adjourned.
    pub games: Vec<(u64, u64, String, Option<Ended>, bool)>,
    pub rows: Vec<NewRow>,
    pub checkpoint: Option<Checkpoint>,
}

impl Contents {
    /// Changes these contents as the call changes the contents of the record.
    pub fn apply(&mut self, call: &StoreCall) {
        match call {
            StoreCall::Append(rows, changes, checkpoint) => {
                self.rows.extend(rows.iter().cloned());
                changes.iter().for_each(|change| self.change(change));
                self.checkpoint = checkpoint.clone().or(self.checkpoint.take());
            }
            StoreCall::Retain(keep) if self.games.len() as u64 > *keep => {
                let last = self.games.len() - 1;
                let oldest = self.games[..last].iter().position(|game| game.3.is_some() && !game.4);
                if let Some(oldest) = oldest {
                    let (game, ..) = self.games.remove(oldest);
                    self.rows.retain(|row| row.game != game);
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, change: &GameChange) {
        match change {
            GameChange::Begin { game, first_entry, info } => {
                self.games.push((*game, *first_entry, info.clone(), None, false));
            }
            GameChange::Info { game, info } => self.game(*game).2.clone_from(info),
            GameChange::Ended { game, ended } => self.game(*game).3 = *ended,
            GameChange::Adjourned { game, adjourned } => self.game(*game).4 = *adjourned,
            GameChange::TakenUp { game, .. } => self.game(*game).4 = false,
        }
    }

    fn game(&mut self, number: u64) -> &mut (u64, u64, String, Option<Ended>, bool) {
        self.games.iter_mut().find(|game| game.0 == number).unwrap()
    }

    /// Reads everything that is on record. The reads compare every digest.
    pub fn read(store: &mut Store, vfs: Option<&str>) -> Result<Contents, StoreError> {
        let current = store.current()?;
        let reader = Reader::open_with(store.path(), vfs)?;
        let mut contents = Contents::default();
        let mut games = reader.games(0, 100)?;
        games.reverse();
        for game in games {
            let mut next = 0;
            loop {
                let page = reader.entries(game.game, next, 200)?;
                let Some(last) = page.last() else { break };
                next = last.row.number + 1;
                contents.rows.extend(page.into_iter().map(|row| row.row));
            }
            assert_eq!(next, game.first_entry + game.entries);
            contents.games.push((
                game.game,
                game.first_entry,
                game.info,
                game.ended,
                game.adjourned,
            ));
        }
        if let Some(current) = current {
            assert_eq!(contents.rows.last().map(|row| row.number), Some(current.last_entry));
            let of_game = |row: &&NewRow| row.game == current.game.game;
            let rows: Vec<&NewRow> = contents.rows.iter().filter(of_game).collect();
            assert!(rows.into_iter().eq(current.rows.iter().map(|row| &row.row)));
            contents.checkpoint = current.checkpoint;
        } else {
            assert_eq!(contents, Contents::default());
        }
        Ok(contents)
    }
}

/// Calls that append `length` entries one by one, and then three more in one transaction that is
/// larger than SQLite's cache. Some entries are small and some are large. Between the appends,
/// checkpoints are set, and games are replaced, adjourned and deleted.
pub fn calls(length: u64) -> Vec<StoreCall> {
    let mut calls = Vec::new();
    let mut game = 0;
    for number in 1..=length {
        let mut changes = Vec::new();
        if number % 6 == 1 {
            if game > 0 {
                changes.push(GameChange::Ended { game, ended: Some(Ended::Replaced) });
                changes.push(GameChange::Adjourned { game, adjourned: game == 2 });
            }
            game += 1;
            changes.push(begin(game, number));
        }
        let mut entry = row(number, game);
        if number % 20 == 19 {
            entry.input = format!("{number} ").repeat(20_000);
        }
        let checkpoint = number.is_multiple_of(3).then(|| checkpoint(number));
        calls.push(StoreCall::Append(vec![entry], changes, checkpoint));
        match number % 6 {
            2 => calls.push(StoreCall::Append(vec![], vec![], Some(self::checkpoint(number)))),
            3 => calls.push(StoreCall::EmptyLog),
            4 if number > 12 => calls.push(StoreCall::Retain(2)),
            5 => calls.push(StoreCall::Reopen),
            0 => calls.push(StoreCall::Append(
                vec![],
                vec![GameChange::Info { game, info: format!("{{\"changed\":{number}}}") }],
                None,
            )),
            _ => {}
        }
    }
    let mut together = rows(length + 1..length + 4, game);
    for row in &mut together {
        row.state = format!("{} ", row.number).repeat(24_000);
    }
    calls.push(StoreCall::Append(together, vec![], Some(checkpoint(length + 3))));
    calls
}

/// Carries out a call. Opens the store first if it is not open, and leaves it open.
pub fn carry_out(
    store: &mut Option<Store>,
    call: &StoreCall,
    path: &Path,
    disk: &FaultyDisk,
) -> Result<(), StoreError> {
    if store.is_none() {
        let opened = Store::open(path, Some(disk.name()))?;
        assert!(opened.moved_aside.is_none(), "{:?}", opened.moved_aside);
        *store = Some(opened.store);
    }
    let open = store.as_mut().unwrap();
    match call {
        StoreCall::Append(rows, changes, checkpoint) => {
            open.append(rows, changes, checkpoint.as_ref())
        }
        StoreCall::Retain(keep) => {
            open.retain(*keep).map(|done| assert_ne!(done, Retained::Shortened))
        }
        StoreCall::EmptyLog => {
            let result = open.readable().and_then(|connected| connected.reset_log());
            open.after(result)
        }
        StoreCall::Reopen => {
            *store = None;
            carry_out(store, &StoreCall::EmptyLog, path, disk)
        }
    }
}
