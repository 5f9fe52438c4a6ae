//! The game of the model: what a press, a call and a command do.

use super::{CALL, Model, Phase, Press, SECOND, Stage, Told, Why, Wiring};

/// Both players' buttons stop a clock.
const STOP: u64 = SECOND;
/// The two presses of a stop begin within this time.
const STOP_WITHIN: u64 = SECOND;
/// A second call lets the game go on.
const GOES_ON: u64 = 3 * SECOND;

const BLACK: usize = 1;

/// The chess clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub phase: Phase,
    pub on_move: usize,
    pub left: [u64; 2],
    pub moves: [u32; 2],
    /// Since when the clock of the side on move runs.
    pub since: u64,
    /// A call that is shown, and whether it stopped the clock.
    pub called: bool,
    pub stopped_by_call: bool,
    pub confirmed: [bool; 2],
    pub goes_on: Option<u64>,
}

impl Clock {
    pub fn at(mut self, at: u64) -> Clock {
        if self.phase == Phase::Running {
            // A clock whose flag is down can run on at zero.
            let left = &mut self.left[self.on_move];
            *left = left.saturating_sub(at - self.since);
            self.since = at;
        }
        self
    }
}

impl Model {
    pub(super) fn input(&mut self, press: Press) {
        self.game.push(Told::Press(press.line, press.down));
        if press.line == CALL {
            return self.call(press.down);
        }
        let (side, at) = (press.line, press.down);
        let clock = &mut self.clock;
        self.latest[side] = Some((press, clock.at(at)));
        match clock.phase {
            Phase::Ready if side == BLACK => self.run(at),
            Phase::Running if side == clock.on_move => {
                *clock = clock.at(at);
                clock.moves[side] += 1;
                clock.on_move = 1 - side;
            }
            Phase::Paused if self.nobody => {
                clock.confirmed[side] = true;
                if clock.confirmed == [true; 2] {
                    self.run(at);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, at: u64) {
        let nobody = self.nobody;
        let clock = &mut self.clock;
        match clock.phase {
            Phase::Running => {
                (clock.called, clock.stopped_by_call) = (!nobody, true);
                self.pause(at);
            }
            Phase::Paused if nobody => {
                clock.goes_on = if clock.goes_on.is_some() { None } else { Some(at + GOES_ON) };
            }
            Phase::Ready | Phase::Paused | Phase::Ruling
                if !(nobody || clock.called && clock.stopped_by_call) =>
            {
                clock.called = !clock.called;
                self.changes += 1;
            }
            _ => {}
        }
    }

    pub(super) fn command(&mut self, at: u64) {
        let changes = self.changes;
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Waiting(waiting) => self.decide(waiting),
            other => self.stage = other,
        }
        if self.changes != changes {
            return;
        }
        match self.clock.phase {
            Phase::Running => self.pause(at),
            Phase::Ready | Phase::Paused => self.run(at),
            Phase::Ruling | Phase::Over => return,
        }
        match self.clock.phase {
            Phase::Running => self.close(Why::ClockRuns, at),
            _ => self.close(Why::Command, at),
        }
    }

    fn run(&mut self, at: u64) {
        let clock = &mut self.clock;
        (clock.phase, clock.since, clock.goes_on) = (Phase::Running, at, None);
        (clock.called, clock.stopped_by_call, clock.confirmed) = (false, false, [false; 2]);
        self.changes += 1;
        self.game.push(Told::Phase(at, Phase::Running));
    }

    fn pause(&mut self, at: u64) {
        self.clock = Clock { phase: Phase::Paused, ..self.clock.at(at) };
        self.game.push(Told::Phase(at, Phase::Paused));
    }

    pub(super) fn go_on(&mut self, at: u64) {
        self.run(at);
        self.close(Why::ClockRuns, at);
    }

    /// When both players have held their buttons for long enough to stop the clock that runs, and
    /// the clock before these presses.
    pub(super) fn both_held(&self) -> Option<(u64, Clock)> {
        let [white, black] = self.latest;
        let (mut first, mut second) = (white?, black?);
        if second.0.down < first.0.down {
            (first, second) = (second, first);
        }
        let at = second.0.down + STOP;
        let holds = first.0.up >= at && second.0.up >= at;
        let together = second.0.down - first.0.down <= STOP_WITHIN;
        let may = self.wiring == Wiring::TwoAlone && self.nobody;
        (may && holds && together && self.clock.phase == Phase::Running).then_some((at, first.1))
    }

    pub(super) fn stop_together(&mut self, at: u64) {
        let (_, before) = self.both_held().unwrap();
        self.clock = Clock { phase: Phase::Paused, confirmed: [false; 2], ..before };
        self.game.extend([Told::Stop(at), Told::Phase(at, Phase::Paused)]);
    }
}
