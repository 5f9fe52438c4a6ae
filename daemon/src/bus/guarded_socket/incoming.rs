//! Reads the messages of the bus into the `CallQueue`, whether or not zbus can take them.

use super::call_queue::is_command;
use super::frames::{Frame, Frames};
use super::queues::{Reason, Refused, Shared};
use clockd_rt::clock::monotonic_now;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokio::sync::mpsc;
use zbus::message::{Flags, Type};
use zbus::wire::serialized::{Context, Data};
use zbus::wire::{Endian, to_bytes};
use zbus::{Message, Variant};

/// The sender of the bus's own signals.
pub const BUS: &str = "org.freedesktop.DBus";
/// While this many messages of the bus itself wait for zbus, nothing is read.
const BUS_MESSAGES: usize = 256;
/// While calls are refused because too many wait, the socket is read up to this many times in a row
/// before zbus gets further reads. A read is a call that is no command.
const HELD_READS: usize = 16;

/// Reads the messages from the socket into the queue, without waiting for zbus.
pub struct Incoming {
    shared: Arc<Shared>,
    pub frames: Frames,
    /// Whether this connection serves interfaces. If not, calls are dropped.
    pub serves: bool,
    refused: mpsc::Sender<Refused>,
}

impl Incoming {
    pub fn new(shared: Arc<Shared>, serves: bool, refused: mpsc::Sender<Refused>) -> Incoming {
        Incoming { shared, frames: Frames::default(), serves, refused }
    }

    /// Reads messages until the connection ends.
    pub async fn read_all(mut self) {
        let mut reads_held = 0;
        let kind = loop {
            let is_flooded = self.take_frames();
            // While calls are refused because too many wait, reading goes on before zbus gets
            // further calls that are no commands. So the queue of the bus is emptied quickly, and
            // no command waits there for long.
            reads_held = if is_flooded && reads_held < HELD_READS { reads_held + 1 } else { 0 };
            self.shared.lock().calls.hold_reads(reads_held > 0);
            self.shared.arrived.notify_one();
            // While programs call without pause, the socket is always readable, and reading never
            // waits. So the other tasks get their turns here.
            tokio::task::yield_now().await;
            while self.shared.lock().calls.others() >= BUS_MESSAGES {
                self.shared.taken.notified().await;
            }
            match self.read_more().await {
                Ok(()) => {}
                Err(error) => break error.kind(),
            }
        };
        self.shared.lock().read_error = Some(kind);
        self.shared.arrived.notify_one();
    }

    async fn read_more(&mut self) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.frames.scratch);
        let read = match self.shared.stream.try_read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.shared.lock().calls.hold_reads(false);
                self.shared.arrived.notify_one();
                self.shared.read(&mut buffer).await
            }
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            read => read,
        };
        self.frames.scratch = buffer;
        self.frames.add_scratch(read?);
        Ok(())
    }

    /// Queues the messages that have been read completely. Returns whether a call was refused
    /// because too many calls wait.
    fn take_frames(&mut self) -> bool {
        let mut is_flooded = false;
        while let Some(frame) = self.frames.next() {
            let refused = match frame {
                Frame::Message(bytes) => {
                    let Ok(message) = message(bytes) else { continue };
                    if is_without_effect(&message) || self.is_unserved(&message) {
                        continue;
                    }
                    match self.shared.lock().calls.push(message, monotonic_now()) {
                        Ok(()) => continue,
                        Err(header) => {
                            is_flooded = true;
                            Refused { header, reason: Reason::TooMany }
                        }
                    }
                }
                Frame::TooLong { header: Some(header), size } => {
                    let Ok(header) = message(header) else { continue };
                    Refused { header, reason: Reason::TooLong(size) }
                }
                Frame::TooLong { header: None, .. } => continue,
            };
            // If the queue of refused messages is full, the caller gets no answer. A call that was
            // refused because too many wait (`Reason::TooMany`) is answered only while no other
            // refused message is in that queue, because so many answers would cost time and help
            // nobody.
            let is_idle = self.refused.capacity() == self.refused.max_capacity();
            if is_idle || !matches!(refused.reason, Reason::TooMany) {
                let _ = self.refused.try_send(refused);
            }
        }
        is_flooded
    }

    fn is_unserved(&self, message: &Message) -> bool {
        !self.serves && message.message_type() == Type::MethodCall
    }
}

/// The message in these bytes.
///
/// # Errors
///
/// zbus does not accept the header, for example because of a message type that zbus does not know.
/// The caller of this function drops the message, as the specification of D-Bus requires for an
/// unknown type.
fn message(bytes: Vec<u8>) -> zbus::Result<Message> {
    let endian = if bytes.first() == Some(&b'B') { Endian::Big } else { Endian::Little };
    let data = Data::new(bytes, Context::new(endian, 0));
    // SAFETY: the bus checks each message before it delivers it. zbus itself creates the messages
    // from its own sockets with this function and without further checks.
    let parse = |data| unsafe { Message::from_bytes(data) };
    parse(data.clone()).or_else(|error| parse(without_unknown_fields(&data).ok_or(error)?))
}

/// The fixed part of a header (byte order, type, flags, version, length of the body, serial) and
/// the header fields.
type Header<'a> = (u8, u8, u8, u8, u32, u32, Vec<(u8, Variant<'a>)>);
/// The codes of the header fields that zbus knows.
const KNOWN_FIELDS: RangeInclusive<u8> = 1..=9;

/// The message without the header fields that zbus does not know. The specification of D-Bus
/// requires that they are ignored, and zbus refuses the whole message. `None` if there are none, or
/// if the header cannot be read.
fn without_unknown_fields(data: &Data<'static, 'static>) -> Option<Data<'static, 'static>> {
    let (mut header, size): (Header<'_>, usize) = data.deserialize().ok()?;
    let fields = &mut header.6;
    let all = fields.len();
    fields.retain(|(code, _)| KNOWN_FIELDS.contains(code));
    if fields.len() == all {
        return None;
    }
    let body = data.get(size.next_multiple_of(8)..)?;
    let mut known = to_bytes(data.context(), &header).ok()?.to_vec();
    known.resize(known.len().next_multiple_of(8), 0);
    known.extend_from_slice(body);
    Some(Data::new(known, data.context()))
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
            header.primary().flags().contains(Flags::NO_REPLY_EXPECTED) && !is_command(&header)
        }
        Type::MethodReturn | Type::Error => false,
    }
}
