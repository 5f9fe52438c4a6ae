//! A press one nanosecond before the time is used up is in time; a press at that instant or later
//! is not.

use crate::games::{any_played, take_events};
use crate::{config, nanos};
use clock_engine::{
    AfterFlag, Clock, Command, Control, Event, EventKind, Instant, Method, Overtime, PerSide,
    Period, PeriodEnd, Side, Span, Terms,
};
use proptest::prelude::*;

/// The events of a press at `at`, made by the side that was on move before.
fn press_at(mut clock: Clock, at: Instant) -> Vec<Event> {
    let on_move = clock.view(clock.last()).on_move;
    clock.handle_press(on_move, at).expect("in order");
    take_events(&mut clock)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_press_before_at_and_after_the_time_is_used_up((control, game) in any_played()) {
        let mut clock = Clock::new(control, Instant::ZERO);
        for (when, action) in game {
            let at = when.resolve(&clock);
            // Other tests check refusals.
            let _ = action.apply_to(&mut clock, at);
            take_events(&mut clock);
            let Some(due) = clock.poll_timeout() else {
                continue;
            };
            let shift = |by: i64| Instant::from_nanos(due.as_nanos().saturating_add_signed(by));
            prop_assert!(due > clock.last());
            let view = clock.view(clock.last());
            let side = view.on_move;
            let gong = matches!(clock.control().periods()[0].method[side], Method::Gong(_));
            let before = press_at(clock, shift(-1));
            let press = EventKind::Press { side, accepted: !gong };
            prop_assert_eq!(before.first().map(|e| (e.at, e.kind)), Some((shift(-1), press)));
            let events = press_at(clock, due);
            let first = events[0];
            let pressed_first = matches!(first.kind, EventKind::Press { .. });
            prop_assert!(!pressed_first);
            prop_assert!(events.iter().all(|event| event.at == due));
            let late = press_at(clock, shift(1))[0];
            if let EventKind::Overtime { .. } = first.kind {
                // At the late instant, a later period of overtime may have begun. Then only the
                // event of the later period is reported.
                let overtime = matches!(late.kind, EventKind::Overtime { .. });
                prop_assert!(overtime && late.at >= first.at);
            } else {
                prop_assert_eq!(late, first, "at its own instant, however late it is processed");
            }
        }
    }
}

const MS: u64 = 1_000_000;

fn period(moves: Option<u32>, ms: u64, method: Method) -> Period {
    let time = PerSide::both(Span::from_nanos(ms * MS));
    Period { moves, time, method: PerSide::both(method) }
}

fn span(ms: u64) -> Span {
    Span::from_nanos(ms * MS)
}

/// Some controls, each with the milliseconds that White has for move 1, and the event that happens
/// when they are used up.
fn controls() -> Vec<(Vec<Period>, PeriodEnd, u64, EventKind)> {
    let side = Side::White;
    let flag = EventKind::Flag { side, period: 1 };
    let byo_yomi = Method::Overtime(Overtime { periods: 2, time: span(3), moves: 1 });
    let limit = Some(span(10));
    let alone = |ms, method| vec![period(None, ms, method)];
    let two = |method| vec![period(Some(1), 10, method), period(None, 5, method)];
    let set_back = |pause| PeriodEnd::BlackCompletes { pause };
    let overtime = |periods_left| EventKind::Overtime { side, periods_left };
    let mut list = vec![
        (alone(10, Method::Hourglass), PeriodEnd::Moves, 10, flag),
        (
            alone(0, Method::Gong(span(4))),
            PeriodEnd::Moves,
            4,
            EventKind::Gong { side: Side::Black },
        ),
        (alone(0, Method::CountUp { limit }), PeriodEnd::Moves, 10, flag),
        (alone(10, byo_yomi), PeriodEnd::Moves, 10, overtime(2)),
        (alone(0, byo_yomi), PeriodEnd::Moves, 3, overtime(1)),
    ];
    for (method, has) in [
        (Method::None, 10),
        (Method::Increment(span(3)), 13),
        (Method::Delay(span(3)), 13),
        (Method::Bronstein(span(3)), 13),
    ] {
        list.push((alone(10, method), PeriodEnd::Moves, has, flag));
        let all = [PeriodEnd::Moves, PeriodEnd::Zero, PeriodEnd::MovesAtZero, set_back(true)];
        for period_end in all.into_iter().chain([set_back(false)]) {
            list.push((two(method), period_end, has, flag));
        }
    }
    list
}

#[test]
fn every_method_and_period_end_has_its_boundary() {
    for (periods, period_end, has, expected) in controls() {
        let halts = !matches!(periods[0].method.white, Method::Hourglass | Method::Gong(_));
        for after_flag in [Some(AfterFlag::Halt), halts.then_some(AfterFlag::Run)] {
            let terms = Terms { period_end, after_flag, ..Terms::default() };
            let control = Control::new(&periods, terms).expect("a good control");
            let mut clock = Clock::new(control, Instant::ZERO);
            clock.handle_command(Command::Start, Instant::ZERO).expect("ready");
            let due = clock.poll_timeout().expect("time is used up in the end");
            assert_eq!(nanos(due), i128::from(has * MS), "{periods:?}");
            let before = press_at(clock, Instant::from_nanos(has * MS - 1));
            assert!(matches!(before[0].kind, EventKind::Press { .. }), "{periods:?}");
            for late in [0, 1] {
                let events = press_at(clock, Instant::from_nanos(has * MS + late));
                assert_eq!(events[0], Event { at: due, kind: expected }, "{periods:?}");
                assert!(matches!(events.last().expect("two").kind, EventKind::Press { .. }));
            }
        }
    }
}
