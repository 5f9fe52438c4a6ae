//! The socket of a connection to the bus: messages that are too long are not kept, and nothing more is
//! read while the bus does not take what is written.
//!
//! The bus passes messages of 32 MB and more on, from any local user, and zbus queues 64 of them.

mod frames;

use super::arrivals::Arrivals;
use frames::{Frame, Frames};
use std::fmt::{self, Debug};
use std::io::{self, IoSlice};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use tokio::net::UnixStream;
use tokio::sync::{mpsc, watch};
use zbus::Message;
use zbus::connection::socket::{ReadHalf, Socket, Split, WriteHalf};
use zbus::export::async_trait::async_trait;
use zbus::wire::Endian;
use zbus::wire::serialized::{Context, Data};

#[cfg(test)]
pub use frames::HEADER_LIMIT;
pub use frames::MESSAGE_LIMIT;

/// How many calls that were too long can wait for their answers; further ones get none.
const TOO_LONG_QUEUE: usize = 16;

/// A socket that is connected to the bus.
pub struct GuardedSocket {
    stream: UnixStream,
    arrivals: Option<Arc<Arrivals>>,
    too_long: mpsc::Sender<TooLong>,
}

/// A message that was too long: its header and its length in bytes.
pub struct TooLong {
    pub header: Message,
    pub size: usize,
}

impl GuardedSocket {
    /// A guard of this stream. Messages are noted in `arrivals`, if there are any; those that are too
    /// long come out of the queue that is returned.
    pub fn new(
        stream: UnixStream,
        arrivals: Option<Arc<Arrivals>>,
    ) -> (GuardedSocket, mpsc::Receiver<TooLong>) {
        let (too_long, queue) = mpsc::channel(TOO_LONG_QUEUE);
        (GuardedSocket { stream, arrivals, too_long }, queue)
    }
}

impl Socket for GuardedSocket {
    type ReadHalf = Reader;
    type WriteHalf = Writer;

    fn split(self) -> Split<Reader, Writer> {
        let (stream, (blocked, is_blocked)) = (Arc::new(self.stream), watch::channel(false));
        let reader = Reader {
            stream: Arc::clone(&stream),
            frames: Frames::default(),
            arrivals: self.arrivals,
            too_long: self.too_long,
            blocked: is_blocked,
        };
        Split::new(reader, Writer { stream, blocked })
    }
}

/// The half that receives.
pub struct Reader {
    stream: Arc<UnixStream>,
    frames: Frames,
    arrivals: Option<Arc<Arrivals>>,
    too_long: mpsc::Sender<TooLong>,
    /// Whether the bus does not take what is written.
    blocked: watch::Receiver<bool>,
}

impl Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl Reader {
    async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        // Each answer to a call waits in a task of its own. Without this wait a program that does not
        // read its answers could fill the memory with such tasks.
        let _ = self.blocked.clone().wait_for(|blocked| !blocked).await;
        loop {
            self.stream.readable().await?;
            match self.stream.try_read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

#[async_trait]
impl ReadHalf for Reader {
    async fn receive_message(
        &mut self,
        _sequence: u64,
        already_received: &mut Vec<u8>,
        _descriptors: &mut Vec<OwnedFd>,
    ) -> zbus::Result<Message> {
        self.frames.add(already_received);
        already_received.clear();
        loop {
            match self.frames.next() {
                Some(Frame::Message(bytes)) => {
                    let message = message(bytes)?;
                    if let Some(arrivals) = &self.arrivals {
                        arrivals.note(&message);
                    }
                    return Ok(message);
                }
                Some(Frame::TooLong { header: Some(header), size }) => {
                    let header = message(header)?;
                    // Without room for it the caller gets no answer, because there are too many.
                    let _ = self.too_long.try_send(TooLong { header, size });
                }
                Some(Frame::TooLong { header: None, .. }) => {}
                None => {
                    let mut buffer = std::mem::take(&mut self.frames.scratch);
                    let read = self.read(&mut buffer).await;
                    self.frames.scratch = buffer;
                    let read = read?;
                    self.frames.add_scratch(read);
                }
            }
        }
    }

    /// Only the handshake reads through this.
    async fn recvmsg(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        Ok((self.read(buffer).await?, Vec::new()))
    }
}

fn message(bytes: Vec<u8>) -> zbus::Result<Message> {
    let endian = if bytes.first() == Some(&b'B') { Endian::Big } else { Endian::Little };
    // SAFETY: the bus checks each message before it passes it on, and zbus takes the bytes of its own
    // sockets with no other check than this function makes.
    unsafe { Message::from_bytes(Data::new(bytes, Context::new(endian, 0))) }
}

/// The half that sends.
pub struct Writer {
    stream: Arc<UnixStream>,
    blocked: watch::Sender<bool>,
}

impl Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("stream", &self.stream).finish_non_exhaustive()
    }
}

/// Notes that the bus takes no more, until it is dropped.
struct Blocked<'a>(&'a watch::Sender<bool>);

impl<'a> Blocked<'a> {
    fn new(blocked: &'a watch::Sender<bool>) -> Blocked<'a> {
        blocked.send_replace(true);
        Blocked(blocked)
    }
}

impl Drop for Blocked<'_> {
    fn drop(&mut self) {
        self.0.send_replace(false);
    }
}

impl Writer {
    async fn write(&self, buffers: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut blocked = None;
        loop {
            match self.stream.try_write_vectored(buffers) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    blocked.get_or_insert_with(|| Blocked::new(&self.blocked));
                    self.stream.writable().await?;
                }
                written => return written,
            }
        }
    }
}

#[async_trait]
impl WriteHalf for Writer {
    /// Messages that are sent together go out in one write, which wakes the bus once.
    async fn send_messages(&mut self, messages: &[Message]) -> zbus::Result<()> {
        let mut buffers: Vec<IoSlice<'_>> =
            messages.iter().map(|message| IoSlice::new(message.data())).collect();
        let mut rest = &mut buffers[..];
        while !rest.is_empty() {
            let written = self.write(rest).await?;
            IoSlice::advance_slices(&mut rest, written);
        }
        Ok(())
    }

    async fn sendmsg(&mut self, bytes: &[u8], _: &[BorrowedFd<'_>]) -> io::Result<usize> {
        self.write(&[IoSlice::new(bytes)]).await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(rustix::net::shutdown(&*self.stream, rustix::net::Shutdown::Both)?)
    }
}
