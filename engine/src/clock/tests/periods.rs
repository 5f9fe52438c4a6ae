//! Periods completed by moves.

use super::*;

fn two_then_one_then_rest(after_flag: AfterFlag) -> Control {
    control(
        &[
            period(2, "10m", increment("1s")),
            period(1, "5m", increment("20s")),
            period(0, "1m", increment("300s")),
        ],
        after_flag,
    )
}

#[test]
pub(super) fn s0_6_2b_time_saved_is_carried_into_the_next_period() {
    play(
        two_then_one_then_rest(AfterFlag::Halt),
        "0   | start       | 10m1s m0 p1 | 10m1s | white |
         10s | press white | 9m52s m1 p1 | 10m1s | black | press white
         10s | press black | 9m52s | 10m2s m1 p1 | white | press black
         10s | press white | 15m12s m2 p2 | 10m2s p1 | black | press white; period white 2
         12s | press black | 15m12s p2 | 15m20s m2 p2 | white | press black; period black 2
         12s | press white | 21m12s m3 p3 | 15m20s | black | press white; period white 3
         12s | press black | 21m12s | 21m20s m3 p3 | white | press black; period black 3
         12s | press white | 26m12s m4 p3 | 21m20s | black | press white",
    );
}

#[test]
fn completing_move_40_brings_the_periods_time_and_the_increment_for_move_41() {
    let periods = [period(40, "90m", increment("30s")), period(0, "30m", increment("10s"))];
    let mut clock = Clock::new(control(&periods, AfterFlag::Halt), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    for _ in 0..39 {
        clock.handle_press(Side::White, Instant::ZERO).unwrap();
        clock.handle_press(Side::Black, Instant::ZERO).unwrap();
    }
    let white = clock.view(Instant::ZERO).sides.white;
    assert_eq!(side_text(&white, "110m m39 p1"), "110m m39 p1");
    while clock.poll_event().is_some() {}
    clock.handle_press(Side::White, instant("1m")).unwrap();
    let white = clock.view(instant("1m")).sides.white;
    assert_eq!(side_text(&white, "139m10s m40 p2"), "139m10s m40 p2");
    let events: Vec<_> = core::iter::from_fn(|| clock.poll_event()).collect();
    assert_eq!(
        events.iter().map(|e| describe_event(*e, instant("1m"))).collect::<Vec<_>>(),
        ["press white", "period white 2"]
    );
}

#[test]
fn a_new_periods_delay_is_that_of_the_next_turn() {
    let periods = [period(1, "1m", delay("5s")), period(0, "1m", delay("9s"))];
    play(
        control(&periods, AfterFlag::Halt),
        "0  | start       | 1m d5s    | 1m d5s     | white |
         1s | press white | 2m d9s p2 | 1m d5s p1  | black | press white; period white 2
         7s | press black | 2m d9s    | 1m59s d9s p2 | white | press black; period black 2
         9s | look        | 2m d7s    | 1m59s d9s  | white |",
    );
}

#[test]
fn the_method_may_change_from_period_to_period() {
    let periods = [
        period(1, "1m", bronstein("5s")),
        period(1, "1m", delay("7s")),
        period(0, "1m", increment("9s")),
    ];
    play(
        control(&periods, AfterFlag::Halt),
        "0   | start       | 1m5s        | 1m5s        | white |
         15s | press white | 1m50s d7s p2 | 1m5s       | black | press white; period white 2
         16s | press black | 1m50s d7s   | 2m d7s p2   | white | press black; period black 2
         24s | press white | 2m58s p3 m2 | 2m d7s      | black | press white; period white 3
         24s | press black | 2m58s       | 3m9s p3     | white | press black; period black 3",
    );
}

#[test]
fn the_press_that_completes_the_moves_one_nanosecond_before_the_flag_is_in_time() {
    play(
        two_then_one_then_rest(AfterFlag::Halt),
        "0   | start       | 10m1s | 10m1s | white |
         0   | press white | 10m2s | 10m1s | black | press white
         0   | press black | 10m2s | 10m2s | white | press black
         602s-1ns | press white | 5m20s1ns m2 p2 | 10m2s | black | press white; period white 2",
    );
    play(
        two_then_one_then_rest(AfterFlag::Halt),
        "0   | start       | 10m1s | 10m1s | white |
         0   | press white | 10m2s | 10m1s | black | press white
         0   | press black | 10m2s | 10m2s | white | press black
         602s | press white | 0 m1 p1 f602s | 10m2s | ruling first white | flag white 1; press white ignored",
    );
}

#[test]
fn set_moves_alone_moves_no_period_and_a_press_moves_at_most_one() {
    play(
        two_then_one_then_rest(AfterFlag::Halt),
        "0  | start         | 10m1s           | 10m1s | white  |
         1s | pause         | 10m             | 10m1s | paused |
         1s | moves white 9 | 10m m9 p1       | 10m1s | paused |
         1s | resume        | 10m m9 p1       | 10m1s | white  |
         1s | press white   | 15m20s m10 p2   | 10m1s | black  | press white; period white 2
         1s | press black   | 15m20s          | 10m2s | white  | press black
         1s | press white   | 21m20s m11 p3   | 10m2s | black  | press white; period white 3
         1s | press black   | 21m20s   | 15m22s p2 m2 | white  | press black; period black 2
         1s | press white   | 26m20s m12 p3   | 15m22s | black | press white",
    );
}

#[test]
fn set_moves_back_below_a_completed_period_takes_nothing_back() {
    play(
        two_then_one_then_rest(AfterFlag::Halt),
        "0  | start         | 10m1s         | 10m1s | white  |
         0  | press white   | 10m2s         | 10m1s | black  | press white
         0  | press black   | 10m2s         | 10m2s | white  | press black
         0  | press white   | 15m22s m2 p2  | 10m2s | black  | press white; period white 2
         0  | pause         | 15m22s        | 10m2s | paused |
         0  | moves white 0 | 15m22s m0 p2  | 10m2s | paused |
         0  | resume white  | 15m22s        | 10m2s | white  |
         0  | press white   | 15m42s m1 p2  | 10m2s | black  | press white",
    );
}

#[test]
fn the_counters_are_each_sides_own() {
    let periods = [period(1, "1m", Method::None), period(0, "2m", Method::None)];
    play(
        control(&periods, AfterFlag::Run),
        "0 | start        | 1m       | 1m       | white |
         0 | press white  | 3m m1 p2 | 1m m0 p1 | black | press white; period white 2
         0 | pause        | 3m       | 1m       | paused |
         0 | resume white | 3m       | 1m       | white |
         0 | press white  | 3m m2 p2 | 1m m0 p1 | black | press white
         0 | press black  | 3m m2    | 3m m1 p2 | white | press black; period black 2",
    );
}

#[test]
fn the_periods_moves_are_counted_cumulatively() {
    let periods = [
        period(2, "1m", Method::None),
        period(2, "2m", Method::None),
        period(0, "3m", Method::None),
    ];
    let table = "0 | start       | 1m       | 1m       | white |
                 0 | press white | 1m m1 p1 | 1m       | black | press white
                 0 | press black | 1m       | 1m m1 p1 | white | press black
                 0 | press white | 3m m2 p2 | 1m       | black | press white; period white 2
                 0 | press black | 3m       | 3m m2 p2 | white | press black; period black 2
                 0 | press white | 3m m3 p2 | 3m       | black | press white
                 0 | press black | 3m       | 3m m3 p2 | white | press black
                 0 | press white | 6m m4 p3 | 3m       | black | press white; period white 3
                 0 | press black | 6m       | 6m m4 p3 | white | press black; period black 3
                 0 | press white | 6m m5 p3 | 6m       | black | press white";
    play(control(&periods, AfterFlag::Run), table);
}
