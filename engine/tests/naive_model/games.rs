//! Random controls and random games.

use clock_engine::{
    AfterFlag, Caller, Clock, Command, Control, Correction, Instant, Method, Outcome, PerSide,
    Period, Side, Span, Terms,
};
use proptest::prelude::*;

/// When the next thing happens.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// So many nanoseconds after the last.
    After(u64),
    /// At the flag, so many nanoseconds earlier or later; at once where none is due.
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

/// What happens.
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

pub type Game = Vec<(When, Action)>;

/// Few nanoseconds, so that things meet at one instant; and times of a real game.
fn nanos() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..30_u64, 1 => 0..20_000_000_000_u64]
}

fn span() -> impl Strategy<Value = Span> {
    nanos().prop_map(Span::from_nanos)
}

pub fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::White), Just(Side::Black)]
}

fn per_side<T: Copy + std::fmt::Debug>(
    one: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = PerSide<T>> {
    prop_oneof![
        2 => one.clone().prop_map(PerSide::both),
        1 => (one.clone(), one).prop_map(|(white, black)| PerSide { white, black }),
    ]
}

fn any_method() -> BoxedStrategy<Method> {
    prop_oneof![
        Just(Method::None),
        span().prop_map(Method::Increment),
        span().prop_map(Method::Delay),
        span().prop_map(Method::Bronstein),
    ]
    .boxed()
}

fn plain_method() -> BoxedStrategy<Method> {
    prop_oneof![Just(Method::None), span().prop_map(Method::Increment)].boxed()
}

fn control_of(method: BoxedStrategy<Method>) -> impl Strategy<Value = Control> {
    let time = prop_oneof![3 => 20..200_u64, 1 => nanos()].prop_map(Span::from_nanos);
    let period = (1..4_u32, per_side(time.boxed()), per_side(method));
    let periods = prop::collection::vec(period, 1..5);
    let after = prop::option::of(prop_oneof![Just(AfterFlag::Halt), Just(AfterFlag::Run)]);
    (periods, after, any::<bool>()).prop_map(|(periods, after_flag, first)| {
        let last = periods.len() - 1;
        let list: Vec<Period> = periods
            .into_iter()
            .enumerate()
            .map(|(index, (moves, time, method))| Period {
                moves: (index < last).then_some(moves),
                time,
                method,
            })
            .collect();
        Control::new(&list, Terms { after_flag, first_move_increment: first, ..Terms::default() })
            .expect("a control as it should be")
    })
}

pub fn control() -> impl Strategy<Value = Control> {
    control_of(any_method())
}

/// Without a delay, so that every nanosecond that runs is charged.
pub fn plain_control() -> impl Strategy<Value = Control> {
    control_of(plain_method())
}

fn correction() -> impl Strategy<Value = Correction> {
    let time = prop::option::weighted(0.4, prop_oneof![9 => span(), 1 => Just(Span::MAX)]);
    let moves = prop::option::weighted(0.2, 0..12_u32);
    let period = prop::option::weighted(0.2, 0..6_u32);
    let on_move = prop::option::weighted(0.3, side());
    (per_side(time.boxed()), per_side(moves), per_side(period), on_move)
        .prop_map(|(time, moves, period, on_move)| Correction { time, moves, period, on_move })
}

fn command() -> impl Strategy<Value = Command> {
    let caller = prop_oneof![
        2 => Just(Caller::Arbiter),
        1 => side().prop_map(Caller::Player),
    ];
    let delta = prop_oneof![8 => -60..60_i64, 1 => any::<i64>()];
    prop_oneof![
        3 => Just(Command::Start),
        4 => caller.prop_map(|by| Command::Pause { by }),
        8 => prop::option::of(side()).prop_map(|side| Command::Resume { side }),
        6 => correction().prop_map(Command::Correct),
        4 => (side(), delta).prop_map(|(side, delta_ns)| Command::AddTime { side, delta_ns }),
        1 => prop_oneof![
            Just(Command::Finish(Outcome::Drawn)),
            control().prop_map(Command::New),
        ],
    ]
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        4 => nanos().prop_map(When::After),
        1 => Just(When::After(0)),
        3 => (-1..=1_i64).prop_map(When::Due),
        1 => (0..100_i64).prop_map(When::Due),
    ]
}

pub fn game() -> impl Strategy<Value = Game> {
    let action = prop_oneof![
        10 => Just(Action::Move),
        2 => side().prop_map(Action::Press),
        1 => Just(Action::Call),
        2 => Just(Action::Timeout),
        9 => command().prop_map(Action::Command),
    ];
    prop::collection::vec((when(), action), 1..80)
}

/// No correction and no new game: what the control gives is all that is given.
pub fn uncorrected_game() -> impl Strategy<Value = Game> {
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
    prop::collection::vec((when(), action), 1..80)
}
