//! The ends of the number ranges, and events that are never taken.

use super::*;

const END: Instant = Instant::from_nanos(u64::MAX);

#[test]
fn a_counter_stops_at_its_end() {
    play(
        single("5m", increment("1s"), AfterFlag::Halt),
        "0 | start                  | 5m1s | 5m1s | white |
         0 | pause                  | 5m1s | 5m1s | paused |
         0 | moves white 4294967294 | 5m1s | 5m1s | paused |
         0 | resume                 | 5m1s | 5m1s | white |
         0 | press white            | 5m2s m4294967295 | 5m1s    | black | press white
         0 | press black            | 5m2s             | 5m2s m1 | white | press black
         0 | press white            | 5m3s m4294967295 | 5m2s    | black | press white",
    );
}

#[test]
fn periods_of_as_many_moves_as_a_counter_holds() {
    let moves = u32::MAX;
    let periods = [
        period(moves - 1, "1m", Method::None),
        period(1, "2m", Method::None),
        period(0, "4m", Method::None),
    ];
    play(
        control(&periods, AfterFlag::Halt),
        "0 | moves white 4294967293 | 1m | 1m | ready |
         0 | start                  | 1m | 1m | white |
         0 | press white            | 3m m4294967294 p2 | 1m    | black | press white; period white 2
         0 | press black            | 3m                | 1m m1 | white | press black
         0 | press white            | 7m m4294967295 p3 | 1m    | black | press white; period white 3",
    );
    let too_many = [
        period(moves, "1m", Method::None),
        period(1, "2m", Method::None),
        period(0, "4m", Method::None),
    ];
    assert_eq!(Control::new(&too_many, Terms::default()), Err(ControlError::TooManyMoves));
}

#[test]
fn a_game_at_the_end_of_time() {
    for method in [Method::None, delay("5s"), bronstein("5s"), increment("5s")] {
        let start = Instant::from_nanos(u64::MAX - nanos("1s"));
        let mut clock = Clock::new(single("5m", method, AfterFlag::Run), start);
        clock.handle_command(Command::Start, start).unwrap();
        assert_eq!(clock.poll_timeout(), None, "the flag would fall after the end of time");
        clock.handle_timeout(END).unwrap();
        clock.handle_press(Side::White, END).unwrap();
        clock.handle_press(Side::Black, END).unwrap();
        let view = clock.view(END);
        assert_eq!(view.running(), Some(Side::White));
        assert_eq!((view.sides.white.moves, view.sides.white.flag), (1, None));
    }
}

#[test]
fn the_flag_at_the_last_instant_falls() {
    let start = Instant::from_nanos(u64::MAX - nanos("5m"));
    let mut clock = Clock::new(single("5m", Method::None, AfterFlag::Run), start);
    clock.handle_command(Command::Start, start).unwrap();
    assert_eq!(clock.poll_timeout(), Some(END));
    clock.handle_press(Side::White, END).unwrap();
    let view = clock.view(END);
    assert_eq!((view.sides.white.flag, view.sides.white.moves), (Some(END), 1));
    assert_eq!(view.running(), Some(Side::Black));
}

#[test]
fn time_gained_again_and_again_stops_at_the_largest_span_and_never_wraps() {
    let control = Control::single(span("1000h"), increment("1000h"));
    let mut clock = Clock::new(control, Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    for _ in 0..6000 {
        for side in Side::BOTH {
            clock.handle_press(side, Instant::ZERO).unwrap();
            while clock.poll_event().is_some() {}
        }
    }
    assert_eq!(clock.view(Instant::ZERO).sides.white.remaining, Span::MAX);
    assert_eq!(clock.poll_timeout(), Some(END));
    clock.handle_press(Side::White, instant("6s")).unwrap();
    let black = clock.view(instant("7s")).sides.black;
    assert_eq!(black.remaining, Span::MAX.minus(span("1s")));
}

#[test]
fn the_largest_changes_that_can_be_asked_for_are_refused() {
    let mut clock = Clock::new(single("5m", Method::None, AfterFlag::Halt), Instant::ZERO);
    let mut add = |delta_ns| {
        let side = Side::White;
        clock.handle_command(Command::Add { side, delta_ns }, Instant::ZERO)
    };
    assert_eq!(add(i64::MAX), Err(Refused::TooMuchTime));
    assert_eq!(
        add(i64::MIN),
        Err(Refused::CutTooLarge { cut: Span::from_nanos(1 << 63), left: span("5m") })
    );
    let time = PerSide::both(Some(Span::MAX));
    let correction = Correction { time, ..Correction::default() };
    let command = Command::Set(correction);
    assert_eq!(clock.handle_command(command, Instant::ZERO), Err(Refused::TooMuchTime));
}

#[test]
fn when_events_are_never_taken_only_the_oldest_are_lost() {
    let mut clock = Clock::new(single("5m", Method::None, AfterFlag::Run), Instant::ZERO);
    for at in 0..80 {
        clock.handle_press(Side::White, Instant::from_nanos(at)).unwrap();
    }
    let kept: Vec<u64> =
        core::iter::from_fn(|| clock.poll_event()).map(|event| event.at.as_nanos()).collect();
    assert_eq!(kept, (16..80).collect::<Vec<_>>());
}

#[test]
fn one_call_gives_all_its_events_in_order() {
    let mut clock = play(
        single("1m", Method::None, AfterFlag::Run),
        "0  | start        | 1m  | 1m | white |
         0  | pause        | 1m  | 1m | paused |
         0  | time black 0 | 1m  | 0  | paused |
         0  | resume       | 1m  | 0  | white |",
    );
    play_row(
        &mut clock,
        Pace::Late,
        "70s | press white | 0 f1m o10s m1 | 0 f70s | black first white | flag white 1 at 60s; press white; flag black 1",
    );
}

#[test]
fn a_view_before_the_latest_instant_counts_no_time_back() {
    let mut clock = Clock::new(single("5m", Method::None, AfterFlag::Run), instant("9s"));
    clock.handle_command(Command::Start, instant("9s")).unwrap();
    assert_eq!(clock.view(instant("1s")).sides.white.remaining, span("5m"));
}
