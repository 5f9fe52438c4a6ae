//! What the tests of the menu at the clock have in common: players who see only the page, and
//! press only the three simulated buttons.

use super::*;
use clock_dbus::{MENU_INTERFACE, MenuButton, MenuPage, MenuProxy, MenuSettings, MenuState};
use clock_tests::{Buttons, DEADLINE, Supervisor};
use serde_json::Value;
use std::ffi::OsStr;
use std::process::Command;
use zbus::proxy::CacheProperties;

/// The shipped configuration.
const SHIPPED: &str = include_str!("../../../configs/clockd.toml");
const RASPBERRY_PI: &str = include_str!("../../../configs/wiring/raspberry-pi.toml");
/// No line of the menu is this many presses away from another.
const MOST_PRESSES: usize = 120;

/// What a signal `PropertiesChanged` has of the page.
#[derive(zbus::DeserializeDict, zbus::Type)]
#[zbus(signature = "a{sv}")]
struct Changes {
    #[zbus(rename = "Page")]
    page: Option<MenuPage>,
}

/// A clock on the shipped configuration, and its players.
pub struct Table {
    pub fixture: Fixture,
    pub buttons: Buttons,
    /// The page as the latest signal has it.
    pub page: MenuPage,
    /// How many presses were made in the menu.
    pub presses: usize,
    signals: MessageStream,
    /// Keeps the memory of clockd over a restart, as systemd does. `None` before a call of
    /// [`Table::supervised`].
    supervisor: Option<Supervisor>,
}

/// The shipped configuration with `menu`, which is a table of TOML, as its table `[menu]`. The
/// debounce times are so short that a press takes a fraction of a millisecond, and the menu is
/// opened by the shortest hold, if `menu` names no other.
fn configuration(menu: &str) -> toml::Table {
    let mut config: toml::Table = SHIPPED.parse().unwrap();
    let fast = ["settle", "longest_bounce", "release"].map(|key| (key.to_owned(), "10us".into()));
    config.insert("debounce".to_owned(), toml::Table::from_iter(fast).into());
    let mut menu: toml::Table = menu.parse().unwrap();
    menu.entry("hold").or_insert("1s".into());
    config.insert("menu".to_owned(), menu.into());
    config
}

impl Table {
    /// A clock that was just switched on. `menu` has further keys of the table `[menu]`.
    pub async fn with(menu: &str) -> Table {
        Table::of(configuration(menu), RASPBERRY_PI).await
    }

    /// A table whose clock has this time control and this rule profile in place of those of the
    /// shipped configuration.
    pub async fn with_game(control: &str, rules: &str, menu: &str) -> Table {
        Table::with_game_on_board([control, rules], menu, RASPBERRY_PI).await
    }

    /// The same with the wiring of this text.
    pub async fn with_game_on_board(game: [&str; 2], menu: &str, wiring: &str) -> Table {
        let mut config = configuration(menu);
        for (key, value) in ["control", "rules"].into_iter().zip(game) {
            config.insert(key.to_owned(), value.into());
        }
        Table::of(config, wiring).await
    }

    /// A clock that was just switched on, with the wiring of this text.
    pub async fn on_board(menu: &str, wiring: &str) -> Table {
        Table::of(configuration(menu), wiring).await
    }

    async fn of(config: toml::Table, wiring: &str) -> Table {
        let bench = Bench::in_memory().unwrap();
        bench.configure(&config.to_string()).unwrap();
        std::fs::create_dir(bench.folder().join("wiring")).unwrap();
        std::fs::write(bench.folder().join("wiring/raspberry-pi.toml"), wiring).unwrap();
        std::fs::write(bench.folder().join("display.toml"), "[buzzer]\nenabled = true\n").unwrap();
        for folder in ["state", "backlight", "backlight/panel"] {
            std::fs::create_dir(bench.folder().join(folder)).unwrap();
        }
        let bus = bench.bus().unwrap();
        let clockd = bench.start(clockd(&bench)).unwrap();
        let connection = connection::Builder::address(bench.address().as_str());
        let connection = connection.method_timeout(Duration::from_secs(10)).build().await.unwrap();
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .path(clock_dbus::PATH)
            .member("PropertiesChanged")
            .arg(0, MENU_INTERFACE)
            .build()
            .unwrap();
        let signals = MessageStream::for_match_rule(rule, &connection, None).await.unwrap();
        let buttons = bench.buttons().unwrap();
        let fixture = Fixture { bench, bus, clockd, connection };
        let (page, supervisor) = (MenuPage::default(), None);
        let mut table = Table { fixture, buttons, page, presses: 0, signals, supervisor };
        assert_eq!(table.state().await.faults, [], "{}", table.fixture.bench.log());
        table.page = table.menu().await.page().await.unwrap();
        table
    }

    /// Restarts clockd so that its memory is kept from now on, as systemd keeps it.
    pub async fn supervised(&mut self) {
        self.fixture.clockd.kill().unwrap();
        let command = clockd(&self.fixture.bench);
        let folder = self.fixture.bench.folder();
        let owned = |text: &OsStr| text.to_owned();
        let variables = command.get_envs().filter_map(|(name, of)| Some((owned(name), owned(of?))));
        let variables: Vec<_> = variables.collect();
        let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let program = command.get_program().to_owned();
        let supervisor = Supervisor::new(folder, move || {
            let mut command = Command::new(&program);
            command.args(&arguments).envs(variables.iter().cloned());
            command
        });
        self.supervisor.insert(supervisor.unwrap()).start().unwrap();
        self.reopen().await;
    }

    /// Kills clockd as `kill -9` does, and starts it again. After [`Table::supervised`], `keeps`
    /// says whether its memory is kept.
    pub async fn kill_and_restart_with(&mut self, keeps: bool) {
        let supervisor = self.supervisor.as_mut().unwrap();
        supervisor.kill().unwrap();
        if !keeps {
            supervisor.forget_kept();
        }
        supervisor.start().unwrap();
        self.reopen().await;
    }

    /// Kills clockd as `kill -9` does, and starts it again without kept memory.
    pub async fn kill_and_restart(&mut self) {
        self.stop();
        self.start().await;
    }

    /// Kills clockd as `kill -9` does.
    pub fn stop(&mut self) {
        self.fixture.clockd.kill().unwrap();
    }

    /// Starts clockd after [`Table::stop`].
    pub async fn start(&mut self) {
        self.fixture.clockd = self.fixture.bench.start(clockd(&self.fixture.bench)).unwrap();
        self.reopen().await;
    }

    /// Connects to the buttons and reads the page of a clock that was just started.
    async fn reopen(&mut self) {
        self.buttons = self.fixture.bench.buttons().unwrap();
        self.page = self.menu().await.page().await.unwrap();
    }

    async fn menu(&self) -> MenuProxy<'_> {
        let proxy = MenuProxy::builder(&self.fixture.connection);
        proxy.cache_properties(CacheProperties::No).build().await.unwrap()
    }

    pub async fn settings(&self) -> MenuSettings {
        self.menu().await.settings().await.unwrap()
    }

    pub async fn state(&self) -> State {
        self.fixture.state().await
    }

    /// Waits until the page changes. How much of a hold has passed does not count.
    async fn next_page(&mut self) {
        self.next_page_that(|page| page.state != MenuState::Hold).await;
    }

    /// Waits until the page says how much of a hold has passed.
    pub async fn hold_is_shown(&mut self) {
        self.next_page_that(|page| page.state == MenuState::Hold).await;
    }

    /// Waits for the next page for which `is` returns `true`.
    async fn next_page_that(&mut self, is: impl Fn(&MenuPage) -> bool) {
        let next = async {
            loop {
                let message = self.signals.next().await.unwrap().unwrap();
                let body = message.body();
                let (_, changes, _): (String, Changes, Vec<String>) = body.deserialize().unwrap();
                if let Some(page) = changes.page.filter(|page| is(page)) {
                    return page;
                }
            }
        };
        let page = tokio::time::timeout(DEADLINE, next).await;
        self.page = page.unwrap_or_else(|_| {
            panic!("the page does not change:\n{:?}\n{}", self.page, self.fixture.bench.log())
        });
    }

    /// Waits until `is` returns `true` for the page. Panics at the fifth page for which it does
    /// not.
    pub async fn page_when(&mut self, what: &str, is: impl Fn(&MenuPage) -> bool) {
        let mut seen = Vec::new();
        while !is(&self.page) {
            seen.push(self.page.title.clone());
            assert!(seen.len() < 5, "{what}: {seen:?}, {:?}", self.page);
            self.next_page().await;
        }
    }

    /// Waits for the page with this title.
    pub async fn titled(&mut self, title: &str) {
        self.page_when(title, |page| page.title == title).await;
    }

    /// Waits until the menu is closed.
    pub async fn closed(&mut self) {
        self.page_when("closed", |page| page.state == MenuState::Closed).await;
    }

    /// Holds the call button, and releases it when the page asks for it.
    pub async fn open(&mut self) {
        self.open_with(&["call"]).await;
    }

    /// As [`Table::open`], with these buttons held together.
    pub async fn open_with(&mut self, buttons: &[&str]) {
        self.down(buttons);
        self.page_when("release", |page| page.state == MenuState::Release).await;
        self.up(buttons);
        self.page_when("open", |page| page.state == MenuState::Open).await;
    }

    /// Presses these buttons, and does not release them.
    pub fn down(&mut self, buttons: &[&str]) {
        for button in buttons {
            self.buttons.edge(&format!("{button} down")).unwrap();
        }
    }

    /// Releases these buttons.
    pub fn up(&mut self, buttons: &[&str]) {
        buttons.iter().for_each(|button| self.buttons.release(button).unwrap());
    }

    /// Presses a button of the open menu, and waits for the page after it.
    pub async fn press(&mut self, button: &str) {
        self.presses += 1;
        self.buttons.tap(button).unwrap();
        self.next_page().await;
    }

    /// The chosen line.
    pub fn chosen(&self) -> &str {
        let line = self.page.chosen.and_then(|at| self.page.lines.get(usize::try_from(at).ok()?));
        line.unwrap_or_else(|| panic!("no line is chosen: {:?}", self.page))
    }

    /// What the page says above its choices. Texts that do not have room together turn.
    pub async fn said(&mut self) -> String {
        let first = self.page.lines.clone();
        let mut said = Vec::new();
        loop {
            let chosen = self.page.chosen.map_or(0, |at| usize::try_from(at).unwrap());
            said.extend_from_slice(&self.page.lines[..chosen]);
            if !self.page.more_above {
                return said.join(" ");
            }
            self.next_page().await;
            if self.page.lines == first {
                return said.join(" ");
            }
        }
    }

    /// The choices of the page in their order, from the chosen one on.
    pub async fn lines(&mut self) -> Vec<String> {
        let mut lines = vec![self.chosen().to_owned()];
        loop {
            self.press("black").await;
            if lines[0] == self.chosen() {
                return lines;
            }
            lines.push(self.chosen().to_owned());
            assert!(lines.len() < MOST_PRESSES, "{lines:?}");
        }
    }

    /// Holds the call button in the open menu, and waits for the page after it.
    pub async fn hold(&mut self) {
        self.presses += 1;
        self.buttons.edge("call down").unwrap();
        self.next_page().await;
        self.buttons.edge("call up").unwrap();
    }

    /// Presses the tile that begins with this text. If there is none, goes to the rest of the menu, and
    /// returns `false`.
    async fn tile(&mut self, text: &str) -> bool {
        let exchanged = self.state().await.buttons_exchanged;
        let tile = self.page.hints.iter().find(|hint| hint.action.starts_with(text));
        let button = match tile.and_then(|hint| hint.button) {
            Some(MenuButton::White) => ["white", "black"][usize::from(exchanged)],
            Some(MenuButton::Black) => ["black", "white"][usize::from(exchanged)],
            Some(MenuButton::Call) => "call",
            _ => {
                self.hold().await;
                return text == "More";
            }
        };
        self.press(button).await;
        true
    }

    /// Goes from the steps of a correction to its exact form.
    pub async fn exact(&mut self) {
        for button in ["call", "call", "call", "call", "black"] {
            self.press(button).await;
        }
    }

    /// Presses the tile that begins with this text, or goes on to such a line and chooses it.
    pub async fn choose(&mut self, text: &str) {
        if self.page.lines.is_empty() && self.tile(text).await {
            return;
        }
        // The page of the steps of a correction.
        if self.page.number == 48 {
            self.exact().await;
        }
        let mut seen = Vec::new();
        while !self.chosen().trim_start_matches([' ', '•']).starts_with(text) {
            seen.push(self.chosen().to_owned());
            assert!(seen.len() < MOST_PRESSES, "no {text}: {seen:?}");
            self.press("black").await;
        }
        self.press("call").await;
    }

    /// Chooses these lines one after the other.
    pub async fn choose_all(&mut self, texts: &[&str]) {
        for text in texts {
            self.choose(text).await;
        }
    }

    /// Enters digits on the page of digits. Changes each digit upwards or downwards, whichever
    /// needs fewer presses, and takes the value.
    pub async fn enter(&mut self, digits: &str) {
        for wanted in digits.chars() {
            let up = |line: &str| {
                let now = line.split('[').nth(1).and_then(|rest| rest.chars().next());
                let digit = |digit: char| digit.to_digit(10).unwrap();
                (digit(wanted) + 10 - digit(now.unwrap())) % 10
            };
            while up(self.chosen()) != 0 {
                let button = if up(self.chosen()) <= 5 { "black" } else { "white" };
                self.press(button).await;
            }
            self.press("call").await;
        }
    }

    /// Enters a code of these letters, and ends it with the call button: `w` is a press of White's
    /// button, any other letter is one of Black's.
    pub async fn enter_code(&mut self, letters: &str) {
        assert_eq!(self.page.title, "Arbiter's code");
        for letter in letters.chars() {
            self.press(if letter == 'w' { "white" } else { "black" }).await;
        }
        self.press("call").await;
    }

    /// Both players agree, each with a press, and the menu closes.
    pub async fn both_agree(&mut self) {
        assert_eq!(self.page.title, "Both agree?");
        // A long list is shown before the page asks for the presses.
        self.page_when("asked", |page| page.lines[0].contains("press your button")).await;
        self.press("white").await;
        self.page_when("agreed", |page| page.lines[0] == "White ✓").await;
        self.press("black").await;
        self.closed().await;
    }

    /// Presses a button that is one of the game, and waits for the state after it.
    pub async fn play(&mut self, button: &str) -> State {
        let at = self.buttons.tap(button).unwrap();
        self.state_when("the press", |state| state.at_nsec >= at).await
    }

    /// Waits until `is` returns `true` for the state. Returns this state.
    pub async fn state_when(&self, what: &str, is: impl Fn(&State) -> bool) -> State {
        self.fixture.state_when(what, is).await
    }

    /// The first 200 entries of the present game in the record, which then has every entry that the
    /// service has been told of by the clock loop.
    pub async fn entries(&self) -> Vec<Value> {
        let health = clock_dbus::HealthProxy::new(&self.fixture.connection).await.unwrap();
        while health.uncommitted_entries().await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
        let history = clock_dbus::HistoryProxy::new(&self.fixture.connection).await.unwrap();
        let texts = history.read_entries(0, 0, 200).await.unwrap();
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    /// As [`Table::entries`], but waits until there are `count`. The service shows a page before the
    /// clock loop makes the entry of what led to it.
    pub async fn entries_when(&self, count: usize) -> Vec<Value> {
        let reads = async {
            loop {
                let entries = self.entries().await;
                if entries.len() >= count {
                    return entries;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(DEADLINE, reads).await.expect("the record has the entries in time")
    }
}

/// The command that starts clockd with a state folder, as its unit does.
fn clockd(bench: &Bench) -> Command {
    let mut command = bench.clockd_command(&[]);
    command.env("STATE_DIRECTORY", bench.folder().join("state"));
    command.env("CHESS_CLOCK_BACKUP", bench.folder().join("backup.socket"));
    command.env("CHESS_CLOCK_FACE", bench.folder().join("display.toml"));
    command.env("CHESS_CLOCK_BACKLIGHTS", bench.folder().join("backlight"));
    command.env("CHESS_CLOCK_LOAD_FAILED", bench.folder().join("run/load-failed"));
    command
}
