//! A new game, its start, and the default of `after_flag`.

use super::*;

#[test]
fn c02_5_plus_3_starts_at_5_03() {
    play(
        single("5m", increment("3s"), AfterFlag::Halt),
        "0  | look        | 5m3s m0 p1 | 5m3s m0 p1 | ready |
         0  | start       | 5m3s       | 5m3s       | white |
         1s | press white | 5m5s m1    | 5m3s       | black | press white
         3s | press black | 5m5s       | 5m4s m1    | white | press black",
    );
}

#[test]
fn without_the_first_moves_increment_5_plus_3_starts_at_5_00() {
    let periods = [period(0, "5m", increment("3s"))];
    play(
        Control::new(&periods, Terms { first_move_increment: false, ..Terms::default() }).unwrap(),
        "0  | start       | 5m      | 5m      | white |
         1s | press white | 5m2s m1 | 5m      | black | press white
         3s | press black | 5m2s    | 5m1s m1 | white | press black
         4s | press white | 5m4s m2 | 5m1s    | black | press white",
    );
}

#[test]
fn the_later_periods_increment_comes_at_set_up_only_when_it_is_the_first_periods() {
    let periods = [period(40, "2h", Method::None), period(0, "15m", increment("30s"))];
    play(
        Control::new(&periods, Terms::default()).unwrap(),
        "0  | start       | 2h       | 2h | white |
         1m | press white | 1h59m m1 | 2h | black | press white",
    );
}

#[test]
pub(super) fn s0_6_5_the_arbiter_starts_whites_clock() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "7s | start | 5m     | 5m | white |
         9s | look  | 4m58s  | 5m | white |
         9s | start | 4m58s  | 5m | white | refused not-ready S4 6.5",
    );
}

#[test]
pub(super) fn s0_6_5_blacks_button_starts_whites_clock_and_is_not_counted() {
    play(
        single("5m", increment("3s"), AfterFlag::Halt),
        "9s  | press black | 5m3s m0   | 5m3s m0 | white | press black
         10s | press black | 5m2s      | 5m3s m0 | white | press black ignored
         11s | press white | 5m4s m1   | 5m3s m0 | black | press white",
    );
}

#[test]
pub(super) fn s0_6_5_whites_button_before_the_start_does_nothing() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "9s  | press white | 5m m0 | 5m m0 | ready | press white ignored
         99s | look        | 5m    | 5m    | ready |",
    );
}

#[test]
pub(super) fn s0_6_1_at_most_one_clock_runs() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "0   | look        | 5m    | 5m    | ready  |
         50s | look        | 5m    | 5m    | ready  |
         50s | start       | 5m    | 5m    | white  |
         60s | look        | 4m50s | 5m    | white  |
         60s | press white | 4m50s | 5m    | black  | press white
         80s | look        | 4m50s | 4m40s | black  |
         80s | pause       | 4m50s | 4m40s | paused |
         99s | look        | 4m50s | 4m40s | paused |
         99s | finish 1-0  | 4m50s | 4m40s | over 1-0 |
         1h  | look        | 4m50s | 4m40s | over 1-0 |",
    );
}

#[test]
fn the_sides_may_have_different_times_and_amounts() {
    let armageddon = [
        Period {
            moves: Some(2),
            time: PerSide { white: span("5m"), black: span("4m") },
            method: PerSide::both(Method::None),
        },
        Period {
            moves: None,
            time: PerSide { white: span("0"), black: span("10s") },
            method: PerSide { white: increment("3s"), black: delay("2s") },
        },
    ];
    play(
        control(&armageddon, AfterFlag::Halt),
        "0  | start       | 5m         | 4m            | white |
         1s | press white | 4m59s      | 4m            | black | press white
         3s | press black | 4m59s      | 3m58s         | white | press black
         4s | press white | 5m1s m2 p2 | 3m58s         | black | press white; period white 2
         7s | press black | 5m1s       | 4m5s d2s m2 p2 | white | press black; period black 2
         9s | press white | 5m2s       | 4m5s d2s      | black | press white
         12s | look       | 5m2s       | 4m4s          | black |",
    );
}

#[test]
fn with_no_main_time_the_flag_falls_as_the_clock_starts() {
    play(
        single("0", Method::None, AfterFlag::Halt),
        "5s | start | 0 f5s | 0 | ruling first white | flag white 1",
    );
    play(
        single("0", Method::None, AfterFlag::Run),
        "5s | press black | 0 f5s       | 0     | white first white | press black; flag white 1
         7s | press white | 0 f5s m1 o2s | 0 f7s | black first white | press white; flag black 1",
    );
}

#[test]
fn with_a_delay_alone_each_move_has_the_delay() {
    play(
        single("0", delay("10s"), AfterFlag::Halt),
        "0   | start       | 0 d10s    | 0 d10s   | white |
         10s-1ns | press white | 0 d10s | 0 d10s  | black | press white
         15s | look        | 0 d10s    | 0 d5s-1ns | black |
         30s | look        | 0 d10s    | 0 f20s-1ns | ruling first black | flag black 1 at 19s999999999ns",
    );
}

#[test]
fn a_new_game_has_nothing_of_the_old_one() {
    let new = "new | 5m d2s m0 p1 | 5m d2s m0 p1 | ready |";
    let forced = new.replace("new", "new force");
    let control = single("5m", delay("2s"), AfterFlag::Run);
    for rows in [
        format!("3s | {new}"),
        format!(
            "0 | start | 5m d2s | 5m d2s | white |\n 1s | pause | 5m d1s | 5m d2s | paused |\n 9s | {forced}"
        ),
        format!(
            "0 | start | 5m d2s | 5m d2s | white |\n 303s | finish 0-1 | 0 f302s o1s | 5m d2s | over first white 0-1 | flag white 1 at 302s\n 400s | {new}"
        ),
        format!("3s | call | 5m d2s | 5m d2s | ready called button | call\n 4s | {new}"),
    ] {
        let clock = play(control, &rows);
        assert_eq!(clock.view(clock.last()), Clock::new(control, clock.last()).view(clock.last()));
    }
}

#[test]
fn the_default_after_the_flag_is_halt_with_an_increment_or_delay_in_the_last_period() {
    let of = |first, last| {
        let periods = [period(40, "90m", first), period(0, "30m", last)];
        Control::new(&periods, Terms::default()).unwrap().after_flag()
    };
    assert_eq!(of(Method::None, Method::None), AfterFlag::Run);
    assert_eq!(of(increment("30s"), Method::None), AfterFlag::Run);
    assert_eq!(of(Method::None, increment("30s")), AfterFlag::Halt);
    assert_eq!(of(Method::None, delay("5s")), AfterFlag::Halt);
    assert_eq!(of(Method::None, bronstein("5s")), AfterFlag::Halt);
}
