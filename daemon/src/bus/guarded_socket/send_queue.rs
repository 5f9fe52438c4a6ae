//! The messages that wait until the socket takes them. Signals come before answers, so that a
//! client that reads large answers does not delay the signals for the other clients.

use std::collections::VecDeque;
use std::io;
use zbus::Message;
use zbus::message::Type;

/// Messages are collected until they have at least this many bytes, and then written with one call,
/// because each write wakes the bus.
const AT_ONCE: usize = 16 * 1024;

/// The messages that have not been written yet.
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
