//! Cuts the bytes that were received from the bus into messages, and keeps the messages that wait until
//! the socket takes them. This module reads no socket.

use std::collections::VecDeque;
use std::io;
use zbus::Message;
use zbus::message::Type;

/// The largest size of a message that is kept, in bytes. The largest call that is accepted (`Import`
/// with a control file and a state of 16 KiB each) is shorter than 40 KiB. A longer call up to this
/// limit gets the error of the argument that is too long.
pub const MESSAGE_LIMIT: usize = 128 * 1024;
/// The largest size of a header that is kept, in bytes. The names in a header have at most 255
/// bytes each, but an object path can have any length. zbus repeats the path in its errors, so the
/// limit also bounds the size of these errors.
pub const HEADER_LIMIT: usize = 2048;
/// The size of the fixed part of a header, before the header fields, in bytes.
const FIXED: usize = 16;
/// How many bytes are read at once. Most messages to the service have less than 1 KiB.
pub const CHUNK: usize = 8 * 1024;

/// Received bytes that have not been cut into messages yet.
#[derive(Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
    /// How many bytes of a message that is too long have not arrived yet. They are skipped.
    skip: usize,
}

/// A piece of the received bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// A complete message.
    Message(Vec<u8>),
    /// A message of `size` bytes that is too long. `header` is a copy of its header that says that
    /// the body is empty; `None` if the header alone exceeds [`HEADER_LIMIT`]. All bytes that are
    /// not in `header` are skipped.
    TooLong { header: Option<Vec<u8>>, size: usize },
}

impl Frames {
    /// Adds received bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        self.bytes.extend_from_slice(&bytes[skipped..]);
    }

    /// The next message, if all of it has arrived. A message that is too long is returned as soon
    /// as its header has arrived.
    pub fn next(&mut self) -> Option<Frame> {
        let fixed = self.bytes.get(..FIXED)?;
        let number = |at: usize| -> usize {
            let bytes = [fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]];
            let number = if fixed[0] == b'B' {
                u32::from_be_bytes(bytes)
            } else {
                u32::from_le_bytes(bytes)
            };
            // A number that `usize` cannot hold becomes `usize::MAX`, so the message is too long.
            usize::try_from(number).unwrap_or(usize::MAX)
        };
        let header = FIXED.saturating_add(number(12)).saturating_add(7) & !7;
        let size = header.saturating_add(number(4));
        if size <= MESSAGE_LIMIT && header <= HEADER_LIMIT {
            return self.bytes.get(..size).is_some().then(|| Frame::Message(self.take(size)));
        }
        if header > HEADER_LIMIT {
            self.drop_first(size);
            return Some(Frame::TooLong { header: None, size });
        }
        self.bytes.get(..header)?;
        let mut kept = self.take(header);
        kept[4..8].fill(0);
        self.drop_first(size - header);
        Some(Frame::TooLong { header: Some(kept), size })
    }

    /// Takes the first `count` bytes. If the buffer has grown for a long message, frees memory that
    /// is no longer needed.
    fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.bytes.drain(..count).collect();
        if self.bytes.capacity() > 2 * CHUNK {
            self.bytes.shrink_to(CHUNK);
        }
        taken
    }

    /// Drops the next `count` bytes, including those that have not arrived yet.
    fn drop_first(&mut self, count: usize) {
        let here = count.min(self.bytes.len());
        self.bytes.drain(..here);
        self.skip = count - here;
    }
}

/// Messages are collected until they have at least this many bytes, and then written with one call,
/// because each write wakes the bus.
const AT_ONCE: usize = 16 * 1024;

/// The messages that have not been written yet. Signals come before answers, so that a client that reads
/// large answers does not delay the signals for the other clients.
#[derive(Debug, Default)]
pub struct SendQueue {
    /// The signals, and the service's own calls.
    signals: VecDeque<Message>,
    answers: VecDeque<Message>,
    /// The bytes that are written next.
    bytes: Vec<u8>,
}

/// Whether this message answers a call.
pub fn is_answer(message: &Message) -> bool {
    matches!(message.message_type(), Type::MethodReturn | Type::Error)
}

impl SendQueue {
    pub fn push(&mut self, message: Message) {
        let queue = if is_answer(&message) { &mut self.answers } else { &mut self.signals };
        queue.push_back(message);
    }

    /// How many answers wait.
    pub fn answers(&self) -> usize {
        self.answers.len()
    }

    /// How many signals and own calls wait.
    pub fn signals(&self) -> usize {
        self.signals.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.signals.is_empty() && self.answers.is_empty()
    }

    /// Calls `write` until nothing is left, or until the socket takes no more bytes. Before an answer is
    /// written, `is_wanted` is called with it; if that returns `false`, the answer is dropped.
    ///
    /// # Errors
    ///
    /// The error of `write`.
    pub fn write(
        &mut self,
        mut write: impl FnMut(&[u8]) -> io::Result<usize>,
        mut is_wanted: impl FnMut(&Message) -> bool,
    ) -> io::Result<()> {
        loop {
            while self.bytes.len() < AT_ONCE
                && let Some(next) = self.signals.pop_front().or_else(|| self.answers.pop_front())
            {
                if !is_answer(&next) || is_wanted(&next) {
                    self.bytes.extend_from_slice(next.data());
                }
            }
            if self.bytes.is_empty() {
                return Ok(());
            }
            match write(&self.bytes) {
                Ok(count) => drop(self.bytes.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_dbus::PATH;

    /// A message with `fields` bytes of header fields and `body` bytes of body.
    fn message(endian: u8, fields: usize, body: usize) -> Vec<u8> {
        let number = |number: usize| {
            let number = u32::try_from(number).unwrap();
            if endian == b'B' { number.to_be_bytes() } else { number.to_le_bytes() }
        };
        let mut bytes = vec![endian, 1, 0, 1];
        bytes.extend(number(body));
        bytes.extend(number(7));
        bytes.extend(number(fields));
        bytes.resize((FIXED + fields).next_multiple_of(8) + body, b'x');
        bytes
    }

    fn all(frames: &mut Frames) -> Vec<Frame> {
        std::iter::from_fn(|| frames.next()).collect()
    }

    #[test]
    fn messages_are_cut_off_whole_however_they_arrive() {
        let (first, second) = (message(b'l', 13, 5), message(b'B', 40, 0));
        let stream = [first.clone(), second.clone()].concat();
        for at in 0..=stream.len() {
            let mut frames = Frames::default();
            frames.add(&stream[..at]);
            let mut found = all(&mut frames);
            frames.add(&stream[at..]);
            found.extend(all(&mut frames));
            assert_eq!(found, [Frame::Message(first.clone()), Frame::Message(second.clone())]);
        }
    }

    #[test]
    fn of_a_message_that_is_too_long_only_the_header_is_kept() {
        let fits = message(b'l', 8, MESSAGE_LIMIT - FIXED - 8);
        let next = message(b'l', 8, 3);
        for (long, has_header) in [
            (message(b'l', 8, MESSAGE_LIMIT - FIXED - 7), true),
            (message(b'B', 8, 30_000_000), true),
            (message(b'l', HEADER_LIMIT, 0), false),
            (message(b'l', 3_000_000, 5), false),
        ] {
            let stream = [fits.clone(), long.clone(), next.clone()].concat();
            let (mut frames, mut found, mut most) = (Frames::default(), Vec::new(), 0);
            for chunk in stream.chunks(10_007) {
                frames.add(chunk);
                most = most.max(frames.bytes.capacity());
                found.extend(all(&mut frames));
            }
            assert!(most < 3 * MESSAGE_LIMIT, "{most}");
            let mut header = long[..FIXED + 8].to_vec();
            header[4..8].fill(0);
            let header = has_header.then_some(header);
            let too_long = Frame::TooLong { header, size: long.len() };
            assert!(
                found == [Frame::Message(fits.clone()), too_long, Frame::Message(next.clone())]
            );
            assert!(frames.bytes.capacity() <= 2 * CHUNK);
        }
    }

    #[test]
    fn a_signal_overtakes_answers_but_no_message_that_is_partly_written() {
        let call = Message::method_call(PATH, "Test").sender(":1.1").build(&()).unwrap();
        let answer = || Message::method_return(&call.header()).build(&"x".repeat(AT_ONCE)).unwrap();
        let signal = |name: &str| Message::signal(PATH, "a.b", name).build(&()).unwrap();
        let mut send_queue = SendQueue::default();
        send_queue.push(answer());
        send_queue.push(answer());
        let (mut left, mut answered) = (20, 0);
        let mut written = Vec::new();
        let mut write = |bytes: &[u8], left: &mut usize| {
            let count = bytes.len().min(*left);
            *left -= count;
            written.extend_from_slice(&bytes[..count]);
            if count == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(count) }
        };
        let mut is_wanted = |_: &Message| {
            answered += 1;
            true
        };
        send_queue.write(|bytes| write(bytes, &mut left), &mut is_wanted).unwrap();
        send_queue.push(signal("First"));
        send_queue.push(signal("Second"));
        assert_eq!((send_queue.answers(), send_queue.signals()), (1, 2));
        let mut left = usize::MAX;
        send_queue.write(|bytes| write(bytes, &mut left), &mut is_wanted).unwrap();
        assert!(answered == 2 && send_queue.is_empty());
        let at = |text: &str| {
            written.windows(text.len()).position(|part| part == text.as_bytes()).unwrap()
        };
        assert!(answer().data().len() <= at("First") && at("First") < at("Second"));
        assert!(at("Second") < written.len() - answer().data().len());
    }
}
