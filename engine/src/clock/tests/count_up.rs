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
        "0       | start       | 0           | 0 | white |
         30s-1ns | look        | 30s-1ns     | 0 | white |
         30s     | press white | 0 f30s m0   | 0 | ruling first white | flag white 1; press white ignored",
    );
    play(
        counting(Some("30s"), None),
        "0   | start       | 0             | 0         | white |
         31s | press white | 0 f30s o1s m1 | 0         | black first white | flag white 1 at 30s; press white
         41s | press black | 0 f30s o1s    | 10s m1    | white first white | press black
         42s | press white | 0 f30s o2s m2 | 10s       | black first white | press white
         70s | look        | 0 f30s o2s    | 0 f62s o8s | black first white | flag black 1 at 62s",
    );
}

#[test]
fn a_correction_sets_the_time_used() {
    play(
        counting(Some("30s"), Some(AfterFlag::Halt)),
        "0   | start          | 0      | 0 | white |
         10s | pause          | 10s    | 0 | paused |
         10s | time white 28s | 28s    | 0 | paused |
         10s | cut white 3s   | 25s    | 0 | paused |
         10s | resume         | 25s    | 0 | white |
         15s | look           | 0 f15s | 0 | ruling first white | flag white 1
         15s | time white 29s | 29s    | 0 | paused |
         15s | resume         | 29s    | 0 | white |
         16s | look           | 0 f16s | 0 | ruling first white | flag white 1",
    );
}

#[test]
fn a_correction_of_a_flagged_side_starts_from_the_limit_it_used() {
    for (correction, used) in [("cut white 10s", "20s"), ("add white 5s", "35s")] {
        let rows = format!(
            "0   | start        | 0      | 0 | white |
             30s | look         | 0 f30s | 0 | ruling first white | flag white 1
             31s | {correction} | {used} | 0 | paused |"
        );
        play(counting(Some("30s"), Some(AfterFlag::Halt)), &rows);
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
