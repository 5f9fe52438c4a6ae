//! Opens the record at the start, or again after an error of the storage. The first time that the
//! record can be read, its latest game is taken over. The entries of a new clock are numbered after
//! the latest entry on record or, if the record could not be read, from the milliseconds since
//! 1970.

use super::replay::StoredInput;
use super::writer::Recorder;
use crate::game::{Game, OnRecord};
use clock_engine::Instant;
use clock_record::{Checkpoint, EntryLine, Games, MovedAside, RecordError, Summary};
use clockd_rt::Entry;
use clockd_rt::clock::ClockReadings;

/// The identifier of a boot, and the latest instant of that boot at which the daemon is known to
/// have run the game on record.
pub type KnownUntil = (String, Instant);

/// What was on record when it was opened.
#[derive(Default)]
struct Found {
    latest: Option<Summary>,
    /// The inputs of the latest game. Its other texts are not kept: those of a long game need more memory
    /// than the whole daemon.
    inputs: Vec<StoredInput>,
    /// The sum of the [`EntryLine::exported_bytes`] of its entries.
    bytes: usize,
    /// The boot and the instant of the last input.
    until: Option<(String, u64)>,
    /// How many entries were lost in this boot. Each state on record says how many are missing before it.
    lost: u64,
    /// Whether the file of the latest game was damaged and moved aside, and still has the entries.
    is_damaged: bool,
}

impl Found {
    fn add(&mut self, row: EntryLine, boot: &str) {
        if row.is_state() && row.boot == boot {
            self.lost += lost_before_state(&row.input);
        }
        self.bytes += row.exported_bytes();
        self.until = Some((row.boot, row.at_ns));
        self.inputs.push(StoredInput { number: row.number, input: row.input });
    }
}

impl Recorder {
    /// Opens the record at the start, and takes over its latest game. Reports an error and returns
    /// `None` if that fails.
    pub(super) fn open_at_start(&mut self) -> Option<KnownUntil> {
        match self.open() {
            Ok(found) => self.join(found),
            Err(error) => {
                self.failed(error, std::time::Instant::now());
                None
            }
        }
    }

    /// Opens a record that could not be opened at the start, or that was closed because of an
    /// error.
    pub(super) fn open_again(&mut self) -> Result<(), RecordError> {
        let found = self.open()?;
        if !self.is_joined {
            self.join(found);
            return Ok(());
        }
        let end = self.games.as_ref().and_then(Games::end);
        if end.is_some() && end == self.end {
            // The file ends with the latest entry that this recorder has written.
            return Ok(());
        }
        // The file was removed or shortened, or an older copy took its place. The entries that were written
        // after its present end are missing.
        let is_ours = |game: &Summary| self.end.is_some_and(|(ours, _)| ours == game.game.id);
        let ours = found.latest.as_ref().filter(|game| is_ours(game));
        let last = ours.map_or(self.ledger.entries_before(), |game| game.last_entry);
        let missing = if found.is_damaged { 0 } else { self.done.saturating_sub(last) };
        match (ours.is_some(), &mut self.games) {
            (true, Some(games)) => games.leave(),
            _ => self.leave_game(),
        }
        self.begin_again(missing);
        Ok(())
    }

    fn open(&mut self) -> Result<Found, RecordError> {
        let Some(path) = &self.settings.path else { return Ok(Found::default()) };
        let mut found = Found::default();
        let opened = Games::open(path, &mut |row| {
            if !self.is_joined {
                found.add(row, &self.boot);
            }
        })?;
        self.games = Some(opened.games);
        if opened.was_unfinished {
            tracing::info!("the last write of the record was cut off, as by a power cut");
        }
        let was_gone = std::mem::take(&mut self.is_gone);
        if let Some(moved) = opened.moved_aside {
            self.has_moved_aside(&moved);
            let has_contents = moved.to.metadata().is_ok_and(|file| file.len() > 0);
            found = Found { is_damaged: has_contents && !was_gone, ..Found::default() };
        }
        found.latest = opened.latest;
        Ok(found)
    }

    /// Takes over the latest game on record. If the clock of this process has another game, because it is
    /// new or was found in the retained memory, the game on record is left as it is.
    fn join(&mut self, found: Found) -> Option<KnownUntil> {
        self.is_joined = true;
        let Some(games) = &mut self.games else { return None };
        let latest = found.latest.as_ref().map(|game| game.game.id);
        if let Some((id, last)) = self.expected
            && latest != Some(id)
            && !found.is_damaged
        {
            self.lacks_game = true;
            self.reports.another_game();
            self.reports.status.set_kept_game(last, games.highest() + 1);
        }
        let is_other =
            |game: &Summary| !self.in_memory.is_empty() && !self.in_memory.contains(&game.game.id);
        let Some(summary) = found.latest.filter(|game| !is_other(game)) else {
            games.leave();
            self.ledger.set_last_game(games.highest());
            self.reports.status.set_committed(0, games.bytes());
            self.reports.set_game(0, games.highest());
            return None;
        };
        let (last, latest) = (summary.last_entry, summary.game.number);
        // A checkpoint after a later entry is of a turn that is not on record.
        let checkpoint = Checkpoint::read(games.folder()).filter(|it| it.entry <= last);
        self.end = games.end();
        let game = Game::of(summary, None, latest);
        match self.ledger.load(&game, &found.inputs, found.bytes) {
            Ok(Some(earlier)) => self.take_up(&earlier),
            Ok(None) => {}
            // The digests show that the file has not changed since it was written. So another
            // version of `clockd` wrote it, or this version has a bug. All entries can still be
            // read, so the file is not moved aside.
            Err(error) => {
                tracing::error!(%error, "the latest game on record cannot be gone on with");
                self.reports.mismatch();
            }
        }
        self.done = last;
        let bytes = self.games.as_ref().map_or(0, Games::bytes);
        self.reports.status.set_committed(last, bytes);
        self.reports.set_game(last, latest);
        self.reports.committed.send_replace(OnRecord::up_to(last));
        self.reports.lost_in_game(found.lost);
        found.until.map(|until| known_until(until, checkpoint.as_ref()))
    }

    /// Leaves the latest game on record as it is. The next entry begins another one.
    pub(super) fn leave_game(&mut self) {
        if let Some(games) = &mut self.games {
            games.leave();
            self.reports.another_game();
        }
    }

    /// Reports that the file of the latest game was moved aside.
    pub(super) fn has_moved_aside(&mut self, moved: &MovedAside) {
        tracing::error!(
            to = %moved.to.display(),
            "a game on record is damaged and was kept under another name: {}",
            moved.why
        );
        self.reports.moved_aside();
    }

    /// Returns the number after which the entries of a new clock are numbered. If the record has
    /// not been read yet, this is the number of milliseconds since 1970. If the wall time is right,
    /// that number is higher than the number of every entry on record.
    pub(super) fn first_number(&self) -> u64 {
        if self.is_joined {
            let floor = self.games.as_ref().map_or(0, Games::floor);
            return self.ledger.last().max(self.done).max(floor);
        }
        clockd_rt::clock::realtime_now() / 1_000_000
    }
}

/// How many entries before the state `input` were lost, as its row says.
fn lost_before_state(input: &str) -> u64 {
    match serde_json::from_str(input) {
        Ok(Entry::State { lost, .. }) => lost,
        _ => 0,
    }
}

/// The latest instant at which the daemon is known to have run the game. It is that of the last input,
/// with its boot, or that of the checkpoint, if it is of the same boot and later. An earlier input can
/// name this boot although its instant is of the boot before: a state that was recorded before the power cut
/// was handled.
fn known_until((boot, at_ns): (String, u64), checkpoint: Option<&Checkpoint>) -> KnownUntil {
    let checkpoint = checkpoint.filter(|checkpoint| checkpoint.boot == boot);
    let last = checkpoint.map_or(at_ns, |checkpoint| checkpoint.at_ns.max(at_ns));
    (boot, Instant::from_nanos(last))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_of_the_boot_before_does_not_count_for_the_present_boot() {
        let until =
            |checkpoint: Option<Checkpoint>| known_until(("2".to_owned(), 20), checkpoint.as_ref());
        assert_eq!(until(None), ("2".to_owned(), Instant::from_nanos(20)));
        let at = |boot: &str, at_ns| Checkpoint {
            boot: boot.to_owned(),
            at_ns,
            raw_ns: at_ns,
            wall_ns: None,
            entry: 4,
        };
        assert_eq!(until(Some(at("2", 30))).1, Instant::from_nanos(30));
        assert_eq!(until(Some(at("2", 15))).1, Instant::from_nanos(20));
        assert_eq!(until(Some(at("1", 950))).1, Instant::from_nanos(20));
    }
}
