//! The socket of a connection to the bus. It always reads what the bus delivers, whether or not
//! zbus can take it, and hands the messages to zbus in the order of [`call_queue`]. It writes
//! signals before answers ([`send_queue`]). It drops messages that zbus does not accept and
//! messages that have no effect. It refuses a message that is too long, and a call that arrives
//! while too many calls wait. The caller of a refused call gets an error (`bus::refuse`), provided
//! that the header is not too long and the queue of refused calls has room.
//!
//! The bus delivers messages of 32 MB and more from any local user, and zbus queues 64 of them.
//! Each answer waits in a separate task until the bus takes it. Without this socket, a program that
//! calls faster than answers can be sent, or that does not read its answers, could fill the memory.
//! A command of the arbiter would also wait behind the calls of that program.
//!
//! Some buses also deliver messages whose headers zbus does not accept. Without this socket, one
//! such message would end the connection.

mod call_queue;
mod frames;
mod incoming;
mod queues;
mod send_queue;

use super::arrivals::Arrivals;
use call_queue::ALL_READS_IN_PROGRESS;
use clockd_rt::clock::monotonic_now;
use incoming::Incoming;
use queues::{Queues, SIGNALS, Shared};
pub use queues::{Reason, Refused};
use rustix::net::sockopt::set_socket_send_buffer_size;
use send_queue::is_answer;
use std::fmt::{self, Debug};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use zbus::Message;
use zbus::connection::socket::{ReadHalf, Socket, Split, WriteHalf};
use zbus::export::async_trait::async_trait;

#[cfg(test)]
pub use frames::HEADER_LIMIT;
pub use frames::MESSAGE_LIMIT;

/// How many refused messages can wait for their answers. Further ones get no answer.
const REFUSED_QUEUE: usize = 16;
/// While calls wait for zbus, the reader checks at least this often whether a call in progress is
/// older than `NO_ANSWER` and so no longer counts.
const UNANSWERED_CHECK: Duration = Duration::from_secs(1);

/// The size that is requested for the kernel's send buffer of the socket, in bytes. Linux allocates
/// twice as much. A signal cannot overtake the answers that are already in this buffer. With the
/// default size (208 KiB) and 60 programs that did not read their answers, dbus-daemon delivered a
/// signal up to 11 s late; with this size, up to 3 s.
const SEND_BUFFER: usize = 16 * 1024;

/// A socket that is connected to the bus.
pub struct GuardedSocket {
    stream: UnixStream,
    arrivals: Option<Arc<Arrivals>>,
    refused: mpsc::Sender<Refused>,
}

impl GuardedSocket {
    /// Guards this stream. `arrivals` notes the calls. If `arrivals` is `None`, the connection
    /// serves no interface, and calls are dropped. The returned queue receives the refused
    /// messages.
    pub fn new(
        stream: UnixStream,
        arrivals: Option<Arc<Arrivals>>,
    ) -> (GuardedSocket, mpsc::Receiver<Refused>) {
        let (refused, queue) = mpsc::channel(REFUSED_QUEUE);
        if let Err(error) = set_socket_send_buffer_size(&stream, SEND_BUFFER) {
            tracing::warn!(%error, "the send buffer of the bus socket keeps its size");
        }
        (GuardedSocket { stream, arrivals, refused }, queue)
    }
}

impl Socket for GuardedSocket {
    type ReadHalf = Reader;
    type WriteHalf = Writer;

    fn split(self) -> Split<Reader, Writer> {
        let GuardedSocket { stream, arrivals, refused } = self;
        let shared = Arc::new(Shared::new(stream));
        let incoming = Incoming::new(Arc::clone(&shared), arrivals.is_some(), refused);
        let reader =
            Reader { shared: Arc::clone(&shared), arrivals, incoming: Some(incoming), task: None };
        Split::new(reader, Writer { shared, task: None })
    }
}

/// The half that receives messages.
pub struct Reader {
    shared: Arc<Shared>,
    arrivals: Option<Arc<Arrivals>>,
    /// Reads the messages. It is moved into `task` when the handshake is over.
    incoming: Option<Incoming>,
    task: Option<JoinHandle<()>>,
}

impl Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("stream", &self.shared.stream).finish_non_exhaustive()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
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
        if let Some(mut incoming) = self.incoming.take() {
            incoming.frames.add(already_received);
            already_received.clear();
            self.task = Some(tokio::spawn(incoming.read_all()));
        }
        loop {
            let has_calls = {
                let mut queues = self.shared.lock();
                let has_left = |name: &_| {
                    self.arrivals.as_ref().is_some_and(|arrivals| arrivals.has_left(name))
                };
                if let Some((message, at)) = queues.calls.pop(monotonic_now(), has_left) {
                    drop(queues);
                    self.shared.taken.notify_one();
                    if let Some(arrivals) = &self.arrivals {
                        arrivals.note(&message, at);
                    }
                    return Ok(message);
                }
                if let Some(kind) = queues.read_error {
                    return Err(io::Error::from(kind).into());
                }
                queues.calls.has_calls()
            };
            let arrived = self.shared.arrived.notified();
            if has_calls {
                let _ = timeout(UNANSWERED_CHECK, arrived).await;
            } else {
                arrived.await;
            }
        }
    }

    /// Only the handshake calls this.
    async fn recvmsg(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        Ok((self.shared.read(buffer).await?, Vec::new()))
    }
}

/// The half that sends messages.
pub struct Writer {
    shared: Arc<Shared>,
    /// The task that writes what the socket did not take at once.
    task: Option<JoinHandle<()>>,
}

impl Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("stream", &self.shared.stream).finish_non_exhaustive()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Writes what the socket did not take at once, until writing fails.
async fn write_rest(shared: Arc<Shared>) {
    loop {
        match shared.write_waiting() {
            Ok(true) => shared.unwritten.notified().await,
            Ok(false) if shared.stream.writable().await.is_ok() => {}
            Ok(false) | Err(_) => return,
        }
    }
}

#[async_trait]
impl WriteHalf for Writer {
    /// Sends these messages together, usually in one write, which wakes the bus only once. What the
    /// socket does not take now is written later. If [`SIGNALS`] signals wait, the sender of a
    /// signal waits here; the sender of an answer never does. While the sender waits,
    /// `bus::publisher` can have no room and drop publications. If it has dropped some, it later
    /// sends one `Transition` with the cause `missed` in their place.
    async fn send_messages(&mut self, messages: &[Message]) -> zbus::Result<()> {
        let mut has_signal = false;
        {
            let mut queues = self.shared.lock();
            let Queues { calls, send_queue, .. } = &mut *queues;
            for message in messages {
                has_signal |= !is_answer(message);
                // An answer to a call that is not in progress (such as a refused call) is dropped
                // if [`ALL_READS_IN_PROGRESS`] answers already wait. So the number of waiting
                // answers stays limited while the bus takes no messages.
                let is_extra = is_answer(message) && !calls.is_in_progress(message);
                if !is_extra || send_queue.answers() < ALL_READS_IN_PROGRESS {
                    send_queue.push(message.clone());
                }
            }
        }
        if !self.shared.write_waiting()? {
            self.task.get_or_insert_with(|| tokio::spawn(write_rest(Arc::clone(&self.shared))));
            self.shared.unwritten.notify_one();
        }
        while has_signal && self.shared.lock().send_queue.signals() >= SIGNALS {
            self.shared.written.notified().await;
            if let Some(kind) = self.shared.lock().write_error {
                return Err(io::Error::from(kind).into());
            }
        }
        Ok(())
    }

    async fn send_message(&mut self, message: &Message) -> zbus::Result<()> {
        self.send_messages(std::slice::from_ref(message)).await
    }

    /// Only the handshake calls this.
    async fn sendmsg(&mut self, bytes: &[u8], _: &[BorrowedFd<'_>]) -> io::Result<usize> {
        loop {
            self.shared.stream.writable().await?;
            match self.shared.stream.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(rustix::net::shutdown(&self.shared.stream, rustix::net::Shutdown::Both)?)
    }
}

#[cfg(test)]
mod tests {
    use super::incoming::BUS;
    use super::*;
    use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE, PATH};
    use tokio::io::AsyncWriteExt;
    use zbus::message::Flags;
    use zbus::wire::Endian;

    /// A reader of a connection that serves interfaces, and the end of the socket that belongs to
    /// the bus.
    fn reader() -> (UnixStream, Reader) {
        let (bus, service) = UnixStream::pair().unwrap();
        let mut reader = GuardedSocket::new(service, None).0.split().take().0;
        reader.incoming.as_mut().unwrap().serves = true;
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
    async fn signals_of_programs_and_reading_calls_without_an_answer_are_skipped() {
        let (mut bus, mut reader) = reader();
        let call = |interface, method| {
            Message::method_call(PATH, method).interface(interface).sender(":1.5")
        };
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
        for expected in ["NameLost", "Start", "GetState"] {
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
        // A second call of a program waits until its first one is answered, so each call has
        // another sender.
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
