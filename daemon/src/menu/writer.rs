//! Writes the file of the menu in a thread of its own, because a storage that hangs must not delay
//! the bus.

use super::state_file::{Kept, StateFile};
use std::future::{Future, pending};
use std::io;
use tokio::sync::oneshot;

/// Writes the file, one write after the other. Two at a time would use the same temporary file, and
/// the earlier one could end last.
#[derive(Default)]
pub struct Writer {
    written: Awaited<io::Result<()>>,
    /// What is written next: of several changes during a write, the last one.
    next: Option<(StateFile, Kept)>,
}

impl Writer {
    /// Writes this, after the present write if there is one.
    pub fn store(&mut self, file: StateFile, kept: Kept) {
        self.next = Some((file, kept));
        if !self.written.is_awaited() {
            self.begin();
        }
    }

    /// Waits for the result of the present write, and begins the next one. Waits for ever if nothing
    /// is written.
    pub async fn written(&mut self) -> io::Result<()> {
        let result = self.written.received().await;
        self.begin();
        result.unwrap_or_else(|| Err(io::Error::other("no thread could be started for it")))
    }

    fn begin(&mut self) {
        let Some((file, kept)) = self.next.take() else { return };
        let sender = self.written.sender();
        let thread = std::thread::Builder::new().name("menu-file".into()).stack_size(256 * 1024);
        // If the thread cannot be started, the sender is dropped, and `written` returns an error.
        let _ = thread.spawn(move || {
            let _ = sender.send(file.store(&kept));
        });
    }
}

/// Holds the receiver of a task's result, from the start of the task until the result has been received. If a
/// second task is started before that, only the result of the second task is received.
pub struct Awaited<T>(Option<oneshot::Receiver<T>>);

impl<T> Default for Awaited<T> {
    fn default() -> Awaited<T> {
        Awaited(None)
    }
}

impl<T: Send + 'static> Awaited<T> {
    /// Whether a task was started and its result has not been received yet.
    pub fn is_awaited(&self) -> bool {
        self.0.is_some()
    }

    /// The sender of the result of a new task. The result of an earlier one is dropped.
    pub fn sender(&mut self) -> oneshot::Sender<T> {
        let (sender, result) = oneshot::channel();
        self.0 = Some(result);
        sender
    }

    /// Starts a task. The result of an earlier one is dropped.
    pub fn start(&mut self, task: impl Future<Output = T> + Send + 'static) {
        let sender = self.sender();
        tokio::spawn(async move {
            // Sending fails if the service ends or a later task was started.
            let _ = sender.send(task.await);
        });
    }

    /// Waits for the result; for ever if no task was started. Returns `None` if the task has panicked.
    pub async fn received(&mut self) -> Option<T> {
        let Some(result) = &mut self.0 else { return pending().await };
        let result = result.await.ok();
        self.0 = None;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(wrong_codes: u32) -> Kept {
        Kept { wrong_codes, ..Kept::default() }
    }

    #[tokio::test]
    async fn of_several_changes_during_a_write_the_last_one_is_written_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = StateFile::in_folder(folder.path());
        let mut writer = Writer::default();
        for wrong_codes in 1..=50 {
            writer.store(file.clone(), kept(wrong_codes));
        }
        // The first write is in progress. Only the last of the values that came after it waits.
        assert_eq!(writer.next.as_ref().map(|(_, kept)| kept.wrong_codes), Some(50));
        for _ in 0..2 {
            writer.written().await.unwrap();
        }
        assert_eq!(file.load().unwrap(), kept(50));
        assert!(!writer.written.is_awaited() && writer.next.is_none());
    }

    #[tokio::test]
    async fn a_write_that_fails_is_told_and_the_next_one_is_begun() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::default();
        writer.store(StateFile::in_folder(&folder.path().join("missing")), kept(1));
        let file = StateFile::in_folder(folder.path());
        writer.store(file.clone(), kept(2));
        assert!(writer.written().await.is_err());
        writer.written().await.unwrap();
        assert_eq!(file.load().unwrap(), kept(2));
    }
}
