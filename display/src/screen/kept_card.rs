//! The open card that systemd keeps while the face is restarted (`FileDescriptorStoreMax=`).
//!
//! A card shows the last picture of a process for as long as the process has the card open. After a
//! kill, systemd still has it open, so the screen keeps the last picture until the next process of
//! the face shows one of its own.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};

use sd_notify::NotifyState::{FdName, FdStore, FdStoreRemove};

/// The name of the card in the store of systemd.
const NAME: &str = "card";

/// The card that an earlier process of the face had open; `None` if there is none. Must be called
/// only once.
///
/// From then on systemd does not keep it any more. If this process ends before it has shown a
/// picture, the screen goes black: a face that cannot start must not leave an old time on the
/// screen.
pub fn take() -> io::Result<Option<File>> {
    let mut kept = None;
    for (fd, name) in sd_notify::listen_fds_with_names()? {
        #[expect(
            unsafe_code,
            reason = "a descriptor that was passed at the start has only a number"
        )]
        // SAFETY: the process was started with this open descriptor for its own use, as LISTEN_PID
        // says, and nobody else in it looks for passed descriptors. This function is called once.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        if name == NAME {
            kept = Some(File::from(fd));
        }
    }
    if kept.is_some() {
        release()?;
    }
    Ok(kept)
}

/// Asks systemd to keep this card, and no other one. Does nothing outside systemd.
pub fn keep(card: &impl AsFd) -> io::Result<()> {
    release()?;
    sd_notify::notify_with_fds(&[FdStore, FdName(NAME)], &[card.as_fd()])
}

/// Asks systemd to close the card that it keeps. Does nothing outside systemd.
pub fn release() -> io::Result<()> {
    sd_notify::notify(&[FdStoreRemove, FdName(NAME)])
}
