//! Tests of changes that happen when time is used up or a period is completed: overtime, gongs,
//! periods, a set-back.

use super::*;

const HALT: Option<clock_engine::AfterFlag> = Some(clock_engine::AfterFlag::Halt);

/// A clock with these periods (moves, nanoseconds, method). Black's button started it at 0.
fn started(periods: &[(Option<u32>, u64, Method)], terms: clock_engine::Terms) -> VirtualLoop {
    let periods: Vec<_> = periods
        .iter()
        .map(|(moves, nanos, method)| clock_engine::Period {
            moves: *moves,
            time: PerSide::both(Span::from_nanos(*nanos)),
            method: PerSide::both(*method),
        })
        .collect();
    let control = Control::new(&periods, terms).unwrap();
    let mut core = VirtualLoop::new(control, Inputs::default(), [false; LINES], at(0));
    assert_eq!(press(&mut core, BLACK, 0)[0], (Cause::press(Side::Black), 0));
    core
}

/// Decides everything up to `millis`. Returns the causes of the updates with their instants and
/// revisions.
fn revised(core: &mut VirtualLoop, millis: u64) -> Vec<(Cause, u64, u64)> {
    let mut found = Vec::new();
    core.step(at(millis * MS), &mut |update| {
        found.push((update.cause, update.at.as_nanos(), update.revision));
    });
    found
}

#[test]
fn overtime_is_published_with_its_own_instants_and_makes_no_command_stale() {
    let byo_yomi =
        clock_engine::Overtime { periods: 2, time: Span::from_nanos(300 * MS), moves: 1 };
    let mut core = started(&[(None, 100 * MS, Method::Overtime(byo_yomi))], Default::default());
    assert_eq!(decide(&mut core, 100 * MS + 99_999), [], "a press can be on its way");
    assert_eq!(core.wake_at(at(100 * MS)), Some(at(100 * MS + 100_000)));
    let overtime = |side, periods_left| Cause::overtime(side, periods_left);
    let white = Side::White;
    // Although the loop was delayed for long, each change has its own instant, and a press between
    // two changes is decided between them.
    edge(&mut core, WHITE, 250 * MS, true);
    assert_eq!(
        revised(&mut core, 252),
        [(overtime(white, 2), 100 * MS, 2), (Cause::press(white), 250 * MS, 2)]
    );
    edge(&mut core, WHITE, 260 * MS, false);
    let flag = Cause::flag(Side::Black, 1);
    assert_eq!(
        revised(&mut core, 2000),
        [
            (overtime(Side::Black, 2), 350 * MS, 2),
            (overtime(Side::Black, 1), 650 * MS, 2),
            (flag, 950 * MS, 3)
        ]
    );
}

#[test]
fn a_candidate_before_overtime_delays_it() {
    let canadian = clock_engine::Overtime { periods: 1, time: Span::from_secs(300), moves: 9 };
    let mut core = started(&[(None, 100 * MS, Method::Overtime(canadian))], Default::default());
    edge(&mut core, WHITE, 100 * MS - 1, true);
    assert_eq!(decide(&mut core, 100 * MS + 500_000), []);
    assert_eq!(decide(&mut core, 102 * MS), [(Cause::press(Side::White), 100 * MS - 1)]);
    assert!(core.update(Cause::Missed).view.sides.white.overtime.is_none());
}

#[test]
fn a_gong_is_published_and_makes_no_command_stale() {
    let slice = Span::from_nanos(200 * MS);
    let mut core = started(&[(None, 0, Method::Gong(slice))], Default::default());
    let gong = Cause::gong;
    assert_eq!(
        revised(&mut core, 450),
        [(gong(Side::Black), 200 * MS, 2), (gong(Side::White), 400 * MS, 2)]
    );
    assert_eq!(core.wake_at(at(450 * MS)), Some(at(600 * MS + 100_000)));
    assert_eq!(press(&mut core, WHITE, 500 * MS), [(Cause::ignored_press(Side::White), 500 * MS)]);
}

#[test]
fn after_a_long_stall_catching_up_takes_bounded_time() {
    let mut core = started(&[(None, 0, Method::Gong(clock_engine::MIN_SLICE))], Default::default());
    let hours = 2_000 * 3_600_000;
    let published = revised(&mut core, hours);
    assert!(published.len() <= 256, "{}", published.len());
    assert!(core.update(Cause::Missed).view.at.as_nanos() > hours * MS - 2 * MS);
    assert!(core.wake_at(at(hours * MS)) > Some(at(hours * MS)));
}

#[test]
fn a_period_that_begins_at_zero_is_published_and_its_flag_is_not_final() {
    let terms = clock_engine::Terms {
        period_end: clock_engine::PeriodEnd::Zero,
        after_flag: HALT,
        ..Default::default()
    };
    let periods = [(None, 200 * MS, Method::None), (None, 300 * MS, Method::None)];
    let mut core = started(&periods, terms);
    let period = |side| Cause::period(side, 2);
    let (white, black) = (Side::White, Side::Black);
    let mut found = Vec::new();
    core.step(at(1000 * MS), &mut |update| {
        let flag = match update.cause {
            Cause::Event(GameEventKind::Clock(EventKind::Flag { side, period })) => {
                Some((update.is_final(side, period), update.is_first(side, period)))
            }
            _ => None,
        };
        found.push((update.cause, update.at.as_nanos() / MS, update.revision, flag));
    });
    assert_eq!(
        found,
        [
            (Cause::flag(white, 1), 200, 5, Some((false, false))),
            (period(white), 200, 5, None),
            (period(black), 200, 5, None),
            (Cause::flag(white, 2), 500, 6, Some((true, true))),
        ]
    );
}

#[test]
fn a_period_that_a_press_brings_is_part_of_the_press() {
    let periods = [(Some(1), 1000 * MS, Method::None), (None, 300 * MS, Method::None)];
    let mut core = started(&periods, Default::default());
    edge(&mut core, WHITE, 100 * MS, true);
    assert_eq!(revised(&mut core, 102), [(Cause::press(Side::White), 100 * MS, 2)]);
    assert_eq!(core.update(Cause::Missed).view.sides.white.period, 2);
    // With `moves-at-zero`, the entry into the next period has a separate update with a new
    // revision.
    let terms = clock_engine::Terms {
        period_end: clock_engine::PeriodEnd::MovesAtZero,
        after_flag: HALT,
        ..Default::default()
    };
    let mut core = started(&periods, terms);
    edge(&mut core, WHITE, 100 * MS, true);
    assert_eq!(revised(&mut core, 102), [(Cause::press(Side::White), 100 * MS, 2)]);
    edge(&mut core, BLACK, 200 * MS, true);
    assert_eq!(revised(&mut core, 202), [(Cause::press(Side::Black), 200 * MS, 2)]);
    let period = Cause::period(Side::White, 2);
    assert_eq!(revised(&mut core, 1150), [(period, 1100 * MS, 3)]);
}

#[test]
fn a_set_back_that_pauses_is_published_after_its_press_and_makes_commands_stale() {
    for pause in [true, false] {
        let terms = clock_engine::Terms {
            period_end: clock_engine::PeriodEnd::BlackCompletes { pause },
            ..Default::default()
        };
        let periods = [(Some(1), 1000 * MS, Method::None), (None, 300 * MS, Method::None)];
        let mut core = started(&periods, terms);
        press(&mut core, WHITE, 100 * MS);
        edge(&mut core, BLACK, 200 * MS, true);
        let published = revised(&mut core, 202);
        let press = Cause::press(Side::Black);
        if pause {
            // The press already has the new revision, because its state includes the set-back.
            assert_eq!(published, [(press, 200 * MS, 3), (Cause::SetBack, 200 * MS, 3)]);
        } else {
            assert_eq!(published, [(press, 200 * MS, 2)]);
        }
        let view = core.update(Cause::Missed).view;
        assert_eq!(view.phase == Phase::Paused, pause);
        assert_eq!((view.on_move, view.sides.white.period), (Side::White, 2));
    }
}
