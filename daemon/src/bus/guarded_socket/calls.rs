//! The calls of one connection: those that wait, and those that are in progress. This module does
//! no I/O and reads no clock.
//!
//! A program can call faster than its calls are answered, for example because it reads no answers.
//! So that such a program fills no memory and delays nobody else, only a limited number of calls is
//! in progress, and the programs take turns. A command is a call to the arbiter's interface; every
//! other call is a read. Commands come before reads.

use clock_dbus::ARBITER_INTERFACE;
use clock_engine::Instant;
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use zbus::message::{Header, Type};
use zbus::names::{BusName, OwnedUniqueName, UniqueName};
use zbus::wire::serialized::{Context, Data};
use zbus::wire::{Endian, to_bytes};
use zbus::{Message, Variant};

/// The largest size of all waiting calls together, in bytes.
const WAITING: usize = 2 * 1024 * 1024;
/// For each waiting call, this number of bytes is added to the size of its message, because the call also
/// needs memory for the data structures of zbus.
const OVERHEAD: usize = 512;
/// How many commands of one program, and how many reads of one program, are in progress at most. A
/// call is in progress from the moment at which zbus gets it until its answer is given to the
/// socket.
const OF_PROGRAM: usize = 8;
/// How many reads of all programs are in progress at most. At most nine of them (calls of
/// `History`) can wait for a storage that hangs, so at least 15 others can be in progress. There is
/// no such limit for commands, because only arbiters can send them.
pub const READS: usize = 24;

/// The calls of one connection.
#[derive(Debug, Default)]
pub struct Calls {
    /// The programs that have calls. A program with commands and reads is in the list twice. The first
    /// program in the list has its turn next.
    programs: Vec<Program>,
}

/// The commands, or the reads, of one program.
#[derive(Debug)]
struct Program {
    name: OwnedUniqueName,
    is_command: bool,
    /// The calls that zbus has not got yet, the oldest first.
    waiting: VecDeque<(Message, Call)>,
    /// The size of the waiting calls.
    bytes: usize,
    in_progress: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    serial: u32,
    /// The instant of its arrival.
    at: Instant,
    wants_answer: bool,
}

/// A message from the bus. `message` always asks for an answer, also if the caller wants none, because the
/// answer of zbus is the sign that the call has ended. `wants_answer` says whether the caller wants it.
#[derive(Debug)]
pub struct Received {
    pub message: Message,
    pub wants_answer: bool,
}

impl Calls {
    /// Adds a call that arrived at the instant `at` to the waiting calls. If these are then larger than
    /// [`WAITING`], the newest calls of the program with the most waiting bytes are taken out, until the
    /// rest fits. The calls that were taken out are returned, and are to be refused.
    pub fn push(&mut self, received: Received, at: Instant) -> Vec<Received> {
        let Received { message, wants_answer } = received;
        let header = message.header();
        // The bus adds the sender to every call, so a call without a sender does not come from it.
        let Some(sender) = header.sender() else { return Vec::new() };
        let call = Call { serial: header.primary().serial_num().get(), at, wants_answer };
        let is_command = is_command(&header);
        let is_it = |program: &Program| program.is_command == is_command && program.name == *sender;
        let place = self.programs.iter().position(is_it).unwrap_or_else(|| {
            let (name, waiting, in_progress) =
                (sender.to_owned().into(), VecDeque::new(), Vec::new());
            self.programs.push(Program { name, is_command, waiting, bytes: 0, in_progress });
            self.programs.len() - 1
        });
        self.programs[place].bytes += size(&message);
        self.programs[place].waiting.push_back((message.clone(), call));
        let mut refused = Vec::new();
        while self.programs.iter().map(|program| program.bytes).sum::<usize>() > WAITING
            && let Some(longest) = self.programs.iter_mut().max_by_key(|program| program.bytes)
            && let Some((message, Call { wants_answer, .. })) = longest.waiting.pop_back()
        {
            longest.bytes -= size(&message);
            refused.push(Received { message, wants_answer });
        }
        self.programs.retain(Program::has_calls);
        refused
    }

    /// Takes the next call for zbus out. The call is in progress from then on.
    pub fn pop(&mut self) -> Option<Message> {
        let reads = self.programs.iter().filter(|program| !program.is_command);
        let has_room = reads.map(|program| program.in_progress.len()).sum::<usize>() < READS;
        let next = |is_command| {
            let can_begin = |program: &Program| {
                let is_waiting = program.is_command == is_command && !program.waiting.is_empty();
                is_waiting && program.in_progress.len() < OF_PROGRAM
            };
            self.programs.iter().position(can_begin)
        };
        let place = next(true).or_else(|| next(false).filter(|_| has_room))?;
        let mut program = self.programs.remove(place);
        let (message, call) = program.waiting.pop_front()?;
        program.bytes -= size(&message);
        program.in_progress.push(call);
        // The program goes to the end of the list, so all other programs have their turns before it.
        self.programs.push(program);
        Some(message)
    }

    /// Notes that this answer is given to the socket, so its call has ended. Returns whether the caller wants
    /// the answer.
    pub fn answered(&mut self, answer: &Message) -> bool {
        let header = answer.header();
        let (Some(BusName::Unique(name)), Some(serial)) =
            (header.destination(), header.reply_serial())
        else {
            return true;
        };
        // A refused call is not in progress.
        let Some((program, call)) = self.place(name, serial.get()) else { return true };
        let call = self.programs[program].in_progress.swap_remove(call);
        self.programs.retain(Program::has_calls);
        call.wants_answer
    }

    /// When the call with this header arrived. `None` if no such call is in progress.
    pub fn arrived_at(&self, header: &Header<'_>) -> Option<Instant> {
        // A read of the same program with the same serial says nothing about the command.
        let (sender, serial) = (header.sender()?, header.primary().serial_num().get());
        let is_command = is_command(header);
        let mut programs = self.programs.iter().filter(|it| it.is_command == is_command);
        let program = programs.find(|program| program.name == *sender)?;
        Some(program.in_progress.iter().find(|call| call.serial == serial)?.at)
    }

    /// The index of the program in `programs`, and the index of the call in its `in_progress`.
    fn place(&self, name: &UniqueName<'_>, serial: u32) -> Option<(usize, usize)> {
        let place = |program: &Program| {
            let mut calls = program.in_progress.iter().filter(|_| program.name == *name);
            calls.position(|call| call.serial == serial)
        };
        let mut programs = self.programs.iter().enumerate();
        programs.find_map(|(number, program)| Some((number, place(program)?)))
    }
}

impl Program {
    fn has_calls(&self) -> bool {
        !self.waiting.is_empty() || !self.in_progress.is_empty()
    }
}

fn is_command(header: &Header<'_>) -> bool {
    header.interface().is_some_and(|interface| *interface == ARBITER_INTERFACE)
}

fn size(call: &Message) -> usize {
    call.data().len() + OVERHEAD
}

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
type RawHeader<'a> = (u8, u8, u8, u8, u32, u32, Vec<(u8, Variant<'a>)>);
/// The codes of the header fields that zbus knows.
const KNOWN_FIELDS: RangeInclusive<u8> = 1..=9;

/// The message without the header fields that zbus does not know. The specification of D-Bus
/// requires that they are ignored, and zbus refuses the whole message. `None` if there are none, or
/// if the header cannot be read.
fn without_unknown_fields(data: &Data<'static, 'static>) -> Option<Data<'static, 'static>> {
    let (mut header, size): (RawHeader<'_>, usize) = data.deserialize().ok()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use clock_dbus::{CLOCK_INTERFACE, PATH};

    fn call(sender: &str, interface: &str, body: usize) -> Received {
        let call = Message::method_call(PATH, "Test").interface(interface).sender(sender);
        Received { message: call.build(&"x".repeat(body)).unwrap(), wants_answer: true }
    }

    fn sender(message: &Message) -> String {
        message.header().sender().unwrap().to_string()
    }

    /// The senders of the next calls, until there is none.
    fn senders(calls: &mut Calls) -> Vec<String> {
        std::iter::from_fn(|| calls.pop()).map(|message| sender(&message)).collect()
    }

    #[test]
    fn commands_come_first_and_programs_take_turns() {
        let mut calls = Calls::default();
        let mut push = |sender, interface, count| {
            for _ in 0..count {
                assert!(calls.push(call(sender, interface, 0), Instant::ZERO).is_empty());
            }
        };
        for program in [":1.1", ":1.2", ":1.3"] {
            push(program, CLOCK_INTERFACE, 100);
        }
        push(":1.4", CLOCK_INTERFACE, 1);
        push(":1.1", ARBITER_INTERFACE, 100);
        push(":1.5", ARBITER_INTERFACE, 2);
        let begun = senders(&mut calls);
        let commands = [":1.1", ":1.5", ":1.1", ":1.5", ":1.1"];
        assert_eq!(begun[..5], commands);
        let reads = &begun[OF_PROGRAM + 2..];
        assert_eq!(reads[..5], [":1.1", ":1.2", ":1.3", ":1.4", ":1.1"]);
        assert_eq!(reads.len(), READS);
    }

    #[test]
    fn an_answer_makes_room_and_the_instant_of_arrival_is_known_until_then() {
        let mut calls = Calls::default();
        for number in 0..=OF_PROGRAM {
            let at = Instant::from_nanos(u64::try_from(number).unwrap());
            assert!(calls.push(call(":1.1", CLOCK_INTERFACE, 0), at).is_empty());
        }
        let begun: Vec<_> = std::iter::from_fn(|| calls.pop()).collect();
        assert_eq!(begun.len(), OF_PROGRAM);
        let header = begun[7].header();
        assert_eq!(calls.arrived_at(&header), Some(Instant::from_nanos(7)));
        assert!(calls.answered(&Message::method_return(&header).build(&()).unwrap()));
        assert_eq!(calls.arrived_at(&header), None);
        assert_eq!(senders(&mut calls).len(), 1);
    }

    #[test]
    fn a_command_does_not_get_the_arrival_of_a_read_with_the_same_serial() {
        let mut calls = Calls::default();
        for (interface, at) in [(CLOCK_INTERFACE, 1), (ARBITER_INTERFACE, 9)] {
            let call = Message::method_call(PATH, "Test").interface(interface).sender(":1.1");
            let message = call.serial(77.try_into().unwrap()).build(&()).unwrap();
            let received = Received { message, wants_answer: true };
            calls.push(received, Instant::from_nanos(at));
        }
        for at in [9, 1] {
            let message = calls.pop().unwrap();
            assert_eq!(calls.arrived_at(&message.header()), Some(Instant::from_nanos(at)));
        }
    }

    #[test]
    fn if_too_many_calls_wait_the_program_with_the_most_bytes_loses_its_newest() {
        let mut calls = Calls::default();
        let mut push = |sender: &str, interface, body| {
            let refused = calls.push(call(sender, interface, body), Instant::ZERO);
            refused.iter().map(|call| self::sender(&call.message)).collect::<Vec<_>>()
        };
        while push(":1.1", CLOCK_INTERFACE, 0).is_empty() {}
        assert_eq!(push(":1.1", CLOCK_INTERFACE, 0), [":1.1"]);
        for (sender, interface) in [(":1.2", CLOCK_INTERFACE), (":1.1", ARBITER_INTERFACE)] {
            assert_eq!(push(sender, interface, 0), [":1.1"]);
        }
        let large = push(":1.3", CLOCK_INTERFACE, 120_000);
        assert!(large.len() > 100 && large.iter().all(|name| name == ":1.1"), "{large:?}");
        assert!(calls.programs.iter().map(|program| program.bytes).sum::<usize>() <= WAITING);
    }
}
