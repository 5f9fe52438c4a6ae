//! When a time is low, for every kind of time control.

use super::*;

/// The times left, in nanoseconds, at which White's and Black's time becomes low at the start of a
/// game with this control.
fn low(control: Control) -> [u64; 2] {
    let clock = Clock::new(control, Instant::ZERO);
    Side::BOTH.map(|side| clock.low_time(side).as_nanos())
}

fn both(text: &str) -> [u64; 2] {
    [nanos(text); 2]
}

#[test]
fn a_time_is_low_from_a_tenth_of_its_period() {
    let halt = AfterFlag::Halt;
    let count_up = |limit: Option<&str>| Method::CountUp { limit: limit.map(span) };
    for (control, expected) in [
        // G/5, 3+2, 15+10, 40/90 and 1+0.
        (single("5m", Method::None, halt), "30s"),
        (single("3m", increment("2s"), halt), "18s"),
        (single("15m", increment("10s"), halt), "90s"),
        (
            control(
                &[period(40, "90m", increment("30s")), period(0, "30m", increment("30s"))],
                halt,
            ),
            "5m",
        ),
        (single("1m", Method::None, halt), "10s"),
        (single("25m", delay("5s"), halt), "150s"),
        (single("25m", bronstein("5s"), halt), "150s"),
        // The tenth of 10:05 is 60.5 s.
        (single("605s", Method::None, halt), "60s"),
        // Short periods: half of the time, because 10 s would be low from the start.
        (single("12s", Method::None, halt), "6s"),
        (single("1s", Method::None, halt), "500ms"),
        // Only an increment: no time is given.
        (single("0", increment("30s"), halt), "10s"),
        // The overtime begins at once.
        (single("0", overtime(5, "30s", 1), halt), "10s"),
        (single("0", overtime(1, "5m", 20), halt), "30s"),
        // The main time comes first.
        (single("30m", overtime(5, "30s", 1), halt), "3m"),
        (single("3m", Method::Hourglass, halt), "18s"),
        (single("0", Method::Gong(span("10s")), halt), "5s"),
        (single("0", count_up(Some("1h")), halt), "5m"),
        (single("0", count_up(Some("5m")), halt), "30s"),
        (single("0", count_up(None), halt), "0"),
    ] {
        assert_eq!(low(control), both(expected), "{:?}", control.periods());
    }
    let odds = Period {
        time: PerSide { white: span("5m"), black: span("4m") },
        ..period(0, "0", Method::None)
    };
    assert_eq!(low(control(&[odds], halt)), [nanos("30s"), nanos("24s")]);
}

#[test]
fn another_period_overtime_and_control_change_when_a_time_is_low() {
    let low = |clock: &Clock| clock.low_time(Side::White);
    let periods = [period(1, "40m", Method::None), period(0, "10m", Method::None)];
    let mut clock = Clock::new(control(&periods, AfterFlag::Halt), Instant::ZERO);
    assert_eq!(low(&clock), span("4m"));
    clock.handle_press(Side::Black, instant("0")).unwrap();
    clock.handle_press(Side::White, instant("1s")).unwrap();
    assert_eq!([low(&clock), clock.low_time(Side::Black)], [span("1m"), span("4m")]);
    // The second period gives only an increment, so the time of the first period counts.
    let periods = [period(1, "40m", Method::None), period(0, "0", increment("10s"))];
    let mut clock = Clock::new(control(&periods, AfterFlag::Halt), Instant::ZERO);
    clock.handle_press(Side::Black, instant("0")).unwrap();
    clock.handle_press(Side::White, instant("1s")).unwrap();
    assert_eq!((clock.view(instant("1s")).sides.white.period, low(&clock)), (2, span("4m")));
    // Overtime.
    let mut clock =
        Clock::new(single("10m", overtime(5, "30s", 1), AfterFlag::Halt), Instant::ZERO);
    clock.handle_press(Side::Black, instant("0")).unwrap();
    assert_eq!(low(&clock), span("1m"));
    clock.handle_timeout(instant("10m")).unwrap();
    assert_eq!([low(&clock), clock.low_time(Side::Black)], [span("10s"), span("1m")]);
    // Added time does not change `low_time`. The control of a new game does.
    let mut clock = Clock::new(single("10m", Method::None, AfterFlag::Halt), Instant::ZERO);
    let add = Command::Add { side: Side::White, delta_ns: 600_000_000_000 };
    clock.handle_command(add, instant("1s")).unwrap();
    assert_eq!(low(&clock), span("1m"));
    let new = Command::New { control: single("5m", Method::None, AfterFlag::Halt), force: true };
    clock.handle_command(new, instant("2s")).unwrap();
    assert_eq!(low(&clock), span("30s"));
}
