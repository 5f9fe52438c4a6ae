//! The result of a task, which the menu awaits beside its other events.

use std::future::{Future, pending};
use tokio::sync::oneshot;

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
