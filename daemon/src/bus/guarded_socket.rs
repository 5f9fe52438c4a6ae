//! The socket of a connection to the bus. It drops messages that are too long, that zbus does not
//! accept, or that have no effect. While 64 calls are unanswered, it takes no further call that
//! wants an answer. A call that is too long is answered with an error (`bus::refuse`), if its
//! header is not too long as well and the queue of such calls has room.
//!
//! The bus delivers messages of 32 MB and more from any local user, and zbus queues 64 of them.
//! Each answer waits in a separate task until the bus takes it. So a program that calls faster than
//! answers can be sent, or that does not read its answers, could fill the memory.
//!
//! Some buses also deliver messages whose headers zbus does not accept. Without this socket, one
//! such message would end the connection.

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

/// The sender of the bus's own signals.
const BUS: &str = "org.freedesktop.DBus";
/// How many messages that were too long can wait for their answers. Further ones get no answer.
const TOO_LONG_QUEUE: usize = 16;
/// While this many calls are unanswered, no further call that wants an answer is taken.
const UNANSWERED_LIMIT: usize = 64;
/// If no call is answered within this time although the bus takes messages, the count of unanswered
/// calls is reset to 0. The arbiter's commands can take longer, but only few of them can wait at
/// the same time, so it does no harm that they are no longer counted.
const NO_PROGRESS: Duration = Duration::from_secs(1);

/// A socket that is connected to the bus.
pub struct GuardedSocket {
    stream: UnixStream,
    arrivals: Option<Arc<Arrivals>>,
    too_long: mpsc::Sender<TooLong>,
}

/// A message that was too long: its header, and its size in bytes.
pub struct TooLong {
    pub header: Message,
    pub size: usize,
}

impl GuardedSocket {
    /// Guards this stream. `arrivals` notes the calls. If it is `None`, calls are neither noted nor
    /// limited in number. The returned queue receives the messages that were too long.
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

/// The state that the two halves of the socket share.
#[derive(Default)]
struct Load {
    /// How many calls were taken and have not been answered.
    unanswered: usize,
    /// Whether a write waits because the bus takes no messages now.
    blocked: bool,
}

/// The half that receives messages.
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
    /// If this message is a call that wants an answer, waits until fewer than [`UNANSWERED_LIMIT`]
    /// calls are unanswered, and then counts this call as unanswered.
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
                // zbus never answers the calls that arrive before the interfaces are served.
                // Without this reset they would count for ever.
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
                    // If the queue is full, the caller gets no answer.
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

    /// Only the handshake calls this.
    async fn recvmsg(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        Ok((self.read(buffer).await?, Vec::new()))
    }
}

/// The message in these bytes.
///
/// # Errors
///
/// zbus does not accept the header, for example because of a message type or a header field that
/// zbus does not know. The caller of this function drops the message. The specification of D-Bus
/// requires that for an unknown type. (For an unknown field, it requires that only the field is
/// ignored.)
fn message(bytes: Vec<u8>) -> zbus::Result<Message> {
    let endian = if bytes.first() == Some(&b'B') { Endian::Big } else { Endian::Little };
    // SAFETY: the bus checks each message before it delivers it. zbus itself creates the messages
    // from its own sockets with this function and without further checks.
    unsafe { Message::from_bytes(Data::new(bytes, Context::new(endian, 0))) }
}

/// Whether handling a message would have no effect: it is a signal from a program other than the
/// bus, or a call that wants no answer and is no command of the arbiter. Such messages are dropped,
/// because a command behind them would have to wait until all of them are handled. The bus does not
/// limit the number of messages that wait. It limits only their total size, to 127 MiB.
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

/// The half that sends messages.
pub struct Writer {
    stream: Arc<UnixStream>,
    load: watch::Sender<Load>,
}

impl Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("stream", &self.stream).finish_non_exhaustive()
    }
}

/// While a value of this type exists, [`Load::blocked`] is set.
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
    /// Sends these messages together, usually in one write, which wakes the bus only once.
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

    /// A reader, and the end of the socket that belongs to the bus.
    fn reader() -> (UnixStream, Reader) {
        let (bus, service) = UnixStream::pair().unwrap();
        (bus, GuardedSocket::new(service, None).0.split().take().0)
    }

    async fn next_member(reader: &mut Reader) -> String {
        let message = reader.receive_message(1, &mut Vec::new(), &mut Vec::new()).await.unwrap();
        message.header().member().unwrap().to_string()
    }

    /// The bytes of a signal from the bus itself.
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
        // Finds the header field that contains this text, and replaces its code by a code that zbus
        // does not know.
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
