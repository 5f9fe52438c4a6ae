//! Messages of the kernel about screens that were connected or disconnected.

use std::io;
use std::os::fd::OwnedFd;

use futures_util::FutureExt;
use rustix::net::netlink::{KOBJECT_UEVENT, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, bind, recvfrom, socket_with};
use tokio::io::unix::AsyncFd;

/// The netlink group of the kernel's own messages. udev uses another group.
const KERNEL_GROUP: u32 = 1;
/// The size of the buffer for one message. A message has at most 2 KiB (`UEVENT_BUFFER_SIZE` in
/// `include/linux/kobject.h`) and a header.
const LARGEST: usize = 8 << 10;

/// Receives the messages of the kernel about all devices, and waits for those about graphics.
pub struct Hotplug(AsyncFd<OwnedFd>);

impl Hotplug {
    /// Starts to receive messages. No privilege is needed.
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
        // SAFETY: an OwnedFd always has the same descriptor, and closes it only when it is dropped.
        let socket = unsafe { AsyncFd::register(socket) };
        Ok(Hotplug(socket?))
    }

    /// Waits for a message about graphics, and then reads all other messages that have already
    /// arrived. Also returns if the kernel has dropped messages because the queue of the socket was
    /// full: one of the dropped messages can have been about graphics.
    pub async fn changed(&self) -> io::Result<()> {
        let mut message = [0; LARGEST];
        let mut changed = false;
        loop {
            let readable = self.0.readable();
            let mut ready = if changed {
                // After a message about graphics, the loop does not wait for another message.
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
                // Only messages from the kernel have the sender address 0.
                Ok(Ok((_, length, Some(from)))) => {
                    let from_kernel =
                        SocketAddrNetlink::try_from(from).is_ok_and(|from| from.pid() == 0);
                    changed |= from_kernel && is_graphics(&message[..length.min(LARGEST)]);
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                // The kernel has dropped messages because the queue of the socket was full.
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

/// Whether a message is about graphics cards. A message is a header, such as
/// `change@/devices/card0`, and then a list of `KEY=value`; each ends with a zero byte.
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
