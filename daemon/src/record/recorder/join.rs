//! Opens the record at the start, or again after an error of the storage. The first time that the
//! record can be read, its latest game is taken over. The entries of a new clock are numbered after
//! the latest entry on record or, if the record could not be read, from the milliseconds since
//! 1970.

use super::replay::{StoredInput, is_new};
use super::writer::Recorder;
use crate::game::OnRecord;
use crate::record::store::{Check, Checkpoint, Opened, Store, StoreError};
use clock_engine::Instant;
use clockd_rt::Entry;

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
    pub(super) fn open_at_start(&mut self, check: Check) -> Option<KnownUntil> {
        match self.open(check).and_then(|_| self.join()) {
            Ok(found) => found,
            Err(error) => {
                self.failed(&error, std::time::Instant::now());
                None
            }
        }
    }

    /// Opens a record that could not be opened at the start, or that was closed because of an
    /// error.
    pub(super) fn open_again(&mut self) -> Result<(), StoreError> {
        let is_kept = self.open(Check::Thorough)?;
        if !self.is_joined {
            let first = self.begun_after.unwrap_or(self.intake.included()) + 1;
            self.move_aside_if_ahead(first)?;
            return self.join().map(|_| ());
        }
        let last = self.store.as_ref().and_then(Store::last_entry);
        if last == Some(self.done) {
            // The file ends with the latest entry that this recorder has written.
            return Ok(());
        }
        let first = self.unwritten.front().map_or(self.ledger.last(), |first| first.row.number);
        self.move_aside_if_ahead(first)?;
        // If the file ends before the latest entry that was written, it is an older copy, or its
        // end was cut off, and the entries after its end are missing. If a damaged file was moved
        // aside, its entries are still in that file, so they are not missing.
        let missing = match self.store.as_ref().and_then(Store::last_entry) {
            Some(last) => self.done.saturating_sub(last.max(self.not_in_file)),
            None if is_kept => 0,
            None if self.not_in_file == 0 => entries_up_to(self.done),
            None => self.done.saturating_sub(self.not_in_file),
        };
        self.begin_again(missing);
        Ok(())
    }

    /// Opens the record. Returns whether the file was the record, was damaged and was moved aside.
    /// If so, the moved file still has the entries that were on record.
    fn open(&mut self, check: Check) -> Result<bool, StoreError> {
        let Some(path) = &self.settings.path else { return Ok(false) };
        let opened = Store::open_with(path, check)?;
        let is_replaced = std::mem::take(&mut self.is_replaced);
        Ok(self.take_opened(opened) && !is_replaced)
    }

    /// Takes over the latest game on record. If this fails because of damage, the record stays
    /// open, because the caller moves it aside. After any other error the record is closed.
    fn join(&mut self) -> Result<Option<KnownUntil>, StoreError> {
        let found = self.load();
        match &found {
            Ok(_) => self.is_joined = true,
            Err(error) if !error.is_damage() => self.store = None,
            Err(_) => {}
        }
        found
    }

    fn load(&mut self) -> Result<Option<KnownUntil>, StoreError> {
        let Some(store) = &mut self.store else { return Ok(None) };
        // Only the inputs are kept, because the rows of a long game need more memory than the whole
        // daemon.
        let mut inputs = Vec::new();
        let mut lost = 0;
        let current = store.visit_current(|row| {
            if row.row.is_state() && row.row.boot == self.boot {
                lost += lost_before_state(&row.row.input);
            }
            inputs.push(StoredInput::from(row.row));
        })?;
        let Some(current) = current else {
            self.reports.set_game(0, 0);
            return Ok(None);
        };
        self.not_in_file = store.first_entry()?.map_or(0, |(number, input)| {
            // A state that does not begin a game has the number of the latest entry before it,
            // which is not in the file.
            let entry = serde_json::from_str(&input);
            let is_later = |entry| matches!(entry, Entry::State { .. }) && !is_new(&entry);
            if entry.is_ok_and(is_later) { number } else { number.saturating_sub(1) }
        });
        if let Err(error) = self.ledger.load(&current.game, &inputs) {
            // The digests show that the file has not changed since it was written. So another
            // version of `clockd` wrote it, or this version has a bug. All entries can still be
            // read, so the file is not moved aside.
            tracing::error!(%error, "the latest game on record cannot be gone on with");
            self.reports.mismatch();
        }
        self.done = current.last_entry;
        self.reports.status.set_committed(current.last_entry, store.bytes());
        self.reports.set_game(current.last_entry, current.game.game);
        self.reports.committed.send_replace(OnRecord::up_to(current.last_entry));
        self.reports.lost_in_game(lost);
        Ok(latest(&inputs, current.checkpoint.as_ref()))
    }

    /// Moves the record aside and begins another one if the record has an entry with the number
    /// `first` or a higher one. `first` is the number of the next entry to be written. The record
    /// can have such an entry if a new clock was set up while the record could not be read: the
    /// entries of that clock are numbered by the wall time, which may have been wrong.
    fn move_aside_if_ahead(&mut self, first: u64) -> Result<(), StoreError> {
        let is_ahead = |store: &mut Store| store.last_entry() >= Some(first);
        if let Some(store) = self.store.take_if(is_ahead) {
            let last = store.last_entry().unwrap_or_default();
            let what =
                format!("it has entries up to {last}, and the present ones begin with {first}");
            self.take_opened(store.move_aside(StoreError::Corrupt { entry: None, what })?);
        }
        Ok(())
    }

    /// Moves the record aside and begins another one, because it is not the record of the game in
    /// the retained memory.
    pub(super) fn replace_record(&mut self) {
        let last = self.ledger.last();
        let what = format!("it has entries up to {last}, which the running game does not have");
        self.ledger.forget();
        self.done = 0;
        self.reports.committed.send_replace(OnRecord::default());
        let Some(store) = self.store.take() else { return };
        match store.move_aside(StoreError::Corrupt { entry: None, what }) {
            Ok(opened) => {
                self.take_opened(opened);
                self.reports.status.set_committed(0, 0);
                self.reports.set_game(0, 0);
            }
            Err(error) => self.failed(&error, std::time::Instant::now()),
        }
    }

    /// Uses this store from now on, and reports what was found. Returns whether a damaged file was
    /// moved aside. A foreign file that was moved aside is not the record.
    pub(super) fn take_opened(&mut self, opened: Opened) -> bool {
        let moved = opened.moved_aside.as_ref();
        let is_damaged =
            moved.is_some_and(|moved| !matches!(moved.why, StoreError::Foreign { .. }));
        self.keeps_damaged |= is_damaged;
        if let Some(moved) = opened.moved_aside {
            tracing::error!(
                to = %moved.to.display(),
                "the record could not be used and was kept under another name: {}",
                moved.why
            );
            self.reports.moved_aside();
        }
        if opened.last_write_unfinished {
            tracing::info!("the last write of the record was cut off, as by a power cut");
        }
        self.store = Some(opened.store);
        // Only the quick check at the start leaves something out, and this file may be another one.
        (self.unchecked, self.late_check) = (None, None);
        is_damaged
    }

    /// Returns the number after which the entries of a new clock are numbered. If the record has
    /// not been read yet, this is the number of milliseconds since 1970. If the wall time is right,
    /// that number is higher than the number of every entry on record.
    pub(super) fn first_number(&self) -> u64 {
        if self.is_joined {
            return self.ledger.last().max(self.done);
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

/// The boot of the latest input, and the latest instant of that boot at which the daemon is known
/// to have run the game. This is the instant of the input or that of the checkpoint, whichever is
/// later.
fn latest(inputs: &[StoredInput], checkpoint: Option<&Checkpoint>) -> Option<(String, Instant)> {
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
        let until = |checkpoint: Option<Checkpoint>| latest(&inputs, checkpoint.as_ref()).unwrap();
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
