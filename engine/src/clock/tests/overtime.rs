//! Overtime: byo-yomi, Canadian, move timer.

use super::*;

fn byo_yomi(main: &str, periods: u32) -> Control {
    single(main, overtime(periods, "30s", 1), AfterFlag::Halt)
}

#[test]
fn the_first_period_starts_at_the_instant_the_main_time_is_used_up() {
    play(
        byo_yomi("1m", 2),
        "0       | start       | 1m            | 1m | white |
         60s-1ns | look        | 1ns           | 1m | white |
         60s     | look        | 30s b2/1      | 1m | white |
         61s     | look        | 29s b2/1 m0   | 1m | white |",
    );
}

#[test]
fn a_press_in_byo_yomi_restarts_its_period() {
    play(
        byo_yomi("1m", 2),
        "0   | start       | 1m          | 1m     | white |
         70s | press white | 30s b2/1 m1 | 1m     | black | press white
         75s | press black | 30s b2/1    | 55s m1 | white | press black
         104s | press white | 30s b2/1 m2 | 55s   | black | press white",
    );
}

#[test]
fn a_period_used_up_is_followed_by_the_next_and_the_last_by_the_flag() {
    play(
        byo_yomi("1m", 2),
        "0        | start       | 1m              | 1m     | white |
         90s-1ns  | look        | 1ns b2/1        | 1m     | white |
         90s      | look        | 30s b1/1        | 1m     | white |
         95s      | press white | 30s b1/1 m1     | 1m     | black | press white
         96s      | press black | 30s b1/1        | 59s m1 | white | press black
         126s-1ns | look        | 1ns b1/1        | 59s    | white |
         126s     | look        | 0 b0/1 f126s    | 59s    | ruling first white | flag white 1",
    );
}

#[test]
fn a_press_one_nanosecond_before_the_last_period_ends_is_in_time_and_at_its_end_too_late() {
    play(
        byo_yomi("1m", 1),
        "0       | start       | 1m          | 1m | white |
         90s-1ns | press white | 30s b1/1 m1 | 1m | black | press white",
    );
    play(
        byo_yomi("1m", 1),
        "0   | start       | 1m             | 1m | white |
         90s | press white | 0 b0/1 f90s m0 | 1m | ruling first white | flag white 1; press white ignored",
    );
}

#[test]
fn all_periods_of_overtime_may_be_used_up_before_one_late_call() {
    play(
        byo_yomi("1m", 5),
        "0    | start | 1m            | 1m | white |
         209s | look  | 1s b1/1       | 1m | white |
         9h   | look  | 0 b0/1 f210s  | 1m | ruling first white | flag white 1 at 210s",
    );
}

#[test]
fn canadian_overtime_is_one_period_for_several_moves() {
    play(
        single("1m", overtime(1, "5m", 3), AfterFlag::Halt),
        "0    | start       | 1m           | 1m     | white |
         61s  | press white | 299s b1/2 m1 | 1m     | black | press white
         61s  | press black | 299s b1/2    | 1m m1  | white | press black
         71s  | press white | 289s b1/1 m2 | 1m     | black | press white
         71s  | press black | 289s b1/1    | 1m m2  | white | press black
         81s  | press white | 5m b1/3 m3   | 1m     | black | press white
         81s  | press black | 5m b1/3      | 1m m3  | white | press black
         91s  | press white | 290s b1/2 m4 | 1m     | black | press white",
    );
}

#[test]
fn only_moves_completed_in_overtime_count() {
    play(
        single("1m", overtime(1, "5m", 3), AfterFlag::Halt),
        "0   | start       | 1m           | 1m    | white |
         50s | press white | 10s m1       | 1m    | black | press white
         50s | press black | 10s          | 1m m1 | white | press black
         60s | look        | 5m b1/3      | 1m    | white |
         70s | press white | 290s b1/2 m2 | 1m    | black | press white",
    );
}

#[test]
fn a_new_period_of_overtime_has_all_its_moves_to_make() {
    play(
        single("1m", overtime(2, "30s", 2), AfterFlag::Halt),
        "0    | start       | 1m            | 1m    | white |
         70s  | press white | 20s b2/1 m1   | 1m    | black | press white
         70s  | press black | 20s b2/1      | 1m m1 | white | press black
         90s  | look        | 30s b1/2      | 1m    | white |
         119s | press white | 1s b1/1 m2    | 1m    | black | press white
         119s | press black | 1s b1/1       | 1m m2 | white | press black
         120s | look        | 0 b0/1 f120s  | 1m    | ruling first white | flag white 1",
    );
}

#[test]
fn with_a_main_time_of_0_both_sides_are_in_overtime_from_ready_on() {
    play(
        byo_yomi("0", 1),
        "0   | look        | 30s b1/1       | 30s b1/1    | ready |
         0   | start       | 30s b1/1       | 30s b1/1    | white |
         29s | press white | 30s b1/1 m1    | 30s b1/1    | black | press white
         58s | press black | 30s b1/1       | 30s b1/1 m1 | white | press black
         88s | look        | 0 b0/1 f88s m1 | 30s b1/1    | ruling first white | flag white 1",
    );
}

#[test]
fn overtime_gives_an_overtime_event_and_no_period_event() {
    let mut clock = Clock::new(byo_yomi("1m", 3), Instant::ZERO);
    clock.handle_command(Command::Start, Instant::ZERO).unwrap();
    let began = |clock: &mut Clock, at| {
        clock.handle_timeout(instant(at)).unwrap();
        let events: Vec<_> = core::iter::from_fn(|| clock.poll_event()).collect();
        events.iter().map(|event| describe_event(*event, instant(at))).collect::<Vec<_>>()
    };
    assert_eq!(began(&mut clock, "60s"), ["overtime white 3"]);
    assert_eq!(began(&mut clock, "125s"), ["overtime white 1 at 120s"]);
    assert_eq!(began(&mut clock, "149s"), [""; 0]);
}

#[test]
fn the_last_period_has_main_time_before_its_overtime() {
    let periods = [period(1, "1m", Method::None), period(0, "20s", overtime(2, "10s", 1))];
    play(
        control(&periods, AfterFlag::Halt),
        "0    | start       | 1m             | 1m     | white |
         50s  | press white | 30s p2 m1      | 1m p1  | black | press white; period white 2
         50s  | press black | 30s            | 80s p2 | white | press black; period black 2
         85s  | look        | 5s b2/1        | 80s    | white |
         90s  | look        | 10s b1/1       | 80s    | white |
         100s | look        | 0 b0/1 f100s   | 80s    | ruling first white | flag white 2",
    );
}

#[test]
fn after_the_flag_nothing_of_the_overtime_comes_back() {
    play(
        single("0", overtime(1, "10s", 1), AfterFlag::Run),
        "0   | start       | 10s b1/1             | 10s b1/1    | white |
         12s | press white | 0 b0/1 f10s o2s m1   | 10s b1/1    | black first white | flag white 1 at 10s; press white
         15s | press black | 0 b0/1 f10s o2s      | 10s b1/1 m1 | white first white | press black
         16s | press white | 0 b0/1 f10s o3s m2   | 10s b1/1    | black first white | press white",
    );
}

#[test]
fn a_correction_in_overtime_acts_on_the_number_shown() {
    play(
        byo_yomi("1m", 2),
        "0   | start          | 1m            | 1m  | white |
         70s | pause          | 20s b2/1      | 1m  | paused |
         70s | time white 25s | 25s b2/1      | 1m  | paused |
         70s | add white 5s   | 30s b2/1      | 1m  | paused |
         70s | cut white 30s  | 30s b2/1      | 1m  | paused | refused cut-too-large S0 13.4
         70s | cut white 29s  | 1s b2/1       | 1m  | paused |
         70s | resume         | 1s b2/1       | 1m  | white |
         71s | look           | 30s b1/1      | 1m  | white |
         72s | pause          | 29s b1/1      | 1m  | paused |
         72s | cut white 28s  | 1s b1/1       | 1m  | paused |
         72s | resume         | 1s b1/1       | 1m  | white |
         73s | look           | 0 b0/1 f73s   | 1m  | ruling first white | flag white 1
         73s | time white 9s  | 9s b1/1       | 1m  | paused |",
    );
}

#[test]
fn a_time_of_0_in_overtime_is_no_correction_and_costs_no_period() {
    play(
        byo_yomi("1m", 2),
        "0   | start         | 1m          | 1m       | white |
         70s | press white   | 30s b2/1 m1 | 1m       | black | press white
         75s | pause         | 30s b2/1    | 55s      | paused |
         75s | time white 0  | 30s b2/1    | 55s      | paused |
         75s | time white 0  | 30s b2/1    | 55s      | paused |
         75s | undo          | 20s b2/1 m0 | 55s      | paused |
         75s | time white 0  | 20s b2/1    | 55s      | paused |
         75s | time black 0  | 20s b2/1    | 30s b2/1 | paused |
         75s | time black 0  | 20s b2/1    | 30s b2/1 | paused |
         75s | resume        | 20s b2/1    | 30s b2/1 | white |",
    );
    play(
        byo_yomi("0", 1),
        "0   | start        | 30s b1/1    | 30s b1/1 | white |
         30s | look         | 0 b0/1 f30s | 30s b1/1 | ruling first white | flag white 1
         30s | time white 0 | 0 b0/1 f30s | 30s b1/1 | ruling first white |",
    );
}

#[test]
fn a_main_time_set_to_0_is_overtime_at_once() {
    play(
        byo_yomi("1m", 2),
        "0  | time black 0   | 1m       | 30s b2/1 | ready |
         0  | time black 40s | 1m       | 40s b2/1 | ready |
         0  | start          | 1m       | 40s b2/1 | white |",
    );
}

#[test]
fn a_period_without_overtime_sets_it_aside_and_keeps_the_time_shown() {
    let periods = [period(9, "1m", Method::None), period(0, "0", overtime(2, "10s", 2))];
    let control = control(&periods, AfterFlag::Halt);
    play(
        control,
        "0  | period white 2 | 1m p2       | 1m | ready |
         0  | time white 0   | 10s b2/2 p2 | 1m | ready |
         0  | start          | 10s b2/2    | 1m | white |
         13s | press white   | 7s b1/1 m1  | 1m | black | press white
         13s | pause         | 7s b1/1     | 1m | paused |
         13s | period white 1 | 7s p1      | 1m | paused |
         13s | period white 2 | 7s b1/1 p2 | 1m | paused |
         13s | period white 1 | 7s p1      | 1m | paused |
         13s | time white 5s | 5s p1       | 1m | paused |
         13s | period white 2 | 5s b1/1 p2 | 1m | paused |
         13s | resume white  | 5s b1/1     | 1m | white |
         18s | look          | 0 b0/1 f18s | 1m | ruling first white | flag white 2
         18s | period white 1 | 0 f18s p1  | 1m | ruling first white |
         18s | period white 2 | 0 b0/1 f18s p2 | 1m | ruling first white |
         18s | period white 1 | 0 f18s p1  | 1m | ruling first white |
         18s | time white 3s | 3s p1       | 1m | paused |
         18s | period white 2 | 3s b1/1 p2 | 1m | paused |",
    );
}

#[test]
fn set_period_that_leaves_0_shows_the_first_period_of_overtime_at_once() {
    let periods = [period(9, "1m", Method::None), period(0, "1m", overtime(2, "10s", 2))];
    play(
        control(&periods, AfterFlag::Halt),
        "0 | time white 0   | 0 p1        | 1m | ready |
         0 | period white 2 | 10s b2/2 p2 | 1m | ready |
         0 | start          | 10s b2/2    | 1m | white |
         4s | look          | 6s b2/2     | 1m | white |",
    );
    // A side whose final flag is down gets no time when it is put into the period with overtime.
    play(
        control(&periods, AfterFlag::Halt),
        "0  | start          | 1m          | 1m | white |
         1m | look           | 0 f1m       | 1m | ruling first white | flag white 1
         1m | period white 2 | 0 f1m p2    | 1m | ruling first white |
         1m | time white 9s  | 9s p2       | 1m | paused |",
    );
}

#[test]
fn a_restored_overtime_that_would_show_0_shows_its_running_period_whole() {
    let periods = [period(9, "1m", Method::None), period(0, "1m", overtime(2, "10s", 2))];
    play(
        control(&periods, AfterFlag::Halt),
        "0   | period white 2 | 1m p2       | 1m | ready |
         0   | time white 0   | 10s b2/2 p2 | 1m | ready |
         0   | start          | 10s b2/2    | 1m | white |
         13s | press white    | 7s b1/1 m1  | 1m | black | press white
         13s | pause          | 7s b1/1     | 1m | paused |
         13s | period white 1 | 7s p1       | 1m | paused |
         13s | time white 0   | 0 p1        | 1m | paused |
         13s | period white 2 | 10s b1/1 p2 | 1m | paused |",
    );
}

#[test]
fn set_period_carries_the_periods_and_moves_left() {
    let periods = [period(9, "1m", Method::None), period(0, "1m", overtime(3, "10s", 4))];
    play(
        control(&periods, AfterFlag::Halt),
        "0 | period white 2 left 2/3 | 1m b2/3 p2  | 1m    | ready |
         0 | period white 2 left 1/- | 1m b1/3     | 1m    | ready |
         0 | period white 2 left -/2 | 1m b1/2     | 1m    | ready |
         0 | period black 2 left -/1 | 1m b1/2     | 1m b3/1 p2 | ready |
         0 | period black 1          | 1m b1/2     | 1m p1 | ready |
         0 | period black 2 left 2/- | 1m b1/2     | 1m b2/1 | ready |
         0 | period black 1          | 1m b1/2     | 1m p1 | ready |
         0 | time black 0            | 1m b1/2     | 0     | ready |
         0 | period black 2 left -/3 | 1m b1/2     | 10s b2/3 | ready |
         0 | start                   | 1m b1/2     | 10s b2/3 | white |
         9s | press white            | 51s b1/1    | 10s b2/3 | black | press white
         19s | look                  | 51s b1/1    | 10s b1/4 | black |",
    );
}

#[test]
fn periods_and_moves_left_outside_their_range_are_refused() {
    let periods = [period(9, "1m", Method::None), period(0, "1m", overtime(3, "10s", 4))];
    let rows = |event: &str, code: &str| {
        play(
            control(&periods, AfterFlag::Run),
            &format!(
                "0  | {event} | 1m p1 | 1m p1 | ready | refused {code} -
                 0  | start   | 1m p1 | 1m    | white |
                 1m | pause   | 0 f1m | 1m    | paused first white | flag white 1"
            ),
        )
    };
    for (left, code) in [
        ("0/-", "no-such-overtime"),
        ("4/-", "no-such-overtime"),
        ("-/0", "no-such-overtime"),
        ("-/5", "no-such-overtime"),
    ] {
        rows(&format!("period white 2 left {left}"), code);
    }
    for left in ["1/1", "1/-", "-/1", "9/9"] {
        let mut clock = rows(&format!("period white 1 left {left}"), "no-overtime");
        let flagged = format!(
            "61s | period white 2 left {left} | 0 f1m p1 | 1m | paused first white | refused \
             out-of-time -"
        );
        play_row(&mut clock, Pace::Late, &flagged);
    }
}

#[test]
fn a_correction_of_period_overtime_and_time_at_once_sets_the_time_last() {
    let periods = [period(9, "1m", Method::None), period(0, "1m", overtime(3, "10s", 4))];
    let mut clock = play(
        control(&periods, AfterFlag::Halt),
        "0 | time white 0 | 0 p1 | 1m | ready |
         0 | time black 0 | 0 p1 | 0  | ready |",
    );
    // White gets a main time in the same correction, so White's overtime does not begin. Black's
    // overtime begins, because the correction gives its periods left.
    let both = Correction {
        period: PerSide::both(Some(2)),
        time: PerSide { white: Some(span("9s")), black: Some(span("8s")) },
        overtime_periods: PerSide { white: None, black: Some(1) },
        ..Correction::default()
    };
    clock.handle_command(Command::Set(both), Instant::ZERO).unwrap();
    play_row(&mut clock, Pace::Late, "0 | look | 9s p2 | 8s b1/4 p2 | ready |");
}

#[test]
fn a_period_the_clock_enters_by_itself_brings_its_whole_overtime() {
    let periods = [period(1, "1m", Method::None), period(0, "0", overtime(3, "10s", 1))];
    let back_in_period_1 = "0  | period white 2 | 1m p2       | 1m | ready |
         0  | time white 0   | 10s b3/1    | 1m | ready |
         0  | start          | 10s b3/1    | 1m | white |
         26s | pause         | 4s b1/1     | 1m | paused |
         26s | period white 1 | 4s p1      | 1m | paused |
         26s | resume        | 4s          | 1m | white |";
    let rows = format!(
        "{back_in_period_1}
         27s | press white   | 3s p2 m1    | 1m    | black | press white; period white 2
         27s | press black   | 3s          | 1m m1 | white | press black; period black 2
         30s | look          | 10s b3/1    | 1m    | white |"
    );
    play(control(&periods, AfterFlag::Halt), &rows);
    let rows = format!(
        "{back_in_period_1}
         30s | look | 10s e30s b3/1 p2 | 1m p2 | white | flag white 1; period white 2; period black 2
         40s | look | 10s e30s b2/1    | 1m    | white |"
    );
    play(advancing(PeriodEnd::Zero, &periods, AfterFlag::Halt), &rows);
}
