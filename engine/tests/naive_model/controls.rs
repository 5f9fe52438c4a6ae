//! Random time controls of every kind.
//!
//! Most times are small numbers of ticks, so that several events often have the same instant. A
//! tick is one nanosecond, or half of `MIN_SLICE`, so that overtime and slices are used up too.

use clock_engine::{
    AfterFlag, Control, MIN_SLICE, Method, Overtime, PerSide, Period, PeriodEnd, Side, Span, Terms,
};
use proptest::prelude::*;

pub const TICKS: [u64; 2] = [1, MIN_SLICE.as_nanos() / 2];

/// A number of nanoseconds: mostly less than 30 ticks, sometimes up to 20 seconds.
pub fn nanos(tick: u64) -> impl Strategy<Value = u64> {
    prop_oneof![6 => (0..30_u64).prop_map(move |ticks| ticks * tick), 1 => 0..20_000_000_000_u64]
}

pub fn span(tick: u64) -> BoxedStrategy<Span> {
    nanos(tick).prop_map(Span::from_nanos).boxed()
}

pub fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::White), Just(Side::Black)]
}

pub fn per_side<T: Copy + std::fmt::Debug>(
    one: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = PerSide<T>> {
    prop_oneof![
        2 => one.clone().prop_map(PerSide::both),
        1 => (one.clone(), one).prop_map(|(white, black)| PerSide { white, black }),
    ]
}

/// A method that every period can have.
fn turn_method(tick: u64) -> BoxedStrategy<Method> {
    prop_oneof![
        Just(Method::None),
        span(tick).prop_map(Method::Increment),
        span(tick).prop_map(Method::Delay),
        span(tick).prop_map(Method::Bronstein),
    ]
    .boxed()
}

/// A method without a delay, with which every nanosecond of running time is charged.
fn charging_method(tick: u64) -> BoxedStrategy<Method> {
    prop_oneof![Just(Method::None), span(tick).prop_map(Method::Increment)].boxed()
}

/// The length of a slice of the gong method or of an overtime period, from the shortest that is
/// allowed to 3.5 times that.
fn slice() -> impl Strategy<Value = Span> {
    let half = TICKS[1];
    (2..8_u64).prop_map(move |halves| Span::from_nanos(halves * half))
}

fn overtime() -> impl Strategy<Value = Method> {
    let periods = prop_oneof![8 => 1..4_u32, 1 => 1..2_000_u32];
    (periods, slice(), 1..4_u32)
        .prop_map(|(periods, time, moves)| Method::Overtime(Overtime { periods, time, moves }))
}

fn period_end() -> impl Strategy<Value = PeriodEnd> {
    prop_oneof![
        2 => Just(PeriodEnd::Moves),
        2 => Just(PeriodEnd::Zero),
        2 => Just(PeriodEnd::MovesAtZero),
        2 => any::<bool>().prop_map(|pause| PeriodEnd::BlackCompletes { pause }),
    ]
}

fn terms() -> impl Strategy<Value = Terms> {
    let after = prop::option::of(prop_oneof![Just(AfterFlag::Halt), Just(AfterFlag::Run)]);
    (period_end(), prop::bool::weighted(0.3), after, any::<bool>()).prop_map(
        |(period_end, repeat, after_flag, first_move_increment)| Terms {
            period_end,
            repeat: repeat && period_end == PeriodEnd::Moves,
            after_flag,
            first_move_increment,
            draw_odds: None,
        },
    )
}

/// Controls of one to four periods. The last period sometimes has overtime.
fn periods_of(tick: u64, method: BoxedStrategy<Method>) -> BoxedStrategy<Control> {
    let time = prop_oneof![
        3 => (20..200_u64).prop_map(move |ticks| ticks * tick),
        3 => (0..40_u64).prop_map(move |ticks| ticks * tick),
        1 => nanos(tick),
    ]
    .prop_map(Span::from_nanos)
    .boxed();
    let period = (1..4_u32, any::<bool>(), per_side(time), per_side(method.clone()));
    let periods = prop::collection::vec(period, 1..5);
    let last = prop_oneof![method.clone(), overtime()].boxed();
    (periods, per_side(last), terms())
        .prop_map(|(drawn, last_method, terms)| {
            let last = drawn.len() - 1;
            let list: Vec<Period> = drawn
                .into_iter()
                .enumerate()
                .map(|(index, (moves, asked, time, method))| {
                    let asked = asked || terms.period_end != PeriodEnd::Zero;
                    let listed = asked && (index < last || terms.repeat);
                    let with_overtime = index == last && !terms.repeat;
                    let method = if with_overtime { last_method } else { method };
                    Period { moves: listed.then_some(moves), time, method }
                })
                .collect();
            Control::new(&list, terms).expect("a control as it should be")
        })
        .boxed()
}

/// Controls of two or three short periods with set-back (`PeriodEnd::BlackCompletes`), so that the
/// time of a set-back is soon used. The last period often has overtime.
fn set_back(tick: u64) -> BoxedStrategy<Control> {
    let time = (0..12_u64).prop_map(move |ticks| Span::from_nanos(ticks * tick)).boxed();
    let period = (1..2_u32, per_side(time), per_side(turn_method(tick)));
    let last = prop_oneof![1 => turn_method(tick), 2 => overtime().boxed()].boxed();
    (prop::collection::vec(period, 2..4), per_side(last), any::<bool>(), terms())
        .prop_map(|(drawn, last_method, pause, terms)| {
            let last = drawn.len() - 1;
            let list: Vec<Period> = drawn
                .into_iter()
                .enumerate()
                .map(|(index, (moves, time, method))| Period {
                    moves: (index < last).then_some(moves),
                    time,
                    method: if index < last { method } else { last_method },
                })
                .collect();
            let period_end = PeriodEnd::BlackCompletes { pause };
            let terms = Terms { period_end, repeat: false, ..terms };
            Control::new(&list, terms).expect("a control as it should be")
        })
        .boxed()
}

fn alone(time: PerSide<Span>, method: PerSide<Method>, run: bool) -> Control {
    let after_flag = run.then_some(AfterFlag::Run);
    let terms = Terms { after_flag, ..Terms::default() };
    Control::new(&[Period { moves: None, time, method }], terms).expect("a control of one period")
}

pub fn hourglass(tick: u64) -> BoxedStrategy<Control> {
    per_side((0..100_u64).prop_map(move |ticks| Span::from_nanos(ticks * tick)))
        .prop_map(|time| alone(time, PerSide::both(Method::Hourglass), false))
        .boxed()
}

fn gong() -> BoxedStrategy<Control> {
    per_side(slice().boxed())
        .prop_map(|slices| alone(PerSide::default(), slices.map(Method::Gong), false))
        .boxed()
}

pub fn count_up(tick: u64) -> BoxedStrategy<Control> {
    let limit =
        prop::option::of((0..100_u64).prop_map(move |ticks| Span::from_nanos(ticks * tick)));
    (per_side(limit.boxed()), any::<bool>())
        .prop_map(|(limit, run)| {
            alone(PerSide::default(), limit.map(|limit| Method::CountUp { limit }), run)
        })
        .boxed()
}

/// A random control of any kind.
pub fn control(tick: u64) -> BoxedStrategy<Control> {
    prop_oneof![
        8 => periods_of(tick, turn_method(tick)),
        5 => set_back(tick),
        2 => hourglass(tick),
        1 => gong(),
        1 => count_up(tick),
    ]
    .boxed()
}

/// Controls without a delay, with which every nanosecond of running time is charged.
pub fn charging_control(tick: u64) -> BoxedStrategy<Control> {
    periods_of(tick, charging_method(tick))
}

/// Controls of one period in which each side has a delay or Bronstein.
pub fn delay_control(tick: u64) -> BoxedStrategy<Control> {
    let time = (20..200_u64).prop_map(move |ticks| Span::from_nanos(ticks * tick));
    let method =
        prop_oneof![span(tick).prop_map(Method::Delay), span(tick).prop_map(Method::Bronstein),];
    (per_side(time.boxed()), per_side(method.boxed()), any::<bool>())
        .prop_map(|(time, method, run)| alone(time, method, run))
        .boxed()
}
