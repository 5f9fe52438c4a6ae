//! The chess clock itself.
//!
//! `docs/laws.md` explains FIDE, which is the source of the cited clauses.

mod change_control;
mod check;
mod clock_state;
mod commands;
mod earlier;
mod instants;
mod periods;
mod replayed_turns;
mod serialization;
mod side_state;
mod turns;

use crate::event::EventQueue;
use crate::rules::SideNotes;
use crate::{
    AfterFlag, Caller, Command, Control, Counting, Event, EventKind, Instant, Method, Outcome,
    PausedBy, PerSide, PeriodEnd, Phase, Refused, Side, SideView, Span, View,
};
use earlier::LastMove;
use serde::{Deserialize, Serialize};
use side_state::SideState;

pub(crate) use clock_state::ClockState;
pub(crate) use earlier::Asked;
pub use earlier::EarlierClock;
pub use replayed_turns::{Recompute, ReplayedTurns};
pub(crate) use turns::TurnCause;
pub use turns::{TurnEvent, TurnEvents, UnknownTurns};

/// A chess clock: two displays, of which at most one runs (FIDE 6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Clock {
    control: Control,
    /// The method that [`Clock::change_method`] has set. It replaces the method of every period.
    changed_method: Option<Method>,
    progress: Progress,
    on_move: Side,
    /// What is left of the delay in the turn of the side on move.
    delay_left: Span,
    sides: PerSide<SideState>,
    first_flag: Option<Side>,
    called_by: Option<Caller>,
    /// The state that `undo-press` restores; `None` if no press can be taken back.
    last_move: Option<LastMove>,
    /// The latest instant that was handled. A call with an earlier one is refused.
    last: Instant,
    #[serde(skip)]
    events: EventQueue<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Progress {
    Ready,
    /// The clock of the side on move has been running since this instant. The states of both sides
    /// and `delay_left` hold the values at this instant.
    Running {
        since: Instant,
    },
    Paused {
        by: PausedBy,
    },
    Ruling,
    Over {
        outcome: Outcome,
        /// The phase that `reopen` restores.
        before: StoppedPhase,
    },
}

/// A phase in which both clocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum StoppedPhase {
    Ready,
    Paused { by: PausedBy },
    Ruling,
}

impl Clock {
    /// Creates a clock that is set up with this control and waits for White's clock to be started.
    pub fn new(control: Control, at: Instant) -> Clock {
        let first = *control.period(1);
        let state = |side: Side| {
            let bonus = if control.terms().first_move_increment {
                first.method[side].increment()
            } else {
                Span::ZERO
            };
            SideState::new(first.time[side].plus(bonus), first.method[side])
        };
        Clock {
            control,
            changed_method: None,
            progress: Progress::Ready,
            on_move: Side::White,
            delay_left: first.method[Side::White].delay(),
            sides: PerSide { white: state(Side::White), black: state(Side::Black) },
            first_flag: None,
            called_by: None,
            last_move: None,
            last: at,
            events: EventQueue::new(),
        }
    }

    /// Handles a press of a player's button at `at`.
    ///
    /// The press of the running side completes its move, except with the gong method. Before the
    /// start, Black's press starts White's clock. Any other press is reported as not accepted and
    /// does nothing. A press at the very instant at which the time is used up is too late (FIDE
    /// 6.8).
    ///
    /// # Errors
    ///
    /// [`Refused::Earlier`] if `at` is earlier than the latest instant that was handled.
    pub fn handle_press(&mut self, side: Side, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        let accepted = self.accepts_press(side);
        self.emit(at, EventKind::Press { side, accepted });
        if accepted {
            match self.progress {
                Progress::Running { .. } => self.complete_move(at),
                _ => self.start(at)?,
            }
        }
        self.advance(at)
    }

    /// Whether a press of this side would complete a move or start White's clock now.
    pub(crate) fn accepts_press(&self, side: Side) -> bool {
        match self.progress {
            Progress::Ready => side == Side::Black,
            Progress::Running { .. } => side == self.on_move && self.method(side).slice().is_none(),
            Progress::Paused { .. } | Progress::Ruling | Progress::Over { .. } => false,
        }
    }

    /// Handles a press of the call button at `at`: stops both clocks and calls the arbiter (FIDE
    /// 6.13b). While the clocks stand, a press calls the arbiter, and the next one takes this call
    /// back. A call that stopped the clocks and the call of a player by a command stay, because the
    /// arbiter has to answer them. In a game that is over, a press has no effect.
    ///
    /// # Errors
    ///
    /// [`Refused::Earlier`] if `at` is earlier than the latest instant that was handled.
    pub fn handle_call(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        let accepted = self.accepts_call();
        self.emit(at, EventKind::Call { accepted });
        if accepted {
            let is_taken_back = self.called_by.is_some() && !self.is_running();
            self.called_by = Some(Caller::Button).filter(|_| !is_taken_back);
            if self.is_running() {
                self.stop_by_button(at);
            }
        }
        Ok(())
    }

    /// Whether a press of the call button would stop the clocks, call the arbiter or take a call
    /// back now.
    pub(crate) fn accepts_call(&self) -> bool {
        let is_stop = Progress::Paused { by: PausedBy::Caller(Caller::Button) };
        match self.progress {
            Progress::Running { .. } => true,
            Progress::Ready | Progress::Paused { .. } | Progress::Ruling => {
                let by_button = self.called_by == Some(Caller::Button);
                self.called_by.is_none() || (by_button && self.progress != is_stop)
            }
            Progress::Over { .. } => false,
        }
    }

    fn is_running(&self) -> bool {
        matches!(self.progress, Progress::Running { .. })
    }

    /// Stops a running clock at `at` because the button was pressed, without a call. In a game that
    /// is paused already, the button becomes the reason for the pause.
    pub(crate) fn stop_by_button(&mut self, at: Instant) {
        if self.is_running() {
            self.charge(at);
        }
        if matches!(self.progress, Progress::Running { .. } | Progress::Paused { .. }) {
            self.progress = Progress::Paused { by: PausedBy::Caller(Caller::Button) };
        }
    }

    /// Carries out a command at `at`.
    ///
    /// # Errors
    ///
    /// The command is not possible now, or `at` is earlier than the latest instant that was
    /// handled; [`Refused`] says what the reason is. What was due up to `at` is decided even if the
    /// command is refused. A refused command changes nothing else.
    pub fn handle_command(&mut self, command: Command, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        match command {
            Command::Start => self.start(at)?,
            Command::Pause { by } => self.pause(by, at)?,
            Command::Resume { side } => self.resume(side, at)?,
            Command::Set(correction) => self.correct(correction)?,
            Command::Add { side, delta_ns } => self.add_time(side, delta_ns)?,
            Command::UndoPress => self.undo_press()?,
            Command::Finish(outcome) => self.finish(outcome, at)?,
            Command::Reopen => self.reopen()?,
            Command::New { control, force } => self.set_up(control, force, at)?,
        }
        self.advance(at)
    }

    /// Decides everything that is due up to and including `at`. The caller may call this late,
    /// several times, or before anything is due.
    ///
    /// # Errors
    ///
    /// [`Refused::Earlier`] if `at` is earlier than the latest instant that was handled.
    pub fn handle_timeout(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)
    }

    /// The instant at which the running side has used up its main time, its period of overtime or
    /// its slice of a gong. `None` if no clock runs, if the final flag of the running side is down,
    /// or if its time is counted up without a limit.
    pub fn poll_timeout(&self) -> Option<Instant> {
        let Progress::Running { since } = self.progress else {
            return None;
        };
        let left = self.sides[self.on_move].time_left(self.method(self.on_move))?;
        since.checked_add(left.plus(self.delay_left))
    }

    /// Removes and returns the oldest event. Take all events after every call.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// The time control.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The side of the completed move that `undo-press` would take back, and what the clock showed
    /// of the opponent at that press. `None` if no press can be taken back.
    pub fn last_completed_move(&self) -> Option<(Side, SideView)> {
        let LastMove { side, sides, .. } = self.last_move?;
        let then = Clock { sides, ..*self };
        let opponent = side.other();
        let shown = then.side_view(opponent, &sides[opponent], then.full_delay(opponent));
        Some((side, shown))
    }

    /// Sets what happens at the final flag. This method is called only before the start.
    pub(crate) fn set_after_flag(&mut self, after_flag: Option<AfterFlag>) {
        self.control = self.control.with_after_flag(after_flag);
    }

    /// The main number of a side at `at`, without any delay: the main time left; in overtime, the
    /// time left of the running period; with a gong, the time left of the slice; if time is counted
    /// up, the time used. With Bronstein, [`SideView::remaining`] is larger, because it includes
    /// the delay.
    pub fn main_time(&self, side: Side, at: Instant) -> Span {
        self.charged(at).0[side].main
    }

    /// The phase of the game.
    pub fn phase(&self) -> Phase {
        match self.progress {
            Progress::Ready => Phase::Ready,
            Progress::Running { .. } => Phase::Running,
            Progress::Paused { .. } => Phase::Paused,
            Progress::Ruling => Phase::Ruling,
            Progress::Over { .. } => Phase::Over,
        }
    }

    /// The latest instant that was handled.
    pub fn last(&self) -> Instant {
        self.last
    }

    /// Whether this side's final flag is down, as [`SideView::out_of_time`](crate::SideView) says.
    pub(crate) fn is_out_of_time(&self, side: Side) -> bool {
        self.sides[side].final_flag.is_some()
    }

    /// What the clock shows at `at`. If a flag is due but not yet decided, the view has no flag,
    /// and the side shows a time of zero or, if its time is counted up, its limit.
    pub fn view(&self, at: Instant) -> View {
        let (sides, delay_left) = self.charged(at);
        let side_view = |side: Side| {
            let delay = if side == self.on_move { delay_left } else { self.full_delay(side) };
            self.side_view(side, &sides[side], delay)
        };
        View {
            at,
            phase: self.phase(),
            on_move: self.on_move,
            sides: PerSide { white: side_view(Side::White), black: side_view(Side::Black) },
            first_flag: self.first_flag,
            called_by: self.called_by,
            paused_by: match self.progress {
                Progress::Paused { by } => Some(by),
                _ => None,
            },
            outcome: match self.progress {
                Progress::Over { outcome, .. } => Some(outcome),
                _ => None,
            },
            last_period: self.control.last(),
            counting: match self.method(self.on_move) {
                Method::CountUp { .. } => Counting::Up,
                Method::Hourglass => Counting::Hourglass,
                _ => Counting::Down,
            },
            changed_method: self.changed_method,
            buttons_exchanged: false,
            claim: None,
            adjourned: None,
            announcement: None,
        }
    }

    fn side_view(&self, side: Side, state: &SideState, delay: Span) -> SideView {
        let method = self.method(side);
        let bronstein = matches!(method, Method::Bronstein(_));
        let main = state.main_shown(method);
        SideView {
            remaining: if bronstein { main.plus(delay) } else { main },
            limit: match method {
                Method::CountUp { limit } => limit,
                _ => None,
            },
            delay: if bronstein { Span::ZERO } else { delay },
            moves: state.moves,
            period: state.period,
            flag: state.final_flag.or(state.period_flag),
            out_of_time: state.final_flag.is_some(),
            overrun: state.overrun,
            overtime: state.overtime,
            owed: state.owed(),
            method,
            low: self.low_time(side),
            notes: SideNotes::default(),
            lateness: None,
        }
    }

    /// The method of this side in its present period.
    pub fn method(&self, side: Side) -> Method {
        self.method_of(side, self.sides[side].period)
    }

    /// The method that the arbiter has set for the rest of the game, if any.
    pub fn changed_method(&self) -> Option<Method> {
        self.changed_method
    }

    /// The method of this side in the period with this number.
    fn method_of(&self, side: Side, period: u32) -> Method {
        self.changed_method.unwrap_or(self.control.period(period).method[side])
    }

    /// The delay with which a turn of this side begins.
    fn full_delay(&self, side: Side) -> Span {
        match self.sides[side].final_flag {
            Some(_) => Span::ZERO,
            None => self.method(side).delay(),
        }
    }

    fn emit(&mut self, at: Instant, kind: EventKind) {
        self.events.push(Event { at, kind });
    }

    /// Decides everything that is due up to and including `at`.
    ///
    /// A timeout comes before any event with the same instant, so every handler calls this first. A
    /// command can leave the side on move without time, for example if its time is set to 0:00 and
    /// the clock is then resumed. So the handlers that can start a clock call this last as well.
    fn advance(&mut self, at: Instant) -> Result<(), Refused> {
        if at < self.last {
            return Err(Refused::Earlier { given: at, last: self.last });
        }
        while let Some(due) = self.poll_timeout().filter(|due| *due <= at) {
            self.time_up(due, at);
        }
        self.last = at;
        Ok(())
    }

    /// The state of both sides and the delay left, at `at`.
    fn charged(&self, at: Instant) -> (PerSide<SideState>, Span) {
        // One variable that is changed and returned: the compiler then copies the sides fewer times.
        let mut charged = (self.sides, self.delay_left);
        if let Progress::Running { since } = self.progress {
            let (method, elapsed) = (self.method(self.on_move), at.since(since));
            let (sides, delay_left) = &mut charged;
            side_state::charge(sides, self.on_move, method, elapsed, *delay_left);
            *delay_left = delay_left.minus(elapsed);
        }
        charged
    }

    /// Charges the side on move for its running time up to `at`. `Progress::Running::since` stays
    /// as it was, so every caller sets `progress` afterwards.
    fn charge(&mut self, at: Instant) {
        let Progress::Running { since } = self.progress else { return };
        let (method, elapsed) = (self.method(self.on_move), at.since(since));
        side_state::charge(&mut self.sides, self.on_move, method, elapsed, self.delay_left);
        self.delay_left = self.delay_left.minus(elapsed);
    }

    fn complete_move(&mut self, at: Instant) {
        self.charge(at);
        let side = self.on_move;
        self.last_move = Some(LastMove::before(self));
        let method = self.method(side);
        let state = &mut self.sides[side];
        state.moves = state.moves.saturating_add(1);
        state.count_overtime_move(method);
        let set_back = self.complete_period(side, at);
        // The side gets the increment of the period in which it is now. For example, if move 40
        // completes a period, the side gets the increment of the next period.
        let increment = self.method(side).increment();
        let state = &mut self.sides[side];
        if state.final_flag.is_none() {
            state.main = state.main.plus(increment);
        }
        self.begin_turn(side.other());
        self.progress = match self.control.terms().period_end {
            PeriodEnd::BlackCompletes { pause: true } if set_back => {
                Progress::Paused { by: PausedBy::SetBack }
            }
            _ => Progress::Running { since: at },
        };
    }

    fn begin_turn(&mut self, side: Side) {
        self.on_move = side;
        self.delay_left = self.full_delay(side);
    }
}

#[cfg(test)]
mod tests;
