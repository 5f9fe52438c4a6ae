//! From edges and commands to decisions, in the order of their stamps. Reads no time itself.

use super::debounce::{Debounce, Decision, Times};
use super::desk::{Cause, Desk, Refusal, Request, Update};
use super::inbox::{Inbox, Input};
use super::rocker::Rocker;
use crate::gpio::{Button, Edge, InputKind};
use clock_engine::{Control, Instant, Side, Span};

/// How long an edge may be on its way from its stamp to where it can be read. Nothing younger is
/// decided: neither a flag, before which a press may be stamped, nor by the debounce, whose silence
/// may not be one.
pub(super) const MARGIN: Span = Span::from_nanos(100_000);

const BUTTONS: usize = Button::ALL.len();

/// What the players push, and how long it bounces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// Buttons or a rocker.
    pub kind: InputKind,
    /// The times of the debounce.
    pub times: Times,
}

impl Inputs {
    /// Every line's machine, from the levels they have at `at`.
    fn debounce(&self, levels: [bool; BUTTONS], at: Instant) -> [Debounce; BUTTONS] {
        Button::ALL.map(|button| {
            let mut times = self.times;
            if let (InputKind::Rocker, Button::Player(_)) = (self.kind, button) {
                // A throw is down for all of the opponent's turn.
                times.stuck = None;
            }
            Debounce::new(times, levels[button.index()], at)
        })
    }
}

/// The debounce of every line, the inbox and the clock.
#[derive(Clone)]
pub struct Decider {
    inputs: Inputs,
    debounce: [Debounce; BUTTONS],
    inbox: Inbox,
    desk: Desk,
    /// What was rejected since the start.
    pub counts: Counts,
}

/// What was rejected since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Glitches and noise that were no presses.
    pub rejected: u64,
    /// Of these, noise that did not end by itself.
    pub noise: u64,
    /// Presses and calls that came too late to be decided in their turn, or found no room.
    pub late: u64,
}

impl Decider {
    /// Everything idle, a clock ready; `levels` are those of the buttons now.
    pub fn new(control: Control, inputs: Inputs, levels: [bool; BUTTONS], at: Instant) -> Decider {
        let [white, black, _] = levels;
        let rocker = match inputs.kind {
            InputKind::Buttons => None,
            InputKind::Rocker => Some(Rocker::new([white, black])),
        };
        Decider {
            inputs,
            debounce: inputs.debounce(levels, at),
            inbox: Inbox::new(),
            desk: Desk::new(control, rocker, at),
            counts: Counts::default(),
        }
    }

    /// The time control.
    pub fn control(&self) -> &Control {
        self.desk.control()
    }

    /// The clock as it was when something was last decided.
    pub fn update(&self, cause: Cause) -> Update {
        self.desk.update(cause, self.desk.last())
    }

    /// Takes the next edge of a line.
    pub fn edge(&mut self, button: Button, edge: Edge) {
        let (inbox, counts) = (&mut self.inbox, &mut self.counts);
        self.debounce[button.index()]
            .edge(edge, &mut |decision| note(button, decision, inbox, counts));
    }

    /// Takes a command; with no room for it, it is refused at once.
    pub fn request(&mut self, request: Request, out: &mut impl FnMut(Update)) {
        if !self.inbox.put(Input::Request(request)) {
            let mut update = self.desk.update(Cause::Refused, request.at);
            update.answer = Some((request.id, Err(Refusal::Busy)));
            out(update);
        }
    }

    /// Takes that the board was found gone, after all its edges.
    pub fn unplugged(&mut self, button: Button, at: Instant) {
        // It has a place of its own, and there is only one board to go.
        let _ = self.inbox.put(Input::Unplugged(button, at));
    }

    /// Takes that the board is back, with these levels: what is down is held, not pressed.
    pub fn returned(&mut self, levels: [bool; BUTTONS], at: Instant, out: &mut impl FnMut(Update)) {
        self.debounce = self.inputs.debounce(levels, at);
        let [white, black, _] = levels;
        self.desk.board_returned([white, black]);
        out(Update { at, ..self.update(Cause::Returned) });
    }

    /// Decides all that can be decided: every edge that could be read at `horizon` has been taken.
    pub fn decide(&mut self, horizon: Instant, out: &mut impl FnMut(Update)) {
        let settled = Instant::from_nanos(horizon.as_nanos().saturating_sub(MARGIN.as_nanos()));
        let (inbox, counts) = (&mut self.inbox, &mut self.counts);
        for button in Button::ALL {
            self.debounce[button.index()]
                .advance(settled, &mut |decision| note(button, decision, inbox, counts));
        }
        let safe = self.safe(settled);
        while let Some(input) = self.inbox.take(safe) {
            self.carry_out(&input, out);
        }
        self.desk.run_to(safe, out);
    }

    /// Whether the clock would change by itself at `horizon` if nothing holds it up.
    pub fn is_due(&self, horizon: Instant) -> bool {
        self.desk.due().and_then(|due| due.checked_add(MARGIN)).is_some_and(|due| due <= horizon)
    }

    fn carry_out(&mut self, input: &Input, out: &mut impl FnMut(Update)) {
        let late = &mut self.counts.late;
        match input {
            Input::Press(Button::Player(side), at) => {
                self.desk.press(*side, *at, &mut |update| {
                    *late += u64::from(matches!(update.cause, Cause::Late(_)));
                    out(update);
                });
            }
            Input::Press(Button::Call, at) => {
                self.desk.call(*at, &mut |update| {
                    *late += u64::from(matches!(update.cause, Cause::Late(_)));
                    out(update);
                });
            }
            Input::Request(request) => self.desk.request(request, out),
            Input::Unplugged(button, at) => {
                // Everything before is decided, and a button that cannot be read is not down.
                self.debounce = self.inputs.debounce([false; BUTTONS], *at);
                self.desk.unplugged(*button, *at, out);
            }
        }
    }

    /// Up to here nothing earlier can come any more: all edges have come in, and no candidate is
    /// open that began before.
    fn safe(&self, settled: Instant) -> Instant {
        self.open_since().map_or(settled, |first| first.min(settled))
    }

    fn open_since(&self) -> Option<Instant> {
        self.debounce.iter().filter_map(Debounce::open_since).min()
    }

    /// When to look again even if nothing comes. `None`: not until something does.
    pub fn wake_at(&self, horizon: Instant) -> Option<Instant> {
        let open = self.open_since();
        // What an open candidate holds up is decided when the candidate is.
        let waiting = [self.desk.due(), self.inbox.next()]
            .into_iter()
            .flatten()
            .filter(|at| open.is_none_or(|open| *at <= open));
        let stuck = self.debounce.iter().filter_map(Debounce::stuck_at).filter(|at| *at > horizon);
        let lines = self.debounce.iter().filter_map(Debounce::decides_at);
        let margined = lines.chain(waiting).filter_map(|at| at.checked_add(MARGIN));
        let crossed = self.crossed_at().filter(|at| *at > horizon);
        margined.chain(stuck).chain(crossed).min()
    }

    /// When both throws of a rocker will have been closed for longer than they can bounce: only
    /// wrong wiring does that.
    fn crossed_at(&self) -> Option<Instant> {
        let throw = |side| self.debounce[Button::Player(side).index()].held_since();
        match self.inputs.kind {
            InputKind::Buttons => None,
            InputKind::Rocker => {
                throw(Side::White)?.max(throw(Side::Black)?).checked_add(self.inputs.times.settle)
            }
        }
    }

    /// Whether both throws of a rocker are closed at `at`.
    pub fn is_crossed(&self, at: Instant) -> bool {
        self.crossed_at().is_some_and(|crossed| crossed <= at)
    }

    /// Whether a line is at this level as far as its edges tell.
    pub fn is_active(&self, button: Button) -> bool {
        self.debounce[button.index()].is_active()
    }

    /// Whether a button has been down for too long at `at`.
    pub fn is_stuck(&self, button: Button, at: Instant) -> bool {
        self.debounce[button.index()].stuck_at().is_some_and(|stuck| stuck <= at)
    }
}

fn note(button: Button, decision: Decision, inbox: &mut Inbox, counts: &mut Counts) {
    match decision {
        Decision::Press(at) => {
            counts.late += u64::from(!inbox.put(Input::Press(button, at)));
        }
        Decision::Rejected(_) => counts.rejected += 1,
        Decision::Noise(_) => {
            counts.rejected += 1;
            counts.noise += 1;
        }
    }
}

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;
