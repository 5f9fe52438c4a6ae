//! The commands of a game: commands of the clock, actions, a new game, an import, a restoration,
//! and changes of the profile, of the time control and of the buttons.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::arrivals::white_main;
use super::{Game, check_control};
use crate::rules::action::{
    Action, AgreedChange, Claimant, Confirmation, GameCommand, ResultGround, Session, Setup,
};
use crate::rules::announcement::Announcement;
use crate::rules::facts::{Facts, FlagFacts, SideFacts};
use crate::rules::game_state::{GameState, NotTakenOver};
use crate::rules::profile::Profile;
use crate::rules::rate::brings_time;
use crate::rules::refused::{GameRefused, Reason, RuleRefused};
use crate::{
    Caller, Clock, Command, Correction, EarlierClock, Instant, Outcome, Phase, Refused, Side, Span,
};

impl From<&Game> for EarlierClock {
    fn from(game: &Game) -> EarlierClock {
        let Game {
            clock,
            facts,
            // Not taken: the game whose clock is restored keeps its rules, its buttons and its
            // events.
            own_after_flag: _,
            profile: _,
            rate: _,
            buttons_exchanged: _,
            events: _,
        } = game;
        // Of the facts, only `asked` is taken. `Game::restore` decides for each other fact whether
        // it changes.
        EarlierClock::new(clock, facts.asked)
    }
}

impl Game {
    pub(super) fn carry_out(
        &mut self,
        command: GameCommand,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let command = match command {
            GameCommand::New(setup) => return self.set_up(&setup, at),
            GameCommand::NewExchanged(setup) => {
                self.set_up(&setup, at)?;
                return self.set_buttons(!self.buttons_exchanged);
            }
            GameCommand::Clock(Command::New { control, force }) => {
                let session = match self.facts.session_is_game {
                    true => Session::WithGame,
                    false => Session::Unknown,
                };
                let setup = Setup { control, profile: self.profile, session, force };
                return self.set_up(&setup, at);
            }
            GameCommand::Import { setup, state, correction, begun } => {
                self.set_up(&setup, at)?;
                return match state {
                    Some(state) => self.take_over(&setup, &state, correction, at),
                    None => self.import_readings(correction, begun, at),
                };
            }
            command => command,
        };
        let is_possible =
            matches!(command, GameCommand::Action(Action::ResumeAdjourned) | GameCommand::SetNames);
        if self.facts.adjourned.is_some() && !is_possible {
            return Err(self.refused(Reason::Adjourned));
        }
        let white_before = white_main(&self.clock, at);
        match command {
            // Carried out above.
            GameCommand::New(_) | GameCommand::NewExchanged(_) | GameCommand::Import { .. } => {}
            GameCommand::ReplaceResult(outcome) => return self.replace_result(outcome, at),
            GameCommand::Agreed(change) => return self.agreed(change, at),
            GameCommand::Clock(command) => self.clock_command(command, at)?,
            GameCommand::Action(action) => self.act(action, at)?,
            GameCommand::SetRules(profile) => self.set_rules(profile)?,
            GameCommand::SetButtons(exchanged) => self.set_buttons(exchanged)?,
            GameCommand::Announce(announcement) => self.announce(announcement)?,
            GameCommand::SetNames => {}
            GameCommand::ChangeTimeControl { control, recompute, schedule_suffers } => {
                self.change_control(&control, &recompute, schedule_suffers, at)?;
            }
            // `white_given` stays as it is. So White counts as having used the difference between
            // `white_given` and the restored `white_main`.
            GameCommand::Rewind(earlier) => return self.rewind(&earlier, at),
        }
        self.note_white_given(white_before, at);
        Ok(())
    }

    fn act(&mut self, action: Action, at: Instant) -> Result<(), GameRefused> {
        if self.profile.is_none() {
            return Err(GameRefused::NoProfile);
        }
        match action {
            Action::ClaimFlag { by, evidence } => self.claim_flag(by, evidence, at),
            Action::ClaimDraw { by, ground, stop, offer } => {
                self.claim_draw(by, ground, stop, offer, at)
            }
            Action::RequestIncrement { by } => self.request_increment(by, at),
            Action::Rule { ruling, side, award } => self.rule(ruling, side, award, at),
            Action::Penalize(penalty) => self.penalize(penalty, at),
            Action::IllegalMove { side, claimed, award } => {
                self.illegal_move(side, claimed, award, at)
            }
            Action::Arrive(side) => self.arrive(side, at),
            Action::RecordConfirmation { by, what } => self.record_confirmation(by, what, at),
            Action::Refer => self.refer(),
            Action::RecordAttachment { kind, verified_by } => {
                self.facts.attached.add(kind, verified_by);
                Ok(())
            }
            // The assistant is only noted. The arbiter adjusts the clocks with other commands (S0
            // 6.8d).
            Action::SetAssistant { .. } => Ok(()),
            Action::Incident { side, kind } => self.note_incident(side, kind, at),
            Action::Adjourn { side } => self.adjourn(side, at),
            Action::ResumeAdjourned => self.resume_adjourned(),
            Action::ChangeMethod { method, schedule_suffers } => {
                self.change_method(method, schedule_suffers, at)
            }
            Action::Result { outcome, ground } => self.enter_result(outcome, ground, at),
        }
    }

    fn clock_command(&mut self, command: Command, at: Instant) -> Result<(), GameRefused> {
        if self.profile.is_none() {
            return Ok(self.clock.handle_command(command, at)?);
        }
        match command {
            Command::Resume { side } => self.resume(side, at),
            Command::Pause { by } => self.pause(by, at),
            Command::Reopen => self.reopen(at),
            Command::UndoPress => {
                self.check_not_concluded()?;
                self.undo_press(at)?;
                self.use_agreed_correction()
            }
            Command::Set(_) | Command::Add { .. } => {
                self.check_not_concluded()?;
                self.clock.handle_command(command, at)?;
                self.use_agreed_correction()
            }
            Command::Finish(outcome) => self.enter_result(outcome, ResultGround::Game, at),
            other => Ok(self.clock.handle_command(other, at)?),
        }
    }

    fn set_up(&mut self, setup: &Setup, at: Instant) -> Result<(), GameRefused> {
        // The clock refuses the command if a game under way would be lost and `force` is not set.
        let command = Command::New { control: setup.control, force: setup.force };
        self.clock.handle_command(command, at)?;
        let Game {
            // The events before this command are kept, because the caller has not taken them yet.
            events,
            // The clock stays where it is on the table, so the buttons stay as they are.
            buttons_exchanged,
            // Everything else begins anew.
            clock: _,
            own_after_flag: _,
            profile: _,
            rate: _,
            facts: _,
        } = *self;
        *self = Game { events, buttons_exchanged, ..Game::new(setup, at)? };
        Ok(())
    }

    /// Takes the result back and enters another one.
    fn replace_result(&mut self, outcome: Outcome, at: Instant) -> Result<(), GameRefused> {
        self.step(Command::Reopen.into(), at)?;
        let ground = ResultGround::Game;
        self.step(
            match self.profile {
                Some(_) => Action::Result { outcome, ground }.into(),
                None => Command::Finish(outcome).into(),
            },
            at,
        )
    }

    /// Carries out a correction that both players confirm with the same command.
    fn agreed(&mut self, change: AgreedChange, at: Instant) -> Result<(), GameRefused> {
        let what = Confirmation::Correction;
        if self.profile.is_none() {
            return Err(GameRefused::NoProfile);
        }
        if !self.is_unsupervised() {
            return Err(self.refused(Reason::NothingToConfirm(what)));
        }
        for by in Side::BOTH {
            self.step(Action::RecordConfirmation { by, what: Some(what) }.into(), at)?;
        }
        self.step(change.into(), at)?;
        // Before the start, a correction uses up no agreement.
        self.withdraw_corrections();
        Ok(())
    }

    /// Carries out one of the steps of a command, with all that follows from it.
    fn step(&mut self, command: GameCommand, at: Instant) -> Result<(), GameRefused> {
        self.carry_out(command, at)?;
        self.settle(at);
        Ok(self.advance(at)?)
    }

    /// Takes over the state of another clock in a game that was just set up.
    fn take_over(
        &mut self,
        setup: &Setup,
        state: &GameState,
        correction: Correction,
        at: Instant,
    ) -> Result<(), GameRefused> {
        let taken_over = state.game(setup, at).map_err(|error| match error {
            NotTakenOver::Rules(refused) => GameRefused::from(refused),
            NotTakenOver::State(_) => Refused::OtherControl.into(),
        })?;
        if taken_over.last() > at {
            return Err(Refused::Earlier { given: at, last: taken_over.last() }.into());
        }
        let Game { events, buttons_exchanged, .. } = *self;
        *self = Game { events, buttons_exchanged, ..taken_over };
        if correction == Correction::default() {
            return Ok(());
        }
        self.correct_imported(correction, at)
    }

    /// Gives the times, counters and periods of another clock to a game that was just set up. If
    /// `begun` is `true`, White's clock is first started and at once stopped.
    fn import_readings(
        &mut self,
        correction: Correction,
        begun: bool,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.advance(at)?;
        if begun {
            self.clock_command(Command::Start, at)?;
            self.advance(at)?;
            // `clock_command` is not called here, because it would refuse the pause in unsupervised
            // play.
            self.stop_clocks(Claimant::Arbiter, at)?;
        }
        self.correct_imported(correction, at)
    }

    fn correct_imported(&mut self, correction: Correction, at: Instant) -> Result<(), GameRefused> {
        let white_before = white_main(&self.clock, at);
        // `clock_command` would ask for the players' agreement in unsupervised play.
        self.clock.handle_command(Command::Set(correction), at)?;
        self.note_white_given(white_before, at);
        // When an adjourned game goes on, the opponent of the player who sealed is on move. So no
        // correction may give the turn to the player who sealed.
        if self.facts.adjourned.is_some_and(|sealer| self.clock.view(at).on_move == sealer) {
            return Err(self.refused(Reason::Adjourned));
        }
        Ok(())
    }

    /// Restores the clock to an earlier state, with the flags that were down in that state. A claim
    /// or a question that came up after that state is closed.
    pub(super) fn rewind(
        &mut self,
        earlier: &EarlierClock,
        at: Instant,
    ) -> Result<(), GameRefused> {
        self.check_not_concluded()?;
        let then = earlier.asked;
        if then.controls == self.facts.asked.controls {
            self.clock.rewind(earlier, at)?;
        } else {
            self.clock.rewind_to_other_control(earlier, at)?;
        }
        self.use_agreed_correction()?;
        let view = self.clock.view(at);
        let Facts {
            sides,
            // `increment_agreed` stays as it is now, together with the method of the clock.
            increment_agreed: _,
            // `order_unknown` becomes `false` below, unless both final flags are down in the
            // earlier state.
            order_unknown: _,
            // `replied_to` is set below.
            replied_to: _,
            // `stop`, `claim`, `request` and `losing_illegal_move` are closed below if they came up
            // after the earlier state. `attached` and `referred` belong to the claim and are
            // dropped with it.
            stop,
            claim: _,
            request,
            losing_illegal_move,
            attached: _,
            referred: _,
            // The counts in `asked` stay as they are now. Compared with the counts of the earlier
            // state, they show what came up after it.
            asked,
            // Everything else that the players and the arbiter said and did is not a state of the
            // clock, so it stays as it is now.
            clock_in_doubt: _,
            doubt_of_earlier_clock: _,
            stop_penalty: _,
            concluded: _,
            final_ruling: _,
            adjourned: _,
            // An announcement stays until a clock runs, and a restoration starts no clock.
            announcement: _,
            // `handle_command` ends the countdown.
            countdown_since: _,
            // A restoration does not change when the session and the game began.
            session_start: _,
            session_is_game: _,
            game_start: _,
            // `white_given` stays as it is now. So White counts as having used the difference
            // between `white_given` and the restored `white_main`.
            white_given: _,
        } = &mut self.facts;
        for side in Side::BOTH {
            let shown = &view.sides[side];
            let SideFacts {
                flag,
                // All facts of a side but its flag stay as they are now, like the other facts of
                // the game.
                arrived: _,
                default_due: _,
                default_waived: _,
                illegal_moves: _,
                handling_penalty: _,
                stop_penalty: _,
                warnings: _,
                force_incident: _,
                force_warning: _,
                half_points_off: _,
                half_points_given: _,
                confirmed_resume: _,
                confirmed_correction: _,
                confirmed_order_unknown: _,
            } = &mut sides[side];
            let is_final = shown.out_of_time;
            let new = |at| FlagFacts { at, is_final, called_by: None, answer: None };
            let known = |at| flag.filter(|flag| flag.at == at && flag.is_final == is_final);
            *flag = shown.flag.map(|at| known(at).unwrap_or(new(at)));
            if let Some(flag) = flag {
                let is_later = asked.flag_calls[side] > then.flag_calls[side];
                flag.called_by = flag.called_by.filter(|_| !is_later);
                let is_later = asked.flag_answers[side] > then.flag_answers[side];
                flag.answer = flag.answer.filter(|_| !is_later);
            }
        }
        // The press that can be taken back is that of the earlier state.
        asked.claim_since_press = then.claim_since_press;
        *request = request.filter(|_| asked.requests == then.requests);
        *stop = stop.filter(|_| asked.stops == then.stops);
        let is_later = asked.illegal_moves > then.illegal_moves;
        *losing_illegal_move = losing_illegal_move.filter(|_| !is_later);
        if self.facts.asked.claims > then.claims {
            self.close_claim();
        }
        self.facts.replied_to = self.facts.asked.presses > then.presses;
        self.facts.order_unknown &= self.both_flags_down();
        Ok(())
    }

    /// Announces something to the players. This is refused unless the game is paused or awaits a
    /// ruling.
    fn announce(&mut self, announcement: Option<Announcement>) -> Result<(), GameRefused> {
        self.check_not_over()?;
        match self.phase() {
            Phase::Paused | Phase::Ruling => {
                self.facts.announcement = announcement;
                Ok(())
            }
            phase => Err(Refused::NotPaused(phase).into()),
        }
    }

    /// Exchanges the buttons, or exchanges them back. This is refused while a clock runs.
    fn set_buttons(&mut self, exchanged: bool) -> Result<(), GameRefused> {
        if self.clock.phase() == Phase::Running {
            return Err(self.refused(Reason::ButtonsFixed));
        }
        self.buttons_exchanged = exchanged;
        Ok(())
    }

    /// Changes the profile (S0 6.2a). The change is refused while a claim, a request or a question
    /// is open, because the profile decides which answers are allowed. It is also refused if the new
    /// profile has no penalty with which points on record can be taken back. After the start, it is
    /// also refused while a clock runs, after the end of the game, and if the new profile has to be
    /// announced before the start. A change after the start does not change what happens at the
    /// final flag.
    fn set_rules(&mut self, profile: Profile) -> Result<(), GameRefused> {
        self.check_not_concluded()?;
        if self.questions().iter().next().is_some() {
            return Err(self.refused(Reason::QuestionOpen));
        }
        // What follows is forbidden by the new profile, so its source is cited.
        let refused = |reason| RuleRefused { reason, source: profile.cites };
        check_control(&profile, self.clock.control())?;
        if let Some(stays) = self.points_that_stay(&profile) {
            return Err(refused(stays).into());
        }
        if !profile.increments_allowed && self.clock.changed_method().is_some_and(brings_time) {
            return Err(refused(Reason::WithIncrement).into());
        }
        match self.phase() {
            Phase::Ready => {
                self.clock.set_after_flag(self.own_after_flag.or(profile.after_flag));
            }
            Phase::Over => return Err(Refused::GameOver.into()),
            // A game that has begun never changes to a profile that has to be announced before the
            // start. `NotPaused` would wrongly suggest that a pause helps.
            Phase::Running | Phase::Paused | Phase::Ruling if profile.announced_before_start => {
                return Err(refused(Reason::NotAnnounced).into());
            }
            Phase::Running => return Err(Refused::NotPaused(Phase::Running).into()),
            Phase::Paused | Phase::Ruling => {}
        }
        self.use_agreed_correction()?;
        self.profile = Some(profile);
        Ok(())
    }

    /// Refuses a correction in unsupervised play unless both players have confirmed it. Their
    /// agreement holds for one correction. Before the start no agreement is needed, because whoever
    /// sets up the clock can set up a new game, too.
    pub(super) fn use_agreed_correction(&mut self) -> Result<(), GameRefused> {
        if !self.is_unsupervised() || self.clock.phase() == Phase::Ready {
            return Ok(());
        }
        if !self.correction_is_confirmed() {
            return Err(self.refused(Reason::CorrectionNotConfirmed));
        }
        self.withdraw_corrections();
        Ok(())
    }

    /// Refuses a command of the arbiter if nobody supervises the game.
    pub(super) fn check_supervised(&self) -> Result<(), GameRefused> {
        if self.is_unsupervised() { Err(self.refused(Reason::Unsupervised)) } else { Ok(()) }
    }

    /// Refuses a command that would continue a game after a claim has concluded it (S2 III.6.1).
    pub(super) fn check_not_concluded(&self) -> Result<(), GameRefused> {
        if self.facts.concluded { Err(self.refused(Reason::Concluded)) } else { Ok(()) }
    }

    pub(super) fn check_not_over(&self) -> Result<(), GameRefused> {
        if self.clock.phase() == Phase::Over { Err(Refused::GameOver.into()) } else { Ok(()) }
    }

    /// Stops both clocks if one of them runs.
    pub(super) fn stop_clocks(&mut self, by: Claimant, at: Instant) -> Result<(), Refused> {
        if self.clock.phase() != Phase::Running {
            return Ok(());
        }
        let by = match by {
            Claimant::Player(side) => Caller::Player(side),
            Claimant::Arbiter | Claimant::Bystander => Caller::Arbiter,
        };
        self.clock.handle_command(Command::Pause { by }, at)
    }

    /// Carries out a change that needs standing clocks. A running clock is stopped and resumed at
    /// the same instant, so its turn goes on.
    pub(super) fn adjust(
        &mut self,
        at: Instant,
        change: impl FnOnce(&mut Clock) -> Result<(), Refused>,
    ) -> Result<(), GameRefused> {
        let was_running = self.clock.phase() == Phase::Running;
        self.stop_clocks(Claimant::Arbiter, at)?;
        change(&mut self.clock)?;
        if was_running {
            self.clock.handle_command(Command::Resume { side: None }, at)?;
        }
        Ok(())
    }

    /// Adds `award` to the main time of a side.
    pub(super) fn award(
        &mut self,
        side: Side,
        award: Span,
        at: Instant,
    ) -> Result<(), GameRefused> {
        if award.is_zero() {
            return Ok(());
        }
        let delta_ns = i64::try_from(award.as_nanos()).map_err(|_| Refused::TooMuchTime)?;
        self.adjust(at, |clock| clock.award(side, delta_ns, at))
    }
}
