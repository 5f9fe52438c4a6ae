//! The values that the two halves of a guarded socket share with the tasks that read and write.

use super::call_queue::CallQueue;
use super::send_queue::SendQueue;
use std::io::{self, IoSlice};
use std::sync::{Mutex, MutexGuard};
use tokio::net::UnixStream;
use tokio::sync::Notify;
use zbus::Message;

/// While this many signals wait for the socket, the sender of a signal waits.
pub const SIGNALS: usize = 64;

/// A message that was not handed to zbus, and the reason. `header` has the header; it also has the
/// body, unless the message is too long.
pub struct Refused {
    pub header: Message,
    pub reason: Reason,
}

/// Why a message was not handed to zbus.
pub enum Reason {
    /// The message is too long: it has this many bytes.
    TooLong(usize),
    /// Too many calls of its program, or of all programs, are already waiting.
    TooMany,
}

/// What the two halves of the socket share with the tasks that read and write.
pub struct Shared {
    pub stream: UnixStream,
    pub queues: Mutex<Queues>,
    /// Notified when a message was read, an answer was written, or the reading has ended.
    pub arrived: Notify,
    /// Notified when zbus has taken a message.
    pub taken: Notify,
    /// Notified when the socket did not take all messages.
    pub unwritten: Notify,
    /// Notified when fewer than [`SIGNALS`] signals wait after a write, or when writing has failed.
    pub written: Notify,
}

#[derive(Default)]
pub struct Queues {
    pub calls: CallQueue,
    pub send_queue: SendQueue,
    /// Why nothing is read any more; `None` while messages are read.
    pub read_error: Option<io::ErrorKind>,
    /// Why nothing is written any more; `None` while messages are written.
    pub write_error: Option<io::ErrorKind>,
}

impl Shared {
    pub fn new(stream: UnixStream) -> Shared {
        Shared {
            stream,
            queues: Mutex::default(),
            arrived: Notify::new(),
            taken: Notify::new(),
            unwritten: Notify::new(),
            written: Notify::new(),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().expect("nothing panics while it holds the lock")
    }

    pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.stream.readable().await?;
            match self.stream.try_read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }

    /// Writes what the socket takes now. Returns whether nothing is left.
    pub fn write_waiting(&self) -> io::Result<bool> {
        let mut queues = self.lock();
        let Queues { calls, send_queue, write_error, .. } = &mut *queues;
        if let Some(kind) = write_error {
            return Err((*kind).into());
        }
        let write = |slices: &[IoSlice<'_>]| self.stream.try_write_vectored(slices);
        let is_complete = match send_queue.write(write, |answer| calls.answered(answer)) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            Err(error) => {
                *write_error = Some(error.kind());
                self.written.notify_one();
                return Err(error);
            }
        };
        if send_queue.signals() < SIGNALS {
            self.written.notify_one();
        }
        if calls.has_calls() {
            self.arrived.notify_one();
        }
        Ok(is_complete)
    }
}
