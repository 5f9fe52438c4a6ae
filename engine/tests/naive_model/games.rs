//! Random games.

use crate::controls::{TICKS, control, nanos, per_side, side, span};
use clock_engine::{
    Caller, Clock, Command, Control, Correction, Event, Instant, Outcome, Refused, Side, Span,
};
use proptest::prelude::*;

/// When the next action happens.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// This many nanoseconds after the last action.
    After(u64),
    /// This many nanoseconds after the next timeout, or before it if negative. At once if there is
    /// no timeout.
    Due(i64),
}

impl When {
    pub fn resolve(self, clock: &Clock) -> Instant {
        let last = clock.last().as_nanos();
        let at = match (self, clock.poll_timeout()) {
            (When::After(nanos), _) => last + nanos,
            (When::Due(offset), Some(due)) => due.as_nanos().saturating_add_signed(offset),
            (When::Due(_), None) => last,
        };
        Instant::from_nanos(at.max(last))
    }
}

#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a few hundred of them in a test")]
pub enum Action {
    /// The button of the side on move.
    Move,
    Press(Side),
    Call,
    Timeout,
    Command(Command),
}

impl Action {
    /// Replaces [`Action::Move`] by a press of the side on move of `clock`, so that the action can
    /// be applied to another clock as well.
    pub fn settled(self, clock: &Clock, at: Instant) -> Action {
        match self {
            Action::Move => Action::Press(clock.view(at).on_move),
            other => other,
        }
    }

    pub fn apply_to(self, clock: &mut Clock, at: Instant) -> Result<(), Refused> {
        match self {
            Action::Move => clock.handle_press(clock.view(at).on_move, at),
            Action::Press(side) => clock.handle_press(side, at),
            Action::Call => clock.handle_call(at),
            Action::Timeout => clock.handle_timeout(at),
            Action::Command(command) => clock.handle_command(command, at),
        }
    }
}

pub fn take_events(clock: &mut Clock) -> Vec<Event> {
    std::iter::from_fn(|| clock.poll_event()).collect()
}

pub type Game = Vec<(When, Action)>;

/// A correction of what is left of an overtime, for a side in any period. It is refused if that
/// period has no overtime.
fn overtime_left() -> impl Strategy<Value = Correction> {
    let number = || prop::option::weighted(0.7, prop_oneof![6 => 1..3_u32, 1 => 0..5_u32]);
    let period = prop::option::weighted(0.7, 1..5_u32);
    (side(), period, number(), number()).prop_map(|(side, period, periods, moves)| {
        let mut correction = Correction::default();
        correction.period[side] = period;
        correction.overtime_periods[side] = periods;
        correction.overtime_moves[side] = moves;
        correction
    })
}

fn correction(tick: u64) -> impl Strategy<Value = Correction> {
    let time = prop_oneof![9 => span(tick), 1 => Just(Span::MAX)];
    let time = prop::option::weighted(0.4, time);
    let moves = prop::option::weighted(0.2, 0..12_u32);
    let period = prop_oneof![20 => 0..6_u32, 1 => u32::MAX - 1..=u32::MAX];
    let period = prop::option::weighted(0.2, period);
    let left = prop::option::weighted(0.1, overtime_left());
    let on_move = prop::option::weighted(0.3, side());
    let given = (per_side(time.boxed()), per_side(moves), per_side(period.boxed()), on_move, left);
    prop_oneof![
        12 => given.prop_map(|(time, moves, period, on_move, left)| {
            let mut all = Correction { time, moves, period, on_move, ..Correction::default() };
            if let Some(left) = left {
                all.overtime_periods = left.overtime_periods;
                all.overtime_moves = left.overtime_moves;
            }
            all
        }),
        1 => Just(Correction::default()),
    ]
}

fn command(tick: u64) -> BoxedStrategy<Command> {
    let caller = prop_oneof![
        2 => Just(Caller::Arbiter),
        1 => side().prop_map(Caller::Player),
        1 => Just(Caller::Fault),
    ];
    let tick_ns = i64::try_from(tick).expect("a tick is short");
    let delta = prop_oneof![
        8 => (-60..60_i64).prop_map(move |ticks| ticks * tick_ns),
        1 => any::<i64>(),
    ];
    prop_oneof![
        3 => Just(Command::Start),
        4 => caller.prop_map(|by| Command::Pause { by }),
        8 => prop::option::of(side()).prop_map(|side| Command::Resume { side }),
        5 => correction(tick).prop_map(Command::Set),
        3 => (side(), delta).prop_map(|(side, delta_ns)| Command::Add { side, delta_ns }),
        4 => Just(Command::UndoPress),
        1 => prop_oneof![
            2 => Just(Command::Finish(Outcome::Drawn)),
            3 => Just(Command::Reopen),
            3 => (control(tick), any::<bool>())
                .prop_map(|(control, force)| Command::New { control, force }),
        ],
    ]
    .boxed()
}

fn when(tick: u64) -> BoxedStrategy<When> {
    prop_oneof![
        6 => nanos(tick).prop_map(When::After),
        4 => (0..4_u64).prop_map(move |ticks| When::After(ticks * tick)),
        1 => (-1..=1_i64).prop_map(When::Due),
        1 => Just(When::Due(-1)),
    ]
    .boxed()
}

/// Time given to a side.
fn award(tick: u64) -> BoxedStrategy<Command> {
    let tick_ns = i64::try_from(tick).expect("a tick is short");
    (side(), 1..60_i64)
        .prop_map(move |(side, ticks)| Command::Add { side, delta_ns: ticks * tick_ns })
        .boxed()
}

/// A command that the arbiter gives while the clocks stand, mostly a correction or `undo-press`.
fn amendment(tick: u64) -> BoxedStrategy<Command> {
    prop_oneof![
        4 => Just(Command::UndoPress),
        2 => correction(tick).prop_map(Command::Set),
        2 => overtime_left().prop_map(Command::Set),
        2 => award(tick),
        1 => command(tick),
    ]
    .boxed()
}

/// The clocks are stopped, corrected a few times, and started again.
fn stop(tick: u64) -> BoxedStrategy<Game> {
    let stop = prop_oneof![
        3 => Just(Action::Command(Command::Pause { by: Caller::Arbiter })),
        1 => Just(Action::Call),
    ];
    let amendments = prop::collection::vec((when(tick), amendment(tick)), 0..4);
    let side = prop_oneof![3 => Just(None), 1 => side().prop_map(Some)];
    let resume = (when(tick), side);
    ((when(tick), stop), amendments, resume)
        .prop_map(|(stop, amendments, (when, side))| {
            let amended = amendments.into_iter().map(|(when, c)| (when, Action::Command(c)));
            let resumed = (when, Action::Command(Command::Resume { side }));
            std::iter::once(stop).chain(amended).chain([resumed]).collect()
        })
        .boxed()
}

/// A press is taken back after the opponent's clock has run, and is mostly made again.
fn take_back(tick: u64) -> BoxedStrategy<Game> {
    let ran = prop_oneof![
        2 => Just(When::Due(-1)),
        1 => Just(When::Due(0)),
        2 => (0..20_u64).prop_map(move |ticks| When::After(ticks * tick)),
    ];
    let between = prop_oneof![
        2 => Just(None),
        2 => amendment(tick).prop_map(Some),
        3 => award(tick).prop_map(Some),
    ];
    let again = prop::bool::weighted(0.8);
    (when(tick), ran, between, again)
        .prop_map(|(when, ran, between, again)| {
            let now = When::After(0);
            let mut game = vec![
                (when, Action::Move),
                (ran, Action::Command(Command::Pause { by: Caller::Arbiter })),
                (now, Action::Command(Command::UndoPress)),
            ];
            game.extend(between.map(|command| (now, Action::Command(command))));
            game.push((now, Action::Command(Command::Resume { side: None })));
            if again {
                game.push((now, Action::Move));
            }
            game
        })
        .boxed()
}

/// A random game, in which every kind of action can occur. Many of its parts are sequences that the
/// clock accepts, such as a pause, corrections and a resume.
pub fn game(tick: u64) -> BoxedStrategy<Game> {
    let action = prop_oneof![
        2 => side().prop_map(Action::Press),
        1 => Just(Action::Call),
        2 => Just(Action::Timeout),
        3 => command(tick).prop_map(Action::Command),
    ];
    let one = |event: (When, Action)| vec![event];
    let begin = prop_oneof![
        3 => Just(Action::Command(Command::Start)),
        1 => Just(Action::Press(Side::Black)),
        1 => Just(Action::Timeout),
    ];
    let part = prop_oneof![
        10 => (when(tick), Just(Action::Move)).prop_map(one),
        3 => (when(tick), action).prop_map(one),
        3 => stop(tick),
        4 => take_back(tick),
    ];
    let parts = prop::collection::vec(part, 1..40);
    ((when(tick), begin), parts)
        .prop_map(|(begin, parts)| std::iter::once(begin).chain(parts.concat()).collect())
        .boxed()
}

/// A game without corrections, in which all time comes from the time control.
pub fn uncorrected_game(tick: u64) -> BoxedStrategy<Game> {
    let by = Caller::Arbiter;
    let action = prop_oneof![
        10 => Just(Action::Move),
        1 => side().prop_map(Action::Press),
        1 => Just(Action::Call),
        1 => Just(Action::Timeout),
        1 => Just(Action::Command(Command::Pause { by })),
        3 => prop::option::of(side())
            .prop_map(|side| Action::Command(Command::Resume { side })),
    ];
    prop::collection::vec((when(tick), action), 1..80).boxed()
}

/// A control and a game with the same tick.
pub fn played(
    control: impl Fn(u64) -> BoxedStrategy<Control>,
    game: impl Fn(u64) -> BoxedStrategy<Game>,
) -> impl Strategy<Value = (Control, Game)> {
    let [short, long] = TICKS.map(|tick| (control(tick), game(tick)));
    prop_oneof![short, long]
}

/// Controls of every kind, with random games in which every kind of action can occur.
pub fn any_played() -> impl Strategy<Value = (Control, Game)> {
    played(control, game)
}
