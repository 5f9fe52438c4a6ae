//! Makes messages from the bytes that the bus delivers.

use super::calls::Received;
use std::ops::RangeInclusive;
use zbus::message::Type;
use zbus::wire::serialized::{Context, Data};
use zbus::wire::{Endian, to_bytes};
use zbus::{Message, Variant};

/// The sender of the bus's own signals.
pub const BUS: &str = "org.freedesktop.DBus";
/// The flag of a call that wants no answer, in the byte [`FLAGS`] of a message.
const NO_REPLY_EXPECTED: u8 = 1;
const FLAGS: usize = 2;

/// The message in these bytes. `None` if zbus does not accept the header, for example because of a
/// message type that zbus does not know: the specification of D-Bus requires that a message of an
/// unknown type is ignored.
///
/// Also `None` if the message is a signal from a program other than the bus. Such a signal has no effect,
/// and a command that follows many of them would have to wait.
pub fn message(mut bytes: Vec<u8>) -> Option<Received> {
    let wants_answer = bytes[FLAGS] & NO_REPLY_EXPECTED == 0;
    bytes[FLAGS] &= !NO_REPLY_EXPECTED;
    let endian = if bytes.first() == Some(&b'B') { Endian::Big } else { Endian::Little };
    let data = Data::new(bytes, Context::new(endian, 0));
    // SAFETY: the bus checks each message before it delivers it. zbus itself creates the messages
    // from its own sockets with this function and without further checks.
    let parse = |data| unsafe { Message::from_bytes(data) }.ok();
    let message = parse(data.clone()).or_else(|| parse(without_unknown_fields(&data)?))?;
    let is_of_bus = message.header().sender().is_some_and(|sender| sender.as_str() == BUS);
    let has_effect = message.message_type() != Type::Signal || is_of_bus;
    has_effect.then_some(Received { message, wants_answer })
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
