//! How the recorder gets past rows that the record refuses.

use super::ledger::Recorded;
use super::refused_row::RefusedRow;
use super::writer::Recorder;
use crate::record::store::{GameChange, MAX_TEXT, Store, StoreError};
use clockd_rt::clock::ClockReadings;

impl Recorder {
    /// Reacts to the refusal of the first unwritten rows. `why` says why the record refuses them;
    /// it is written to the log.
    ///
    /// - If more than one row is unwritten, the rows are written one by one from now on.
    /// - If a single row was refused, this row and all later ones are lost, and the state of the
    ///   clock is recorded in their place.
    /// - If the state is refused too, the record is moved aside. But if the record has no entries,
    ///   the state is lost instead.
    pub(super) fn give_up_refused(&mut self, why: &str) -> Result<(), StoreError> {
        if self.refused_row == RefusedRow::None && self.unwritten.len() > 1 {
            self.refused_row = RefusedRow::Searched;
            return Ok(());
        }
        tracing::error!("an entry cannot be recorded: {why}");
        if self.refused_row != RefusedRow::Replaced {
            self.refused_row = RefusedRow::Replaced;
            self.replace_by_state();
            return Ok(());
        }
        // The record refuses the state, too. If the record is empty, the state is lost. Otherwise
        // the record is moved aside.
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
        self.begin_again(0);
        Ok(())
    }

    /// Replaces the unwritten rows by the state of the clock. The changes in the table of games
    /// that belong to these rows are kept if they can be recorded without the rows (`can_be_kept`).
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

    /// Begins a new game in the record with the present state of the clock. The unwritten rows are
    /// lost. `missing` is how many entries are lost besides them, because they were written to a
    /// file that is no longer the record.
    pub(super) fn begin_again(&mut self, missing: u64) {
        let latest_game = self.store.as_ref().and_then(Store::last_game).unwrap_or(0);
        self.reports.lost(missing);
        let lost = missing + self.lose_unwritten();
        if self.store.as_ref().and_then(Store::last_entry).is_none() {
            self.not_in_file = self.ledger.last();
        }
        if let Some(recorded) = self.ledger.begin_again(latest_game, lost, &ClockReadings::read()) {
            self.unwritten.push_back(recorded);
        }
    }

    /// Drops the unwritten rows. Reports and returns how many of them are inputs, not states.
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
        GameChange::Ended { .. } | GameChange::Adjourned { .. } | GameChange::TakenUp { .. } => 0,
    }
}

/// Whether a change in the table of games can be recorded without the row to which it belongs.
/// `latest_game` is the highest number of a game on record.
fn can_be_kept(change: &GameChange, latest_game: u64) -> bool {
    let (GameChange::Begin { game, .. }
    | GameChange::Info { game, .. }
    | GameChange::Ended { game, .. }
    | GameChange::Adjourned { game, .. }
    | GameChange::TakenUp { game, .. }) = change;
    let begins = matches!(change, GameChange::Begin { .. });
    *game <= latest_game && !begins && text_length(change) <= MAX_TEXT
}
