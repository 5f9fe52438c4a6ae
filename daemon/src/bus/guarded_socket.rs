//! The socket of a connection to the bus: messages that are too long are not kept, and no more
//! calls are taken while many are unanswered.
//!
//! The bus passes messages of 32 MB and more on, from any local user, and zbus queues 64 of them.
//! Each answer waits in a task of its own until the bus takes it. So a program that calls faster
//! than the answers can be sent, or that does not read them, could fill the memory.
//!
//! Some buses also pass on headers that zbus does not accept; without this socket, one of them
//! would end the connection.

mod frames;

use super::arrivals::Arrivals;
use clock_dbus::ARBITER_INTERFACE;
use frames::{Frame, Frames};
use std::fmt::{self, Debug};
use std::io::{self, IoSlice};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use zbus::Message;
use zbus::connection::socket::{ReadHalf, Socket, Split, WriteHalf};
use zbus::export::async_trait::async_trait;
use zbus::message::{Flags, Type};
use zbus::wire::Endian;
use zbus::wire::serialized::{Context, Data};

#[cfg(test)]
pub use frames::HEADER_LIMIT;
pub use frames::MESSAGE_LIMIT;

/// The sender of the signals of the bus itself.
const BUS: &str = "org.freedesktop.DBus";
/// How many calls that were too long can wait for their answers; further ones get none.
const TOO_LONG_QUEUE: usize = 16;
/// How many calls can be unanswered before further ones are taken.
const UNANSWERED_LIMIT: usize = 64;
/// After this time without an answer, although the bus takes answers, none is expected any more.
/// The arbiter's commands can take longer, but few of them wait.
const NO_PROGRESS: Duration = Duration::from_secs(1);

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
    /// A guard of this stream. Messages are noted in `arrivals`, if there are any; those that are
    /// too long come out of the queue that is returned.
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
        let (stream, load) = (Arc::new(self.stream), watch::Sender::default());
        let reader = Reader {
            stream: Arc::clone(&stream),
            frames: Frames::default(),
            arrivals: self.arrivals,
            too_long: self.too_long,
            load: load.clone(),
        };
        Split::new(reader, Writer { stream, load })
    }
}

/// What the writing half has to do.
#[derive(Default)]
struct Load {
    /// The calls that were taken and have not been answered.
    unanswered: usize,
    /// Whether the bus does not take what is written.
    blocked: bool,
}

/// The half that receives.
pub struct Reader {
    stream: Arc<UnixStream>,
    frames: Frames,
    arrivals: Option<Arc<Arrivals>>,
    too_long: mpsc::Sender<TooLong>,
    load: watch::Sender<Load>,
}

impl Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl Reader {
    async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
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

impl Reader {
    /// Waits until there are few enough unanswered calls, if this is a further one.
    async fn wait_for_room(&self, message: &Message) {
        let silent = message.primary_header().flags().contains(Flags::NO_REPLY_EXPECTED);
        if message.message_type() != Type::MethodCall || silent {
            return;
        }
        let mut load = self.load.subscribe();
        loop {
            let room = load.wait_for(|load| load.unanswered < UNANSWERED_LIMIT);
            match timeout(NO_PROGRESS, room).await {
                Ok(_) => break,
                Err(_) if self.load.borrow().blocked => {}
                // zbus does not answer the calls that come before the interfaces are served.
                Err(_) => self.load.send_modify(|load| load.unanswered = 0),
            }
        }
        self.load.send_modify(|load| load.unanswered += 1);
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
                    let Ok(message) = message(bytes) else { continue };
                    if is_without_effect(&message) {
                        continue;
                    }
                    if let Some(arrivals) = &self.arrivals {
                        arrivals.note(&message);
                        self.wait_for_room(&message).await;
                    }
                    return Ok(message);
                }
                Some(Frame::TooLong { header: Some(header), size }) => {
                    let Ok(header) = message(header) else { continue };
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

/// The message of these bytes. It is an error if zbus does not accept its header, which can have a
/// type or a field that it does not know; the specification says to ignore such a message or field.
fn message(bytes: Vec<u8>) -> zbus::Result<Message> {
    let endian = if bytes.first() == Some(&b'B') { Endian::Big } else { Endian::Little };
    // SAFETY: the bus checks each message before it passes it on, and zbus takes the bytes of its
    // own sockets with no other check than this function makes.
    unsafe { Message::from_bytes(Data::new(bytes, Context::new(endian, 0))) }
}

/// Whether a message can change nothing: a signal of another program, or a call that is no command
/// and wants no answer. The bus limits neither how many of them wait for the service nor, before
/// they fill 127 MiB, their size, and a command behind them would wait until all of them are
/// handled.
fn is_without_effect(message: &Message) -> bool {
    let header = message.header();
    match message.message_type() {
        Type::Signal => header.sender().is_none_or(|sender| sender.as_str() != BUS),
        Type::MethodCall => {
            let is_command =
                header.interface().is_some_and(|interface| *interface == ARBITER_INTERFACE);
            header.primary().flags().contains(Flags::NO_REPLY_EXPECTED) && !is_command
        }
        Type::MethodReturn | Type::Error => false,
    }
}

/// The half that sends.
pub struct Writer {
    stream: Arc<UnixStream>,
    load: watch::Sender<Load>,
}

impl Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("stream", &self.stream).finish_non_exhaustive()
    }
}

/// Notes that the bus takes no more, until it is dropped.
struct Blocked<'a>(&'a watch::Sender<Load>);

impl<'a> Blocked<'a> {
    fn new(load: &'a watch::Sender<Load>) -> Blocked<'a> {
        load.send_modify(|load| load.blocked = true);
        Blocked(load)
    }
}

impl Drop for Blocked<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|load| load.blocked = false);
    }
}

impl Writer {
    async fn write(&self, buffers: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut blocked = None;
        loop {
            match self.stream.try_write_vectored(buffers) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    blocked.get_or_insert_with(|| Blocked::new(&self.load));
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
        let is_answer =
            |message: &&Message| matches!(message.message_type(), Type::MethodReturn | Type::Error);
        let answers = messages.iter().filter(is_answer).count();
        if answers > 0 {
            self.load.send_modify(|load| {
                load.unanswered = load.unanswered.saturating_sub(answers);
            });
        }
        Ok(())
    }

    async fn send_message(&mut self, message: &Message) -> zbus::Result<()> {
        self.send_messages(std::slice::from_ref(message)).await
    }

    async fn sendmsg(&mut self, bytes: &[u8], _: &[BorrowedFd<'_>]) -> io::Result<usize> {
        self.write(&[IoSlice::new(bytes)]).await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(rustix::net::shutdown(&*self.stream, rustix::net::Shutdown::Both)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_dbus::{CLOCK_INTERFACE, PATH};
    use tokio::io::AsyncWriteExt;

    /// A reader, and the end that the bus writes to.
    fn reader() -> (UnixStream, Reader) {
        let (bus, service) = UnixStream::pair().unwrap();
        (bus, GuardedSocket::new(service, None).0.split().take().0)
    }

    async fn next_member(reader: &mut Reader) -> String {
        let message = reader.receive_message(1, &mut Vec::new(), &mut Vec::new()).await.unwrap();
        message.header().member().unwrap().to_string()
    }

    /// The bytes of a signal of the bus with this member.
    fn signal(member: &str, body: &str) -> Vec<u8> {
        let signal = Message::signal("/", "a.b", member).sender(BUS);
        signal.build(&body).unwrap().data().to_vec()
    }

    #[tokio::test]
    async fn signals_of_programs_and_reading_calls_without_an_answer_are_skipped() {
        let (mut bus, mut reader) = reader();
        let call = |interface, method| Message::method_call(PATH, method).interface(interface);
        let (clock, arbiter) = (CLOCK_INTERFACE, ARBITER_INTERFACE);
        let no_reply = Flags::NO_REPLY_EXPECTED;
        for message in [
            Message::signal("/", "a.b", "Skipped").sender(":1.5").build(&()),
            call(clock, "Skipped").with_flags(no_reply).build(&()),
            call(arbiter, "Start").with_flags(no_reply).build(&()),
            Message::signal("/", "a.b", "NameLost").sender(BUS).build(&()),
            call(clock, "GetState").build(&()),
        ] {
            bus.write_all(message.unwrap().data()).await.unwrap();
        }
        for expected in ["Start", "NameLost", "GetState"] {
            assert_eq!(next_member(&mut reader).await, expected);
        }
    }

    #[tokio::test]
    async fn a_header_that_zbus_does_not_accept_is_skipped_and_does_not_end_the_connection() {
        let (mut bus, mut reader) = reader();
        let unknown_type = |mut bytes: Vec<u8>| {
            bytes[1] = 5;
            bytes
        };
        // The code of the field that contains this text becomes one that is not known.
        let unknown_field = |mut bytes: Vec<u8>, text: &str| {
            let is_text = |part: &[u8]| part == text.as_bytes();
            let place = bytes.windows(text.len()).position(is_text).unwrap();
            bytes[place - 8] = 77;
            bytes
        };
        let long = "x".repeat(MESSAGE_LIMIT);
        for bytes in [
            unknown_type(signal("Unknown", "")),
            unknown_field(signal("Unknown", ""), "Unknown"),
            unknown_type(signal("Long", &long)),
            signal("Known", ""),
        ] {
            bus.write_all(&bytes).await.unwrap();
        }
        assert_eq!(next_member(&mut reader).await, "Known");
    }
}
