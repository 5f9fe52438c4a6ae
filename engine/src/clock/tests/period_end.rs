//! The values of `period_end` other than `moves`, and a last period that repeats.

use super::*;

fn two(first: Method, last: Method, moves: u32) -> [Period; 2] {
    [period(moves, "1m", first), period(0, "30s", last)]
}

#[test]
fn at_zero_the_flag_is_latched_and_both_sides_get_the_next_periods_time() {
    for moves in [0, 40] {
        play(
            advancing(PeriodEnd::Zero, &two(Method::None, Method::None, moves), AfterFlag::Halt),
            "0       | start       | 1m p1        | 1m p1       | white |
             60s-1ns | look        | 1ns p1       | 1m p1       | white |
             60s     | look        | 30s e60s p2  | 90s p2      | white | flag white 1; period white 2; period black 2
             65s     | press white | 25s e60s m1  | 90s         | black | press white
             155s    | look        | 25s e60s     | 0 f155s p2  | ruling first black | flag black 2",
        );
    }
}

#[test]
fn at_zero_a_press_at_the_very_instant_is_of_the_next_period() {
    play(
        advancing(PeriodEnd::Zero, &two(increment("5s"), increment("7s"), 0), AfterFlag::Halt),
        "0   | start       | 65s              | 65s     | white |
         65s | press white | 37s e65s p2 m1   | 95s p2  | black | flag white 1; period white 2; period black 2; press white",
    );
    play(
        advancing(PeriodEnd::Zero, &two(increment("5s"), increment("7s"), 0), AfterFlag::Halt),
        "0       | start       | 65s          | 65s    | white |
         65s-1ns | press white | 5s1ns p1 m1  | 65s p1 | black | press white",
    );
}

#[test]
fn in_mid_turn_only_the_time_is_added_and_the_increment_comes_with_the_next_completed_move() {
    play(
        advancing(PeriodEnd::Zero, &two(increment("5s"), increment("7s"), 0), AfterFlag::Halt),
        "0   | start       | 65s           | 65s     | white |
         65s | look        | 30s e65s p2   | 95s p2  | white | flag white 1; period white 2; period black 2
         70s | press white | 32s e65s m1   | 95s     | black | press white
         75s | press black | 32s e65s      | 97s m1  | white | press black",
    );
}

#[test]
fn in_mid_turn_the_delay_comes_with_the_next_turn() {
    play(
        advancing(PeriodEnd::Zero, &two(delay("5s"), delay("9s"), 0), AfterFlag::Halt),
        "0   | start       | 1m d5s           | 1m d5s     | white |
         65s | look        | 30s e65s p2      | 90s d9s p2 | white | flag white 1; period white 2; period black 2
         66s | look        | 29s e65s         | 90s d9s    | white |
         70s | press white | 25s d9s e65s m1  | 90s d9s    | black | press white
         71s | press black | 25s d9s e65s     | 90s d9s m1 | white | press black
         82s | look        | 23s e65s         | 90s d9s    | white |",
    );
}

#[test]
fn at_zero_the_moves_are_only_shown() {
    play(
        advancing(PeriodEnd::Zero, &two(Method::None, Method::None, 1), AfterFlag::Run),
        "0   | start       | 1m p1      | 1m p1    | white |
         0   | press white | 1m p1 m1   | 1m p1    | black | press white
         0   | press black | 1m p1      | 1m p1 m1 | white | press black
         60s | look        | 30s e60s p2 m1 | 90s p2 m1 | white | flag white 1; period white 2; period black 2
         90s | look        | 0 f90s     | 90s      | white first white | flag white 2
         95s | press white | 0 f90s o5s | 90s      | black first white | press white
         185s | look       | 0 f90s o5s | 0 f185s  | black first white | flag black 2",
    );
}

#[test]
fn at_zero_the_period_of_the_other_side_can_only_be_the_next() {
    let periods = [
        period(0, "1m", Method::None),
        period(0, "30s", Method::None),
        period(0, "10s", overtime(1, "5s", 1)),
    ];
    play(
        advancing(PeriodEnd::Zero, &periods, AfterFlag::Halt),
        "0    | period black 3 | 1m p1          | 1m p3  | ready |
         0    | start          | 1m             | 1m     | white |
         60s  | look           | 30s e60s p2    | 1m p3  | white | flag white 1; period white 2
         90s  | look           | 10s e90s p3    | 1m p3  | white | flag white 2; period white 3
         100s | look           | 5s e90s b1/1   | 1m     | white |
         105s | look           | 0 b0/1 f105s   | 1m     | ruling first white | flag white 3
         105s | time white 1s  | 1s e90s b1/1   | 1m     | paused |",
    );
}

#[test]
fn c02_at_zero_a_finally_flagged_side_gets_nothing() {
    play(
        advancing(PeriodEnd::Zero, &two(Method::None, Method::None, 0), AfterFlag::Run),
        "0   | period black 2 | 1m p1         | 1m p2      | ready |
         0   | start          | 1m            | 1m         | white |
         0   | press white    | 1m m1         | 1m         | black | press white
         60s | press black    | 1m            | 0 f60s m1  | white first black | flag black 2; press black
         60s | pause          | 1m            | 0 f60s     | paused first black |
         60s | period black 1 | 1m            | 0 f60s p1  | paused first black |
         60s | resume         | 1m            | 0 f60s     | white first black |
         120s | look          | 30s e120s p2  | 0 f60s p1  | white first black | flag white 1; period white 2",
    );
}

#[test]
fn moves_at_zero_the_time_comes_when_it_is_used_up_and_the_moves_are_made() {
    play(
        advancing(
            PeriodEnd::MovesAtZero,
            &two(increment("5s"), increment("7s"), 2),
            AfterFlag::Halt,
        ),
        "0   | start       | 65s       | 65s    | white |
         10s | press white | 60s m1 p1 | 65s    | black | press white
         10s | press black | 60s       | 70s m1 | white | press black
         20s | press white | 55s m2 p1 | 70s    | black | press white
         20s | press black | 55s       | 75s m2 p1 | white | press black
         75s-1ns | look    | 1ns p1    | 75s p1 | white |
         75s | look        | 30s p2    | 75s p1 | white | period white 2
         80s | press white | 32s m3    | 75s p1 | black | press white
         155s | look       | 32s       | 30s p2 | black | period black 2
         185s | look       | 32s       | 0 f185s p2 | ruling first black | flag black 2",
    );
}

#[test]
fn moves_at_zero_not_made_is_the_final_flag() {
    play(
        advancing(PeriodEnd::MovesAtZero, &two(Method::None, Method::None, 2), AfterFlag::Run),
        "0   | start       | 1m       | 1m | white |
         10s | press white | 50s m1   | 1m | black | press white
         10s | press black | 50s      | 1m m1 | white | press black
         60s | press white | 0 f60s m2 p1 | 1m | black first white | flag white 1; press white
         61s | press black | 0 f60s   | 59s m2 p1 | white first white | press black
         62s | press white | 0 f60s o1s m3 p1 | 59s | black first white | press white",
    );
}

#[test]
fn blacks_press_that_completes_the_moves_sets_both_back() {
    play(
        advancing(
            PeriodEnd::BlackCompletes { pause: false },
            &two(increment("5s"), increment("7s"), 2),
            AfterFlag::Halt,
        ),
        "0   | start       | 65s       | 65s        | white |
         10s | press white | 60s m1 p1 | 65s        | black | press white
         10s | press black | 60s       | 70s m1 p1  | white | press black
         20s | press white | 55s m2 p1 | 70s        | black | press white
         30s | press black | 85s p2    | 97s m2 p2  | white | press black; period black 2; period white 2
         30s | press white | 92s m3    | 97s        | black | press white",
    );
}

#[test]
fn s3_1_2_the_clock_pauses_where_the_readings_are_noted_and_white_runs_on_resume() {
    play(
        advancing(
            PeriodEnd::BlackCompletes { pause: true },
            &two(delay("5s"), delay("9s"), 1),
            AfterFlag::Halt,
        ),
        "0   | start       | 1m d5s     | 1m d5s        | white |
         15s | press white | 50s d5s m1 | 1m d5s        | black | press white
         30s | press black | 80s d9s p2 | 80s d9s m1 p2 | paused | press black; period black 2; period white 2
         99s | look        | 80s d9s    | 80s d9s       | paused |
         99s | resume      | 80s d9s    | 80s d9s       | white |
         110s | press white | 78s d9s m2 | 80s d9s      | black | press white
         111s | press black | 78s d9s    | 80s d9s m2   | white | press black",
    );
}

#[test]
fn the_clock_does_not_pause_where_nobody_gets_time() {
    play(
        advancing(
            PeriodEnd::BlackCompletes { pause: true },
            &two(Method::None, Method::None, 1),
            AfterFlag::Run,
        ),
        "0   | start          | 1m                | 1m       | white |
         61s | press white    | 0 f60s o1s m1     | 1m       | black first white | flag white 1 at 60s; press white
         61s | pause          | 0 f60s o1s        | 1m       | paused first white |
         61s | period black 2 | 0 f60s o1s        | 1m p2    | paused first white |
         61s | resume         | 0 f60s o1s        | 1m       | black first white |
         71s | press black    | 0 f60s o1s        | 50s m1   | white first white | press black
         72s | press white    | 0 f60s o2s m2 p1  | 50s      | black first white | press white
         82s | press black    | 0 f60s o2s        | 40s m2 p2 | white first white | press black",
    );
}

#[test]
fn a_finally_flagged_side_gets_no_time_and_still_sets_the_other_back() {
    let plain = two(Method::None, Method::None, 2);
    let control = advancing(PeriodEnd::BlackCompletes { pause: false }, &plain, AfterFlag::Run);
    play(
        control,
        "0   | start       | 1m        | 1m             | white |
         0   | press white | 1m m1     | 1m             | black | press white
         61s | press black | 1m        | 0 f60s o1s m1  | white first black | flag black 1 at 60s; press black
         61s | press white | 1m m2 p1  | 0 f60s o1s     | black first black | press white
         61s | press black | 90s p2    | 0 f60s o1s m2 p1 | white first black | press black; period white 2
         61s | press white | 90s m3 p2 | 0 f60s o1s     | black first black | press white
         61s | press black | 90s p2    | 0 f60s o1s m3 p1 | white first black | press black",
    );
    play(
        control,
        "0   | start       | 1m              | 1m       | white |
         61s | press white | 0 f60s o1s m1   | 1m       | black first white | flag white 1 at 60s; press white
         61s | press black | 0 f60s o1s      | 1m m1 p1 | white first white | press black
         61s | press white | 0 f60s o1s m2 p1 | 1m      | black first white | press white
         61s | press black | 0 f60s o1s p1   | 90s m2 p2 | white first white | press black; period black 2",
    );
}

#[test]
fn the_last_period_repeats() {
    let periods = [period(2, "1m", increment("5s")), period(1, "30s", increment("7s"))];
    let repeating = Terms { repeat: true, ..Terms::default() };
    play(
        Control::new(&periods, repeating).unwrap(),
        "0   | start          | 65s           | 65s   | white |
         0   | press white    | 70s m1 p1     | 65s   | black | press white
         0   | press black    | 70s           | 70s m1 | white | press black
         0   | press white    | 107s m2 p2    | 70s   | black | press white; period white 2
         0   | press black    | 107s | 107s m2 p2     | white | press black; period black 2
         0   | press white    | 144s m3 p3    | 107s  | black | press white; period white 3
         0   | press black    | 144s | 144s m3 p3     | white | press black; period black 3
         0   | press white    | 181s m4 p4    | 144s  | black | press white; period white 4
         0   | pause          | 181s          | 144s  | paused |
         0   | period white 9 | 181s p9       | 144s  | paused |
         0   | resume white   | 181s          | 144s  | white |
         0   | press white    | 188s m5 p9    | 144s  | black | press white",
    );
}

#[test]
fn in_a_repeating_control_used_up_time_is_the_final_flag() {
    let periods = [period(1, "1m", Method::None)];
    let terms = Terms { repeat: true, ..Terms::default() };
    play(
        Control::new(&periods, terms).unwrap(),
        "0   | start       | 1m           | 1m | white |
         61s | press white | 0 f60s o1s m1 p1 | 1m | black first white | flag white 1 at 60s; press white",
    );
}

#[test]
fn a_repeating_control_counts_to_the_end_of_its_numbers() {
    let periods = [period(1, "1s", Method::None)];
    let terms = Terms { repeat: true, ..Terms::default() };
    play(
        Control::new(&periods, terms).unwrap(),
        "0 | moves white 4294967294  | 1s | 1s | ready |
         0 | period white 4294967294 | 1s p4294967294 | 1s | ready |
         0 | start                   | 1s | 1s | white |
         0 | press white             | 2s m4294967295 p4294967295 | 1s | black | press white; period white 4294967295
         0 | press black             | 2s | 2s p2 m1 | white | press black; period black 2
         0 | press white             | 2s m4294967295 p4294967295 | 2s | black | press white",
    );
}

#[test]
fn the_sides_may_have_different_times_and_methods() {
    let method = PerSide { white: increment("3s"), black: delay("5s") };
    let time = PerSide { white: span("5m"), black: span("4m") };
    let period = Period { moves: None, time, method };
    play(
        Control::new(&[period], Terms::default()).unwrap(),
        "0   | start       | 5m3s    | 4m d5s    | white |
         10s | press white | 4m56s m1 | 4m d5s   | black | press white
         20s | press black | 4m56s   | 235s d5s m1 | white | press black
         21s | press white | 4m58s   | 235s d5s  | black | press white",
    );
}

#[test]
fn at_zero_a_side_that_is_in_a_later_period_already_does_not_advance() {
    let periods = [
        period(0, "1m", Method::None),
        period(0, "30s", Method::None),
        period(0, "10s", Method::None),
    ];
    let control = advancing(PeriodEnd::Zero, &periods, AfterFlag::Halt);
    play(
        control,
        "0    | period black 2 | 1m p1          | 1m p2  | ready |
         0    | start          | 1m             | 1m     | white |
         60s  | look           | 30s e60s p2    | 1m p2  | white | flag white 1; period white 2
         90s  | look           | 10s e90s p3    | 70s p3 | white | flag white 2; period white 3; period black 3",
    );
    // Black is one period behind White, and enters the next period when White does.
    play(
        control,
        "0    | period white 2 | 1m p2       | 1m p1  | ready |
         0    | start          | 1m          | 1m     | white |
         60s  | look           | 10s e60s p3 | 90s p2 | white | flag white 2; period white 3; period black 2",
    );
}
