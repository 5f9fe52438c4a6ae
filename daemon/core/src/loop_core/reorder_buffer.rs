//! Keeps inputs until they are decided, in the order of their stamps.
//!
//! A press is recognised some milliseconds after its stamp, and a contact that chatters can delay
//! it further. In that time, another line or the bus can bring an input with a later stamp. So
//! every input waits here until inputs with earlier stamps have usually arrived.

use super::input::Input;
use super::messages::Request;
use crate::{Button, MAX_REQUESTS};
use clock_engine::Instant;

/// How many presses and wrong codes together have a place in the buffer. With the usual times the
/// three lines bring fewer: each brings at most one press in its release time (50 ms, see
/// [`Times`](crate::Times)), and an input waits for 100 ms at most. A configuration with a short
/// release time can bring 16 edges of each of the three lines at once, after the loop was delayed:
/// 48 presses at most.
const PRESSES: usize = 64;
/// The size of the buffer: places for presses, one for each of the [`MAX_REQUESTS`] requests that
/// can wait for their answers, and one for the loss of the button board. One place for that loss is
/// enough, because a lost board is opened again only after all inputs in the buffer have been
/// decided.
const CAPACITY: usize = PRESSES + MAX_REQUESTS + 1;

/// An input that waits. Requests are elsewhere, because a request is as large as the largest
/// command: about a hundred times as large as a press.
#[derive(Clone, Copy)]
pub enum Waiting {
    /// [`Input::Press`].
    Press(Button, Instant),
    /// [`Input::BoardGone`].
    BoardGone(Button, Instant),
    /// [`Input::WrongCode`].
    WrongCode(Instant),
    /// [`Input::Request`].
    Request {
        /// The place of the request, for [`ReorderBuffer::request`].
        place: usize,
        /// The number of the request.
        id: u64,
        /// When the command arrived.
        at: Instant,
    },
}

impl Waiting {
    /// The stamp of the input.
    pub fn at(self) -> Instant {
        match self {
            Waiting::Press(_, at)
            | Waiting::BoardGone(_, at)
            | Waiting::WrongCode(at)
            | Waiting::Request { at, .. } => at,
        }
    }
}

/// The inputs that wait for their decision, sorted by their stamps, in a fixed amount of memory.
#[derive(Clone)]
pub struct ReorderBuffer {
    slots: [Option<Waiting>; CAPACITY],
    len: usize,
    /// The requests that wait, each as an [`Input::Request`].
    requests: [Option<Input>; MAX_REQUESTS],
}

impl ReorderBuffer {
    /// An empty buffer.
    pub const fn new() -> ReorderBuffer {
        ReorderBuffer { slots: [None; CAPACITY], len: 0, requests: [None; MAX_REQUESTS] }
    }

    /// Inserts a press after all inputs with the same or an earlier stamp. Returns `false` if there
    /// is no room for it. The other methods with `put` do the same with other inputs.
    #[must_use]
    pub fn put_press(&mut self, button: Button, at: Instant) -> bool {
        self.put_limited(Waiting::Press(button, at))
    }

    #[must_use]
    pub fn put_wrong_code(&mut self, at: Instant) -> bool {
        self.put_limited(Waiting::WrongCode(at))
    }

    /// Inserts a press or a wrong code, of which at most [`PRESSES`] wait.
    fn put_limited(&mut self, input: Waiting) -> bool {
        let is_limited = |slot: &&Option<Waiting>| {
            matches!(slot, Some(Waiting::Press(..) | Waiting::WrongCode(_)))
        };
        let waiting = self.slots[..self.len].iter().filter(is_limited).count();
        waiting < PRESSES && self.put(input)
    }

    #[must_use]
    pub fn put_board_gone(&mut self, button: Button, at: Instant) -> bool {
        self.put(Waiting::BoardGone(button, at))
    }

    #[must_use]
    pub fn put_request(&mut self, request: Request) -> bool {
        let Some(place) = self.requests.iter().position(Option::is_none) else { return false };
        let Request { id, at, .. } = request;
        if !self.put(Waiting::Request { place, id, at }) {
            return false;
        }
        self.requests[place] = Some(Input::Request(request));
        true
    }

    fn put(&mut self, input: Waiting) -> bool {
        if self.len == CAPACITY {
            return false;
        }
        let at = input.at();
        let earlier = |slot: &&Option<Waiting>| slot.is_some_and(|other| other.at() <= at);
        let place = self.slots[..self.len].iter().take_while(earlier).count();
        self.slots[place..=self.len].rotate_right(1);
        self.slots[place] = Some(input);
        self.len += 1;
        true
    }

    /// The earliest input, if its stamp is not later than `safe`; otherwise `None`. The input stays
    /// in the buffer until [`ReorderBuffer::remove_first`].
    pub fn first(&self, safe: Instant) -> Option<Waiting> {
        self.slots[0].filter(|input| input.at() <= safe)
    }

    /// The request at this place, as an input; `None` if the place is free. It is returned by
    /// reference, because a copy of the largest command would delay the decision.
    pub fn request(&self, place: usize) -> Option<&Input> {
        self.requests[place].as_ref()
    }

    /// Removes the earliest input.
    pub fn remove_first(&mut self) {
        if let Some(Waiting::Request { place, .. }) = self.slots[0].take() {
            self.requests[place] = None;
        }
        if let Some(left) = self.len.checked_sub(1) {
            self.slots[..self.len].rotate_left(1);
            self.len = left;
        }
    }

    /// The stamp of the earliest input.
    pub fn next(&self) -> Option<Instant> {
        self.slots[0].map(Waiting::at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Command;

    fn put_press(buffer: &mut ReorderBuffer, at: u64) -> bool {
        buffer.put_press(Button::Call, Instant::from_nanos(at))
    }

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    fn request(id: u64, nanos: u64) -> Request {
        let at = at(nanos);
        Request { id, at, revision: 0, command: Command::Start.into() }
    }

    #[test]
    fn inputs_come_out_in_the_order_of_their_stamps_and_not_too_early() {
        let mut buffer = ReorderBuffer::new();
        for at in [30, 10, 20] {
            assert!(put_press(&mut buffer, at));
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
        assert_eq!((buffer.next(), put_press(&mut buffer, 40)), (None, true));
    }

    #[test]
    fn each_request_comes_out_whole_and_its_place_is_free_again() {
        let mut buffer = ReorderBuffer::new();
        let mut taken = Vec::new();
        // The places are filled, emptied in part and filled again, in another order than the stamps.
        for round in 0..5_u64 {
            for id in [3, 1, 2].map(|number| 10 * round + number) {
                assert!(buffer.put_request(request(id, id)));
            }
            for _ in 0..3 {
                let Some(Waiting::Request { place, id, at }) = buffer.first(at(99)) else {
                    panic!("no request")
                };
                assert_eq!(buffer.request(place), Some(&Input::Request(request(id, id))));
                taken.push((id, at.as_nanos()));
                buffer.remove_first();
                assert_eq!(buffer.request(place), None);
            }
        }
        let expected = (0..5).flat_map(|round| [1, 2, 3].map(|number| 10 * round + number));
        assert_eq!(taken, expected.map(|id| (id, id)).collect::<Vec<_>>());
    }

    #[test]
    fn presses_leave_room_for_every_request_and_for_the_board() {
        let mut buffer = ReorderBuffer::new();
        for at in 0..PRESSES {
            assert!(put_press(&mut buffer, at as u64));
        }
        assert!(!put_press(&mut buffer, 0));
        for at in 0..MAX_REQUESTS {
            assert!(buffer.put_request(request(0, at as u64)));
        }
        assert!(buffer.put_board_gone(Button::Call, at(99)));
        assert!(!buffer.put_request(request(0, 0)), "it is full");
        assert_eq!(buffer.first(at(0)).map(Waiting::at), Some(at(0)));
    }
}
