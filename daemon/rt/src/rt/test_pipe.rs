//! Makes a pipe for tests. The reading end hangs up as soon as the writing end is dropped.

use std::io::Write;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

/// The writing end.
///
/// It is a socket, because a pipe of the kernel hangs up only after the last process has closed its
/// writing end. Another test of this process may have started a child process a moment before, and
/// the child has a copy of each descriptor until it runs another program or ends. `shutdown` ends
/// the connection even if another process still has it open.
pub struct WritingEnd(UnixStream);

impl WritingEnd {
    pub fn write(&self, bytes: &[u8]) {
        (&self.0).write_all(bytes).unwrap();
    }
}

impl Drop for WritingEnd {
    fn drop(&mut self) {
        self.0.shutdown(Shutdown::Both).unwrap();
    }
}

/// A reading end that does not block, and its writing end.
pub fn test_pipe() -> (OwnedFd, WritingEnd) {
    let (reading, writing) = UnixStream::pair().unwrap();
    reading.set_nonblocking(true).unwrap();
    writing.set_nonblocking(true).unwrap();
    (reading.into(), WritingEnd(writing))
}
