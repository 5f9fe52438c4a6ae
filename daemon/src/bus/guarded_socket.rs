//! The socket of a connection to the bus. It reads what the bus delivers, whether or not a call can
//! be handled now, and gives the calls to zbus in the order of [`calls`]. It writes signals before
//! answers ([`SendQueue`]). It drops messages that zbus does not accept and messages that have no
//! effect. It refuses a message that is too long, and a call for which there is no room.
//!
//! These floods need it:
//!
//! - Messages of 32 MB and more. The bus delivers them from any local user, and zbus queues 64.
//! - Calls of programs that call without pause and read no answers. zbus keeps a task for each call
//!   until the bus takes its answer. They would fill the memory, and the calls and the signals of
//!   all others would wait behind them.
//! - Commands that are refused, of an arbiter's program that repeats them. Those of other arbiters
//!   would wait behind them.
//! - Messages whose headers zbus does not accept, which some buses deliver. One of them would end
//!   the connection.

mod calls;
mod frames;

use super::callers::Callers;
pub use calls::Calls;
use calls::{READS, Received};
use clockd_rt::clock::monotonic_now;
use frames::{CHUNK, Frame, Frames, SendQueue, is_answer};
use rustix::net::sockopt::set_socket_send_buffer_size;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::sync::Notify;
use zbus::connection::socket::{ReadHalf, Socket, Split, WriteHalf};
use zbus::export::async_trait::async_trait;
use zbus::message::Type;
use zbus::{DBusError, Message, fdo};

#[cfg(test)]
pub use frames::HEADER_LIMIT;
pub use frames::MESSAGE_LIMIT;

/// While this many signals wait for the socket, the sender of a signal waits.
const SIGNALS: usize = 64;
/// The size that is requested for the kernel's send buffer of the socket, in bytes. Linux allocates
/// twice as much. A signal cannot overtake the answers that are already in this buffer. With the
/// default size (208 KiB) and 60 programs that did not read their answers, dbus-daemon delivered a
/// signal up to 11 s late; with this size, up to 3 s.
const SEND_BUFFER: usize = 16 * 1024;

/// A socket that is connected to the bus.
pub struct GuardedSocket(Arc<Shared>);

/// What the two halves of the socket share.
#[derive(Debug)]
struct Shared {
    stream: UnixStream,
    /// The calls of this connection. `None` if the connection serves no interface; then calls are
    /// dropped.
    calls: Option<Arc<Mutex<Calls>>>,
    /// Looks up the senders of the calls.
    callers: Option<Arc<Callers>>,
    send_queue: Mutex<SendQueue>,
    /// Notified when [`Writer`] has queued or written a message.
    changed: Notify,
}

impl GuardedSocket {
    /// Guards this stream.
    pub fn new(
        stream: UnixStream,
        calls: Option<Arc<Mutex<Calls>>>,
        callers: Option<Arc<Callers>>,
    ) -> GuardedSocket {
        if let Err(error) = set_socket_send_buffer_size(&stream, SEND_BUFFER) {
            tracing::warn!(%error, "the send buffer of the bus socket keeps its size");
        }
        let (send_queue, changed) = Default::default();
        GuardedSocket(Arc::new(Shared { stream, calls, callers, send_queue, changed }))
    }
}

impl Socket for GuardedSocket {
    type ReadHalf = Reader;
    type WriteHalf = Writer;

    fn split(self) -> Split<Reader, Writer> {
        let shared = Arc::clone(&self.0);
        let (frames, buffer) = (Frames::default(), vec![0; CHUNK]);
        let reader = Reader { shared, frames, buffer };
        Split::new(reader, Writer(self.0))
    }
}

impl Shared {
    fn calls(&self) -> Option<MutexGuard<'_, Calls>> {
        Some(self.calls.as_ref()?.lock().expect("nothing panics while it holds the lock"))
    }

    fn send_queue(&self) -> MutexGuard<'_, SendQueue> {
        self.send_queue.lock().expect("nothing panics while it holds the lock")
    }

    /// Writes what the socket takes now. [`Reader`] writes the rest.
    fn write(&self) -> io::Result<()> {
        let mut send_queue = self.send_queue();
        let is_wanted =
            |answer: &Message| self.calls().is_none_or(|mut calls| calls.answered(answer));
        send_queue.write(|bytes| self.stream.try_write(bytes), is_wanted)
    }

    /// Waits until the socket can be read, or can be written if something waits for it, or until
    /// something has changed.
    async fn ready(&self) -> io::Result<()> {
        let waits = !self.send_queue().is_empty();
        let interest =
            if waits { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
        tokio::select! {
            ready = self.stream.ready(interest) => ready.map(drop),
            () = self.changed.notified() => Ok(()),
        }
    }
}

/// The half that receives messages. It also writes what the socket did not take at once.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<Shared>,
    frames: Frames,
    /// The buffer for the next read.
    buffer: Vec<u8>,
}

impl Reader {
    /// Queues the call in this frame. Returns any other message.
    fn take(&mut self, frame: Frame) -> Option<Message> {
        match frame {
            Frame::Message(bytes) => {
                let received = calls::message(bytes)?;
                if received.message.message_type() != Type::MethodCall {
                    return Some(received.message);
                }
                let refused = self.shared.calls()?.push(received, monotonic_now());
                let text =
                    "too many calls wait for their answers; call again when some are answered";
                for call in refused {
                    self.refuse(&call, text.to_owned());
                }
            }
            Frame::TooLong { header, size } => {
                let text = format!("a message of {size} bytes; expected at most {MESSAGE_LIMIT}");
                self.refuse(&calls::message(header?)?, text);
            }
        }
        None
    }

    /// Answers a call with an error, unless too many answers wait.
    fn refuse(&self, Received { message, wants_answer }: &Received, text: String) {
        let is_call = message.message_type() == Type::MethodCall;
        let mut send_queue = self.shared.send_queue();
        if !is_call || !wants_answer || send_queue.answers() >= READS {
            return;
        }
        if let Ok(answer) = fdo::Error::LimitsExceeded(text).create_reply(&message.header()) {
            send_queue.push(answer);
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
            while let Some(frame) = self.frames.next() {
                if let Some(message) = self.take(frame) {
                    return Ok(message);
                }
            }
            self.shared.write()?;
            let call = self.shared.calls().and_then(|mut calls| calls.pop());
            if let Some(call) = call {
                if let (Some(callers), Some(sender)) =
                    (&self.shared.callers, call.header().sender())
                {
                    callers.look_up_early(&sender.to_owned().into());
                }
                return Ok(call);
            }
            match self.shared.stream.try_read(&mut self.buffer) {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(count) => {
                    self.frames.add(&self.buffer[..count]);
                    // While programs call without pause, the socket is always readable. So the
                    // other tasks get their turns here.
                    tokio::task::yield_now().await;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.shared.ready().await?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Only the handshake calls this.
    async fn recvmsg(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        let read = || Ok(rustix::io::read(&self.shared.stream, &mut *buffer)?);
        match self.shared.stream.async_io(Interest::READABLE, read).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            count => Ok((count, Vec::new())),
        }
    }
}

/// The half that sends messages.
#[derive(Debug)]
pub struct Writer(Arc<Shared>);

#[async_trait]
impl WriteHalf for Writer {
    /// Sends these messages together, usually in one write, which wakes the bus only once. What the
    /// socket does not take now is written later. If [`SIGNALS`] signals wait, the sender of a
    /// signal waits here; the sender of an answer never does. While the sender waits,
    /// `bus::publisher` can have no room and drop publications. If it has dropped some, it later
    /// sends one `Transition` with the cause `missed` in their place.
    async fn send_messages(&mut self, messages: &[Message]) -> zbus::Result<()> {
        for message in messages {
            self.0.send_queue().push(message.clone());
        }
        self.0.write()?;
        self.0.changed.notify_one();
        let has_signal = messages.iter().any(|message| !is_answer(message));
        while has_signal && self.0.send_queue().signals() >= SIGNALS {
            self.0.stream.writable().await?;
            self.0.write()?;
        }
        Ok(())
    }

    async fn send_message(&mut self, message: &Message) -> zbus::Result<()> {
        self.send_messages(std::slice::from_ref(message)).await
    }

    /// Only the handshake calls this.
    async fn sendmsg(&mut self, bytes: &[u8], _: &[BorrowedFd<'_>]) -> io::Result<usize> {
        let write = || Ok(rustix::io::write(&self.0.stream, bytes)?);
        self.0.stream.async_io(Interest::WRITABLE, write).await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(rustix::net::shutdown(&self.0.stream, rustix::net::Shutdown::Both)?)
    }
}

#[cfg(test)]
mod tests {
    use super::calls::BUS;
    use super::*;
    use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE, PATH};
    use std::time::Duration;
    use tokio::io::AsyncWriteExt;
    use tokio::time::timeout;
    use zbus::message::Flags;
    use zbus::wire::Endian;

    /// A reader of a connection that serves interfaces, and the end of the socket that belongs to
    /// the bus.
    fn reader() -> (UnixStream, Reader) {
        let (bus, service) = UnixStream::pair().unwrap();
        let reader = GuardedSocket::new(service, Some(Arc::default()), None).split().take().0;
        (bus, reader)
    }

    async fn next_message(reader: &mut Reader) -> Message {
        let (mut buffer, mut fds) = (Vec::new(), Vec::new());
        let next = reader.receive_message(1, &mut buffer, &mut fds);
        timeout(Duration::from_secs(10), next).await.expect("a message").unwrap()
    }

    async fn next_member(reader: &mut Reader) -> String {
        next_message(reader).await.header().member().unwrap().to_string()
    }

    /// The bytes of a signal from the bus itself.
    fn signal(member: &str, body: &str) -> Vec<u8> {
        let signal = Message::signal("/", "a.b", member).sender(BUS);
        signal.build(&body).unwrap().data().to_vec()
    }

    #[tokio::test]
    async fn the_kernel_buffers_few_answers_before_a_signal() {
        let (_bus, reader) = reader();
        let mut buffered = 0;
        while let Ok(count) = reader.shared.stream.try_write(&[0; 1000]) {
            buffered += count;
        }
        assert!((1..=2 * SEND_BUFFER).contains(&buffered), "{buffered}");
    }

    #[tokio::test]
    async fn while_the_bus_takes_nothing_few_messages_wait_and_the_sender_of_a_signal_waits() {
        let (_bus, service) = UnixStream::pair().unwrap();
        let split = GuardedSocket::new(service, Some(Arc::default()), None).split();
        let (reader, mut writer) = split.take();
        while reader.shared.stream.try_write(&[0; 1000]).is_ok() {}
        let call = Message::method_call(PATH, "Read").sender(":1.5").build(&()).unwrap();
        let call = Received { message: call, wants_answer: true };
        let signal = Message::signal("/", "a.b", "Signal").build(&"x".repeat(1000)).unwrap();
        let mut sent = 0;
        let brief = Duration::from_millis(50);
        while timeout(brief, writer.send_message(&signal)).await.is_ok() && sent < 1000 {
            sent += 1;
        }
        assert!((SIGNALS - 1..2 * SIGNALS).contains(&sent), "{sent}");
        for _ in 0..1000 {
            reader.refuse(&call, String::new());
        }
        assert_eq!(reader.shared.send_queue().answers(), READS);
    }

    #[tokio::test]
    async fn signals_of_programs_are_skipped_and_commands_come_first() {
        let (mut bus, mut reader) = reader();
        let call = |interface, method| {
            Message::method_call(PATH, method).interface(interface).sender(":1.5").build(&())
        };
        for message in [
            Message::signal("/", "a.b", "Skipped").sender(":1.5").build(&()),
            call(CLOCK_INTERFACE, "GetState"),
            call(ARBITER_INTERFACE, "Start"),
            Message::signal("/", "a.b", "NameLost").sender(BUS).build(&()),
        ] {
            bus.write_all(message.unwrap().data()).await.unwrap();
        }
        for expected in ["NameLost", "Start", "GetState"] {
            assert_eq!(next_member(&mut reader).await, expected);
        }
    }

    #[tokio::test]
    async fn a_call_that_wants_no_answer_is_in_progress_until_zbus_has_answered_it() {
        let (mut bus, service) = UnixStream::pair().unwrap();
        let split = GuardedSocket::new(service, Some(Arc::default()), None).split();
        let (mut reader, mut writer) = split.take();
        for round in 0..2 * READS {
            let flags =
                if round % 2 == 0 { Flags::NO_REPLY_EXPECTED } else { Flags::NO_AUTO_START };
            let call = Message::method_call(PATH, "Read").sender(":1.5").with_flags(flags);
            bus.write_all(call.build(&()).unwrap().data()).await.unwrap();
            let call = next_message(&mut reader).await;
            assert!(!call.primary_header().flags().contains(Flags::NO_REPLY_EXPECTED));
            let answer = Message::method_return(&call.header()).build(&()).unwrap();
            writer.send_message(&answer).await.unwrap();
        }
        let mut answers = Frames::default();
        while let Ok(count) = bus.try_read(&mut reader.buffer) {
            answers.add(&reader.buffer[..count]);
        }
        assert_eq!(std::iter::from_fn(|| answers.next()).count(), READS);
    }

    #[tokio::test]
    async fn a_header_that_zbus_does_not_accept_is_skipped_and_does_not_end_the_connection() {
        let (mut bus, mut reader) = reader();
        let unknown_type = |mut bytes: Vec<u8>| {
            bytes[1] = 5;
            bytes
        };
        let long = "x".repeat(MESSAGE_LIMIT);
        for bytes in [
            unknown_type(signal("Unknown", "")),
            // A signal without a member.
            with_unknown_field(signal("Unknown", ""), "Unknown"),
            unknown_type(signal("Long", &long)),
            signal("Known", ""),
        ] {
            bus.write_all(&bytes).await.unwrap();
        }
        assert_eq!(next_member(&mut reader).await, "Known");
    }

    /// The message with a code that zbus does not know, in place of the code of the header field
    /// that contains this text.
    fn with_unknown_field(mut bytes: Vec<u8>, text: &str) -> Vec<u8> {
        let is_text = |part: &[u8]| part == text.as_bytes();
        let place = bytes.windows(text.len()).position(is_text).unwrap();
        bytes[place - 8] = 77;
        bytes
    }

    #[tokio::test]
    async fn a_header_field_that_zbus_does_not_know_is_ignored_and_the_call_goes_on() {
        let (mut bus, mut reader) = reader();
        for (endian, senders) in
            [(Endian::Little, [":1.5", ":1.6"]), (Endian::Big, [":1.7", ":1.8"])]
        {
            for (sender, body) in senders.into_iter().zip(["", "a body after the header"]) {
                let call = Message::method_call(PATH, "Known").sender(sender).endian(endian);
                let call = call.interface("un.known").build(&body).unwrap();
                let bytes = with_unknown_field(call.data().to_vec(), "un.known");
                bus.write_all(&bytes).await.unwrap();
                let received = next_message(&mut reader).await;
                let header = received.header();
                assert_eq!(header.member().unwrap().as_str(), "Known");
                assert_eq!((header.interface(), header.sender().unwrap().as_str()), (None, sender));
                assert_eq!(received.body().deserialize::<String>().unwrap(), body);
            }
        }
    }

    #[tokio::test]
    async fn a_call_with_several_arguments_keeps_them_without_the_unknown_header_field() {
        let (mut bus, mut reader) = reader();
        let arguments = ("white".to_owned(), 60_000_000_000_i64, vec![7_u8], true);
        for (endian, sender) in [(Endian::Little, ":1.5"), (Endian::Big, ":1.6")] {
            let call = Message::method_call(PATH, "Known").sender(sender).endian(endian);
            let call = call.interface("un.known").build(&arguments).unwrap();
            let bytes = with_unknown_field(call.data().to_vec(), "un.known");
            bus.write_all(&bytes).await.unwrap();
            let received = next_message(&mut reader).await;
            let body = received.body();
            assert_eq!(body.signature(), call.body().signature());
            assert_eq!(body.deserialize::<(String, i64, Vec<u8>, bool)>().unwrap(), arguments);
            let serial = |message: &Message| message.primary_header().serial_num();
            assert_eq!(serial(&received), serial(&call));
        }
    }
}
