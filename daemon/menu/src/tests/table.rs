//! A table with a clock: a game, its menu, and the players' hands.

use crate::{
    ArbiterCode, Effect, Failure, Keys, LINE_LENGTH, Machine, Menu, MenuCommand, MenuConfig,
    NewRules, OWN_CONTROLS, Rules, SEGMENTS, Setting, Settings, Situation, VISIBLE_LINES, When,
};
use clock_controls::NamedControl;
use clock_dbus::{MenuButton, MenuPage};
use clock_engine::rules::{Game, GameCommand, Profile, Session, Setup};
use clock_engine::text::{presets, rule_preset};
use clock_engine::{Command, Instant, PerSide, Phase, Side, Span, View};
use clockd_core::{Button, MenuOpening, MenuPress, OpenQuestions, PressLength};
use std::net::Ipv4Addr;
use std::sync::OnceLock;

pub const WHITE: Button = Button::Player(Side::White);
pub const BLACK: Button = Button::Player(Side::Black);
pub const CALL: Button = Button::Call;

pub fn library() -> &'static [NamedControl] {
    static LIBRARY: OnceLock<Vec<NamedControl>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let read =
            |name: &str, file: &str| NamedControl::parse(name, file.to_owned(), name).unwrap();
        presets().iter().map(|preset| read(preset.name, preset.file)).collect()
    })
}

pub fn profile(name: &str) -> Option<Profile> {
    rule_preset(name).map(|preset| preset.read().profile)
}

pub fn config(when: When, code: Option<&str>) -> MenuConfig {
    let code = code.map(|code| ArbiterCode::parse(code, false).unwrap());
    let opening = MenuOpening::new(Span::from_secs(3)).unwrap();
    MenuConfig { when, code, opening, ..MenuConfig::default() }
}

#[derive(Clone)]
pub struct Table {
    pub game: Game,
    pub menu: Menu,
    pub keys: Keys,
    pub control: NamedControl,
    pub rules: (String, Option<Profile>),
    pub configured: (String, Option<Profile>),
    pub on_bus: bool,
    pub own: Vec<NamedControl>,
    pub settings: Settings,
    pub players: PerSide<String>,
    pub faults: Vec<String>,
    pub machine: Machine,
    pub until_start: Option<Span>,
    /// How many backups were begun.
    pub backups: u32,
    pub now: u64,
    /// The presses since the last reset.
    pub presses: u32,
    /// All presses in the menu, each with the instant of its report.
    pub reported: Vec<(u64, MenuPress)>,
    /// The presses since the menu was opened.
    since_open: u32,
    /// The command that was given last.
    pub set: Option<MenuCommand>,
    /// The commands that were accepted, and the refusals.
    pub accepted: Vec<GameCommand>,
    pub refused: Vec<String>,
    pub wrong_codes: u32,
}

/// The number of the page on which a time is corrected in steps.
pub const STEPS: u32 = 48;
/// The time between the ends of two presses.
const PRESS: u64 = 500_000_000;
/// How long a short press lasts, and a long one.
const SHORT: u64 = 100_000_000;
const LONG: u64 = 3_000_000_000;

impl Table {
    pub fn new(notation: &str, rules: &str) -> Table {
        Table::with(notation, rules, Keys::ButtonsAndCall, config(When::Always, None))
    }

    pub fn with(notation: &str, rules: &str, keys: Keys, config: MenuConfig) -> Table {
        let control = NamedControl::from_notation(notation).unwrap();
        let rules = (rules.to_owned(), profile(rules));
        let setup = Setup {
            control: control.control,
            profile: rules.1,
            session: Session::Unknown,
            force: false,
        };
        Table {
            game: Game::new(&setup, Instant::ZERO).unwrap(),
            menu: Menu::new(config, keys, 0, Instant::ZERO),
            keys,
            control,
            rules,
            configured: ("fide-2023".to_owned(), profile("fide-2023")),
            on_bus: false,
            own: Vec::new(),
            settings: Settings { sound: true, brightness: None, language: None },
            players: PerSide {
                white: "Vera Menchik".to_owned(),
                black: "Efim Bogoljubow".to_owned(),
            },
            faults: Vec::new(),
            machine: Machine {
                name: "clock-12".to_owned(),
                addresses: Some(vec![Ipv4Addr::new(192, 0, 2, 12)]),
                can_back_up: false,
                has_buzzer: true,
                has_backlight: true,
            },
            until_start: None,
            backups: 0,
            now: 0,
            presses: 0,
            reported: Vec::new(),
            since_open: 0,
            set: None,
            accepted: Vec::new(),
            refused: Vec::new(),
            wrong_codes: 0,
        }
    }

    /// The words of the language that was chosen at the clock.
    pub fn words(&self) -> &'static clock_languages::menu::Menu {
        &self.settings.language.unwrap_or_default().words().menu
    }

    pub fn at(&self) -> Instant {
        Instant::from_nanos(self.now)
    }

    pub fn view(&self) -> View {
        self.game.view(self.at())
    }

    pub fn phase(&self) -> Phase {
        self.view().phase
    }

    /// Lets time pass in the game.
    pub fn wait(&mut self, seconds: u64) {
        self.now += seconds * 1_000_000_000;
        let at = self.at();
        self.game.handle_timeout(at).unwrap();
        while self.game.poll_event().is_some() {}
    }

    /// A player's press in the game.
    pub fn play(&mut self, side: Side, seconds: u64) {
        self.wait(seconds);
        let at = self.at();
        self.game.handle_press(side, at).unwrap();
        while self.game.poll_event().is_some() {}
    }

    /// The call button in the game.
    pub fn call(&mut self, seconds: u64) {
        self.wait(seconds);
        let at = self.at();
        self.game.handle_call(at).unwrap();
        while self.game.poll_event().is_some() {}
    }

    pub fn with_situation<T>(
        &mut self,
        ask: impl FnOnce(&mut Menu, Instant, &Situation) -> T,
    ) -> T {
        let (at, view) = (self.at(), self.view());
        let questions = OpenQuestions::of(&self.game, at);
        let rules = |rules: &'_ (String, Option<Profile>)| -> Option<(String, Profile)> {
            rules.1.map(|profile| (rules.0.clone(), profile))
        };
        let (here, configured) = (rules(&self.rules), rules(&self.configured));
        fn named(rules: &Option<(String, Profile)>) -> Option<Rules<'_>> {
            rules.as_ref().map(|(name, profile)| Rules { name, profile })
        }
        let situation = Situation {
            view: &view,
            revision: 1,
            control: &self.control,
            rules: named(&here),
            configured_rules: named(&configured),
            questions: &questions,
            set_up_over_bus: self.on_bus,
            players: PerSide { white: &self.players.white, black: &self.players.black },
            board: "12",
            faults: &self.faults,
            machine: &self.machine,
            version: "0.1.0",
            settings: self.settings,
            own: &self.own,
            library: library(),
            until_start: self.until_start,
        };
        ask(&mut self.menu, at, &situation)
    }

    /// Opens the menu; `None` if it may not be open.
    pub fn open(&mut self) -> Option<()> {
        self.since_open = 0;
        self.with_situation(|menu, at, situation| menu.open(at, situation, false)).then_some(())
    }

    pub fn page(&mut self) -> MenuPage {
        let page = self.with_situation(|menu, at, situation| menu.page(at, situation));
        let page = page.expect("the menu is open");
        check(&page);
        page
    }

    /// Presses a button of the menu, does what the menu asks, and returns the effect.
    pub fn press(&mut self, button: Button, length: PressLength) -> Effect {
        let lasts = if length == PressLength::Short { SHORT } else { LONG };
        self.now += PRESS + lasts;
        let at = Instant::from_nanos(self.now - lasts);
        self.report(&MenuPress { button, at, end: self.at(), length })
    }

    /// Holds the buttons of both players, as the loop reports it.
    pub fn hold_both(&mut self) -> Effect {
        self.press(WHITE, PressLength::Long);
        let at = Instant::from_nanos(self.now - LONG);
        self.report(&MenuPress {
            button: BLACK,
            at,
            end: self.at(),
            length: PressLength::LongTogether,
        })
    }

    /// Gives the menu a press, does what the menu asks, and returns the effect.
    pub fn report(&mut self, press: &MenuPress) -> Effect {
        self.presses += 1;
        self.reported.push((self.now, *press));
        self.since_open += 1;
        let choose = if self.keys == Keys::Buttons { BLACK } else { CALL };
        let confirmed = self.menu.is_open()
            && (press.button, press.length) == (choose, PressLength::Short)
            && [self.words().standing.do_it, self.words().new_game.accept]
                .contains(&self.chosen().as_str());
        let effect = self.with_situation(|menu, at, situation| menu.key(press, at, situation));
        if confirmed && effect == Effect::None {
            let title = self.page().title;
            let access = &self.words().access;
            assert!([access.both_agree, access.code].contains(&title.as_str()), "{title}");
        }
        match &effect {
            Effect::None | Effect::Close => {}
            Effect::Give(set) => self.give(set),
            Effect::Store(control) => {
                self.own.insert(0, (**control).clone());
                self.own.truncate(OWN_CONTROLS);
            }
            Effect::Set(Setting::Sound(on)) => self.settings.sound = *on,
            Effect::Set(Setting::Brightness(value)) => self.settings.brightness = *value,
            Effect::Set(Setting::Language(language)) => self.settings.language = Some(*language),
            Effect::BackUp => self.backups += 1,
            Effect::CodeEntered { wrong_codes } => self.wrong_codes = *wrong_codes,
        }
        if self.menu.is_open() {
            self.page();
        }
        effect
    }

    fn give(&mut self, set: &MenuCommand) {
        assert!(self.since_open >= 1, "{set:?}");
        assert!(set.reason.starts_with("at the clock"), "{set:?}");
        // One player alone changes no game.
        let alone = set.reason == "at the clock";
        assert!(!alone || matches!(self.phase(), Phase::Ready | Phase::Over), "{set:?}");
        let at = self.at();
        self.set = Some(set.clone());
        let done = self.game.handle_command(set.command, at);
        let text = done.err().map(|refused| refused.to_string()).unwrap_or_default();
        match done {
            Ok(()) => self.accept(set),
            Err(_) => self.refused.push(text),
        }
        while self.game.poll_event().is_some() {}
        let outcome = done.map_err(|refused| Failure::Refused(refused.into()));
        let effect =
            self.with_situation(|menu, at, situation| menu.answered(outcome, at, situation));
        if let Effect::Give(start) = &effect {
            assert_eq!((start.command, done), (Command::Start.into(), Ok(())));
            return self.give(start);
        }
        assert_eq!(effect == Effect::Close, !self.menu.is_open());
        assert_eq!(self.menu.is_open(), done.is_err(), "{set:?}");
    }

    fn accept(&mut self, set: &MenuCommand) {
        self.accepted.push(set.command);
        let Some(new) = &set.new_game else { return };
        self.control = new.control.clone();
        self.on_bus = false;
        match new.rules {
            NewRules::AsBefore => {}
            NewRules::Configured => self.rules = self.configured.clone(),
            NewRules::PlayersAgree => {
                self.rules = ("players-agree".to_owned(), profile("players-agree"));
            }
        }
        if matches!(set.command, GameCommand::NewExchanged(_)) {
            let PerSide { white, black } = &mut self.players;
            std::mem::swap(white, black);
        }
    }

    fn on(&mut self) -> Effect {
        let button = if self.keys == Keys::Buttons { WHITE } else { BLACK };
        self.press(button, PressLength::Short)
    }

    fn choose_here(&mut self) -> Effect {
        let button = if self.keys == Keys::Buttons { BLACK } else { CALL };
        self.press(button, PressLength::Short)
    }

    /// The chosen line of the page.
    pub fn chosen(&mut self) -> String {
        let page = self.page();
        page.chosen.map_or_else(String::new, |at| page.lines[at as usize].clone())
    }

    /// Holds what opens the menu.
    pub fn hold(&mut self) -> Effect {
        match self.keys {
            Keys::Buttons => self.hold_both(),
            Keys::ButtonsAndCall | Keys::RockerAndCall => self.press(CALL, PressLength::Long),
        }
    }

    /// Presses the tile that begins with this text, or goes on to such a line and chooses it. If the
    /// page has neither, it first goes to the rest of the menu, or from the steps of a correction to
    /// its exact form.
    pub fn choose(&mut self, text: &str) -> Effect {
        let page = self.page();
        if page.is_tiles() {
            let tile = page.hints.iter().find(|hint| hint.action.starts_with(text));
            return match tile.and_then(|hint| hint.button) {
                Some(MenuButton::CallHeld | MenuButton::BothHeld) | None => {
                    self.hold();
                    if text == self.words().more { Effect::None } else { self.choose(text) }
                }
                Some(button) => self.press(self.wired(button), PressLength::Short),
            };
        }
        if page.number == STEPS {
            self.exact();
        }
        let mut seen = Vec::new();
        for _ in 0..120 {
            let line = self.chosen();
            if line.trim_start_matches([' ', '•']).starts_with(text) {
                return self.choose_here();
            }
            seen.push(line);
            self.on();
        }
        let more = self.words().more;
        assert!(seen.iter().any(|line| line == more), "no `{text}` in {seen:?}");
        self.choose(more);
        self.choose(text)
    }

    /// Goes from the steps of a correction to its exact form.
    pub fn exact(&mut self) {
        if self.page().number == STEPS {
            let steps = if self.keys == Keys::ButtonsAndCall { 4 } else { 8 };
            (0..steps).for_each(|_| _ = self.choose_here());
            self.on();
        }
        assert_eq!(self.page().number, 21);
    }

    /// The button of a tile, by its wiring.
    fn wired(&self, button: MenuButton) -> Button {
        let exchanged = self.game.buttons_exchanged();
        match button {
            MenuButton::White if exchanged => BLACK,
            MenuButton::Black if exchanged => WHITE,
            MenuButton::White => WHITE,
            MenuButton::Black => BLACK,
            _ => CALL,
        }
    }

    /// Chooses these lines one after the other, and returns the last effect.
    pub fn choose_all(&mut self, texts: &[&str]) -> Effect {
        texts.iter().map(|text| self.choose(text)).last().unwrap()
    }

    /// Opens the menu, which has closed by itself, and chooses these lines.
    pub fn open_and_choose(&mut self, texts: &[&str]) -> Effect {
        assert!(!self.menu.is_open(), "{:?}", self.page());
        self.open().unwrap();
        self.choose_all(texts)
    }

    /// Enters digits on the page of digits, and takes them.
    pub fn enter(&mut self, digits: &str) {
        for digit in digits.chars() {
            for _ in 0..=10 {
                if self.chosen().contains(&format!("[{digit}]")) {
                    break;
                }
                self.nearer(digit);
            }
            assert!(self.chosen().contains(&format!("[{digit}]")), "{digit}");
            self.choose_here();
        }
    }

    /// One press towards this digit, on the shorter way if there is a key back.
    fn nearer(&mut self, digit: char) {
        let line = self.chosen();
        let now = line.split('[').nth(1).and_then(|rest| rest.chars().next()).unwrap();
        let up = (digit.to_digit(10).unwrap() + 10 - now.to_digit(10).unwrap()) % 10;
        match self.keys == Keys::ButtonsAndCall && up > 5 {
            true => self.press(WHITE, PressLength::Short),
            false => self.on(),
        };
    }

    /// Enters a code of these letters.
    pub fn enter_code(&mut self, letters: &str) -> Effect {
        let mut effect = Effect::None;
        for letter in letters.chars() {
            let button = if letter == 'w' { WHITE } else { BLACK };
            effect = self.press(button, PressLength::Short);
        }
        if self.keys == Keys::Buttons { effect } else { self.press(CALL, PressLength::Short) }
    }

    /// Waits until the page on which both players agree asks for their presses: if it has many
    /// lines, it first shows all of them.
    pub fn read_what_is_agreed(&mut self) {
        assert_eq!(self.page().title, self.words().access.both_agree);
        let agree = self.words().keys.agree;
        while !self.page().hints.iter().any(|hint| hint.action == agree) {
            self.wait(1);
        }
    }

    pub fn both_agree(&mut self) -> Effect {
        self.read_what_is_agreed();
        self.press(WHITE, PressLength::Short);
        self.press(BLACK, PressLength::Short)
    }
}

/// Checks the limits of a page.
pub fn check(page: &MenuPage) {
    let fits = |text: &String| text.chars().count() <= LINE_LENGTH;
    assert!(page.lines.len() <= VISIBLE_LINES && page.lines.iter().all(fits), "{page:?}");
    assert!(fits(&page.title) && !page.title.is_empty(), "{page:?}");
    assert!(page.chosen.is_none_or(|at| (at as usize) < page.lines.len()), "{page:?}");
    // No button does anything on the page that says that the menu is closed.
    let has_hints = !page.hints.is_empty() || page.number == 44;
    assert!((1..=99).contains(&page.number) && has_hints, "{page:?}");
    let longest = if page.is_tiles() { LINE_LENGTH } else { 12 };
    for hint in &page.hints {
        assert!(hint.action.chars().count() <= longest, "{hint:?}");
    }
    for line in [&page.segments.0, &page.segments.1] {
        let shown = |c: char| c.is_ascii_digit() || "-. ".contains(c);
        assert!(line.chars().count() <= SEGMENTS && line.chars().all(shown), "{line} {page:?}");
    }
}
