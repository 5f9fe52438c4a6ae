//! How the menu takes part in the steps of the core: what becomes of a press, when a deferred press
//! is decided, and what closes the menu.

use super::super::{Handled, Input, LoopCore, Output};
use super::due::Due;
use super::state::MenuState;
use super::{MenuClosed, MenuEvent, MenuOpening, MenuRequest};
use crate::Button;
use crate::loop_core::input::Waiting;
use clock_engine::rules::Game;
use clock_engine::{Instant, Phase, Side};

/// The facts about an input that the menu needs. They are copied, because a whole input is too
/// large to copy for each decision.
#[derive(Clone, Copy)]
pub struct InputFacts {
    at: Instant,
    kind: InputType,
}

#[derive(Clone, Copy)]
enum InputType {
    Press(Button),
    /// A command with this id.
    Request(u64),
    BoardGone,
    Other,
}

impl InputFacts {
    pub fn of(input: &Input) -> InputFacts {
        let kind = match input {
            Input::Press(button, _) => InputType::Press(*button),
            Input::Request(request) => InputType::Request(request.id),
            Input::BoardGone(..) => InputType::BoardGone,
            Input::Hold(..)
            | Input::HeldTogether { .. }
            | Input::BoardBack { .. }
            | Input::Time(_)
            | Input::Restarted { .. }
            | Input::PowerCut { .. }
            | Input::WrongCode(_)
            | Input::RockerFound { .. } => InputType::Other,
        };
        InputFacts { at: input.at(), kind }
    }

    /// The facts about this input of the buffer.
    pub fn of_waiting(input: Waiting) -> InputFacts {
        let kind = match input {
            Waiting::Press(button, _) => InputType::Press(button),
            Waiting::Request { id, .. } => InputType::Request(id),
            Waiting::BoardGone(..) => InputType::BoardGone,
            Waiting::WrongCode(_) => InputType::Other,
        };
        InputFacts { at: input.at(), kind }
    }
}

impl LoopCore {
    /// Lets a long press open a menu. Without this, every press is an input of the game.
    #[must_use]
    pub fn with_menu(mut self, opening: MenuOpening) -> LoopCore {
        self.menu = Some(MenuState::new(opening, self.inputs.kind));
        self
    }

    /// Takes a request of the program that shows the menu. It takes effect in the next step, which
    /// must follow at once. Without an effect if no menu is configured, except for
    /// [`MenuRequest::Test`].
    pub fn menu_request(&mut self, request: MenuRequest) {
        if let MenuRequest::Test(_) = request {
            // No press opens this menu, because nothing ever allows it to open.
            let closed = || MenuState::new(MenuOpening::default(), self.inputs.kind);
            self.menu.get_or_insert_with(closed);
        }
        let Some(menu) = &mut self.menu else { return };
        menu.request(request);
        match request {
            MenuRequest::Close(at) => {
                for button in Button::ALL {
                    if let Some(at) = menu.give_back(button, at.max(self.clock.last())) {
                        let is_kept = self.buffer.put_press(button, at);
                        self.counts.late += u64::from(!is_kept);
                    }
                }
            }
            MenuRequest::WrongCode(at) => {
                // If the buffer is full, the record gets no entry of this wrong code. The number of
                // wrong codes is still recorded: it is in the reason of the next command that is
                // given with the right code.
                let _ = self.buffer.put_wrong_code(at.max(self.clock.last()));
            }
            MenuRequest::MayOpen(_)
            | MenuRequest::Acknowledge(_)
            | MenuRequest::Command(_)
            | MenuRequest::Test(_)
            | MenuRequest::Keep(_) => {}
        }
    }

    /// Whether the menu is open, so that no press is an input of the game.
    pub fn is_menu_open(&self) -> bool {
        self.menu.as_ref().is_some_and(MenuState::is_open)
    }

    pub fn is_test(&self) -> bool {
        self.menu.as_ref().is_some_and(MenuState::is_test)
    }

    /// Lets the menu do what it does before an input of the buffer. Returns `false` if the input is
    /// a press that the menu has taken or deferred.
    pub(in super::super) fn passes_menu(&mut self, next: InputFacts, out: &mut dyn Output) -> bool {
        if self.menu.is_none() {
            return true;
        }
        self.run_menu(next.at, out);
        self.decide_deferred_before(next, out);
        let InputType::Press(button) = next.kind else {
            self.note_rocker(next.at, out);
            return true;
        };
        let may_open = self.menu.as_ref().is_some_and(|menu| menu.may_open);
        if may_open && self.clock.due().is_some_and(|due| due <= next.at) {
            // A flag that is due before the press is decided first. It can stop the clocks, and
            // then the press can be deferred.
            self.carry_out(&Input::Time(next.at), out);
        }
        !self.takes(button, next.at, out)
    }

    /// Whether the menu takes or defers a press. If not, the press is an input of the game.
    fn takes(&mut self, button: Button, at: Instant, out: &mut dyn Output) -> bool {
        let stands = self.clock.game().phase() != Phase::Running;
        // During the countdown, the clocks are about to run, so a press counts at its first edge, as
        // with a running clock. A press that arrives late is decided at once, as without a menu.
        let can_wait = stands && !self.clock.game().is_counting_down() && at >= self.clock.last();
        let Some(menu) = &mut self.menu else { return false };
        if menu.takes_press(button, at, &self.lines) {
            if menu.is_test() {
                out.menu(MenuEvent::TestPress(button, at));
            } else if !menu.is_open() {
                self.note_rocker(at, out);
            }
            return true;
        }
        if !menu.is_idle() {
            self.close_menu(MenuClosed::OtherPress, at, out);
        }
        let Some(menu) = &mut self.menu else { return false };
        if can_wait && menu.defers_press(button, at, &self.lines) {
            return true;
        }
        menu.note_in_game(button, at, stands && !confirms(self.clock.game()));
        false
    }

    /// Carries out what the menu does up to `until`. If a change of the game that needs no input
    /// (such as a flag) or an [`Input::Hold`] is due first, a deferred press is decided before it.
    pub(in super::super) fn run_menu(&mut self, until: Instant, out: &mut dyn Output) {
        while let Some(menu) = &self.menu {
            let next = menu.next(&self.lines).filter(|(at, _)| *at <= until);
            let before = next.map_or(until, |(at, _)| at);
            let is_first = |due: Instant| due < before || (next.is_none() && due == before);
            if self.due_after_deferred().is_some_and(is_first) {
                self.decide_deferred(out);
                continue;
            }
            let Some((at, due)) = next else { return };
            self.do_next(at, due, out);
        }
    }

    fn do_next(&mut self, at: Instant, due: Due, out: &mut dyn Output) {
        let Some(menu) = &mut self.menu else { return };
        match due {
            Due::Decide => self.decide_deferred(out),
            Due::Show(at) => {
                menu.note_shown();
                out.menu(MenuEvent::HoldBegan(at));
            }
            Due::Hold(press) => out.menu(menu.hold(press)),
            Due::Open(press, up) => out.menu(menu.open(press, up)),
            Due::Report(press) => {
                menu.note_reported(press);
                out.menu(MenuEvent::Press(press));
            }
            Due::Repeat(button, at) => {
                menu.note_repeated(button);
                out.menu(MenuEvent::Repeat(button, at));
            }
            Due::Forget(button) => menu.forget(button),
            Due::DropBoth(button) => menu.drop_both(button),
            Due::Refuse(press) => {
                self.close_menu(MenuClosed::Asked, at, out);
                let is_in_order = self.menu.as_ref().is_some_and(|menu| menu.is_in_order(press.at));
                let is_call = press.button == Button::Call && !self.clock.game().is_unsupervised();
                if is_call && is_in_order && press.at >= self.clock.last() {
                    self.decide_press(press.button, press.at, out);
                }
            }
            Due::Test => {
                let phase = self.clock.game().phase();
                out.menu(menu.begin_test(at, matches!(phase, Phase::Ready | Phase::Over)));
            }
            Due::Close(why) => self.close_menu(why, at, out),
        }
    }

    /// While a press is deferred: the earliest instant, not before its stamp, at which an input of
    /// the game is due that is neither a press nor a command.
    fn due_after_deferred(&self) -> Option<Instant> {
        let deferred = self.menu.as_ref()?.deferred()?.since();
        let hold = |side| {
            let waits = self.menu.as_ref().is_some_and(|menu| menu.defers_hold(side));
            self.hold_due(side).filter(|_| !waits)
        };
        let [white, black] = Side::BOTH.map(hold);
        let dues = [self.clock.due(), white, black].into_iter().flatten();
        dues.filter(|due| *due >= deferred).min()
    }

    /// Whether the [`Input::Hold`] of this side waits for the decision of a deferred press. If so,
    /// the menu's state notes it.
    pub(in super::super) fn defers_hold(&mut self, side: Side, at: Instant) -> bool {
        let Some(menu) = self.menu.as_mut().filter(|menu| menu.defers_hold(side)) else {
            return false;
        };
        menu.defer_hold(side, at);
        true
    }

    /// Decides what is deferred and has an earlier stamp than this input. A press does not end the
    /// deferral of a press with which it is held together.
    fn decide_deferred_before(&mut self, next: InputFacts, out: &mut dyn Output) {
        let Some(menu) = &self.menu else { return };
        let Some(deferred) = menu.deferred() else { return };
        if let InputType::Press(button) = next.kind
            && menu.pair(button, next.at, &self.lines).is_some()
        {
            return;
        }
        if deferred.press.at <= next.at {
            self.decide_deferred(out);
        } else if deferred.since() <= next.at {
            self.decide_first_of_two(out);
        }
    }

    /// Decides the deferred presses as inputs of the game, and the long holds of the same buttons
    /// that were due in the meantime, in the order of their stamps. In unsupervised play, presses
    /// with which the hold was shown are no inputs, unless a clock runs.
    fn decide_deferred(&mut self, out: &mut dyn Output) {
        let game = self.clock.game();
        if game.is_unsupervised()
            && game.phase() != Phase::Running
            && let Some(menu) = &mut self.menu
            && menu.deferred().is_some_and(|deferred| deferred.is_shown)
        {
            menu.drop_deferred();
            out.menu(MenuEvent::HoldEnded);
            return;
        }
        self.decide_first_of_two(out);
        let Some(deferred) = self.menu.as_mut().and_then(MenuState::take_deferred) else { return };
        if deferred.is_shown {
            out.menu(MenuEvent::HoldEnded);
        }
        let press = deferred.press;
        let mut holds = Side::BOTH.map(|side| deferred.holds[side].map(|at| (at, side)));
        holds.sort_unstable_by_key(|hold| hold.map(|(at, _)| at));
        let mut holds = holds.into_iter().flatten().peekable();
        while let Some((at, side)) = holds.next_if(|(at, _)| *at < press.at) {
            self.carry_out(&Input::Hold(side, at), out);
        }
        self.decide_press(press.button, press.at, out);
        for (at, side) in holds {
            self.carry_out(&Input::Hold(side, at), out);
        }
    }

    /// Decides the earlier one of two deferred presses as an input of the game.
    fn decide_first_of_two(&mut self, out: &mut dyn Output) {
        let first = self.menu.as_mut().and_then(MenuState::take_first_of_two);
        if let Some((side, at)) = first {
            self.decide_press(Button::Player(side), at, out);
        }
    }

    fn decide_press(&mut self, button: Button, at: Instant, out: &mut dyn Output) {
        let game = self.clock.game();
        let did_nothing = game.phase() != Phase::Running && !confirms(game);
        if let Some(menu) = &mut self.menu {
            menu.note_in_game(button, at, did_nothing);
        }
        self.note_press_for_stop(button, at);
        self.carry_out(&Input::Press(button, at), out);
    }

    /// Closes the menu, or decides the deferred press, if the input that was just decided requires
    /// it.
    pub(in super::super) fn after_input(
        &mut self,
        input: InputFacts,
        handled: Handled,
        out: &mut dyn Output,
    ) {
        let Some(menu) = &mut self.menu else { return };
        menu.note_input(input.at);
        let is_request = matches!(input.kind, InputType::Request(_));
        if menu.is_idle() && !is_request {
            return;
        }
        let is_own = matches!(input.kind, InputType::Request(id) if menu.is_own(id));
        let is_done = handled != Handled::Refused;
        if self.clock.game().phase() == Phase::Running {
            // No press stays deferred while a clock runs. An earlier press that arrived late can
            // have started the clock.
            self.decide_deferred(out);
            self.close_menu(MenuClosed::ClockRuns, input.at, out);
        } else if is_request && is_done && !is_own {
            self.close_menu(MenuClosed::Command, input.at, out);
        } else if matches!(input.kind, InputType::BoardGone) {
            self.close_menu(MenuClosed::BoardGone, input.at, out);
        }
    }

    fn close_menu(&mut self, why: MenuClosed, at: Instant, out: &mut dyn Output) {
        let Some(menu) = &mut self.menu else { return };
        if let Some(closed) = menu.close(why, at, &self.lines) {
            out.menu(closed);
            self.note_rocker(at, out);
        }
    }

    /// Gives the game the position of the rocker, if the rocker was pushed in the menu. A resume
    /// depends on that position.
    fn note_rocker(&mut self, at: Instant, out: &mut dyn Output) {
        let Some(closed) = self.rocker_in_menu() else { return };
        if let Some(menu) = &mut self.menu {
            menu.rocker_moved = false;
        }
        self.carry_out(&Input::RockerFound { closed, at }, out);
    }

    /// Which throws of the rocker are closed, first the one that is wired as White's. `None` if the
    /// rocker was not pushed in the menu, so that the game knows its position.
    pub fn rocker_in_menu(&self) -> Option<[bool; 2]> {
        let is_moved = self.menu.as_ref().is_some_and(|menu| menu.rocker_moved);
        is_moved.then(|| Side::BOTH.map(|side| self.is_active(Button::Player(side))))
    }
}

/// Whether a press of a player confirms that the game goes on. Such a press does not open the menu,
/// so the other player's answer to it counts.
fn confirms(game: &Game) -> bool {
    game.phase() == Phase::Paused && game.is_unsupervised()
}
