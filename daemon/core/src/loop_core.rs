//! The core of the clock loop: it turns edges, levels and commands into updates, in the order of
//! their stamps.
//!
//! It is a plain value. It reads no clock and no descriptor. The thread around it passes in the
//! edges and levels that it has read, the commands and the time, and gets back the instant of the
//! next call. So every race between an edge, a level, a command and a timeout can be tested in
//! virtual time.
//!
//! An edge usually reaches the loop within [`EDGE_DELIVERY_WINDOW`] of its stamp. A step decides
//! nothing newer than `now − EDGE_DELIVERY_WINDOW`, because an earlier edge may still arrive.
//! Decisions wait for longer in three cases:
//!
//! - a candidate of the debounce (a contact that may become a press) is undecided;
//! - the level of a line shows that an edge is missing;
//! - a line had more edges than one [`LineReading`] holds.
//!
//! In the first two cases, the wait is never much longer than
//! [`MAX_CANDIDATE_AGE`](crate::MAX_CANDIDATE_AGE).

mod input;
mod line;
mod menu;
mod messages;
mod rocker;
mod stop_together;
mod turn_history;
mod versioned_clock;

pub use input::{Input, Output};
pub use line::Counts;
pub use menu::{
    MENU_TIMEOUT, MenuClosed, MenuEvent, MenuOpening, MenuPress, MenuRequest, PressLength,
    RELEASE_WITHIN, SHOWN_AFTER,
};
pub use messages::{
    Cause, LoopRequest, OpenQuestions, PressBeforeFlag, Refusal, Request, Update, name_of_command,
};
pub use versioned_clock::{Handled, Restart, VersionedClock};

use crate::debounce::{Debounce, Decision, Times};
use crate::{Button, EDGE_DELIVERY_WINDOW, InputKind, LINES, LineReading};
use clock_engine::rules::Game;
use clock_engine::{Control, Instant, PerSide, Side};
use input::{ReorderBuffer, Waiting};
use line::Line;
use menu::{Deferred, InputFacts, MenuState};
use rocker::Rocker;
use stop_together::StopTogether;

/// The kind of switch that the players use, and the debounce times of its contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// Buttons or a rocker.
    pub kind: InputKind,
    /// The times of the debounce.
    pub times: Times,
    /// Whether both players stop the clocks by holding their buttons together, in unsupervised play.
    /// This is for a board with two buttons and no call button.
    pub stop_together: bool,
}

impl Inputs {
    fn lines(&self, levels: [bool; LINES], at: Instant) -> [Line; LINES] {
        Button::ALL.map(|button| {
            let mut times = self.times;
            if let (InputKind::Rocker, Button::Player(_)) = (self.kind, button) {
                // A throw of a rocker (the contact of one side) is down during the whole turn of
                // the opponent. That is not a fault, so it never counts as stuck.
                times.stuck = None;
            }
            Line::new(times, levels[button.index()], at)
        })
    }

    fn rocker(&self, [white, black, _]: [bool; LINES]) -> Option<Rocker> {
        match self.kind {
            InputKind::Buttons => None,
            InputKind::Rocker => Some(Rocker::new([white, black])),
        }
    }
}

/// The state of the core: the lines, the inputs that wait for their decision, and the clock.
#[derive(Clone)]
pub struct LoopCore {
    inputs: Inputs,
    lines: [Line; LINES],
    buffer: ReorderBuffer,
    clock: VersionedClock,
    counts: Counts,
    /// For each player's button: the instant of the latest [`Input::Hold`]. This field ensures that
    /// each press gives at most one [`Input::Hold`].
    holds_noted: PerSide<Option<Instant>>,
    /// The menu; `None` if no press opens one.
    menu: Option<MenuState>,
    /// The presses by which both players can stop the clocks.
    stop_together: StopTogether,
}

impl LoopCore {
    /// A core with a new game. `levels` are the levels of the lines at `at`; `None` if there is no
    /// button board yet.
    pub fn new(game: Game, inputs: Inputs, levels: Option<[bool; LINES]>, at: Instant) -> LoopCore {
        let rocker = inputs.rocker(levels.unwrap_or_default());
        let clock = VersionedClock::new(game, rocker, levels.is_none());
        LoopCore::restored(clock, inputs, levels, at)
    }

    /// Like [`LoopCore::new`], but continues with a stored clock. The caller must call
    /// [`LoopCore::go_on`] next.
    pub fn restored(
        clock: VersionedClock,
        inputs: Inputs,
        levels: Option<[bool; LINES]>,
        at: Instant,
    ) -> LoopCore {
        LoopCore {
            inputs,
            lines: inputs.lines(levels.unwrap_or_default(), at),
            buffer: ReorderBuffer::new(),
            clock,
            counts: Counts::default(),
            holds_noted: PerSide::default(),
            menu: None,
            stop_together: StopTogether::default(),
        }
    }

    /// Sets the number of the latest entry, so that the next entry of this clock has the number
    /// `last_entry + 1`. An entry is an input, or the whole clock, as it is stored.
    #[must_use]
    pub fn numbered_from(mut self, last_entry: u64) -> LoopCore {
        self.clock.set_entry(last_entry);
        self
    }

    /// The clock.
    pub fn clock(&self) -> &VersionedClock {
        &self.clock
    }

    /// Decides everything that can be decided, like [`LoopCore::advance`]. Returns what
    /// [`LoopCore::wake_at`] then returns.
    pub fn step(
        &mut self,
        now: Instant,
        readings: &[LineReading; LINES],
        requests: impl Iterator<Item = impl Into<LoopRequest>>,
        out: &mut dyn Output,
    ) -> Option<Instant> {
        self.advance(now, readings, requests, out);
        self.wake_at(now)
    }

    /// Decides everything that can be decided.
    ///
    /// `now` is an instant on CLOCK_MONOTONIC that was read before the lines. So every edge that
    /// was queued at `now` is in `readings`, unless its line is muted ([`LoopCore::is_muted`]) or
    /// its reading is not [`drained`](LineReading::drained). Each level was read after the edges of
    /// all lines.
    pub fn advance(
        &mut self,
        now: Instant,
        readings: &[LineReading; LINES],
        requests: impl Iterator<Item = impl Into<LoopRequest>>,
        out: &mut dyn Output,
    ) {
        requests.for_each(|request| self.take_request(request.into()));
        self.take_readings(now, readings);
        self.decide(now, out);
    }

    // This and everything below it has no type parameter, so the compiler translates it in this
    // crate, which is optimized for speed, and not in the crate that calls it.
    fn take_request(&mut self, request: LoopRequest) {
        match request {
            LoopRequest::Command(request) => {
                // At most MAX_REQUESTS commands wait, and the buffer has room for all of them.
                let taken = self.buffer.put_request(request);
                debug_assert!(taken, "a request without room");
            }
            LoopRequest::Menu(request) => self.menu_request(request),
        }
    }

    fn take_readings(&mut self, now: Instant, readings: &[LineReading; LINES]) {
        for (button, reading) in Button::ALL.into_iter().zip(readings) {
            let (buffer, counts) = (&mut self.buffer, &mut self.counts);
            let lost = self.lines[button.index()]
                .take(reading, now, &mut |decision| note(button, decision, buffer, counts));
            self.counts.lost_edges += lost.edges;
            self.counts.overflows += lost.overflows;
        }
    }

    fn decide(&mut self, now: Instant, out: &mut dyn Output) {
        let window = EDGE_DELIVERY_WINDOW.as_nanos();
        let settled = Instant::from_nanos(now.as_nanos().saturating_sub(window));
        let (buffer, counts) = (&mut self.buffer, &mut self.counts);
        for button in Button::ALL {
            self.lines[button.index()]
                .advance(settled, &mut |decision| note(button, decision, buffer, counts));
        }
        let safe = self.holds_back().map_or(settled, |held| held.min(settled));
        self.carry_out_buffer(safe, out);
        if self.clock.due().is_some_and(|due| due <= safe) {
            self.carry_out(&Input::Time(safe), out);
        }
        self.note_holds(safe, out);
    }

    /// Carries out [`Input::Hold`] for each player's button that has been held for the longest time
    /// that the rules allow, if that time has ended at `safe` or earlier ([`LoopCore::hold_due`]).
    /// Each press gives at most one [`Input::Hold`].
    fn note_holds(&mut self, safe: Instant, out: &mut dyn Output) {
        for side in Side::BOTH {
            let Some(at) = self.hold_due(side) else { continue };
            if at <= safe {
                self.holds_noted[side] = Some(at);
                if !self.defers_hold(side, at) {
                    self.carry_out(&Input::Hold(side, at), out);
                }
            }
        }
    }

    /// The instant until which the rules allow a player to hold the button that is wired as this
    /// side's. `None` if the button is not held, if its [`Input::Hold`] was already carried out, or
    /// if the rules have no limit. Also `None` if the press belongs to the menu, and if the players
    /// use a rocker, because a throw is down during the whole turn of the opponent.
    fn hold_due(&self, side: Side) -> Option<Instant> {
        let longest = self.clock.hold_warning()?;
        if self.inputs.kind == InputKind::Rocker {
            return None;
        }
        let since = self.lines[Button::Player(side).index()].debounce().held_since()?;
        if self.menu.as_ref().is_some_and(|menu| menu.takes_hold(side, since)) {
            return None;
        }
        let due = since.checked_add(longest)?;
        (self.holds_noted[side] != Some(due)).then_some(due)
    }

    /// Carries out the inputs in the buffer whose stamps are not later than `safe`.
    fn carry_out_buffer(&mut self, safe: Instant, out: &mut dyn Output) {
        while let Some(first) = self.buffer.first(safe) {
            let facts = InputFacts::of_waiting(first);
            self.stop_if_held_together(first.at(), out);
            let handled =
                if self.passes_menu(facts, out) { self.carry_out_first(first, out) } else { None };
            self.buffer.remove_first();
            if let Some(handled) = handled {
                self.after_input(facts, handled, out);
            }
        }
        self.stop_if_held_together(safe, out);
        self.run_menu(safe, out);
    }

    /// Carries out `first`, which is the first input of the buffer.
    fn carry_out_first(&mut self, first: Waiting, out: &mut dyn Output) -> Option<Handled> {
        let made;
        let input = match first {
            Waiting::Request { place, .. } => self.buffer.request(place)?,
            Waiting::Press(button, at) => {
                self.note_press_for_stop(button, at);
                made = Input::Press(button, at);
                &made
            }
            Waiting::BoardGone(button, at) => {
                made = Input::BoardGone(button, at);
                &made
            }
            Waiting::WrongCode(at) => {
                made = Input::WrongCode(at);
                &made
            }
        };
        Some(carry_out(&mut self.clock, &mut self.counts, input, out))
    }

    fn carry_out(&mut self, input: &Input, out: &mut dyn Output) {
        let handled = carry_out(&mut self.clock, &mut self.counts, input, out);
        self.after_input(InputFacts::of(input), handled, out);
    }

    /// Gives the next number to an entry that contains the whole clock instead of an input.
    pub fn number_state(&mut self) {
        self.clock.set_entry(self.clock.entry() + 1);
    }

    /// Carries out the first input of a restored clock: [`Input::Restarted`] or
    /// [`Input::PowerCut`].
    pub fn go_on(&mut self, input: &Input, out: &mut dyn Output) {
        self.carry_out(input, out);
    }

    /// Notes that the button board was found gone at `at`. `button` is the button whose line showed
    /// it. The caller must first call [`LoopCore::step`] with all edges that could still be read. A
    /// later step pauses a running clock, in the order of stamps.
    ///
    /// A contact that had not been closed for the settle time at `at` is no press, because the
    /// unplugging itself can have closed it.
    pub fn board_gone(&mut self, button: Button, at: Instant) {
        let (buffer, counts) = (&mut self.buffer, &mut self.counts);
        for button in Button::ALL {
            let line = &mut self.lines[button.index()];
            line.advance(at, &mut |decision| note(button, decision, buffer, counts));
            counts.rejected += u64::from(line.debounce().open_since().is_some());
        }
        // From now on no button counts as down, because none can be read.
        self.lines = self.inputs.lines([false; LINES], at);
        // The buffer has a reserved place for this input, so this cannot fail.
        let _ = self.buffer.put_board_gone(button, at);
    }

    /// Notes that the button board is back with these levels. A button that is already down counts
    /// as held and gives no press.
    pub fn board_back(&mut self, levels: [bool; LINES], at: Instant, out: &mut dyn Output) {
        // After a long delay, the loop can find the board back before it has decided
        // `Input::BoardGone`. In that case `Input::BoardGone` is decided first.
        self.decide(at, out);
        self.carry_out_buffer(at, out);
        self.lines = self.inputs.lines(levels, at);
        let [white, black, _] = levels;
        self.carry_out(&Input::BoardBack { closed: [white, black], at }, out);
    }

    /// The earliest instant that is not decided yet: the first edge of an undecided candidate, the
    /// instant up to which the changes of a line are known (if decisions wait for an edge of it),
    /// the stamp of an input in the buffer, or that of a deferred press. `None` if everything that
    /// was read is decided.
    pub fn undecided_since(&self) -> Option<Instant> {
        let deferred = self.menu.as_ref().and_then(MenuState::deferred).map(Deferred::since);
        self.holds_back().into_iter().chain(self.buffer.next()).chain(deferred).min()
    }

    /// The time control.
    pub fn control(&self) -> &Control {
        self.clock.control()
    }

    /// The clock after its latest decision, as an update with this cause.
    pub fn update(&self, cause: Cause) -> Update {
        self.clock.update(cause, self.clock.last())
    }

    /// What was counted on the lines since the start.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether a line is muted at `now` because it is noisy. The caller must not read such a line,
    /// and must not wait for its edges.
    pub fn is_muted(&self, button: Button, now: Instant) -> bool {
        self.lines[button.index()].is_muted(now)
    }

    /// While a line delays decisions, the loop decides nothing (no input, no flag, no hold) that is
    /// later than this instant. `None` if no line delays decisions.
    fn holds_back(&self) -> Option<Instant> {
        self.lines.iter().filter_map(Line::holds_back).min()
    }

    /// The instant at which [`LoopCore::advance`] must be called again even if nothing arrives;
    /// `None` if it need not be called before something arrives. `now` is that of the latest call.
    pub fn wake_at(&self, now: Instant) -> Option<Instant> {
        let held = self.holds_back();
        // A flag, an input or a hold that is later than `held` gets no deadline here. It is decided
        // after the line that holds it back has woken the loop.
        let [white, black] = Side::BOTH.map(|side| self.hold_due(side));
        let menu = self.menu.as_ref().and_then(|menu| menu.next(&self.lines)).map(|(at, _)| at);
        let stop = self.stop_due().map(|(at, _)| at);
        let waiting = [self.clock.due(), self.buffer.next(), white, black, menu, stop]
            .into_iter()
            .flatten()
            .filter(|at| held.is_none_or(|held| *at <= held))
            .filter_map(|at| at.checked_add(EDGE_DELIVERY_WINDOW));
        let lines = self.lines.iter().filter_map(|line| line.wake_at(now));
        let stuck = self.debounces().filter_map(Debounce::stuck_at).filter(|at| *at > now);
        let crossed = self.crossed_at().filter(|at| *at > now);
        waiting.chain(lines).chain(stuck).chain(crossed).min()
    }

    fn debounces(&self) -> impl Iterator<Item = &Debounce> {
        self.lines.iter().map(Line::debounce)
    }

    /// The instant from which both throws of a rocker have been closed for the settle time. That
    /// happens only with wrong wiring. `None` with buttons, or if a throw is open.
    fn crossed_at(&self) -> Option<Instant> {
        let throw = |side| self.lines[Button::Player(side).index()].debounce().held_since();
        match self.inputs.kind {
            InputKind::Buttons => None,
            InputKind::Rocker => {
                throw(Side::White)?.max(throw(Side::Black)?).checked_add(self.inputs.times.settle)
            }
        }
    }

    /// Whether both throws of a rocker have been closed for the settle time at `at`.
    pub fn is_crossed(&self, at: Instant) -> bool {
        self.crossed_at().is_some_and(|crossed| crossed <= at)
    }

    /// Whether a button has been down for at least [`Times::stuck`] at `at`. Always `false` for a
    /// throw of a rocker.
    pub fn is_stuck(&self, button: Button, at: Instant) -> bool {
        let debounce = self.lines[button.index()].debounce();
        debounce.stuck_at().is_some_and(|stuck| stuck <= at)
    }

    /// Whether a button is down according to its edges.
    pub fn is_active(&self, button: Button) -> bool {
        self.lines[button.index()].debounce().is_active()
    }
}

fn carry_out(
    clock: &mut VersionedClock,
    counts: &mut Counts,
    input: &Input,
    out: &mut dyn Output,
) -> Handled {
    out.input(clock, input);
    let handled = clock.handle(input, out);
    counts.late += u64::from(handled == Handled::Late);
    handled
}

fn note(button: Button, decision: Decision, buffer: &mut ReorderBuffer, counts: &mut Counts) {
    match decision {
        Decision::Press(at) => counts.late += u64::from(!buffer.put_press(button, at)),
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
