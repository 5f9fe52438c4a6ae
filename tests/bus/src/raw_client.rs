//! A D-Bus client that sends any bytes. An ordinary client library checks what it sends, so it
//! cannot send what a hostile program could.

mod message;
mod value;

pub use message::{Kind, Outgoing, Received};
use std::collections::VecDeque;
use std::io::{self, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;
pub use value::Value;

/// The name and interface of the bus itself.
pub const BUS: &str = "org.freedesktop.DBus";

/// How long a client waits for the bus or for an answer: far longer than either takes on a slow and
/// busy machine.
const DEADLINE: Duration = Duration::from_secs(30);

/// A connection to a bus.
pub struct RawClient {
    stream: UnixStream,
    /// The unique name that the bus has given to this connection.
    pub name: String,
    serial: u32,
    buffer: Vec<u8>,
    /// The messages that came while an answer was awaited.
    inbox: VecDeque<Received>,
}

impl RawClient {
    /// Authenticates on a connected socket as the user `uid`, and gets a unique name. The socket
    /// must have been connected by this user.
    pub fn new(stream: UnixStream, uid: u32) -> io::Result<RawClient> {
        stream.set_read_timeout(Some(DEADLINE))?;
        stream.set_write_timeout(Some(DEADLINE))?;
        let name = String::new();
        let mut client =
            RawClient { stream, name, serial: 0, buffer: Vec::new(), inbox: VecDeque::new() };
        let uid: String = uid.to_string().bytes().map(|digit| format!("{digit:02x}")).collect();
        client.authenticate(&format!("\0AUTH EXTERNAL {uid}\r\n"), "OK ")?;
        client.authenticate("NEGOTIATE_UNIX_FD\r\n", "AGREE_UNIX_FD")?;
        client.stream.write_all(b"BEGIN\r\n")?;
        let hello = client.ask_bus("Hello", Vec::new())?;
        client.name =
            hello.text().ok_or_else(|| io::Error::other(format!("no name: {hello:?}")))?;
        Ok(client)
    }

    fn authenticate(&mut self, line: &str, expected: &str) -> io::Result<()> {
        self.stream.write_all(line.as_bytes())?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n") {
            let mut byte = [0];
            self.stream.read_exact(&mut byte)?;
            answer.push(byte[0]);
        }
        let answer = String::from_utf8_lossy(&answer);
        if answer.starts_with(expected) {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::PermissionDenied, answer.trim_end().to_owned()))
    }

    /// The socket, for a caller that waits for messages on several sockets.
    pub fn stream(&self) -> &UnixStream {
        &self.stream
    }

    /// Sends a message. Returns its serial number.
    pub fn send(&mut self, message: &Outgoing) -> io::Result<u32> {
        self.send_with_descriptors(message, &[])
    }

    /// Like [`RawClient::send`], but also passes open files.
    pub fn send_with_descriptors(
        &mut self,
        message: &Outgoing,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<u32> {
        use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
        self.serial += 1;
        let bytes = message.bytes(self.serial);
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(16))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(descriptors))
        {
            return Err(io::Error::other("more than 16 open files"));
        }
        let parts = [IoSlice::new(&bytes)];
        let sent = sendmsg(&self.stream, &parts, &mut ancillary, SendFlags::NOSIGNAL)?;
        self.stream.write_all(&bytes[sent..])?;
        Ok(self.serial)
    }

    /// The next message.
    pub fn receive(&mut self) -> io::Result<Received> {
        match self.inbox.pop_front() {
            Some(message) => Ok(message),
            None => self.read(),
        }
    }

    /// Takes all messages of the inbox, without reading from the socket.
    pub fn received(&mut self) -> Vec<Received> {
        self.inbox.drain(..).collect()
    }

    fn read(&mut self) -> io::Result<Received> {
        loop {
            if let Some((message, size)) = Received::parse(&self.buffer) {
                self.buffer.drain(..size);
                return Ok(message);
            }
            let mut chunk = [0; 16_384];
            let count = self.stream.read(&mut chunk)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.buffer.extend_from_slice(&chunk[..count]);
        }
    }

    /// The answer to the message with this serial number. Other messages are kept for
    /// [`RawClient::receive`].
    pub fn answer(&mut self, serial: u32) -> io::Result<Received> {
        loop {
            let message = self.read()?;
            if message.reply_serial == Some(serial) {
                return Ok(message);
            }
            self.inbox.push_back(message);
        }
    }

    /// Sends a call and returns its answer.
    pub fn call(&mut self, message: &Outgoing) -> io::Result<Received> {
        let serial = self.send(message)?;
        self.answer(serial)
    }

    /// Calls a method of the bus itself.
    pub fn ask_bus(&mut self, member: &str, body: Vec<Value>) -> io::Result<Received> {
        self.call(&Outgoing::call(BUS, "/org/freedesktop/DBus", BUS, member).body(body))
    }

    /// Waits until the bus has handled everything that this client has sent. The messages that the
    /// bus sent to this client before its answer are in the inbox then.
    pub fn synchronize(&mut self) -> io::Result<()> {
        self.ask_bus("GetId", Vec::new()).map(drop)
    }
}
