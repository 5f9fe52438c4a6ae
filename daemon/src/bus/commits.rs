//! Waits until an arbiter's command is on record.

use crate::game::OnRecord;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// The longest time for which the answer to a command waits for the command to be on record.
pub const COMMIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How many answers can wait at the same time. Further answers say at once that the command is not
/// on record, so a slow storage delays only this number of answers.
const WAITING_LIMIT: usize = 16;

/// Tells which entries are on record, and waits for entries that are not yet on record.
pub struct Commits {
    /// `None` if no record is kept.
    on_record: Option<watch::Receiver<OnRecord>>,
    places: Semaphore,
}

impl Commits {
    /// Learns from this channel which entries are on record.
    pub fn new(on_record: watch::Receiver<OnRecord>) -> Commits {
        Commits { on_record: Some(on_record), places: Semaphore::new(WAITING_LIMIT) }
    }

    /// For a service that keeps no record: no entry is ever on record.
    pub fn none() -> Commits {
        Commits { on_record: None, places: Semaphore::new(0) }
    }

    /// Whether a record is kept.
    pub fn is_kept(&self) -> bool {
        self.on_record.is_some()
    }

    /// Waits until this entry is on record, for at most [`COMMIT_TIMEOUT`]. Returns whether the
    /// entry is on record. If the entry was lost, because the retained memory had no room, this is
    /// `false` even when the state after it is on record.
    ///
    /// If the entry is not on record yet and [`WAITING_LIMIT`] answers already wait, returns
    /// `false` without waiting.
    pub async fn recorded(&self, entry: u64) -> bool {
        self.wait(entry).await.is_some_and(|on_record| on_record.has(entry))
    }

    /// Waits until the state of the clock after this entry is on record, with the limits of
    /// [`Commits::recorded`]. Returns whether that state is on record.
    pub async fn up_to_date(&self, entry: u64) -> bool {
        self.wait(entry).await.is_some()
    }

    async fn wait(&self, entry: u64) -> Option<OnRecord> {
        let mut on_record = self.on_record.clone()?;
        if on_record.borrow_and_update().includes(entry) {
            return Some(on_record.borrow().clone());
        }
        let _place = self.places.try_acquire().ok()?;
        let committed = on_record.wait_for(|on_record| on_record.includes(entry));
        // If the recorder has ended, the channel is closed, and the entry will not be recorded.
        let committed = tokio::time::timeout(COMMIT_TIMEOUT, committed).await.ok()?.ok()?;
        Some(committed.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn an_answer_waits_for_its_entry_and_at_most_500_ms() {
        let (sender, receiver) = watch::channel(OnRecord::up_to(7));
        let commits = Arc::new(Commits::new(receiver));
        assert!(commits.recorded(7).await, "it is on record already");
        let start = Instant::now();
        let waiting = Arc::clone(&commits);
        let waiting = tokio::spawn(async move { waiting.recorded(9).await });
        tokio::time::sleep(Duration::from_millis(499)).await;
        sender.send(OnRecord::up_to(8)).unwrap();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished(), "entry 8 is not entry 9");
        sender.send(OnRecord::up_to(10)).unwrap();
        assert!(waiting.await.unwrap());
        assert_eq!(start.elapsed(), Duration::from_millis(499));
        let start = Instant::now();
        assert!(!commits.recorded(11).await);
        assert_eq!(start.elapsed(), COMMIT_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_recorder_that_has_ended_keeps_nobody_waiting() {
        let (sender, receiver) = watch::channel(OnRecord::up_to(7));
        drop(sender);
        let commits = Commits::new(receiver);
        let start = Instant::now();
        assert!(!commits.recorded(8).await);
        assert!(commits.recorded(7).await);
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_whose_entry_was_lost_is_not_on_record_although_what_it_did_is() {
        let (sender, receiver) = watch::channel(OnRecord::up_to(7));
        let commits = Arc::new(Commits::new(receiver));
        let waiting = Arc::clone(&commits);
        let waiting = tokio::spawn(async move { waiting.recorded(9).await });
        tokio::task::yield_now().await;
        let start = Instant::now();
        sender.send_modify(|on_record| {
            on_record.add(10, true);
            on_record.add(11, false);
        });
        assert!(!waiting.await.unwrap());
        assert!(!commits.recorded(10).await && commits.recorded(11).await);
        assert!(commits.up_to_date(9).await && commits.up_to_date(10).await);
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_record_nothing_is_on_record_and_nobody_waits() {
        let start = Instant::now();
        assert!(!Commits::none().recorded(0).await);
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn only_16_answers_wait_at_once() {
        let (_sender, receiver) = watch::channel(OnRecord::default());
        let commits = Arc::new(Commits::new(receiver));
        let waiting: Vec<_> = (0..WAITING_LIMIT)
            .map(|_| {
                let commits = Arc::clone(&commits);
                tokio::spawn(async move { commits.recorded(1).await })
            })
            .collect();
        tokio::task::yield_now().await;
        let start = Instant::now();
        assert!(!commits.recorded(1).await);
        assert_eq!(start.elapsed(), Duration::ZERO, "the seventeenth does not wait");
        for answer in waiting {
            assert!(!answer.await.unwrap());
        }
        assert_eq!(start.elapsed(), COMMIT_TIMEOUT);
    }
}
