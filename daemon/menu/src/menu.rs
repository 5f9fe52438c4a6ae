//! The menu: the open pages, and what a press does on the last of them.

mod answers;

use crate::access::{self, Gate};
use crate::agree::Agree;
use crate::code::Tries;
use crate::code_entry::CodeEntry;
use crate::config::{MenuConfig, When};
use crate::context::Context;
use crate::effect::{Effect, MenuCommand, Proposal};
use crate::key::{Key, Keys, Press};
use crate::list::{Awaited, LineAction, PageState};
use crate::page::{self, with_seconds};
use crate::pages::{first, report};
use crate::situation::Situation;
use crate::words;
use clock_dbus::MenuPage;
use clock_engine::{Instant, Phase, Side, Span};
use clockd_core::{Button, MenuPress, PressLength};

const TIMEOUT: Span = Span::from_secs(30);
/// The menu closes this long before a scheduled start, and does not open any more.
const BEFORE_START: Span = Span::from_secs(10);
/// For this time before it closes by itself, the menu says that it is closed, and takes no press. A
/// press that was meant for it then does not reach the game.
const CLOSED_FOR: Span = Span::from_secs(2);
/// For this time before that, the seconds are counted on the page.
const COUNTED: Span = Span::from_secs(10);
/// The arbiter's code is valid until the answer to a command, and for this time at most.
const UNLOCKED: Span = Span::from_secs(120);
/// The number of the page that says that the menu is closed.
const CLOSED: u32 = 44;

/// An open page, and the index of its chosen line; `None` until the cursor was moved.
#[derive(Clone)]
struct OpenPage {
    state: PageState,
    chosen: Option<usize>,
}

/// The menu of the clock.
///
/// The value lives as long as the clock, because it counts the wrong codes. It is closed at first.
#[derive(Clone)]
pub struct Menu {
    config: MenuConfig,
    board: Keys,
    keys: Keys,
    /// The open pages; the last one is shown. Empty while the menu is closed.
    pages: Vec<OpenPage>,
    /// The instant until which the entered code is valid; `None` if no code was entered.
    unlocked_until: Option<Instant>,
    /// How many codes were wrong before the latest right one. The record has the number in the
    /// reason of each command that is given with the code.
    wrong_before: u32,
    tries: Tries,
    last_press: Instant,
    /// When the page on top was opened or shown again. An earlier press chooses no tile.
    shown_at: Instant,
    /// The button and the stamp of the latest press that was repeated.
    repeated: Option<(Button, Instant)>,
    /// When the menu closes because of a scheduled start.
    closes_at: Option<Instant>,
}

impl Menu {
    /// A closed menu. `wrong_codes` is the latest number that the caller got with
    /// [`Effect::CodeEntered`], or 0. If there is a wait after so many wrong codes, it begins anew.
    pub fn new(config: MenuConfig, keys: Keys, wrong_codes: u32, now: Instant) -> Menu {
        Menu {
            config,
            board: keys,
            keys,
            pages: Vec::new(),
            unlocked_until: None,
            wrong_before: 0,
            tries: Tries::after(wrong_codes, now),
            last_press: Instant::ZERO,
            shown_at: Instant::ZERO,
            repeated: None,
            closes_at: None,
        }
    }

    /// Whether the menu is open, so that presses belong to it.
    pub fn is_open(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Whether the menu may open in this phase, with this time until the scheduled start, if there
    /// is one. The loop needs it as [`MenuRequest::MayOpen`](clockd_core::MenuRequest::MayOpen).
    pub fn may_open(&self, phase: Phase, until_start: Option<Span>) -> bool {
        self.may_be_open(phase) && until_start.is_none_or(|until| until > BEFORE_START)
    }

    /// Opens the menu with its first page. An open menu begins again with it. `by_players` says
    /// whether the buttons of both players have opened it, and not the call button. `false` if it may
    /// not open ([`Menu::may_open`]). The caller then asks the loop to close the menu.
    pub fn open(&mut self, now: Instant, situation: &Situation, by_players: bool) -> bool {
        if !self.may_open(situation.phase(), situation.until_start) {
            return false;
        }
        self.close();
        self.keys = self.board.opened(by_players);
        (self.last_press, self.shown_at) = (now, now);
        self.push(PageState::list(first::list));
        self.follow_start(now, situation.until_start);
        true
    }

    /// Takes the time until the scheduled start anew, because the wall clock can be set while the
    /// menu is open.
    pub fn follow_start(&mut self, now: Instant, until_start: Option<Span>) {
        if self.is_open() {
            let left = until_start.map(|until| until.minus(BEFORE_START));
            self.closes_at = left.and_then(|left| now.checked_add(left));
        }
    }

    /// Whether an open menu stays open in this phase.
    fn may_be_open(&self, phase: Phase) -> bool {
        match self.config.when {
            _ if phase == Phase::Running => false,
            When::Off => false,
            When::BetweenGames => matches!(phase, Phase::Ready | Phase::Over),
            When::Always => true,
        }
    }

    /// Closes the menu, for example because a command was accepted over D-Bus. Gives no command.
    pub fn close(&mut self) {
        self.pages.clear();
        (self.unlocked_until, self.closes_at) = (None, None);
    }

    /// When [`Menu::timeout`] is due; `None` while the menu is closed.
    pub fn deadline(&self) -> Option<Instant> {
        [self.closing(), self.unlocked_until].into_iter().flatten().min()
    }

    /// How long the page is still shown if nobody presses a button. Zero if the menu says that it is
    /// closed.
    fn shown_for(&self, now: Instant) -> Option<Span> {
        self.closing().map(|at| at.since(now).minus(CLOSED_FOR))
    }

    fn closing(&self) -> Option<Instant> {
        // Work with a slow stick can take minutes, in which nobody presses a button.
        let waits = |page: &OpenPage| matches!(page.state, PageState::Waiting(Awaited::Backup));
        let waits = self.pages.last().is_none_or(waits);
        let idle = self.last_press.checked_add(TIMEOUT).filter(|_| !waits);
        [idle, self.closes_at].into_iter().flatten().min()
    }

    /// Closes the menu if that is due, and asks for the arbiter's code again if the code is no
    /// longer valid. Does nothing before [`Menu::deadline`].
    pub fn timeout(&mut self, now: Instant) -> Effect {
        let is_due = |due: Option<Instant>| due.is_some_and(|due| now >= due);
        if is_due(self.closing()) {
            self.close();
            return Effect::Close;
        }
        if is_due(self.unlocked_until) {
            self.unlocked_until = None;
            // The pages below can show what only the code makes visible, so the page that asks for
            // the code covers them.
            if self.pages.len() > 1 {
                self.push(PageState::Code(CodeEntry::new(self.pages.len() - 1)));
            }
        }
        Effect::None
    }

    /// The page that is shown; `None` while the menu is closed.
    pub fn page(&self, now: Instant, situation: &Situation) -> Option<MenuPage> {
        let context = self.context(now, situation);
        let OpenPage { state, chosen } = self.pages.last()?;
        let open_for = now.since(self.last_press);
        let page = state.shown(&context, *chosen, self.tries.wait(now), open_for);
        Some(match self.shown_for(now) {
            Some(Span::ZERO) => page::new(CLOSED, context.words.closed, &[], None),
            Some(left) if left <= COUNTED => {
                let seconds = left.as_nanos().div_ceil(1_000_000_000);
                MenuPage { title: with_seconds(&page.title, seconds), ..page }
            }
            _ => page,
        })
    }

    /// Handles a press that the loop reports. `now` is not before its end.
    pub fn key(&mut self, press: &MenuPress, now: Instant, situation: &Situation) -> Effect {
        let is_repeated = self.repeated == Some((press.button, press.at));
        if !self.is_open() || (is_repeated && press.length == PressLength::Short) {
            return Effect::None;
        }
        self.pressed(self.keys.press(press), now, situation)
    }

    fn pressed(&mut self, press: Press, now: Instant, situation: &Situation) -> Effect {
        let context = self.context(now, situation);
        let is_left = |page: &OpenPage| matches!(page.state.held(&context), LineAction::Leave);
        let leaves = press.key == Some(Key::Hold) && self.pages.last().is_none_or(is_left);
        if leaves || !self.may_be_open(situation.phase()) {
            return self.left();
        }
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            // The press was for a page that is not shown any more, so its key is ignored.
            let effect = self.timeout(now);
            self.last_press = now;
            return effect;
        }
        if self.shown_for(now) == Some(Span::ZERO) {
            return Effect::None;
        }
        self.last_press = now;
        let (wait, unlocked) = (self.tries.wait(now), self.is_unlocked(now));
        let Some(shown) = self.pages.last_mut() else { return Effect::None };
        let context = Context::new(&self.config, self.keys, situation, now, unlocked);
        if shown.state.is_tiles(&context) && press.at < self.shown_at {
            return Effect::None;
        }
        let action = shown.state.input(&context, &mut shown.chosen, press, wait);
        let open = self.pages.len();
        let effect = self.act(action, press, now, situation);
        if self.pages.len() != open {
            self.shown_at = now;
        }
        effect
    }

    /// Repeats the key of a button that is held, with a press that is stamped `at`: the cursor goes
    /// on, or the digit. When such a press is reported later, it does nothing more.
    pub fn repeat(
        &mut self,
        button: Button,
        at: Instant,
        now: Instant,
        situation: &Situation,
    ) -> Effect {
        let press = MenuPress { button, at, end: now, length: PressLength::Short };
        let moves = matches!(self.keys.press(&press).key, Some(Key::Back | Key::On));
        let context = self.context(now, situation);
        let single = |page: &OpenPage| page.state.takes_single_presses(&context);
        if !moves || self.pages.last().is_none_or(single) {
            return Effect::None;
        }
        self.repeated = Some((button, at));
        let press = Press { is_repeated: true, ..self.keys.press(&press) };
        self.pressed(press, now, situation)
    }

    /// Shows on a page of its own that own controls and settings could not be written.
    pub fn kept_until_start(&mut self) {
        if self.is_open() {
            self.push(report::kept_until_start());
        }
    }

    fn is_unlocked(&self, now: Instant) -> bool {
        self.unlocked_until.is_some_and(|until| now < until)
    }

    fn context<'a>(&'a self, now: Instant, situation: &'a Situation<'a>) -> Context<'a> {
        let unlocked = self.is_unlocked(now);
        Context::new(&self.config, self.keys, situation, now, unlocked)
    }

    fn push(&mut self, state: PageState) {
        self.pages.push(OpenPage { state, chosen: None });
    }

    /// Does what the press on the shown page does.
    fn act(
        &mut self,
        action: LineAction,
        press: Press,
        now: Instant,
        situation: &Situation,
    ) -> Effect {
        let unlocked = self.is_unlocked(now);
        match action {
            LineAction::Nothing => {}
            LineAction::Leave => return self.left(),
            LineAction::Back => return self.back(),
            LineAction::Open(pages, asks_code) => {
                let opened = pages.len();
                pages.into_iter().for_each(|page| self.push(page));
                if asks_code {
                    self.push(PageState::Code(CodeEntry::new(opened)));
                }
            }
            LineAction::Replace(page) => self.replace(*page),
            LineAction::Enter(page) => {
                self.pages.pop();
                if let Some(page) = page {
                    self.replace(*page);
                }
                let context = Context::new(&self.config, self.keys, situation, now, unlocked);
                if let Some(form) = self.pages.last_mut() {
                    form.chosen = form.state.going_on(&context).or(form.chosen);
                }
            }
            LineAction::Effect(effect, page) => {
                page.into_iter().for_each(|page| self.push(*page));
                return *effect;
            }
            LineAction::Give(proposal) => return self.confirmed(*proposal, press, now, situation),
            LineAction::Command(set, then_start) => return self.give(*set, then_start),
            LineAction::TryCode(presses) => return self.code(&presses, now),
        }
        Effect::None
    }

    /// Shows this page in place of the present one. The cursor stays.
    fn replace(&mut self, state: PageState) {
        if let Some(shown) = self.pages.last_mut() {
            shown.state = state;
        }
    }

    /// Returns to the page before. An entry of the code also leaves the pages that it covers.
    fn back(&mut self) -> Effect {
        let covers = match self.pages.last() {
            Some(OpenPage { state: PageState::Code(code), .. }) => code.covers,
            _ => 0,
        };
        self.pages.truncate(self.pages.len().saturating_sub(1 + covers));
        if self.is_open() { Effect::None } else { self.left() }
    }

    fn left(&mut self) -> Effect {
        self.close();
        Effect::Close
    }

    /// One player has confirmed the command. It is given now, or after the code, or after the
    /// other player has agreed.
    fn confirmed(
        &mut self,
        mut proposal: Proposal,
        press: Press,
        now: Instant,
        situation: &Situation,
    ) -> Effect {
        let context = self.context(now, situation);
        match context.gate(access::need_of(&proposal.set)) {
            Gate::Closed => return Effect::None,
            Gate::Code => {
                // The page is shown again after the code.
                self.push(PageState::Code(CodeEntry::new(1)));
                return Effect::None;
            }
            Gate::Open => {}
        }
        if access::needs_both(&context, &proposal.set) {
            proposal.set.reason = words::BOTH_PRESSED.to_owned();
            proposal.set = access::with_confirmations(&context, proposal.set);
            let agree = Agree::new(proposal, press.end);
            self.push(PageState::Agree(Box::new(agree)));
            return Effect::None;
        }
        if context.unlocked {
            proposal.set.reason = words::with_code(self.wrong_before);
        }
        self.give(proposal.set, false)
    }

    fn give(&mut self, set: MenuCommand, then_start: bool) -> Effect {
        // Only the answer can come next, so that nothing is given twice.
        self.pages.clear();
        self.push(PageState::Waiting(Awaited::Command { then_start }));
        Effect::Give(Box::new(set))
    }

    fn code(&mut self, presses: &[Side], now: Instant) -> Effect {
        let (right, rocker) = (self.config.code.as_ref(), self.keys.is_rocker());
        if right.is_some_and(|right| right.is(presses, rocker)) {
            self.wrong_before = self.tries.count();
            self.tries.right();
            self.unlocked_until = now.checked_add(UNLOCKED);
            self.pages.pop();
        } else {
            self.tries.wrong(now);
            if let Some(OpenPage { state: PageState::Code(code), .. }) = self.pages.last_mut() {
                code.ask_again();
            }
        }
        Effect::CodeEntered { wrong_codes: self.tries.count() }
    }
}
