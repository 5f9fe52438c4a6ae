//! The inputs of the clock, the buffer in which they wait until they are decided, and the trait
//! [`Output`], which receives them and the updates that follow from them.
//!
//! A press is recognised some milliseconds after its stamp, and a contact that chatters can delay it
//! further. In that time, another line or the bus can bring an input with a later stamp. So every
//! input waits until inputs with earlier stamps have usually arrived.

use super::menu::MenuEvent;
use super::messages::{Request, Update};
use super::versioned_clock::VersionedClock;
use crate::{Button, MAX_REQUESTS};
use clock_engine::{EarlierClock, Instant, Side};
use serde::{Deserialize, Serialize};

/// An input of a [`VersionedClock`]. Equal clocks that are given equal inputs remain equal. So a
/// game is stored as the list of its inputs.
///
/// All instants are on CLOCK_MONOTONIC of the current boot, except `PowerCut::stopped`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "boxing a command would allocate in the clock loop")]
pub enum Input {
    /// The debounce has accepted a press of this button. The instant is the stamp of the first edge
    /// of the press. The button has its name from the wiring file, also after the players have
    /// exchanged their buttons.
    Press(Button, Instant),
    /// The button that is wired as this side's has been held for longer than the rules allow. The
    /// instant is the end of the time that the rules allow.
    Hold(Side, Instant),
    /// Both players have held their buttons together to stop the clocks, on a board without a call
    /// button ([`Inputs::stop_together`](super::Inputs::stop_together)).
    HeldTogether {
        /// The clock before the first of the two presses.
        before: EarlierClock,
        /// The end of the hold.
        at: Instant,
    },
    /// An arbiter's command.
    Request(Request),
    /// The button board is gone. The fields are the button whose line showed the loss, and the
    /// instant at which the loop noticed it.
    BoardGone(Button, Instant),
    /// The button board is back.
    BoardBack {
        /// Which throws of a rocker (the contacts of its two sides) are closed, first the one that
        /// is wired as White's.
        closed: [bool; 2],
        /// The first instant at which the lines of the board are read.
        at: Instant,
    },
    /// A change that needs no other input, such as a flag, is due at or before this instant.
    Time(Instant),
    /// The daemon was started again while the machine continued to run. No press was read between
    /// `since` and `at`.
    Restarted {
        /// The latest instant at which the earlier process is known to have read the buttons.
        since: Instant,
        /// The first instant at which the buttons are read again.
        at: Instant,
        /// Which throws of a rocker (the contacts of its two sides) are closed, first the one that
        /// is wired as White's; `None` if there is no button board.
        closed: Option<[bool; 2]>,
    },
    /// The machine was started again, so CLOCK_MONOTONIC has a new zero.
    PowerCut {
        /// The latest instant, on the clock of the previous boot, at which the daemon is known to
        /// have run.
        stopped: Instant,
        /// The instant at which the restored clock continues, on the clock of this boot.
        at: Instant,
        /// Which throws of a rocker (the contacts of its two sides) are closed, first the one that
        /// is wired as White's; `None` if there is no button board.
        closed: Option<[bool; 2]>,
    },
    /// The rocker was pushed while the presses went to the menu. This input gives the clock only
    /// the position of the rocker. It comes when the menu closes; before a command or the loss of
    /// the board is decided; and when a push arrives late that began before the menu closed.
    RockerFound {
        /// Which throws of the rocker are closed, first the one that is wired as White's.
        closed: [bool; 2],
        /// The instant at which the menu closed, or the stamp of the command, of the loss or of the
        /// push.
        at: Instant,
    },
    /// A wrong arbiter's code was entered in the menu at this instant. It changes nothing of the
    /// clock, and is an input so that the record has it.
    WrongCode(Instant),
}

impl Input {
    /// The stamp of the input.
    pub fn at(&self) -> Instant {
        match self {
            Input::Press(_, at)
            | Input::Hold(_, at)
            | Input::BoardGone(_, at)
            | Input::BoardBack { at, .. }
            | Input::HeldTogether { at, .. }
            | Input::Time(at)
            | Input::WrongCode(at)
            | Input::Restarted { at, .. }
            | Input::PowerCut { at, .. }
            | Input::RockerFound { at, .. } => *at,
            Input::Request(request) => request.at,
        }
    }
}

/// Receives the inputs and the updates of the core.
pub trait Output {
    /// Called with each input before it is decided. `_clock` is the clock before the input. The
    /// input must be stored before its effects can be seen outside the daemon.
    fn input(&mut self, _clock: &VersionedClock, _input: &Input) {}
    /// Called with each update, in the order of the decisions. The update is passed by reference,
    /// because it is large, and each copy would delay its publication.
    fn update(&mut self, update: &Update);
    /// Called with what the program that shows the menu must know. Nothing of it is stored.
    fn menu(&mut self, _event: MenuEvent) {}
}

/// A closure receives only the updates.
impl<F: FnMut(Update)> Output for F {
    fn update(&mut self, update: &Update) {
        self(*update);
    }
}

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
