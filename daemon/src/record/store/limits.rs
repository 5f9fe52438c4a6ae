//! Checks an append before its transaction begins. These checks do not depend on what is on record.

use super::change::{Checkpoint, GameChange, MAX_NAME, MAX_TEXT};
use super::error::StoreError;
use crate::game::NewRow;

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
