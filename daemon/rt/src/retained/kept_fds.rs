//! Passes descriptors to systemd, which keeps them while the service is restarted
//! (`FileDescriptorStoreMax=`), and takes them back after the restart.

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks systemd to keep this descriptor for the next process of the service, in place of all
/// descriptors that it keeps under this name. Returns `false` outside systemd.
pub fn keep_fd(fd: BorrowedFd<'_>, name: &str) -> io::Result<bool> {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(false) };
    keep_fd_at(Path::new(&socket), fd, name)?;
    Ok(true)
}

fn keep_fd_at(socket: &Path, fd: BorrowedFd<'_>, name: &str) -> io::Result<()> {
    let manager = UnixDatagram::unbound()?;
    manager.connect(socket)?;
    // Without this message, systemd would also keep the earlier descriptor, and would pass both to
    // the next process. The store of systemd has few places.
    manager.send(format!("FDSTOREREMOVE=1\nFDNAME={name}\n").as_bytes())?;
    let message = format!("FDSTORE=1\nFDNAME={name}\n");
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut attached = SendAncillaryBuffer::new(&mut room);
    let fds = [fd];
    if !attached.push(SendAncillaryMessage::ScmRights(&fds)) {
        return Err(io::Error::other("there is no room for a descriptor"));
    }
    sendmsg(&manager, &[IoSlice::new(message.as_bytes())], &mut attached, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// The first descriptor with this name that systemd kept and passed to this process. All other
/// passed descriptors are closed, so only the first call of this function can return one.
pub fn take_fd(name: &str) -> io::Result<Option<OwnedFd>> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Ok(None);
    }
    let mut found = None;
    // `listen_fds_with_names` also sets CLOEXEC on each descriptor.
    for (fd, passed) in sd_notify::listen_fds_with_names()? {
        // SAFETY: the process was started with this open descriptor for its own use, as LISTEN_PID
        // says, and nobody else in it looks for passed descriptors. `TAKEN` lets this code run only
        // once.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        if passed == name && found.is_none() {
            found = Some(fd);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
