//! After the flag: `halt`, `run`, both flags, annulment.

use super::*;

#[test]
fn halt_stops_both_clocks_at_the_flag_instant() {
    play(
        single("1m", increment("5s"), AfterFlag::Halt),
        "0    | start       | 1m5s    | 1m5s | white |
         5s   | press white | 1m5s m1 | 1m5s | black | press white
         70s  | look        | 1m5s    | 0 m0 f70s | ruling first black | flag black 1
         2h   | look        | 1m5s    | 0 f70s    | ruling first black |
         2h   | press black | 1m5s    | 0 m0 f70s | ruling first black | press black ignored
         2h   | press white | 1m5s m1 | 0 f70s    | ruling first black | press white ignored
         2h   | resume      | 1m5s    | 0 f70s    | ruling first black | refused not-paused S4 6.13
         2h   | resume white | 1m5s   | 0 f70s    | ruling first black | refused not-paused S4 6.13
         2h   | pause       | 1m5s    | 0 f70s    | ruling first black | refused not-running S4 6.13
         2h   | finish 1-0  | 1m5s    | 0 f70s    | over first black 1-0 |",
    );
}

#[test]
fn run_counts_the_overrun_and_play_goes_on() {
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0   | start       | 1m            | 1m     | white |
         60s | look        | 0 m0 f1m      | 1m     | white first white | flag white 1
         75s | look        | 0 f1m o15s    | 1m     | white first white |
         80s | press white | 0 m1 f1m o20s | 1m     | black first white | press white
         90s | press black | 0 f1m o20s    | 50s m1 | white first white | press black
         91s | pause       | 0 f1m o21s    | 50s    | paused first white |
         99s | look        | 0 f1m o21s    | 50s    | paused first white |
         99s | resume      | 0 f1m o21s    | 50s    | white first white |
         100s | look       | 0 f1m o22s    | 50s    | white first white |
         101s | finish 0-1 | 0 f1m o23s    | 50s    | over first white 0-1 |",
    );
}

#[test]
pub(super) fn s0_6_12_both_flags_and_the_first_stays() {
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0    | start       | 1m           | 1m          | white |
         1s   | press white | 59s          | 1m          | black | press white
         62s  | press black | 59s          | 0 m1 f61s o1s | white first black | flag black 1 at 61s; press black
         122s | press white | 0 f121s o1s  | 0 f61s o1s  | black first black | flag white 1 at 121s; press white
         125s | press black | 0 f121s o1s  | 0 f61s o4s  | white first black | press black
         130s | look        | 0 f121s o6s  | 0 f61s o4s  | white first black |",
    );
}

#[test]
fn s0_6_8a_the_running_sides_press_is_not_disabled_by_its_own_flag() {
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0  | start       | 1m           | 1m | white |
         1h | press white | 0 m1 f1m o59m | 1m | black first white | flag white 1 at 60s; press white",
    );
}

#[test]
fn c02_no_time_is_added_after_the_final_flag() {
    for method in [increment("5s"), delay("5s"), bronstein("5s")] {
        let fresh = match method {
            Method::Delay(_) => "1m d5s",
            _ => "1m5s",
        };
        let rows = format!(
            "0   | start       | {fresh}         | {fresh} | white |
             66s | press white | 0 m1 f65s o1s   | {fresh} | black first white | flag white 1 at 65s; press white
             66s | press black | 0 f65s o1s | {}   | white first white | press black
             69s | press white | 0 m2 f65s o4s   | {}   | black first white | press white",
            after_a_move(method),
            after_a_move(method),
        );
        play(single("1m", method, AfterFlag::Run), &rows);
    }
}

/// What a row of a table has for a side after a first move that took no time.
fn after_a_move(method: Method) -> &'static str {
    match method {
        Method::Increment(_) => "1m10s m1",
        Method::Delay(_) => "1m d5s m1",
        _ => "1m5s m1",
    }
}

#[test]
fn c02_a_finally_flagged_side_changes_no_period() {
    let periods = [period(2, "1m", increment("5s")), period(0, "1h", increment("7s"))];
    play(
        control(&periods, AfterFlag::Run),
        "0   | start       | 1m5s              | 1m5s    | white |
         1s  | press white | 1m9s m1           | 1m5s    | black | press white
         1s  | press black | 1m9s              | 1m10s   | white | press black
         71s | press white | 0 m2 p1 f70s o1s  | 1m10s   | black first white | flag white 1 at 70s; press white
         71s | press black | 0 p1 f70s o1s | 1h1m17s m2 p2 | white first white | press black; period black 2
         72s | press white | 0 m3 p1 f70s o2s  | 1h1m17s | black first white | press white",
    );
}

#[test]
pub(super) fn s0_6_3_the_main_time_used_up_before_the_moves_is_the_final_flag() {
    let periods = [period(2, "1m", Method::None), period(0, "1h", Method::None)];
    play(
        control(&periods, AfterFlag::Halt),
        "0  | start | 1m          | 1m | white |
         1h | look  | 0 m0 p1 f1m | 1m p1 | ruling first white | flag white 1 at 60s",
    );
}

#[test]
fn time_above_0_annuls_a_flag_and_settles_the_ruling() {
    for give in ["time white 10s", "add white 10s"] {
        let rows = format!(
            "0   | start        | 1m        | 1m | white |
             90s | look         | 0 f1m     | 1m | ruling first white | flag white 1 at 60s
             90s | time black 2m | 0 f1m    | 2m | ruling first white |
             90s | moves white 9 | 0 m9 f1m | 2m | ruling first white |
             90s | {give}       | 10s m9    | 2m | paused |
             99s | resume       | 10s       | 2m | white |
             109s-1ns | press white | 1ns m10 | 2m | black | press white"
        );
        play(single("1m", Method::None, AfterFlag::Halt), &rows);
    }
}

#[test]
fn an_annulled_flag_takes_its_overrun_along() {
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0   | start           | 1m         | 1m | white |
         90s | pause           | 0 f1m o30s | 1m | paused first white | flag white 1 at 60s
         90s | time white 20s  | 20s        | 1m | paused |
         90s | resume          | 20s        | 1m | white |
         111s | look           | 0 f110s o1s | 1m | white first white | flag white 1 at 110s",
    );
}

#[test]
fn s0_6_12_an_annulment_recomputes_the_first_flag() {
    let both_down = "0    | start       | 1m         | 1m         | white |
         60s  | press white | 0 f1m      | 1m         | black first white | flag white 1; press white
         120s | pause       | 0 f1m      | 0 f120s    | paused first white | flag black 1";
    let control = single("1m", Method::None, AfterFlag::Run);
    for rows in [
        "120s | time white 10s | 10s | 0 f120s | paused first black |
         120s | resume white   | 10s | 0 f120s | white first black |
         130s | look           | 0 f130s | 0 f120s | white first black | flag white 1",
        "120s | add black 10s  | 0 f1m | 10s | paused first white |
         120s | resume         | 0 f1m | 10s | black first white |
         130s | look           | 0 f1m | 0 f130s | black first white | flag black 1",
        "120s | time white 10s | 10s | 0 f120s | paused first black |
         120s | time black 10s | 10s | 10s     | paused |",
    ] {
        play(control, &format!("{both_down}\n{rows}"));
    }
}

#[test]
fn set_to_0_a_flag_stays_and_a_flagless_side_falls_when_its_clock_starts() {
    play(
        single("1m", Method::None, AfterFlag::Run),
        "0   | start        | 1m         | 1m     | white |
         61s | pause        | 0 f1m o1s  | 1m     | paused first white | flag white 1 at 60s
         61s | time white 0 | 0 f1m o1s  | 1m     | paused first white |
         61s | time black 0 | 0 f1m o1s  | 0      | paused first white |
         62s | resume       | 0 f1m o1s  | 0      | white first white |
         63s | press white  | 0 f1m o2s  | 0 f63s | black first white | press white; flag black 1",
    );
    play(
        single("1m", Method::None, AfterFlag::Halt),
        "0  | start        | 1m  | 1m | white |
         1s | pause        | 59s | 1m | paused |
         1s | time white 0 | 0   | 1m | paused |
         9s | resume       | 0 f9s | 1m | ruling first white | flag white 1",
    );
}

#[test]
fn a_flag_before_an_arbiters_command_at_the_same_instant_falls_first() {
    play(
        single("1m", Method::None, AfterFlag::Halt),
        "0   | start | 1m    | 1m | white |
         60s | pause | 0 f1m | 1m | ruling first white | flag white 1; refused not-running S4 6.13",
    );
    play(
        single("1m", Method::None, AfterFlag::Halt),
        "0   | start | 1m    | 1m | white |
         60s-1ns | pause | 1ns | 1m | paused |
         2h  | look  | 1ns | 1m | paused |",
    );
    play(
        single("1m", Method::None, AfterFlag::Halt),
        "0   | start      | 1m    | 1m | white |
         60s | finish 1-0 | 0 f1m | 1m | over first white 1-0 | flag white 1",
    );
}

#[test]
fn a_flag_due_but_not_decided_shows_no_time_and_no_flag() {
    for method in [Method::None, delay("5s"), bronstein("5s"), increment("5s")] {
        let mut clock = Clock::new(single("1m", method, AfterFlag::Halt), Instant::ZERO);
        clock.handle_command(Command::Start, Instant::ZERO).unwrap();
        let view = clock.view(instant("2h"));
        assert_eq!(view.running(), Some(Side::White));
        assert_eq!(side_text(&view.sides.white, "0 m0 p1"), "0 m0 p1");
        assert_eq!(view.first_flag, None);
        assert_eq!(clock.poll_event(), None);
    }
}
