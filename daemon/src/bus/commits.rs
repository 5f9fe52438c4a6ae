//! How an arbiter's command is known to be on record.

use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// How long the answer to a command waits until the command is on record.
pub const COMMIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How many answers can wait for that at once. The bus takes no further calls while 64 are unanswered, so
/// without this limit many commands on a slow storage would make readers wait.
const WAITING_LIMIT: usize = 16;

/// The number of the latest entry of the record that is written to the storage.
pub struct Commits {
    /// `None` if no record is kept.
    latest: Option<watch::Receiver<u64>>,
    places: Semaphore,
}

impl Commits {
    /// The numbers come from this channel. They never fall.
    pub fn new(latest: watch::Receiver<u64>) -> Commits {
        Commits { latest: Some(latest), places: Semaphore::new(WAITING_LIMIT) }
    }

    /// No record is kept, so nothing is ever on record.
    pub fn none() -> Commits {
        Commits { latest: None, places: Semaphore::new(0) }
    }

    /// Whether a record is kept.
    pub fn is_kept(&self) -> bool {
        self.latest.is_some()
    }

    /// Waits until this entry is on record, for at most [`COMMIT_TIMEOUT`]. Returns whether it is.
    ///
    /// If too many answers wait already, this one does not wait.
    pub async fn recorded(&self, entry: u64) -> bool {
        let Some(mut latest) = self.latest.clone() else { return false };
        if *latest.borrow_and_update() >= entry {
            return true;
        }
        let Ok(_place) = self.places.try_acquire() else { return false };
        let committed = latest.wait_for(|latest| *latest >= entry);
        // An error means that the recorder has ended: nothing is committed any more.
        matches!(tokio::time::timeout(COMMIT_TIMEOUT, committed).await, Ok(Ok(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn an_answer_waits_for_its_entry_and_at_most_500_ms() {
        let (sender, receiver) = watch::channel(7);
        let commits = Arc::new(Commits::new(receiver));
        assert!(commits.recorded(7).await, "it is on record already");
        let start = Instant::now();
        let waiting = Arc::clone(&commits);
        let waiting = tokio::spawn(async move { waiting.recorded(9).await });
        tokio::time::sleep(Duration::from_millis(499)).await;
        sender.send(8).unwrap();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished(), "entry 8 is not entry 9");
        sender.send(10).unwrap();
        assert!(waiting.await.unwrap());
        assert_eq!(start.elapsed(), Duration::from_millis(499));
        let start = Instant::now();
        assert!(!commits.recorded(11).await);
        assert_eq!(start.elapsed(), COMMIT_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_recorder_that_has_ended_keeps_nobody_waiting() {
        let (sender, receiver) = watch::channel(7);
        drop(sender);
        let commits = Commits::new(receiver);
        let start = Instant::now();
        assert!(!commits.recorded(8).await);
        assert!(commits.recorded(7).await);
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
        let (_sender, receiver) = watch::channel(0);
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
