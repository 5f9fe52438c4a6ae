//! Rows that can never be written, and the state that takes their place.

use super::ledger::Recorded;
use super::writer::Recorder;
use crate::clock::ClockReadings;
use crate::record::store::{GameChange, MAX_TEXT, Store, StoreError};

/// What is being done about a row that the record refuses. The same row would be refused for ever,
/// and every later one with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing was refused.
    None,
    /// Rows are written one by one, to find out which of them is refused.
    Searched,
    /// The state of the clock has taken the place of the refused row, and is not on record yet.
    Replaced,
}

impl Recorder {
    /// The record has refused the first rows that are not written. If it was one row, this row and
    /// those after it are lost, and the state of the clock is put on record in their place.
    pub(super) fn give_up_refused(&mut self, why: &str) -> Result<(), StoreError> {
        if self.refusal == Refusal::None && self.unwritten.len() > 1 {
            self.refusal = Refusal::Searched;
            return Ok(());
        }
        tracing::error!("an entry cannot be recorded: {why}");
        if self.refusal != Refusal::Replaced {
            self.refusal = Refusal::Replaced;
            self.replace_by_state();
            return Ok(());
        }
        // The state itself is refused, so the record does not fit the clock.
        self.ledger.forget_file_texts();
        let is_new = |store: &mut Store| store.last_entry().is_none();
        if self.store.as_mut().is_none_or(is_new) {
            self.lose_unwritten();
            self.done = self.ledger.last();
            return Ok(());
        }
        if let Some(store) = self.store.take() {
            let what = format!("it does not take the state of the clock: {why}");
            self.take_opened(store.move_aside(StoreError::Corrupt { entry: None, what })?);
        }
        self.begin_again();
        Ok(())
    }

    /// Puts the state of the clock on record in the place of the rows that are not written. What
    /// these rows say of games that are on record is kept.
    fn replace_by_state(&mut self) {
        let latest_game = self.store.as_ref().and_then(Store::last_game).unwrap_or(0);
        let begins_game = self.unwritten.iter().any(Recorded::begins_game);
        let all = self.unwritten.iter().flat_map(|recorded| &recorded.changes);
        if all.clone().any(|change| text_length(change) > MAX_TEXT) {
            self.ledger.forget_file_texts();
        }
        let kept: Vec<_> = all.filter(|change| can_be_kept(change, latest_game)).cloned().collect();
        let lost = self.lose_unwritten();
        let recorded = if begins_game {
            self.ledger.begin_again(latest_game, lost, &ClockReadings::read())
        } else {
            self.ledger.record_state(lost, &ClockReadings::read())
        };
        if let Some(mut recorded) = recorded {
            recorded.changes.extend(kept);
            self.unwritten.push_back(recorded);
        }
    }

    /// Begins a new game in the record with the present state, which takes the place of the rows
    /// that were not written.
    pub(super) fn begin_again(&mut self) {
        let latest_game = self.store.as_ref().and_then(Store::last_game).unwrap_or(0);
        let lost = self.lose_unwritten();
        if let Some(recorded) = self.ledger.begin_again(latest_game, lost, &ClockReadings::read()) {
            self.unwritten.push_back(recorded);
        }
    }

    /// Gives up the rows that are not written. Returns how many inputs were among them.
    fn lose_unwritten(&mut self) -> u64 {
        let inputs = self.unwritten.drain(..).filter(|recorded| !recorded.row.is_state());
        let lost = inputs.map(|_| 1).sum();
        self.reports.lost(lost);
        lost
    }
}

fn text_length(change: &GameChange) -> usize {
    match change {
        GameChange::Begin { info, .. } | GameChange::Info { info, .. } => info.len(),
        GameChange::Ended { .. } | GameChange::Adjourned { .. } => 0,
    }
}

/// Whether a change can be made without the row that it came with, in a record with games up to
/// this one.
fn can_be_kept(change: &GameChange, latest_game: u64) -> bool {
    let (GameChange::Begin { game, .. }
    | GameChange::Info { game, .. }
    | GameChange::Ended { game, .. }
    | GameChange::Adjourned { game, .. }) = change;
    let begins = matches!(change, GameChange::Begin { .. });
    *game <= latest_game && !begins && text_length(change) <= MAX_TEXT
}
