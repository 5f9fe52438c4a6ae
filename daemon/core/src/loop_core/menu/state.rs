//! The state of the menu: closed, about to open, or open.

use super::super::line::Line;
use super::deferral::{Deferred, LongPress, was_down};
use super::{MenuClosed, MenuEvent, MenuOpening, MenuPress, MenuRequest, PressLength};
use crate::{Button, InputKind, LINES, MAX_REQUESTS};
use clock_engine::{Instant, PerSide, Side, Span};

/// The menu. No part of it is stored.
#[derive(Clone)]
pub struct MenuState {
    pub(super) hold: Span,
    pub(super) kind: InputKind,
    /// Whether the presses of both players together can open the menu.
    pub(super) by_players: bool,
    pub(super) may_open: bool,
    pub(super) stage: Stage,
    /// For each button, the stamp of its latest press that the game does not get: a press of the
    /// menu, or a press that lasted until the menu closed. The button may still be down.
    taken: [Option<Instant>; LINES],
    /// For each player's button, the stamp of its latest press, if it did nothing in the game
    /// because both clocks stood. Such a press can be held together with one of the other player.
    pub(super) in_game: PerSide<Option<Instant>>,
    /// When the menu closed last. Presses that began before it belong to the menu.
    closed_at: Option<Instant>,
    /// The latest stamp of an input of the game.
    latest_input: Instant,
    /// When the menu closes because [`MenuRequest::Close`] asked for it.
    pub(super) close_at: Option<Instant>,
    /// When the test of the buttons is to begin.
    pub(super) test_at: Option<Instant>,
    /// Presses that are stamped before this instant belong to the test of the buttons.
    kept_until: Instant,
    /// The requests that come from the menu and are not decided yet.
    commands: [Option<u64>; MAX_REQUESTS],
    /// Whether a throw of a rocker was pushed down in the menu, so that the game does not know the
    /// position of the rocker.
    pub rocker_moved: bool,
}

#[derive(Clone, Copy)]
pub enum Stage {
    Closed,
    /// A press is deferred.
    Deferred(Deferred),
    /// A long press has lasted for the hold and is not released yet.
    Held(LongPress),
    Open(Open),
}

/// The open menu.
#[derive(Clone, Copy)]
pub struct Open {
    /// The press that opened the menu; `None` in the test of the buttons.
    opened_by: Option<LongPress>,
    /// The instant of the latest [`MenuRequest::Acknowledge`], or of the opening.
    pub acknowledged: Instant,
    /// For each button, the press in the menu that is not reported yet, or that still lasts.
    pub presses: [Option<Tracked>; LINES],
}

/// A press in the open menu.
#[derive(Clone, Copy)]
pub struct Tracked {
    pub at: Instant,
    /// Whether it was reported as a long press, and still lasts.
    pub is_reported: bool,
    /// How many repetitions were reported.
    pub repeats: u32,
    /// Whether no press of the other player overlaps it. Only such a press is repeated.
    pub is_alone: bool,
    /// Whether it was meant together with a press of the other player, and is not reported.
    pub is_dropped: bool,
}

impl MenuState {
    pub fn new(opening: MenuOpening, kind: InputKind) -> MenuState {
        MenuState {
            hold: opening.hold(),
            kind,
            by_players: kind == InputKind::Buttons,
            may_open: false,
            stage: Stage::Closed,
            taken: [None; LINES],
            in_game: PerSide::default(),
            closed_at: None,
            latest_input: Instant::ZERO,
            close_at: None,
            test_at: None,
            kept_until: Instant::ZERO,
            commands: [None; MAX_REQUESTS],
            rocker_moved: false,
        }
    }

    /// Takes a request. It takes effect in the next step.
    pub fn request(&mut self, request: MenuRequest) {
        match request {
            MenuRequest::MayOpen(may_open) => self.may_open = may_open,
            MenuRequest::Close(at) if self.is_open() || self.is_held() => {
                self.close_at = Some(self.close_at.map_or(at, |before| before.min(at)));
            }
            // `LoopCore::menu_request` puts a wrong code among the inputs, so there is nothing to
            // do here.
            MenuRequest::Close(_) | MenuRequest::WrongCode(_) => {}
            MenuRequest::Acknowledge(at) => {
                if let Stage::Open(open) = &mut self.stage {
                    open.acknowledged = open.acknowledged.max(at);
                }
            }
            MenuRequest::Test(at) => self.test_at = Some(at),
            MenuRequest::Keep(until) => self.kept_until = until,
            MenuRequest::Command(id) => {
                // A command that was announced and never came loses its place to a new one.
                self.commands.rotate_right(1);
                self.commands[0] = Some(id);
            }
        }
    }

    /// Whether the command with this id comes from the menu. After `true`, the id is forgotten.
    pub fn is_own(&mut self, request: u64) -> bool {
        let place = self.commands.iter_mut().find(|id| **id == Some(request));
        place.and_then(Option::take).is_some()
    }

    /// Whether no press is deferred, no long press is held, and the menu is not open.
    pub fn is_idle(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }

    fn is_held(&self) -> bool {
        matches!(self.stage, Stage::Held(_))
    }

    /// Whether the press of a player's button that is stamped `since` gives no
    /// [`Input::Hold`](crate::Input::Hold).
    pub fn takes_hold(&self, side: Side, since: Instant) -> bool {
        self.is_open() || self.taken[Button::Player(side).index()] == Some(since)
    }

    /// Notes that a press became an input of the game. `did_nothing` says whether it did nothing
    /// there because both clocks stood.
    pub fn note_in_game(&mut self, button: Button, at: Instant, did_nothing: bool) {
        if let Button::Player(side) = button {
            self.in_game[side] = did_nothing.then_some(at);
        }
    }

    pub fn note_input(&mut self, at: Instant) {
        self.latest_input = self.latest_input.max(at);
    }

    /// Whether an input with this stamp keeps the inputs of the game in the order of their stamps.
    pub fn is_in_order(&self, at: Instant) -> bool {
        at >= self.latest_input
    }

    /// Whether a press belongs to the menu because the menu is open, was open when the press began,
    /// or keeps the press for the test of the buttons. If so, notes that the menu has taken the press.
    pub fn takes_press(&mut self, button: Button, at: Instant, lines: &[Line; LINES]) -> bool {
        let was_open = self.closed_at.is_some_and(|closed| at < closed);
        let takes = self.is_open() || was_open || at < self.kept_until;
        if !takes {
            return false;
        }
        self.taken[button.index()] = Some(at);
        self.rocker_moved |= self.is_throw(button);
        if let Stage::Open(open) = &mut self.stage
            && open.opened_by.is_some_and(|press| press.is_over(lines, at))
        {
            let mut press =
                Tracked { at, is_reported: false, repeats: 0, is_alone: true, is_dropped: false };
            if let Button::Player(side) = button {
                let other = Button::Player(side.other()).index();
                if let Some(other_press) = &mut open.presses[other]
                    && was_down(&lines[other], other_press.at, at)
                {
                    (press.is_alone, other_press.is_alone) = (false, false);
                }
            }
            open.presses[button.index()] = Some(press);
        }
        true
    }

    pub(super) fn is_throw(&self, button: Button) -> bool {
        self.kind == InputKind::Rocker && button != Button::Call
    }

    /// Notes that the game does not get this press.
    pub(super) fn take(&mut self, (button, at): (Button, Instant)) {
        self.taken[button.index()] = Some(at);
    }

    /// Begins the wait for the release of a long press.
    pub fn hold(&mut self, press: LongPress) -> MenuEvent {
        self.stage = Stage::Held(press);
        press.buttons().for_each(|press| self.take(press));
        if press.other.is_some() {
            self.in_game = PerSide::default();
        }
        MenuEvent::Hold(press.held_at(self.hold))
    }

    pub fn open(&mut self, press: LongPress, up: Instant) -> MenuEvent {
        self.open_by(Some(press), up);
        MenuEvent::Opened { at: up, by_players: press.other.is_some() }
    }

    fn open_by(&mut self, opened_by: Option<LongPress>, at: Instant) {
        self.stage = Stage::Open(Open { opened_by, acknowledged: at, presses: [None; LINES] });
    }

    /// Begins the test of the buttons at this instant, if the menu is closed and `may_begin` says
    /// that no game is under way.
    pub fn begin_test(&mut self, at: Instant, may_begin: bool) -> MenuEvent {
        self.test_at = None;
        if !may_begin || !self.is_idle() {
            return MenuEvent::TestRefused(at);
        }
        self.open_by(None, at);
        MenuEvent::TestBegan(at)
    }

    pub fn is_test(&self) -> bool {
        matches!(self.stage, Stage::Open(Open { opened_by: None, .. }))
    }

    pub fn note_reported(&mut self, press: MenuPress) {
        if let Stage::Open(open) = &mut self.stage {
            if let Some(tracked) = &mut open.presses[press.button.index()] {
                tracked.is_reported = true;
            }
            if press.length == PressLength::Short {
                self.forget(press.button);
            }
        }
    }

    pub fn note_repeated(&mut self, button: Button) {
        if let Stage::Open(open) = &mut self.stage
            && let Some(tracked) = &mut open.presses[button.index()]
        {
            tracked.repeats += 1;
        }
    }

    /// Notes that the press of this button and that of the other player were meant together.
    pub fn drop_both(&mut self, button: Button) {
        self.forget(button);
        if let (Stage::Open(open), Button::Player(side)) = (&mut self.stage, button)
            && let Some(other) = &mut open.presses[Button::Player(side.other()).index()]
        {
            other.is_dropped = true;
        }
    }

    pub fn forget(&mut self, button: Button) {
        if let Stage::Open(open) = &mut self.stage {
            open.presses[button.index()] = None;
            self.taken[button.index()] = None;
        }
    }

    /// Gives back the press of this button that the open menu has taken and not reported, if it
    /// began at `from` or later and no input of the game has a later stamp. In the test of the
    /// buttons, every press is reported at once.
    pub fn give_back(&mut self, button: Button, from: Instant) -> Option<Instant> {
        if self.is_test() {
            return None;
        }
        let from = from.max(self.latest_input);
        let Stage::Open(open) = &mut self.stage else { return None };
        let press = &mut open.presses[button.index()];
        let mut opened_by = open.opened_by.into_iter().flat_map(LongPress::buttons);
        let opened = opened_by.any(|(other, at)| other == button && at >= from);
        if opened || press.is_some_and(|press| press.is_reported) {
            return None;
        }
        let at = self.taken[button.index()].take_if(|at| *at >= from)?;
        *press = None;
        Some(at)
    }

    /// Closes the menu at this instant, if it is open or a long press is held.
    pub fn close(
        &mut self,
        why: MenuClosed,
        at: Instant,
        lines: &[Line; LINES],
    ) -> Option<MenuEvent> {
        if !self.is_open() && !self.is_held() {
            return None;
        }
        if self.is_open() {
            for button in Button::ALL {
                let since = lines[button.index()].debounce().down_since();
                if let Some(since) = since.filter(|since| *since < at) {
                    self.taken[button.index()] = Some(since);
                }
                self.note_in_game(button, at, false);
            }
            self.closed_at = Some(at);
        }
        (self.stage, self.close_at) = (Stage::Closed, None);
        Some(MenuEvent::Closed(why, at))
    }
}
