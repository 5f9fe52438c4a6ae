//! The messages that were read from the bus and wait for zbus, and the order in which zbus gets
//! them. A command is a call to the arbiter's interface; every other call is a read. This module
//! does no I/O and reads no clock.
//!
//! A program can call faster than its calls are answered, for example because it reads no answers.
//! So that such a program delays nobody else, commands come before reads, the programs get their
//! turns one after the other, and each has only a few calls in progress.

use clock_dbus::ARBITER_INTERFACE;
use clock_engine::{Instant, Span};
use std::collections::{HashMap, VecDeque};
use zbus::Message;
use zbus::message::{Header, Type};
use zbus::names::{BusName, OwnedUniqueName};

/// How many calls of one program wait at most. dbus-daemon delivers at most 128 unanswered calls of
/// one program, so this limit can be exceeded only on a bus of another kind.
const WAITING: usize = 128;
/// How many bytes the waiting calls of one program have at most. A single call may have more.
const WAITING_BYTES: usize = 128 * 1024;
/// How many bytes all waiting commands have at most. All waiting reads have the same limit.
const ALL_WAITING_BYTES: usize = 1024 * 1024;
/// A program without a waiting call can always queue a call of at most this size, however many
/// calls of other programs wait.
const ALWAYS_ACCEPTED: usize = 4096;
/// How many commands of one program are in progress at most. A call is in progress from the moment
/// at which zbus gets it until its answer has been written to the socket.
const COMMANDS_IN_PROGRESS: usize = 8;
/// How many reads of one program are in progress at most.
const READS_IN_PROGRESS: usize = 2;
/// How many reads of all programs together are in progress at most. zbus starts the calls one after
/// the other, so a command can wait until zbus has started all these reads. At most nine of them
/// (calls of `History`) can wait for a storage that hangs, so at least 15 other reads can be in
/// progress. Commands have no such limit, because only arbiters can send them.
pub const ALL_READS_IN_PROGRESS: usize = 24;
/// After this time, a call without an answer is no longer in progress. zbus never answers the calls
/// that arrive before the interfaces are served. Every other answer needs less time.
const NO_ANSWER: Span = Span::from_secs(10);

/// The messages that wait for zbus.
#[derive(Default)]
pub struct CallQueue {
    /// The answers to the service's own calls, and the signals of the bus. They come before all
    /// calls of programs.
    others: VecDeque<(Message, Instant)>,
    commands: Lane,
    /// The calls that are no commands.
    reads: Lane,
    /// Whether `pop` returns no reads at present.
    holds_reads: bool,
}

/// Calls of one kind.
#[derive(Default)]
struct Lane {
    programs: HashMap<OwnedUniqueName, Program>,
    /// The programs with waiting calls. The first one has its turn next.
    turns: VecDeque<OwnedUniqueName>,
    /// The size of all waiting calls.
    bytes: usize,
    /// How many calls are in progress.
    in_progress: usize,
}

/// The calls of one program.
#[derive(Default)]
struct Program {
    /// The calls with the instants of their arrival, the oldest first.
    waiting: VecDeque<(Message, Instant)>,
    /// The size of the waiting calls.
    bytes: usize,
    /// The serial numbers of the calls in progress, and the instants at which zbus got them.
    in_progress: Vec<(u32, Instant)>,
}

impl CallQueue {
    /// Queues a message that arrived at this instant.
    ///
    /// # Errors
    ///
    /// Returns the message if it is a call and too many calls wait, or if it is a call without a
    /// sender.
    pub fn push(&mut self, message: Message, at: Instant) -> Result<(), Message> {
        if message.message_type() != Type::MethodCall {
            self.others.push_back((message, at));
            return Ok(());
        }
        let header = message.header();
        let sender = header.sender().map(|sender| OwnedUniqueName::from(sender.to_owned()));
        // The bus names the sender of every call, so a call without a sender does not come from the
        // bus.
        let Some(sender) = sender else { return Err(message) };
        let lane = if is_command(&header) { &mut self.commands } else { &mut self.reads };
        lane.push(sender, message, at)
    }

    /// If `hold` is `true`, `pop` returns no reads from now on. If it is `false`, `pop` returns
    /// them again.
    pub fn hold_reads(&mut self, hold: bool) {
        self.holds_reads = hold;
    }

    /// The next message for zbus, with the instant of its arrival. The calls of a program that has
    /// left the bus are dropped, except its commands.
    pub fn pop(
        &mut self,
        now: Instant,
        has_left: impl Fn(&OwnedUniqueName) -> bool,
    ) -> Option<(Message, Instant)> {
        if let Some(other) = self.others.pop_front() {
            return Some(other);
        }
        if let Some(command) = self.commands.pop(now, COMMANDS_IN_PROGRESS, |_| false) {
            return Some(command);
        }
        if self.reads.in_progress >= ALL_READS_IN_PROGRESS {
            self.reads.forget_unanswered(now);
        }
        let has_room = !self.holds_reads && self.reads.in_progress < ALL_READS_IN_PROGRESS;
        has_room.then(|| self.reads.pop(now, READS_IN_PROGRESS, has_left)).flatten()
    }

    /// Takes note of an answer that has been written to the socket.
    pub fn answered(&mut self, answer: &Message) {
        let header = answer.header();
        if let (Some(BusName::Unique(name)), Some(serial)) =
            (header.destination(), header.reply_serial())
        {
            let _ = self.commands.answered(name.as_str(), serial.get())
                || self.reads.answered(name.as_str(), serial.get());
        }
    }

    /// Whether the call that this message answers is in progress.
    pub fn is_in_progress(&self, answer: &Message) -> bool {
        let header = answer.header();
        let (Some(BusName::Unique(name)), Some(serial)) =
            (header.destination(), header.reply_serial())
        else {
            return false;
        };
        [&self.commands, &self.reads].iter().any(|lane| lane.has(name.as_str(), serial.get()))
    }

    /// Whether a call waits.
    pub fn has_calls(&self) -> bool {
        !self.commands.turns.is_empty() || !self.reads.turns.is_empty()
    }

    /// How many messages wait that are not calls.
    pub fn others(&self) -> usize {
        self.others.len()
    }
}

impl Lane {
    fn push(
        &mut self,
        sender: OwnedUniqueName,
        message: Message,
        at: Instant,
    ) -> Result<(), Message> {
        let size = message.data().len();
        let program = self.programs.entry(sender.clone()).or_default();
        let is_first = program.waiting.is_empty();
        let has_own_room =
            is_first || (program.waiting.len() < WAITING && program.bytes + size <= WAITING_BYTES);
        let has_room =
            self.bytes + size <= ALL_WAITING_BYTES || (is_first && size <= ALWAYS_ACCEPTED);
        if !has_own_room || !has_room {
            self.forget_idle(&sender);
            return Err(message);
        }
        if is_first {
            self.turns.push_back(sender);
        }
        program.waiting.push_back((message, at));
        program.bytes += size;
        self.bytes += size;
        Ok(())
    }

    /// The next call of a program that has fewer than `most` calls in progress. Drops the waiting
    /// calls of a program that has left the bus.
    fn pop(
        &mut self,
        now: Instant,
        most: usize,
        has_left: impl Fn(&OwnedUniqueName) -> bool,
    ) -> Option<(Message, Instant)> {
        for _ in 0..self.turns.len() {
            let name = self.turns.pop_front()?;
            let Some(program) = self.programs.get_mut(&name) else { continue };
            if has_left(&name) {
                self.bytes -= std::mem::take(&mut program.bytes);
                program.waiting.clear();
                self.forget_idle(&name);
                continue;
            }
            if program.in_progress.len() >= most {
                self.in_progress -= program.forget_unanswered(now);
            }
            if program.in_progress.len() >= most {
                self.turns.push_back(name);
                continue;
            }
            let Some((message, at)) = program.waiting.pop_front() else { continue };
            let size = message.data().len();
            program.bytes -= size;
            self.bytes -= size;
            // A command whose sender wants no answer counts for the time [`NO_ANSWER`]. So a
            // program that sends only such commands is limited, too.
            program.in_progress.push((message.primary_header().serial_num().get(), now));
            self.in_progress += 1;
            if program.waiting.is_empty() {
                self.forget_idle(&name);
            } else {
                self.turns.push_back(name);
            }
            return Some((message, at));
        }
        None
    }

    /// Takes note of the answer to this call. Returns whether the call was in progress.
    fn answered(&mut self, name: &str, serial: u32) -> bool {
        let Some(program) = self.programs.get_mut(name) else { return false };
        let place = program.in_progress.iter().position(|(number, _)| *number == serial);
        let Some(place) = place else { return false };
        program.in_progress.swap_remove(place);
        self.in_progress -= 1;
        self.forget_idle(name);
        true
    }

    fn has(&self, name: &str, serial: u32) -> bool {
        let program = self.programs.get(name);
        program.is_some_and(|program| program.in_progress.iter().any(|(at, _)| *at == serial))
    }

    fn forget_unanswered(&mut self, now: Instant) {
        for program in self.programs.values_mut() {
            self.in_progress -= program.forget_unanswered(now);
        }
        self.programs.retain(|_, program| !program.is_idle());
    }

    fn forget_idle(&mut self, name: &str) {
        if self.programs.get(name).is_some_and(Program::is_idle) {
            self.programs.remove(name);
        }
    }
}

impl Program {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.in_progress.is_empty()
    }

    /// Removes the calls that have been in progress for [`NO_ANSWER`]. Returns how many there were.
    fn forget_unanswered(&mut self, now: Instant) -> usize {
        let before = self.in_progress.len();
        self.in_progress.retain(|(_, since)| now.since(*since) < NO_ANSWER);
        before - self.in_progress.len()
    }
}

/// Whether this is the header of a call to the arbiter's interface.
pub fn is_command(header: &Header<'_>) -> bool {
    header.interface().is_some_and(|interface| *interface == ARBITER_INTERFACE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_dbus::{CLOCK_INTERFACE, PATH};

    fn call(sender: &str, interface: &str, body: usize) -> Message {
        let call = Message::method_call(PATH, "Test").interface(interface).sender(sender);
        call.build(&"x".repeat(body)).unwrap()
    }

    /// The senders of the next messages, until there is none.
    fn senders(queue: &mut CallQueue, now: Instant) -> Vec<String> {
        let next = || queue.pop(now, |_| false).map(|(message, _)| message);
        let sender = |message: Message| message.header().sender().unwrap().to_string();
        std::iter::from_fn(next).map(sender).collect()
    }

    #[test]
    fn commands_come_first_and_programs_take_turns() {
        let mut queue = CallQueue::default();
        for _ in 0..100 {
            queue.push(call(":1.1", CLOCK_INTERFACE, 0), Instant::ZERO).unwrap();
        }
        queue.push(call(":1.2", CLOCK_INTERFACE, 0), Instant::ZERO).unwrap();
        queue.push(call(":1.3", ARBITER_INTERFACE, 0), Instant::ZERO).unwrap();
        let first = senders(&mut queue, Instant::ZERO);
        assert_eq!(first, [":1.3", ":1.1", ":1.2", ":1.1"], "two calls of each are in progress");
        assert_eq!(queue.pop(Instant::ZERO, |_| true).map(|_| ()), None, "its program has left");
        assert!(!queue.has_calls());
    }

    #[test]
    fn an_answer_makes_room_and_a_call_that_is_never_answered_does_after_10_s() {
        let mut queue = CallQueue::default();
        let calls: Vec<Message> = (0..4).map(|_| call(":1.1", CLOCK_INTERFACE, 0)).collect();
        for call in &calls {
            queue.push(call.clone(), Instant::ZERO).unwrap();
        }
        assert_eq!(senders(&mut queue, Instant::ZERO).len(), READS_IN_PROGRESS);
        let answer = Message::method_return(&calls[0].header()).build(&()).unwrap();
        assert!(queue.is_in_progress(&answer));
        queue.answered(&answer);
        assert!(!queue.is_in_progress(&answer));
        assert_eq!(senders(&mut queue, Instant::ZERO).len(), 1);
        let later = Instant::ZERO.checked_add(NO_ANSWER).unwrap();
        assert_eq!(senders(&mut queue, later).len(), 1);
    }

    #[test]
    fn each_program_and_all_together_have_limits_that_leave_room_for_a_first_call() {
        let mut queue = CallQueue::default();
        let mut push = |sender: &str, body| {
            queue.push(call(sender, CLOCK_INTERFACE, body), Instant::ZERO).is_ok()
        };
        assert!((0..WAITING).all(|_| push(":1.1", 0)));
        assert!(!push(":1.1", 0));
        assert!(push(":1.2", 120_000), "the first may be large");
        assert!(!push(":1.2", 20_000));
        let large = (3..20).filter(|number| push(&format!(":1.{number}"), 120_000)).count();
        assert!((6..9).contains(&large), "{large} of 1 MiB");
        assert!(push(":1.30", 100) && !push(":1.31", 120_000));
    }
}
