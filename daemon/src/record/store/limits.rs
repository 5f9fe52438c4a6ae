//! The limits of the record. An append is checked before its transaction begins. What is read is checked,
//! too, because somebody else can have written the file: the service must be able to open it with the
//! memory that it has (`MemoryMax=` in clockd.service).

use super::change::{Checkpoint, GameChange, MAX_NAME, MAX_TEXT};
use super::error::StoreError;
use crate::game::NewRow;

/// The longest value that SQLite reads or writes: a row with four texts of [`MAX_TEXT`], and the other
/// columns. A longer one is damage.
pub(super) const MAX_VALUE: usize = 4 * MAX_TEXT + 64 * 1024;
/// The largest number of entries of one game. The service keeps the inputs of the latest game in memory. It
/// begins a new game after fewer entries (`MAX_GAME_ENTRIES` of the recorder).
pub const ENTRIES_LIMIT: u64 = 40_000;
/// The largest sum of the inputs of one game, in bytes. The service begins a new game before
/// (`MAX_GAME_INPUTS` of the recorder).
pub const INPUTS_LIMIT: u64 = 24 << 20;

/// The entries of a game that were read so far.
#[derive(Default)]
pub(super) struct GameSize {
    entries: u64,
    bytes: u64,
}

impl GameSize {
    /// Adds an entry with an input of so many bytes.
    ///
    /// # Errors
    ///
    /// The game is larger than any that the service records.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), StoreError> {
        self.entries += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.entries <= ENTRIES_LIMIT && self.bytes <= INPUTS_LIMIT {
            return Ok(());
        }
        let mebibytes = INPUTS_LIMIT >> 20;
        Err(StoreError::corrupt(format!(
            "a game has more than {ENTRIES_LIMIT} entries or {mebibytes} MiB of input"
        )))
    }
}

/// Refuses texts that are too long, an entry with the number 0, and a [`GameChange::Begin`] whose
/// first entry is not among `rows`.
pub(super) fn check(
    rows: &[NewRow],
    games: &[GameChange],
    checkpoint: Option<&Checkpoint>,
) -> Result<(), StoreError> {
    for row in rows {
        let number = row.number;
        for (what, text) in [
            ("input", Some(&row.input)),
            ("events", Some(&row.events)),
            ("command", row.command.as_ref()),
            ("state", Some(&row.state)),
        ] {
            limit(text.map_or(0, String::len), MAX_TEXT, || {
                format!("the {what} of entry {number}")
            })?;
        }
        limit(row.kind.len(), MAX_NAME, || format!("the kind of entry {number}"))?;
        limit(row.boot.len(), MAX_NAME, || format!("the boot of entry {number}"))?;
        if number == 0 {
            return Err(StoreError::Refused("entries are numbered from 1 on".into()));
        }
    }
    for change in games {
        if let GameChange::Begin { game, info, .. } | GameChange::Info { game, info } = change {
            limit(info.len(), MAX_TEXT, || format!("the information of game {game}"))?;
        }
        if let GameChange::Begin { game, first_entry, .. } = change
            && !rows.iter().any(|row| row.number == *first_entry && row.game == *game)
        {
            return Err(StoreError::Refused(format!(
                "game {game} begins with entry {first_entry}, which is not appended with it"
            )));
        }
    }
    checkpoint.map_or(Ok(()), |checkpoint| {
        limit(checkpoint.boot.len(), MAX_NAME, || "the boot of the checkpoint".into())
    })
}

fn limit(length: usize, most: usize, what: impl FnOnce() -> String) -> Result<(), StoreError> {
    if length > most {
        return Err(StoreError::Refused(format!("{} has {length} bytes; at most {most}", what())));
    }
    Ok(())
}
