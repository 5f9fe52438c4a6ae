//! A user of the machine, and clients of the bus with the user's rights.

use anyhow::{Context, Result};
use clock_test_bus::RawClient;
use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

/// A user, with all groups.
#[derive(Clone, Debug)]
pub struct User {
    /// The user id.
    pub id: Uid,
    /// The user's own group.
    pub group: Gid,
    /// Further groups.
    pub groups: Vec<Gid>,
}

impl User {
    /// Makes this thread run as the user, for ever. This function makes system calls only, so that
    /// it may be called between fork and exec.
    pub fn become_in_this_thread(&self) -> io::Result<()> {
        set_thread_groups(&self.groups)?;
        set_thread_res_gid(self.group, self.group, self.group)?;
        set_thread_res_uid(self.id, self.id, self.id)?;
        Ok(())
    }

    /// A client with the rights of this user on the bus with this socket. The kernel tells the bus
    /// who has connected the socket.
    pub fn connect(&self, socket: &Path) -> Result<RawClient> {
        // A thread of its own takes the identity of the user, and ends when the socket is
        // connected.
        let connecting = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                self.become_in_this_thread()?;
                UnixStream::connect(socket)
            });
            thread.join().expect("a thread that does not panic")
        });
        let context =
            || format!("cannot connect to {} as user {}", socket.display(), self.id.as_raw());
        let client = connecting.and_then(|stream| RawClient::new(stream, self.id.as_raw()));
        client.with_context(context)
    }
}
