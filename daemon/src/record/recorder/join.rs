//! Opens the record at the start, or again after an error of the storage. The first time that the
//! record can be read, its latest game is taken over. The entries of a new clock are numbered after
//! the latest entry on record or, if the record could not be read, from the milliseconds since
//! 1970.

use super::replay::{StoredInput, is_new};
use super::writer::Recorder;
use crate::game::{Game, OnRecord};
use clock_engine::Instant;
use clock_record::{Checkpoint, GameReader, Games, Line, MovedAside, RecordError, Summary};
use clockd_rt::Entry;
use std::path::Path;

/// The identifier of a boot, and the latest instant of that boot at which the daemon is known to
/// have run the game on record.
pub type KnownUntil = (String, Instant);

/// The clock of a process that could not read the record is numbered from the milliseconds since
/// 1970 on (`first_number`), which are more than this. No other clock has so many entries.
const NUMBERED_BY_TIME: u64 = 1_000_000_000_000;

/// How many entries a clock has had if `number` is the number of its latest entry and none of them
/// is on record any more. If the clock is numbered by time, the number of its first entry is not
/// known, and the result is 1.
pub(super) fn entries_up_to(number: u64) -> u64 {
    if number >= NUMBERED_BY_TIME { 1 } else { number }
}

impl Recorder {
    /// Opens the record at the start, and takes over its latest game. Reports an error and returns
    /// `None` if that fails.
    pub(super) fn open_at_start(&mut self) -> Option<KnownUntil> {
        match self.open().and_then(|_| self.join()) {
            Ok(found) => found,
            Err(error) => {
                self.failed(error, std::time::Instant::now());
                None
            }
        }
    }

    /// Opens a record that could not be opened at the start, or that was closed because of an
    /// error.
    pub(super) fn open_again(&mut self) -> Result<(), RecordError> {
        let is_kept = self.open()?;
        if !self.is_joined {
            let first = self.begun_after.unwrap_or(self.intake.included()) + 1;
            self.leave_if_ahead(first);
            return self.join().map(|_| ());
        }
        let games = self.games.as_ref();
        let end = games.and_then(Games::end);
        if end.is_some() && end == self.end {
            // The file ends with the latest entry that this recorder has written.
            return Ok(());
        }
        if end.is_some_and(|(id, _)| self.end.is_none_or(|(ours, _)| ours != id)) {
            // The file of the game is gone, or the folder is another one.
            self.leave_game();
            self.not_in_file = self.not_in_file.max(self.ledger.entries_before());
        }
        let first = self.unwritten.front().map_or(self.ledger.last(), |first| first.row.number);
        self.leave_if_ahead(first);
        // If the latest game ends before the latest entry that was written, its file is gone, is an older
        // copy, or was shortened, and the entries after its end are missing. If a damaged file was moved
        // aside, its entries are still in that file, so they are not missing.
        let missing = match self.games.as_ref().and_then(Games::last_entry) {
            Some(last) => self.done.saturating_sub(last.max(self.not_in_file)),
            None if is_kept => 0,
            None if self.not_in_file == 0 => entries_up_to(self.done),
            None => self.done.saturating_sub(self.not_in_file),
        };
        self.begin_again(missing);
        Ok(())
    }

    /// Opens the record. Returns whether the file of the latest game was damaged and was moved aside, and
    /// still has the entries that were on record.
    fn open(&mut self) -> Result<bool, RecordError> {
        let Some(path) = &self.settings.path else { return Ok(false) };
        let opened = Games::open(path)?;
        self.games = Some(opened.games);
        if opened.was_unfinished {
            tracing::info!("the last write of the record was cut off, as by a power cut");
        }
        let is_replaced = std::mem::take(&mut self.is_replaced);
        let Some(moved) = opened.moved_aside else { return Ok(false) };
        self.has_moved_aside(&moved);
        Ok(moved.has_entries && !is_replaced)
    }

    /// Takes over the latest game on record. If this fails because of damage, the record stays
    /// open, because the caller moves the file aside. After any other error the record is closed.
    fn join(&mut self) -> Result<Option<KnownUntil>, RecordError> {
        let found = self.load();
        match &found {
            Ok(_) => self.is_joined = true,
            Err(error) if !error.is_damage() => self.games = None,
            Err(_) => {}
        }
        found
    }

    fn load(&mut self) -> Result<Option<KnownUntil>, RecordError> {
        let Some(games) = &self.games else { return Ok(None) };
        let (highest, bytes) = (games.highest(), games.bytes());
        let Some(latest) = games.latest() else {
            self.ledger.set_last_game(highest);
            self.reports.set_game(0, highest);
            return Ok(None);
        };
        // Only the inputs are kept, because the rows of a long game need more memory than the whole
        // daemon.
        let mut inputs = Vec::new();
        let mut lost = 0;
        let summary = Summary::read(games.folder(), latest, |row| {
            if row.is_state() && row.boot == self.boot {
                lost += lost_before_state(&row.input);
            }
            inputs.push(StoredInput::from(row));
        })?;
        let Some(summary) = summary else { return Ok(None) };
        self.not_in_file = entries_before(games.folder());
        let last = summary.last_entry;
        // A checkpoint after a later entry is of a turn that is not on record.
        let checkpoint = Checkpoint::read(games.folder()).filter(|it| it.entry <= last);
        self.end = games.end();
        let game = Game::of(summary, None, latest);
        if let Err(error) = self.ledger.load(&game, &inputs) {
            // The digests show that the file has not changed since it was written. So another
            // version of `clockd` wrote it, or this version has a bug. All entries can still be
            // read, so the file is not moved aside.
            tracing::error!(%error, "the latest game on record cannot be gone on with");
            self.reports.mismatch();
        }
        self.done = last;
        self.reports.status.set_committed(last, bytes);
        self.reports.set_game(last, latest);
        self.reports.committed.send_replace(OnRecord::up_to(last));
        self.reports.lost_in_game(lost);
        Ok(known_until(&inputs, checkpoint.as_ref()))
    }

    /// Leaves the latest game on record as it is if it has an entry with the number `first` or a higher one.
    /// `first` is the number of the next entry to be written. The record can have such an entry if a new
    /// clock was set up while the record could not be read: the entries of that clock are numbered by the
    /// wall time, which may have been wrong.
    fn leave_if_ahead(&mut self, first: u64) {
        if self.games.as_ref().and_then(Games::last_entry).is_some_and(|last| last >= first) {
            self.leave_game();
        }
    }

    /// Leaves the latest game on record as it is. The next entry begins another one.
    pub(super) fn leave_game(&mut self) {
        if let Some(games) = &mut self.games {
            games.leave();
            self.reports.another_game();
        }
    }

    /// Leaves the latest game on record as it is, because it is not the game in the retained memory, whose
    /// latest entry is `last`.
    pub(super) fn leave_other_game(&mut self, last: u64) {
        self.leave_game();
        let Some(games) = &self.games else { return };
        self.ledger.forget();
        self.ledger.set_last_game(games.highest());
        self.done = 0;
        self.reports.committed.send_replace(OnRecord::default());
        self.reports.status.set_committed(0, games.bytes());
        self.reports.set_game(0, games.highest());
        self.reports.status.set_kept_game(last, games.highest() + 1);
    }

    /// Reports that the file of the latest game was moved aside.
    pub(super) fn has_moved_aside(&mut self, moved: &MovedAside) {
        self.keeps_damaged |= moved.has_entries;
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

/// The number of the latest entry that is missing before the first one on record; 0 if it is not known.
fn entries_before(folder: &Path) -> u64 {
    let oldest = clock_record::numbers(folder).ok().and_then(|numbers| numbers.first().copied());
    let lines = oldest.and_then(|oldest| GameReader::open(folder, oldest).ok().flatten());
    let Some(Ok(Line::Entry(first))) = lines.and_then(|mut lines| lines.next()) else { return 0 };
    // A state that does not begin a game has the number of the latest entry before it, which is not in
    // the file.
    let entry = serde_json::from_str(&first.input);
    let is_later = |entry| matches!(entry, Entry::State { .. }) && !is_new(&entry);
    if entry.is_ok_and(is_later) { first.number } else { first.number.saturating_sub(1) }
}

/// How many entries before the state `input` were lost, as its row says.
fn lost_before_state(input: &str) -> u64 {
    match serde_json::from_str(input) {
        Ok(Entry::State { lost, .. }) => lost,
        _ => 0,
    }
}

/// The boot of the latest input, and the latest instant of that boot at which the daemon is known
/// to have run the game. This is the instant of the input or that of the checkpoint, whichever is
/// later.
fn known_until(
    inputs: &[StoredInput],
    checkpoint: Option<&Checkpoint>,
) -> Option<(String, Instant)> {
    // Only the last input counts. An earlier input can name this boot although its instant is of
    // the boot before. Such an input is a state that was recorded before the power cut was handled.
    let StoredInput { boot, at_ns, .. } = inputs.last()?;
    let checkpoint = checkpoint.filter(|checkpoint| checkpoint.boot == *boot);
    let last = checkpoint.map_or(*at_ns, |checkpoint| checkpoint.at_ns.max(*at_ns));
    Some((boot.clone(), Instant::from_nanos(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_of_the_boot_before_does_not_count_for_the_present_boot() {
        let input = |number, boot: &str, at_ns| StoredInput {
            number,
            boot: boot.to_owned(),
            at_ns,
            input: String::new(),
        };
        // Entry 2 is a state that was recorded in boot 2 before the power cut was handled, so its
        // instant 900 is an instant of boot 1.
        let inputs = [input(1, "1", 900), input(2, "2", 900), input(3, "2", 10), input(4, "2", 20)];
        let until =
            |checkpoint: Option<Checkpoint>| known_until(&inputs, checkpoint.as_ref()).unwrap();
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
