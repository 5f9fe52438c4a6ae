//! The comparison of the pages that an opening with [`Check::Quick`](super::Check::Quick) leaves
//! out, made while the record is in use.

use super::connection::{CHECK_TIME, connect, quick_check};
use super::error::StoreError;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A comparison of the pages in a thread of its own. The thread reads the record as a
/// [`Reader`](super::Reader) does, so the store goes on writing meanwhile.
pub struct LateCheck {
    damage: Receiver<StoreError>,
}

impl LateCheck {
    /// Starts the comparison of the record at `path`, which this process must have open. If damage
    /// is found, `notify` is called.
    pub fn start(path: &Path, notify: impl FnOnce() + Send + 'static) -> io::Result<LateCheck> {
        let (sender, damage) = channel();
        let path = path.to_owned();
        let thread = std::thread::Builder::new().name("late-check".into());
        thread.spawn(move || report(&path, &sender, notify))?;
        Ok(LateCheck { damage })
    }

    /// The damage that was found; `None` if the comparison has found none so far.
    pub fn damage(&self) -> Option<StoreError> {
        self.damage.try_recv().ok()
    }

    /// Waits for the end of the comparison.
    #[cfg(test)]
    pub fn wait(&mut self) {
        let (sender, damage) = channel();
        if let Ok(found) = self.damage.recv() {
            sender.send(found).unwrap();
        }
        self.damage = damage;
    }
}

fn report(path: &Path, sender: &Sender<StoreError>, notify: impl FnOnce()) {
    // SQLite reports some failed reads of the disk as damage, as `Store::open_as` says. So damage
    // counts only if a second comparison finds it, too.
    match compare(path).or_else(|_| compare(path)) {
        Ok(()) => {}
        Err(damage) if damage.is_damage() => {
            // Sending fails if the recorder has opened another file since.
            let _ = sender.send(damage);
            notify();
        }
        Err(error) => tracing::warn!(%error, "the pages of the record cannot be compared"),
    }
}

fn compare(path: &Path) -> Result<(), StoreError> {
    quick_check(&connect(path, None)?, CHECK_TIME)
}
