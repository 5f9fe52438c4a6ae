//! The recorder's thread.

use super::Settings;
use super::ledger::{Ledger, Recorded};
use super::lost_rows::Refusal;
use crate::clock::{ClockReadings, monotonic_now};
use crate::game::{CommandNote, OnRecord, RecordStatus};
use crate::record::store::{Checkpoint, Store, StoreError};
use crate::retained::{Frame, Included, RingReader, Wakeups};
use crate::rt::channel::Notifier;
use crate::rt::{Entry, Health, VersionedClock};
use clock_engine::Phase;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The stack of the thread: enough for SQLite and for the state of a clock as text.
const STACK: usize = 512 * 1024;
/// How many rows are made before they are written. The other entries wait in the memory.
const BATCH: usize = 64;
/// How soon writing is tried again after the storage has failed.
const RETRY: Duration = Duration::from_secs(1);
/// How long an entry waits for the caller of its command to be known. The bus says it within
/// milliseconds.
const CALLER_TIMEOUT: Duration = Duration::from_millis(250);
/// How often an entry that waits for its caller is looked at again.
const CALLER_POLL: Duration = Duration::from_millis(10);
/// Everything that the thread works with.
pub struct Recorder {
    pub(super) settings: Settings,
    pub(super) store: Option<Store>,
    pub(super) ledger: Ledger,
    pub(super) boot: String,
    pub(super) entries: RingReader,
    pub(super) commands: RingReader,
    pub(super) included: Included,
    pub(super) health: Arc<Health>,
    pub(super) status: Arc<RecordStatus>,
    pub(super) committed: watch::Sender<OnRecord>,
    /// Whether the ledger goes on from what is on record. It does not before the record was opened.
    pub(super) is_joined: bool,
    /// The entry after which a new clock began while it was not known what is on record.
    pub(super) begun_after: Option<u64>,
    /// Rows that are made and not on record.
    pub(super) unwritten: VecDeque<Recorded>,
    /// An entry that was read and waits for its caller, and since when.
    pub(super) waiting: Option<(u64, Entry, Instant)>,
    /// The number of the latest note that was read.
    pub(super) last_note: u64,
    /// The number of the latest entry that is on record, or that never will be.
    pub(super) done: u64,
    /// The latest entry for which the clock loop was asked to add its state.
    pub(super) asked_at: u64,
    /// Whether the storage works again, and the clock loop does not know it.
    pub(super) has_recovered: bool,
    /// When the next checkpoint is due, while a clock runs.
    pub(super) checkpoint_due: Option<Instant>,
    /// When writing is tried again after a failure.
    pub(super) retry_at: Option<Instant>,
    /// What is being done about a row that the record refuses.
    pub(super) refusal: Refusal,
    /// Wakes the clock loop, so that it publishes a fault that comes or goes.
    pub(super) clock_loop: Option<Notifier>,
}

/// Starts the thread. It never ends by itself.
pub fn spawn(mut recorder: Recorder, wakeups: Wakeups, clock_loop: Notifier) -> io::Result<()> {
    recorder.clock_loop = Some(clock_loop);
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
    /// The clock is set up from the configuration, as a new game. Its first entry follows this one.
    pub fn begin_game(&mut self, last_entry: u64) {
        self.ledger.begin_next();
        if !self.is_joined {
            self.begun_after = Some(last_entry);
            self.status.count_after(last_entry);
        }
    }

    /// Records everything that is there. Returns how long to wait at most for more.
    pub(super) fn pass(&mut self, now: Instant) -> Option<Duration> {
        loop {
            self.read_notes();
            let was_joined = self.is_joined;
            let read = self.read_entries(now);
            if self.settings.path.is_none() {
                self.discard();
            } else if self.retry_at.is_none_or(|at| at <= now) {
                self.write(now);
            }
            self.release();
            self.tell_of_recovery();
            let has_joined = self.is_joined && !was_joined;
            if !(read || has_joined) || !self.unwritten.is_empty() {
                break;
            }
        }
        self.checkpoint(now);
        self.tell_of_recovery();
        self.wait(now)
    }

    fn wait(&self, now: Instant) -> Option<Duration> {
        let waiting = self.waiting.as_ref().map(|_| now + CALLER_POLL);
        let due = [waiting, self.retry_at, self.checkpoint_due].into_iter().flatten().min()?;
        Some(due.saturating_duration_since(now))
    }

    fn read_notes(&mut self) {
        while let Some(frame) = self.commands.next() {
            let Ok(Frame { number, bytes }) = frame else { continue };
            self.last_note = number;
            match CommandNote::read(bytes) {
                Ok(note) => self.ledger.note(note),
                Err(error) => tracing::error!(%error, "a note of a command cannot be read"),
            }
        }
    }

    /// Makes rows of the entries that are there. Returns whether there may be more of them.
    ///
    /// Until the record has been opened they stay in the memory: they may go on from what is in it.
    pub(super) fn read_entries(&mut self, now: Instant) -> bool {
        if !self.is_joined {
            self.status.set_known(self.included.entry());
            return false;
        }
        let clocks = ClockReadings::read();
        while self.unwritten.len() < BATCH {
            let Some((number, entry, since)) = self.waiting.take().or_else(|| self.next_entry(now))
            else {
                return false;
            };
            // The note of a command is in the memory before the command is sent, but perhaps it was
            // not yet when the notes were read last.
            self.read_notes();
            if self.ledger.awaits_caller(&entry) && now.duration_since(since) < CALLER_TIMEOUT {
                self.waiting = Some((number, entry, since));
                return false;
            }
            self.make_row(number, &entry, &clocks);
        }
        true
    }

    /// The next entry that is not on record.
    fn next_entry(&mut self, now: Instant) -> Option<(u64, Entry, Instant)> {
        loop {
            let Ok(Frame { number, bytes }) = self.entries.next()? else {
                self.ask_for_state(self.ledger.last() + 1, "entries in memory are damaged");
                continue;
            };
            if number <= self.ledger.last() {
                continue;
            }
            match Entry::read(bytes) {
                Ok(entry) => return Some((number, entry, now)),
                Err(error) => {
                    self.count_lost(1);
                    self.ask_for_state(number, &format!("entry {number} cannot be read: {error}"))
                }
            }
        }
    }

    fn make_row(&mut self, number: u64, entry: &Entry, clocks: &ClockReadings) {
        self.status.set_known(number);
        match self.ledger.record(number, entry, clocks) {
            Ok(recorded) => {
                if let Entry::State { lost, .. } = entry
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
                self.count_lost(1);
                self.ask_for_state(number, &error.to_string());
            }
        }
    }

    /// The entries do not lead to the clock's state any more, so the clock loop is to add that
    /// state. It is asked once for each number: a state that cannot be read either would otherwise
    /// be asked for without end.
    fn ask_for_state(&mut self, number: u64, why: &str) {
        tracing::error!("the record: {why}");
        self.health.record_mismatch.store(true, Ordering::Relaxed);
        if number > self.asked_at {
            self.asked_at = number;
            self.health.state_wanted.store(true, Ordering::Relaxed);
        }
        self.notify();
    }

    /// Nobody keeps a record.
    fn discard(&mut self) {
        if let Some(last) = self.unwritten.drain(..).next_back() {
            self.done = last.row.number;
        }
    }

    /// Writes the rows, one transaction for each game.
    fn write(&mut self, now: Instant) {
        self.retry_at = None;
        while !self.unwritten.is_empty() || self.store.is_none() {
            self.status.set_waits_since(Some(monotonic_now()));
            let written = self.write_one_game();
            self.status.set_waits_since(None);
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
        let most = if self.refusal == Refusal::Searched { 1 } else { BATCH };
        let of_game = self.unwritten.iter().take_while(|recorded| recorded.row.game == game);
        let of_game = of_game.take(most);
        let (rows, changes): (Vec<_>, Vec<_>) =
            of_game.map(|recorded| (recorded.row.clone(), recorded.changes.clone())).unzip();
        let changes: Vec<_> = changes.into_iter().flatten().collect();
        store.append(&rows, &changes, None)?;
        let last = rows.last().map_or(self.done, |row| row.number);
        self.done = last;
        self.unwritten.drain(..rows.len());
        self.status.set_committed(last, store.bytes());
        self.committed.send_modify(|on_record| {
            rows.iter().for_each(|row| on_record.add(row.number, row.is_state()));
        });
        if changes
            .iter()
            .any(|change| matches!(change, crate::record::store::GameChange::Begin { .. }))
        {
            // What is left is deleted with the next game.
            if let Err(error) = store.retain(self.settings.keep_games) {
                tracing::warn!(%error, "old games cannot be removed from the record");
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
                    self.begin_again();
                    self.retry_at = Some(now);
                    return;
                }
                Err(error) => {
                    tracing::error!(%error, "the record cannot be kept under another name")
                }
            }
        }
        self.retry_at = Some(now + RETRY);
        if self.status.set_error(Some(error.to_string())) {
            tracing::error!(%error, "nothing can be recorded; the clock goes on");
        }
        if !self.health.storage_failed.swap(true, Ordering::Relaxed) {
            self.notify();
        }
    }

    fn succeeded(&mut self) {
        if self.refusal == Refusal::Replaced || self.unwritten.is_empty() {
            self.refusal = Refusal::None;
        }
        if self.status.set_error(None) {
            tracing::info!("the record is written again");
        }
        self.has_recovered |= self.health.storage_failed.swap(false, Ordering::Relaxed);
    }

    /// Wakes the clock loop once there is room again: it publishes that the fault is gone, and adds
    /// its state if entries were lost.
    fn tell_of_recovery(&mut self) {
        if std::mem::take(&mut self.has_recovered) {
            self.notify();
        }
    }

    /// Frees what is on record. An entry is freed only once a snapshot has it.
    fn release(&mut self) {
        self.entries.release_through(self.done.min(self.included.entry()));
        if self.ledger.has_no_notes() && self.waiting.is_none() && self.unwritten.is_empty() {
            self.commands.release_through(self.last_note);
        }
    }

    /// Stores the time of a clock that runs.
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
            // The storage fails. A checkpoint is of an entry that is on record.
            return;
        }
        let clocks = ClockReadings::read();
        let at_ns = clocks.monotonic.as_nanos();
        let (raw_ns, wall_ns) = clocks.raw_and_wall_at(at_ns);
        let checkpoint =
            Checkpoint { boot: self.boot.clone(), at_ns, raw_ns, wall_ns, entry: self.done };
        let Some(store) = &mut self.store else { return };
        self.status.set_waits_since(Some(monotonic_now()));
        let written = store.checkpoint(&checkpoint);
        self.status.set_waits_since(None);
        match written {
            Ok(()) => self.succeeded(),
            Err(error) => self.failed(&error, now),
        }
    }

    pub(super) fn notify(&self) {
        if let Some(clock_loop) = &self.clock_loop {
            clock_loop.notify();
        }
    }
}
