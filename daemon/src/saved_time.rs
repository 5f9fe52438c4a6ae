//! Saves the wall time for the next start of the machine: the time of change of a file in the
//! service's folder. `chess-clock-restore-time.service` sets the wall clock forward to it, which
//! only root may do.
//!
//! The time is saved also while it is not known, so that the wall clock of a machine without a
//! battery-backed clock never goes back by more than the time from one save to the next.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of the file.
const FILE: &str = "wall-time";
/// The time from one save to the next. Each one writes an inode.
const INTERVAL: Duration = Duration::from_secs(60);

/// Starts a thread that saves the time from now on. It is a thread of its own, because a storage that
/// hangs must not delay anything else.
pub fn start_saving(folder: PathBuf) -> io::Result<()> {
    let thread = std::thread::Builder::new().name("wall time".into()).stack_size(64 * 1024);
    thread.spawn(move || {
        let mut failed = false;
        loop {
            match save(&folder, SystemTime::now()) {
                Ok(()) => failed = false,
                Err(error) if !std::mem::replace(&mut failed, true) => {
                    tracing::warn!(%error, "the time of day cannot be saved for the next start");
                }
                Err(_) => {}
            }
            std::thread::sleep(INTERVAL);
        }
    })?;
    Ok(())
}

fn save(folder: &Path, now: SystemTime) -> io::Result<()> {
    let file = File::options().create(true).append(true).open(folder.join(FILE))?;
    file.set_modified(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_time_is_saved_also_if_it_is_earlier_than_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        // A time service can find that the time was too late.
        for seconds in [1_795_500_000, 1_795_500_060, 1_795_400_000] {
            save(folder.path(), at(seconds)).unwrap();
            let saved = folder.path().join(FILE).metadata().unwrap();
            assert_eq!((saved.modified().unwrap(), saved.len()), (at(seconds), 0));
        }
        assert!(save(&folder.path().join("none"), at(0)).is_err());
    }
}
