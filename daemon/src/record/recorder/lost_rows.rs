//! How the recorder gets past rows that the record refuses.

use super::ledger::Recorded;
use super::refused_row::RefusedRow;
use super::writer::Recorder;
use clock_record::{Games, TEXT_LIMIT};
use clockd_rt::clock::ClockReadings;

impl Recorder {
    /// Reacts to the refusal of the first unwritten rows. `why` says why the record refuses them;
    /// it is written to the log.
    ///
    /// - If more than one row is unwritten, the rows are written one by one from now on.
    /// - If a single row was refused, this row and all later ones are lost, and the state of the
    ///   clock is recorded in their place.
    /// - If the state is refused too, another game begins with it. If that is refused, the state is lost.
    pub(super) fn give_up_refused(&mut self, why: &str) {
        if self.refused_row == RefusedRow::None && self.unwritten.len() > 1 {
            self.refused_row = RefusedRow::Searched;
            return;
        }
        tracing::error!("an entry cannot be recorded: {why}");
        if self.refused_row != RefusedRow::Replaced {
            self.refused_row = RefusedRow::Replaced;
            self.replace_by_state();
            return;
        }
        self.ledger.forget_file_texts();
        if self.games.as_ref().and_then(Games::last_entry).is_some() {
            self.leave_game();
            self.begin_again(0);
        } else {
            self.lose_unwritten();
            self.done = self.ledger.last();
        }
    }

    /// Replaces the unwritten rows by the state of the clock.
    fn replace_by_state(&mut self) {
        let texts = self.unwritten.iter().filter_map(Recorded::info);
        if texts.map(str::len).any(|length| length > TEXT_LIMIT) {
            self.ledger.forget_file_texts();
        }
        if self.unwritten.iter().any(|recorded| recorded.begins.is_some()) {
            return self.begin_again(0);
        }
        let lost = self.lose_unwritten();
        let recorded = self.ledger.record_state(lost, &ClockReadings::read());
        self.unwritten.extend(recorded);
    }

    /// Begins a new game in the record with the present state of the clock. The unwritten rows are
    /// lost. `missing` is how many entries are lost besides them, because they were written to a
    /// file that is no longer the record.
    pub(super) fn begin_again(&mut self, missing: u64) {
        let latest_game = self.games.as_ref().map_or(0, Games::highest);
        self.reports.lost(missing);
        let lost = missing + self.lose_unwritten();
        if self.games.as_ref().and_then(Games::last_entry).is_none() {
            self.not_in_file = self.ledger.last();
        }
        let recorded = self.ledger.begin_again(latest_game, lost, &ClockReadings::read());
        self.unwritten.extend(recorded);
    }

    /// Drops the unwritten rows. Reports and returns how many of them are inputs, not states.
    fn lose_unwritten(&mut self) -> u64 {
        let inputs = self.unwritten.drain(..).filter(|recorded| !recorded.row.is_state());
        let lost = inputs.map(|_| 1).sum();
        self.reports.lost(lost);
        lost
    }
}
