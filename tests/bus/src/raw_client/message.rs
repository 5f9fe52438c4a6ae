//! Messages to be sent, whose contents are not checked, and messages that were received.

use super::value::{Value, align, length};

/// The type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A method call.
    Call = 1,
    /// An answer.
    Return = 2,
    /// An answer that is an error.
    Error = 3,
    /// A signal.
    Signal = 4,
}

/// A message to be sent. Nothing in it is checked.
#[derive(Clone, Debug)]
pub struct Outgoing {
    kind: Kind,
    flags: u8,
    fields: Vec<(u8, Value)>,
    body: Vec<Value>,
}

impl Outgoing {
    const PATH: u8 = 1;
    const INTERFACE: u8 = 2;
    const MEMBER: u8 = 3;
    const ERROR_NAME: u8 = 4;
    const REPLY_SERIAL: u8 = 5;
    const DESTINATION: u8 = 6;
    const SENDER: u8 = 7;
    const SIGNATURE: u8 = 8;
    const DESCRIPTORS: u8 = 9;
    const NO_REPLY_EXPECTED: u8 = 1;

    fn new(kind: Kind) -> Outgoing {
        Outgoing { kind, flags: 0, fields: Vec::new(), body: Vec::new() }
    }

    fn with(mut self, code: u8, value: Value) -> Outgoing {
        self.fields.push((code, value));
        self
    }

    /// A method call. An empty interface is left out.
    pub fn call(destination: &str, path: &str, interface: &str, member: &str) -> Outgoing {
        let call = Outgoing::new(Kind::Call)
            .with(Self::PATH, Value::Path(path.to_owned()))
            .with(Self::DESTINATION, Value::text(destination))
            .with(Self::MEMBER, Value::text(member));
        if interface.is_empty() {
            return call;
        }
        call.with(Self::INTERFACE, Value::text(interface))
    }

    /// A signal to everyone.
    pub fn signal(path: &str, interface: &str, member: &str) -> Outgoing {
        Outgoing::new(Kind::Signal)
            .with(Self::PATH, Value::Path(path.to_owned()))
            .with(Self::INTERFACE, Value::text(interface))
            .with(Self::MEMBER, Value::text(member))
    }

    /// An answer to a message of `destination`, whether that message exists or not.
    pub fn reply(destination: &str, serial: u32) -> Outgoing {
        Outgoing::new(Kind::Return).to(destination).with(Self::REPLY_SERIAL, Value::U32(serial))
    }

    /// Like [`Outgoing::reply`], but the answer is an error.
    pub fn error(destination: &str, serial: u32, name: &str) -> Outgoing {
        Outgoing::new(Kind::Error)
            .to(destination)
            .with(Self::REPLY_SERIAL, Value::U32(serial))
            .with(Self::ERROR_NAME, Value::text(name))
    }

    /// Sends the message to this connection only.
    pub fn to(self, destination: &str) -> Outgoing {
        self.with(Self::DESTINATION, Value::text(destination))
    }

    /// Adds a sender to the header. A client normally leaves it out.
    pub fn from(self, sender: &str) -> Outgoing {
        self.with(Self::SENDER, Value::text(sender))
    }

    /// Adds the number of open files that are sent with the message.
    pub fn descriptors(self, count: u32) -> Outgoing {
        self.with(Self::DESCRIPTORS, Value::U32(count))
    }

    /// A call that asks for no answer.
    pub fn without_answer(mut self) -> Outgoing {
        self.flags |= Self::NO_REPLY_EXPECTED;
        self
    }

    /// Sets the arguments of the message.
    pub fn body(mut self, body: Vec<Value>) -> Outgoing {
        self.body = body;
        self
    }

    /// The signature of the arguments. A valid one has at most 255 bytes.
    pub fn signature(&self) -> String {
        self.body.iter().map(Value::signature).collect()
    }

    /// The bytes of the message.
    pub fn bytes(&self, serial: u32) -> Vec<u8> {
        let mut body = Vec::new();
        for value in &self.body {
            value.write(&mut body);
        }
        let mut bytes = vec![b'l', self.kind as u8, self.flags, 1];
        bytes.extend_from_slice(&length(body.len()));
        bytes.extend_from_slice(&serial.to_le_bytes());
        let has_body = !self.body.is_empty();
        let signature = has_body.then_some((Self::SIGNATURE, Value::Signature(self.signature())));
        let fields = self.fields.iter().cloned().chain(signature);
        let field =
            |(code, value): (u8, Value)| Value::Struct(vec![Value::Byte(code), value.variant()]);
        Value::Array("(yv)".to_owned(), fields.map(field).collect()).write(&mut bytes);
        align(&mut bytes, 8);
        bytes.extend(body);
        bytes
    }
}

/// A message that was received.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its type.
    pub kind: Kind,
    /// The serial number of the message that this message answers.
    pub reply_serial: Option<u32>,
    /// The unique name of the sender; for a message of the bus itself, the name of the bus.
    pub sender: String,
    /// The path of a signal.
    pub path: String,
    /// The interface of a signal.
    pub interface: String,
    /// The name of a signal.
    pub member: String,
    /// The name of an error.
    pub error_name: String,
    /// The encoded arguments.
    pub body: Vec<u8>,
    signature: String,
}

impl Received {
    /// The first message in `bytes` and its size; `None` if the message is not complete.
    pub(super) fn parse(bytes: &[u8]) -> Option<(Received, usize)> {
        let number = |at: usize| read_u32(bytes, at);
        let fields_end = 16 + number(12)?;
        let start = fields_end.next_multiple_of(8);
        let size = start + number(4)?;
        let body = bytes.get(start..size)?.to_vec();
        let kind = match bytes[1] {
            1 => Kind::Call,
            2 => Kind::Return,
            3 => Kind::Error,
            _ => Kind::Signal,
        };
        let mut message = Received {
            kind,
            reply_serial: None,
            sender: String::new(),
            path: String::new(),
            interface: String::new(),
            member: String::new(),
            error_name: String::new(),
            body,
            signature: String::new(),
        };
        let mut at = 16;
        while at < fields_end {
            at = message.read_field(bytes, at.next_multiple_of(8))?;
        }
        Some((message, size))
    }

    /// Reads the field of the header that begins at `at`. Returns the index of the end of the
    /// field.
    fn read_field(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        // A field has four parts: its code (1 byte), the length of the signature (1 byte), the
        // signature with its NUL (2 bytes), and the value.
        let value = at + 4;
        match bytes.get(at + 2)? {
            b'u' => {
                let number = u32::try_from(read_u32(bytes, value)?).ok();
                if bytes[at] == Outgoing::REPLY_SERIAL {
                    self.reply_serial = number;
                }
                Some(value + 4)
            }
            kind => {
                let (start, size) = match kind {
                    b'g' => (value + 1, usize::from(*bytes.get(value)?)),
                    _ => (value + 4, read_u32(bytes, value)?),
                };
                let text = String::from_utf8_lossy(bytes.get(start..start + size)?).into_owned();
                match bytes[at] {
                    Outgoing::PATH => self.path = text,
                    Outgoing::INTERFACE => self.interface = text,
                    Outgoing::MEMBER => self.member = text,
                    Outgoing::ERROR_NAME => self.error_name = text,
                    Outgoing::SENDER => self.sender = text,
                    Outgoing::SIGNATURE => self.signature = text,
                    _ => {}
                }
                Some(start + size + 1)
            }
        }
    }

    /// The first argument, if it is a string.
    pub fn text(&self) -> Option<String> {
        if !self.signature.starts_with('s') {
            return None;
        }
        let size = read_u32(&self.body, 0)?;
        self.body.get(4..4 + size).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// The first argument, if it is a 32-bit number.
    pub fn number(&self) -> Option<u32> {
        if !self.signature.starts_with('u') {
            return None;
        }
        read_u32(&self.body, 0).and_then(|number| u32::try_from(number).ok())
    }

    /// The first argument, if it is a variant with a 64-bit number.
    pub fn number_in_variant(&self) -> Option<u64> {
        // The signature of the variant takes three bytes, and the number begins at the next
        // multiple of eight.
        if !self.signature.starts_with('v') || !self.body.starts_with(b"\x01t\0") {
            return None;
        }
        Some(u64::from_le_bytes(self.body.get(8..16)?.try_into().ok()?))
    }

    /// The only argument, if it is a list of strings.
    pub fn texts(&self) -> Option<Vec<String>> {
        if self.signature != "as" {
            return None;
        }
        let (mut at, mut texts) = (4, Vec::new());
        while at < self.body.len() {
            at = at.next_multiple_of(4);
            let size = read_u32(&self.body, at)?;
            let text = self.body.get(at + 4..at + 4 + size)?;
            texts.push(String::from_utf8_lossy(text).into_owned());
            at += 4 + size + 1;
        }
        Some(texts)
    }
}

/// Reads 32 bits in little-endian order. A bus uses the byte order of the machine or of the first
/// message, and both are little-endian here.
fn read_u32(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}
