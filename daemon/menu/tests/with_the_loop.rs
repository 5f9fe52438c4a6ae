//! The menu together with the core of the clock loop, in virtual time: edges of buttons go in, and
//! the requests that the menu gives go back to the loop.

#![allow(clippy::unwrap_used)]

use clock_controls::NamedControl;
use clock_dbus::{MenuButton, MenuPage};
use clock_engine::rules::{Game, GameCommand, Profile, Session, Setup};
use clock_engine::text::rule_preset;
use clock_engine::{Instant, PerSide, Phase, Side, Span, View};
use clockd_core::{
    Button, Cause, Edge, Input, InputKind, Inputs, LINES, LineReading, LoopCore, MENU_TIMEOUT,
    MenuClosed, MenuEvent, MenuRequest, Output, Refusal, Request, Update, VersionedClock,
};
use clockd_menu::{
    Effect, Keys, Machine, Menu, MenuCommand, MenuConfig, NewRules, Rules, Settings, Situation,
};

const WHITE: Button = Button::Player(Side::White);
const BLACK: Button = Button::Player(Side::Black);
const CALL: Button = Button::Call;
const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;

fn profile(name: &str) -> Profile {
    rule_preset(name).unwrap().read().profile
}

/// What the loop gives out.
#[derive(Default)]
struct Log {
    events: Vec<MenuEvent>,
    presses: Vec<(Button, u64)>,
    answer: Option<Result<(), Refusal>>,
}

impl Output for Log {
    fn input(&mut self, _clock: &VersionedClock, input: &Input) {
        if let Input::Press(button, at) = input {
            self.presses.push((*button, at.as_nanos()));
        }
    }

    fn update(&mut self, update: &Update) {
        self.answer = update.answer.map_or(self.answer, |(_, answer)| Some(answer));
    }

    fn menu(&mut self, event: MenuEvent) {
        self.events.push(event);
    }
}

/// A clock on a table: the loop, the program that shows the menu, and the players' hands.
struct Clock {
    core: LoopCore,
    levels: [bool; LINES],
    now: u64,
    deadline: Option<u64>,
    log: Log,
    keys: Keys,
    menu: Menu,
    /// Whether the program that shows the menu has stopped.
    is_hung: bool,
    control: NamedControl,
    rules: &'static str,
    requests: u64,
    closed: Vec<(MenuClosed, u64)>,
}

impl Clock {
    /// A clock with a game of G/60 with an arbiter, which was set up at the start.
    fn new(keys: Keys) -> Clock {
        Clock::with(keys, "G/60", "fide-2023")
    }

    fn with(keys: Keys, notation: &str, rules: &'static str) -> Clock {
        let control = NamedControl::from_notation(notation).unwrap();
        let setup = Setup {
            control: control.control,
            profile: Some(profile(rules)),
            session: Session::Unknown,
            force: false,
        };
        let game = Game::new(&setup, Instant::ZERO).unwrap();
        let levels = [false; LINES];
        let core = LoopCore::new(game, Inputs::default(), Some(levels), Instant::ZERO);
        let config = MenuConfig::default();
        let opening = config.opening;
        Clock {
            core: core.with_menu(opening),
            levels,
            now: 0,
            deadline: None,
            log: Log::default(),
            keys,
            menu: Menu::new(config, keys, 0, Instant::ZERO),
            is_hung: false,
            control,
            rules,
            requests: 0,
            closed: Vec::new(),
        }
    }

    fn at(&self) -> Instant {
        Instant::from_nanos(self.now)
    }

    fn view(&self) -> View {
        self.core.update(Cause::Missed).view
    }

    fn phase(&self) -> Phase {
        self.view().phase
    }

    fn step_core(&mut self, edge: Option<(Button, bool)>, request: Option<Request>) {
        let mut readings = [const { LineReading::EMPTY }; LINES];
        if let Some((button, active)) = edge {
            readings[button.index()].push(Edge { at: self.at(), active });
            self.levels[button.index()] = active;
        }
        for (reading, level) in readings.iter_mut().zip(self.levels) {
            reading.level = Some(level);
        }
        let at = self.at();
        let deadline = self.core.step(at, &readings, request.into_iter(), &mut self.log);
        self.deadline = deadline.map(Instant::as_nanos);
        let runs = self.phase() == Phase::Running;
        assert!(!(runs && self.core.is_menu_open()), "a clock runs and the menu is open");
    }

    fn step(&mut self, now: u64, edge: Option<(Button, bool)>) {
        self.now = now;
        self.step_core(edge, None);
        if self.is_hung {
            return;
        }
        while self.run_program() {
            self.step_core(None, None);
        }
        // The program closes the menu first, and the loop 100 µs later. So the menu is open in the
        // loop whenever it is open in the program.
        assert!(!self.menu.is_open() || self.core.is_menu_open(), "at {now}");
    }

    /// Lets the program handle what the loop has told. Returns whether it gave requests.
    fn run_program(&mut self) -> bool {
        let may_open = self.menu.may_open(self.phase(), None);
        self.core.menu_request(MenuRequest::MayOpen(may_open));
        let events = std::mem::take(&mut self.log.events);
        let has_events = !events.is_empty();
        for event in events {
            self.handle(event);
        }
        let effect = self.menu.timeout(self.at());
        let is_over = effect != Effect::None;
        self.carry_out(effect);
        has_events || is_over
    }

    fn handle(&mut self, event: MenuEvent) {
        match event {
            MenuEvent::HoldBegan(_) | MenuEvent::HoldEnded | MenuEvent::Hold(_) => {}
            MenuEvent::Opened { by_players, .. } => {
                let opened =
                    self.with_situation(|menu, at, situation| menu.open(at, situation, by_players));
                assert!(opened);
                self.core.menu_request(MenuRequest::Acknowledge(self.at()));
            }
            MenuEvent::Press(press) => {
                let effect =
                    self.with_situation(|menu, at, situation| menu.key(&press, at, situation));
                self.carry_out(effect);
                self.core.menu_request(MenuRequest::Acknowledge(self.at()));
            }
            MenuEvent::Repeat(button, since) => {
                let effect = self.with_situation(|menu, at, situation| {
                    menu.repeat(button, since, at, situation)
                });
                self.carry_out(effect);
                self.core.menu_request(MenuRequest::Acknowledge(self.at()));
            }
            MenuEvent::Closed(why, at) => {
                self.closed.push((why, at.as_nanos()));
                self.menu.close();
            }
            MenuEvent::TestBegan(_) | MenuEvent::TestRefused(_) | MenuEvent::TestPress(..) => {
                panic!("{event:?} without a test")
            }
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Close => self.core.menu_request(MenuRequest::Close(self.at())),
            Effect::Give(set) => self.give(&set),
            Effect::None => {}
            other => panic!("{other:?}"),
        }
    }

    fn give(&mut self, set: &MenuCommand) {
        assert_eq!(self.command(set.command, set.revision), Ok(()), "{set:?}");
        if let Some(new) = &set.new_game {
            self.control = new.control.clone();
            if new.rules == NewRules::PlayersAgree {
                self.rules = "players-agree";
            }
        }
        let effect =
            self.with_situation(|menu, at, situation| menu.answered(Ok(()), at, situation));
        self.carry_out(effect);
    }

    /// Gives a command of the menu to the loop, which decides it 100 µs later.
    fn command(&mut self, command: GameCommand, revision: u64) -> Result<(), Refusal> {
        self.requests += 1;
        let request = Request { id: self.requests, at: self.at(), revision, command };
        self.core.menu_request(MenuRequest::Command(request.id));
        self.step_core(None, Some(request));
        self.now += 100_000;
        self.step_core(None, None);
        self.log.answer.take().unwrap()
    }

    fn with_situation<T>(&mut self, ask: impl FnOnce(&mut Menu, Instant, &Situation) -> T) -> T {
        let update = self.core.update(Cause::Missed);
        let (here, configured) = (profile(self.rules), profile("fide-2023"));
        let situation = Situation {
            view: &update.view,
            revision: update.revision,
            control: &self.control,
            rules: Some(Rules { name: self.rules, profile: &here }),
            configured_rules: Some(Rules { name: "fide-2023", profile: &configured }),
            questions: &update.questions,
            set_up_over_bus: false,
            players: PerSide { white: "", black: "" },
            board: "",
            faults: &[],
            machine: &Machine::default(),
            version: "",
            settings: Settings { sound: true, brightness: None, language: None },
            own: &[],
            library: &[],
            until_start: None,
        };
        ask(&mut self.menu, Instant::from_nanos(self.now), &situation)
    }

    // Time and hands.

    fn run_to(&mut self, nanos: u64) {
        loop {
            let of_menu = self.menu.deadline().filter(|_| !self.is_hung).map(Instant::as_nanos);
            let next = self.deadline.into_iter().chain(of_menu).min();
            match next.filter(|next| *next < nanos) {
                Some(next) => self.step(next.max(self.now), None),
                None => break,
            }
        }
        self.step(nanos.max(self.now), None);
    }

    fn wait(&mut self, millis: u64) {
        self.run_to(self.now + millis * MS);
    }

    fn down(&mut self, button: Button) {
        self.step(self.now, Some((button, true)));
    }

    fn up(&mut self, button: Button) {
        self.step(self.now, Some((button, false)));
    }

    fn tap(&mut self, button: Button) {
        self.down(button);
        self.wait(100);
        self.up(button);
        self.wait(400);
    }

    fn hold_call(&mut self) {
        self.down(CALL);
        self.wait(3_500);
        self.up(CALL);
        self.wait(500);
    }

    /// Holds both buttons for this long together, beginning with `first`.
    fn hold_both(&mut self, first: Button, millis: u64) {
        let second = if first == WHITE { BLACK } else { WHITE };
        self.down(first);
        self.wait(300);
        self.down(second);
        self.wait(millis);
        self.up(first);
        self.wait(200);
        self.up(second);
        self.wait(500);
    }

    /// Holds what opens the menu.
    fn hold(&mut self) {
        match self.keys {
            Keys::Buttons => self.hold_both(WHITE, 3_500),
            _ => self.hold_call(),
        }
    }

    /// Opens the menu, and goes on to its list.
    fn more(&mut self) {
        self.hold();
        self.hold();
        assert_eq!(self.page().title, "More");
    }

    // The pages.

    fn page(&mut self) -> MenuPage {
        self.with_situation(|menu, at, situation| menu.page(at, situation)).unwrap()
    }

    fn chosen(&mut self) -> String {
        let page = self.page();
        page.chosen.map_or_else(String::new, |at| page.lines[at as usize].clone())
    }

    fn on(&mut self) {
        self.tap(if self.keys == Keys::Buttons { WHITE } else { BLACK });
    }

    fn choose_here(&mut self) {
        self.tap(if self.keys == Keys::Buttons { BLACK } else { CALL });
    }

    /// Presses the tile of this text, if it is on the first page. Otherwise goes to the rest of the menu.
    fn tile(&mut self, text: &str) -> bool {
        let page = self.page();
        let tile = page.hints.iter().find(|hint| hint.action.starts_with(text));
        match tile.and_then(|hint| hint.button) {
            Some(MenuButton::White) => self.tap(WHITE),
            Some(MenuButton::Black) => self.tap(BLACK),
            Some(MenuButton::Call) => self.tap(CALL),
            _ => {
                self.hold();
                return false;
            }
        }
        true
    }

    /// Presses each of these tiles, or goes on to such a line and chooses it.
    fn choose(&mut self, texts: &[&str]) {
        for text in texts {
            if self.page().is_tiles() && self.tile(text) {
                continue;
            }
            let found = (0..60).any(|_| {
                let found = self.chosen().starts_with(text);
                if !found {
                    self.on();
                }
                found
            });
            assert!(found, "no `{text}` on {:?}", self.page());
            self.choose_here();
        }
    }

    fn both_agree(&mut self) {
        assert_eq!(self.page().title, "Both agree?");
        self.tap(WHITE);
        self.tap(BLACK);
    }
}

/// A game of 3+2 under `players-agree` that is paused, with White on move.
fn paused(keys: Keys) -> Clock {
    let mut clock = Clock::with(keys, "3+2", "players-agree");
    clock.wait(1_000);
    for button in [BLACK, WHITE, BLACK] {
        clock.tap(button);
        clock.wait(5_000);
    }
    clock.tap(CALL);
    assert_eq!(clock.phase(), Phase::Paused);
    clock.log.presses.clear();
    clock
}

#[test]
fn an_evening_from_the_edges_of_the_buttons_to_the_game() {
    let mut clock = Clock::new(Keys::of(InputKind::Buttons, true).unwrap());
    clock.wait(1_000);
    clock.hold_call();
    clock.choose(&["New game", "We two", "3+2", "Accept"]);
    assert!(!clock.core.is_menu_open());
    assert_eq!((clock.control.name.as_str(), clock.log.presses.len()), ("3+2", 0));

    // Black's press starts White's clock. Each completed move adds 2 s.
    clock.tap(BLACK);
    clock.wait(9_500);
    clock.tap(WHITE);
    clock.wait(4_500);
    clock.tap(BLACK);
    let sides = clock.view().sides;
    let left = |seconds| Span::from_nanos(seconds * SECOND);
    assert_eq!(sides.black.remaining, left(182 - 5 + 2));
    clock.tap(CALL);
    assert_eq!((clock.phase(), clock.log.presses.len()), (Phase::Paused, 4));
    assert_eq!(
        clock.view().sides.white.remaining,
        Span::from_nanos(182 * SECOND - 8 * SECOND - 500 * MS)
    );

    clock.hold_call();
    let before = clock.view().sides.white.remaining;
    clock.choose(&["Correct"]);
    clock.tap(BLACK);
    clock.tap(BLACK);
    clock.hold_call();
    clock.both_agree();
    let two_minutes = Span::from_secs(120);
    assert_eq!(clock.view().sides.white.remaining, before.plus(two_minutes));
    assert!(!clock.core.is_menu_open());
    assert_eq!((clock.phase(), clock.log.presses.len()), (Phase::Paused, 4), "no press is a move");

    // The presses of both players resume the game.
    clock.tap(WHITE);
    assert_eq!(clock.phase(), Phase::Paused);
    clock.tap(BLACK);
    assert_eq!((clock.phase(), clock.view().on_move), (Phase::Running, Side::White));
    assert!(clock.closed.iter().all(|(why, _)| *why == MenuClosed::Asked), "{:?}", clock.closed);
}

/// One press sets up the same game again and starts White's clock. It is no press of the game.
#[test]
fn a_tile_sets_up_the_same_game_and_starts_it() {
    let mut clock = paused(Keys::ButtonsAndCall);
    clock.hold_call();
    clock.choose(&["Result", "1-0"]);
    clock.both_agree();
    assert_eq!(clock.phase(), Phase::Over);
    clock.hold_call();
    assert_eq!(clock.page().title, "A press starts White's clock");
    clock.choose(&["Sides"]);
    assert!(!clock.menu.is_open() && !clock.core.is_menu_open());
    assert_eq!((clock.phase(), clock.view().on_move), (Phase::Running, Side::White));
    assert!(clock.core.update(Cause::Missed).view.buttons_exchanged);
    assert_eq!(clock.closed.last().unwrap().0, MenuClosed::ClockRuns);
    assert!(clock.log.presses.is_empty());
}

#[test]
fn opening_and_leaving_twice_with_two_buttons_starts_no_clock() {
    for first in [WHITE, BLACK] {
        let second = if first == WHITE { BLACK } else { WHITE };
        let mut clock = paused(Keys::of(InputKind::Buttons, false).unwrap());
        for opens in [first, second] {
            clock.hold_both(opens, 3_500);
            assert!(clock.page().is_tiles());
            clock.hold_both(opens, 3_500);
            assert_eq!(clock.page().title, "More");
            clock.hold_both(opens, 3_500);
            assert!(!clock.menu.is_open());
        }
        clock.wait(60_000);
        assert_eq!((clock.phase(), clock.log.presses.len()), (Phase::Paused, 0));
        clock.tap(first);
        clock.tap(second);
        assert_eq!(clock.phase(), Phase::Running);
    }
}

#[test]
fn a_button_that_is_held_moves_the_cursor_and_a_digit_again_and_again() {
    let mut clock = paused(Keys::ButtonsAndCall);
    clock.hold_call();
    clock.choose(&["New game", "We two"]);
    for (button, line) in [(BLACK, "40/90, G/30, +30"), (WHITE, "3+2")] {
        clock.down(button);
        clock.wait(2_000);
        clock.up(button);
        clock.wait(500);
        assert_eq!(clock.chosen(), line);
    }
    clock.tap(BLACK);
    assert_eq!(clock.chosen(), "5+3");
    clock.choose(&["Our own"]);
    clock.down(BLACK);
    clock.wait(1_000);
    clock.up(BLACK);
    clock.wait(500);
    assert_eq!(clock.chosen(), "0[3]5+03");
    // On a page on which both agree, a press counts once, when it ends.
    let mut clock = paused(Keys::ButtonsAndCall);
    clock.hold_call();
    clock.choose(&["Result", "1-0"]);
    for (button, agreed) in [(WHITE, true), (BLACK, false)] {
        clock.down(button);
        clock.wait(1_000);
        clock.up(button);
        clock.wait(500);
        assert_eq!(clock.menu.is_open(), agreed);
    }
    assert_eq!(clock.phase(), Phase::Over);
}

#[test]
fn both_buttons_that_are_held_to_leave_agree_nothing() {
    let mut clock = paused(Keys::of(InputKind::Buttons, false).unwrap());
    clock.hold_both(WHITE, 3_500);
    clock.choose(&["Result", "1-0"]);
    clock.both_agree();
    assert_eq!(clock.phase(), Phase::Over);
    let mut clock = paused(Keys::of(InputKind::Buttons, false).unwrap());
    clock.hold_both(WHITE, 3_500);
    clock.choose(&["Result", "1-0"]);
    clock.hold_both(BLACK, 3_500);
    assert_eq!((clock.menu.is_open(), clock.phase()), (false, Phase::Paused));
}

#[test]
fn a_program_that_has_stopped_loses_the_buttons_after_thirty_seconds() {
    for keys in [Keys::ButtonsAndCall, Keys::Buttons] {
        let mut clock = paused(keys);
        clock.more();
        clock.on();
        let acknowledged = clock.now;
        clock.is_hung = true;
        // The players go on pressing. None of these presses reaches the game.
        while clock.core.is_menu_open() {
            clock.tap(WHITE);
            clock.tap(BLACK);
            assert!(clock.now < acknowledged + 40 * SECOND, "the buttons are lost");
        }
        let event = clock.log.events.last().copied();
        let Some(MenuEvent::Closed(MenuClosed::TimedOut, at)) = event else { panic!("{event:?}") };
        let limit = acknowledged + MENU_TIMEOUT.as_nanos();
        // The latest press was acknowledged when it was reported, up to 1 s before `acknowledged`.
        assert!((limit - SECOND..=limit).contains(&at.as_nanos()), "{at:?}");
        // The buttons are those of the game again.
        clock.wait(1_000);
        clock.log.presses.clear();
        clock.tap(WHITE);
        clock.tap(BLACK);
        assert_eq!(clock.log.presses.len(), 2);
        assert_eq!(clock.phase(), Phase::Running);
    }
}

#[test]
fn a_press_reaches_the_game_exactly_if_it_begins_after_the_menu_has_closed_by_itself() {
    for keys in [Keys::ButtonsAndCall, Keys::Buttons] {
        for millis in (-13_000..1_500).step_by(250).chain([-1, 1]) {
            for held in [60_u64, 900] {
                let mut clock = paused(keys);
                clock.more();
                let closes = clock.menu.deadline().unwrap().as_nanos();
                clock.run_to(closes.checked_add_signed(millis * 1_000_000 + 1).unwrap());
                clock.down(WHITE);
                clock.wait(held);
                clock.up(WHITE);
                clock.wait(1_000);
                let reached = !clock.log.presses.is_empty();
                assert_eq!(reached, millis >= 0, "{keys:?} {millis} ms, held for {held} ms");
                // The press kept the menu open if it ended, or was repeated for the first time,
                // before the menu said that it is closed.
                clock.run_to(clock.now.max(closes + SECOND));
                let ends = millis.saturating_add_unsigned(held.min(600));
                assert_eq!(clock.menu.is_open(), ends < -2_000, "{keys:?} {millis} ms");
            }
        }
    }
}

#[test]
fn a_menu_that_nobody_touches_closes_and_the_next_presses_resume() {
    let mut clock = paused(Keys::of(InputKind::Buttons, true).unwrap());
    clock.hold_call();
    let opened = clock.now;
    clock.wait(31_000);
    assert!(!clock.menu.is_open() && !clock.core.is_menu_open());
    assert!(clock.closed.iter().all(|(_, at)| *at < opened + 30 * SECOND), "{:?}", clock.closed);
    clock.tap(WHITE);
    clock.tap(BLACK);
    assert_eq!(clock.phase(), Phase::Running);
}
