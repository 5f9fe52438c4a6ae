//! The recorder's thread.

use super::intake::{Intake, Next, NotedEntry};
use super::ledger::{Ledger, Recorded, TakenUp};
use super::replay::ReplayError;
use super::reports::Reports;
use clock_engine::Phase;
use clock_record::{
    Change, Checkpoint, Digest, EntryLine, Games, RecordError, Retained, Summary, hexadecimal,
};
use clockd_rt::channel::Notifier;
use clockd_rt::clock::{ClockReadings, monotonic_now};
use clockd_rt::retained::Wakeups;
use clockd_rt::{Entry, VersionedClock};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// The folder of the record, how much of the record is kept, and how often the time of a running
/// clock is stored.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder; `None` if no record is kept.
    pub path: Option<std::path::PathBuf>,
    /// How many games are kept. The latest game and adjourned games are always kept.
    pub keep_games: u64,
    /// How often the time of a running clock is stored as a checkpoint. After a power cut, the
    /// clock continues with the time of the latest entry or of the checkpoint, whichever is later.
    pub checkpoint: Duration,
}

/// The size of the stack of the recorder's thread in bytes. It is enough for the
/// state of a clock as text, also in a build without optimization, which needs more than 512 KiB
/// when it joins a record that has come back. Pages that are never used take no memory.
const STACK: usize = 1024 * 1024;
/// The largest number of unwritten rows. Further entries stay in the retained memory.
const BATCH: usize = 64;
/// How long the recorder waits after a failure of the storage before it writes again.
const RETRY: Duration = Duration::from_secs(1);

/// The most calls of [`Games::retain`] when a game begins. Each call removes one game at most.
const RETAIN_PER_GAME: usize = 4;

/// The state of the recorder's thread.
pub struct Recorder {
    pub(super) settings: Settings,
    /// The folder of the record; `None` while it cannot be opened.
    pub(super) games: Option<Games>,
    pub(super) ledger: Ledger,
    pub(super) boot: String,
    pub(super) intake: Intake,
    pub(super) reports: Reports,
    /// Whether the ledger continues from the entries on record. It is `false` until the record has
    /// been opened and read.
    pub(super) is_joined: bool,
    /// The identities of the games in the retained memory, and of the game of a new clock. If the list is not
    /// empty and the latest game on record is not in it, that game is not continued.
    pub(super) in_memory: Vec<u64>,
    /// The game of the clock in the retained memory, if it must be on record (`Left::expected`).
    pub(super) expected: Option<(u64, u64)>,
    /// Whether the expected game was not on record, and the next state has still to say that entries are
    /// missing.
    pub(super) lacks_game: bool,
    /// Whether the file of the game was removed, replaced or shortened while it was open. If a damaged file is
    /// found in its place, that file does not have the entries.
    pub(super) is_gone: bool,
    /// Rows that are not on record yet.
    pub(super) unwritten: VecDeque<Recorded>,
    /// The number of the latest entry that is on record, is lost, or was dropped because no record
    /// is kept.
    pub(super) done: u64,
    /// The identity of the latest game on record, and the chain of its last entry.
    pub(super) end: Option<(u64, Digest)>,
    /// The number of the latest entry that could not be replayed after the rows before it, and so
    /// counts as lost.
    pub(super) lost_through: u64,
    /// Whether the clock loop does not run yet, so that all entries are of an earlier process.
    pub(super) is_starting: bool,
    /// When the next checkpoint is due; `None` if no clock runs.
    pub(super) checkpoint_due: Option<Instant>,
    /// When writing is tried again after a failure; `None` if the last attempt did not fail.
    pub(super) retry_at: Option<Instant>,
    /// Whether the record has refused the latest rows.
    pub(super) is_refused: bool,
}

/// Starts the thread of the recorder, which never ends by itself.
pub fn spawn(
    mut recorder: Box<Recorder>,
    wakeups: Wakeups,
    clock_loop: Notifier,
) -> io::Result<()> {
    recorder.reports.notify_from_now_on(clock_loop);
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
    /// Tells the recorder that the clock was set up from the configuration as a new game with the identity
    /// `id`. The first entry of that game has the number after `last_entry`.
    pub fn begin_game(&mut self, id: u64, last_entry: u64) {
        self.in_memory.push(id);
        self.reports.status.begin_game(last_entry + 1);
        if !self.is_joined {
            self.reports.status.count_after(last_entry);
        }
    }

    /// Writes the entries in the retained memory to the record, unless the storage fails, and
    /// stores a checkpoint if one is due. Returns how long the thread may wait for new entries
    /// before the next call; `None` if it may wait without a limit.
    pub(super) fn pass(&mut self, now: Instant) -> Option<Duration> {
        loop {
            let was_joined = self.is_joined;
            let read = self.read_entries();
            if self.settings.path.is_none() {
                self.discard();
            } else if self.retry_at.is_none_or(|at| at <= now) {
                self.write(now);
            }
            self.intake.release(self.done);
            self.reports.tell_of_recovery();
            let has_joined = self.is_joined && !was_joined;
            if !(read || has_joined) || !self.unwritten.is_empty() {
                break;
            }
        }
        self.checkpoint(now);
        self.reports.tell_of_recovery();
        self.wait(now)
    }

    fn wait(&self, now: Instant) -> Option<Duration> {
        let due = [self.retry_at, self.checkpoint_due].into_iter().flatten().min()?;
        Some(due.saturating_duration_since(now))
    }

    /// Makes rows of the entries in the retained memory, up to `BATCH` unwritten rows. Returns
    /// whether there may be more entries.
    ///
    /// Until the record has been opened, the entries stay in the memory, because they may continue
    /// the game on record.
    pub(super) fn read_entries(&mut self) -> bool {
        if !self.is_joined {
            self.reports.status.set_known(self.intake.included());
            return false;
        }
        let clocks = ClockReadings::read();
        while self.unwritten.len() < BATCH {
            match self.intake.next(self.ledger.last()) {
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

    fn make_row(&mut self, number: u64, mut noted: NotedEntry, clocks: &ClockReadings) {
        self.reports.status.set_known(number);
        if let (Entry::State { .. }, Some(kept)) = (&noted.entry, self.intake.kept(noted.game)) {
            // The entries of commands that gave other names or texts can be among those that were lost.
            self.ledger.go_on_with(noted.game, kept);
        }
        let misses_begin = self.ledger.misses_begin(&noted);
        // It is not known how many entries a file had that is gone, so they count as one entry.
        let is_state = matches!(noted.entry, Entry::State { .. });
        let gone = u64::from(is_state && std::mem::take(&mut self.lacks_game));
        if let Entry::State { clock, lost } = &mut noted.entry
            && !clock.is_new()
        {
            let missing = self.missing_before(number).max(gone).saturating_sub(*lost);
            // `lost` is counted here only if an earlier process wrote this state. The loop of this
            // process has already counted the entries that it has lost.
            let counted = if self.is_starting { missing + *lost } else { missing };
            self.reports.lost(counted);
            let last = self.ledger.last();
            let behind = if last == 0 { 0 } else { number.saturating_sub(1 + last) };
            *lost = behind.max(gone).max(*lost);
            if misses_begin {
                self.reports.another_game();
            }
        }
        match self.ledger.record(number, &noted, clocks) {
            Ok(recorded) => {
                if let Entry::State { lost, .. } = &noted.entry
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

    /// Opens the record if it is closed, and writes the rows.
    fn write(&mut self, now: Instant) {
        self.retry_at = None;
        while !self.unwritten.is_empty() || self.games.is_none() {
            self.reports.status.set_waits_since(Some(monotonic_now()));
            let written = self.write_one_game();
            self.reports.status.set_waits_since(None);
            let written = match written {
                Err(RecordError::Refused(why)) => {
                    self.give_up_refused(&why);
                    Ok(())
                }
                written => written.map(|()| self.succeeded()),
            };
            if let Err(error) = written {
                self.failed(error, now);
                return;
            }
        }
    }

    /// Writes unwritten rows of one game.
    fn write_one_game(&mut self) -> Result<(), RecordError> {
        let games = match &mut self.games {
            Some(games) => games,
            None => return self.open_again(),
        };
        let Some(first) = self.unwritten.front() else { return Ok(()) };
        let game = first.game;
        let of_game = self.unwritten.iter().take_while(|recorded| recorded.game == game);
        let rows: Vec<EntryLine> = of_game.map(|it| it.row.clone()).collect();
        match &first.begins {
            Some(begins) => games.begin(game, begins.id, &begins.info, &rows)?,
            None => games.append(&rows)?,
        }
        (self.end, self.done) = (games.end(), rows.last().map_or(self.done, |row| row.number));
        let (bytes, last) = (games.bytes(), self.done);
        let written: Vec<_> = self.unwritten.drain(..rows.len()).collect();
        self.reports.status.set_committed(last, bytes);
        self.reports.set_game(last, game);
        self.reports.committed.send_modify(|on_record| {
            rows.iter().for_each(|row| on_record.add(row.number, row.is_state()));
        });
        for begins in written.into_iter().filter_map(|recorded| recorded.begins) {
            self.begun(begins.takes_up);
        }
        Ok(())
    }

    /// Does what the beginning of a game entails for earlier games. The entries are on record, so an error
    /// is not one of them, and is only logged.
    fn begun(&mut self, takes_up: Option<TakenUp>) {
        if let Some(earlier) = takes_up {
            self.take_up(&earlier);
        }
        let Some(games) = &mut self.games else { return };
        // Usually one old game has to be removed. After `keep_games` was lowered, more have to be.
        for _ in 0..RETAIN_PER_GAME {
            match games.retain(usize::try_from(self.settings.keep_games).unwrap_or(usize::MAX)) {
                Ok(Retained::Nothing) => break,
                Ok(Retained::Removed(_)) => {}
                Err(error) => {
                    tracing::warn!(%error, "old games cannot be removed from the record");
                    break;
                }
            }
        }
    }

    /// Notes in the file of an earlier game that it is no longer adjourned, because the latest game continues
    /// it.
    pub(super) fn take_up(&mut self, earlier: &TakenUp) {
        let Some(games) = &mut self.games else { return };
        let TakenUp { game, chain } = earlier;
        let is_it = |found: &Summary| found.adjourned && hexadecimal(&found.chain) == *chain;
        let taken_up = Change { adjourned: Some(false), ..Change::default() };
        let changed = match Summary::read(games.folder(), *game, |_| ()) {
            Ok(Some(found)) if is_it(&found) => games.change(*game, &taken_up),
            read => read.map(|_| ()),
        };
        if let Err(error) = changed {
            tracing::warn!(%error, "game {game} stays adjourned on record");
        }
    }

    pub(super) fn failed(&mut self, error: RecordError, now: Instant) {
        if error.is_damage()
            && let Some(games) = &mut self.games
        {
            match games.move_aside(error) {
                Ok(moved) => {
                    self.has_moved_aside(&moved);
                    self.is_joined = true;
                    self.begin_again(0);
                    self.retry_at = Some(now);
                }
                Err(error) => {
                    tracing::error!(%error, "the game cannot be kept under another name");
                    self.reports.failed(&error);
                    self.retry_at = Some(now + RETRY);
                }
            }
            return;
        }
        self.reports.failed(&error);
        if let RecordError::Gone { .. } = error {
            // The next pass opens the folder again (`open_again`). If the latest game there does not end
            // with the latest entry that was written, the recorder begins with the state of the
            // clock.
            self.is_gone = true;
            self.games = None;
            self.retry_at = Some(now);
        } else {
            self.retry_at = Some(now + RETRY);
        }
    }

    fn succeeded(&mut self) {
        self.is_refused = false;
        self.reports.succeeded();
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
        let Some(games) = &mut self.games else { return };
        self.reports.status.set_waits_since(Some(monotonic_now()));
        let written = games.checkpoint(&checkpoint);
        self.reports.status.set_waits_since(None);
        match written {
            Ok(()) => self.succeeded(),
            Err(error) => self.failed(error, now),
        }
    }
}
