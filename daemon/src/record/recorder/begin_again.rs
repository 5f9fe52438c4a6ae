//! How the recorder goes on after entries that cannot be recorded: another game begins on record with the
//! present state of the clock.

use super::writer::Recorder;
use clock_record::Games;
use clockd_rt::clock::ClockReadings;

impl Recorder {
    /// Reacts to rows that the record refuses; `why` is written to the log. Another game begins with the
    /// state of the clock. If that is refused, too, the state is lost: without this, the recorder would try
    /// to write the same row for ever.
    pub(super) fn give_up_refused(&mut self, why: &str) {
        tracing::error!("entries cannot be recorded: {why}");
        if std::mem::replace(&mut self.is_refused, true) {
            self.lose_unwritten();
            self.done = self.ledger.last();
        } else {
            self.leave_game();
            self.begin_again(0);
        }
    }

    /// Begins a new game in the record with the present state of the clock. The unwritten rows are
    /// lost. `missing` is how many entries are lost besides them, because they were written to a
    /// file that is no longer the record.
    pub(super) fn begin_again(&mut self, missing: u64) {
        let latest_game = self.games.as_ref().map_or(0, Games::highest);
        self.reports.lost(missing);
        let lost = missing + self.lose_unwritten();
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
