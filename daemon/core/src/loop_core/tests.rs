//! Tests of the order in which the core decides edges and commands, and of the instants at which it
//! decides them.

mod board;
mod late_presses;
mod menu;
mod noise;
mod periods;
mod placement;
mod races;
mod random;
mod rocker;
mod rules;

use super::messages::PressBeforeFlag;
use super::*;
use crate::Edge;
use clock_engine::rules::{GameCommand, GameEventKind};
use clock_engine::{Command, Correction, EventKind, Method, Phase, Side, Span};
use std::ops::{Deref, DerefMut};

const WHITE: Button = Button::Player(Side::White);
const BLACK: Button = Button::Player(Side::Black);
const MS: u64 = 1_000_000;

/// Short names for the causes that are events of the game.
impl Cause {
    const CALL: Cause = of_clock(EventKind::Call { accepted: true });

    const fn press(side: Side) -> Cause {
        of_clock(EventKind::Press { side, accepted: true })
    }

    const fn ignored_press(side: Side) -> Cause {
        of_clock(EventKind::Press { side, accepted: false })
    }

    const fn flag(side: Side, period: u32) -> Cause {
        of_clock(EventKind::Flag { side, period })
    }

    const fn period(side: Side, period: u32) -> Cause {
        of_clock(EventKind::Period { side, period })
    }

    const fn overtime(side: Side, periods_left: u32) -> Cause {
        of_clock(EventKind::Overtime { side, periods_left })
    }

    const fn gong(side: Side) -> Cause {
        of_clock(EventKind::Gong { side })
    }

    const fn hold(side: Side) -> Cause {
        Cause::Event(GameEventKind::Hold { side })
    }
}

const fn of_clock(kind: EventKind) -> Cause {
    Cause::Event(GameEventKind::Clock(kind))
}

fn at(nanos: u64) -> Instant {
    Instant::from_nanos(nanos)
}

/// A core in virtual time, with the edges, levels and requests of its next step.
pub(super) struct VirtualLoop {
    core: LoopCore,
    pub(super) readings: [LineReading; LINES],
    /// The levels of the lines, which a step reads after the edges.
    pub(super) levels: [bool; LINES],
    /// Whether the board is gone, so that the lines cannot be read.
    is_gone: bool,
    requests: Vec<Request>,
}

impl VirtualLoop {
    pub(super) fn new(
        control: Control,
        inputs: Inputs,
        levels: [bool; LINES],
        at: Instant,
    ) -> VirtualLoop {
        VirtualLoop::of(crate::game_without_rules(control, at), inputs, levels)
    }

    /// A loop with this game.
    fn of(game: Game, inputs: Inputs, levels: [bool; LINES]) -> VirtualLoop {
        let core = LoopCore::new(game, inputs, Some(levels), game.last());
        let readings = [const { LineReading::EMPTY }; LINES];
        VirtualLoop { core, readings, levels, is_gone: false, requests: Vec::new() }
    }

    /// Adds an edge for the next step, and sets the line to the level of the edge.
    pub(super) fn edge(&mut self, button: Button, edge: Edge) {
        self.readings[button.index()].add(&[edge]);
        self.levels[button.index()] = edge.active;
    }

    fn request(&mut self, request: Request) {
        self.requests.push(request);
    }

    fn board_gone(&mut self, button: Button, at: Instant) {
        self.is_gone = true;
        self.core.board_gone(button, at);
    }

    /// Brings the board back. Returns the causes of the updates.
    fn board_back(&mut self, levels: [bool; LINES], at: Instant) -> Vec<Cause> {
        (self.levels, self.is_gone) = (levels, false);
        let mut found = Vec::new();
        self.core.board_back(levels, at, &mut |update: Update| found.push(update.cause));
        found
    }

    /// Runs one iteration of the loop at `now`.
    pub(super) fn step(&mut self, now: Instant, out: &mut impl FnMut(Update)) -> Option<Instant> {
        self.step_into(now, out)
    }

    /// Like [`VirtualLoop::step`], with an output that also receives the inputs.
    fn step_into(&mut self, now: Instant, out: &mut impl Output) -> Option<Instant> {
        for (button, reading) in Button::ALL.into_iter().zip(&mut self.readings) {
            reading.level = (!self.is_gone && !self.core.is_muted(button, now))
                .then_some(self.levels[button.index()]);
        }
        let requests = self.requests.drain(..);
        let (core, readings) = (&mut self.core, &self.readings);
        let deadline = core.step(now, readings, requests, out);
        self.readings.iter_mut().for_each(LineReading::clear);
        deadline
    }
}

impl Deref for VirtualLoop {
    type Target = LoopCore;

    fn deref(&self) -> &LoopCore {
        &self.core
    }
}

impl DerefMut for VirtualLoop {
    fn deref_mut(&mut self) -> &mut LoopCore {
        &mut self.core
    }
}

/// A clock with one second and an increment of 1 ns for each side. Black's button started it at 0.
fn running() -> VirtualLoop {
    let control = Control::single(Span::from_secs(1), Method::Increment(Span::from_nanos(1)));
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    assert_eq!(press(&mut core, BLACK, 0), [(Cause::press(Side::Black), 0)]);
    core
}

fn edge(core: &mut VirtualLoop, button: Button, nanos: u64, active: bool) {
    core.edge(button, Edge { at: at(nanos), active });
}

/// Decides everything up to `nanos`. Returns the causes of the updates with their instants.
fn decide(core: &mut VirtualLoop, nanos: u64) -> Vec<(Cause, u64)> {
    let mut found = Vec::new();
    core.step(at(nanos), &mut |update| found.push((update.cause, update.at.as_nanos())));
    found
}

fn press(core: &mut VirtualLoop, button: Button, nanos: u64) -> Vec<(Cause, u64)> {
    edge(core, button, nanos, true);
    edge(core, button, nanos + 2 * MS, false);
    decide(core, nanos + 3 * MS)
}

#[test]
fn a_press_counts_from_its_first_edge_however_late_it_is_decided() {
    let mut core = running();
    edge(&mut core, WHITE, 500 * MS, true);
    edge(&mut core, WHITE, 500 * MS + 300_000, false);
    edge(&mut core, WHITE, 504 * MS, true);
    assert_eq!(decide(&mut core, 504 * MS + 999_999), []);
    assert_eq!(decide(&mut core, 506 * MS), [(Cause::press(Side::White), 500 * MS)]);
    let view = core.update(Cause::Missed).view;
    assert_eq!(view.sides[Side::White].remaining.as_nanos(), 500 * MS + 2);
}

#[test]
fn a_candidate_before_the_flag_delays_the_flag_and_counts_or_is_rejected() {
    let flag = 1_000_000_001; // the first move has its increment
    // The press is one nanosecond before the flag, so it is in time, although it is decided long
    // after the flag was due.
    let mut core = running();
    edge(&mut core, WHITE, flag - 1, true);
    assert_eq!(decide(&mut core, flag + 500_000), []);
    assert_eq!(decide(&mut core, flag + 2 * MS), [(Cause::press(Side::White), flag - 1)]);

    // After a glitch has been rejected, the flag falls at its own instant.
    let mut core = running();
    edge(&mut core, WHITE, flag - 1, true);
    edge(&mut core, WHITE, flag + 500_000, false);
    assert_eq!(decide(&mut core, flag + 2 * MS), []);
    let fallen = decide(&mut core, flag + 21 * MS);
    assert_eq!(fallen, [(Cause::flag(Side::White, 1), flag)]);

    // A press at the instant of the flag is too late (S0 6.8a, Chess Organisers' Handbook).
    let mut core = running();
    edge(&mut core, WHITE, flag, true);
    let found = decide(&mut core, flag + 2 * MS);
    assert_eq!(
        found,
        [(Cause::flag(Side::White, 1), flag), (Cause::ignored_press(Side::White), flag)]
    );
}

#[test]
fn what_is_undecided_begins_with_the_first_edge_of_the_candidate() {
    let mut core = running();
    assert_eq!(core.undecided_since(), None);
    edge(&mut core, WHITE, 500 * MS, true);
    assert_eq!(decide(&mut core, 500 * MS + 300_000), []);
    assert_eq!(core.undecided_since(), Some(at(500 * MS)));
    // White's candidate is undecided, so a press on Black's line is not decided yet.
    edge(&mut core, WHITE, 500 * MS + 400_000, false);
    edge(&mut core, BLACK, 501 * MS, true);
    assert_eq!(decide(&mut core, 503 * MS), []);
    assert_eq!(core.undecided_since(), Some(at(500 * MS)));
    edge(&mut core, WHITE, 504 * MS, true);
    assert_eq!(decide(&mut core, 506 * MS).len(), 2);
    assert_eq!(core.undecided_since(), None);
}

#[test]
fn a_flag_waits_for_the_edge_delivery_window_and_not_longer() {
    let mut core = running();
    let flag = 1_000_000_001;
    assert_eq!(decide(&mut core, flag + 99_999), []);
    assert_eq!(core.wake_at(at(flag + 99_999)), Some(at(flag + 100_000)));
    let fallen = decide(&mut core, flag + 100_000);
    assert_eq!(fallen, [(Cause::flag(Side::White, 1), flag)]);
}

#[test]
fn the_debounce_waits_while_an_edge_may_be_on_its_way() {
    let mut core = running();
    edge(&mut core, WHITE, 500 * MS, true);
    // The settle time of White's press is over, but an edge with an earlier stamp may not have been
    // delivered yet.
    assert_eq!(decide(&mut core, 501 * MS + 99_999), []);
    assert_eq!(core.wake_at(at(501 * MS + 99_999)), Some(at(501 * MS + 100_000)));
    edge(&mut core, WHITE, 501 * MS - 1, false);
    assert_eq!(decide(&mut core, 522 * MS), []);
    assert_eq!(core.counts().rejected, 1);
    // The press is decided as soon as no edge with a stamp within its settle time can arrive any
    // more.
    edge(&mut core, WHITE, 600 * MS, true);
    let pressed = decide(&mut core, 601 * MS + 100_000);
    assert_eq!(pressed, [(Cause::press(Side::White), 600 * MS)]);
}

#[test]
fn edges_that_the_kernel_has_certainly_dropped_are_counted_and_the_press_counts() {
    let mut core = running();
    core.readings[WHITE.index()].lost = 3;
    assert_eq!(press(&mut core, WHITE, 500 * MS), [(Cause::press(Side::White), 500 * MS)]);
    assert_eq!((core.counts().lost_edges, core.counts().overflows), (3, 1));
}

#[test]
fn lines_merge_by_stamp() {
    let mut core = running();
    // White's contact chatters from 100 ms on. Black's clean press has a later stamp, but the
    // debounce recognises it first.
    edge(&mut core, WHITE, 100 * MS, true);
    edge(&mut core, WHITE, 100 * MS + 100_000, false);
    edge(&mut core, BLACK, 101 * MS, true);
    edge(&mut core, BLACK, 103 * MS, false);
    edge(&mut core, WHITE, 104 * MS, true);
    assert_eq!(decide(&mut core, 104 * MS + 500_000), []);
    assert_eq!(
        decide(&mut core, 106 * MS),
        [(Cause::press(Side::White), 100 * MS), (Cause::press(Side::Black), 101 * MS)]
    );
}

#[test]
fn a_command_waits_behind_an_earlier_candidate() {
    let mut core = running();
    edge(&mut core, WHITE, 100 * MS, true);
    let command = Command::Pause { by: clock_engine::Caller::Arbiter };
    let request =
        Request { id: 7, at: at(100 * MS + 500_000), revision: 2, command: command.into() };
    core.request(request);
    assert_eq!(decide(&mut core, 100 * MS + 900_000), []);
    assert_eq!(
        decide(&mut core, 102 * MS),
        [
            (Cause::press(Side::White), 100 * MS),
            (Cause::Command("pause", None), 100 * MS + 500_000)
        ]
    );
}

#[test]
fn a_stale_command_changes_nothing_and_a_completed_move_makes_no_command_stale() {
    let mut core = running();
    press(&mut core, WHITE, 100 * MS);
    let request =
        |id, revision| Request { id, at: at(200 * MS), revision, command: Command::Start.into() };
    let mut answers = Vec::new();
    core.request(request(1, 1));
    core.request(request(2, 2));
    core.step(at(300 * MS), &mut |update| answers.push(update.answer.unwrap().1));
    assert_eq!(answers[0], Err(Refusal::Stale { given: 1, current: 2 }));
    assert!(matches!(answers[1], Err(Refusal::Game(_))), "{answers:?}");
    assert_eq!(core.update(Cause::Missed).view.phase, Phase::Running);
}

#[test]
fn a_press_without_room_is_counted_as_late() {
    // With these short debounce times, one line brings many presses while the other line delays all
    // of them.
    let span = Span::from_nanos(1000);
    let times = Times {
        settle: span,
        longest_bounce: Span::from_nanos(20 * MS),
        release: span,
        stuck: None,
    };
    let control = Control::single(Span::from_secs(60), Method::None);
    let inputs = Inputs { times, ..Inputs::default() };
    let mut core = VirtualLoop::new(control, inputs, [false; LINES], at(0));
    edge(&mut core, BLACK, 100 * MS, true);
    edge(&mut core, BLACK, 100 * MS + 500, false);
    for index in 0..68 {
        edge(&mut core, WHITE, 101 * MS + index * 10_000, true);
        edge(&mut core, WHITE, 101 * MS + index * 10_000 + 5000, false);
        assert_eq!(decide(&mut core, 101 * MS + index * 10_000 + 9000), []);
    }
    assert_eq!(decide(&mut core, 130 * MS).len(), 64);
    assert_eq!((core.counts().late, core.counts().rejected), (4, 1));
}

#[test]
fn idle_and_paused_need_no_wake_up() {
    let control = Control::single(Span::from_secs(1), Method::None);
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    assert_eq!(core.wake_at(at(5)), None);
    press(&mut core, BLACK, 100 * MS);
    decide(&mut core, 200 * MS);
    let pause = Command::Pause { by: clock_engine::Caller::Arbiter };
    core.request(Request { id: 1, at: at(200 * MS), revision: 2, command: pause.into() });
    assert!(core.wake_at(at(200 * MS)).is_some());
    decide(&mut core, 201 * MS);
    assert_eq!(core.wake_at(at(201 * MS)), None);
}

#[test]
fn a_stuck_button_is_reported_and_the_other_button_works() {
    let mut core = running();
    edge(&mut core, WHITE, 100 * MS, true);
    decide(&mut core, 200 * MS);
    assert!(!core.is_stuck(WHITE, at(10_099 * MS)));
    assert!(core.is_stuck(WHITE, at(10_100 * MS)));
    assert_eq!(press(&mut core, BLACK, 300 * MS), [(Cause::press(Side::Black), 300 * MS)]);
}

#[test]
fn a_call_that_stands_is_not_made_again() {
    let mut core = running();
    assert_eq!(press(&mut core, Button::Call, 100 * MS), [(Cause::CALL, 100 * MS)]);
    let revision = core.update(Cause::Missed).revision;
    assert_eq!(press(&mut core, Button::Call, 200 * MS), []);
    assert_eq!(core.update(Cause::Missed).revision, revision);
}

#[test]
fn a_command_that_makes_a_flag_due_answers_with_the_revision_after_it() {
    let control = Control::single(Span::ZERO, Method::None);
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    let request = Request { id: 1, at: at(MS), revision: 1, command: Command::Start.into() };
    core.request(request);
    let mut found = Vec::new();
    core.step(at(2 * MS), &mut |update| found.push((update.cause, update.revision)));
    let flag = Cause::flag(Side::White, 1);
    assert_eq!(found, [(Cause::Command("start", None), 3), (flag, 3)]);
}

/// Gives a command, stamped at `millis` and with the core's revision, and decides it. Returns the
/// answer.
fn command(
    core: &mut VirtualLoop,
    command: impl Into<GameCommand>,
    millis: u64,
) -> Result<(), Refusal> {
    let command = command.into();
    let revision = core.update(Cause::Missed).revision;
    core.request(Request { id: 1, at: at(millis * MS), revision, command });
    let mut answer = None;
    core.step(at((millis + 2) * MS), &mut |update| answer = answer.or(update.answer));
    answer.unwrap().1
}

const PAUSE: Command = Command::Pause { by: clock_engine::Caller::Arbiter };
const RESUME: Command = Command::Resume { side: None };
