//! The menu: the open pages, and what a press does on the last of them.

use crate::access::{self, Gate};
use crate::code::Tries;
use crate::config::{MenuConfig, When};
use crate::context::Context;
use crate::effect::{Effect, Given};
use crate::item::Does;
use crate::key::{Key, Keys, Press};
use crate::page::Page;
use crate::pages::{Agree, Code, Input, PageState, Report};
use crate::situation::Situation;
use crate::words;
use clock_engine::{Instant, Phase, Span};
use std::fmt;

/// The menu closes after this time without a press.
const TIMEOUT: Span = Span::from_secs(30);
/// The menu closes this long before a scheduled start, and does not open any more.
const BEFORE_START: Span = Span::from_secs(10);
/// The most pages that are open one above another. The pages themselves need fewer.
const MAX_DEPTH: usize = 16;

/// An open page, and the index of its chosen line.
#[derive(Clone, Debug)]
struct OpenPage {
    state: PageState,
    chosen: usize,
}

/// The menu of the clock.
///
/// The value lives as long as the clock, because it counts the wrong codes. It is closed at first.
#[derive(Clone, Debug)]
pub struct Menu {
    config: MenuConfig,
    keys: Keys,
    /// The open pages; the last one is shown. Empty while the menu is closed.
    pages: Vec<OpenPage>,
    /// Whether the arbiter's code was entered since the menu was opened.
    unlocked: bool,
    tries: Tries,
    last_press: Instant,
    /// When the menu closes because of a scheduled start.
    closes_at: Option<Instant>,
}

/// Why the menu does not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOpened {
    /// `when` in the configuration does not allow it now.
    Configured(When),
    /// A clock runs.
    Running,
    /// A scheduled start is less than 10 s away.
    StartIsNear,
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotOpened::Configured(When::Off) => "the menu is off in the configuration",
            NotOpened::Configured(_) => "the menu opens only between games",
            NotOpened::Running => "the menu opens only while both clocks stand",
            NotOpened::StartIsNear => "the scheduled start is less than 10 s away",
        })
    }
}

impl Menu {
    /// A closed menu.
    pub fn new(config: MenuConfig, keys: Keys) -> Menu {
        Menu {
            config,
            keys,
            pages: Vec::new(),
            unlocked: false,
            tries: Tries::default(),
            last_press: Instant::ZERO,
            closes_at: None,
        }
    }

    /// Whether the menu is open, so that presses belong to it.
    pub fn is_open(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Opens the menu with its first page. An open menu begins again with it.
    ///
    /// # Errors
    ///
    /// The configuration, a running clock or a scheduled start forbids it.
    pub fn open(&mut self, now: Instant, situation: &Situation) -> Result<(), NotOpened> {
        self.check_phase(situation.phase())?;
        let left = situation.until_start.map(|until| until.minus(BEFORE_START));
        if left == Some(Span::ZERO) {
            return Err(NotOpened::StartIsNear);
        }
        self.close();
        self.closes_at = left.and_then(|left| now.checked_add(left));
        self.last_press = now;
        self.push(PageState::first(situation.phase()));
        Ok(())
    }

    /// Refuses a phase in which the menu is never open.
    fn check_phase(&self, phase: Phase) -> Result<(), NotOpened> {
        match (phase, self.config.when) {
            (Phase::Running, _) => Err(NotOpened::Running),
            (_, When::Always) | (Phase::Ready | Phase::Over, When::BetweenGames) => Ok(()),
            (_, when) => Err(NotOpened::Configured(when)),
        }
    }

    /// Closes the menu, for example because a command was accepted over D-Bus. Nothing changes.
    pub fn close(&mut self) {
        self.pages.clear();
        self.unlocked = false;
        self.closes_at = None;
    }

    /// When [`Menu::timeout`] is due; `None` while the menu is closed.
    pub fn deadline(&self) -> Option<Instant> {
        let idle = self.last_press.checked_add(TIMEOUT).filter(|_| self.is_open());
        [idle, self.closes_at].into_iter().flatten().min()
    }

    /// Closes the menu if its deadline has passed.
    pub fn timeout(&mut self, now: Instant) -> Effect {
        match self.deadline() {
            Some(deadline) if now >= deadline => {
                self.close();
                Effect::Close
            }
            _ => Effect::None,
        }
    }

    /// The page that is shown; `None` while the menu is closed.
    pub fn page(&self, now: Instant, situation: &Situation) -> Option<Page> {
        let context = self.context(situation);
        let OpenPage { state, chosen } = self.pages.last()?;
        Some(state.shown(&context, *chosen, self.tries.wait(now)))
    }

    /// Handles a press.
    pub fn key(&mut self, press: Press, now: Instant, situation: &Situation) -> Effect {
        let is_due = self.deadline().is_some_and(|deadline| now >= deadline);
        if !self.is_open() {
            return Effect::None;
        }
        if press.key == Key::Leave || is_due || self.check_phase(situation.phase()).is_err() {
            self.close();
            return Effect::Close;
        }
        self.last_press = now;
        let (tries, Some(shown)) = (self.tries, self.pages.last_mut()) else { return Effect::None };
        let context =
            Context { config: &self.config, keys: self.keys, situation, unlocked: self.unlocked };
        let input = shown.state.input(&context, &mut shown.chosen, press, tries.wait(now));
        self.take(input, now, situation)
    }

    /// Shows the report of the commands that were given, or the refusal of one of them. Returns
    /// [`Effect::Close`] if a clock runs now, or if the menu opens only between games and a result
    /// was taken back.
    pub fn answered(
        &mut self,
        answer: Result<&str, &str>,
        now: Instant,
        situation: &Situation,
    ) -> Effect {
        if !self.is_open() {
            return Effect::None;
        }
        self.last_press = now;
        if self.check_phase(situation.phase()).is_err() {
            self.close();
            return Effect::Close;
        }
        let (done, text) = match answer {
            Ok(report) => (true, report),
            Err(refusal) => (false, refusal),
        };
        // The phase can be another one now, and with it the first page.
        self.pages.clear();
        self.push(PageState::first(situation.phase()));
        self.push(PageState::Report(Report::new(done, text)));
        Effect::None
    }

    /// Shows a text on a page of its own, such as that an own control could not be written.
    pub fn note(&mut self, text: &str) {
        if self.is_open() {
            self.push(PageState::Report(Report::note(text)));
        }
    }

    fn context<'a>(&'a self, situation: &'a Situation<'a>) -> Context<'a> {
        Context { config: &self.config, keys: self.keys, situation, unlocked: self.unlocked }
    }

    fn push(&mut self, state: PageState) {
        if self.pages.len() < MAX_DEPTH {
            self.pages.push(OpenPage { state, chosen: 0 });
        }
    }

    /// Does what the press on the shown page means.
    fn take(&mut self, input: Input, now: Instant, situation: &Situation) -> Effect {
        match input {
            Input::Nothing => {}
            Input::Close => {
                self.close();
                return Effect::Close;
            }
            Input::Chosen(does) => return self.chosen(does, situation),
            Input::Entered(value) => {
                let Some(OpenPage { state: PageState::Digits(digits), .. }) = self.pages.pop()
                else {
                    return Effect::None;
                };
                if let (Some(value), Some(form)) = (value, self.pages.last_mut()) {
                    form.state.take_value(digits.field, value);
                }
            }
            Input::BothAgree(given) => return self.give(*given),
            Input::Code(code) => return self.code(&code, now),
        }
        Effect::None
    }

    fn chosen(&mut self, does: Does, situation: &Situation) -> Effect {
        match does {
            Does::Nothing => {}
            Does::Back if self.pages.len() < 2 => {
                self.close();
                return Effect::Close;
            }
            Does::Back => {
                self.pages.pop();
            }
            Does::Open(page, false) => self.push(*page),
            Does::Open(page, true) => self.push(PageState::Code(Code::before(*page))),
            Does::Effect(effect) => return *effect,
            Does::EffectAndOpen(effect, page) => {
                self.push(*page);
                return *effect;
            }
            Does::Change(change) => {
                if let Some(shown) = self.pages.last_mut() {
                    shown.state.change(change, situation);
                }
            }
            Does::Give(given) => return self.confirmed(*given, situation),
        }
        Effect::None
    }

    /// One player has confirmed the commands. They are given now, or after the code, or after the
    /// other player has agreed.
    fn confirmed(&mut self, mut given: Given, situation: &Situation) -> Effect {
        let context = self.context(situation);
        let both = access::needs_both(&context, &given);
        match context.gate(access::need_of(&given)) {
            Gate::Closed => return Effect::None,
            Gate::Code => {
                // The page is shown again after the code.
                let Some(page) = self.pages.pop() else { return Effect::None };
                self.push(PageState::Code(Code::before(page.state)));
                return Effect::None;
            }
            Gate::Open => {}
        }
        if both {
            given.reason = words::BOTH_PRESSED.to_owned();
            let agree = Agree::new(access::with_confirmations(given));
            self.push(PageState::Agree(Box::new(agree)));
            return Effect::None;
        }
        if self.unlocked {
            given.reason = words::WITH_CODE.to_owned();
        }
        self.give(given)
    }

    fn give(&mut self, given: Given) -> Effect {
        // Only the answer can come next, so that nothing is given twice.
        self.pages.clear();
        self.push(PageState::Waiting);
        Effect::Give(Box::new(given))
    }

    fn code(&mut self, code: &Code, now: Instant) -> Effect {
        let is_right = self.config.code.as_ref().is_some_and(|right| right.is(code.presses()));
        self.pages.pop();
        if is_right {
            self.tries.right();
            self.unlocked = true;
            self.push(code.page().clone());
            return Effect::None;
        }
        let tries = self.tries.wrong(now);
        self.push(PageState::Code(code.again()));
        Effect::WrongCode { tries }
    }
}
