//! The kernel's messages that a screen was connected or disconnected.

use std::io;
use std::os::fd::OwnedFd;

use futures_util::FutureExt;
use rustix::net::netlink::{KOBJECT_UEVENT, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, bind, recvfrom, socket_with};
use tokio::io::unix::AsyncFd;

/// The group of the messages that the kernel itself sends; udev sends its own to another one.
const KERNEL_GROUP: u32 = 1;
/// The kernel's messages have at most 2 KiB (`UEVENT_BUFFER_SIZE` in `include/linux/kobject.h`) and
/// their header.
const LARGEST: usize = 8 << 10;

/// The kernel's messages about devices, of which those about graphics are waited for.
pub struct Hotplug(AsyncFd<OwnedFd>);

impl Hotplug {
    /// Begins to receive. An unprivileged process may do so.
    pub fn new() -> io::Result<Hotplug> {
        let socket = socket_with(
            AddressFamily::NETLINK,
            SocketType::DGRAM,
            SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
            Some(KOBJECT_UEVENT),
        )?;
        bind(&socket, &SocketAddrNetlink::new(0, KERNEL_GROUP))?;
        #[expect(
            unsafe_code,
            reason = "the only way to register a descriptor that is still maintained"
        )]
        // SAFETY: an OwnedFd always gives the same descriptor and closes it only when it is
        // dropped.
        let socket = unsafe { AsyncFd::register(socket) };
        Ok(Hotplug(socket?))
    }

    /// Waits for a message that something about the graphics has changed, and then reads all
    /// messages that have arrived. If the kernel has dropped messages because its queue was full,
    /// this returns as well, since one of them can have told of a change.
    pub async fn changed(&self) -> io::Result<()> {
        let mut message = [0; LARGEST];
        let mut changed = false;
        loop {
            let readable = self.0.readable();
            let mut ready = if changed {
                // Nothing is waited for any more.
                match readable.now_or_never() {
                    Some(ready) => ready?,
                    None => return Ok(()),
                }
            } else {
                readable.await?
            };
            let received =
                ready.try_io(|socket| Ok(recvfrom(socket, &mut message[..], RecvFlags::empty())?));
            match received {
                // Only the kernel sends from the address 0.
                Ok(Ok((_, length, Some(from)))) => {
                    let from_kernel =
                        SocketAddrNetlink::try_from(from).is_ok_and(|from| from.pid() == 0);
                    changed |= from_kernel && is_graphics(&message[..length.min(LARGEST)]);
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                // There were more messages than the socket can hold.
                Ok(Err(error))
                    if error.raw_os_error() == Some(rustix::io::Errno::NOBUFS.raw_os_error()) =>
                {
                    return Ok(());
                }
                Ok(Err(error)) => return Err(error),
                Ok(Ok(_)) | Err(_) => {}
            }
        }
    }
}

/// Whether a message is about the subsystem of the graphics cards. A message is a list of
/// `KEY=value`, each ended by a zero.
fn is_graphics(message: &[u8]) -> bool {
    message.split(|byte| *byte == 0).any(|field| field == b"SUBSYSTEM=drm")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_its_subsystem() {
        let hotplug = b"change@/devices/card0\0ACTION=change\0SUBSYSTEM=drm\0HOTPLUG=1\0";
        assert!(is_graphics(hotplug));
        assert!(!is_graphics(b"add@/devices/x\0ACTION=add\0SUBSYSTEM=block\0NAME=SUBSYSTEM=drm\0"));
        assert!(!is_graphics(b""));
    }

    #[tokio::test]
    async fn an_unprivileged_process_may_listen() {
        Hotplug::new().unwrap();
    }
}
