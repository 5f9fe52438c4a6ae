//! The messages that wait until the socket takes them. Signals come before answers, so that a
//! client that reads large answers does not delay the signals for the other clients.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use zbus::Message;
use zbus::message::Type;

/// How many messages are given to the kernel at once. The bus is woken once for all of them.
const AT_ONCE: usize = 16;

/// The messages that have not been written yet.
#[derive(Default)]
pub struct SendQueue {
    queue: VecDeque<Message>,
    /// How many messages at the front are not overtaken by a new signal: earlier signals, the
    /// service's own calls, and an answer that has been written in part.
    ahead: usize,
    /// How many bytes of the first message have been written.
    written: usize,
}

/// Whether this message answers a call.
pub fn is_answer(message: &Message) -> bool {
    matches!(message.message_type(), Type::MethodReturn | Type::Error)
}

impl SendQueue {
    /// Queues a message: an answer behind all messages, every other message before the answers of
    /// which nothing has been written.
    pub fn push(&mut self, message: Message) {
        if is_answer(&message) {
            self.queue.push_back(message);
        } else {
            self.queue.insert(self.ahead, message);
            self.ahead += 1;
        }
    }

    /// How many answers wait that have not been written in part.
    pub fn answers(&self) -> usize {
        self.queue.len() - self.ahead
    }

    /// How many messages wait before the answers that `answers` counts.
    pub fn signals(&self) -> usize {
        self.ahead
    }

    /// Writes with `write` until nothing is left or `write` fails. Passes each answer that is
    /// written completely to `answered`.
    ///
    /// # Errors
    ///
    /// The error of `write`. [`io::ErrorKind::WouldBlock`] means that the socket takes no more now.
    pub fn write(
        &mut self,
        mut write: impl FnMut(&[IoSlice<'_>]) -> io::Result<usize>,
        mut answered: impl FnMut(&Message),
    ) -> io::Result<()> {
        while let Some(first) = self.queue.front() {
            let mut slices = vec![IoSlice::new(&first.data()[self.written..])];
            let next = self.queue.iter().skip(1).take(AT_ONCE - 1);
            slices.extend(next.map(|message| IoSlice::new(message.data())));
            let count = write(&slices)?;
            drop(slices);
            self.advance(count, &mut answered);
        }
        Ok(())
    }

    /// Takes note that this many further bytes have been written.
    fn advance(&mut self, mut count: usize, answered: &mut impl FnMut(&Message)) {
        while let Some(first) = self.queue.front() {
            let left = first.data().len() - self.written;
            if count < left {
                self.written += count;
                if self.written > 0 {
                    self.ahead = self.ahead.max(1);
                }
                return;
            }
            count -= left;
            self.written = 0;
            self.ahead = self.ahead.saturating_sub(1);
            if is_answer(first) {
                answered(first);
            }
            self.queue.pop_front();
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
        let answer = || Message::method_return(&call.header()).build(&()).unwrap();
        let signal = |name: &str| Message::signal(PATH, "a.b", name).build(&()).unwrap();
        let mut send_queue = SendQueue::default();
        send_queue.push(answer());
        send_queue.push(answer());
        let would_block = || io::Error::from(io::ErrorKind::WouldBlock);
        let mut left = 20;
        let mut answered = 0;
        let mut written = Vec::new();
        let mut write = |slices: &[IoSlice<'_>], left: &mut usize| {
            let count = slices[0].len().min(*left);
            *left -= count;
            written.extend_from_slice(&slices[0][..count]);
            if count == 0 { Err(would_block()) } else { Ok(count) }
        };
        let full = send_queue.write(|slices| write(slices, &mut left), |_| answered += 1);
        assert_eq!(full.unwrap_err().kind(), io::ErrorKind::WouldBlock);
        send_queue.push(signal("First"));
        send_queue.push(signal("Second"));
        assert_eq!((send_queue.answers(), send_queue.signals()), (1, 3));
        let mut left = usize::MAX;
        send_queue.write(|slices| write(slices, &mut left), |_| answered += 1).unwrap();
        assert_eq!((answered, send_queue.answers(), send_queue.signals()), (2, 0, 0));
        let at = |text: &str| {
            written.windows(text.len()).position(|part| part == text.as_bytes()).unwrap()
        };
        assert!(answer().data().len() < at("First") && at("First") < at("Second"));
        assert!(at("Second") < written.len() - answer().data().len());
    }
}
