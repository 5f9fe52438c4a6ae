//! Passes descriptors to systemd, which keeps them while the service is restarted
//! (`FileDescriptorStoreMax=`), and takes them back after the restart, with those of the files that
//! systemd opens for the service (`OpenFile=`).

use sd_notify::NotifyState::{FdName, FdStore, FdStoreRemove};
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

/// The retained memory, which systemd keeps while the service is restarted.
pub const MEMORY: &str = "clock-memory";
/// The IPv4 addresses of the machine: `/proc/net/fib_trie`, opened by systemd (`OpenFile=`).
pub const IPV4_ADDRESSES: &str = "ipv4-addresses";
/// All names under which systemd passes a descriptor to the service.
const NAMES: [&str; 2] = [MEMORY, IPV4_ADDRESSES];

/// Asks systemd to keep this descriptor for the next process of the service, in place of all
/// descriptors that it keeps under this name. Returns `false` outside systemd.
pub fn keep_fd(fd: BorrowedFd<'_>, name: &str) -> io::Result<bool> {
    if std::env::var_os("NOTIFY_SOCKET").is_none() {
        return Ok(false);
    }
    // Without this message, systemd would also keep the earlier descriptor, and would pass both to
    // the next process. The store of systemd has few places.
    sd_notify::notify(&[FdStoreRemove, FdName(name)])?;
    sd_notify::notify_with_fds(&[FdStore, FdName(name)], &[fd])?;
    Ok(true)
}

/// The first descriptor with this name that systemd passed to this process: one that it kept, or
/// one that it opened (`OpenFile=`). Each is returned once. A descriptor whose name is none of this
/// module's constants, and each further one with the same name, is closed at the first call.
pub fn take_fd(name: &str) -> io::Result<Option<OwnedFd>> {
    static PASSED: Mutex<Option<Vec<(String, OwnedFd)>>> = Mutex::new(None);
    let mut passed = PASSED.lock().unwrap_or_else(PoisonError::into_inner);
    if passed.is_none() {
        // Before the descriptors are listed, so that they are never owned twice.
        *passed = Some(Vec::new());
        *passed = Some(passed_fds()?);
    }
    let passed = passed.get_or_insert_default();
    let place = passed.iter().position(|(of, _)| of == name);
    Ok(place.map(|place| passed.swap_remove(place).1))
}

/// The descriptors with a known name, one for each name. Must be called only once.
fn passed_fds() -> io::Result<Vec<(String, OwnedFd)>> {
    let mut found: Vec<(String, OwnedFd)> = Vec::new();
    // `listen_fds_with_names` also sets CLOEXEC on each descriptor.
    for (fd, name) in sd_notify::listen_fds_with_names()? {
        // SAFETY: the process was started with this open descriptor for its own use, as LISTEN_PID
        // says, and nobody else in it looks for passed descriptors. `take_fd` lets this code run
        // only once.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        if NAMES.contains(&name.as_str()) && found.iter().all(|(of, _)| *of != name) {
            found.push((name, fd));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
