//! Stops, arrivals, illegal moves and penalties.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::decisions::award_to;
use super::flags::{left_of, side_of};
use super::{Effect, Fact, Input, Model, commanded, given, lost_by, nanos, stopped};
use clock_engine::rules::{
    Action, IncidentKind, LatePlayers, Penalty, PenaltyCause, PenaltyKind, Ruling,
};
use clock_engine::{Caller, Clock, Command, Instant, Method, Outcome, Phase, Side, Span};

/// Who stopped the clocks: a player, or `None` for the call button.
type Stopper = Option<Side>;

impl Model {
    /// Who made the last stop by a player or by the call button; `None` if the arbiter has ruled on
    /// it, or if in unsupervised play the clocks were started after it.
    pub fn open_stop(&self) -> Option<Stopper> {
        let (fact, by) = self.last_stop()?;
        let settled = self.after(fact).any(|later| {
            matches!(later.input, Input::Action(Action::Rule { ruling, .. }) if is_on_a_stop(ruling))
                || later.starts && !self.supervised()
        });
        (!settled).then_some(by)
    }

    fn last_stop(&self) -> Option<(&Fact, Stopper)> {
        self.facts().rev().find_map(|fact| {
            let ran = fact.clock.phase() == Phase::Running;
            match fact.input {
                Input::Call if ran => Some((fact, None)),
                // The countdown of a game that no player has stopped. `open_stop` has the earlier stop.
                Input::Call if !self.supervised() && self.at(fact).open_stop().is_none() => {
                    Some((fact, None))
                }
                Input::Command(Command::Pause { by: Caller::Button }) => Some((fact, None)),
                Input::Command(Command::Pause { by: Caller::Player(side) }) => {
                    Some((fact, Some(side)))
                }
                _ => None,
            }
        })
    }

    /// Whether any obviously invalid stop still requires a penalty (S0 6.13d).
    fn stop_penalty_is_due(&self) -> bool {
        let invalid = Input::Action(Action::rule(Ruling::ObviouslyInvalid));
        self.facts().filter(|fact| fact.input == invalid).any(|ruling| {
            let mut by = self.before(ruling).rev().filter_map(|fact| match fact.input {
                Input::Call if fact.clock.phase() == Phase::Running => Some(None),
                Input::Command(Command::Pause { by: Caller::Button }) => Some(None),
                Input::Command(Command::Pause { by: Caller::Player(side) }) => Some(Some(side)),
                _ => None,
            });
            let by = by.next().flatten();
            !self.after(ruling).any(|later| match later.input {
                Input::Action(Action::Penalize(penalty)) => by.is_none_or(|by| by == penalty.side),
                _ => false,
            })
        })
    }

    /// Whether improper handling of the clock still requires a penalty (S0 6.8c).
    fn handling_penalty_is_due(&self, side: Side) -> bool {
        let handled = self.actions().rfind(|(_, action)| {
            matches!(action, Action::Incident { side: by, kind } if *by == side && kind.is_handling())
        });
        let Some((incident, _)) = handled else {
            return false;
        };
        !self.after(incident).any(|later| match later.input {
            Input::Action(Action::Penalize(penalty)) => penalty.side == side,
            _ => false,
        })
    }

    pub fn resume(&self, clock: &Clock, side: Option<Side>, at: Instant) -> Option<Clock> {
        let confirmed = || Side::BOTH.iter().all(|&side| self.confirmed_resume(side));
        if !self.can_go_on(clock) || !self.supervised() && !confirmed() {
            return None;
        }
        commanded(*clock, &[Command::Resume { side }], at)
    }

    /// Whether nothing but the players' confirmation is missing for a resume.
    pub fn can_go_on(&self, clock: &Clock) -> bool {
        let handling = Side::BOTH.iter().any(|&side| self.handling_penalty_is_due(side));
        let is_forbidden = self.phase(clock) != Phase::Paused
            || self.adjourned()
            || self.concluded()
            || self.stop_penalty_is_due()
            || self.lacks_the_next_period(clock)
            || self.supervised() && handling;
        !is_forbidden
    }

    /// When the game goes on by itself: 3 s after the last press of the call button in this pause of
    /// an unsupervised game. A second press, and every command, ends the countdown.
    pub fn countdown(&self, clock: &Clock) -> Option<Instant> {
        if self.supervised() || self.phase(clock) != Phase::Paused {
            return None;
        }
        let standing = self.facts.iter().rev();
        let standing = standing.take_while(|fact| {
            let gives_command = matches!(fact.input, Input::Command(_) | Input::Action(_));
            fact.clock.phase() == Phase::Paused && !gives_command
        });
        let mut calls = standing.filter(|fact| fact.input == Input::Call);
        let last = calls.next()?;
        let counts_down = calls.count() % 2 == 0;
        counts_down.then(|| last.at.checked_add(Span::from_secs(3)).expect("a short game"))
    }

    /// The effect of the end of the countdown; `None` if the game cannot go on.
    pub fn go_on(&self, clock: &Clock, at: Instant) -> Option<Effect> {
        let resume = [Command::Resume { side: None }];
        let clock = commanded(*clock, &resume, at).filter(|_| self.can_go_on(clock))?;
        Some(Effect { clock, result: None })
    }

    /// Whether, since the clocks last stopped, this player has confirmed that the game goes on.
    pub fn confirmed_resume(&self, side: Side) -> bool {
        // The field `self.facts` is used and not the method, because the field also has the inputs
        // whose results were taken back. Those inputs have stopped the clocks, too.
        let all = self.facts.iter().rev();
        let standing = all.take_while(|fact| fact.clock.phase() != Phase::Running);
        standing.into_iter().any(|fact| match fact.input {
            Input::Action(Action::RecordConfirmation { by, what }) => {
                by == side && self.at(fact).confirms_resume(&fact.clock, what)
            }
            Input::Press(by) => by == side && self.at(fact).phase(&fact.clock) == Phase::Paused,
            _ => false,
        })
    }

    /// When the game began.
    fn start(&self) -> Option<Instant> {
        let first = self.facts().find(|fact| fact.starts)?;
        Some(first.at)
    }

    /// The first instant at which the player arrived or pressed.
    pub fn arrived(&self, side: Side) -> Option<Instant> {
        let arrived = self.actions().find(|(_, action)| *action == Action::Arrive(side));
        let pressed = self.presses.iter().find(|(_, by)| *by == side);
        let seen = [arrived.map(|(fact, _)| fact.at), pressed.map(|(at, _)| *at)];
        seen.into_iter().flatten().min()
    }

    /// Whether the player arrived more than the default time after the start. A player who has not
    /// arrived counts as arriving at `at`.
    pub fn is_late(&self, side: Side, at: Instant) -> bool {
        let Some(start) = self.start() else {
            return false;
        };
        self.arrived(side).unwrap_or(at).since(start) > self.profile.default_after
    }

    /// Whether the arbiter is asked about a default. After the first press of a late player that
    /// counts, the game is played, so the question is closed.
    pub fn default_is_open(&self, side: Side, at: Instant) -> bool {
        let plays = self.facts.iter().any(|fact| fact.input == Input::Press(side));
        // Nothing becomes due while the game is adjourned.
        let at = self.adjourned_at().unwrap_or(at);
        self.is_late(side, at) && !plays && !self.default_is_waived(side)
    }

    /// Whether the arbiter has waived the default. A reopening takes a forfeit back, but no waiver.
    fn default_is_waived(&self, side: Side) -> bool {
        self.facts.iter().any(|fact| {
            matches!(
                fact.input,
                Input::Action(Action::Rule { ruling: Ruling::Waive, side: late, .. })
                    if late.is_none_or(|late| late.has(side))
            )
        })
    }

    pub fn rule_default(
        &self,
        clock: &Clock,
        late: LatePlayers,
        ruling: Ruling,
        at: Instant,
    ) -> Option<Effect> {
        if self.concluded() || !self.supervised() {
            return None;
        }
        let open = |side: Side| self.default_is_open(side, at);
        if Side::BOTH.into_iter().any(|side| late.has(side) && !open(side)) {
            return None;
        }
        let result = match late.side() {
            _ if ruling == Ruling::Waive => None,
            None => Some(Outcome::BothLose),
            // Of two late players, one alone loses only once the arbiter has decided about the
            // other.
            Some(side) if open(side.other()) => return None,
            Some(side) => Some(lost_by(side)),
        };
        let clock = if result.is_some() { stopped(clock, at) } else { *clock };
        Some(Effect { clock, result })
    }

    /// The offender of an illegal move that loses the game.
    pub fn losing_illegal_move(&self) -> Option<Side> {
        let number = self.profile.illegal_loses_at as usize;
        let last = self.illegal_moves().last()?;
        let count = self.illegal_moves().filter(|side| *side == last).count();
        (number > 0 && count >= number).then_some(last)
    }

    /// Whether the game cannot go on any more.
    pub fn must_end(&self) -> bool {
        self.losing_illegal_move().is_some() || self.concluded()
    }

    fn illegal_moves(&self) -> impl Iterator<Item = Side> {
        self.actions().filter_map(|(_, action)| match action {
            Action::IllegalMove { side, .. } => Some(side),
            _ => None,
        })
    }

    pub fn illegal_move(
        &self,
        clock: &Clock,
        side: Side,
        claimed: bool,
        award: Option<Span>,
        at: Instant,
    ) -> Option<Clock> {
        let (offender, opponent) = clock.last_completed_move()?;
        let is_unlimited = matches!(opponent.method, Method::CountUp { limit: None });
        let had = (!is_unlimited).then(|| left_of(&opponent));
        if offender != side
            || self.losing_illegal_move().is_some()
            || self.concluded()
            || !self.agrees_to_correct(clock)
        {
            return None;
        }
        let back = commanded(stopped(clock, at), &[Command::UndoPress], at)?;
        let profile = &self.profile;
        let number = 1 + self.illegal_moves().filter(|by| *by == side).count();
        let own = match profile.illegal_claim_below {
            Some(below) if claimed && had.is_some_and(|had| had < below) => {
                profile.illegal_claim_award
            }
            _ => Span::ZERO,
        };
        let usual = profile.illegal_award.of(self.rate).max(own);
        let loses = profile.illegal_loses_at as usize == number;
        // If the profile sets the award, the arbiter cannot choose another one.
        let named = profile.illegal_award.of(self.rate);
        if award.is_some_and(|award| loses || !named.is_zero() && award != named) {
            return None;
        }
        let award = if loses { Span::ZERO } else { award.unwrap_or(usual) };
        award_to(&back, side.other(), award, at)
    }

    /// The half points of this kind of penalty for this offender, since they were last taken back.
    fn points(&self, offender: Side, of: PenaltyKind) -> u32 {
        self.actions().fold(0, |had, (_, action)| match action {
            Action::Penalize(Penalty { side, kind, half_points, .. })
                if (side, kind) == (offender, of) =>
            {
                if half_points == 0 {
                    0
                } else {
                    had + half_points
                }
            }
            _ => had,
        })
    }

    /// The most half points that penalties of this kind for this offender can have with this
    /// result, or without a result.
    fn most_points(&self, offender: Side, kind: PenaltyKind, result: Option<Outcome>) -> u32 {
        let all = self.profile.game_half_points;
        let scores = |side: Side| match result.expect("it is given") {
            Outcome::Drawn => all / 2,
            Outcome::BothLose => 0,
            Outcome::WhiteWins => {
                if side == Side::White {
                    all
                } else {
                    0
                }
            }
            Outcome::BlackWins => {
                if side == Side::Black {
                    all
                } else {
                    0
                }
            }
        };
        match kind {
            _ if result.is_none() => all,
            PenaltyKind::PointsOff => scores(offender),
            _ => all - scores(offender.other()),
        }
    }

    /// Whether the points of all penalties are possible with this result (S0 13.4).
    pub fn goes_with_points(&self, result: Outcome) -> bool {
        [PenaltyKind::PointsOff, PenaltyKind::OpponentPoints].into_iter().all(|kind| {
            Side::BOTH
                .into_iter()
                .all(|side| self.points(side, kind) <= self.most_points(side, kind, Some(result)))
        })
    }

    pub fn penalty(&self, clock: &Clock, penalty: Penalty, at: Instant) -> Option<Effect> {
        let Penalty { side, kind, time, half_points, cause } = penalty;
        let force_warned = self.actions().any(|(_, action)| match action {
            Action::Penalize(earlier) => {
                earlier.side == side
                    && earlier.kind == PenaltyKind::Warning
                    && earlier.cause == Some(PenaltyCause::Force)
            }
            _ => false,
        });
        let force = Action::Incident { side, kind: IncidentKind::Force };
        let for_force = match cause {
            Some(cause) => cause == PenaltyCause::Force,
            None => self.actions().any(|(_, action)| action == force),
        };
        let needs_warning = self.profile.force_needs_warning
            && for_force
            && matches!(kind, PenaltyKind::Loss | PenaltyKind::Expulsion);
        let timed = matches!(kind, PenaltyKind::OpponentPlus | PenaltyKind::OffenderMinus);
        let pointed = matches!(kind, PenaltyKind::PointsOff | PenaltyKind::OpponentPoints);
        let points = match (pointed, self.points(side, kind)) {
            (false, _) => half_points == 0,
            (true, had) if half_points == 0 => had > 0,
            (true, had) => had + half_points <= self.most_points(side, kind, self.result()),
        };
        // Once the game is over, a penalty that changes a time or loses the game is refused.
        let over = self.result().is_some();
        let changes_the_game = timed || kind == PenaltyKind::Loss;
        if !self.supervised()
            || clock.phase() == Phase::Running
            || over && changes_the_game
            || !kind.is_in(self.profile.penalties)
            || timed == time.is_zero()
            || !points
            || needs_warning && !force_warned
        {
            return None;
        }
        let clock = match kind {
            PenaltyKind::OpponentPlus => award_to(clock, side.other(), time, at)?,
            PenaltyKind::OffenderMinus if time >= left_of(&side_of(clock, side)) => return None,
            PenaltyKind::OffenderMinus => given(clock, side, -nanos(time), at)?,
            _ => *clock,
        };
        let lost = matches!(kind, PenaltyKind::Loss | PenaltyKind::Expulsion);
        Some(Effect { clock, result: (lost && !over).then(|| lost_by(side)) })
    }
}

/// Whether the ruling is on a player's stop of the clocks.
pub fn is_on_a_stop(ruling: Ruling) -> bool {
    matches!(ruling, Ruling::Valid | Ruling::NotObvious | Ruling::ObviouslyInvalid)
}
