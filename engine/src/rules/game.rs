//! A clock under a rule profile.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

mod arrivals;
mod change_control;
mod claims;
mod commands;
mod endings;
mod flags;
mod penalties;
mod questions;
mod serialization;
mod stops;
mod take_over;
mod turns;

use super::action::{GameCommand, Session, Setup};
use super::announcement::Announcement;
use super::event::{GameEvent, GameEventKind};
use super::facts::{Facts, FlagFacts};
use super::profile::{Authority, Profile, RateOfPlay, RuleSource};
use super::rate::{has_increment, rate_of_play};
use super::refused::{GameRefused, Reason, RuleRefused};
use super::signed_instant::SignedInstant;
use crate::event::EventQueue;
use crate::{
    AfterFlag, Caller, Clock, Control, EarlierClock, EventKind, Instant, Phase, Refused, Side,
    Span, View,
};
use serde::{Deserialize, Serialize};

pub use arrivals::Lateness;
pub use questions::{
    Answer, Answers, MAX_ANSWERS, MAX_QUESTIONS, Question, QuestionKind, QuestionProgress,
    Questions,
};
pub use take_over::SideNotes;

/// A chess clock under a rule profile, or without one.
///
/// It is used like a [`Clock`]: call [`Game::handle_timeout`] when [`Game::poll_timeout`] is due,
/// hand in presses, calls and commands in the order of their stamps, and take the events from
/// [`Game::poll_event`]. Without a profile it is the clock alone, and every action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Game {
    clock: Clock,
    /// The `after_flag` in the terms of the control that was set up. If it is `Some`, it takes
    /// precedence over that of the profile.
    own_after_flag: Option<AfterFlag>,
    profile: Option<Profile>,
    rate: RateOfPlay,
    facts: Facts,
    /// Whether the buttons are exchanged: White uses the button that is wired as Black's.
    buttons_exchanged: bool,
    #[serde(skip)]
    events: EventQueue<GameEvent>,
}

/// In unsupervised play a paused game goes on this long after a press of the call button.
pub const RESUMES_AFTER: Span = Span::from_secs(3);

/// A draw claim that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimView {
    /// The claimant.
    pub by: Side,
    /// The ground.
    pub ground: super::Ground,
    /// Whether the game goes on while the claim is open, because it was postponed or made without
    /// stopping the clocks. Otherwise the arbiter was called and has not ruled.
    pub pending: bool,
    /// When the claim was made.
    pub at: Instant,
}

impl Game {
    /// Creates a game that is set up and waits for White's clock to be started.
    ///
    /// # Errors
    ///
    /// The profile cannot be used with this control (S2 III.2.2).
    pub fn new(setup: &Setup, at: Instant) -> Result<Game, RuleRefused> {
        let Setup {
            control,
            profile,
            session,
            // Not needed here: `set_up` decides whether a game under way may be lost.
            force: _,
        } = *setup;
        let rate = rate_of_play(&control);
        if let Some(profile) = &profile {
            check_control(profile, &control)?;
        }
        let own_after_flag = control.terms().after_flag;
        let of_profile = profile.and_then(|profile| profile.after_flag);
        let control = control.with_after_flag(own_after_flag.or(of_profile));
        let session_start = match session {
            Session::At(start) => Some(start.into()),
            Session::BeforeZero(span) => Some(SignedInstant::before_zero(span)),
            Session::Unknown | Session::WithGame => None,
        };
        let clock = Clock::new(control, at);
        Ok(Game {
            clock,
            own_after_flag,
            profile,
            rate,
            facts: Facts {
                session_start,
                session_is_game: session == Session::WithGame,
                white_given: arrivals::white_main(&clock, at),
                ..Facts::default()
            },
            buttons_exchanged: false,
            events: EventQueue::new(),
        })
    }

    /// The profile, if there is one.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// The rate of play of the control.
    pub fn rate(&self) -> RateOfPlay {
        self.rate
    }

    /// The clock without the rules. [`Game::view`] gives what is shown.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The phase of the game. A paused game is in [`Phase::Ruling`] while the rules await a ruling.
    pub fn phase(&self) -> Phase {
        match self.clock.phase() {
            Phase::Paused if self.facts.await_ruling() => Phase::Ruling,
            phase => phase,
        }
    }

    /// What the clock shows at `at` under the rules. The phase is [`Phase::Ruling`] while a ruling
    /// is awaited. There is no first flag once a ruling says that the order of the flags is not
    /// established.
    pub fn view(&self, at: Instant) -> View {
        let mut view = self.clock.view(at);
        view.phase = self.phase();
        if view.phase != Phase::Paused {
            view.paused_by = None;
        }
        if self.facts.order_unknown {
            view.first_flag = None;
        }
        view.buttons_exchanged = self.buttons_exchanged;
        view.claim = self.claim();
        view.adjourned = self.facts.adjourned;
        view.announcement = self.facts.announcement;
        for side in Side::BOTH {
            view.sides[side].notes = self.side_notes(side);
            view.sides[side].lateness = self.lateness(side, at);
        }
        view
    }

    /// The draw claim that is open; `None` if there is none, or if the game is over.
    pub fn claim(&self) -> Option<ClaimView> {
        let claim = self.facts.claim.filter(|_| self.clock.phase() != Phase::Over)?;
        let pending = claim.postponed || !claim.stopped;
        Some(ClaimView { by: claim.by, ground: claim.ground, pending, at: claim.at })
    }

    /// Whether the buttons are exchanged. The caller of [`Game::handle_press`] has to apply this
    /// before it names the side.
    pub fn buttons_exchanged(&self) -> bool {
        self.buttons_exchanged
    }

    /// The side that sealed its move when the game was adjourned; `None` if the game is not
    /// adjourned.
    pub fn adjourned(&self) -> Option<Side> {
        self.facts.adjourned
    }

    /// What the arbiter tells the players during this pause; `None` if nothing was announced.
    pub fn announcement(&self) -> Option<&Announcement> {
        self.facts.announcement.as_ref()
    }

    /// The latest instant that was handled.
    pub fn last(&self) -> Instant {
        self.clock.last()
    }

    /// Removes and returns the oldest event. Take all events after every call.
    pub fn poll_event(&mut self) -> Option<GameEvent> {
        self.events.pop()
    }

    /// The next instant at which the game changes or reports an event without an input: a timeout
    /// of the clock, the default time, or the end of the duty to keep score. `None` if there is
    /// none.
    pub fn poll_timeout(&self) -> Option<Instant> {
        let of_rules = self.next_of_rules().map(|(at, _)| at);
        [self.clock.poll_timeout(), of_rules].into_iter().flatten().min()
    }

    /// Decides everything that is due up to and including `at`.
    ///
    /// # Errors
    ///
    /// `at` is earlier than the latest instant that was handled.
    pub fn handle_timeout(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)
    }

    /// Whether a press of a player's button confirms that the game goes on: while the game is
    /// paused in unsupervised play.
    fn press_confirms_resume(&self) -> bool {
        self.is_unsupervised() && self.phase() == Phase::Paused
    }

    /// Handles a press of a player's button as [`Clock::handle_press`] does, with two exceptions:
    /// the profile can forbid that Black's press starts White's clock, and in unsupervised play a
    /// press while the game is paused confirms that the game goes on (S2 III.6). It goes on once
    /// both players have confirmed. Any press shows that the player has arrived.
    ///
    /// # Errors
    ///
    /// `at` is earlier than the latest instant that was handled.
    pub fn handle_press(&mut self, side: Side, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        let confirms = self.press_confirms_resume();
        let starts = self.clock.phase() == Phase::Ready && side == Side::Black;
        let is_forbidden = starts && self.profile.is_some_and(|profile| !profile.black_starts);
        let is_played = !is_forbidden && self.clock.accepts_press(side);
        if is_forbidden {
            self.emit(at, GameEventKind::Clock(EventKind::Press { side, accepted: false }));
        } else {
            self.clock.handle_press(side, at)?;
        }
        self.facts.sides[side].arrived.get_or_insert(at.into());
        // A late player plays. A press that does nothing takes no ruling from the arbiter.
        if is_played || confirms {
            self.facts.sides[side].default_due = None;
        }
        self.settle(at);
        if confirms {
            self.confirm_by_press(side, at);
        }
        Ok(())
    }

    /// Handles a press of the call button as [`Clock::handle_call`] does: it stops both clocks and
    /// calls the arbiter (S0 6.13b). While the game is adjourned, the press has no effect.
    ///
    /// In unsupervised play nobody is called. The press stops a running clock. While the game is
    /// paused, it begins the countdown after which the game goes on ([`RESUMES_AFTER`]), and the
    /// next press ends this countdown.
    ///
    /// # Errors
    ///
    /// `at` is earlier than the latest instant that was handled.
    pub fn handle_call(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        let accepted = self.accepts_call();
        let was_running = self.clock.phase() == Phase::Running;
        if accepted && !self.is_unsupervised() {
            self.clock.handle_call(at)?;
        } else {
            self.emit(at, GameEventKind::Clock(EventKind::Call { accepted }));
        }
        if accepted && self.is_unsupervised() {
            match was_running {
                true => self.clock.stop_by_button(at),
                false => self.count_down(at),
            }
        }
        if was_running && self.profile.is_some() {
            self.note_stop(Caller::Button, at);
        }
        self.settle(at);
        Ok(())
    }

    /// Whether a press of the call button has an effect now.
    pub fn accepts_call(&self) -> bool {
        match self.phase() {
            _ if self.facts.adjourned.is_some() => false,
            phase if self.is_unsupervised() => matches!(phase, Phase::Running | Phase::Paused),
            _ => self.clock.accepts_call(),
        }
    }

    /// Handles that both players have held their buttons together to stop the clocks, in
    /// unsupervised play with a running clock. The clock is as it was before the first of these
    /// presses. Without an effect in any other state.
    ///
    /// # Errors
    ///
    /// `at` is earlier than the latest instant that was handled.
    pub fn handle_stop_by_both(
        &mut self,
        before: &EarlierClock,
        at: Instant,
    ) -> Result<(), Refused> {
        self.advance(at)?;
        let unchanged = *self;
        if self.clock.phase() == Phase::Running && self.is_unsupervised() {
            self.clock.stop_by_button(at);
            self.settle(at);
            for side in Side::BOTH {
                self.facts.sides[side].confirmed_correction = true;
            }
            match self.rewind(before, at) {
                Ok(()) => {
                    self.clock.stop_by_button(at);
                    self.note_stop(Caller::Button, at);
                }
                Err(_) => *self = unchanged,
            }
            self.settle(at);
        }
        Ok(())
    }

    /// Reports the event that a finger was kept on the button of `side` for longer than the
    /// profile's `hold_warning`.
    ///
    /// # Errors
    ///
    /// `at` is earlier than the latest instant that was handled.
    pub fn handle_hold(&mut self, side: Side, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        self.emit(at, GameEventKind::Hold { side });
        Ok(())
    }

    /// Carries out a command.
    ///
    /// # Errors
    ///
    /// The clock or the rules refuse the command. Then it has no effect, except that everything due
    /// up to `at` has been decided.
    pub fn handle_command(&mut self, command: GameCommand, at: Instant) -> Result<(), GameRefused> {
        self.advance(at)?;
        let before = *self;
        let done = self.carry_out(command, at);
        match done {
            Ok(()) => {
                self.stop_countdown();
                self.settle(at);
                // A command can make something due at the instant `at`. For example, the default
                // time can pass during an adjournment, and is noted when the game is continued.
                self.advance(at)?;
            }
            Err(_) => *self = before,
        }
        done.map_err(|refused| {
            let refused = match self.phase() {
                Phase::Ruling => refused.awaiting_ruling(),
                _ => refused,
            };
            match self.profile {
                Some(profile) => refused.under(profile.cites),
                None => refused,
            }
        })
    }

    /// Decides everything that is due up to `at`, in the order of the instants for the clock and
    /// the rules together.
    fn advance(&mut self, at: Instant) -> Result<(), Refused> {
        if at < self.clock.last() {
            return Err(Refused::Earlier { given: at, last: self.clock.last() });
        }
        while let Some((due, kind)) = self.next_of_rules().filter(|(due, _)| *due <= at) {
            match self.clock.poll_timeout().filter(|of_clock| *of_clock <= due) {
                Some(of_clock) => self.clock.handle_timeout(of_clock)?,
                None => {
                    self.clock.handle_timeout(due)?;
                    match kind {
                        Some(kind) => self.emit(due, kind),
                        None => self.end_countdown(due),
                    }
                    if let Some(GameEventKind::DefaultDue { side }) = kind {
                        self.facts.sides[side].default_due = Some(due);
                    }
                }
            }
            self.settle(due);
        }
        self.clock.handle_timeout(at)?;
        self.settle(at);
        Ok(())
    }

    /// The next event that the rules report without an input, and its instant. The event is `None`
    /// at the end of the countdown after which the game goes on.
    fn next_of_rules(&self) -> Option<(Instant, Option<GameEventKind>)> {
        let default = Side::BOTH
            .map(|side| Some((self.default_due(side)?, GameEventKind::DefaultDue { side })));
        let events = default.into_iter().chain([self.score_off()]).flatten();
        let events = events.map(|(at, kind)| (at, Some(kind)));
        let since = self.facts.countdown_since;
        let resume = since.and_then(|since| Some((since.checked_add(RESUMES_AFTER)?, None)));
        events.chain(resume).min_by_key(|(at, _)| *at)
    }

    /// Updates the facts from the clock after a change of the clock.
    fn settle(&mut self, at: Instant) {
        while let Some(event) = self.clock.poll_event() {
            if let EventKind::Flag { side, .. } = event.kind {
                let flag =
                    FlagFacts { at: event.at, is_final: false, called_by: None, answer: None };
                self.facts.sides[side].flag = Some(flag);
            }
            if let EventKind::Press { accepted: true, .. } = event.kind {
                self.withdraw_corrections();
                self.facts.replied_to = false;
                let asked = &mut self.facts.asked;
                asked.presses = asked.presses.saturating_add(1);
                asked.claim_since_press = false;
            }
            self.emit(event.at, GameEventKind::Clock(event.kind));
        }
        for side in Side::BOTH {
            let out_of_time = self.clock.is_out_of_time(side);
            let flag = &mut self.facts.sides[side].flag;
            match flag {
                // The clock has annulled this flag, for example by a correction, an award or
                // `undo-press`.
                Some(FlagFacts { is_final: true, .. }) if !out_of_time => *flag = None,
                Some(flag) => flag.is_final = out_of_time,
                None => {}
            }
        }
        self.facts.order_unknown &= self.can_have_unknown_order(at);
        if self.facts.doubt_of_earlier_clock && !self.both_flags_down() {
            (self.facts.clock_in_doubt, self.facts.doubt_of_earlier_clock) = (false, false);
        }
        if !self.both_flags_down() || self.facts.order_unknown {
            for side in Side::BOTH {
                self.facts.sides[side].confirmed_order_unknown = false;
            }
        }
        if self.clock.phase() != Phase::Paused || self.facts.adjourned.is_some() {
            self.facts.announcement = None;
        }
        if self.phase() != Phase::Paused || self.facts.adjourned.is_some() {
            self.facts.countdown_since = None;
        }
        if self.clock.phase() == Phase::Running {
            if self.facts.game_start.is_none() {
                self.facts.game_start = Some(at.into());
                if self.facts.session_is_game {
                    self.facts.session_start = Some(at.into());
                }
            }
            // In unsupervised play the players' confirmation has answered the stop. An arbiter still
            // has to rule on it (S0 6.13d), whenever the game goes on (S0 6.13c).
            if self.is_unsupervised() {
                self.facts.stop = None;
            }
            for side in Side::BOTH {
                self.facts.sides[side].confirmed_resume = false;
            }
        }
    }

    fn emit(&mut self, at: Instant, kind: GameEventKind) {
        self.events.push(GameEvent { at, kind });
    }

    fn source(&self) -> RuleSource {
        self.profile.map_or(RuleSource::Article6, |profile| profile.cites)
    }

    fn refused(&self, reason: Reason) -> GameRefused {
        RuleRefused { reason, source: self.source() }.into()
    }

    /// The profile. A game without a profile has refused every action before this is called, so the
    /// default profile never decides anything.
    fn rules(&self) -> Profile {
        self.profile.unwrap_or_default()
    }

    /// Whether nobody has the arbiter's authority.
    pub fn is_unsupervised(&self) -> bool {
        self.profile.is_some_and(|profile| profile.authority == Authority::Nobody)
    }

    /// Whether the side is in the period in which all remaining moves are due (S0 10.1).
    fn in_last_period(&self, side: Side, at: Instant) -> bool {
        let view = self.clock.view(at);
        view.last_period.is_some_and(|last| view.sides[side].period >= last)
    }

    /// Whether both sides are in the period in which all remaining moves are due.
    fn both_in_last_period(&self, at: Instant) -> bool {
        Side::BOTH.into_iter().all(|side| self.in_last_period(side, at))
    }
}

/// Checks that the profile can be used with this control (S2 III.2.2).
fn check_control(profile: &Profile, control: &Control) -> Result<(), RuleRefused> {
    let refused = |reason| Err(RuleRefused { reason, source: profile.cites });
    let rate = rate_of_play(control);
    if !rate.is_in(profile.rates) {
        return refused(Reason::WrongRate(rate));
    }
    if !profile.increments_allowed && has_increment(control) {
        return refused(Reason::WithIncrement);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
