//! The recorder's thread.

use super::intake::{Intake, Next};
use super::ledger::{Ledger, Recorded};
use super::refused_row::RefusedRow;
use super::replay::ReplayError;
use super::reports::Reports;
use super::settings::Settings;
use crate::game::{CommandNote, CommandNotes, GameText};
use crate::record::store::{Checkpoint, LateCheck, Retained, Store, StoreError};
use clock_engine::Phase;
use clockd_rt::channel::Notifier;
use clockd_rt::clock::{ClockReadings, monotonic_now};
use clockd_rt::retained::{Waker, Wakeups};
use clockd_rt::{Entry, VersionedClock};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// The size of the stack of the recorder's thread in bytes. It is enough for SQLite and for the
/// state of a clock as text, also in a build without optimization, which needs more than 512 KiB
/// when it joins a record that has come back. Pages that are never used take no memory.
const STACK: usize = 1024 * 1024;
/// The largest number of unwritten rows. Further entries stay in the retained memory.
const BATCH: usize = 64;
/// How long the recorder waits after a failure of the storage before it writes again.
const RETRY: Duration = Duration::from_secs(1);

/// The most calls of [`Store::retain`] when a game begins. Each call deletes one game at most, in a
/// transaction of its own.
const RETAIN_PER_GAME: usize = 4;

/// The state of the recorder's thread.
pub struct Recorder {
    pub(super) settings: Settings,
    pub(super) store: Option<Store>,
    pub(super) ledger: Ledger,
    /// The names and texts of the configuration.
    pub(super) configured: GameText,
    pub(super) boot: String,
    pub(super) intake: Intake,
    pub(super) reports: Reports,
    /// Whether the ledger continues from the entries on record. It is `false` until the record has
    /// been opened and read.
    pub(super) is_joined: bool,
    /// The number that precedes the number of the first entry of a new clock, if the clock was set
    /// up while the record could not be read.
    pub(super) begun_after: Option<u64>,
    /// The number of the latest entry that is not in the open file, because it was lost or is in a
    /// file that was moved aside before this file was begun; 0 if the file has all entries.
    pub(super) not_in_file: u64,
    /// Whether the file at the path is another one than the file that was open.
    pub(super) is_replaced: bool,
    /// Whether a damaged record was moved aside. The entries that it had are still in it.
    pub(super) keeps_damaged: bool,
    /// Rows that are not on record yet.
    pub(super) unwritten: VecDeque<Recorded>,
    /// The number of the latest entry that is on record, is lost, or was dropped because no record
    /// is kept.
    pub(super) done: u64,
    /// The number of the latest entry that could not be replayed after the rows before it, and so
    /// counts as lost.
    pub(super) lost_through: u64,
    /// Whether the clock loop does not run yet, so that all entries are of an earlier process.
    pub(super) is_starting: bool,
    /// When the next checkpoint is due; `None` if no clock runs.
    pub(super) checkpoint_due: Option<Instant>,
    /// When writing is tried again after a failure; `None` if the last attempt did not fail.
    pub(super) retry_at: Option<Instant>,
    /// What is being done about a row that the record refuses.
    pub(super) refused_row: RefusedRow,
    /// `Some` if the start has not compared the pages of the open file. The late check uses this
    /// waker to wake the recorder.
    pub(super) unchecked: Option<Waker>,
    /// The comparison of the pages that was left out at the start.
    pub(super) late_check: Option<LateCheck>,
}

/// Starts the thread of the recorder, which never ends by itself.
pub fn spawn(
    mut recorder: Box<Recorder>,
    wakeups: Wakeups,
    clock_loop: Notifier,
) -> io::Result<()> {
    recorder.reports.notify_from_now_on(clock_loop);
    recorder.check_later();
    let thread = std::thread::Builder::new().name("recorder".into()).stack_size(STACK);
    thread.spawn(move || {
        loop {
            let wait = recorder.pass(Instant::now());
            if let Err(error) = wakeups.wait(wait) {
                tracing::error!(%error, "the recorder cannot wait for entries");
                std::thread::sleep(RETRY);
            }
        }
    })?;
    Ok(())
}

impl Recorder {
    /// Tells the recorder that the clock was set up from the configuration as a new game. The first
    /// entry of that game has the number after `last_entry`. Several games can wait in the retained
    /// memory until the record can be opened, so a note there has the names and texts of this one.
    pub fn begin_game(&mut self, last_entry: u64, notes: &CommandNotes) {
        let game = Box::new(self.configured.clone());
        let note = CommandNote::SetUp { first_entry: last_entry + 1, game };
        notes.add(&note);
        self.ledger.notes.add(note);
        self.reports.status.begin_game(last_entry + 1);
        if !self.is_joined {
            self.begun_after = Some(last_entry);
            self.reports.status.count_after(last_entry);
        }
    }

    /// Writes the entries in the retained memory to the record, unless the storage fails, and
    /// stores a checkpoint if one is due. Returns how long the thread may wait for new entries
    /// before the next call; `None` if it may wait without a limit.
    pub(super) fn pass(&mut self, now: Instant) -> Option<Duration> {
        loop {
            self.intake.read_notes(&mut self.ledger);
            let was_joined = self.is_joined;
            let read = self.read_entries(now);
            if self.settings.path.is_none() {
                self.discard();
            } else if self.retry_at.is_none_or(|at| at <= now) {
                self.write(now);
            }
            self.release();
            self.reports.tell_of_recovery();
            let has_joined = self.is_joined && !was_joined;
            if !(read || has_joined) || !self.unwritten.is_empty() {
                break;
            }
        }
        self.take_late_damage(now);
        self.checkpoint(now);
        self.reports.tell_of_recovery();
        self.wait(now)
    }

    /// Starts the comparison of the pages, if the start has left it out. If that fails, the record is
    /// used without it: the next start of the machine compares the pages.
    pub(super) fn check_later(&mut self) {
        let (Some(waker), Some(store)) = (self.unchecked.take(), &self.store) else { return };
        match LateCheck::start(store.path(), move || waker.wake()) {
            Ok(check) => self.late_check = Some(check),
            Err(error) => tracing::warn!(%error, "the pages of the record cannot be compared"),
        }
    }

    /// If the late comparison of the pages has found damage, moves the record aside and begins
    /// another one with the state of the clock. An append that finds damage does the same. This is
    /// done only while no row waits to be written, so that no row is lost.
    fn take_late_damage(&mut self, now: Instant) {
        if self.unwritten.is_empty()
            && self.store.is_some()
            && let Some(damage) = self.late_check.as_ref().and_then(LateCheck::damage)
        {
            self.failed(&damage, now);
        }
    }

    fn wait(&self, now: Instant) -> Option<Duration> {
        let due = [self.intake.look_again(now), self.retry_at, self.checkpoint_due]
            .into_iter()
            .flatten()
            .min()?;
        Some(due.saturating_duration_since(now))
    }

    /// Makes rows of the entries in the retained memory, up to `BATCH` unwritten rows. Returns
    /// whether there may be more entries.
    ///
    /// Until the record has been opened, the entries stay in the memory, because they may continue
    /// the game on record.
    pub(super) fn read_entries(&mut self, now: Instant) -> bool {
        if !self.is_joined {
            self.reports.status.set_known(self.intake.included());
            return false;
        }
        let clocks = ClockReadings::read();
        while self.unwritten.len() < BATCH {
            match self.intake.next(&mut self.ledger, now) {
                Next::Entry(number, entry) => self.make_row(number, entry, &clocks),
                Next::Nothing => return false,
                Next::Damaged => {
                    let number = self.ledger.last() + 1;
                    self.reports.ask_for_state(number, "entries in memory are damaged");
                }
                Next::Unreadable(number, why) => {
                    self.reports.lost(1);
                    let why = format!("entry {number} cannot be read: {why}");
                    self.reports.ask_for_state(number, &why);
                }
            }
        }
        true
    }

    fn make_row(&mut self, number: u64, mut entry: Entry, clocks: &ClockReadings) {
        self.reports.status.set_known(number);
        if let Entry::State { clock, lost } = &mut entry
            && !clock.is_new()
        {
            let missing = self.missing_before(number).saturating_sub(*lost);
            // `lost` is counted here only if an earlier process wrote this state. The loop of this
            // process has already counted the entries that it has lost.
            let counted = if self.is_starting { missing + *lost } else { missing };
            self.reports.lost(counted);
            let last = self.ledger.last();
            let behind = if last == 0 { 0 } else { number.saturating_sub(1 + last) };
            *lost = behind.max(*lost);
            if self.ledger.leaves_other_game(clock, *lost) {
                self.reports.another_game();
            }
        }
        match self.ledger.record(number, &entry, clocks) {
            Ok(recorded) => {
                if let Entry::State { lost, .. } = &entry
                    && *lost > 0
                {
                    tracing::error!(
                        lost,
                        number,
                        "entries were lost while nothing could be recorded"
                    );
                }
                self.unwritten.push_back(recorded);
            }
            Err(error) => {
                let missing = match error {
                    ReplayError::Gap { .. } => self.missing_before(number),
                    _ => 0,
                };
                self.reports.lost(missing + 1);
                self.lost_through = number;
                self.reports.ask_for_state(number, &error.to_string());
            }
        }
    }

    /// How many entries between the latest row and the entry with this number are missing, for
    /// example in an older copy of the record, and do not count as lost yet.
    fn missing_before(&self, number: u64) -> u64 {
        match self.ledger.last() {
            0 => 0,
            last => number.saturating_sub(1 + last.max(self.lost_through)),
        }
    }

    /// Drops the rows, because no record is kept.
    fn discard(&mut self) {
        if let Some(last) = self.unwritten.drain(..).next_back() {
            self.done = last.row.number;
        }
    }

    /// Opens the record if it is closed, and writes the rows. A transaction has rows of one game
    /// only.
    fn write(&mut self, now: Instant) {
        self.retry_at = None;
        while !self.unwritten.is_empty() || self.store.is_none() {
            self.reports.status.set_waits_since(Some(monotonic_now()));
            let written = self.write_one_game();
            self.reports.status.set_waits_since(None);
            let written = match written {
                Err(StoreError::Refused(why)) => self.give_up_refused(&why),
                written => written.map(|()| self.succeeded()),
            };
            if let Err(error) = written {
                self.failed(&error, now);
                return;
            }
        }
    }

    fn write_one_game(&mut self) -> Result<(), StoreError> {
        let store = match &mut self.store {
            Some(store) => store,
            None => return self.open_again(),
        };
        let Some(first) = self.unwritten.front() else { return Ok(()) };
        let game = first.row.game;
        let most = if self.refused_row == RefusedRow::Searched { 1 } else { BATCH };
        let of_game = self.unwritten.iter().take_while(|recorded| recorded.row.game == game);
        let of_game = of_game.take(most);
        let (rows, changes): (Vec<_>, Vec<_>) =
            of_game.map(|recorded| (recorded.row.clone(), recorded.changes.clone())).unzip();
        let changes: Vec<_> = changes.into_iter().flatten().collect();
        store.append(&rows, &changes, None)?;
        let last = rows.last().map_or(self.done, |row| row.number);
        self.done = last;
        self.unwritten.drain(..rows.len());
        self.reports.status.set_committed(last, store.bytes());
        self.reports.set_game(last, game);
        self.reports.committed.send_modify(|on_record| {
            rows.iter().for_each(|row| on_record.add(row.number, row.is_state()));
        });
        if changes
            .iter()
            .any(|change| matches!(change, crate::record::store::GameChange::Begin { .. }))
        {
            // After the beginning of a game, usually one old game has to be deleted. More have to
            // be deleted after `keep_games` was lowered, so up to `RETAIN_PER_GAME` games are
            // deleted.
            for _ in 0..RETAIN_PER_GAME {
                match store.retain(self.settings.keep_games) {
                    Ok(Retained::Nothing) => break,
                    Ok(_) => {}
                    Err(error) => {
                        tracing::warn!(%error, "old games cannot be removed from the record");
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn failed(&mut self, error: &StoreError, now: Instant) {
        if error.is_damage()
            && let Some(store) = self.store.take()
        {
            let why = StoreError::Corrupt { entry: None, what: error.to_string() };
            match store.move_aside(why) {
                Ok(opened) => {
                    self.take_opened(opened);
                    self.is_joined = true;
                    self.begin_again(0);
                    self.retry_at = Some(now);
                    return;
                }
                Err(error) => {
                    tracing::error!(%error, "the record cannot be kept under another name")
                }
            }
        }
        self.reports.failed(error);
        if error.means_lost_file() {
            // The next pass opens the path again (`open_again`). If the file there does not end
            // with the latest entry that was written, the recorder begins with the state of the
            // clock.
            self.is_replaced = matches!(error, StoreError::Gone { is_replaced: true, .. });
            self.store = None;
            self.retry_at = Some(now);
        } else {
            self.retry_at = Some(now + RETRY);
        }
    }

    fn succeeded(&mut self) {
        if self.refused_row == RefusedRow::Replaced || self.unwritten.is_empty() {
            self.refused_row = RefusedRow::None;
        }
        self.reports.succeeded();
    }

    /// Frees the entries up to `done`, and the notes when none is needed any more.
    fn release(&mut self) {
        let frees_notes = self.ledger.notes.is_empty() && self.unwritten.is_empty();
        self.intake.release(self.done, frees_notes, self.ledger.game_request());
    }

    /// Stores the present time as a checkpoint if a clock runs and the checkpoint is due.
    fn checkpoint(&mut self, now: Instant) {
        let runs = |clock: &VersionedClock| clock.game().phase() == Phase::Running;
        if self.settings.path.is_none() || !self.ledger.clock().is_some_and(runs) {
            self.checkpoint_due = None;
            return;
        }
        let due = *self.checkpoint_due.get_or_insert(now + self.settings.checkpoint);
        if due > now {
            return;
        }
        self.checkpoint_due = Some(now + self.settings.checkpoint);
        if !self.unwritten.is_empty() {
            // There are unwritten rows, so the storage fails. No checkpoint is stored now, because
            // a checkpoint belongs to an entry that is on record.
            return;
        }
        let clocks = ClockReadings::read();
        let at_ns = clocks.monotonic.as_nanos();
        let (raw_ns, wall_ns) = clocks.raw_and_wall_at(at_ns);
        let checkpoint =
            Checkpoint { boot: self.boot.clone(), at_ns, raw_ns, wall_ns, entry: self.done };
        let Some(store) = &mut self.store else { return };
        self.reports.status.set_waits_since(Some(monotonic_now()));
        let written = store.checkpoint(&checkpoint);
        self.reports.status.set_waits_since(None);
        match written {
            Ok(()) => self.succeeded(),
            Err(error) => self.failed(&error, now),
        }
    }
}
