//! Keeps inputs until they are decided, in the order of their stamps.
//!
//! A press is recognised some milliseconds after its stamp, and a contact that chatters can delay
//! it further. In that time, another line or the bus can bring an input with a later stamp. So
//! every input waits here until inputs with earlier stamps have usually arrived.

use super::input::Input;
use clock_engine::Instant;

/// How many presses have a place in the buffer. The three lines bring fewer: each brings at most
/// one press in its release time (50 ms, see [`Times`](crate::Times)), and an input waits for 100
/// ms at most.
const PRESSES: usize = 16;
/// The size of the buffer: places for presses, one for each of the
/// [`MAX_REQUESTS`](crate::MAX_REQUESTS) requests that can wait for their answers, and one for the
/// loss of the button board. One place for that loss is enough, because a lost board is opened
/// again only after all inputs in the buffer have been decided.
const CAPACITY: usize = PRESSES + crate::MAX_REQUESTS + 1;

/// The inputs that wait for their decision, sorted by their stamps, in a fixed amount of memory.
#[derive(Clone)]
pub struct ReorderBuffer {
    slots: [Option<Input>; CAPACITY],
    len: usize,
}

impl ReorderBuffer {
    /// An empty buffer.
    pub const fn new() -> ReorderBuffer {
        ReorderBuffer { slots: [None; CAPACITY], len: 0 }
    }

    /// Inserts an input after all inputs with the same or an earlier stamp. Returns `false` if
    /// there is no room for it.
    #[must_use]
    pub fn put(&mut self, input: Input) -> bool {
        let is_press = |input: &Input| matches!(input, Input::Press(..));
        let presses =
            self.slots[..self.len].iter().flatten().filter(|other| is_press(other)).count();
        if self.len == CAPACITY || (is_press(&input) && presses == PRESSES) {
            return false;
        }
        let at = input.at();
        let earlier = |slot: &&Option<Input>| slot.as_ref().is_some_and(|other| other.at() <= at);
        let place = self.slots[..self.len].iter().take_while(earlier).count();
        self.slots[place..=self.len].rotate_right(1);
        self.slots[place] = Some(input);
        self.len += 1;
        true
    }

    /// The earliest input, if its stamp is not later than `safe`; otherwise `None`. The input stays
    /// in the buffer until [`ReorderBuffer::remove_first`]. It is returned by reference, because it
    /// is as large as the largest command, and a copy would delay the decision.
    pub fn first(&self, safe: Instant) -> Option<&Input> {
        self.slots[0].as_ref().filter(|input| input.at() <= safe)
    }

    /// Removes the earliest input.
    pub fn remove_first(&mut self) {
        self.slots[0] = None;
        if let Some(left) = self.len.checked_sub(1) {
            self.slots[..self.len].rotate_left(1);
            self.len = left;
        }
    }

    /// The stamp of the earliest input.
    pub fn next(&self) -> Option<Instant> {
        self.slots[0].as_ref().map(Input::at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Button;
    use crate::loop_core::Request;
    use clock_engine::Command;

    fn press(at: u64) -> Input {
        Input::Press(Button::Call, Instant::from_nanos(at))
    }

    fn request(at: u64) -> Input {
        let at = Instant::from_nanos(at);
        Input::Request(Request { id: 0, at, revision: 0, command: Command::Start.into() })
    }

    #[test]
    fn inputs_come_out_in_the_order_of_their_stamps_and_not_too_early() {
        let mut buffer = ReorderBuffer::new();
        for at in [30, 10, 20] {
            assert!(buffer.put(press(at)));
        }
        let mut taken = Vec::new();
        while let Some(input) = buffer.first(Instant::from_nanos(20)) {
            taken.push(input.at().as_nanos());
            buffer.remove_first();
        }
        assert_eq!(taken, [10, 20]);
        assert_eq!(buffer.next(), Some(Instant::from_nanos(30)));
        buffer.remove_first();
        buffer.remove_first();
        assert_eq!((buffer.next(), buffer.put(press(40))), (None, true));
    }

    #[test]
    fn presses_leave_room_for_every_request_and_for_the_board() {
        let mut buffer = ReorderBuffer::new();
        for at in 0..16 {
            assert!(buffer.put(press(at)));
        }
        assert!(!buffer.put(press(0)));
        for at in 0..crate::MAX_REQUESTS {
            assert!(buffer.put(request(at as u64)));
        }
        assert!(buffer.put(Input::BoardGone(Button::Call, Instant::from_nanos(99))));
        assert!(!buffer.put(request(0)), "it is full");
        assert_eq!(buffer.first(Instant::ZERO).map(Input::at), Some(Instant::ZERO));
    }
}
