//! The methods: what a completed move adds, and the instant at which the flag falls.

use super::*;

#[test]
pub(super) fn s0_6_8a_press_completes_the_move() {
    play(
        single("5m", Method::None, AfterFlag::Run),
        "0   | start       | 5m       | 5m m0    | white |
         10s | press white | 4m50s m1 | 5m m0    | black | press white
         25s | look        | 4m50s    | 4m45s m0 | black |
         30s | press black | 4m50s m1 | 4m40s m1 | white | press black
         31s | press white | 4m49s m2 | 4m40s m1 | black | press white",
    );
}

#[test]
pub(super) fn s0_6_8a_a_press_out_of_turn_does_nothing() {
    play(
        single("5m", increment("3s"), AfterFlag::Halt),
        "0   | start       | 5m3s     | 5m3s    | white  |
         10s | press black | 4m53s    | 5m3s m0 | white  | press black ignored
         11s | press white | 4m55s m1 | 5m3s    | black  | press white
         11s | press white | 4m55s m1 | 5m3s    | black  | press white ignored
         12s | pause       | 4m55s    | 5m2s    | paused |
         13s | press black | 4m55s    | 5m2s m0 | paused | press black ignored
         14s | press white | 4m55s m1 | 5m2s    | paused | press white ignored
         15s | finish 0-1  | 4m55s    | 5m2s    | over 0-1 |
         16s | press black | 4m55s    | 5m2s m0 | over 0-1 | press black ignored",
    );
}

#[test]
fn both_pressing_at_one_instant_completes_both_moves_in_the_order_of_the_calls() {
    play(
        single("5m", increment("3s"), AfterFlag::Halt),
        "0   | start       | 5m3s     | 5m3s    | white |
         10s | press white | 4m56s m1 | 5m3s    | black | press white
         10s | press black | 4m56s    | 5m6s m1 | white | press black",
    );
}

#[test]
fn an_increment_is_added_with_each_completed_move() {
    play(
        single("1m", increment("5s"), AfterFlag::Halt),
        "0   | start       | 1m5s     | 1m5s     | white |
         2s  | press white | 1m8s m1  | 1m5s     | black | press white
         22s | press black | 1m8s     | 50s m1   | white | press black
         32s | look        | 58s      | 50s      | white |
         33s | press white | 1m2s m2  | 50s      | black | press white",
    );
}

#[test]
fn s0_6_2b_the_main_time_falls_only_after_the_delay() {
    play(
        single("1m", delay("5s"), AfterFlag::Halt),
        "0      | start | 1m d5s    | 1m d5s | white |
         3s     | look  | 1m d2s    | 1m d5s | white |
         5s-1ns | look  | 1m d1ns   | 1m d5s | white |
         5s     | look  | 1m        | 1m d5s | white |
         5s1ns  | look  | 1m-1ns    | 1m d5s | white |
         15s    | look  | 50s       | 1m d5s | white |",
    );
}

#[test]
pub(super) fn s0_6_2b_unused_delay_is_lost() {
    play(
        single("1m", delay("5s"), AfterFlag::Halt),
        "0   | start       | 1m d5s     | 1m d5s     | white |
         1s  | press white | 1m d5s m1  | 1m d5s     | black | press white
         8s  | press black | 1m d5s     | 58s d5s m1 | white | press black
         18s | press white | 55s d5s m2 | 58s d5s    | black | press white
         23s | press black | 55s d5s    | 58s d5s m2 | white | press black",
    );
}

#[test]
fn bronstein_shows_one_number() {
    play(
        single("1m", bronstein("5s"), AfterFlag::Halt),
        "0   | start       | 1m5s    | 1m5s    | white |
         3s  | look        | 1m2s    | 1m5s    | white |
         3s  | press white | 1m5s m1 | 1m5s    | black | press white
         15s | look        | 1m5s    | 53s     | black |
         15s | press black | 1m5s    | 58s m1  | white | press black
         20s | press white | 1m5s m2 | 58s     | black | press white
         25s1ns | press black | 1m5s | 58s-1ns m2 | white | press black",
    );
}

/// Controls of one minute: without a method, and with an increment, a delay or Bronstein. Each
/// comes with the running time after which White's flag falls, and what a row of a table has for
/// White after a press one nanosecond earlier. With an increment, move 1 already has its increment
/// at the start.
fn boundaries() -> [(Control, &'static str, &'static str); 8] {
    let of = |method, flag, left| {
        [AfterFlag::Halt, AfterFlag::Run].map(|after| (single("1m", method, after), flag, left))
    };
    let [a, b] = of(Method::None, "1m", "1ns");
    let [c, d] = of(increment("5s"), "1m5s", "5s1ns");
    let [e, f] = of(delay("5s"), "1m5s", "1ns d5s");
    let [g, h] = of(bronstein("5s"), "1m5s", "5s1ns");
    [a, b, c, d, e, f, g, h]
}

/// What a row of a table has for Black before Black's first move.
fn fresh(control: &Control) -> &'static str {
    match control.periods()[0].method.black {
        Method::None => "1m",
        Method::Delay(_) => "1m d5s",
        _ => "1m5s",
    }
}

#[test]
fn s0_6_8a_a_press_one_nanosecond_before_the_flag_is_in_time() {
    for (control, flag, left) in boundaries() {
        let black = fresh(&control);
        let rows = format!(
            "0 | start | {black} | {black} | white |
             {flag}-1ns | press white | {left} m1 | {black} | black | press white"
        );
        let clock = play(control, &rows);
        // White's press was in time, so the flag that falls later is Black's, even if it is decided
        // hours after that.
        let mut late = clock;
        late.handle_timeout(instant("9h")).unwrap();
        let flagged = late.view(instant("9h")).sides.map(|half| half.flag.is_some());
        assert_eq!((flagged.white, flagged.black), (false, true));
    }
}

#[test]
pub(super) fn s0_6_8a_a_press_at_the_very_instant_is_too_late() {
    for (control, flag, _) in boundaries() {
        let black = fresh(&control);
        let end = match control.after_flag() {
            AfterFlag::Halt => format!(
                "press white | 0 m0 f{flag} | {black} | ruling first white | \
                 flag white 1; press white ignored"
            ),
            AfterFlag::Run => format!(
                "press white | 0 m1 f{flag} | {black} | black first white | \
                 flag white 1; press white"
            ),
        };
        let rows = format!("0 | start | {black} | {black} | white |\n {flag} | {end}");
        play(control, &rows);
    }
}

#[test]
fn s0_6_8a_a_press_after_the_flag_is_too_late() {
    for (control, flag, _) in boundaries() {
        let black = fresh(&control);
        let at = short(nanos(flag));
        let end = match control.after_flag() {
            AfterFlag::Halt => format!(
                "press white | 0 m0 f{flag} | {black} | ruling first white | \
                 flag white 1 at {at}; press white ignored"
            ),
            AfterFlag::Run => format!(
                "press white | 0 m1 f{flag} o1ns | {black} | black first white | \
                 flag white 1 at {at}; press white"
            ),
        };
        let rows = format!("0 | start | {black} | {black} | white |\n {flag}1ns | {end}");
        play(control, &rows);
    }
}

#[test]
fn the_timeout_is_the_flag_instant_and_only_while_a_clock_runs() {
    for (control, flag, _) in boundaries() {
        let mut clock = Clock::new(control, Instant::ZERO);
        assert_eq!(clock.poll_timeout(), None);
        clock.handle_command(Command::Start, instant("10s")).unwrap();
        let due = instant(&format!("10s{flag}"));
        assert_eq!(clock.poll_timeout(), Some(due));
        let by = Caller::Arbiter;
        clock.handle_command(Command::Pause { by }, instant("12s")).unwrap();
        assert_eq!(clock.poll_timeout(), None);
        clock.handle_command(Command::Resume { side: None }, instant("20s")).unwrap();
        assert_eq!(clock.poll_timeout(), Some(instant(&format!("18s{flag}"))));
        clock.handle_timeout(instant("9h")).unwrap();
        assert_eq!(clock.poll_timeout(), None, "a fallen flag falls no second time");
    }
}
