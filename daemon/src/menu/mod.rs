//! The menu at the clock: reads its events from the clock loop, shows its pages on the bus, and
//! gives its commands.
//!
//! The pages are those of the crate `clockd_menu`, which has no I/O. This module gives it its
//! [`Situation`], carries out its [`Effect`]s, and keeps the players' own controls and the settings of
//! the face in a file.

mod addresses;
mod backup;
mod command;
mod situation;
mod state_file;
mod writer;

use crate::bus::shared_state::SharedState;
use clock_controls::NamedRules;
use clock_dbus::{MenuPage, MenuSettings, MenuState};
use clock_engine::{Instant, Phase, Span};
use clock_languages::Language;
use clockd_core::{MenuEvent, MenuRequest};
use clockd_menu::{
    Answer, BackupOutcome, Effect, Failure, Keys, Menu, MenuConfig, Setting, Situation,
};
use clockd_rt::channel::{Receiver, listen};
use clockd_rt::clock::{ClockReadings, monotonic_now, realtime_now};
use situation::OwnedSituation;
use state_file::{Kept, StateFile};
use std::future::pending;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use writer::{Awaited, Writer};

/// At this interval, the page of an open menu is made anew, because the page can show a time to
/// wait. While a start is scheduled, the time that is left is also computed again at this interval,
/// because a time service can set the wall clock.
const REDRAW: Duration = Duration::from_secs(1);
/// At this interval, the page of a menu that is about to open says how much of the hold has passed.
const REDRAW_HOLD: Duration = Duration::from_millis(100);

#[derive(Clone, Copy)]
enum Held {
    No,
    /// It began at this instant.
    Since(Instant),
    /// It has lasted long enough and must be released.
    LongEnough,
}

/// What the menu of this clock is made of.
pub struct Setup {
    pub config: MenuConfig,
    /// The keys of the board; `None` if no menu can be worked with it.
    pub keys: Option<Keys>,
    /// The rule profile of a game with an arbiter; `None` if the configuration names no profile.
    pub configured_rules: Option<Arc<NamedRules>>,
}

/// The menu with everything that it needs of the daemon.
pub struct MenuService {
    shared: Arc<SharedState>,
    /// `None` if no menu can be worked with the board.
    menu: Option<Menu>,
    /// How long the press that opens the menu lasts.
    hold: Span,
    /// The language of the face and of the pages while none was chosen at the clock.
    configured_language: Language,
    configured_rules: Option<Arc<NamedRules>>,
    kept: Kept,
    file: Option<StateFile>,
    answer: Awaited<Answer>,
    backup: Awaited<BackupOutcome>,
    writer: Writer,
    /// Whether a control or a setting was changed and is not written yet. A change of the number of
    /// wrong codes does not count.
    sets: bool,
    /// What was last requested with [`MenuRequest::MayOpen`].
    may_open: bool,
    held: Held,
    /// What the pages show of the clock, read again before each press.
    situation: OwnedSituation,
}

impl MenuService {
    /// The menu, which is closed. `folder` is the state folder, if there is one.
    pub fn new(shared: Arc<SharedState>, setup: Setup, folder: Option<&Path>) -> MenuService {
        let file = folder.map(StateFile::in_folder);
        let kept = file.as_ref().map(StateFile::load).unwrap_or_else(|| Ok(Kept::default()));
        let kept = kept.unwrap_or_else(|error| {
            tracing::warn!(%error, "the controls and settings of the menu cannot be read");
            Kept::default()
        });
        let Setup { config, keys, configured_rules } = setup;
        let configured_language = config.language;
        let hold = config.opening.hold();
        let menu = keys.map(|keys| Menu::new(config, keys, kept.wrong_codes, monotonic_now()));
        let service = MenuService {
            shared,
            menu,
            hold,
            configured_language,
            configured_rules,
            kept,
            file,
            answer: Awaited::default(),
            backup: Awaited::default(),
            writer: Writer::default(),
            sets: false,
            may_open: false,
            held: Held::No,
            situation: OwnedSituation::new(),
        };
        service.show_settings();
        service
    }

    /// Serves the menu for ever.
    ///
    /// # Errors
    ///
    /// The events cannot be waited for, which is an error of the program.
    pub async fn serve(mut self: Box<Self>, events: Receiver<MenuEvent>) -> io::Result<()> {
        let mut events = listen(events)?;
        let shared = Arc::clone(&self.shared);
        let mut state = shared.changes.subscribe();
        loop {
            self.follow_start();
            tokio::select! {
                ready = events.readable_mut() => {
                    let mut ready = ready?;
                    ready.clear_ready();
                    let events = ready.get_inner_mut();
                    events.clear_notification();
                    while let Some(event) = events.pop() {
                        self.event(event);
                    }
                }
                _ = state.changed() => {}
                () = deadline(self.menu.as_ref().and_then(Menu::deadline)) => self.timeout(),
                () = sleep(REDRAW_HOLD), if matches!(self.held, Held::Since(_)) => {}
                () = sleep(REDRAW), if self.is_open() || self.until_start().is_some() => {}
                answer = self.answer.received() => {
                    let answer = answer.unwrap_or(Err(Failure::NoAnswer));
                    self.work(|menu, now, situation| menu.answered(answer, now, situation));
                }
                outcome = self.backup.received() => {
                    let outcome = outcome.unwrap_or_else(backup::no_answer);
                    self.work(|menu, now, situation| menu.backed_up(outcome, now, situation));
                }
                written = self.writer.written() => self.noted(written),
            }
            self.show();
        }
    }

    /// Reads again how much time is left until the scheduled start. Tells the clock loop whether a
    /// long press may open the menu, if this has changed.
    fn follow_start(&mut self) {
        let until_start = self.until_start();
        let Some(menu) = &mut self.menu else { return };
        menu.follow_start(monotonic_now(), until_start);
        let (phase, _) = self.shared.commands.phase_and_revision();
        // The loop itself opens no menu while a clock runs. So a running clock is treated like a
        // paused one here. Otherwise each pause would cause two further requests.
        let phase = if phase == Phase::Running { Phase::Paused } else { phase };
        let may_open = menu.may_open(phase, until_start);
        if may_open != self.may_open
            && self.shared.commands.menu_request(MenuRequest::MayOpen(may_open))
        {
            self.may_open = may_open;
        }
    }

    fn is_open(&self) -> bool {
        self.menu.as_ref().is_some_and(Menu::is_open)
    }

    /// The time until the scheduled start that is still awaited; `None` if there is none, or if the
    /// wall time is not known.
    fn until_start(&self) -> Option<Span> {
        let start = self.shared.commands.awaited_start()?;
        let now = ClockReadings::read();
        let left = start.realtime_nsec.saturating_sub(now.realtime_ns);
        now.is_wall_time_known.then(|| Span::from_nanos(left))
    }

    fn event(&mut self, event: MenuEvent) {
        let test = &self.shared.button_test;
        match event {
            MenuEvent::TestBegan(_) => return test.answered(true),
            MenuEvent::TestRefused(_) => return test.answered(false),
            MenuEvent::Closed(why, _) if test.is_on() => {
                tracing::info!(?why, "the test of the buttons has ended");
                return test.closed(why);
            }
            _ => {}
        }
        self.held = match event {
            MenuEvent::HoldBegan(since) => Held::Since(since),
            MenuEvent::Hold(_) => Held::LongEnough,
            _ => Held::No,
        };
        match event {
            MenuEvent::Opened { by_players, .. } => {
                self.look(true);
                self.work(|menu, now, situation| {
                    if menu.open(now, situation, by_players) {
                        return Effect::None;
                    }
                    tracing::info!("the menu is not opened");
                    Effect::Close
                });
            }
            MenuEvent::Press(press) => self.work(|menu, now, situation| match menu.is_open() {
                true => menu.key(&press, now, situation),
                // The menu has closed while the press was on its way, so the loop must close it,
                // too.
                false => Effect::Close,
            }),
            MenuEvent::Repeat(button, at) => {
                self.work(|menu, now, situation| menu.repeat(button, at, now, situation));
            }
            MenuEvent::Closed(..) => _ = self.menu.as_mut().map(Menu::close),
            // The loop itself tells the program that tests the buttons of each press.
            _ => {}
        }
    }

    /// Lets the menu handle something with the clock as it is now, and carries out the effect. Closes
    /// the menu of the loop if there is no menu, or if the game cannot be read.
    fn work(&mut self, handle: impl FnOnce(&mut Menu, Instant, &Situation<'_>) -> Effect) {
        let now = monotonic_now();
        self.look(false);
        let situation = self.situation.borrowed(&self.kept, self.configured_rules.as_deref());
        let (Some(menu), Some(situation)) = (&mut self.menu, situation) else {
            return self.close_loop(now);
        };
        let effect = handle(menu, now, &situation);
        self.shared.commands.menu_request(MenuRequest::Acknowledge(now));
        self.carry_out(effect, now);
    }

    fn look(&mut self, with_library: bool) {
        self.situation.read(&self.shared, self.until_start(), with_library);
    }

    fn close_loop(&self, at: Instant) {
        self.shared.commands.menu_request(MenuRequest::Close(at));
    }

    fn timeout(&mut self) {
        let now = monotonic_now();
        let Some(menu) = &mut self.menu else { return };
        let effect = menu.timeout(now);
        self.carry_out(effect, now);
    }

    fn carry_out(&mut self, effect: Effect, now: Instant) {
        match effect {
            Effect::None => {}
            Effect::Close => self.close_loop(now),
            Effect::Give(command) => {
                let (shared, rules) = (Arc::clone(&self.shared), self.configured_rules.clone());
                self.answer.start(async move { command::give(&shared, rules, *command).await });
            }
            Effect::Store(control) => {
                self.sets = true;
                self.kept.keep(*control);
                if self.file.is_none() {
                    self.noted(Err(io::Error::other("there is no state folder")));
                }
                self.store();
            }
            Effect::Set(setting) => {
                self.sets = true;
                match setting {
                    Setting::Sound(sound) => self.kept.settings.sound = sound,
                    Setting::Brightness(brightness) => {
                        self.kept.settings.brightness = brightness;
                        self.kept.brightness_set_at = brightness.map(|_| realtime_now());
                    }
                    Setting::Language(language) => self.kept.settings.language = Some(language),
                }
                self.show_settings();
                self.store();
            }
            // If a backup is being made already, its result is the answer to this request, too.
            Effect::BackUp if self.backup.is_awaited() => {}
            Effect::BackUp => self.backup.start(backup::request(backup::socket())),
            Effect::CodeEntered { wrong_codes } => {
                if wrong_codes > 0 {
                    tracing::warn!(wrong_codes, "a wrong arbiter's code was entered at the clock");
                    self.shared.commands.menu_request(MenuRequest::WrongCode(now));
                }
                self.kept.wrong_codes = wrong_codes;
                self.store();
            }
        }
    }

    fn store(&mut self) {
        if let Some(file) = &self.file {
            self.writer.store(file.clone(), self.kept.clone());
        }
    }

    fn noted(&mut self, written: io::Result<()>) {
        let Err(error) = written else {
            self.sets = false;
            return;
        };
        tracing::warn!(%error, "the controls and settings of the menu cannot be written");
        // If only the number of wrong codes was to be written, no note is shown. It would cover the
        // page, and the player has set nothing.
        let sets = std::mem::take(&mut self.sets);
        if let Some(menu) = self.menu.as_mut().filter(|_| sets) {
            menu.kept_until_start();
        }
    }

    fn show_settings(&self) {
        let Kept { settings, brightness_set_at, .. } = self.kept;
        let settings = MenuSettings {
            sound: settings.sound,
            brightness_percent: settings.brightness,
            set_at_realtime_nsec: brightness_set_at,
            language: settings.language.unwrap_or(self.configured_language),
        };
        self.shared
            .menu
            .send_if_modified(|menu| std::mem::replace(&mut menu.settings, settings) != settings);
    }

    fn closed_page(&self) -> MenuPage {
        let (state, number) = match self.held {
            Held::No => (MenuState::Closed, 0),
            Held::LongEnough => (MenuState::Release, 0),
            Held::Since(since) => {
                let passed = monotonic_now().since(since).as_nanos();
                let percent = passed.saturating_mul(100) / self.hold.as_nanos().max(1);
                (MenuState::Hold, u32::try_from(percent.min(100)).unwrap_or(100))
            }
        };
        MenuPage { state, number, ..MenuPage::default() }
    }

    /// Shows the page on the bus if it has changed.
    fn show(&mut self) {
        let page = if self.shared.button_test.is_on() {
            let language = self.kept.settings.language.unwrap_or(self.configured_language);
            Some(clockd_menu::button_test_page(language))
        } else if self.is_open() {
            self.look(false);
            let situation = self.situation.borrowed(&self.kept, self.configured_rules.as_deref());
            let page = self.menu.as_ref().zip(situation);
            page.and_then(|(menu, situation)| menu.page(monotonic_now(), &situation))
        } else {
            None
        };
        let page = page.unwrap_or_else(|| self.closed_page());
        self.shared.menu.send_if_modified(|menu| {
            let changes = menu.page != page;
            if changes {
                menu.page = page;
            }
            changes
        });
    }
}

/// Waits until this instant; for ever if it is `None`.
async fn deadline(at: Option<Instant>) {
    match at {
        Some(at) => sleep(Duration::from_nanos(at.since(monotonic_now()).as_nanos())).await,
        None => pending().await,
    }
}
