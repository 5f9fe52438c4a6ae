//! The state of the recorder, for the D-Bus interface `org.chessclock.Clock1.Health`, the number of the
//! game on the clock, and which entries are on record.

use clock_engine::text::plain_system_errors;
use clock_engine::{Instant, Span};
use clockd_rt::channel::Notifier;
use clockd_rt::{Health, clock};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// If one access to the storage takes longer than this, the storage counts as failing. Reads of the
/// record have the same limit.
const SLOWEST: Span = Span::from_secs(3);

/// The largest length of `Games::begun`, which grows while nothing is written. Further games are
/// not counted until an entry is on record again. The limit bounds the memory that a client can use
/// up with `New` while the storage fails.
const MAX_BEGUN: usize = 1024;

/// The state of the recorder. The recorder's thread writes it, and any thread reads it.
#[derive(Debug, Default)]
pub struct RecordStatus {
    /// Why nothing is written at present; `None` if entries are written.
    error: Mutex<Option<String>>,
    /// The number of the latest entry that is on record.
    committed: AtomicU64,
    /// The number of the latest entry that the recorder has taken out of the retained memory or
    /// committed. Until the record has been read, it is the number of the latest entry that the
    /// snapshot in the retained memory includes.
    known: AtomicU64,
    /// If the record could not be read at the start: the number of the last entry that need not be
    /// recorded. Otherwise 0. `uncommitted` uses this number until an entry is committed.
    before: AtomicU64,
    /// The number of the latest game on record, and the games that began after it.
    games: Mutex<Games>,
    /// The size of the record, in bytes.
    bytes: AtomicU64,
    /// Since when the recorder has waited for the storage, in nanoseconds of CLOCK_MONOTONIC; 0 if
    /// it does not wait.
    waits_since: AtomicU64,
}

/// What is needed to compute the number of the game on the clock. The record numbers games
/// consecutively.
#[derive(Debug, Default)]
struct Games {
    /// The number of the latest entry on record and the number of its game; both are 0 if the
    /// record is empty. `None` if the record has not been read yet.
    on_record: Option<(u64, u64)>,
    /// The number of the latest entry of the clock at the start and the number of its game, if an
    /// earlier process knew the number of the game. Both are used until that entry or a later one
    /// is on record.
    kept: Option<(u64, u64)>,
    /// The numbers of the first entries of the games that are not on record yet.
    begun: Vec<u64>,
}

impl Games {
    /// As [`RecordStatus::game`].
    fn number(&self) -> Option<u64> {
        let (_, number) = self.kept.or(self.on_record)?;
        Some(number + self.begun.len() as u64)
    }
}

impl RecordStatus {
    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.error.lock().expect("nothing panics while it holds the lock")
    }

    /// Why nothing is written at present; `None` if entries are written.
    pub fn error(&self) -> Option<String> {
        self.lock().clone()
    }

    /// Sets why nothing is written, with the errors of the operating system in plain words; `None` if
    /// entries are written. Returns whether this changes the value.
    pub fn set_error(&self, error: Option<String>) -> bool {
        let error = error.map(|error| plain_system_errors(&error));
        let mut present = self.lock();
        let changes = *present != error;
        *present = error;
        changes
    }

    /// Sets since when the recorder has waited for the storage; `None` if it does not wait.
    pub fn set_waits_since(&self, since: Option<Instant>) {
        self.waits_since.store(since.map_or(0, Instant::as_nanos), Ordering::SeqCst);
    }

    /// Sets the error if the recorder has waited for the storage for more than 3 s and no other
    /// error is set. In that case this also sets `Health::storage_failed`. Returns whether
    /// `Health::storage_failed` changed from `false` to `true`.
    ///
    /// The main thread calls this, because the recorder's thread cannot call it while it waits for
    /// the storage. When the storage has answered, the recorder's thread removes the error.
    pub fn notice_delay(&self, now: Instant, health: &Health) -> bool {
        // When the storage has answered, the recorder first clears `waits_since`, and then removes
        // the error, for which it needs this lock. So the error cannot remain.
        let mut error = self.lock();
        let since = self.waits_since.load(Ordering::SeqCst);
        let waits = since != 0 && now.since(Instant::from_nanos(since).min(now)) > SLOWEST;
        if !waits || error.is_some() {
            return false;
        }
        let seconds = SLOWEST.as_nanos() / 1_000_000_000;
        *error = Some(format!("the storage has not answered for {seconds} s"));
        !health.storage_failed.swap(true, Ordering::Relaxed)
    }

    /// The number of the latest entry that is on record.
    pub fn committed(&self) -> u64 {
        self.committed.load(Ordering::Relaxed)
    }

    /// How many entries are not on record yet. `latest` is the number of the latest entry of the
    /// clock.
    ///
    /// `latest` is needed because the recorder may not have read all entries of the retained
    /// memory: it reads none while it waits for the storage, and only one batch while the storage
    /// fails.
    pub fn uncommitted(&self, latest: u64) -> u64 {
        let done = self.committed().max(self.before.load(Ordering::Relaxed));
        self.known.load(Ordering::Relaxed).max(latest).saturating_sub(done)
    }

    /// The size of the record, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number that the record gives to the game on the clock; `None` if no record is kept, or
    /// if neither this process nor an earlier one that ran this game has read the record.
    pub fn game(&self) -> Option<u64> {
        self.games().number()
    }

    /// Sets the number of the game on the clock, if an earlier process knew it. `entry` is the
    /// number of the latest entry of the clock.
    pub fn set_kept_game(&self, entry: u64, number: u64) {
        self.games().kept = Some((entry, number));
    }

    /// Notes that a game begins with the entry `first_entry`. Until that entry is on record,
    /// [`RecordStatus::game`] adds 1 for this game to the number of the latest game on record.
    pub fn begin_game(&self, first_entry: u64) {
        let mut games = self.games();
        let is_new = games.on_record.is_none_or(|(entry, _)| entry < first_entry);
        if is_new && games.begun.len() < MAX_BEGUN {
            games.begun.push(first_entry);
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().expect("nothing panics while it holds the lock")
    }

    /// Sets the latest entry on record and the number of its game. Removes the games whose first
    /// entries are now on record from `Games::begun`. Returns whether this changes the number of the
    /// game on the clock.
    pub fn set_game(&self, entry: u64, game: u64) -> bool {
        let mut games = self.games();
        let before = games.number();
        games.on_record = Some((entry, game));
        games.kept = games.kept.filter(|(kept, _)| *kept > entry);
        games.begun.retain(|first_entry| *first_entry > entry);
        games.number() != before
    }

    /// Sets the latest entry on record, and the size of the record in bytes.
    pub fn set_committed(&self, entry: u64, bytes: u64) {
        self.committed.store(entry, Ordering::Relaxed);
        self.known.fetch_max(entry, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Sets the number of the last entry that need not be recorded. Must be called if the record
    /// cannot be read at the start.
    pub fn count_after(&self, entry: u64) {
        self.before.store(entry, Ordering::Relaxed);
    }

    /// Sets the latest entry that the recorder knows, unless it knows a later one already.
    pub fn set_known(&self, entry: u64) {
        self.known.fetch_max(entry, Ordering::Relaxed);
    }
}

/// The largest number of ranges in `OnRecord::gaps`. [`OnRecord::has`] is asked for an entry at
/// most 0.5 s after that entry was made, so only ranges from the latest 0.5 s matter. Even one in
/// that time is rare, so older ranges can be forgotten.
const GAPS: usize = 16;

/// The entries that are on record. Entries are added and never removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnRecord {
    latest: u64,
    /// The latest ranges of numbers whose entries are not on record. In the place of each range,
    /// the record has one entry with the complete state of the clock.
    gaps: VecDeque<RangeInclusive<u64>>,
}

impl OnRecord {
    /// A record that contains all entries up to the number `latest`.
    pub fn up_to(latest: u64) -> OnRecord {
        OnRecord { latest, gaps: VecDeque::new() }
    }

    /// The number of the latest entry; 0 if there is none.
    #[cfg(test)]
    pub fn latest(&self) -> u64 {
        self.latest
    }

    /// Whether the state of the clock after the entry with this number is on record. The entry
    /// itself can have been lost; then a later entry has the complete state.
    pub fn includes(&self, entry: u64) -> bool {
        self.latest >= entry
    }

    /// Whether this entry itself is on record.
    pub fn has(&self, entry: u64) -> bool {
        self.includes(entry) && !self.gaps.iter().any(|gap| gap.contains(&entry))
    }

    /// Adds the entry with the number `entry`, which has been written to the record. If `is_state`
    /// is `true`, the entry holds the complete state of the clock. It then stands in the place of
    /// all inputs after the previous entry on record, up to and including the number `entry`.
    /// [`OnRecord::has`] is `false` for these numbers.
    pub fn add(&mut self, entry: u64, is_state: bool) {
        if is_state {
            self.gaps.push_back(self.latest + 1..=entry);
            if self.gaps.len() > GAPS {
                self.gaps.pop_front();
            }
        }
        self.latest = entry;
    }
}

/// The interval between two checks of [`watch_storage`].
const INTERVAL: Duration = Duration::from_secs(1);

/// Checks for ever whether the storage answers. If it does not, sets the fault `Health::storage_failed` and
/// notifies `clock_loop`, which is woken up only when the fault begins. While the recorder's thread waits
/// for the storage, it cannot report the delay itself. When the storage has answered, it ends the fault.
pub async fn watch_storage(
    status: Arc<RecordStatus>,
    health: Arc<Health>,
    clock_loop: Notifier,
) -> Infallible {
    loop {
        tokio::time::sleep(INTERVAL).await;
        if status.notice_delay(clock::monotonic_now(), &health) {
            tracing::error!("the storage of the record does not answer; the clock goes on");
            clock_loop.notify();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Instant {
        Instant::from_nanos(seconds * 1_000_000_000)
    }

    #[test]
    fn entries_that_the_recorder_has_not_read_are_counted_too() {
        let status = RecordStatus::default();
        status.count_after(1_000);
        assert_eq!(status.uncommitted(1_000), 0);
        status.set_known(1_064);
        assert_eq!((status.uncommitted(1_001), status.uncommitted(1_100)), (64, 100));
        status.set_committed(1_099, 1);
        assert_eq!(status.uncommitted(1_100), 1);
    }

    #[test]
    fn a_game_has_its_number_before_it_is_on_record() {
        let status = RecordStatus::default();
        status.begin_game(5);
        assert_eq!(status.game(), None, "it is not known how many games are on record");
        status.set_game(4, 7);
        assert_eq!(status.game(), Some(8));
        status.begin_game(9);
        assert_eq!(status.game(), Some(9));
        status.set_game(6, 8);
        assert_eq!(status.game(), Some(9));
        status.set_game(9, 9);
        status.begin_game(9);
        assert_eq!(status.game(), Some(9), "the recorder was faster than the bus");
    }

    #[test]
    fn the_number_of_a_kept_game_counts_until_the_game_is_on_record() {
        let status = RecordStatus::default();
        status.set_kept_game(20, 7);
        assert_eq!(status.game(), Some(7));
        status.begin_game(25);
        assert_eq!(status.game(), Some(8));
        status.set_game(8, 5);
        assert_eq!(status.game(), Some(8), "the record ends before the kept game");
        status.set_game(22, 6);
        assert_eq!(status.game(), Some(7), "the record decides");
    }

    #[test]
    fn a_storage_that_does_not_answer_is_a_fault_after_three_seconds() {
        let (status, health) = (RecordStatus::default(), Health::default());
        assert!(!status.notice_delay(at(100), &health), "nothing is written");
        status.set_waits_since(Some(at(100)));
        assert!(!status.notice_delay(at(103), &health));
        assert!(status.notice_delay(at(104), &health));
        assert_eq!(status.error().as_deref(), Some("the storage has not answered for 3 s"));
        assert!(health.storage_failed.load(Ordering::Relaxed));
        assert!(!status.notice_delay(at(105), &health), "it is no new fault");
    }

    #[test]
    fn the_reason_of_a_failure_is_not_replaced_while_the_storage_is_tried_again() {
        let (status, health) = (RecordStatus::default(), Health::default());
        status.set_error(Some("disk full".to_owned()));
        status.set_waits_since(Some(at(100)));
        assert!(!status.notice_delay(at(110), &health));
        assert_eq!(status.error().as_deref(), Some("disk full"));
    }

    #[test]
    fn a_state_stands_for_the_entries_since_the_one_before_it() {
        let mut record = OnRecord::up_to(7);
        record.add(8, false);
        record.add(12, true);
        record.add(13, false);
        assert_eq!(record.latest(), 13);
        let present: Vec<u64> = (6..=15).filter(|entry| record.has(*entry)).collect();
        assert_eq!(present, [6, 7, 8, 13]);
        assert!(record.includes(12) && record.includes(13) && !record.includes(14));
    }

    #[test]
    fn only_the_latest_gaps_are_kept() {
        let mut record = OnRecord::default();
        for entry in 1..=100 {
            record.add(entry * 2, true);
        }
        assert_eq!(record.gaps.len(), GAPS);
        assert!(!record.has(199) && !record.has(200));
    }
}
