//! Time counted up.

use super::*;

fn counting(limit: Option<&str>, after_flag: Option<AfterFlag>) -> Control {
    let method = PerSide::both(Method::CountUp { limit: limit.map(span) });
    let period = Period { method, ..Period::default() };
    Control::new(&[period], Terms { after_flag, ..Terms::default() }).unwrap()
}

#[test]
fn the_time_used_grows_and_stays_at_the_press() {
    let clock = play(
        counting(None, None),
        "0    | start       | 0      | 0      | white |
         10s  | look        | 10s    | 0      | white |
         10s  | press white | 10s m1 | 0      | black | press white
         14s  | press black | 10s    | 4s m1  | white | press black
         20s  | pause       | 16s    | 4s     | paused |
         30s  | resume      | 16s    | 4s     | white |
         9h   | press white | 32386s m2 | 4s  | black | press white",
    );
    assert_eq!(clock.poll_timeout(), None, "there is no flag");
}

#[test]
fn with_a_limit_the_flag_falls_there() {
    play(
        counting(Some("30s"), Some(AfterFlag::Halt)),
        "0       | start       | 0 l30s      | 0 l30s | white |
         30s-1ns | look        | 30s-1ns     | 0 | white |
         30s     | press white | 30s f30s m0 | 0 | ruling first white | flag white 1; press white ignored",
    );
    play(
        counting(Some("30s"), None),
        "0   | start       | 0             | 0         | white |
         31s | press white | 30s f30s o1s m1 | 0         | black first white | flag white 1 at 30s; press white
         41s | press black | 30s f30s o1s    | 10s m1    | white first white | press black
         42s | press white | 30s f30s o2s m2 | 10s       | black first white | press white
         70s | look        | 30s f30s o2s    | 30s f62s o8s | black first white | flag black 1 at 62s",
    );
}

#[test]
fn an_award_lowers_the_time_used_down_to_0_and_a_cut_raises_it() {
    play(
        counting(Some("30s"), Some(AfterFlag::Halt)),
        "0   | start          | 0        | 0 | white |
         10s | pause          | 10s      | 0 | paused |
         10s | time white 20s | 20s      | 0 | paused |
         10s | cut white 8s   | 28s      | 0 | paused |
         10s | add white 3s   | 25s      | 0 | paused |
         10s | add white 26s  | 0        | 0 | paused |
         10s | cut white 25s  | 25s      | 0 | paused |
         10s | resume         | 25s      | 0 | white |
         15s | look           | 30s f15s | 0 | ruling first white | flag white 1",
    );
    play(
        counting(None, None),
        "0 | add white 1000h    | 0     | 0     | ready |
         0 | add white 1000h1ns | 0     | 0     | ready | refused too-much-time -
         0 | cut white 1000h    | 1000h | 0     | ready |
         0 | cut white 1ns      | 1000h | 0     | ready | refused too-much-time -
         0 | time black 1000h   | 1000h | 1000h | ready |",
    );
}

#[test]
fn a_cut_or_a_time_that_reaches_the_limit_is_refused() {
    play(
        counting(Some("30s"), Some(AfterFlag::Halt)),
        "0   | start              | 0        | 0 | white |
         10s | pause              | 10s      | 0 | paused |
         10s | cut white 20s      | 10s      | 0 | paused | refused cut-too-large S0 13.4
         10s | cut white 9h       | 10s      | 0 | paused | refused cut-too-large S0 13.4
         10s | time white 30s     | 10s      | 0 | paused | refused limit-reached -
         10s | time white 31s     | 10s      | 0 | paused | refused limit-reached -
         10s | cut white 20s-1ns  | 30s-1ns  | 0 | paused |
         10s | time white 30s-1ns | 30s-1ns  | 0 | paused |
         10s | resume             | 30s-1ns  | 0 | white |
         10s1ns | look            | 30s f10s1ns | 0 | ruling first white | flag white 1
         10s1ns | cut white 1ns   | 30s f10s1ns | 0 | ruling first white | refused cut-too-large S0 13.4
         10s1ns | time white 30s  | 30s f10s1ns | 0 | ruling first white | refused limit-reached -",
    );
}

#[test]
fn a_correction_of_a_flagged_side_starts_from_its_limit_and_annuls_the_flag() {
    for (correction, used) in [
        ("add white 10s", "20s"),
        ("add white 1ns", "30s-1ns"),
        ("add white 1h", "0"),
        ("time white 0", "0"),
        ("time white 29s", "29s"),
    ] {
        let rows = format!(
            "0   | start        | 0            | 0 | white |
             31s | pause        | 30s f30s o1s | 0 | paused first white | flag white 1 at 30s
             31s | {correction} | {used}       | 0 | paused |"
        );
        play(counting(Some("30s"), Some(AfterFlag::Run)), &rows);
    }
}

#[test]
fn a_press_can_be_taken_back() {
    play(
        counting(None, None),
        "0   | start       | 0      | 0  | white |
         10s | press white | 10s m1 | 0  | black | press white
         13s | pause       | 10s    | 3s | paused |
         13s | undo        | 10s m0 | 3s | paused |
         13s | resume      | 10s    | 3s | white |
         15s | look        | 12s    | 3s | white |",
    );
}
