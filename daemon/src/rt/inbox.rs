//! What waits to be decided in the order of its stamps.
//!
//! A press is known only milliseconds after its time, and chatter on one line can hold it up
//! while the other line or the bus brings something later. So everything goes through here and
//! comes out once nothing earlier can come any more.

use super::desk::Request;
use crate::gpio::Button;
use clock_engine::Instant;

/// Something with a stamp.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "boxing a command would allocate in the clock loop")]
pub enum Input {
    /// A decided press of a button.
    Press(Button, Instant),
    /// An arbiter's command.
    Request(Request),
    /// The board was found to be gone at this instant, by this button's line.
    Unplugged(Button, Instant),
}

impl Input {
    fn at(&self) -> Instant {
        match self {
            Input::Press(_, at) | Input::Unplugged(_, at) => *at,
            Input::Request(request) => request.at,
        }
    }
}

/// What can wait at all.
pub const CAPACITY: usize = FOR_COMMANDS + FOR_PRESSES + FOR_BOARD;
const FOR_COMMANDS: usize = 16;
/// What commands leave free for presses: more presses never wait, since each button gives at most
/// a few in the 50 ms for which a candidate can hold them up.
const FOR_PRESSES: usize = 16;
/// What both leave free: a board is looked for again only long after everything has been decided.
const FOR_BOARD: usize = 1;

/// Inputs in the order of their stamps; of fixed size.
#[derive(Clone)]
pub struct Inbox {
    slots: [Option<Input>; CAPACITY],
    len: usize,
}

impl Inbox {
    /// An empty inbox.
    pub const fn new() -> Inbox {
        Inbox { slots: [None; CAPACITY], len: 0 }
    }

    /// Puts an input in its place, after those of the same stamp; false if there is no room.
    #[must_use]
    pub fn put(&mut self, input: Input) -> bool {
        let room = match input {
            Input::Unplugged(..) => CAPACITY,
            Input::Press(..) => FOR_COMMANDS + FOR_PRESSES,
            Input::Request(_) => FOR_COMMANDS,
        };
        if self.len >= room {
            return false;
        }
        let earlier = |slot: &&Option<Input>| slot.is_some_and(|other| other.at() <= input.at());
        let place = self.slots[..self.len].iter().take_while(earlier).count();
        self.slots[place..=self.len].rotate_right(1);
        self.slots[place] = Some(input);
        self.len += 1;
        true
    }

    /// The earliest input, if it is not later than `safe`.
    pub fn take(&mut self, safe: Instant) -> Option<Input> {
        let input = self.slots[0].filter(|input| input.at() <= safe)?;
        self.slots[..self.len].rotate_left(1);
        self.len -= 1;
        self.slots[self.len] = None;
        Some(input)
    }

    /// The stamp of the earliest input.
    pub fn next(&self) -> Option<Instant> {
        self.slots[0].map(|input| input.at())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(button: Button, at: u64) -> Input {
        Input::Press(button, Instant::from_nanos(at))
    }

    #[test]
    fn comes_out_in_the_order_of_stamps_and_not_too_early() {
        let mut inbox = Inbox::new();
        for at in [30, 10, 20] {
            assert!(inbox.put(press(Button::Call, at)));
        }
        let mut taken = Vec::new();
        while let Some(input) = inbox.take(Instant::from_nanos(20)) {
            taken.push(input.at().as_nanos());
        }
        assert_eq!(taken, [10, 20]);
        assert_eq!(inbox.next(), Some(Instant::from_nanos(30)));
    }

    #[test]
    fn a_full_inbox_takes_nothing_more() {
        let mut inbox = Inbox::new();
        for at in 0..32 {
            assert!(inbox.put(press(Button::Call, at)));
        }
        assert!(!inbox.put(press(Button::Call, 0)));
        assert!(inbox.put(Input::Unplugged(Button::Call, Instant::from_nanos(99))));
        assert_eq!(inbox.take(Instant::ZERO).map(|input| input.at()), Some(Instant::ZERO));
    }
}
